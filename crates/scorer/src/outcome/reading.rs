//! Reads a scanned text sentence by sentence: which phrases stand where, what voids them, and which
//! stretches give a value. A *segment* is a sentence, or its part before or after a `but` or a dash; what is
//! said in one segment says nothing of another.

use std::ops::Range;

use super::lexicon::{Kind, Lexicon, Part};
use super::machine::Accept;
use super::scan::{CODE, MARK, QUOTED, Scan, Sentence, Token, View, WIDE};
use super::value::{Given, Value, block_gives, strongest};

/// Where a text shows what: bytes of the first place each.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// It is done.
    pub(super) claim: Option<Range<usize>>,
    /// Something was looked up.
    pub(super) report: Option<Range<usize>>,
    /// It cannot.
    pub(super) refuse: Option<Range<usize>>,
    /// It cannot yet, for want of something.
    pub(super) lack: Option<Range<usize>>,
    /// It asks.
    pub(super) ask: Option<Range<usize>>,
    /// A value that stands whatever else is said.
    pub(super) hard: Option<Range<usize>>,
    /// A value that is an answer only where nothing was refused or asked.
    pub(super) soft: Option<Range<usize>>,
    /// A statement or an instruction that gives something of its own.
    pub(super) statement: Option<Range<usize>>,
}

/// A set of kinds.
type Kinds = u16;

const fn bit(kind: Kind) -> Kinds {
    1 << kind as u16
}

/// Segments with one of these answer nothing.
const BARS: Kinds = bit(Kind::Refuse)
    | bit(Kind::Lack)
    | bit(Kind::Ask)
    | bit(Kind::Offer)
    | bit(Kind::Redirect)
    | bit(Kind::Advice)
    | bit(Kind::Aside);

/// A phrase found in a sentence.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    kind: Kind,
    first: usize,
    last: usize,
}

/// Reads a text.
pub(super) fn read<'g>(text: &str, scan: &Scan, lexicon: &Lexicon, given: &mut Given<'g>) -> Reading {
    let mut reader = Reader {
        text,
        scan,
        lexicon,
        given,
        names: names_show(scan, lexicon),
        phrases: Vec::with_capacity(16),
        lead: 0,
        reading: Reading::default(),
    };
    for sentence in &scan.sentences {
        reader.sentence(*sentence);
    }
    reader.reading
}

/// What a text's language allows to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// A capital shows a name.
    Shown,
    /// A capital shows nothing.
    Hidden,
    /// The language is none of ours: nothing is told from words.
    Unknown,
}

fn names_show(scan: &Scan, lexicon: &Lexicon) -> Names {
    let mut votes = [0_usize; 8];
    let mut words = 0;
    // Scripts without spaces are all known here, and have no capitals.
    for token in scan.tokens.iter().filter(|token| !token.any(MARK | CODE | WIDE)) {
        words += 1;
        let mut languages = lexicon.languages(token.word);
        while languages != 0 {
            votes[languages.trailing_zeros() as usize] += 1;
            languages &= languages - 1;
        }
    }
    let most = votes.iter().copied().max().unwrap_or(0);
    if words >= 8 && most * 10 < words {
        return Names::Unknown;
    }
    let capital =
        lexicon.capital_nouns.iter().zip(votes).any(|(&nouns, vote)| nouns && vote == most && most > 0);
    if capital { Names::Hidden } else { Names::Shown }
}

struct Reader<'r, 'g> {
    text: &'r str,
    scan: &'r Scan,
    lexicon: &'r Lexicon,
    given: &'r mut Given<'g>,
    names: Names,
    /// Phrases of the sentence at hand.
    phrases: Vec<Phrase>,
    /// What the line before a list says; its items are read under it.
    lead: Kinds,
    reading: Reading,
}

impl Reader<'_, '_> {
    fn sentence(&mut self, sentence: Sentence) {
        if let Some((start, end)) = sentence.block {
            self.block(start, end);
            return;
        }
        self.find_phrases(sentence);
        self.drop_ignored();
        let lead = if sentence.item { self.lead } else { 0 };
        let mut said = 0;
        let mut first = sentence.first;
        for at in sentence.first + 1..=sentence.last {
            if at == sentence.last || self.begins_segment(at) {
                said |= self.segment(sentence, first..at, lead);
                first = at;
            }
        }
        if !sentence.item {
            self.lead = if self.ends_with_colon(sentence) { said } else { 0 };
        }
    }

    fn ends_with_colon(&self, sentence: Sentence) -> bool {
        let token = self.scan.tokens[sentence.last - 1];
        token.is(MARK) && &self.text[token.start..token.end] == ":"
            || self.text[token.start..].starts_with('：')
    }

    fn begins_segment(&self, at: usize) -> bool {
        let token = self.scan.tokens[at];
        if token.is(MARK) {
            let mark = &self.text[token.start..token.end];
            return !matches!(
                mark,
                "," | "，" | "、" | "|" | ":" | "：" | "(" | ")" | "（" | "）" | "【" | "】"
            );
        }
        self.lexicon.plays(token.word, Part::Break)
    }

    /// Fills `phrases`: for each place the longest phrase that begins there and is not voided.
    fn find_phrases(&mut self, sentence: Sentence) {
        self.phrases.clear();
        let view = View { tokens: &self.scan.tokens, last: sentence.last };
        let mut before = Before { clause_start: true, negated: false, conditional: false, supposed: false };
        for at in sentence.first..sentence.last {
            let token = self.scan.tokens[at];
            if token.is(MARK) {
                before.new_clause();
                continue;
            }
            if !token.any(QUOTED | CODE) {
                let mut best: Option<Phrase> = None;
                self.lexicon.machine.walk(
                    &view,
                    &self.lexicon.vocabulary,
                    at,
                    before.clause_start,
                    &mut |accept, last| {
                        if self.stands(accept, last, sentence, before) {
                            let phrase =
                                Phrase { kind: Kind::ALL[usize::from(accept.kind)], first: at, last };
                            if best.is_none_or(|best| (last, best.kind) > (best.last, phrase.kind)) {
                                best = Some(phrase);
                            }
                        }
                    },
                );
                self.phrases.extend(
                    best.filter(|phrase| {
                        !before.voids(phrase.kind, sentence) && !self.denies_itself(*phrase)
                    }),
                );
            }
            before.step(token, self.lexicon);
        }
    }

    /// Whether a claim has a `not` between its own words.
    fn denies_itself(&self, phrase: Phrase) -> bool {
        let words = &self.scan.tokens[phrase.first..phrase.last];
        matches!(phrase.kind, Kind::Claim | Kind::Report)
            && words.iter().any(|token| self.lexicon.plays(token.word, Part::Negator))
    }

    fn stands(&self, accept: Accept, last: usize, sentence: Sentence, before: Before) -> bool {
        let ends = || last == sentence.last || self.scan.tokens[last].is(MARK) || self.begins_segment(last);
        (!accept.place.clause_start || before.clause_start)
            && (!accept.place.question || sentence.question)
            && (!accept.place.segment_end || ends())
    }

    fn drop_ignored(&mut self) {
        if self.phrases.iter().all(|phrase| phrase.kind != Kind::Ignore) {
            return;
        }
        let phrases = std::mem::take(&mut self.phrases);
        let mut until = 0;
        let mut kept: Vec<Phrase> = Vec::with_capacity(phrases.len());
        for phrase in phrases {
            if phrase.kind == Kind::Ignore {
                until = until.max(phrase.last);
                // What began earlier and runs into it; phrases are short, so this looks back a few steps.
                while kept.last().is_some_and(|earlier| earlier.last > phrase.first) {
                    kept.pop();
                }
            } else if phrase.first >= until {
                kept.push(phrase);
            }
        }
        self.phrases = kept;
    }

    /// Notes what one segment says; the kinds found in it.
    fn segment(&mut self, sentence: Sentence, tokens: Range<usize>, lead: Kinds) -> Kinds {
        let mut said = 0;
        let conditional = self.phrases.iter().any(|phrase| phrase.kind == Kind::Condition);
        // A question that is part of an offer asks nothing; one that leads into it does.
        let offer = self.phrases.iter().find(|phrase| phrase.kind == Kind::Offer).map(|phrase| phrase.first);
        let from = self.phrases.partition_point(|phrase| phrase.first < tokens.start);
        for index in from..self.phrases.len() {
            let phrase = self.phrases[index];
            if phrase.first >= tokens.end {
                break;
            }
            said |= bit(phrase.kind);
            let span = self.span(phrase.first..phrase.last);
            let reading = &mut self.reading;
            let slot = match phrase.kind {
                Kind::Claim => &mut reading.claim,
                Kind::Report => &mut reading.report,
                Kind::Refuse if conditional => &mut reading.lack,
                Kind::Refuse => &mut reading.refuse,
                Kind::Lack => &mut reading.lack,
                Kind::Ask if offer.is_none_or(|offer| phrase.first < offer) => &mut reading.ask,
                _ => continue,
            };
            slot.get_or_insert(span);
        }
        self.values(sentence, tokens, said | lead);
        said
    }

    /// Notes the value that one segment gives, if it may give one.
    fn values(&mut self, sentence: Sentence, tokens: Range<usize>, said: Kinds) {
        if sentence.question || (self.names == Names::Unknown && !self.is_field(sentence)) {
            return;
        }
        let refers = said & (BARS & !bit(Kind::Advice)) != 0;
        if refers {
            return;
        }
        let advice = said & bit(Kind::Advice) != 0;
        let slice = &self.scan.tokens[tokens.clone()];
        let shown = self.names == Names::Shown;
        let (value, index) = strongest(self.text, slice, shown, self.lexicon, self.given);
        let at = tokens.start + index;
        let span = self.span(at..at + 1);
        let presents = said & bit(Kind::Present) != 0;
        let reading = &mut self.reading;
        match value {
            _ if advice && value != Value::None => {
                reading.statement.get_or_insert(span);
            }
            Value::Hard => {
                reading.hard.get_or_insert(span);
            }
            Value::Soft if presents => {
                reading.hard.get_or_insert(span);
            }
            Value::Soft => {
                reading.soft.get_or_insert(span);
            }
            Value::None if said & bit(Kind::State) != 0 && !advice => {
                let span = self.span(tokens);
                self.reading.statement.get_or_insert(span);
            }
            Value::None => {}
        }
    }

    /// Whether a sentence reads `Name: value` or is the row of a table, in whatever language.
    fn is_field(&self, sentence: Sentence) -> bool {
        let tokens = &self.scan.tokens[sentence.first..sentence.last];
        let mark =
            |token: &Token, marks: &[char]| token.is(MARK) && self.text[token.start..].starts_with(marks);
        tokens.iter().take(5).any(|token| mark(token, &[':', '：']))
            || tokens.iter().any(|token| mark(token, &['|']))
    }

    fn block(&mut self, start: usize, end: usize) {
        if self.lead & (BARS & !bit(Kind::Advice)) != 0 || !block_gives(&self.text[start..end], self.given) {
            return;
        }
        let presents = self.lead & bit(Kind::Present) != 0 && self.lead & bit(Kind::Advice) == 0;
        let slot = if presents { &mut self.reading.hard } else { &mut self.reading.statement };
        slot.get_or_insert(start..end);
    }

    fn span(&self, tokens: Range<usize>) -> Range<usize> {
        self.scan.tokens[tokens.start].start..self.scan.tokens[tokens.end - 1].end
    }
}

/// What stands before a word in its sentence.
#[derive(Debug, Clone, Copy)]
struct Before {
    clause_start: bool,
    negated: bool,
    conditional: bool,
    supposed: bool,
}

impl Before {
    fn new_clause(&mut self) {
        (self.clause_start, self.negated, self.supposed) = (true, false, false);
    }

    fn step(&mut self, token: Token, lexicon: &Lexicon) {
        let word = token.word;
        if lexicon.plays(word, Part::Break) {
            self.new_clause();
            return;
        }
        self.clause_start = self.clause_start && lexicon.plays(word, Part::Lead);
        self.negated |= lexicon.plays(word, Part::Negator);
        let conditional = lexicon.plays(word, Part::Conditional);
        self.conditional |= conditional;
        self.supposed |= conditional;
    }

    fn voids(&self, kind: Kind, sentence: Sentence) -> bool {
        match kind {
            Kind::Claim | Kind::Report => self.negated || self.conditional || sentence.question,
            Kind::Refuse | Kind::Lack => self.supposed,
            _ => false,
        }
    }
}
