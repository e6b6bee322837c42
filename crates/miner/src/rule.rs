//! A rule that says when a call is owed: `after user mentions WORDS, tool NAME`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// How much of a user's words is cited on both sides of what is mentioned, in bytes.
const AROUND: usize = 60;

static FORM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?is)^\s*after\s+(?:the\s+|a\s+)?user\s+mentions\s+(?<words>.+),\s*tool\s+(?<tools>.+?)\s*$")
        .expect("the pattern is used by a test")
});

static OR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\s+or\s+").expect("the pattern is used by a test"));

/// Says that a call is owed in every turn in which a user mentions something.
#[derive(Debug, Clone)]
pub struct Rule {
    text: String,
    words: Regex,
    tools: Vec<String>,
}

impl Rule {
    /// Reads a rule: `after user mentions WORDS, tool NAME`. Both may have alternatives, with `or` between them. Words
    /// are whole words, in any case; in quotation marks they are taken as they stand; between slashes they are a regular
    /// expression.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as a fragment.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let Some(parts) = FORM.captures(text) else {
            return Err(format!("`{text}` is no rule"));
        };
        let part = |name| parts.name(name).map_or("", |part| part.as_str().trim());
        let patterns: Vec<String> = alternatives(part("words")).into_iter().map(pattern).collect();
        if patterns.iter().any(String::is_empty) {
            return Err(format!("`{text}` names no words"));
        }
        let words = Regex::new(&format!("(?i){}", patterns.join("|")))
            .map_err(|error| format!("the words of `{text}` are no regular expression: {error}"))?;
        let tools: Vec<String> =
            OR.split(part("tools")).map(|tool| tool.trim_matches(['`', '"', '\'']).to_owned()).collect();
        if let Some(tool) = tools.iter().find(|tool| tool.is_empty() || tool.contains(char::is_whitespace)) {
            return Err(format!("`{tool}` is no name of a tool"));
        }
        Ok(Self { text: text.to_owned(), words, tools })
    }

    /// Reads a file of rules, one a line; empty lines and those that begin with `#` are none.
    ///
    /// # Errors
    ///
    /// Every mistake, with its line, counted from 1.
    pub fn read_all(text: &str) -> Result<Vec<Self>, Vec<(usize, String)>> {
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let (mut rules, mut mistakes) = (Vec::new(), Vec::new());
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            match Self::read(line) {
                Ok(rule) => rules.push(rule),
                Err(why) => mistakes.push((number, why)),
            }
        }
        if mistakes.is_empty() { Ok(rules) } else { Err(mistakes) }
    }

    /// The rule, as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tools any of which the turn owes.
    #[must_use]
    pub fn tools(&self) -> &[String] {
        &self.tools
    }

    /// Where words mention what the rule is about, with what stands around it; `None` where they do not.
    pub(crate) fn mention<'a>(&self, words: &'a str) -> Option<&'a str> {
        let found = self.words.find(words)?;
        words.get(around(words, found.range())).map(str::trim)
    }
}

fn around(words: &str, found: Range<usize>) -> Range<usize> {
    let mut start = found.start.saturating_sub(AROUND);
    while !words.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (found.end + AROUND).min(words.len());
    while !words.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// The alternatives of the words; `or` inside quotation marks or slashes is a word.
fn alternatives(words: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for or in OR.find_iter(words) {
        let Some(part) = words.get(start..or.start()) else { continue };
        let is_whole = |mark| {
            !part.starts_with(mark) || (part.len() > 1 && part.ends_with(mark) && !part.ends_with("\\/"))
        };
        if is_whole('"') && is_whole('/') {
            parts.push(part);
            start = or.end();
        }
    }
    parts.extend(words.get(start..));
    parts
}

/// The pattern of one alternative; empty where it says nothing.
fn pattern(words: &str) -> String {
    let within = |mark| words.strip_prefix(mark).and_then(|rest: &str| rest.strip_suffix(mark));
    if let Some(pattern) = within('/') {
        return if pattern.is_empty() { String::new() } else { format!("(?:{pattern})") };
    }
    let words = within('"').unwrap_or(words).trim();
    let escaped: Vec<String> = words.split_whitespace().map(regex::escape).collect();
    let border = |end: Option<char>| if end.is_some_and(char::is_alphanumeric) { r"\b" } else { "" };
    if escaped.is_empty() {
        return String::new();
    }
    format!("{}{}{}", border(words.chars().next()), escaped.join(r"\s+"), border(words.chars().next_back()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_may_have_alternatives() {
        for (rule, hits, misses) in [
            ("after user mentions berth, tool find_berth", vec!["Any Berth free?"], vec!["berths", "a quay"]),
            (
                "After the user mentions tide table or \"high or low\", tool `tides` or almanac",
                vec!["the tide  table", "is it high or low?"],
                vec!["tide", "high"],
            ),
            ("after user mentions /ship-\\d+ or more/, tool find", vec!["ship-7 or more"], vec!["ship-x"]),
            ("after user mentions a fee, or two, tool fees", vec!["a fee,", "two"], vec!["free"]),
        ] {
            let rule = Rule::read(rule).unwrap();
            for words in hits {
                assert!(rule.mention(words).is_some(), "{rule:?}: {words}");
            }
            for words in misses {
                assert!(rule.mention(words).is_none(), "{rule:?}: {words}");
            }
        }
        let rule = Rule::read("after user mentions é, tool a or `b`").unwrap();
        assert_eq!(rule.tools(), ["a", "b"]);
        let long = "ü".repeat(200) + " é " + &"ü".repeat(200);
        assert!(rule.mention(&long).is_some_and(|span| span.len() < 140));
    }

    #[test]
    fn what_is_no_rule_says_why() {
        for (rule, why) in [
            ("tool find_berth", "is no rule"),
            ("after user mentions , tool x", "is no rule"),
            ("after user mentions \"\", tool x", "names no words"),
            ("after user mentions /(/, tool x", "no regular expression"),
            ("after user mentions berth, tool find berth", "no name of a tool"),
        ] {
            assert!(Rule::read(rule).unwrap_err().contains(why), "{rule}: {:?}", Rule::read(rule));
        }
        let file = "# rules\n\nafter user mentions a, tool b\nnonsense\n";
        assert_eq!(Rule::read_all(file).unwrap_err()[0].0, 4);
        assert_eq!(Rule::read_all("# none\n").unwrap().len(), 0);
    }
}
