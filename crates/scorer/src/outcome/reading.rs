//! Reads a scanned text sentence by sentence: which phrases stand where, what voids them, and which
//! stretches give a value. A *segment* is a sentence, or its part before or after a `but` or a dash; what is
//! said in one segment says nothing of another.

use std::ops::Range;

use super::lexicon::{Kind, Lexicon};
use super::phrase::{Finder, Phrase};
use super::scan::{COLON, COMMA, MARK, Scan, Sentence, Token};
use super::tongue::hear;
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

/// What holds for all segments of a sentence.
#[derive(Debug, Clone, Copy)]
struct Whole {
    /// No value shows here: it is a question, or in a language that is none of ours.
    silent: bool,
    /// An inability in it hangs on something.
    conditional: bool,
    /// Where an offer begins. A question that is part of one asks nothing; one that leads into it does.
    offer: Option<usize>,
    /// What the line before the list says.
    lead: Kinds,
}

/// Reads a text.
pub(super) fn read(text: &str, scan: &Scan, lexicon: &Lexicon, given: &mut Given<'_>) -> Reading {
    let mut reader = Reader {
        text,
        finder: Finder { tokens: &scan.tokens, lexicon, tongue: hear(scan, lexicon) },
        given,
        phrases: Vec::with_capacity(16),
        lead: None,
        reading: Reading::default(),
    };
    for sentence in &scan.sentences {
        reader.sentence(*sentence);
    }
    reader.reading
}

/// Whether an offer or a question stands in a scanned text.
pub(super) fn offers(scan: &Scan, lexicon: &Lexicon) -> bool {
    let finder = Finder { tokens: &scan.tokens, lexicon, tongue: hear(scan, lexicon) };
    let mut phrases = Vec::new();
    scan.sentences.iter().filter(|sentence| sentence.block.is_none()).any(|sentence| {
        finder.find(*sentence, &mut phrases);
        phrases.iter().any(|phrase| matches!(phrase.kind, Kind::Offer | Kind::Ask))
    })
}

struct Reader<'r, 'g> {
    text: &'r str,
    finder: Finder<'r>,
    given: &'r mut Given<'g>,
    /// Phrases of the sentence at hand.
    phrases: Vec<Phrase>,
    /// What the line that leads up to a list says; its items are read under it.
    lead: Option<Kinds>,
    reading: Reading,
}

impl Reader<'_, '_> {
    fn sentence(&mut self, sentence: Sentence) {
        if let Some((start, end)) = sentence.block {
            self.block(start, end);
            return;
        }
        self.finder.find(sentence, &mut self.phrases);
        let whole = Whole {
            silent: sentence.question || !(self.finder.tongue.known || self.is_field(sentence)),
            conditional: self.phrases.iter().any(|phrase| self.finder.is_condition(phrase)),
            offer: self.phrases.iter().find(|phrase| phrase.kind == Kind::Offer).map(|phrase| phrase.first),
            lead: if sentence.item { self.lead.unwrap_or(0) } else { 0 },
        };
        let concedes = self.finder.concedes(sentence);
        let begins = |finder: &Finder<'_>, at: usize| {
            finder.begins_segment(at) || (concedes && finder.tokens[at].is(COMMA))
        };
        let mut said = 0;
        let mut first = sentence.first;
        for at in sentence.first + 1..=sentence.last {
            if at == sentence.last || begins(&self.finder, at) {
                said |= self.segment(whole, first..at);
                first = at;
            }
        }
        if !sentence.item {
            let leads = self.finder.tokens[sentence.last - 1].is(COLON);
            self.lead = leads.then_some(said);
        }
    }

    /// Notes what one segment says; the kinds found in it.
    fn segment(&mut self, whole: Whole, tokens: Range<usize>) -> Kinds {
        let mut said = 0;
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
                Kind::Refuse if whole.conditional => &mut reading.lack,
                Kind::Refuse => &mut reading.refuse,
                Kind::Lack => &mut reading.lack,
                Kind::Ask if whole.offer.is_none_or(|offer| phrase.first < offer) => &mut reading.ask,
                _ => continue,
            };
            slot.get_or_insert(span);
        }
        if !whole.silent {
            self.values(tokens, said | whole.lead);
        }
        said
    }

    /// Notes the value that one segment gives, if it may give one.
    fn values(&mut self, tokens: Range<usize>, said: Kinds) {
        let refers = said & (BARS & !bit(Kind::Advice)) != 0;
        if refers {
            return;
        }
        let advice = said & bit(Kind::Advice) != 0;
        let slice = &self.finder.tokens[tokens.clone()];
        let (value, index) = strongest(self.text, slice, self.finder.lexicon, self.finder.tongue, self.given);
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

    /// Whether a sentence reads `Name: value`, is the row of a table, or an item that a line led up to, in
    /// whatever language.
    fn is_field(&self, sentence: Sentence) -> bool {
        let tokens = &self.finder.tokens[sentence.first..sentence.last];
        let cell = |token: &Token| token.is(MARK) && self.text.as_bytes()[token.start] == b'|';
        (sentence.item && self.lead.is_some())
            || tokens.iter().take(5).any(|token| token.is(COLON))
            || tokens.iter().any(cell)
    }

    fn block(&mut self, start: usize, end: usize) {
        let lead = self.lead.unwrap_or(0);
        if lead & (BARS & !bit(Kind::Advice)) != 0 || !block_gives(&self.text[start..end], self.given) {
            return;
        }
        let presents = lead & bit(Kind::Present) != 0 && lead & bit(Kind::Advice) == 0;
        let slot = if presents { &mut self.reading.hard } else { &mut self.reading.statement };
        slot.get_or_insert(start..end);
    }

    fn span(&self, tokens: Range<usize>) -> Range<usize> {
        self.finder.tokens[tokens.start].start..self.finder.tokens[tokens.end - 1].end
    }
}
