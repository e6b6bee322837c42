//! Live progress on standard error: done of total, rate, time left, and the three rates so far. A line that
//! is rewritten on a terminal; a plain line now and then anywhere else.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scorer::{PerTrial, Verdict};

/// How often a plain line is printed where nobody watches a terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// How often the line on a terminal is written anew.
const TERMINAL_EVERY: Duration = Duration::from_millis(120);

/// What is shown while a run goes on.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    started: Instant,
    before: u64,
    done: u64,
    total: u64,
    left_out: u64,
    shown: Instant,
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
            before,
            done: before,
            total,
            left_out: 0,
            shown: started,
        }
    }

    /// Counts a trial that ended. `rates` gives the three rates so far; it is asked only when they are shown.
    pub(crate) fn trial(&mut self, verdict: &Verdict, rates: impl FnOnce() -> [PerTrial; 3]) {
        self.done += 1;
        if verdict.status != transcript::TrialStatus::Scored {
            self.left_out += 1;
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            if self.shown.elapsed() >= TERMINAL_EVERY {
                self.shown = Instant::now();
                bar.set_message(self.line(rates()));
            }
        } else if self.plain && self.shown.elapsed() >= PLAIN_EVERY {
            self.shown = Instant::now();
            print(&format!("{}/{}  {}", self.done, self.total, self.line(rates())));
        }
    }

    /// Ends the display.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self, rates: [PerTrial; 3]) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = (self.done - self.before) as f64 / seconds.max(0.001);
        let left = (self.total.saturating_sub(self.done)) as f64 / speed.max(0.001);
        let [unknown, shadow, argument] = rates;
        let mut line = format!(
            "{speed:.0}/s  {} left  unknown-tool {}/{}  shadow-call {}/{}  hallucinated-argument {}/{}",
            duration(left),
            unknown.events,
            unknown.scored,
            shadow.events,
            shadow.scored,
            argument.events,
            argument.scored
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

/// Lines on standard error. What an endpoint or a file wrote may stand in them, and is made harmless.
pub(crate) fn print(lines: &str) {
    use std::io::Write as _;
    // Somebody who went away hears nothing; that is no reason to end otherwise.
    let _ = writeln!(std::io::stderr(), "{}", report::visible_block(lines));
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
