//! What every log format is turned into, one event at a time.
//!
//! An event borrows from the bytes that it was read from. It says what stands there and nothing more: which of
//! two calls are one act, what an error text means and what counts is decided once, for all formats.

use std::borrow::Cow;

/// Takes the events of one log in the order in which they stand there.
pub(crate) trait Sink {
    /// Takes one event.
    fn event(&mut self, event: LogEvent<'_>);
    /// Says that the events that follow stand at `part`, a piece of `whole`, which is what is being read; the line
    /// that is cited is the one on which it begins.
    fn at(&mut self, whole: &[u8], part: &[u8]);
}

/// One thing that a log says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LogEvent<'a> {
    /// What holds for everything that follows in this log, until another says otherwise.
    Context(Context<'a>),
    /// A moment that the log names, for the window.
    Moment(Cow<'a, str>),
    /// A conversation begins that stands whole in one record, whose bytes these are: its calls are told apart by
    /// their places in it.
    Conversation(&'a [u8]),
    /// A tool call.
    Call(Call<'a>),
    /// What came back for a call.
    Answer(Answer<'a>),
    /// A call that ran at the provider; no harness could refuse it.
    ProviderCall(Cow<'a, str>),
    /// Names of tools that were offered.
    Catalog(Vec<Cow<'a, str>>),
    /// Words.
    Text(Text<'a>),
    /// Something that an agent or a user did, by the log's own word; formats whose records are actions have it
    /// for every record, calls or not.
    Action(Cow<'a, str>),
}

/// What holds for the events that follow it. `None` leaves what held before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Context<'a> {
    /// The session.
    pub(crate) session: Option<Cow<'a, str>>,
    /// The session that this one was forked from or resumes.
    pub(crate) parent: Option<Cow<'a, str>>,
    /// The model that answers.
    pub(crate) model: Option<Cow<'a, str>>,
    /// The version of the program that writes the log.
    pub(crate) version: Option<Cow<'a, str>>,
    /// The project: a working directory, or what else the log calls it.
    pub(crate) project: Option<Cow<'a, str>>,
}

/// Where one event comes from. What is absent is taken from the context.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Stamp<'a> {
    /// What holds for this event alone.
    pub(crate) context: Context<'a>,
    /// The id of the line or record.
    pub(crate) uuid: Option<Cow<'a, str>>,
    /// When, as it is written: RFC 3339, or milliseconds since 1970.
    pub(crate) time: Option<Cow<'a, str>>,
    /// Who wrote it.
    pub(crate) origin: Origin,
}

/// Who wrote an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Origin {
    /// The session's own agent.
    #[default]
    Agent,
    /// A sub-agent, in a log of its own or on lines marked as a sub-agent's.
    SubAgent,
    /// A copy of a sub-agent's event in its parent's log.
    Mirror,
}

/// Which call is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallName<'a> {
    /// By its id, and that of the message that made it.
    Id {
        /// The call's id; `None` where the log has none.
        call: Option<Cow<'a, str>>,
        /// The message's id; of answers, always absent.
        message: Option<Cow<'a, str>>,
    },
    /// By its place in the conversation: formats whose record is a whole conversation pair calls and answers
    /// themselves, since ids repeat there.
    Place {
        /// The number of the call in its conversation.
        at: u32,
        /// The id that is written, for the count of ids used again.
        id: Option<Cow<'a, str>>,
    },
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call<'a> {
    /// Which.
    pub(crate) which: CallName<'a>,
    /// The tool's name, byte for byte.
    pub(crate) name: Cow<'a, str>,
    /// The arguments as JSON text, where they are at hand.
    pub(crate) arguments: Option<Cow<'a, str>>,
    /// Where it comes from.
    pub(crate) stamp: Stamp<'a>,
}

/// What came back for a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer<'a> {
    /// Of which call.
    pub(crate) of: CallName<'a>,
    /// What it says; empty where nobody looked, since it is no error.
    pub(crate) text: Cow<'a, str>,
    /// Whether the log marks it as an error; `None` where the format has no such mark.
    pub(crate) is_error: Option<bool>,
    /// Where it comes from.
    pub(crate) stamp: Stamp<'a>,
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    /// The model, to be read by the user.
    Assistant,
    /// The model, to itself.
    Reasoning,
    /// The user, or what a harness writes in a user's place.
    User,
    /// Anybody else: the system, a summary that goes back to the model, words beside a call.
    Other,
}

impl Speaker {
    /// Who the role of a message says it is.
    pub(crate) fn of_role(role: Option<&str>) -> Self {
        match role {
            Some("assistant") => Self::Assistant,
            Some("user" | "human") => Self::User,
            _ => Self::Other,
        }
    }
}

/// Words of a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text<'a> {
    /// The id of the message.
    pub(crate) message: Option<Cow<'a, str>>,
    /// Who.
    pub(crate) speaker: Speaker,
    /// What.
    pub(crate) text: Cow<'a, str>,
    /// Whether the log says that the turn ended here; `None` where it does not say.
    pub(crate) ends_turn: Option<bool>,
    /// Where it comes from.
    pub(crate) stamp: Stamp<'a>,
}
