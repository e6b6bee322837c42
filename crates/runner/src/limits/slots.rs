//! How many requests to one model may be under way. It starts at what was asked for, falls when the endpoint has too
//! much to do, and recovers one by one: additive increase and multiplicative decrease, as congestion control has them.

/// What a request said of the endpoint's load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// It was answered.
    Answered,
    /// Too much to do: 429, 503, 529.
    Busy,
    /// The endpoint failed, which may or may not be for its load: another 5xx, no answer in time.
    Failed,
    /// It says nothing of the load.
    Silent,
}

/// The slots of one model.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    most: u32,
    allowed: u32,
    under_way: u32,
    answered: u32,
    /// How often `allowed` was cut. Requests that were sent before a cut say nothing of what came after it: without
    /// this, sixty-four that are refused together would cut it six times.
    cuts: u64,
}

impl Slots {
    pub(super) fn new(most: u32) -> Self {
        let most = most.max(1);
        Self { most, allowed: most, under_way: 0, answered: 0, cuts: 0 }
    }

    pub(super) fn has_room(&self) -> bool {
        self.under_way < self.allowed
    }

    /// Takes a slot; the number goes back with it.
    pub(super) fn take(&mut self) -> u64 {
        self.under_way += 1;
        self.cuts
    }

    pub(super) fn give_back(&mut self, taken: u64, load: Load) {
        self.under_way = self.under_way.saturating_sub(1);
        match load {
            Load::Busy if taken == self.cuts => {
                self.allowed = (self.allowed / 2).max(1);
                self.cuts += 1;
                self.answered = 0;
            }
            // One less for each: where all fail it is soon at one, where one in twenty fails it stays in two figures.
            Load::Failed => self.allowed = (self.allowed - 1).max(1),
            Load::Answered if taken == self.cuts && self.allowed < self.most => {
                self.answered += 1;
                if self.answered >= self.allowed {
                    self.allowed += 1;
                    self.answered = 0;
                }
            }
            Load::Busy | Load::Answered | Load::Silent => {}
        }
    }

    #[cfg(test)]
    fn allowed(&self) -> u32 {
        self.allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many requests, one after the other, that all end like this.
    fn after(slots: &mut Slots, times: u32, load: Load) -> u32 {
        for _ in 0..times {
            let taken = slots.take();
            slots.give_back(taken, load);
        }
        slots.allowed()
    }

    #[test]
    fn it_falls_by_half_and_recovers_step_by_step() {
        let mut slots = Slots::new(8);
        let rows = [
            (3, Load::Answered, 8),
            (1, Load::Busy, 4),
            (3, Load::Answered, 4),
            (1, Load::Answered, 5),
            (4, Load::Silent, 5),
            (5, Load::Answered, 6),
            (1, Load::Failed, 5),
            (9, Load::Failed, 1),
            (2, Load::Busy, 1),
            (1, Load::Answered, 2),
            (100, Load::Answered, 8),
        ];
        for (at, (times, load, allowed)) in rows.into_iter().enumerate() {
            assert_eq!(after(&mut slots, times, load), allowed, "row {at}");
        }
    }

    #[test]
    fn refusals_of_one_wave_cut_once() {
        let mut slots = Slots::new(64);
        let wave: Vec<u64> = (0..64).map(|_| slots.take()).collect();
        assert!(!slots.has_room());
        wave.iter().for_each(|taken| slots.give_back(*taken, Load::Busy));
        assert_eq!(slots.allowed(), 32);
        let next: Vec<u64> = (0..32).map(|_| slots.take()).collect();
        next.iter().for_each(|taken| slots.give_back(*taken, Load::Busy));
        assert_eq!(slots.allowed(), 16);
        // What is under way beyond the limit runs out; nothing new is let in before.
        let mut narrow = Slots::new(4);
        let wave: Vec<u64> = (0..4).map(|_| narrow.take()).collect();
        narrow.give_back(wave[0], Load::Busy);
        assert!(!narrow.has_room());
        narrow.give_back(wave[1], Load::Answered);
        narrow.give_back(wave[2], Load::Answered);
        assert!(narrow.has_room());
    }
}
