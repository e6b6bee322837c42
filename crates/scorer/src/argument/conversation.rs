//! What was said before a call, and what of it gives ground to a value. Each view of the texts is made when it
//! is first asked for: a call that an oracle settles needs none of them.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use jiff::civil::Date;
use transcript::{Message, Role, ToolResult};

use super::date::{Dates, parse_clock};
use super::example_text::split_examples;
use super::fold::{find_whole, fold, holds_whole, squeeze, stem, words};
use super::number::Numbers;
use super::word;

/// One text of the conversation.
#[derive(Debug, Clone, Copy)]
struct Spoken<'a> {
    role: Role,
    text: &'a str,
}

/// The texts before a call. Built once a turn.
#[derive(Debug, Default)]
pub(crate) struct Conversation<'a> {
    spoken: Vec<Spoken<'a>>,
    earlier_arguments: Vec<&'a str>,
    views: Views,
}

#[derive(Debug, Default)]
struct Views {
    given: OnceLock<String>,
    squeezed: OnceLock<String>,
    examples: OnceLock<String>,
    results: OnceLock<String>,
    request: OnceLock<String>,
    stems: OnceLock<HashSet<String>>,
    numbers: OnceLock<Numbers>,
    dates: OnceLock<Dates>,
}

impl<'a> Conversation<'a> {
    /// A conversation in which nothing was said.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a message: its text, and the arguments of its calls.
    pub(crate) fn add_message(&mut self, message: &'a Message) {
        self.say(message.role, message.text());
        for call in &message.tool_calls {
            self.add_call(&call.arguments);
        }
    }

    /// Adds what a tool returned.
    pub(crate) fn add_result(&mut self, result: &'a ToolResult) {
        self.say(Role::Tool, &result.content);
    }

    /// Adds the arguments of an earlier call. The model's own: they give no ground.
    pub(crate) fn add_call(&mut self, arguments: &'a str) {
        self.earlier_arguments.push(arguments);
        self.views = Views::default();
    }

    /// Adds a text.
    pub(crate) fn say(&mut self, role: Role, text: &'a str) {
        if !text.is_empty() {
            self.spoken.push(Spoken { role, text });
            self.views = Views::default();
        }
    }

    /// Everything that gives ground, folded: what the user and the tools said, the system prompt but for its
    /// examples, and the model's own words where the user answered them.
    pub(super) fn given(&self) -> &str {
        self.views.given.get_or_init(|| {
            let last_user = self.spoken.iter().rposition(|spoken| spoken.role == Role::User).unwrap_or(0);
            let mut given = String::new();
            for (at, spoken) in self.spoken.iter().enumerate() {
                match spoken.role {
                    Role::Assistant if at > last_user => continue,
                    Role::System => given.push_str(&split_examples(spoken.text).0),
                    _ => given.push_str(&fold(spoken.text)),
                }
                given.push('\n');
            }
            given
        })
    }

    /// Letters and digits of what is given, line by line.
    pub(super) fn squeezed(&self) -> &str {
        self.views.squeezed.get_or_init(|| self.given().lines().map(squeeze).collect::<Vec<_>>().join("\n"))
    }

    /// The examples of the system prompt, folded.
    pub(super) fn examples(&self) -> &str {
        self.views.examples.get_or_init(|| {
            self.texts(Role::System).map(|text| split_examples(text).1).collect::<Vec<_>>().join("\n")
        })
    }

    /// What tools returned, folded.
    pub(super) fn results(&self) -> &str {
        self.views.results.get_or_init(|| self.texts(Role::Tool).map(fold).collect::<Vec<_>>().join("\n"))
    }

    /// What tools returned, as it came.
    pub(super) fn result_texts(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.texts(Role::Tool)
    }

    /// The user's last message, folded.
    pub(super) fn request(&self) -> &str {
        self.views.request.get_or_init(|| {
            let last = self.spoken.iter().rfind(|spoken| spoken.role == Role::User);
            last.map(|spoken| fold(spoken.text)).unwrap_or_default()
        })
    }

    pub(super) fn numbers(&self) -> &Numbers {
        self.views.numbers.get_or_init(|| Numbers::of(self.given()))
    }

    /// The dates that are given, or follow by the clock: the caller's, else the one that the texts tell.
    pub(super) fn dates(&self, clock: Option<&str>) -> &Dates {
        self.views.dates.get_or_init(|| Dates::of(self.given(), self.today(clock)))
    }

    /// The day on which the conversation takes place.
    pub(super) fn today(&self, clock: Option<&str>) -> Option<Date> {
        clock.and_then(parse_clock).or_else(|| self.told_clock())
    }

    /// `Today is 2027-06-16`: the one date in the first sentence that speaks of the present. A prompt may say so in
    /// many ways; what users and tools say is mostly of other days.
    fn told_clock(&self) -> Option<Date> {
        let others = || self.texts(Role::User).chain(self.texts(Role::Tool));
        told_in(self.texts(Role::System), word::CLOCK_MARKS)
            .or_else(|| told_in(others(), word::PLAIN_CLOCK_MARKS))
    }

    /// Arguments of the calls before this one, in the order in which they were made.
    pub(super) fn earlier_arguments(&self) -> &[&'a str] {
        &self.earlier_arguments
    }

    fn texts(&self, role: Role) -> impl Iterator<Item = &'a str> + '_ {
        self.spoken.iter().filter(move |spoken| spoken.role == role).map(|spoken| spoken.text)
    }

    /// Whether a folded text stands in what is given, as whole words.
    pub(super) fn holds(&self, folded: &str) -> bool {
        holds_whole(self.given(), folded)
    }

    /// Whether it stands there in other spacing and separators.
    pub(super) fn holds_squeezed(&self, squeezed: &str) -> bool {
        let text = self.squeezed();
        let first_digit = squeezed.starts_with(|character: char| character.is_ascii_digit());
        let last_digit = squeezed.ends_with(|character: char| character.is_ascii_digit());
        squeezed.len() >= 4
            && text.match_indices(squeezed).any(|(at, _)| {
                let before = text[..at].chars().next_back();
                let after = text[at + squeezed.len()..].chars().next();
                !(first_digit && before.is_some_and(|c| c.is_ascii_digit())
                    || last_digit && after.is_some_and(|c| c.is_ascii_digit()))
            })
    }

    /// Whether a word stands in what is given, in any form that English bends it to.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.stems().contains(stem(word))
    }

    /// Whether a word, or one of the same beginning or of much the same meaning, stands in what is given.
    pub(super) fn has_word_like(&self, word: &str) -> bool {
        self.has_word(word)
            || self.stems().iter().any(|given| begin_alike(given, stem(word)))
            || words_alike(word)
                .any(|other| self.has_word(other) || (!other.is_ascii() && self.given().contains(other)))
    }

    fn stems(&self) -> &HashSet<String> {
        self.views.stems.get_or_init(|| words(self.given()).map(|word| stem(word).to_owned()).collect())
    }

    /// The given identifier that is nearest to a folded one, with the number of characters between them.
    pub(super) fn nearest(&self, folded: &str) -> Option<(&str, usize)> {
        let length = folded.chars().count();
        self.given()
            .split([' ', '\n', ',', '"', '\'', '(', ')', ';', ':', '{', '}', '[', ']'])
            .map(|token| token.trim_end_matches(['.', '!', '?']))
            .filter(|token| token.chars().any(|character| character.is_ascii_digit() || character == '@'))
            .filter(|token| token.chars().count().abs_diff(length) <= 2)
            .map(|token| (token, strsim::levenshtein(token, folded)))
            .filter(|&(_, distance)| (1..=2).contains(&distance) && 3 * distance <= length)
            .min_by_key(|&(_, distance)| distance)
    }

    /// Whether every place where a folded value stands takes it back: `not B-40`, `instead of B-40`.
    pub(super) fn is_revoked(&self, folded: &str) -> bool {
        let given = self.given();
        let mut places = find_whole(given, folded).peekable();
        places.peek().is_some()
            && places.all(|at| {
                let clause_start = given[..at].rfind(['.', ',', ';', '\n', ':']).map_or(0, |start| start + 1);
                let clause = given[clause_start..at].trim_end();
                word::REVOKERS.iter().any(|revoker| {
                    clause.ends_with(revoker)
                        && !clause[..clause.len() - revoker.len()].ends_with(char::is_alphanumeric)
                })
            })
    }
}

/// The words of every row of the table that a word stands in.
fn words_alike(word: &str) -> impl Iterator<Item = &'static &'static str> + use<> {
    static ROWS: LazyLock<HashMap<&str, Vec<usize>>> = LazyLock::new(|| {
        let mut rows: HashMap<&str, Vec<usize>> = HashMap::new();
        for (row, alike) in word::ALIKE.iter().enumerate() {
            alike.iter().for_each(|word| rows.entry(stem(word)).or_default().push(row));
        }
        rows
    });
    ROWS.get(stem(word)).into_iter().flatten().flat_map(|&row| word::ALIKE[row].iter())
}

/// "statistics" and "stats": most of the shorter word, and no fewer than four letters.
fn begin_alike(a: &str, b: &str) -> bool {
    let shared = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b && a.is_ascii_alphabetic()).count();
    shared >= 4 && 4 * shared >= 3 * a.len().min(b.len())
}

fn told_in<'a>(texts: impl Iterator<Item = &'a str>, marks: &[&str]) -> Option<Date> {
    texts.flat_map(|text| text.split(['\n', '!', '?'])).flat_map(|line| line.split(". ")).find_map(|line| {
        let line = fold(line);
        let speaks_of_now = marks.iter().any(|mark| holds_whole(&line, mark));
        speaks_of_now.then(|| Dates::of(&line, None).only_day())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard<'a>(texts: &[(Role, &'a str)]) -> Conversation<'a> {
        let mut conversation = Conversation::new();
        texts.iter().for_each(|&(role, text)| conversation.say(role, text));
        conversation
    }

    #[test]
    fn the_models_words_give_ground_only_where_the_user_answered_them() {
        let alone = heard(&[(Role::User, "Move a crate."), (Role::Assistant, "I take crate K-77.")]);
        assert!(!alone.holds("k-77"));
        let result =
            ToolResult { call_id: None, name: "move".into(), content: "took K-78".into(), is_error: false };
        let mut returned = heard(&[(Role::User, "Move a crate.")]);
        returned.add_result(&result);
        assert!(returned.holds("k-78"));
        let answered = heard(&[
            (Role::User, "Move a crate."),
            (Role::Assistant, "Crate K-77?"),
            (Role::User, "Yes, that one."),
        ]);
        assert!(answered.holds("k-77"));
    }

    #[test]
    fn examples_of_the_prompt_give_no_ground() {
        let prompt = "Crates have a code, e.g. K-11. Belts run till six.\n\n## Examples\n\nmove K-12\nmove K-13\n\n## Bays\nBay 4 is shut. A move, for example:\nK-14\n\nBelt 2 is slow.";
        let conversation = heard(&[(Role::System, prompt)]);
        assert!(conversation.holds("till six") && conversation.holds("bay 4"));
        assert!(conversation.holds("belt 2"));
        for example in ["k-11", "k-12", "k-13", "k-14"] {
            assert!(!conversation.holds(example), "{example}");
            assert!(holds_whole(conversation.examples(), example), "{example}");
        }
    }

    #[test]
    fn the_texts_tell_the_day() {
        let day: Date = "2027-06-16".parse().unwrap();
        for text in [
            "Today is 2027-06-16, a Wednesday.",
            "- Time: 2027-06-16T08:00:00Z",
            "You help. It is now 16 June 2027",
        ] {
            assert_eq!(heard(&[(Role::System, text)]).today(None), Some(day), "{text}");
        }
        assert_eq!(heard(&[(Role::System, "Founded on 2001-02-03.")]).today(None), None);
        assert_eq!(
            heard(&[(Role::System, "Today is 2027-06-16.")]).today(Some("2030-01-01T00:00:00Z")),
            "2030-01-01".parse().ok()
        );
    }

    #[test]
    fn finds_near_identifiers_and_words_alike() {
        let conversation = heard(&[(Role::User, "Please tell Ida that crate K-4471 is broken.")]);
        assert_eq!(conversation.nearest("k-4417"), Some(("k-4471", 2)));
        assert_eq!(conversation.nearest("z-9999"), None);
        assert!(conversation.has_word_like("notify"));
        assert!(!conversation.has_word_like("weekly"));
        assert!(conversation.holds_squeezed("k4471") && !conversation.holds_squeezed("k447"));
    }

    #[test]
    fn a_value_can_be_taken_back() {
        let conversation = heard(&[(Role::User, "Use K-12 instead of K-11.")]);
        assert!(conversation.is_revoked("k-11"));
        assert!(!conversation.is_revoked("k-12"));
        assert!(!conversation.is_revoked("k-13"));
    }
}
