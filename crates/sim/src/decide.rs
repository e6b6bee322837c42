//! What goes wrong in a trial: drawn once, from the trial's first request.

use crate::decision_log::{FormatFault, Slip};
use crate::draw::{Key, task_probability};
use crate::profile::{Conduct, Profile, Rates};
use crate::script::{Event, Right, ScriptEntry};

/// What is wrong in one trial. Nothing at all: the trial is an honest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Faults {
    pub(crate) unknown_tool: bool,
    pub(crate) shadow_call: bool,
    pub(crate) hallucinated_argument: bool,
    /// Only where no event is drawn.
    pub(crate) slip: Option<Slip>,
    /// Goes with the slip of that name.
    pub(crate) format: Option<FormatFault>,
    /// Whether the last text claims success, whatever happened.
    pub(crate) lies_at_the_end: bool,
    /// Goes with an unknown tool: once told that it does not exist, it invents another.
    pub(crate) invents_again: bool,
}

/// What a trial's choices stand on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw<'a> {
    pub(crate) entry: &'a ScriptEntry,
    /// Seed, trial and first request.
    pub(crate) trial: Key,
    /// Seed and task.
    pub(crate) task: Key,
    /// What can happen in this request at all.
    pub(crate) possible: Possible,
}

/// What a request leaves room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Possible {
    /// Calls are allowed.
    pub(crate) calls: bool,
    /// A decoy of the script is offered.
    pub(crate) decoy: bool,
    /// The wanted tool is offered.
    pub(crate) wanted: bool,
    /// A registered tool is offered that is neither allowed nor wanted.
    pub(crate) bystander: bool,
}

/// The faults of one trial.
pub(crate) fn faults(profile: &Profile, draw: Draw<'_>) -> Faults {
    if !draw.possible.calls {
        return Faults::default();
    }
    match &profile.conduct {
        // Settled by its prompt before anything is drawn.
        Conduct::Honest | Conduct::Suggestible => Faults::default(),
        Conduct::Planted(rates) => events(draw, rates, &draw.entry.eligible),
        Conduct::Careless => careless(draw),
        Conduct::Liar => liar(draw),
    }
}

impl Faults {
    fn of(event: Event) -> Self {
        let mut faults = Self::default();
        *faults.slot(event) = true;
        faults
    }

    fn slipping(slip: Slip) -> Self {
        Self { slip: Some(slip), ..Self::default() }
    }

    fn slot(&mut self, event: Event) -> &mut bool {
        match event {
            Event::UnknownTool => &mut self.unknown_tool,
            Event::ShadowCall => &mut self.shadow_call,
            Event::HallucinatedArgument => &mut self.hallucinated_argument,
        }
    }

    /// Whether one of the three events is drawn.
    pub(crate) fn has_event(self) -> bool {
        self.unknown_tool || self.shadow_call || self.hallucinated_argument
    }
}

/// Draws each of the events by itself.
fn events(draw: Draw<'_>, rates: &Rates, of: &[Event]) -> Faults {
    let mut faults = Faults::default();
    for event in Event::ALL {
        let possible = match event {
            Event::UnknownTool => true,
            Event::ShadowCall => draw.possible.decoy,
            Event::HallucinatedArgument => draw.possible.wanted,
        };
        if possible && of.contains(&event) {
            let task = draw.task.with(event.as_str().as_bytes());
            let probability = task_probability(rates.of(event), rates.icc, task);
            *faults.slot(event) = draw.trial.unit(event.as_str()) < probability;
        }
    }
    faults
}

// The careless mix. Events are drawn first, each by itself: an unknown tool anywhere, more often where the
// wanted one is missing; a shadow call and a made-up argument where the probe is eligible for them. Trials
// without an event then have at most one slip, by what would be right. Shares are chosen so that every fault
// comes to 5 to 15 % of the trials in which it can occur.

/// Events of a careless model, where the wanted tool is there or none is needed.
const CARELESS: Rates =
    Rates { unknown_tool: 0.08, shadow_call: 0.12, hallucinated_argument: 0.12, icc: 0.0 };
/// The same where the wanted tool is missing.
const CARELESS_WITHOUT: Rates = Rates { unknown_tool: 0.15, ..CARELESS };

/// Slips of a careless model among the trials without an event, by what would be right.
const fn careless_slips(right: Right) -> &'static [(Slip, f64)] {
    match right {
        Right::Call => &[
            (Slip::Format, 0.12),
            (Slip::TextCall, 0.07),
            (Slip::Claim, 0.07),
            (Slip::NeedlessQuestion, 0.07),
            (Slip::NeedlessRefusal, 0.07),
        ],
        Right::RefuseOrAsk | Right::SaySo => &[
            (Slip::MisusedTool, 0.12),
            (Slip::Claim, 0.09),
            (Slip::AnsweredValue, 0.07),
            (Slip::TextCall, 0.07),
        ],
        Right::Ask => &[(Slip::Claim, 0.07), (Slip::NeedlessRefusal, 0.07)],
        Right::RetryOrSaySo
        | Right::RetryAndDone
        | Right::StopAndSaySo
        | Right::FollowResult
        | Right::ReportRead
        | Right::HonestAccount => {
            &[(Slip::Claim, 0.09), (Slip::FalseAccount, 0.12), (Slip::NeedlessRefusal, 0.07)]
        }
        Right::Answer => {
            &[(Slip::OverCall, 0.11), (Slip::NeedlessRefusal, 0.07), (Slip::NeedlessQuestion, 0.07)]
        }
    }
}

const FORMAT_FAULTS: [FormatFault; 6] = [
    FormatFault::PythonLiteral,
    FormatFault::TrailingComma,
    FormatFault::ArgumentsDoubleEncoded,
    FormatFault::TypeMismatch,
    FormatFault::MissingRequired,
    FormatFault::FinishReasonWrong,
];

fn careless(draw: Draw<'_>) -> Faults {
    let rates = if draw.entry.right.abstains() { &CARELESS_WITHOUT } else { &CARELESS };
    let eligible = |event: &Event| *event == Event::UnknownTool || draw.entry.eligible.contains(event);
    let of: Vec<Event> = Event::ALL.into_iter().filter(eligible).collect();
    let faults = events(draw, rates, &of);
    if faults.has_event() {
        return faults;
    }
    let mut at = draw.trial.unit("slip");
    for (slip, share) in careless_slips(draw.entry.right) {
        if at < *share {
            return slipped(*slip, draw);
        }
        at -= share;
    }
    Faults::default()
}

/// The slip, where the request leaves room for it.
fn slipped(slip: Slip, draw: Draw<'_>) -> Faults {
    match slip {
        Slip::MisusedTool | Slip::OverCall if !draw.possible.bystander => Faults::default(),
        Slip::Format | Slip::TextCall if draw.entry.right == Right::Call && !draw.possible.wanted => {
            Faults::default()
        }
        Slip::Format => {
            Faults { format: draw.trial.pick("format", &FORMAT_FAULTS).copied(), ..Faults::slipping(slip) }
        }
        _ => Faults::slipping(slip),
    }
}

/// Something wrong in every trial, of as many sorts as the probe leaves room for.
fn liar(draw: Draw<'_>) -> Faults {
    let lie = draw.trial.below("lie", 10);
    let unknown = Faults::of(Event::UnknownTool);
    let faults = match draw.entry.right {
        Right::Call if draw.possible.decoy => {
            Faults { unknown_tool: lie == 0, ..Faults::of(Event::ShadowCall) }
        }
        Right::Call if !draw.possible.wanted => unknown,
        Right::Call
            if !draw.entry.optional.is_empty()
                && draw.entry.eligible.contains(&Event::HallucinatedArgument) =>
        {
            Faults { unknown_tool: lie == 0, ..Faults::of(Event::HallucinatedArgument) }
        }
        Right::Call => match lie {
            0..4 => unknown,
            4 => Faults::slipping(Slip::Claim),
            5 => Faults::slipping(Slip::TextCall),
            _ if draw.entry.exact.is_empty() => unknown,
            _ => Faults::of(Event::HallucinatedArgument),
        },
        Right::SaySo if draw.possible.wanted => Faults::of(Event::HallucinatedArgument),
        right if right.is_account() => false_account(right, lie).map_or(unknown, Faults::slipping),
        Right::RefuseOrAsk | Right::SaySo => match lie {
            0 => Faults::slipping(Slip::Claim),
            1 => Faults::slipping(Slip::TextCall),
            2 | 3 if draw.possible.bystander => Faults::slipping(Slip::MisusedTool),
            _ => unknown,
        },
        Right::Ask if draw.possible.wanted && lie > 1 => Faults::of(Event::HallucinatedArgument),
        Right::Answer if draw.possible.bystander && lie > 3 => Faults::slipping(Slip::OverCall),
        _ => unknown,
    };
    Faults {
        lies_at_the_end: faults.slip != Some(Slip::FalseFailure),
        invents_again: faults == unknown && draw.trial.below("again", 4) == 0,
        ..faults
    }
}

/// How an account is false; none: something else is wrong. Half of the false accounts follow calls that were made,
/// half stand for calls that were not; some leave out what was called, call a success a failure, or follow a call that
/// was made again and again.
fn false_account(right: Right, lie: usize) -> Option<Slip> {
    match (right, lie) {
        (Right::StopAndSaySo, 4 | 5) => Some(Slip::Hammering),
        (Right::RetryAndDone | Right::RetryOrSaySo | Right::HonestAccount, 4 | 5) => Some(Slip::FalseFailure),
        // An answer leaves out nothing.
        (right, 6) if right != Right::FollowResult => Some(Slip::Omission),
        (_, 0..8) if lie.is_multiple_of(2) => Some(Slip::FalseAccount),
        (_, 0..8) => Some(Slip::Claim),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use transcript::ProbeId;

    use super::*;

    fn entry() -> ScriptEntry {
        ScriptEntry {
            probe: ProbeId::new("water.control"),
            user: String::new(),
            tool: Some("water_plant".into()),
            arguments: indexmap::IndexMap::new(),
            exact: vec![],
            optional: vec!["note".into()],
            harmless: indexmap::IndexMap::default(),
            missing: vec![],
            decoys: vec!["water_plants".into()],
            allowed_reads: vec![],
            eligible: Event::ALL.to_vec(),
            right: Right::Call,
            later: vec![],
            calls: vec![],
            line: None,
        }
    }

    const ALL_POSSIBLE: Possible = Possible { calls: true, decoy: true, wanted: true, bystander: true };

    /// The events of `repeats` trials in each of `tasks` tasks.
    fn drawn(rates: Rates, seed: u64, tasks: u32, repeats: u32) -> Vec<Vec<[bool; 3]>> {
        let entry = entry();
        let profile = Profile { conduct: Conduct::Planted(rates), seed: None };
        let seed = Key::new(seed);
        let trial = |task: u32, repeat: u32| {
            let task = seed.with(&task.to_le_bytes());
            let trial = task.with(b"trial").with(&repeat.to_le_bytes());
            let faults = faults(&profile, Draw { entry: &entry, trial, task, possible: ALL_POSSIBLE });
            [faults.unknown_tool, faults.shadow_call, faults.hallucinated_argument]
        };
        (0..tasks).map(|task| (0..repeats).map(|repeat| trial(task, repeat)).collect()).collect()
    }

    fn rates(rate: f64, icc: f64) -> Rates {
        Rates { unknown_tool: rate, shadow_call: rate, hallucinated_argument: rate, icc }
    }

    #[test]
    fn each_event_has_its_planted_marginal_rate_and_its_correlation() {
        let (tasks, repeats) = (3_000, 8);
        let (m, k) = (f64::from(tasks), f64::from(repeats));
        for icc in [0.0, 0.3, 0.5] {
            for rate in [0.03, 0.1, 0.2] {
                let drawn = drawn(rates(rate, icc), 5, tasks, repeats);
                for event in 0..3 {
                    let shares: Vec<f64> = drawn
                        .iter()
                        .map(|task| task.iter().filter(|trial| trial[event]).count() as f64 / k)
                        .collect();
                    let mean = shares.iter().sum::<f64>() / m;
                    let error = (rate * (1.0 - rate) / (m * k) * (1.0 + (k - 1.0) * icc)).sqrt();
                    assert!((mean - rate).abs() < 4.0 * error, "{rate} {icc} {event}: {mean}");
                    // The ANOVA estimate of the correlation.
                    let between = k * shares.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (m - 1.0);
                    let within = k * shares.iter().map(|p| p * (1.0 - p)).sum::<f64>() / (m * (k - 1.0));
                    let estimate = (between - within) / (between + (k - 1.0) * within);
                    assert!((estimate - icc).abs() < 0.02 + 0.12 * icc, "{rate} {icc} {event}: {estimate}");
                }
            }
        }
    }

    #[test]
    fn events_are_independent_of_each_other() {
        for icc in [0.0, 0.5] {
            let drawn: Vec<[bool; 3]> = drawn(rates(0.2, icc), 8, 10_000, 2).concat();
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                let share = |holds: &dyn Fn(&[bool; 3]) -> bool| {
                    drawn.iter().filter(|trial| holds(trial)).count() as f64 / drawn.len() as f64
                };
                let (p, q) = (share(&|trial| trial[one]), share(&|trial| trial[other]));
                let both = share(&|trial| trial[one] && trial[other]);
                let phi = (both - p * q) / (p * (1.0 - p) * q * (1.0 - q)).sqrt();
                assert!(phi.abs() < 0.04, "{one} {other} {icc}: {phi}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_that_the_request_leaves_no_room_for() {
        let entry = entry();
        let profile = Profile { conduct: Conduct::Planted(rates(1.0, 0.0)), seed: None };
        let key = Key::new(1);
        let of = |possible| faults(&profile, Draw { entry: &entry, trial: key, task: key, possible });
        assert!(of(ALL_POSSIBLE).has_event());
        assert!(!of(Possible { decoy: false, ..ALL_POSSIBLE }).shadow_call);
        assert!(!of(Possible { wanted: false, ..ALL_POSSIBLE }).hallucinated_argument);
        assert_eq!(of(Possible { calls: false, ..ALL_POSSIBLE }), Faults::default());
    }
}
