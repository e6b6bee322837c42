//! From a request to a reply, in one pure step.

use std::sync::Arc;

use crate::answer::Answer;
use crate::decide::{Draw, faults};
use crate::decision_log::{CallDecision, CallSurface, Decision, TextClass};
use crate::draw::Key;
use crate::last_line::last_line;
use crate::obedient::obey;
use crate::plan::{Closing, Plan, PlannedCall, plan, possible};
use crate::profile::Profile;
use crate::protocol::{OPENAI_CHAT, Problem, Route};
use crate::request::{Refused, Request};
use crate::script::{Event, Index, ScriptEntry, SimScript};
use crate::serving::Serving;
use crate::wording::{Occasion, is_error, text, text_call};

/// A simulated model. It remembers nothing: equal requests of one trial get equal replies.
#[derive(Debug)]
pub struct Sim {
    profile: Profile,
    script: Arc<Index>,
    seed: Key,
    number: u64,
    serving: Serving,
}

/// What a simulated model replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON body: a chat completion, or an error.
    pub body: Vec<u8>,
    /// What was decided; none for an error.
    pub decision: Option<Decision>,
}

impl Sim {
    /// A model of this profile that knows this script. The profile's own seed, where it has one, goes before
    /// `seed`.
    #[must_use]
    pub fn new(profile: Profile, script: SimScript, seed: u64) -> Self {
        let number = profile.seed.unwrap_or(seed);
        Self {
            profile,
            script: Arc::new(Index::new(script)),
            seed: Key::new(number),
            number,
            serving: Serving::default(),
        }
    }

    /// Another model that knows the same script. It costs next to nothing, however long the script is.
    #[must_use]
    pub fn with_profile(&self, profile: Profile, seed: u64) -> Self {
        let number = profile.seed.unwrap_or(seed);
        Self {
            profile,
            script: Arc::clone(&self.script),
            seed: Key::new(number),
            number,
            serving: self.serving.clone(),
        }
    }

    /// The same model behind a server with these faults.
    #[must_use]
    pub fn served_by(self, serving: Serving) -> Self {
        Self { serving, ..self }
    }

    /// The seed of its draws.
    pub(crate) fn seed(&self) -> u64 {
        self.number
    }

    /// Its profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Replies to a chat-completions body. `trial` is the value of the header `x-toolmirage-trial`
    /// (`<probe id>/<repeat>`): it names the script's entry and tells repeats apart.
    #[must_use]
    pub fn respond(&self, trial: Option<&str>, body: &[u8]) -> Reply {
        let asked = (OPENAI_CHAT.read)(body, &Route::default());
        let said = asked.and_then(|asked| Ok((asked.streams, self.answer(trial, &asked.chat, 0)?)));
        match said {
            Ok((streams, (answer, decision))) => {
                let body = if streams {
                    (OPENAI_CHAT.stream)(&answer).concat().into_bytes()
                } else {
                    (OPENAI_CHAT.write)(&answer)
                };
                Reply { status: 200, body, decision: Some(decision) }
            }
            Err(Refused(message)) => {
                let problem = Problem { status: 400, message: &message, says_wait: false };
                Reply { status: 400, body: (OPENAI_CHAT.error)(&problem), decision: None }
            }
        }
    }

    /// Answers a chat-completions body, not in any protocol's form. `number` enters nothing but the response's id: a
    /// server counts requests that name no trial, since equal ids would look like a cache.
    pub(crate) fn answer(
        &self,
        trial: Option<&str>,
        body: &[u8],
        number: u64,
    ) -> Result<(Answer, Decision), Refused> {
        if self.serving.is_open() {
            return self.of_model(trial, body, number);
        }
        let taken = self.serving.taken(body).map_err(Refused)?;
        let (answer, decision) = self.of_model(trial, &taken, number)?;
        Ok((self.serving.handed_on(body, answer), decision))
    }

    /// The model's own answer, before a server hands it on.
    fn of_model(&self, trial: Option<&str>, body: &[u8], number: u64) -> Result<(Answer, Decision), Refused> {
        let request = Request::parse(body)?;
        let (entry, first) = self.find(trial, &request);
        if entry.is_none() {
            let id =
                self.seed.with(trial.unwrap_or_default().as_bytes()).with(body).with(&number.to_le_bytes());
            if let Some(answer) = obey(body, id) {
                let decision = Decision {
                    trial: trial.map_or_else(|| format!("request:{:016x}", id.roll("name")), str::to_owned),
                    probe: None,
                    turn: request.turn(first),
                    attempt: None,
                    fault: None,
                    events: Vec::new(),
                    slip: None,
                    calls: Vec::new(),
                    text: None,
                };
                return Ok((answer, decision));
            }
        }
        let (step, question) = request.step(first, entry.map_or(0, |entry| entry.later.len()));
        let entry = entry.map(|entry| entry.at_step(step));
        let entry = entry.as_deref();
        let (head, tail) = request.first_body(question);
        let key = self.seed.with(trial.unwrap_or_default().as_bytes()).with(head).with(tail);
        let turn = request.turn(question);
        let plan = self.plan(entry, &request, key);
        let said = say(&plan, turn, &request, question, entry, key);
        let id = key.with(request.later(question)).with(&number.to_le_bytes());
        let decision = Decision {
            trial: trial.map_or_else(|| format!("request:{:016x}", key.roll("name")), str::to_owned),
            probe: entry.map(|entry| entry.probe.clone()),
            turn: request.turn(first),
            attempt: None,
            fault: None,
            events: said.events(),
            slip: plan.slip,
            calls: said.decisions(),
            text: said.class,
        };
        let answer = Answer::new((said.text, said.calls), request.model(), id, body.len());
        Ok((answer, decision))
    }

    /// The entry that a request belongs to, and the place of the message that ends the trial's first request.
    fn find(&self, trial: Option<&str>, request: &Request<'_>) -> (Option<&ScriptEntry>, usize) {
        let id = trial.map(|trial| trial.split_once('/').map_or(trial, |(probe, _)| probe));
        if let Some(entry) = id.and_then(|id| self.script.of_probe(id)) {
            let question = request.user_words().find(|(_, words)| *words == entry.user);
            return (Some(entry), question.map_or_else(|| request.first_question(), |(at, _)| at));
        }
        let offered = |name: &str| request.offers(name);
        let found =
            request.user_words().find_map(|(at, words)| Some((self.script.of_words(&words, offered)?, at)));
        match found {
            Some((entry, at)) => (Some(entry), at),
            None => (None, request.first_question()),
        }
    }

    fn plan(&self, entry: Option<&ScriptEntry>, request: &Request<'_>, key: Key) -> Plan {
        let Some(entry) = entry else {
            return Plan::saying(TextClass::Answer);
        };
        let task = self.seed.with(b"task").with(entry.task().as_bytes());
        let draw = Draw { entry, trial: key, task, possible: possible(entry, request) };
        let conduct = self.profile.conduct.under(&request.system());
        plan(request, draw, faults(&Profile { conduct, ..self.profile }, draw))
    }
}

/// One response before it is put into JSON.
struct Said<'p> {
    calls: &'p [PlannedCall],
    text: Option<String>,
    written: Option<&'p PlannedCall>,
    class: Option<TextClass>,
}

impl Said<'_> {
    fn events(&self) -> Vec<Event> {
        let has = |event: &Event| self.calls.iter().any(|call| call.truth.event() == Some(*event));
        Event::ALL.into_iter().filter(has).collect()
    }

    fn decisions(&self) -> Vec<CallDecision> {
        let structured = self.calls.iter().map(|call| (call, CallSurface::Structured));
        let written = self.written.iter().map(|call| (*call, CallSurface::Content));
        let decide = |(call, surface): (&PlannedCall, CallSurface)| CallDecision {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            truth: call.truth,
            surface,
            format: call.format,
        };
        structured.chain(written).map(decide).collect()
    }
}

fn say<'p>(
    plan: &'p Plan,
    turn: usize,
    request: &Request<'_>,
    question: usize,
    entry: Option<&ScriptEntry>,
    key: Key,
) -> Said<'p> {
    if let Some(calls) = plan.turns.get(turn) {
        let beside = key.below("beside", 8) == 0;
        let text = beside.then(|| "One moment, please.".to_owned());
        return Said { calls, text, written: None, class: None };
    }
    let results: Vec<String> = request.results(question).collect();
    let retried = turn - plan.turns.len();
    let again = plan.turns.last().map(Vec::as_slice).unwrap_or_default();
    if retried < plan.retries && results.last().is_some_and(|result| is_error(result)) {
        return Said { calls: again, text: None, written: None, class: None };
    }
    match &plan.closing {
        Closing::TextCall(call) if turn == plan.turns.len() => Said {
            calls: &[],
            text: Some(text_call(call, key)),
            written: Some(call),
            class: Some(TextClass::TextCall),
        },
        // Somebody answered a call that was no call: nothing more to say than what is general.
        Closing::TextCall(_) => plain(TextClass::Answer, &occasion(entry, &[], &[], key)),
        Closing::Text(class) => {
            let repeated = again.iter().cycle().take(retried * again.len());
            let calls: Vec<&PlannedCall> = plan.turns.iter().flatten().chain(repeated).collect();
            let occasion = occasion(entry, &calls, &results, key);
            let mut said = plain(*class, &occasion);
            if let (Some(text), Some(line)) = (&mut said.text, last_line(&occasion, plan.tale())) {
                text.push_str("\n\n");
                text.push_str(&line);
            }
            said
        }
    }
}

fn occasion<'a>(
    entry: Option<&'a ScriptEntry>,
    calls: &'a [&'a PlannedCall],
    results: &'a [String],
    key: Key,
) -> Occasion<'a> {
    Occasion { entry, calls, results, key: key.with(b"words") }
}

fn plain<'p>(class: TextClass, occasion: &Occasion<'_>) -> Said<'p> {
    Said { calls: &[], text: Some(text(class, occasion)), written: None, class: Some(class) }
}
