//! Phrases that allow a model to make things up.

mod lacking;

use std::ops::Range;
use std::sync::LazyLock;

use probes::TextFile;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::phrases::Phrases;
use crate::rule::{Check, Rule};
use crate::view::CatalogView;

pub(super) const RULE: Rule = Rule {
    name: "licence_to_improvise",
    severity: Severity::Warning,
    summary: "A prompt or a description allows the model to guess, to make values up, or never to say no.",
    page: include_str!("licence_to_improvise.md"),
    checks: &[Check::Prompt(prompt), Check::Catalog(descriptions)],
};

/// Said anywhere, they allow it.
const ANYWHERE: &[&str] = &[
    "(?:be|get|become) (?:as |more |very )?(?:resourceful|creative|inventive|imaginative|proactive and creative)",
    "think (?:outside (?:of )?the box|creatively)",
    "improvise",
    "use your (?:own |best |better )?(?:judgement|judgment|imagination|intuition|creativity)",
    "(?:do|use|try) (?:whatever|anything|everything) (?:it takes|is (?:necessary|needed|required)|you (?:can|must|need|have to))",
    "whatever it takes",
    "(?:by any means|at all costs|no matter what)",
    "find (?:a|another|some|your own) way",
    "figure (?:it|things|something) out",
    "make (?:reasonable|sensible|plausible|educated|informed|smart|your own|some|an?|your best)(?: (?:reasonable|educated|informed|sensible|plausible|good|best))? (?:assumptions?|guess(?:es)?)",
    "(?:take|make|give|use|provide) (?:your|a|the) best guess",
    "best guess",
    "fill in (?:any |the |all |every |some )?(?:missing|gaps?|blanks?|unknown|remaining|plausible|reasonable|rest)",
    "fill (?:any |the )?(?:gaps|blanks)",
    "(?:never|don't|do not|must not|should not|avoid) (?:ever )?(?:(?:refus(?:e|ing)|declin(?:e|ing)) (?:an?|any|the|to (?:help|do|act|answer|assist|try|fulfil+|carry|execute|perform|complete)|anything|anyone|users?|customers?|requests?|tasks?|service|them|him|her|it)|say no|saying no|give up|giving up|say (?:that )?(?:you|it) (?:can't|cannot|are unable|is not possible|isn't possible)|admit|tell (?:the |your |our )?\\w+ (?:that )?(?:you (?:can't|cannot|are unable|do not|don't)|no\\b|something is impossible)|leave (?:the |a |any )?(?:user|customer|field|argument|parameter|request)s? (?:unanswered|empty|blank|unfulfilled|without))",
    "(?:never|don't|do not|without|avoid|no need to|instead of) (?:ever )?(?:ask|asking|bother|bothering)(?: (?:the |your |our )?\\w+)?(?: (?:back|again|to clarify|clarifying|for (?:clarification|more (?:information|details?)|missing \\w+|further \\w+|details?|confirmation|additional \\w+)|with (?:questions?|follow[- ]ups?)|(?:any )?(?:clarifying |follow[- ]up |further |more )?questions?))",
    "(?:invent|make up|fabricate|come up with|create|use|supply|pick|choose) (?:an? |some |any )?(?:plausible|reasonable|sensible|realistic|suitable|placeholder|likely|made[- ]up|fake|dummy|default)(?: \\w+)? ?(?:values?|ids?|identifiers?|numbers?|data|details?|ones?|answers?|names?|dates?|addresses?|results?)",
    "(?:never|don't|do not|must not|avoid) (?:ever )?(?:refuse|refusing|decline|declining)[.,;!:]",
    "(?:never|don't|do not|must not|should not|under no circumstances) (?:ever )?(?:say|tell|admit|respond|reply|answer|come back|mention|reveal|let)\\b[^.!?\\n]{0,40}?(?:impossible|not possible|isn't possible|can't|cannot|could not|couldn't|unable|not able to|limitations?|(?:tool|function|feature|capability) (?:is|does) (?:missing|not there|not exist|unavailable|not available|lacking))",
    "no,?(?:\\x22|\\x{201d})?,? is (?:not|never) an (?:answer|option)",
    "failure is (?:not|never) an option",
    "(?:always|must) (?:find|give|provide|produce|have|return|come up with) (?:an?|some|the) (?:answers?|solutions?|results?|responses?|ways?)",
    "always (?:succeed|complete the (?:task|request)|find a way|get it done|fulfil+ (?:the |every )?request|say yes)",
    "(?:pretend|act as if|act as though)",
    "as if (?:it|they|the (?:call|tool|action)) (?:had )?(?:worked|succeeded|went through|were there|existed)",
    "(?:try|use|call) (?:a|another|any|the (?:closest|nearest|next best)|some other|the most) (?:similar|close|related|closest|plausible|likely|other|similar[- ]sounding)? ?(?:tool|function|name)s? (?:that|which|instead|with|you think|name|by|might|may|could)",
    "(?:closest|nearest|most similar) (?:tool|function|match)",
    "(?:if|when) (?:in doubt|unsure|uncertain)[^.\\n]{0,40}?(?:guess|assume|go ahead|just (?:do|try|proceed)|proceed|act)",
    "fill (?:it|them|that|those|this|the field|fields)(?: in)? with (?:an? |some |the )?(?:sensible|plausible|reasonable|default|placeholder|likely|typical|best)",
    "(?:instead of|rather than|without|over) (?:asking|bothering|checking|consulting|clarifying)(?: (?:with )?(?:the |your |our )?(?:users?|customers?|callers?|clients?|guests?|persons?|people|anyone|anybody|them|him|her|back|first))? for (?:an? |any )?(?:confirmation|clarification|permission|approval|more|missing|details|further)",
    "(?:instead of|rather than|without|over) (?:asking|bothering|checking|consulting|clarifying)(?: (?:with )?(?:the |your |our )?(?:users?|customers?|callers?|clients?|guests?|persons?|people|anyone|anybody|them|him|her|back|first))?[.,;!:\\n]",
    "(?:don't|do not|never|no need to) (?:wait|stop|pause) (?:for|to (?:get|ask for)) (?:an? |any |the )?(?:\\w+ )?(?:confirmation|clarification|approval|permission|details|answers?)",
    "without (?:any |further )?(?:clarification|confirmation)",
    "(?:pick|choose|use|take|supply|send|enter|insert|put in|put|fill (?:\\w+ ){1,5}with) something (?:sensible|plausible|reasonable|suitable|likely|similar|realistic|close|appropriate)",
    "even (?:if|when) you (?:are (?:not sure|unsure|uncertain)|aren't sure|have to|must|don't know|do not know|lack|have no)",
    "(?:tell|assure|inform) (?:the |your |our )?\\w+(?: that)? (?:it|everything|all|the \\w+) (?:has )?(?:worked|succeeded|went through|went well|is done|was successful|is fine|is taken care of)",
    "(?:always|just|simply) (?:report|say|tell|confirm|claim|assure|state|answer|reply)(?: (?:the|your|our|a|that|customers?|users?|callers?|clients?|guests?|matters?|requests?|issues?|everything|all|it|tasks?|orders?|jobs?|actions?|them|him|her|cases?|problems?)){0,7}? (?:has been |have been |has |was |were |is |are |been )*(?:dealt with|done|taken care of|completed?|successful|resolved|solved|sorted|fixed|handled|worked|succeeded)",
    "(?:report|claim|confirm) (?:success|that it worked)",
    "never (?:tell|say|admit|let)(?: (?:the |your |our )?\\w+)?(?: know)?(?: that)? (?:you (?:don't|do not|can't|cannot|lack|failed)|(?:something|anything|it|a \\w+) (?:is (?:not|im)|isn't|cannot|can't|failed))",
];

/// Of a model they allow it; of a tool they describe what it does.
const OF_THE_MODEL: &[&str] = &[
    "guess(?: \\w+){0,3}?",
    "assume (?:a|an|the|any|that|missing|reasonable|sensible|default|what|it|values?|sensible)",
    "infer (?:any |the |all )?(?:missing|absent|unknown|omitted|remaining|whatever)(?: \\w+)?",
    "(?:invent|fabricate|make up|make one up|make something up|make it up|make them up)",
    "work around (?:it|this|that|the|any|missing)",
    "take (?:the )?initiative",
    "rely on your (?:own )?(?:knowledge|memory|training)",
];

/// Behind a phrase they make it harmless: it is about the tone, or waits for what happened.
const HARMLESS: &[&str] = &[
    "in tone",
    "in style",
    "in wording",
    "in your wording",
    "with words",
    "about tone",
    "about style",
    "about wording",
    "about length",
    "to say ",
    "to put ",
    "to phrase ",
    "to word ",
    "before ",
    "only if",
    "only when",
    "only once",
    "only after",
    "once ",
    "unless ",
    "until ",
];

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(ANYWHERE, OF_THE_MODEL, HARMLESS));

fn prompt(prompt: &TextFile, _: &[&CatalogView<'_>], findings: &mut Findings<'_>) {
    let mut found = PHRASES.in_prompt(prompt.text());
    let said = |range: &Range<usize>| found.iter().any(|(other, _)| overlaps(other, range));
    let more: Vec<_> =
        lacking::in_prompt(prompt.text()).into_iter().filter(|(range, _)| !said(range)).collect();
    found.extend(more);
    for (range, phrase) in found {
        let message = format!("the prompt allows to make things up: `{phrase}`");
        let help = "say what to do instead: ask for what is missing, and say what cannot be done; `resourceful` probes measure what such words do";
        findings.push(&[], prompt.at(range, message).help(help));
    }
}

fn overlaps(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

fn descriptions(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for tool in &catalog.tools {
        let Some(phrase) = PHRASES.in_description(&tool.description) else { continue };
        let message = format!("the description of {} allows to make things up: `{phrase}`", tool.shown());
        let help = "say what to do where a value is missing";
        findings.push(&[tool.name], tool.at_description(message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn every_pattern_is_one() {
        for pattern in ANYWHERE.iter().chain(OF_THE_MODEL) {
            let _ = text::pattern(&[pattern]);
        }
    }
}
