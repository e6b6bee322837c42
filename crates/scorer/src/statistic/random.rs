/// Draws the same numbers from the same seed, for ever.
///
/// `SplitMix64` (Steele, Lea and Flood, 2014, "Fast splittable pseudorandom number generators").
/// Orders and simulations are stored and compared by seed, so none of what it draws may change.
/// Not for secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Starts the sequence of `seed`; every seed is a good one.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Draws 64 evenly spread bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Draws an evenly spread number from [0, 1), a multiple of 2^-53.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit exactly")]
    pub fn next_unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// Draws an evenly spread whole number below `bound`; 0 if there is none.
    ///
    /// Multiplication with rejection (Lemire, 2019), so that no number is favoured.
    pub fn below(&mut self, bound: u64) -> u64 {
        let favoured = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            let (whole, rest) = halves(product);
            if rest >= favoured {
                return whole;
            }
        }
    }

    /// Puts `items` in an order drawn evenly from all orders (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "that is how it is halved")]
fn halves(product: u128) -> (u64, u64) {
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // The reference implementation, seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        let drawn = [(); 5].map(|()| random.next_u64());
        let wanted = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(drawn, wanted);
    }

    #[test]
    fn the_order_of_a_seed_never_changes() {
        let mut items: Vec<u32> = (0..10).collect();
        SplitMix64::new(7).shuffle(&mut items);
        assert_eq!(items, [9, 5, 8, 6, 1, 2, 4, 7, 0, 3]);
    }

    #[test]
    fn units_are_below_1_and_even() {
        let mut random = SplitMix64::new(1);
        let mut sum = 0.0;
        for _ in 0..100_000 {
            let unit = random.next_unit();
            assert!((0.0..1.0).contains(&unit));
            sum += unit;
        }
        assert!((sum / 100_000.0 - 0.5).abs() < 0.005);
    }

    #[test]
    fn every_number_below_the_bound_is_as_likely() {
        let mut random = SplitMix64::new(2);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[usize::try_from(random.below(6)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(random.below(1), 0);
        assert_eq!(random.below(0), 0);
        assert!(random.below(u64::MAX) < u64::MAX);
    }

    #[test]
    fn shuffling_next_to_nothing_works() {
        SplitMix64::new(3).shuffle::<u8>(&mut []);
        let mut one = [1];
        SplitMix64::new(3).shuffle(&mut one);
        assert_eq!(one, [1]);
    }
}
