//! A self-test in plain words: one screen, each line a check with its counts.

use std::fmt::Write as _;

use super::SelfTest;
use super::coverage::{Coverage, Line, NEEDED};
use super::trials::{CLASSES, Held, Trials};

/// So many failures are printed; `--json` has all of them.
const SHOWN: usize = 12;

impl SelfTest {
    /// For a terminal.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let verdict = if self.passed {
            "PASS  every check was seen to fail and to pass"
        } else {
            "FAIL  a check cannot fail, or cannot pass"
        };
        let _ = writeln!(
            out,
            "{verdict}\nSIMULATED: scripted stand-ins gave every answer; no figure here measures a model\n"
        );
        for failure in self.failures.iter().take(SHOWN) {
            let _ = writeln!(out, "  failed  {}", report::visible(failure));
        }
        if self.failures.len() > SHOWN {
            let _ = writeln!(out, "  and {} more", self.failures.len() - SHOWN);
        }
        if !self.passed {
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "suite {}{}: {} probes, put to {} liars, {} honest and {} careless models, seed {}",
            report::visible(&self.suite),
            if self.embedded { " (built in)" } else { "" },
            self.probes,
            self.models,
            self.models,
            self.models,
            self.seed
        );
        let sum = self.trials.over_kinds();
        let _ = writeln!(out, "  lies caught           {} of {} trials", sum.liar.of_them, sum.liar.trials);
        let _ =
            writeln!(out, "  honest, but faulted   {} of {} trials", sum.honest.of_them, sum.honest.trials);
        let _ = writeln!(
            out,
            "  responses by hand     {} of {} lies caught, {} of {} honest responses faulted",
            self.pairs.caught, self.pairs.pairs, self.pairs.faulted, self.pairs.pairs
        );
        let _ = writeln!(
            out,
            "  trials by hand        {} of {} judged otherwise than written, {} of them honest",
            self.cases.wrong, self.cases.cases, self.cases.honest
        );
        let _ = writeln!(
            out,
            "  figures by hand       {} of {} come out otherwise",
            self.figures.wrong, self.figures.figures
        );
        for sort in &self.findings {
            let _ = write!(
                out,
                "  {:<22}{} of {} raised by a lie",
                format!("{} findings", sort.sort.as_str()),
                sort.raised,
                sort.words
            );
            match sort.not_raised.as_slice() {
                [] => out.push('\n'),
                words => {
                    let _ = writeln!(out, "; not tried: {}", words.join(", "));
                }
            }
        }
        out.push_str("\nby kind: lies caught, honest faulted\n");
        let kinds = self.trials.kinds.iter().map(|(kind, held)| (kind.as_str(), *held));
        columns(&mut out, kinds);
        out.push_str("\nby rate, in trials where it is judged: raised by lies, by honest models\n");
        let rates = self.trials.rates.iter().map(|(rate, held)| (rate.as_str(), *held));
        columns(&mut out, rates);
        matrix(&mut out, &self.trials);
        coverage(&mut out, &self.coverage);
        out
    }
}

fn columns<'a>(out: &mut String, rows: impl Iterator<Item = (&'a str, Held)>) {
    for (at, (name, held)) in rows.enumerate() {
        let cell = format!(
            "{}/{} {}/{}",
            held.liar.of_them, held.liar.trials, held.honest.of_them, held.honest.trials
        );
        let _ = write!(out, "  {name:<22}{cell:<20}");
        if at % 2 == 1 {
            trim(out);
        }
    }
    if !out.ends_with('\n') {
        trim(out);
    }
}

fn trim(out: &mut String) {
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn matrix(out: &mut String, trials: &Trials) {
    let (compared, off) = trials.compared();
    let _ = writeln!(out, "\ncalls: {off} of {compared} judged otherwise than the model decided (rows)");
    let _ = write!(out, "  {:<22}", "");
    for class in CLASSES {
        let short = class.split('_').next().unwrap_or(class);
        let _ = write!(out, "{short:>14}");
    }
    out.push('\n');
    for decided in CLASSES {
        let Some(row) = trials.calls.get(decided) else { continue };
        let _ = write!(out, "  {decided:<22}");
        for judged in CLASSES {
            let _ = write!(out, "{:>14}", row.get(judged).copied().unwrap_or_default());
        }
        out.push('\n');
    }
}

fn coverage(out: &mut String, coverage: &Coverage) {
    let (covered, all) = coverage.covered();
    let (excluding, _) = coverage.excluding_far();
    let _ = writeln!(
        out,
        "\nplanted rates: {covered} of {all} 95 % intervals hold the planted rate, {excluding} leave out 60 %\n  {} scorings a cell, Monte Carlo error {:.1} points; at least {NEEDED} % are needed {}\n  covered % (mean width in points) at 3, 10, 20 % planted",
        coverage.scorings,
        coverage.monte_carlo_error(),
        if coverage.each_line { "in each cell" } else { "over all cells" },
    );
    let mut seen: Vec<(String, Vec<&Line>)> = Vec::new();
    for line in &coverage.lines {
        let name = format!("{}, {}, icc {}", line.rate, line.layout, line.icc);
        match seen.iter_mut().find(|(one, _)| *one == name) {
            Some((_, lines)) => lines.push(line),
            None => seen.push((name, vec![line])),
        }
    }
    for (name, lines) in seen {
        let _ = write!(out, "  {name:<50}");
        for line in lines {
            let share = 100.0 * line.covered as f64 / line.scorings.max(1) as f64;
            let _ = write!(out, "{:>14}", format!("{share:.1} ({:.1})", 100.0 * line.mean_width));
        }
        out.push('\n');
    }
}
