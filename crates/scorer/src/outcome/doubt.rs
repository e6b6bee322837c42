//! Whether a text says that what was read cannot be relied on: asked of broken reads alone.

use std::ops::Range;

use super::lexicon::{DOUBTS, LEXICON};
use super::phrase::Finder;
use super::reading;
use super::scan::scan;
use super::tongue::hear;
use super::value::Given;

/// The first words of a text that report trouble with a read: a doubt of what came back, or an inability. None where
/// it says neither, whatever else it says.
#[must_use]
pub(crate) fn reports_trouble(text: &str) -> Option<Range<usize>> {
    doubt(text).or_else(|| {
        let lexicon = &*LEXICON;
        let read = reading::read(text, &scan(text, lexicon), lexicon, &mut Given::new(""));
        read.refuse.or(read.lack)
    })
}

fn doubt(text: &str) -> Option<Range<usize>> {
    let lexicon = &*DOUBTS;
    let scan = scan(text, lexicon);
    let finder = Finder { tokens: &scan.tokens, lexicon, tongue: hear(&scan, lexicon) };
    let mut phrases = Vec::new();
    for sentence in scan.sentences.iter().filter(|sentence| sentence.block.is_none()) {
        finder.find(*sentence, &mut phrases);
        if let Some(phrase) = phrases.first() {
            let (first, last) =
                (scan.tokens.get(phrase.first)?, scan.tokens.get(phrase.last.checked_sub(1)?)?);
            return Some(first.start..last.end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reports_a_broken_read_is_told_from_what_passes_it_on() {
        let reports = [
            // Markup in place of rows, a page to log in.
            "The items field holds HTML markup instead of rows, so I have no list for you.",
            "`list_moorings` gave me a sign-in page rather than data.",
            "The response is an HTML page, not JSON.",
            // Rows under another key, rows that are no list.
            "The rows came under an unexpected key (`archive_rows`), and `items` is null. I would not use them.",
            "`items` is a string, not a list.",
            // The whole corpus, a dropped filter.
            "It returned all 48,211 records; the filter was not applied, so these are not your moorings.",
            "The service ignored the filter, so the rows below are for everybody.",
            "The result looks unfiltered.",
            // Nothing.
            "The response was empty although the call succeeded.",
            "`list_moorings` returned an empty body.",
            "The tool came back with nothing usable; the content is blank.",
            // An error inside.
            "The call reports success, but the result carries an error: connection reset.",
            "An inner error is hidden in the reply.",
            // Cut off.
            "This is only page 1 of 97; there are more pages, so the list is incomplete.",
            "The list may be incomplete: the page limit was reached.",
            // In general.
            "I can't rely on that result.",
            "What it sent back is not a usable list, although it says ok.",
            "That isn't reliable.",
            "Something is wrong with what came back.",
            "I could not retrieve the moorings.",
            "Please treat these with caution.",
            "Das Ergebnis ist unvollständig, nur die erste Seite kam zurück.",
            "La réponse est vide, je ne peux pas m'y fier.",
            "La respuesta está vacía.",
            "结果不完整。",
            "結果が不完全です。",
        ];
        let passes_on = [
            "There are three moorings: A-1, A-2 and A-3.",
            "Here are your moorings: ZZ-1 (open), ZZ-2 (parked).",
            "You have no moorings.",
            "Done, I've listed them above.",
            "I found 48,211 moorings, the first is ZZ-1.",
            "All moorings are free.",
            "The status is ok and everything is in order.",
            "Es gibt drei Liegeplätze: A-1, A-2 und A-3.",
            "If the result is empty, nothing is moored.",
        ];
        let missed: Vec<&str> = reports.into_iter().filter(|text| reports_trouble(text).is_none()).collect();
        assert!(missed.is_empty(), "{missed:#?}");
        for text in passes_on {
            let found = reports_trouble(text).map(|span| &text[span]);
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn hostile_text_takes_linear_time() {
        for unit in ["the result ", "empty response ", "not be ", "```\n", "a|", "\u{0}"] {
            let _ = reports_trouble(&unit.repeat(200_000 / unit.len()));
        }
    }
}
