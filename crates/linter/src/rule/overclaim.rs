//! Phrases that promise more than any catalog holds.

use std::ops::Range;
use std::sync::LazyLock;

use probes::TextFile;
use regex::Regex;

use crate::Severity;
use crate::finding::Findings;
use crate::rule::phrases::Phrases;
use crate::rule::{Check, Rule};
use crate::text::{pattern, sentence};
use crate::view::CatalogView;

pub(super) const RULE: Rule = Rule {
    name: "overclaim",
    severity: Severity::Warning,
    summary: "A prompt or a description promises more than the catalog holds.",
    page: include_str!("overclaim.md"),
    checks: &[Check::Prompt(prompt), Check::Catalog(descriptions)],
};

/// Said anywhere, they promise too much.
const ANYWHERE: &[&str] = &[
    "(?:full|complete|comprehensive|entire|extensive|whole|vast) (?:suite|toolkit|toolset|tool set|toolbox|arsenal|gamut)",
    "(?:full|complete|comprehensive|entire|extensive|vast|unlimited) (?:set|range|array|spectrum|collection|list) of (?:\\w+[ -]){0,2}?(?:tools|capabilities|functions|apis|actions|integrations|services|operations|features)",
    "everything (?:that )?(?:you|they|anyone|the user|users?|customers?|people)(?: \\w+)? (?:could|may|might|will|would|ever)? ?(?:needs?|wants?|asks?)",
    "every(?: single)? (?:tool|action|operation|system|api|capability) (?:that )?(?:you|they|anyone|the user|users?|customers?)",
    "(?:anything|whatever) (?:that )?(?:the |a |any |your )?(?:you|they|anyone|someone|somebody|people|users?|customers?|callers?|clients?) (?:may |might |could |can |ever )?(?:asks?|needs?|wants?|requests?|requires?|throws?)",
    "all the tools (?:that )?(?:you|they)",
    "all[- ]in[- ]one",
    "(?:unlimited|limitless|unrestricted|total) (?:access|power|powers|capabilities|authority|possibilities|control)",
    "(?:full|complete) (?:access|control|authority) (?:to|over|of) (?:all|every|everything|any|the (?:entire|whole))",
    "access to (?:everything|anything)",
    "(?:no|without(?: any)?) (?:limits|limitations|restrictions|boundaries)",
    "nothing (?:is )?(?:beyond|you (?:can't|cannot)|that you (?:can't|cannot)|is impossible|is off[- ]limits)",
    "(?:all[- ]powerful|omnipotent|omniscient|all[- ]knowing)",
    "fully equipped",
    "(?:can|could|able to|capable of) (?:do|doing|handle|handling|solve|solving|fix|fixing|answer|answering|manage|managing|perform|performing|accomplish|accomplishing|complete|completing|fulfil|fulfill) (?:just about |absolutely |almost )?(?:anything|everything|it all|all of it|all requests|all tasks)",
    "does (?:it all|everything|anything)",
    "(?:connected|linked|hooked up|plugged in) (?:in)?to (?:every|all|any)(?: (?:of|the|our|company|internal|single)){0,3} (?:\\w+ )?(?:systems?|services?|databases?|tools?|apis?|platforms?)",
    "(?:keys?|access|rights|permissions?) (?:to|on|for|over) (?:every(?: single)?|all|any)(?: (?:of|the|our|company|internal)){0,3} (?:\\w+ )?(?:systems?|services?|databases?|tools?|apis?|platforms?)",
    "(?:rights|permissions?|keys?|powers?) (?:to|on|for|over) (?:everything|anything)",
    "(?:tools?|toolset|toolkit|toolbox|functions|capabilities) (?:that |which )?(?:can )?(?:covers?|includes?|handles?|supports?|spans?|offers?|provides?) (?:everything|anything|every|any (?:and|task|need|request|situation|case)|all (?:aspects|areas|kinds|sorts|types|needs|cases))",
    "tools? (?:for|to (?:handle|solve|do|meet|cover)|that (?:handle|solve|meet|do)) (?:everything|anything|(?:every|any|all)(?: \\w+)? (?:situations?|cases?|tasks?|needs?|requests?|purposes?|occasions?|problems?|eventualit(?:y|ies)|jobs?))",
    "(?:capabilities|abilities|powers?|access|authority|tools|toolset) (?:is|are|has|have) (?:virtually |practically )?(?:unlimited|limitless|endless|unrestricted|all-encompassing|no limits?)",
    "no (?:request|task|problem|challenge|issue|job) (?:is|can be) (?:beyond|too (?:big|hard|complex|difficult)|impossible|out of)",
    "let(?:s|ting)? you (?:do|handle|solve|manage) (?:anything|everything|(?:any|every) \\w+)",
    "any (?:task|request|problem|wish|order|job)(?: \\w+){0,5}? can be (?:done|solved|handled|fulfilled|carried out|met|completed)",
    "(?:equipped|provided|armed|furnished) with (?:everything|anything|all (?:the )?tools)",
    "everything (?:that is |that's )?(?:required|needed|necessary)",
    "(?:help|assist|assisting|helping)(?: (?:the |your |our )?(?:users?|customers?|them|people|clients?|anyone))? with (?:anything|everything)",
];

/// `any` and `every` promise too much where they say what the model itself can do.
const OF_THE_MODEL: &[&str] = &[
    "(?:you|and) (?:can|may|could|will|are able to|are equipped to|are (?:fully |perfectly |quite |more than )?(?:capable of|able to)|have the (?:power|ability|tools?|means) to|know how to)(?: \\w+){0,5}? (?:any|every|all)(?: (?:and all|and every|kinds? of|sorts? of|types? of|possible|of the|of their))?(?: \\w+){0,2}? (?:tasks?|requests?|actions?|operations?|questions?|problems?|issues?|jobs?|needs?|inquir(?:y|ies)|quer(?:y|ies)|systems?|services?|situations?|things?|data|databases?|records?)",
    "you have (?:full |complete |direct )?access to (?:any|every|all)(?: the| of the| our| company)?(?: \\w+){0,2}? (?:tools?|systems?|services?|databases?|data|apis?|functions?|records?|accounts?|information)",
    "(?:full|complete) access to (?:\\w+ ){0,3}?(?:systems?|databases?|accounts?|data|records?|platforms?|apis?|backend|back end)",
    "you have (?:all|every)(?: the| of the)?(?: \\w+){0,2}? (?:tools?|functions?|capabilit(?:y|ies)|powers?)",
];

/// Behind a phrase they say which tools are meant, and that those are there.
const POINTING: &[&str] = &[
    "else",
    "below",
    "the tools",
    "your tools",
    "these tools",
    "that the tools",
    "that your tools",
    "listed",
    "in this",
    "in the list",
    "offered",
    "described",
    "above",
];

/// Who has or sells something, where it is not the model (`The house offers a full range of services`).
static OFFERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(&["has", "have", "offers?", "provides?", "sells?", "runs?", "delivers?"]));
static MODEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&[
        "you",
        "your",
        "yourself",
        "i",
        "it",
        "assistants?",
        "agents?",
        "bots?",
        "models?",
        "tools?",
        "toolsets?",
    ])
});

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(ANYWHERE, OF_THE_MODEL, POINTING));

fn prompt(prompt: &TextFile, _: &[&CatalogView<'_>], findings: &mut Findings<'_>) {
    let is_of_others = |range: &Range<usize>| {
        let (start, sentence) = sentence(prompt.text(), range);
        let before = sentence.get(..range.start - start).unwrap_or_default();
        OFFERS.is_match(before) && !MODEL.is_match(before)
    };
    let mut found = PHRASES.in_prompt(prompt.text());
    found.retain(|(range, _)| !is_of_others(range));
    for (range, phrase) in found {
        let message = format!("the prompt promises `{phrase}`");
        let help = "name what is there and say that nothing else is; `overclaimed_prompt` probes measure what such words do";
        findings.push(&[], prompt.at(range, message).help(help));
    }
}

fn descriptions(catalog: &CatalogView<'_>, findings: &mut Findings<'_>) {
    for tool in &catalog.tools {
        let Some(phrase) = PHRASES.in_description(&tool.description) else { continue };
        let message = format!("the description of {} promises `{phrase}`", tool.shown());
        let help = "say what this one tool does";
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
        assert!(PHRASES.in_prompt("the suite").is_empty());
    }
}
