//! From text to sentences of numbered words. Markdown is seen through: emphasis vanishes, list items and code
//! are marked, what stands in quotation marks is known to be somebody else's words.

use super::lexicon::{Lexicon, Parts, Spoken};
use super::machine::Word;
use super::piece::{Piece, Pieces, Side, Sort, is_ideograph};
use super::vocabulary::{MARK_WORD, WordId};

/// A text cut into sentences.
pub(super) struct Scan {
    /// All words and inner marks.
    pub(super) tokens: Vec<Token>,
    /// Slices of the tokens.
    pub(super) sentences: Vec<Sentence>,
}

/// A word, a number or an inner mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// First byte.
    pub(super) start: usize,
    /// The byte after the last.
    pub(super) end: usize,
    /// Its word.
    pub(super) word: WordId,
    flags: u16,
}

/// The token has a digit, or belongs to an address.
pub(super) const HARD: u16 = 1;
/// It begins with a capital.
pub(super) const CAPITAL: u16 = 1 << 1;
/// It stands in quotation marks.
pub(super) const QUOTED: u16 = 1 << 2;
/// It stands in a code span.
pub(super) const CODE: u16 = 1 << 3;
/// It is a mark.
pub(super) const MARK: u16 = 1 << 4;
/// It is a character of a script without spaces.
pub(super) const WIDE: u16 = 1 << 5;
/// It is a mark that begins a new segment: a semicolon or a dash.
pub(super) const PARTS: u16 = 1 << 6;
/// It is a colon.
pub(super) const COLON: u16 = 1 << 7;
/// It begins with a capital and goes on in small letters.
pub(super) const TITLE: u16 = 1 << 8;
/// It is a comma, or the bar between two cells.
pub(super) const COMMA: u16 = 1 << 9;

impl Token {
    /// Whether all of these flags are set.
    pub(super) fn is(self, flag: u16) -> bool {
        self.flags & flag == flag
    }

    /// Whether any of these flags is set.
    pub(super) fn any(self, flags: u16) -> bool {
        self.flags & flags != 0
    }
}

impl Word for Token {
    fn word(self) -> WordId {
        self.word
    }
}

/// A sentence, a list item, or a block of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sentence {
    /// First token.
    pub(super) first: usize,
    /// The token after the last.
    pub(super) last: usize,
    /// It ends in a question mark.
    pub(super) question: bool,
    /// It is (part of) a list item.
    pub(super) item: bool,
    /// The bytes of a fenced block, which has no tokens.
    pub(super) block: Option<(usize, usize)>,
}

/// Cuts a text.
pub(super) fn scan(text: &str, lexicon: &Lexicon) -> Scan {
    let mut scanner = Scanner {
        text,
        lexicon,
        tokens: Vec::with_capacity(text.len() / 4 + 8),
        sentences: Vec::with_capacity(text.len() / 48 + 4),
        first: 0,
        item: false,
        quote: None,
        single: None,
        tick: None,
    };
    scanner.run();
    scanner.unquote_all();
    Scan { tokens: scanner.tokens, sentences: scanner.sentences }
}

struct Scanner<'t> {
    text: &'t str,
    lexicon: &'t Lexicon,
    tokens: Vec<Token>,
    sentences: Vec<Sentence>,
    /// First token of the sentence at hand.
    first: usize,
    item: bool,
    /// Tokens at which a quotation or a code span was opened.
    quote: Option<usize>,
    single: Option<usize>,
    tick: Option<usize>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut pieces = Pieces::new(self.text);
        let start = self.line_start(0);
        pieces.jump(start);
        let mut address = false;
        while let Some(piece) = pieces.next() {
            match piece.sort {
                Sort::Word | Sort::Number => self.word(piece, std::mem::take(&mut address)),
                Sort::At => {
                    address = true;
                    if let Some(token) = self.tokens.last_mut()
                        && token.end == piece.start
                    {
                        token.flags |= HARD;
                    }
                }
                Sort::Mark(mark) => self.mark(piece, mark),
                Sort::Quote(side) => self.quotation(piece, side),
                Sort::Tick => toggle(&mut self.tick, &mut self.tokens, CODE),
                Sort::Newline => {
                    let next = self.newline(piece.end);
                    pieces.jump(next);
                }
            }
        }
        self.end_sentence(false);
    }

    fn word(&mut self, piece: Piece, address: bool) {
        let text = &self.text[piece.start..piece.end];
        let bytes = text.as_bytes();
        let mut flags = 0;
        if bytes[0].is_ascii() {
            if bytes[0].is_ascii_uppercase() {
                flags |= CAPITAL;
                flags |= if bytes.get(1).is_some_and(u8::is_ascii_lowercase) { TITLE } else { 0 };
            }
        } else {
            let first = text.chars().next().unwrap_or_default();
            flags |= if first.is_uppercase() { CAPITAL | TITLE } else { 0 };
            flags |= if is_ideograph(first) { WIDE } else { 0 };
        }
        let number = piece.sort == Sort::Number;
        flags |= if number || address { HARD } else { 0 };
        let word = if number { 0 } else { self.lexicon.vocabulary.id(text) };
        self.tokens.push(Token { start: piece.start, end: piece.end, word, flags });
    }

    fn mark(&mut self, piece: Piece, mark: u8) {
        match mark {
            b'.' if self.is_abbreviation(piece.start) => {}
            b'.' | b'!' => self.end_sentence(false),
            b'?' => self.end_sentence(true),
            _ => {
                let more = match mark {
                    b';' | b'-' => PARTS,
                    b':' => COLON,
                    b',' => COMMA,
                    _ => 0,
                };
                self.tokens.push(Token {
                    start: piece.start,
                    end: piece.end,
                    word: MARK_WORD,
                    flags: MARK | more,
                });
            }
        }
    }

    /// Whether a point at this byte belongs to `Dr.`, `J.` or `e.g.`.
    fn is_abbreviation(&self, at: usize) -> bool {
        let Some(token) = self.tokens[self.first..].last().filter(|token| token.end == at) else {
            return false;
        };
        if self.lexicon.parts(token.word, Spoken::ANY).has(Parts::ABBREVIATION) {
            return true;
        }
        let before = token.start.checked_sub(1).map(|i| self.text.as_bytes()[i]);
        let single = token.end - token.start == 1 && !token.is(HARD);
        single && (before == Some(b'.') || (token.is(CAPITAL) && before == Some(b' ')))
    }

    fn quotation(&mut self, piece: Piece, side: Side) {
        let straight = piece.end - piece.start == 1 && self.text.as_bytes()[piece.start] == b'\'';
        let curly = matches!(&self.text[piece.start..piece.end], "‘" | "’");
        let open = if straight || curly { &mut self.single } else { &mut self.quote };
        match side {
            Side::Either => toggle(open, &mut self.tokens, QUOTED),
            Side::Open => *open = Some(self.tokens.len()),
            Side::Close => {
                if open.is_some() {
                    toggle(open, &mut self.tokens, QUOTED);
                }
            }
        }
    }

    /// Ends the sentence where the line ends, if it does; says where to go on.
    fn newline(&mut self, next: usize) -> usize {
        let rest = &self.text[next..];
        let line = rest.trim_start_matches([' ', '\t', '\r']);
        let runs_on = line.chars().next().is_some_and(|c| c.is_lowercase() || c == ',')
            && !self.tokens.last().is_some_and(|token| token.is(COLON));
        if runs_on && !self.item {
            return next;
        }
        self.end_sentence(false);
        (self.quote, self.single, self.tick) = (None, None, None);
        if !line.starts_with(['\n', ' ']) {
            self.item = false;
        }
        self.line_start(next)
    }

    /// Steps over what may stand at the start of a line; takes a fenced block in as a whole.
    fn line_start(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let line = rest.trim_start_matches([' ', '\t', '>', '#', '\r']);
        let from = at + (rest.len() - line.len());
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)) {
            return self.block(from, fence);
        }
        match marker(line) {
            Some(length) => {
                self.item = true;
                from + length
            }
            None => from,
        }
    }

    fn block(&mut self, open: usize, fence: &str) -> usize {
        let body = self.text[open..].find('\n').map_or(self.text.len(), |i| open + i + 1);
        let close = self.text[body..].find(fence).map(|i| body + i);
        let after = close.map_or(self.text.len(), |i| i + fence.len());
        let first = self.tokens.is_empty() && self.sentences.is_empty();
        let alone = first && self.text[after..].trim_start().is_empty();
        if alone {
            // A text that is one block is a text: the closing fence has no words.
            return body;
        }
        self.end_sentence(false);
        let block = Some((body, close.unwrap_or(self.text.len())));
        self.sentences.push(Sentence {
            first: self.first,
            last: self.first,
            question: false,
            item: true,
            block,
        });
        after
    }

    fn end_sentence(&mut self, question: bool) {
        let last = self.tokens.len();
        if last == self.first {
            // `?!`, `...?`
            if question && let Some(sentence) = self.sentences.last_mut() {
                sentence.question = true;
            }
            return;
        }
        let sentence = Sentence { first: self.first, last, question, item: self.item, block: None };
        self.sentences.push(sentence);
        self.first = last;
    }

    /// Words that are all quoted are the text's own: the quotation marks stand around all of it, or it is JSON.
    fn unquote_all(&mut self) {
        let trimmed = self.text.trim_start();
        let structured = trimmed.starts_with('{') || trimmed.starts_with("[{") || trimmed.starts_with("[\"");
        let own = |token: &&Token| !token.any(QUOTED | MARK);
        if structured || self.tokens.iter().find(own).is_none() {
            for token in &mut self.tokens {
                token.flags &= !QUOTED;
            }
        }
    }
}

/// Opens a span, or closes it and marks its tokens.
fn toggle(open: &mut Option<usize>, tokens: &mut [Token], flag: u16) {
    match open.take() {
        None => *open = Some(tokens.len()),
        Some(first) => {
            for token in &mut tokens[first..] {
                token.flags |= flag;
            }
        }
    }
}

/// Bytes of the list marker that a line begins with: `- `, `* `, `• `, `3. `, `3) `.
fn marker(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    if matches!(first, '-' | '*' | '+' | '•' | '·' | '–' | '|') {
        let rest = &line[first.len_utf8()..];
        let bullet = rest.starts_with([' ', '\t']) || matches!(first, '•' | '|');
        return bullet.then(|| first.len_utf8());
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let marked = (1..=3).contains(&digits) && line[digits..].starts_with(['.', ')', '、', '．']);
    let mark = line[digits..].chars().next().map_or(0, char::len_utf8);
    let spaced = line[digits..].chars().nth(1).is_some_and(|c| c == ' ' || c == '*' || !c.is_ascii());
    (marked && spaced).then_some(digits + mark)
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::LEXICON;
    use super::*;

    fn sentences(text: &str) -> Vec<String> {
        let scan = scan(text, &LEXICON);
        let mut all = Vec::new();
        for sentence in &scan.sentences {
            let words: Vec<&str> = scan.tokens[sentence.first..sentence.last]
                .iter()
                .map(|token| &text[token.start..token.end])
                .collect();
            let mark = if sentence.question { "?" } else { "" };
            let item = if sentence.item { "* " } else { "" };
            all.push(format!("{item}{}{mark}", words.join(" ")));
        }
        all
    }

    #[test]
    fn points_of_abbreviations_end_nothing() {
        assert_eq!(
            sentences("Ask Dr. Ito, e.g. by mail. Or J. Roe?"),
            ["Ask Dr Ito , e g by mail", "Or J Roe?"]
        );
        assert_eq!(sentences("I can't. Sorry!"), ["I can t", "Sorry"]);
    }

    #[test]
    fn list_items_and_blocks_are_known() {
        let text = "I need:\n1. the number\n- **the date**\n\nThen this:\n```sh\nls -l\n```\nDone";
        let expected = ["I need :", "* the number", "* the date", "Then this :", "* ", "Done"];
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn a_soft_line_break_ends_nothing() {
        assert_eq!(sentences("I was not able\nto do it.\nSorry"), ["I was not able to do it", "Sorry"]);
    }

    #[test]
    fn quotations_are_marked_unless_they_are_everything() {
        let quoted = |text: &str| scan(text, &LEXICON).tokens.iter().filter(|t| t.is(QUOTED)).count();
        assert_eq!(quoted("He said “I cannot” there"), 2);
        assert_eq!(quoted("the list 'a b c' and users' things"), 3);
        assert_eq!(quoted("\"I cannot do it.\""), 0);
        assert_eq!(quoted("an \"open one"), 0);
    }

    #[test]
    fn wide_marks_part_sentences() {
        assert_eq!(sentences("哪一张？好。").len(), 2);
    }
}
