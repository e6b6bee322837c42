//! `--draft-with`: a model words the drafts. One request a draft, a few at once and no second try: what is not
//! answered, or fails a check, keeps its own words.

use std::collections::BTreeMap;
use std::time::Duration;

use drafter::{DraftedTask, REWORDING_PROMPT, Rewording};
use futures_util::future::join_all;
use probes::{ArmSettings, Catalog};
use runner::{HttpRequest, ModelRequest, Said, Target};
use transcript::{Item, Message};

use crate::args::InitArgs;
use crate::error::Failure;
use crate::inputs::Configured;
use crate::targets;

/// Requests under way at once.
const AT_ONCE: usize = 4;

/// How long one answer may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// Puts tasks into a model's words, where a model is named. What to tell of it.
pub(super) fn by_a_model(
    args: &InitArgs,
    configured: Option<&Configured>,
    catalog: &Catalog,
    tasks: &mut [DraftedTask],
) -> Result<Option<String>, Failure> {
    let Some(name) = &args.draft_with else { return Ok(None) };
    let plan =
        targets::named(name, (args.base_url.as_deref(), args.key_env.as_deref()), &args.set, configured)?;
    if plan.record.provider == targets::SIM {
        return Err(Failure::usage(format!(
            "`{name}` is a simulated model: it calls tools and words nothing"
        ))
        .with_help(
            "name a real one: `openai_chat:MODEL` with --base-url, or a target of the configuration",
        ));
    }
    let opened = targets::open(&plan, AT_ONCE, args.seed, &[])?;
    let rewording = Rewording::of(catalog);
    let questions: Vec<(usize, String)> = tasks
        .iter()
        .enumerate()
        .filter_map(|(at, task)| Some((at, rewording.question(task)?)))
        .take(args.draft_limit)
        .collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answers = runtime.block_on(answers(&opened.target, &questions));
    let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
    let mut worded = 0;
    for ((at, _), answer) in questions.iter().zip(&answers) {
        let Some(task) = tasks.get_mut(*at) else { continue };
        match answer.as_ref().map_err(|why| *why).and_then(|answer| rewording.take(task, answer)) {
            Ok(()) => worded += 1,
            Err(why) => *kept.entry(why).or_default() += 1,
        }
    }
    let asked = questions.len();
    let left = tasks.iter().filter(|task| task.tool.is_some()).count() - asked;
    let reasons: Vec<String> = kept.iter().map(|(why, count)| format!("{why} ({count})")).collect();
    let reasons = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
    Ok(Some(format!(
        "{name} was asked to word {asked} drafts: {worded} are in its words, {} kept ours{reasons}; {left} were not asked about",
        asked - worded
    )))
}

/// The answers in the order of the questions. Once all of a few at once fail, nothing more is sent.
async fn answers(target: &Target, questions: &[(usize, String)]) -> Vec<Result<String, &'static str>> {
    let mut all = Vec::new();
    for few in questions.chunks(AT_ONCE) {
        let answered = join_all(few.iter().map(|(_, question)| answer(target, question))).await;
        let is_over = answered.iter().all(Result::is_err);
        all.extend(answered);
        if is_over {
            break;
        }
    }
    all.resize(questions.len(), Err("nothing more was sent"));
    all
}

async fn answer(target: &Target, question: &str) -> Result<String, &'static str> {
    let messages = [Said::Ours(Message::system(REWORDING_PROMPT)), Said::Ours(Message::user(question))];
    let arm = ArmSettings::default();
    let body = (target.provider.encode)(&ModelRequest {
        model: &target.model,
        messages: &messages,
        tools: &[],
        settings: &target.settings,
        arm: &arm,
    });
    let request = HttpRequest {
        path: (target.provider.path)(&target.model),
        trial: None,
        attempt: 1,
        body,
        deadline: DEADLINE,
    };
    let response = target.transport.send(request).await.map_err(|_| "no answer came")?;
    let decoded = (target.provider.decode)(response.status, &response.body);
    if response.status != 200 || decoded.unreadable.is_some() || decoded.observed.error.is_some() {
        return Err("no answer came");
    }
    let text = |item: &Item| match item {
        Item::Text(text) => Some(text.clone()),
        _ => None,
    };
    Ok(decoded.observed.items.iter().filter_map(text).collect())
}
