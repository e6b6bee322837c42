//! The census for people: what fits a screen.

use miner::{ByName, Census, FRAMEWORKS, LOG_FORMATS, MinedRate, OwedKind, Part, RawHitsByCause, State};
use report::{count, mined_rate_label, one_in, percent_sign, visible, window};

/// How many names a line of names holds.
const NAMES: usize = 6;

/// How many places a list shows, unless all are asked for.
const PLACES: usize = 10;

/// The census as text.
pub(super) fn text(census: &Census, all: bool) -> String {
    let mut out = Lines::default();
    read(census, &mut out);
    calls(census, &mut out);
    absent(census, all, &mut out);
    raw(census, &mut out);
    others(census, all, &mut out);
    for (dimension, parts) in &census.by {
        by(dimension, parts, all, &mut out);
    }
    left_out(census, all, &mut out);
    out.0
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push('\n');
    }

    fn row(&mut self, label: &str, text: &str) {
        self.line(&format!("  {label:<26} {text}"));
    }

    fn head(&mut self, text: &str) {
        self.0.push('\n');
        self.line(text);
    }
}

fn read(census: &Census, out: &mut Lines) {
    let of = &census.window;
    let formats: Vec<String> =
        of.formats.iter().map(|(name, files)| format!("{name} {}", count(*files))).collect();
    if of.files == 0 {
        return out.line("no log");
    }
    let files = counted(of.files, "log");
    out.line(&format!("{files} ({}), {}, {}", formats.join(", "), size(of.bytes), counted(of.lines, "line")));
    if let (Some(first), Some(last)) = (&of.first, &of.last) {
        out.line(&window(first, last));
    }
    if let Some(asked) = &of.asked {
        let mut parts = Vec::new();
        parts.extend(asked.since.iter().map(|since| format!("from {since}")));
        parts.extend(asked.until.iter().map(|until| format!("before {until}")));
        parts.extend(asked.project.iter().map(|project| format!("projects with `{}`", visible(project))));
        let outside = count(asked.calls_outside);
        out.line(&format!("asked for: {}; {outside} calls fall outside it", parts.join(", ")));
    }
}

fn calls(census: &Census, out: &mut Lines) {
    let calls = &census.calls;
    out.head(&format!(
        "{}, each act once, in {}",
        counted(calls.unique, "tool call"),
        counted(census.window.sessions, "session")
    ));
    if calls.unique > 0 {
        out.row("most frequent", &names(&calls.by_tool, NAMES));
        let echoes = calls.occurrences.saturating_sub(calls.unique);
        out.row("written", &format!("{} times; {} are echoes", count(calls.occurrences), count(echoes)));
    }
    some(calls.unanswered, "never answered", out);
    some(calls.results_without_call, "results without a call", out);
    if calls.id_reuse > 0 {
        let text = format!(
            "{} calls share an id with another; {} ids",
            count(calls.id_reuse),
            count(calls.distinct_ids)
        );
        out.row("ids used again", &text);
    }
    if calls.by_sub_agents > 0 {
        let text = format!(
            "{} ({} mirrored in a parent's log, {} only there)",
            count(calls.by_sub_agents),
            count(calls.mirrored),
            count(calls.only_mirrored)
        );
        out.row("of sub-agents", &text);
    }
    if !calls.provider_run.is_empty() {
        out.row("run at the provider", &format!("{}, in no rate", names(&calls.provider_run, NAMES)));
    }
    if !calls.inner_by_tool.is_empty() {
        out.row("inside routers", &names(&calls.inner_by_tool, NAMES));
        let text = format!("{} errors inside a success", count(calls.inner_errors));
        out.row("", &format!("{}; {} tools that are not there", text, count(calls.inner_unknown)));
    }
}

fn absent(census: &Census, all: bool, out: &mut Lines) {
    out.head("tools called that were not there");
    for rate in census.rates.iter().filter(|rate| rate.name.starts_with("absent_tool")) {
        out.row(&mined_rate_label(&rate.name), &figure(rate));
    }
    let absent = &census.absent;
    if absent.unique == 0 && absent.events.is_empty() {
        return;
    }
    let state = |state| absent.by_state.get(&state).copied().unwrap_or_default();
    let states = format!("unavailable {}, withheld {}", state(State::Unavailable), state(State::Withheld));
    out.row("state", &states);
    out.row("names", &names(&absent.by_tool, NAMES));
    out.row("why the name misses", &names(&absent.by_name_form, NAMES));
    out.row("reason given", &names(&absent.by_clause, NAMES));
    let shown = if all { absent.events.len() } else { PLACES };
    for event in absent.events.iter().take(shown) {
        let name = event.inner_tool.as_deref().map_or_else(
            || visible(&event.tool).into_owned(),
            |inner| format!("{} inside {}", visible(inner), visible(&event.tool)),
        );
        let clause =
            if event.clause.is_empty() { String::new() } else { format!(": {}", visible(&event.clause)) };
        out.line(&format!("    {}:{}  {name}{clause}", visible(&event.file), event.line));
    }
    more(absent.events.len(), shown, out);
}

/// The raw count, and why it is wrong.
fn raw(census: &Census, out: &mut Lines) {
    let RawHitsByCause { event, field_copy, replay, quoted, prose, unread, without_call } =
        census.absent.raw_hits_by_cause;
    let hits = census.absent.raw_hits;
    if hits == 0 {
        return;
    }
    out.head(&format!(
        "the error's words stand in these logs {} times; as a count of events that is wrong:",
        count(hits)
    ));
    let causes = [
        (event, "events"),
        (field_copy, "copies in another field of the same line"),
        (replay, "replays on another line (resumed, forked, mirrored)"),
        (quoted, "quoted in outputs, arguments or summaries"),
        (prose, "in messages"),
        (unread, "on lines that cannot be read"),
        (without_call, "of results without a call"),
    ];
    let told: Vec<String> = causes
        .iter()
        .filter(|(hits, _)| *hits > 0)
        .map(|(hits, words)| format!("{words} {}", count(*hits)))
        .collect();
    for part in told.chunks(2) {
        out.line(&format!("  {}", part.join(", ")));
    }
}

fn others(census: &Census, all: bool, out: &mut Lines) {
    let errors = &census.argument_errors;
    let owed = &census.owed;
    out.head("beside that, and in none of the figures above");
    let faults: Vec<String> =
        errors.by_fault.iter().map(|(fault, hits)| format!("{} {}", word(fault), count(*hits))).collect();
    let rate = census.rates.iter().find(|rate| rate.name == "argument_error");
    let figure = rate.map(figure).unwrap_or_default();
    out.row("arguments refused", &[figure, faults.join(", ")].join("  "));
    let is_asked = |kind: OwedKind| kind != OwedKind::Required || !owed.rules.is_empty();
    let kinds: Vec<String> = owed
        .by_kind
        .iter()
        .filter(|(kind, _)| is_asked(**kind))
        .map(|(kind, hits)| format!("{} {}", word(kind), count(*hits)))
        .collect();
    let words = format!("{} ({})", count(owed.unique), kinds.join(", "));
    out.row("words in place of a call", &words);
    for rule in &owed.rules {
        let ended = rule.met + rule.unmet;
        let open = if rule.open > 0 {
            format!("; of {} more the log has no end", counted(rule.open, "turn"))
        } else {
            String::new()
        };
        let rule_text = visible(&rule.rule);
        out.line(&format!(
            "    {rule_text}: {} of {} without the call{open}",
            count(rule.unmet),
            counted(ended, "turn")
        ));
    }
    let shown = if all { owed.events.len() } else { PLACES };
    for event in owed.events.iter().take(shown) {
        let span: String = visible(&event.span).chars().take(90).collect();
        out.line(&format!("    {}:{}  {span}", visible(&event.file), event.line));
    }
    more(owed.events.len(), shown, out);
}

fn by(dimension: &str, parts: &[Part], all: bool, out: &mut Lines) {
    out.head(&format!("by {dimension}"));
    let shown = if all { parts.len() } else { 2 * PLACES };
    for part in parts.iter().take(shown) {
        let name = if part.name.is_empty() { "(not said)".into() } else { visible(&part.name) };
        out.row(&name, &figure(&part.rate));
    }
    more(parts.len(), shown, out);
}

fn left_out(census: &Census, all: bool, out: &mut Lines) {
    let skipped = &census.skipped;
    let not_parsed = census.window.lines_not_parsed;
    out.head("left out");
    if not_parsed > 0 {
        let text = format!(
            "{} lines were looked at and not parsed, so not validated; --strict parses all",
            count(not_parsed)
        );
        out.line(&format!("  {text}"));
    }
    let lines = [
        (skipped.bad_lines, "no JSON"),
        (skipped.cut_last_lines, "of them cut at the end of a log"),
        (skipped.non_object_lines, "JSON and no object"),
        (skipped.long_lines, "longer than 32 MiB"),
    ];
    let told: Vec<String> = lines
        .iter()
        .filter(|(lines, _)| *lines > 0)
        .map(|(lines, why)| format!("{} {why}", count(*lines)))
        .collect();
    out.row("lines", &if told.is_empty() { "none".to_owned() } else { told.join(", ") });
    let shown = if all { usize::MAX } else { PLACES };
    for line in skipped.lines.iter().take(shown) {
        out.line(&format!("    {}:{}  {}", visible(&line.file), line.line, line.why));
    }
    more(skipped.lines.len(), shown, out);
    out.row("files", &if skipped.file_count == 0 { "none".to_owned() } else { count(skipped.file_count) });
    for file in skipped.files.iter().take(shown) {
        out.line(&format!("    {}  {}", visible(&file.file), visible(&file.why)));
    }
    more(skipped.files.len(), shown, out);
}

/// `16 of 21,782 calls, 0.073 % (1 in 1,361), 95 % interval 0.04 to 0.13 % by 930 sessions`.
fn figure(rate: &MinedRate) -> String {
    let counts = format!("{} of {} calls", count(rate.numerator), count(rate.denominator));
    let Some(share) = rate.share else { return format!("{counts}: not measured") };
    let by = counted(rate.clusters, "session");
    if rate.numerator == 0 {
        let calls = rate
            .high_if_independent
            .map(|upper| format!("{} if calls were independent", percent_sign(upper)));
        return match (rate.high.map(percent_sign), calls) {
            (Some(sessions), Some(calls)) => format!("{counts}; at most {sessions} by {by}, {calls}"),
            (Some(sessions), None) => format!("{counts}; at most {sessions} by {by}"),
            (None, Some(calls)) => format!("{counts}; at most {calls}, and no bound by {by}"),
            (None, None) => counts,
        };
    }
    let mut out = format!("{counts}, {}", percent_sign(share));
    if let Some(times) = one_in(share) {
        out.push_str(&format!(" ({times})"));
    }
    if let (Some(low), Some(high)) = (rate.low, rate.high) {
        out.push_str(&format!(", 95 % interval {} to {} by {by}", percent_sign(low), percent_sign(high)));
    }
    out
}

fn names(counts: &ByName, most: usize) -> String {
    let mut told: Vec<String> =
        counts.iter().take(most).map(|(name, hits)| format!("{} {}", visible(name), count(*hits))).collect();
    if counts.len() > most {
        told.push(format!("and {} more", count((counts.len() - most) as u64)));
    }
    told.join(", ")
}

fn some(hits: u64, words: &str, out: &mut Lines) {
    if hits > 0 {
        out.row(words, &count(hits));
    }
}

fn more(all: usize, shown: usize, out: &mut Lines) {
    if all > shown {
        out.line(&format!("    and {} more; --all lists them", count((all - shown) as u64)));
    }
}

fn counted(number: u64, word: &str) -> String {
    format!("{} {word}{}", count(number), if number == 1 { "" } else { "s" })
}

/// The word of a kind as files write it.
fn word<T: serde::Serialize>(kind: &T) -> String {
    let value = serde_json::to_value(kind).ok();
    value.as_ref().and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

/// Bytes in the unit that fits, to a decimal.
fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match units.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{}.{} {name}", count(bytes / unit), bytes % unit * 10 / unit),
        None => format!("{} bytes", count(bytes)),
    }
}

/// Every log format.
pub(super) fn formats() -> String {
    LOG_FORMATS.iter().map(|format| format!("{:<20} {}\n", format.name, format.summary)).collect()
}

/// Every framework whose words are known.
pub(super) fn frameworks() -> String {
    let mut out = String::new();
    for row in FRAMEWORKS.iter() {
        out.push_str(&format!(
            "{}\n  read in  {}\n  words    {}\n  repairs  {}\n",
            row.framework,
            row.read_in,
            visible(&row.template),
            row.repairs
        ));
    }
    out
}
