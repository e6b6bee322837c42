//! Live progress on standard error: done of total, rate, time left, and the three rates so far. A line that
//! is rewritten on a terminal; a plain line now and then anywhere else.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use probes::RateName;
use scorer::{Judgement, Verdict};

/// How often a plain line is printed where nobody watches a terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// What is shown while a run goes on.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    started: Instant,
    last_plain: Instant,
    before: u64,
    done: u64,
    total: u64,
    left_out: u64,
    rates: [(u64, u64); 3],
}

/// Where progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// A terminal: one line, rewritten.
    Terminal,
    /// Anything else: a line now and then.
    Plain,
    /// Nowhere.
    None,
}

impl Progress {
    /// Starts at `before` trials that an interrupted run left, of `total`.
    pub(crate) fn new(output: Output, before: u64, total: u64) -> Self {
        let bar = (output == Output::Terminal).then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(8));
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len}  {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        let started = Instant::now();
        Self {
            bar,
            plain: output == Output::Plain,
            started,
            last_plain: started,
            before,
            done: before,
            total,
            left_out: 0,
            rates: [(0, 0); 3],
        }
    }

    /// Counts a trial that ended.
    pub(crate) fn trial(&mut self, verdict: &Verdict) {
        self.done += 1;
        if verdict.status != transcript::TrialStatus::Scored {
            self.left_out += 1;
        }
        for (slot, name) in self.rates.iter_mut().zip(RateName::HEADLINE) {
            if let Some(Judgement::Judged { opportunities, events, .. }) = verdict.checks.get(&name) {
                slot.0 += u64::from(events.trials);
                slot.1 += u64::from(opportunities.trials);
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(self.line());
        } else if self.plain && self.last_plain.elapsed() >= PLAIN_EVERY {
            self.last_plain = Instant::now();
            print(&format!("{}/{}  {}", self.done, self.total, self.line()));
        }
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = (self.done - self.before) as f64 / seconds.max(0.001);
        let left = (self.total.saturating_sub(self.done)) as f64 / speed.max(0.001);
        let [unknown, shadow, argument] = self.rates;
        let mut line = format!(
            "{speed:.0}/s  {} left  unknown-tool {}/{}  shadow-call {}/{}  hallucinated-argument {}/{}",
            duration(left),
            unknown.0,
            unknown.1,
            shadow.0,
            shadow.1,
            argument.0,
            argument.1
        );
        if self.left_out > 0 {
            line.push_str(&format!("  left out {}", self.left_out));
        }
        line
    }
}

/// A duration for people: `42 s`, `3 min 05 s`, `2 h 10 min`.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A line on standard error.
#[expect(clippy::print_stderr, reason = "the binary's own words to the person who runs it")]
pub(crate) fn print(line: &str) {
    eprintln!("{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_people_say_them() {
        assert_eq!(duration(41.6), "42 s");
        assert_eq!(duration(185.0), "3 min 05 s");
        assert_eq!(duration(7800.0), "2 h 10 min");
    }
}
