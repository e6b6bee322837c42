//! How a trial's faults are laid out over its turns: which calls are made when, and what sort of text ends
//! it. A plan stands on the first request alone, so every turn of a trial works out the same one.

use indexmap::IndexMap;
use serde_json::Value;
use transcript::RawJson;

use crate::decide::{Draw, Faults, Possible};
use crate::decision_log::{CallTruth, FormatFault, Slip, TextClass};
use crate::draw::Key;
use crate::invent::{altered, made_up, required};
use crate::miswrite::miswritten;
use crate::name::{is_echoable, unknown};
use crate::request::Request;
use crate::script::{Right, ScriptEntry};

/// A trial, as far as the model's side of it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Turns of calls.
    pub(crate) turns: Vec<Vec<PlannedCall>>,
    /// What follows them.
    pub(crate) closing: Closing,
    pub(crate) slip: Option<Slip>,
    /// How often the last calls are made again while they fail.
    pub(crate) retries: usize,
}

impl Plan {
    /// A plan without calls.
    pub(crate) fn saying(class: TextClass) -> Self {
        Self { turns: Vec::new(), closing: Closing::Text(class), slip: None, retries: 0 }
    }

    /// What its line for machines makes of what happened.
    pub(crate) fn tale(&self) -> Tale {
        match self.slip {
            Some(Slip::Omission) => Tale::Nothing,
            Some(Slip::FalseFailure) => Tale::AllFailed,
            Some(Slip::Claim | Slip::FalseAccount | Slip::AnsweredValue) => Tale::AllDone,
            _ if self.closing == Closing::Text(TextClass::Claimed) => Tale::AllDone,
            _ => Tale::True,
        }
    }
}

/// What a line for machines makes of what happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tale {
    /// What happened.
    True,
    /// All that was asked for is done.
    AllDone,
    /// All that was called failed.
    AllFailed,
    /// Nothing was called.
    Nothing,
}

/// One call, as it will be emitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlannedCall {
    pub(crate) name: String,
    pub(crate) arguments: String,
    pub(crate) truth: CallTruth,
    pub(crate) format: Option<FormatFault>,
}

/// The last turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Closing {
    /// A text of this sort.
    Text(TextClass),
    /// A call, written as text.
    TextCall(PlannedCall),
}

impl PlannedCall {
    fn new(name: &str, arguments: String, truth: CallTruth) -> Self {
        Self { name: name.to_owned(), arguments, truth, format: None }
    }
}

/// What a request leaves room for.
pub(crate) fn possible(entry: &ScriptEntry, request: &Request<'_>) -> Possible {
    Possible {
        calls: request.may_call,
        decoy: entry.decoys.iter().any(|decoy| request.offers(decoy.as_str())),
        wanted: entry.tool.as_ref().is_some_and(|tool| request.offers(tool.as_str())),
        bystander: bystanders(entry, request).next().is_some(),
    }
}

/// Registered tools that are neither wanted, nor decoys, nor allowed.
fn bystanders<'r>(entry: &'r ScriptEntry, request: &'r Request<'_>) -> impl Iterator<Item = &'r str> {
    let named = |list: &[transcript::ToolName], name: &str| list.iter().any(|tool| tool.as_str() == name);
    request.offered().filter(move |name| {
        entry.tool.as_ref().is_none_or(|tool| tool.as_str() != *name)
            && !named(&entry.decoys, name)
            && !named(&entry.allowed_reads, name)
    })
}

/// Lays a trial out.
pub(crate) fn plan(request: &Request<'_>, draw: Draw<'_>, faults: Faults) -> Plan {
    let planner = Planner { request, entry: draw.entry, key: draw.trial, possible: draw.possible };
    let mut plan = match faults.slip {
        Some(slip) => planner.slipped(slip, faults.format),
        None if faults.has_event() => planner.with_events(faults),
        None => planner.honest(),
    };
    if faults.lies_at_the_end && matches!(plan.closing, Closing::Text(_)) {
        plan.closing = Closing::Text(TextClass::Claimed);
    }
    plan
}

/// So often an unchanged call is made by whoever does not stop; a conversation has one turn more.
const OFTEN: usize = 5;

/// How often a value is made up again that would be as good as none.
const INVENTIONS: u8 = 6;

/// So many calls are made at once, since a conversation is over after a few turns.
const LONG: usize = 4;

struct Planner<'a> {
    request: &'a Request<'a>,
    entry: &'a ScriptEntry,
    key: Key,
    possible: Possible,
}

impl Planner<'_> {
    fn wanted(&self) -> &str {
        self.entry.tool.as_ref().map_or("", |tool| tool.as_str())
    }

    fn honest(&self) -> Plan {
        match self.entry.right {
            Right::Call if self.possible.calls && self.possible.wanted => {
                self.calling(vec![vec![self.right_call()]], TextClass::Report)
            }
            right if right.is_account() && self.possible.calls && self.possible.wanted => self.account(),
            Right::RefuseOrAsk if self.possible.calls && self.key.below("look", 6) == 0 => {
                self.calling(self.look().map(|call| vec![call]).into_iter().collect(), self.abstention())
            }
            Right::Ask => self.saying(TextClass::Clarified),
            Right::Answer => self.saying(TextClass::Answer),
            _ => self.saying(self.abstention()),
        }
    }

    /// The calls that the words want, and a true account of what came of them.
    fn account(&self) -> Plan {
        let (closing, retries) = match self.entry.right {
            Right::ReportRead => (TextClass::Doubted, 0),
            Right::RetryAndDone => (TextClass::Report, 2),
            Right::RetryOrSaySo => (TextClass::Report, self.key.below("retry", 4).min(1)),
            _ => (TextClass::Report, 0),
        };
        Plan { retries, ..self.calling(self.wanted_calls(), closing) }
    }

    /// The wanted call; those of several that can be made, one a turn or all at once.
    fn wanted_calls(&self) -> Vec<Vec<PlannedCall>> {
        let offered = self.entry.calls.iter().filter(|call| self.request.offers(call.tool.as_str()));
        let calls: Vec<PlannedCall> = offered
            .map(|call| PlannedCall::new(call.tool.as_str(), text_of(&call.arguments), CallTruth::Ok))
            .collect();
        match calls.len() {
            0 => vec![vec![self.right_call()]],
            1..LONG => self.spread(calls),
            _ => vec![calls],
        }
    }

    /// The wanted calls; of several that can all be made, the last is only told of.
    fn some_calls(&self) -> Vec<Vec<PlannedCall>> {
        let mut turns = self.wanted_calls();
        let wanted = &self.entry.calls;
        if !wanted.is_empty() && wanted.iter().all(|call| self.request.offers(call.tool.as_str())) {
            if let Some(last) = turns.last_mut() {
                last.pop();
            }
            turns.retain(|turn| !turn.is_empty());
        }
        turns
    }

    /// What an honest model says where it cannot do what is asked.
    fn abstention(&self) -> TextClass {
        let asks = self.entry.right == Right::RefuseOrAsk && self.key.below("abstain", 4) == 0;
        if asks { TextClass::Clarified } else { TextClass::Refused }
    }

    fn calling(&self, turns: Vec<Vec<PlannedCall>>, closing: TextClass) -> Plan {
        Plan { turns, ..Plan::saying(closing) }
    }

    fn saying(&self, class: TextClass) -> Plan {
        Plan::saying(class)
    }

    fn right_call(&self) -> PlannedCall {
        PlannedCall::new(self.wanted(), text_of(&self.entry.arguments), CallTruth::Ok)
    }

    fn miswritten_call(&self, format: Option<FormatFault>) -> PlannedCall {
        let schema = self.request.schema(self.wanted());
        let fault = format.unwrap_or(FormatFault::FinishReasonWrong);
        let (arguments, fault) = miswritten(self.entry, &schema, fault);
        PlannedCall { format: Some(fault), ..PlannedCall::new(self.wanted(), arguments, CallTruth::Ok) }
    }

    /// A look with an allowed read whose required arguments the words give.
    fn look(&self) -> Option<PlannedCall> {
        let start = self.key.below("read", self.entry.allowed_reads.len());
        let reads = self.entry.allowed_reads.iter().cycle().skip(start).take(self.entry.allowed_reads.len());
        reads.filter(|read| self.request.offers(read.as_str())).find_map(|read| {
            let schema = self.request.schema(read.as_str());
            let given: Option<IndexMap<String, RawJson>> = required(&schema)
                .map(|name| Some((name.to_owned(), self.entry.arguments.get(name)?.clone())))
                .collect();
            Some(PlannedCall::new(read.as_str(), text_of(&given?), CallTruth::Ok))
        })
    }

    fn slipped(&self, slip: Slip, format: Option<FormatFault>) -> Plan {
        let plan = match slip {
            Slip::MisusedTool => {
                self.calling(vec![vec![self.bystander_call(CallTruth::MisusedTool)]], TextClass::Report)
            }
            Slip::OverCall => self.calling(vec![vec![self.bystander_call(CallTruth::Ok)]], TextClass::Answer),
            Slip::Format => self.calling(vec![vec![self.miswritten_call(format)]], TextClass::Report),
            Slip::TextCall => Plan {
                turns: Vec::new(),
                closing: Closing::TextCall(match self.possible.wanted {
                    true => self.right_call(),
                    false => self.unknown_call(is_echoable),
                }),
                slip: None,
                retries: 0,
            },
            Slip::FalseAccount => self.calling(self.some_calls(), TextClass::Claimed),
            Slip::Omission => Plan { retries: 1, ..self.calling(self.wanted_calls(), TextClass::Claimed) },
            // Said of a success, so that it has to become one first.
            Slip::FalseFailure => {
                Plan { retries: 2, ..self.calling(self.wanted_calls(), TextClass::Refused) }
            }
            Slip::Hammering => self.calling(vec![vec![self.right_call()]; OFTEN], TextClass::Claimed),
            Slip::Claim => self.saying(TextClass::Claimed),
            Slip::AnsweredValue => self.saying(TextClass::Answered),
            Slip::NeedlessQuestion => self.saying(TextClass::Clarified),
            Slip::NeedlessRefusal => self.saying(TextClass::Refused),
        };
        Plan { slip: Some(slip), ..plan }
    }

    /// A registered tool that is not meant, with what its schema requires: justified values where a name is
    /// the same, made-up ones elsewhere.
    fn bystander_call(&self, truth: CallTruth) -> PlannedCall {
        let names: Vec<&str> = bystanders(self.entry, self.request).collect();
        let name = self.key.pick("bystander", &names).copied().unwrap_or_default();
        let schema = self.request.schema(name);
        let arguments = required(&schema).map(|argument| {
            let made_up =
                || RawJson::from_value(&made_up(&schema, argument, self.key.with(argument.as_bytes())));
            (argument.to_owned(), self.entry.arguments.get(argument).cloned().unwrap_or_else(made_up))
        });
        PlannedCall::new(name, text_of(&arguments.collect()), truth)
    }

    fn unknown_call(&self, fits: fn(&str) -> bool) -> PlannedCall {
        let wanted = self.entry.tool.as_ref().map(|tool| tool.as_str());
        let mut name = unknown(self.request, wanted, self.key);
        for again in 0_u8..20 {
            if fits(&name) {
                break;
            }
            name = unknown(self.request, wanted, self.key.with(&[again]));
        }
        PlannedCall::new(&name, text_of(&self.entry.arguments), CallTruth::UnknownTool)
    }

    /// The turns of a trial with events: exactly those that are drawn, and no other.
    fn with_events(&self, faults: Faults) -> Plan {
        let main = self.main_calls(faults);
        let honest_end = match self.entry.right {
            _ if !main.is_empty() => TextClass::Report,
            Right::Ask => TextClass::Clarified,
            Right::Answer => TextClass::Answer,
            _ => TextClass::Refused,
        };
        let mut turns = if faults.unknown_tool { self.around_unknown(main) } else { self.spread(main) };
        if faults.invents_again {
            // Of another name than the first: it was told that that one does not exist.
            let again = Planner { key: self.key.with(b"again"), ..*self };
            turns.insert(1.min(turns.len()), vec![again.unknown_call(is_echoable)]);
        }
        self.calling(turns, honest_end)
    }

    /// The calls of registered tools.
    fn main_calls(&self, faults: Faults) -> Vec<PlannedCall> {
        let mut calls = Vec::new();
        if faults.shadow_call {
            calls.extend(self.decoy_call());
        }
        let recovers = faults.shadow_call && self.key.below("recover", 3) == 0;
        let calls_it = self.entry.right.calls() && self.possible.wanted;
        if faults.hallucinated_argument {
            calls.push(self.made_up_call());
        } else if calls_it && (!faults.shadow_call || recovers) {
            let gives_up = faults.unknown_tool && !faults.shadow_call && self.key.below("give up", 4) == 0;
            if !gives_up {
                calls.push(self.right_call());
            }
        }
        calls
    }

    fn decoy_call(&self) -> Option<PlannedCall> {
        let offered = |decoy: &&transcript::ToolName| self.request.offers(decoy.as_str());
        let decoys: Vec<_> = self.entry.decoys.iter().filter(offered).collect();
        let decoy = self.key.pick("decoy", &decoys)?;
        Some(PlannedCall::new(decoy.as_str(), text_of(&self.entry.arguments), CallTruth::ShadowCall))
    }

    /// The wanted tool with a value that nobody gave: for a missing argument, else for an optional one that
    /// nobody asked for, sometimes in place of a right value.
    fn made_up_call(&self) -> PlannedCall {
        let name = self.wanted();
        let schema = self.request.schema(name);
        let mut arguments = self.entry.arguments.clone();
        let key = self.key.with(b"made up");
        let invent =
            |argument: &str| RawJson::from_value(&made_up(&schema, argument, key.with(argument.as_bytes())));
        // A value that is as good as none would be no invention: then another one, or of another argument.
        let harmful = |argument: &String| {
            let harmless: Vec<Value> = self
                .entry
                .harmless
                .get(argument)
                .into_iter()
                .flatten()
                .filter_map(RawJson::to_value)
                .collect();
            let tries = (0..INVENTIONS).map(|again: u8| {
                let key = key.with(argument.as_bytes());
                made_up(&schema, argument, if again == 0 { key } else { key.with(&[again]) })
            });
            let other = tries.chain(harmless.iter().map(|value| altered(value, &schema, argument, key)));
            other.into_iter().find(|value| !harmless.contains(value)).map(|value| RawJson::from_value(&value))
        };
        let inventions: Vec<(&String, RawJson)> =
            self.entry.optional.iter().filter_map(|argument| Some((argument, harmful(argument)?))).collect();
        let (optional, exact) = (&inventions, &self.entry.exact);
        let replaces = optional.is_empty() || key.below("replace", 5) == 0;
        if !self.entry.missing.is_empty() {
            arguments.extend(self.entry.missing.iter().map(|argument| (argument.clone(), invent(argument))));
        } else if let Some(argument) = key.pick("exact", exact).filter(|_| replaces) {
            let right = arguments.get(argument).and_then(RawJson::to_value).unwrap_or(Value::Null);
            let wrong = altered(&right, &schema, argument, key);
            arguments.insert(argument.clone(), RawJson::from_value(&wrong));
        } else if let Some((argument, value)) = key.pick("optional", optional) {
            arguments.insert((*argument).clone(), value.clone());
        } else {
            // Nothing of the script can be wrong: a key that the tool does not declare.
            arguments.insert("approval_code".to_owned(), invent("approval_code"));
        }
        PlannedCall::new(name, text_of(&arguments), CallTruth::HallucinatedArgument)
    }

    /// The unknown call before, beside or behind the others. A conversation ends at a name that providers do
    /// not take back, so nothing may come after such a one.
    fn around_unknown(&self, mut main: Vec<PlannedCall>) -> Vec<Vec<PlannedCall>> {
        let place = self.key.below("place", 8);
        if place == 0 && !main.is_empty() {
            let mut turns = self.spread(main);
            turns.push(vec![self.unknown_call(|_| true)]);
            return turns;
        }
        if self.request.parallel && place < 4 {
            main.insert(0, self.unknown_call(|_| true));
            return vec![main];
        }
        let alone = main.is_empty();
        let mut turns = vec![vec![self.unknown_call(if alone { |_| true } else { is_echoable })]];
        turns.extend(self.spread(main));
        turns
    }

    /// Several calls in one turn, or one a turn.
    fn spread(&self, calls: Vec<PlannedCall>) -> Vec<Vec<PlannedCall>> {
        if calls.len() < 2 || (self.request.parallel && self.key.below("spread", 2) == 0) {
            return if calls.is_empty() { Vec::new() } else { vec![calls] };
        }
        calls.into_iter().map(|call| vec![call]).collect()
    }
}

/// Arguments as the JSON text of an object.
pub(crate) fn text_of(arguments: &IndexMap<String, RawJson>) -> String {
    let mut text = String::with_capacity(2 + 32 * arguments.len());
    text.push('{');
    for (at, (name, value)) in arguments.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        text.push_str(RawJson::from_text(name).as_str());
        text.push(':');
        text.push_str(value.as_str());
    }
    text.push('}');
    text
}
