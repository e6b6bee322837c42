//! What a prompt tells the model to do where something is missing, fails or does not fit, other than to ask or to say
//! so. Each of these deeds is harmless by itself: it counts beside words that something lacks.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::rule::phrases::on_one_line;
use crate::text::{pattern, said, sentence};

/// That something lacks, fails or does not fit.
static LACK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "missing",
        "absent",
        "unknown",
        "unclear",
        "unspecified",
        "unavailable",
        "omit(?:s|ted)?",
        "incomplete",
        "not (?:given|provided|specified|known|stated|listed|found|available|there|sure|clear|exist|fit|in the list)",
        "isn't (?:given|provided|specified|known|stated|listed|found|available|there|clear|in the list)",
        "(?:gives?|gave|given|provides?|provided|says?|said|has|have|returns?|finds?|is|are) (?:no|none)",
        "no (?:tool|function|value|match|result|\\w+ (?:fits|given|provided|specified))",
        "(?:do|does|did)(?:n't| not) (?:know|say|give|provide|specify|have|mention|exist|fit|tell|state)",
        "leaves? (?:\\w+ ){0,3}?(?:out|blank|empty|open)",
        "lack(?:s|ing)?",
        "in doubt",
        "unsure",
        "uncertain",
        "fail(?:s|ed|ing)?",
        "falls? short",
        "stuck",
    ])
});

/// What to do then, and is made up.
static DEED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "(?:use|take|pick|choose|select|supply|provide|insert|enter|put|set|go with|apply|fill|write)(?: (?:it|them|that|this|in|to|the|an?|some|any|one|with|most|more|value|values)){0,4} (?:sensible|plausible|reasonable|likely|probable|suitable|typical|placeholder|dummy|realistic|common|obvious|similar|closest|nearest|next best)(?: \\w+)?",
        "(?:supply|use|provide|choose|pick|make up|enter) your own",
        "(?:choose|pick|set|supply|fill)(?: \\w+){1,4} yourself",
        "(?:estimate|deduce|infer|extrapolate|approximate) (?:it|them|one|that|the|an?|what|anything|whatever|from|missing)",
        "try (?:other|another|different|alternative|any other|every other|every|all other|some other|all)(?: \\w+)? ?(?:tools?|functions?|names?|alternatives|options|spellings?)",
        "try alternatives",
        "(?:one|tool|function|thing) (?:that|which) (?:comes|is) (?:the )?(?:closest|nearest|most similar)",
        "the (?:one|tool|function) (?:closest|nearest|most similar)",
        "(?:call|try|use|run|do|send) (?:it|them|one) (?:anyway|all the same|nonetheless|regardless)",
        "(?:go ahead|proceed|carry on|continue) (?:anyway|regardless|all the same|nonetheless)",
        "(?:try|use|call|guess) (?:the|a) name (?:that |which )?(?:it|such a tool|you) (?:would|might|should|think|expect)",
        "come up with (?:one|something|an?|the|your)",
    ])
});

/// Deeds for what the user leaves out, whatever else the sentence says.
static UNSAID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&["(?:infer|deduce|extrapolate) (?:anything|everything|whatever|all)(?: \\w+){0,4}"])
});

/// Each such deed in a prompt: its bytes, and its words on one line.
pub(super) fn in_prompt(text: &str) -> Vec<(Range<usize>, String)> {
    let lacks = |range: &Range<usize>| {
        let (start, sentence) = sentence(text, range);
        let (from, to) = (range.start - start, range.end - start);
        LACK.find_iter(sentence).any(|lack| lack.start() >= to || lack.end() <= from)
    };
    let mut found = said(&DEED, text);
    found.retain(lacks);
    for unsaid in said(&UNSAID, text) {
        if found.iter().all(|other| !super::overlaps(other, &unsaid)) {
            found.push(unsaid);
        }
    }
    found.sort_by_key(|range| range.start);
    found.into_iter().map(|range| (range.clone(), on_one_line(text, range))).collect()
}
