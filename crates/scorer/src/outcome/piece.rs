//! Cuts text into pieces: words, numbers and the marks that part sentences. One pass, no look-up, no copy.
//! Texts, the user's words and the phrases of a lexicon go through the same cut, so that `can't` meets
//! `can’t` and `real-time` meets `real time`.

/// One piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// First byte.
    pub(super) start: usize,
    /// The byte after the last.
    pub(super) end: usize,
    /// What it is.
    pub(super) sort: Sort,
}

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Letters; one character in scripts that put no spaces between words.
    Word,
    /// A word with a digit in it: `49.90`, `SK123`, `7pm`.
    Number,
    /// A mark that parts clauses or sentences, in its ASCII form: one of `, ; : . ! ? ( ) -`.
    Mark(u8),
    /// A double quotation mark of any script, or a single one that opens or closes.
    Quote(Side),
    /// A backtick.
    Tick,
    /// An at sign, as in an address.
    At,
    /// The end of a line.
    Newline,
}

/// Which way a quotation mark looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// It opens.
    Open,
    /// It closes.
    Close,
    /// The straight mark, which does either.
    Either,
}

/// The pieces of a text, in order.
pub(super) struct Pieces<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Pieces<'t> {
    /// Starts at the first byte.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Goes on at this byte, which must begin a character.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
    }

    fn piece(&mut self, length: usize, sort: Sort) -> Piece {
        let start = self.at;
        self.at += length;
        Piece { start, end: self.at, sort }
    }

    /// A word or number from here on; `start` is where it begins.
    fn word(&mut self) -> Piece {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut end = start;
        let mut digits = false;
        while let Some(&byte) = bytes.get(end) {
            let class = CLASS[usize::from(byte)];
            if class & WORD != 0 {
                digits |= class & DIGIT != 0;
                end += 1;
            } else if byte >= 0x80 {
                let Some(letter) = self.text[end..].chars().next() else { break };
                if !is_letter(letter) || is_ideograph(letter) {
                    break;
                }
                end += letter.len_utf8();
            } else if matches!(byte, b'.' | b',' | b':' | b'/') && between_digits(bytes, end) {
                end += 1;
            } else {
                break;
            }
        }
        self.at = end;
        Piece { start, end, sort: if digits { Sort::Number } else { Sort::Word } }
    }

    /// A mark of ASCII, or nothing where it is no boundary.
    fn ascii_mark(&mut self, byte: u8) -> Option<Piece> {
        let bytes = self.text.as_bytes();
        let next = bytes.get(self.at + 1).copied();
        let sort = match byte {
            b'\n' => Sort::Newline,
            b'`' => Sort::Tick,
            b'@' => Sort::At,
            b'"' => Sort::Quote(Side::Either),
            b'\'' => return self.apostrophe(1),
            b',' | b';' | b'(' | b')' => Sort::Mark(byte),
            b'|' => Sort::Mark(b','),
            // A point inside a name or an address is none: `v2.beta`, `http://`, `?page=2`.
            b'.' | b':' | b'!' | b'?' if !continues(next) => Sort::Mark(byte),
            b'-' if self.is_dash(next) => Sort::Mark(b'-'),
            _ => {
                self.at += 1;
                return None;
            }
        };
        Some(self.piece(1, sort))
    }

    fn is_dash(&self, next: Option<u8>) -> bool {
        let before = self.at.checked_sub(1).and_then(|i| self.text.as_bytes().get(i));
        next == Some(b'-') || (before == Some(&b' ') && next == Some(b' '))
    }

    /// A single mark: nothing inside a word, else an opening or a closing quotation mark.
    fn apostrophe(&mut self, length: usize) -> Option<Piece> {
        let before = self.text[..self.at].chars().next_back().is_some_and(char::is_alphanumeric);
        let after = self.text[self.at + length..].chars().next().is_some_and(char::is_alphanumeric);
        match (before, after) {
            (false, true) => Some(self.piece(length, Sort::Quote(Side::Open))),
            (_, false) => Some(self.piece(length, Sort::Quote(Side::Close))),
            (true, true) => {
                self.at += length;
                None
            }
        }
    }

    fn wide(&mut self) -> Option<Piece> {
        let letter = self.text[self.at..].chars().next()?;
        let length = letter.len_utf8();
        let sort = match letter {
            '’' | '‘' | 'ʼ' | '´' => return self.apostrophe(length),
            '“' | '„' | '«' | '「' | '『' | '《' | '‹' => Sort::Quote(Side::Open),
            '”' | '»' | '」' | '』' | '》' | '›' => Sort::Quote(Side::Close),
            '，' | '、' => Sort::Mark(b','),
            '。' | '…' | '।' | '．' => Sort::Mark(b'.'),
            '！' => Sort::Mark(b'!'),
            '？' | '؟' => Sort::Mark(b'?'),
            '：' => Sort::Mark(b':'),
            '；' => Sort::Mark(b';'),
            '（' | '【' => Sort::Mark(b'('),
            '）' | '】' => Sort::Mark(b')'),
            '—' | '–' => Sort::Mark(b'-'),
            '\u{2028}' | '\u{2029}' | '\u{85}' => Sort::Newline,
            _ if is_ideograph(letter) => Sort::Word,
            _ if is_letter(letter) => return Some(self.word()),
            _ => {
                self.at += length;
                return None;
            }
        };
        Some(self.piece(length, sort))
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            if byte == b' ' {
                self.at += 1;
            } else if CLASS[usize::from(byte)] & WORD != 0 {
                // Underscores around a word are emphasis.
                while self.text.as_bytes().get(self.at) == Some(&b'_') {
                    self.at += 1;
                }
                let word = self.word();
                if word.end > word.start {
                    return Some(trim_underscores(self.text, word));
                }
            } else {
                let piece = if byte < 0x80 { self.ascii_mark(byte) } else { self.wide() };
                if piece.is_some() {
                    return piece;
                }
            }
        }
        None
    }
}

const WORD: u8 = 1;
const DIGIT: u8 = 2;

/// By byte: whether it belongs to a word, and is a digit.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let letter = byte as u8;
        if letter.is_ascii_alphabetic() || letter == b'_' {
            class[byte] = WORD;
        } else if letter.is_ascii_digit() {
            class[byte] = WORD | DIGIT;
        }
        byte += 1;
    }
    class
};

fn trim_underscores(text: &str, mut word: Piece) -> Piece {
    while word.end > word.start && text.as_bytes()[word.end - 1] == b'_' {
        word.end -= 1;
    }
    word
}

fn between_digits(bytes: &[u8], at: usize) -> bool {
    at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
}

/// Whether a point before this byte is inside something.
fn continues(next: Option<u8>) -> bool {
    next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'=' | b'&'))
}

/// Letters, and the accents that stand as characters of their own.
fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '\u{300}'..='\u{36f}')
}

/// Characters of scripts that are written without spaces between words.
pub(super) fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Pieces::new(text).map(|piece| &text[piece.start..piece.end]).collect()
    }

    #[test]
    fn apostrophes_part_words_whatever_their_shape() {
        assert_eq!(words("can't"), ["can", "t"]);
        assert_eq!(words("can’t"), ["can", "t"]);
        assert_eq!(words("'quoted'"), ["'", "quoted", "'"]);
    }

    #[test]
    fn points_inside_names_and_numbers_are_no_boundaries() {
        assert_eq!(words("v2.3.1 at a.example/x?y=1."), ["v2.3.1", "at", "a", "example", "x", "y", "1", "."]);
        assert_eq!(words("1,024 at 9:30"), ["1,024", "at", "9:30"]);
    }

    #[test]
    fn emphasis_vanishes_and_snake_case_stays() {
        assert_eq!(words("**cannot** _do_ get_invoice"), ["cannot", "do", "get_invoice"]);
    }

    #[test]
    fn ideographs_stand_alone() {
        assert_eq!(words("无法，好"), ["无", "法", "，", "好"]);
        assert_eq!(words("Größe"), ["Größe"]);
    }

    #[test]
    fn any_bytes_end() {
        for text in ["", "_", "___", "'", "’", "`", "\u{300}", "\u{feff}x", "a\u{0}b"] {
            assert!(Pieces::new(text).count() <= text.len());
        }
    }
}
