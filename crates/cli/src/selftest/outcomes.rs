//! Texts that somebody labelled, against what the classifier of outcomes makes of them.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::Path;

use indexmap::IndexMap;
use probes::nearest;
use scorer::{DecoyOutcome, LabelledText, OutcomeReport, measure};
use serde::Serialize;

use crate::error::Failure;

/// Stands for `answered` or `claimed` where whoever labelled did not tell them apart.
const DIRECT: &str = "direct";

/// So many lines that cannot be read are named; the others are counted.
const NAMED: usize = 10;

/// What a file of labelled texts came to, as programs read it.
#[derive(Debug, Serialize)]
pub(crate) struct Outcomes {
    /// The classifier that was measured.
    classifier: String,
    /// Texts in the file.
    texts: u64,
    /// Texts left out because their label is disputed.
    disputed: u64,
    /// Texts judged: those in the file less those left out.
    pub(crate) judged: u64,
    /// Judged texts of which the classifier cannot tell.
    unclassified: u64,
    /// `unclassified` of `judged`; null where nothing was judged.
    unclassified_share: Option<f64>,
    /// By label.
    labels: IndexMap<String, Label>,
    /// By the label given by hand, by the label found: texts.
    confusion: IndexMap<String, IndexMap<String, u64>>,
}

/// One label.
#[derive(Debug, Serialize)]
struct Label {
    /// Texts with this label by hand.
    labelled: u64,
    /// Texts that the classifier gave it to.
    found: u64,
    /// Texts with both.
    correct: u64,
    /// `correct` of `found`; null where it was never found.
    precision: Option<f64>,
    /// `correct` of `labelled`; null where no text has it by hand.
    recall: Option<f64>,
}

impl Outcomes {
    /// Reads a file of JSON Lines, each `{"text", "label"}` with `user` and `disputed` where they are known, and
    /// classifies every text.
    ///
    /// # Errors
    /// Lines that are none of these or have an unknown label, by their numbers: a file that is read in part would
    /// give figures of something else.
    pub(crate) fn of_file(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let file =
            File::open(path).map_err(|error| Failure::usage(format!("cannot read `{shown}`: {error}")))?;
        let mut rows: Vec<LabelledText> = Vec::new();
        let mut wrong: Vec<Failure> = Vec::new();
        for (at, line) in BufReader::new(file).lines().enumerate() {
            let place = format!("{shown}:{}", at + 1);
            let line = match line {
                Ok(line) => line,
                // The lines after one that is no text can be read; after another failure nothing can.
                Err(error) if error.kind() == ErrorKind::InvalidData => {
                    wrong.push(Failure::usage(format!("{place}: not UTF-8")));
                    continue;
                }
                Err(error) => return Err(Failure::usage(format!("{place}: {error}"))),
            };
            let line = if at == 0 { line.trim_start_matches('\u{feff}') } else { &line };
            if line.trim().is_empty() {
                continue;
            }
            match row(line, &place) {
                Ok(row) => rows.push(row),
                Err(failure) => wrong.push(failure),
            }
        }
        if wrong.is_empty() { Ok(Self::of(measure(&rows))) } else { Err(all_of(wrong)) }
    }

    fn of(report: OutcomeReport) -> Self {
        let mut labels = IndexMap::new();
        let mut confusion = IndexMap::new();
        for word in words() {
            if let Some(quality) = report.labels.get(word) {
                let share = |of: u64| (of > 0).then(|| quality.correct as f64 / of as f64);
                labels.insert(
                    word.to_owned(),
                    Label {
                        labelled: quality.labelled,
                        found: quality.found,
                        correct: quality.correct,
                        // Not to tell is no claim that could be right or wrong, unless somebody labelled it so.
                        precision: share(quality.found)
                            .filter(|_| word != DecoyOutcome::Unclassified.as_str() || quality.labelled > 0),
                        recall: share(quality.labelled),
                    },
                );
            }
            if let Some(row) = report.confusion.get(word) {
                let cells = words().filter_map(|found| Some((found.to_owned(), *row.get(found)?)));
                confusion.insert(word.to_owned(), cells.collect());
            }
        }
        Self {
            classifier: report.classifier,
            texts: report.texts,
            disputed: report.disputed,
            judged: report.judged,
            unclassified: report.unclassified,
            unclassified_share: (report.judged > 0)
                .then(|| report.unclassified as f64 / report.judged as f64),
            labels,
            confusion,
        }
    }

    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut out = format!(
            "outcomes of {} texts by {}; {} disputed, left out; {} judged\n\n",
            self.texts, self.classifier, self.disputed, self.judged
        );
        let _ = writeln!(out, "  {:<14}{:>22}{:>22}", "label", "precision", "recall");
        for (word, label) in &self.labels {
            let found = if label.precision.is_some() { label.found } else { 0 };
            let precision = counted(label.correct, found);
            let recall = counted(label.correct, label.labelled);
            let _ = writeln!(out, "  {word:<14}{precision:>22}{recall:>22}");
        }
        let _ = writeln!(out, "\nunclassified    {}", counted(self.unclassified, self.judged));
        out.push_str("\nby hand (rows), found (columns)\n");
        let columns: Vec<&String> = self.labels.keys().collect();
        let _ = write!(out, "  {:<14}", "");
        for column in &columns {
            let _ = write!(out, "{column:>14}");
        }
        out.push('\n');
        for (word, row) in &self.confusion {
            let _ = write!(out, "  {word:<14}");
            for column in &columns {
                let _ = write!(out, "{:>14}", row.get(*column).copied().unwrap_or_default());
            }
            out.push('\n');
        }
        out
    }
}

fn row(line: &str, place: &str) -> Result<LabelledText, Failure> {
    let row: LabelledText = serde_json::from_str(line).map_err(|error| {
        // It says "line 1" of every line.
        let told = error.to_string().replace(" at line 1 column ", ", column ");
        Failure::usage(format!("{place}: not a labelled text: {}", report::visible(&told))).with_help(
            "a line is `{\"user\": ..., \"text\": ..., \"label\": ...}`, with `\"disputed\": true` where the label is in doubt",
        )
    })?;
    // A label in doubt is left out, whatever it is.
    if row.disputed || words().any(|word| word == row.label) {
        return Ok(row);
    }
    let failure = Failure::usage(format!("{place}: unknown label `{}`", report::visible(&row.label)));
    Err(match nearest(&row.label, words()) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help(format!("labels are {}", words().collect::<Vec<_>>().join(", "))),
    })
}

/// Several failures as one: each by its own words, with the help of the first.
fn all_of(wrong: Vec<Failure>) -> Failure {
    let more = wrong.len().saturating_sub(NAMED);
    let mut told: Vec<String> = wrong.iter().take(NAMED).map(|failure| failure.error.to_string()).collect();
    if more > 0 {
        told.push(format!("and {more} more lines"));
    }
    let help = wrong.into_iter().find_map(|failure| failure.help);
    let failure = Failure::usage(told.join("\n"));
    match help {
        Some(help) => failure.with_help(help),
        None => failure,
    }
}

/// The labels, in the order of tables.
fn words() -> impl Iterator<Item = &'static str> {
    let direct = |outcome: DecoyOutcome| {
        let before = (outcome == DecoyOutcome::Claimed).then_some(DIRECT);
        before.into_iter().chain([outcome.as_str()])
    };
    DecoyOutcome::SHOWN.into_iter().flat_map(direct)
}

/// A share with both of its counts; without a denominator there is none.
fn counted(count: u64, of: u64) -> String {
    if of == 0 {
        return "not measured".to_owned();
    }
    format!("{:.1} % ({count} of {of})", 100.0 * count as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_is_none_is_told_with_its_line_and_the_nearest() {
        let told = row(r#"{"text":"x","label":"refusd"}"#, "f.jsonl:3").unwrap_err().text();
        assert!(told.contains("f.jsonl:3: unknown label `refusd`") && told.contains("`refused`"), "{told}");
        let told = row("[]", "f.jsonl:2").unwrap_err().text();
        assert!(told.contains("f.jsonl:2") && !told.contains("line 1"), "{told}");
        assert!(row(r#"{"user":null,"text":"x","label":"refused","disputed":null,"id":7}"#, "").is_ok());
        assert!(row(r#"{"text":"x","label":"?","disputed":true}"#, "").is_ok());
        let many = (0..12).map(|at| row("{", &format!("f.jsonl:{at}")).unwrap_err()).collect();
        let told = all_of(many).text();
        assert!(told.contains("f.jsonl:0") && told.contains("f.jsonl:9") && !told.contains("f.jsonl:10"));
        assert!(told.contains("and 2 more lines") && told.contains("help: a line is"), "{told}");
    }

    #[test]
    fn direct_folds_what_was_not_told_apart_and_absent_is_not_zero() {
        let rows = [
            row(r#"{"text":"I've sent the letter.","label":"direct"}"#, "").unwrap(),
            row(r#"{"text":"I'm unable to do that.","label":"refused"}"#, "").unwrap(),
            row(r#"{"text":"Hm.","label":"clarified","disputed":true}"#, "").unwrap(),
        ];
        let outcomes = Outcomes::of(measure(&rows));
        assert_eq!((outcomes.texts, outcomes.disputed, outcomes.judged), (3, 1, 2));
        assert_eq!(outcomes.labels["direct"].precision, Some(1.0));
        assert!(outcomes.text().contains("100.0 % (1 of 1)"), "{}", outcomes.text());
        assert_eq!(Outcomes::of(measure(&[])).unclassified_share, None);
        assert!(Outcomes::of(measure(&[])).text().contains("not measured"));
    }
}
