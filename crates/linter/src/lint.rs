//! Every rule over every subject.

use crate::finding::Findings;
use crate::rule::{Check, RULES};
use crate::view::{CatalogView, SuiteView};
use crate::{Finding, Subject};

/// Looks at a subject with every rule. The findings come worst first, and in the same order every time.
#[must_use]
pub fn lint(subject: &Subject) -> Vec<Finding> {
    let views: Vec<CatalogView<'_>> =
        subject.catalogs.iter().map(|catalog| CatalogView::of(&catalog.catalog)).collect();
    let suites: Vec<SuiteView<'_>> = subject
        .suites
        .iter()
        .filter_map(|suite| Some(SuiteView::of(suite, views.get(suite.placed)?, &subject.traces)))
        .collect();
    let mut found = Vec::new();
    for rule in RULES {
        let mut findings = Findings { rule, found: &mut found };
        for check in rule.checks {
            match check {
                Check::Catalog(check) => {
                    let linted = views.iter().zip(&subject.catalogs).filter(|(_, catalog)| catalog.is_linted);
                    linted.for_each(|(view, _)| check(view, &mut findings));
                }
                Check::Prompt(check) => {
                    for prompt in &subject.prompts {
                        let catalogs: Vec<&CatalogView<'_>> =
                            prompt.catalogs.iter().filter_map(|at| views.get(*at)).collect();
                        check(&prompt.text, &catalogs, &mut findings);
                    }
                }
                Check::Suite(check) => suites.iter().for_each(|suite| check(suite, &mut findings)),
                Check::Suites(check) => check(&suites, &mut findings),
                Check::Played => {}
            }
        }
    }
    sort(&mut found);
    found
}

/// Puts findings into the order in which they are shown: worst first, then by place.
pub fn sort(found: &mut [Finding]) {
    found.sort_by(|one, other| one.order().cmp(&other.order()));
}
