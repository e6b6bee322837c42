//! What a run has spent in this sitting, its check of how endpoints serve tools included, and the caps that stop it. What a request will probably use is reserved
//! before it is sent and set right by its answer, so that a cap holds whatever is under way.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use transcript::{Cost, Price, Usage};

use crate::limits::Expected;
use crate::transport::{TransportError, TransportErrorKind};

/// What a run may spend in one sitting. Absent: no cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Caps {
    /// Requests, tries that are repeated included.
    pub requests: Option<u64>,
    /// Tokens read and written, as endpoints count them; where one does not, as they are estimated.
    pub tokens: Option<u64>,
    /// Money, for targets that have a price. One without a price costs nothing here: the caller refuses it.
    pub cost: Option<Cost>,
    /// How long the run may take.
    pub time: Option<Duration>,
}

/// The cap that stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// So many requests.
    Requests(u64),
    /// So many tokens.
    Tokens(u64),
    /// So much money.
    Cost(Cost),
    /// So much time.
    Time(Duration),
}

impl fmt::Display for Cap {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requests(cap) => write!(formatter, "{cap} requests (max_requests)"),
            Self::Tokens(cap) => write!(formatter, "{cap} tokens (max_tokens)"),
            Self::Cost(cap) => write!(formatter, "{cap} (max_cost)"),
            Self::Time(cap) => write!(formatter, "{} minutes (max_minutes)", cap.as_secs_f64() / 60.0),
        }
    }
}

/// What a request reserved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reserved {
    tokens: u64,
    cost: Cost,
}

impl Reserved {
    pub(crate) fn of(expected: Expected, price: Option<&Price>) -> Self {
        Self { tokens: tokens(&expected.usage()), cost: expected.cost(price).unwrap_or_default() }
    }
}

/// What a request turned out to use.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bill<'a> {
    /// What the endpoint counted.
    Counted(&'a Usage),
    /// A model may well have worked and nobody counted: an answer without usage, or none in time. What was reserved
    /// is taken for spent, since a cap that is not counted against does not hold.
    Unknown,
    /// No model worked: an error, no connection.
    Nothing,
}

impl Bill<'_> {
    /// What a request used that nothing came back to.
    pub(crate) fn of_failure(error: &TransportError) -> Self {
        match error.kind {
            TransportErrorKind::Connect | TransportErrorKind::Other => Self::Nothing,
            _ => Self::Unknown,
        }
    }
}

/// What is spent and reserved.
#[derive(Debug, Clone, Copy, Default)]
struct Book {
    requests: u64,
    tokens: u64,
    cost: Cost,
    reserved: Reserved,
    under_way: u64,
    /// The cap that first kept a request back for good.
    stopped: Option<Cap>,
}

/// Whether a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    /// Not while those under way may use up what is left.
    Later,
    No(Cap),
}

impl Book {
    fn ask(&mut self, caps: &Caps, reserved: Reserved) -> Answer {
        if let Some(cap) = caps.requests.filter(|cap| self.requests >= *cap) {
            return self.refuse(Cap::Requests(cap));
        }
        let tokens = self.tokens.saturating_add(self.reserved.tokens).saturating_add(reserved.tokens);
        let cost = self.cost.plus(self.reserved.cost).plus(reserved.cost);
        let over = [
            caps.tokens.filter(|cap| tokens > *cap).map(Cap::Tokens),
            caps.cost.filter(|cap| cost > *cap).map(Cap::Cost),
        ];
        if let Some(cap) = over.into_iter().flatten().next() {
            return if self.under_way > 0 { Answer::Later } else { self.refuse(cap) };
        }
        self.requests += 1;
        self.under_way += 1;
        self.reserved.tokens = self.reserved.tokens.saturating_add(reserved.tokens);
        self.reserved.cost = self.reserved.cost.plus(reserved.cost);
        Answer::Yes
    }

    fn refuse(&mut self, cap: Cap) -> Answer {
        self.stopped.get_or_insert(cap);
        Answer::No(cap)
    }

    fn settle(&mut self, reserved: Reserved, spent: Reserved) {
        self.under_way = self.under_way.saturating_sub(1);
        self.reserved.tokens = self.reserved.tokens.saturating_sub(reserved.tokens);
        self.reserved.cost = self.reserved.cost.minus(reserved.cost);
        self.tokens = self.tokens.saturating_add(spent.tokens);
        self.cost = self.cost.plus(spent.cost);
    }
}

fn tokens(usage: &Usage) -> u64 {
    usage.input.unwrap_or(0).saturating_add(usage.output.unwrap_or(0))
}

/// Counts what a sitting spends: the check before it, and all trials of all its rounds.
#[derive(Debug)]
pub struct Meter {
    caps: Caps,
    started: Instant,
    book: Mutex<Book>,
    settled: Notify,
}

impl Meter {
    /// Begins to count; the time runs from here.
    #[must_use]
    pub fn new(caps: Caps) -> Self {
        Self { caps, started: Instant::now(), book: Mutex::default(), settled: Notify::new() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the time is over, and the cap that says so; none where no clock reaches that far.
    pub(crate) fn end(&self) -> Option<(Instant, Cap)> {
        self.caps.time.and_then(|time| Some((self.started.checked_add(time)?, Cap::Time(time))))
    }

    /// Counts a request that is about to be sent, and reserves what it will probably use, once there is room; false
    /// where it must not be sent.
    pub(crate) async fn reserve(&self, reserved: Reserved, cancel: &CancellationToken) -> bool {
        loop {
            let settled = self.settled.notified();
            let answer = self.book().ask(&self.caps, reserved);
            match answer {
                Answer::Yes => return true,
                Answer::No(_) => return false,
                Answer::Later => tokio::select! {
                    () = cancel.cancelled() => return false,
                    () = settled => {}
                },
            }
        }
    }

    /// Counts what a request used in place of what it reserved.
    pub(crate) fn settle(&self, reserved: Reserved, price: Option<&Price>, bill: Bill<'_>) {
        let spent = match bill {
            Bill::Counted(usage) => Reserved {
                tokens: tokens(usage),
                // A model that says only half of what it used is no cheaper for it.
                cost: price.and_then(|price| price.cost(usage)).unwrap_or(reserved.cost),
            },
            Bill::Unknown => reserved,
            Bill::Nothing => Reserved::default(),
        };
        self.book().settle(reserved, spent);
        self.settled.notify_waiters();
    }

    /// The cap that kept a request from being sent, if one did.
    pub(crate) fn reached(&self) -> Option<Cap> {
        self.book().stopped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reserved(tokens: u64, dollars: f64) -> Reserved {
        Reserved { tokens, cost: Cost::of_dollars(dollars).unwrap() }
    }

    #[test]
    fn requests_are_counted_as_they_leave() {
        let caps = Caps { requests: Some(2), ..Caps::default() };
        let mut book = Book::default();
        let asked = [(); 3].map(|()| book.ask(&caps, Reserved::default()));
        assert_eq!(asked, [Answer::Yes, Answer::Yes, Answer::No(Cap::Requests(2))]);
        assert_eq!(book.stopped, Some(Cap::Requests(2)));
        assert_eq!(Book::default().ask(&Caps::default(), reserved(u64::MAX, 1e6)), Answer::Yes);
    }

    #[test]
    fn what_is_under_way_is_held_against_the_caps() {
        let caps = Caps { tokens: Some(100), cost: Cost::of_dollars(1.0), ..Caps::default() };
        let mut book = Book::default();
        let one = reserved(40, 0.1);
        assert_eq!([(); 3].map(|()| book.ask(&caps, one)), [Answer::Yes, Answer::Yes, Answer::Later]);
        // It used less than it reserved: there is room for another.
        book.settle(one, reserved(15, 0.05));
        assert_eq!([(); 2].map(|()| book.ask(&caps, one)), [Answer::Yes, Answer::Later]);
        book.settle(one, reserved(40, 0.1));
        assert_eq!(book.ask(&caps, one), Answer::Later, "the last may still use less");
        book.settle(one, reserved(40, 0.1));
        assert_eq!(book.ask(&caps, one), Answer::No(Cap::Tokens(100)));
        assert!(book.tokens <= 100);
        // Money stops too, and the first cap that stopped is the one that is named.
        let mut book = Book::default();
        assert_eq!(book.ask(&caps, reserved(0, 1.01)), Answer::No(Cap::Cost(caps.cost.unwrap())));
        assert_eq!(book.ask(&caps, reserved(101, 0.0)), Answer::No(Cap::Tokens(100)));
        assert_eq!(book.stopped.unwrap().to_string(), "$1.00 (max_cost)");
    }

    #[tokio::test]
    async fn what_nobody_counted_is_taken_for_spent() {
        let cancel = CancellationToken::new();
        let meter = Meter::new(Caps { tokens: Some(100), ..Caps::default() });
        let one = reserved(40, 0.0);
        let claimed = Usage { input: Some(u64::MAX), output: Some(1), ..Usage::default() };
        for (bill, may_follow) in
            [(Bill::Nothing, true), (Bill::Unknown, true), (Bill::Counted(&claimed), false)]
        {
            assert!(meter.reserve(one, &cancel).await);
            meter.settle(one, None, bill);
            assert_eq!(meter.reached(), None);
            if !may_follow {
                assert!(!meter.reserve(one, &cancel).await);
                assert_eq!(meter.reached(), Some(Cap::Tokens(100)));
            }
        }
    }
}
