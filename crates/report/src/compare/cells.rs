//! Which cells are compared with which, and in what they differ.

use std::fmt::Write as _;

use scorer::Scorecard;
use transcript::{Cell, EndpointProperties, Header, Known, Side, TargetRecord};

use super::{ComparedCell, Factor, FactorChoice, LoneCell, changes, invented, probes};
use crate::gate::Policy;

/// Why two sides cannot be set side by side at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// One side has no cell.
    #[error("the {0} has no cell")]
    NoCell(&'static str),
    /// No two cells belong together.
    #[error("no cell of the baseline ({baseline}) belongs to one of the candidate ({candidate})")]
    NoCounterpart {
        /// Labels of the baseline's cells.
        baseline: String,
        /// Labels of the candidate's cells.
        candidate: String,
    },
    /// More than one coordinate differs, and nobody said that this is meant.
    #[error("{0} differ between the sides, so the cause of a change could not be told")]
    SeveralFactors(String),
    /// Something else differs than what was asked for.
    #[error("no two cells differ in the {} alone", .0.as_str())]
    NotThatFactor(Factor),
    /// The sides have no probe in common.
    #[error("no probe of the two sides has the same id and asks the same question")]
    NoPair,
}

/// Two cells that belong together.
pub(super) struct PairOfCells<'a> {
    pub(super) baseline: &'a Cell,
    pub(super) candidate: &'a Cell,
    pub(super) factors: Vec<Factor>,
}

/// Which cells belong together, and which are alone.
pub(super) struct Matched<'a> {
    pub(super) pairs: Vec<PairOfCells<'a>>,
    pub(super) alone: Vec<LoneCell>,
}

/// A cell's coordinates by name; versions of one prompt share it, and so do versions of one catalog.
type Names<'a> = [&'a str; 3];

fn names<'a>(header: &'a Header, cell: &'a Cell) -> Names<'a> {
    let prompt = cell.prompt.as_ref().and_then(|hash| header.prompts.get(hash));
    let catalog = header.catalogs.get(&cell.catalog).map_or("", |catalog| &catalog.label);
    let (catalog, _) = catalog.split_once('/').unwrap_or((catalog, ""));
    [prompt.map_or("", |prompt| &prompt.label), catalog, target_name(cell)]
}

/// A target's name as the user gave it: joined records mark those that differ.
fn target_name(cell: &Cell) -> &str {
    super::sides::unmarked(&cell.target.0)
}

/// Pairs the cells of the two sides: those of equal names first, then those that alone share all names but one.
pub(super) fn matched(header: &Header, choice: FactorChoice) -> Result<Matched<'_>, Incomparable> {
    let of = |side: Side| header.cells.iter().filter(move |cell| cell.side == side).collect::<Vec<_>>();
    let (mut baseline, mut candidate) = (of(Side::Baseline), of(Side::Candidate));
    for (cells, name) in [(&baseline, "baseline"), (&candidate, "candidate")] {
        if cells.is_empty() {
            return Err(Incomparable::NoCell(name));
        }
    }
    let mut pairs = Vec::new();
    for ignored in ignored_coordinates(choice) {
        pair_up(header, &ignored, &mut baseline, &mut candidate, &mut pairs);
    }
    if pairs.is_empty() {
        let [baseline, candidate] = [baseline, candidate].map(|cells| labels(header, &cells));
        return Err(Incomparable::NoCounterpart { baseline, candidate });
    }
    pairs.sort_by_key(|pair| header.cells.iter().position(|cell| cell.id == pair.candidate.id));
    let mut alone = baseline.iter().chain(&candidate).map(|cell| lone(header, cell)).collect();
    choose(header, choice, &mut pairs, &mut alone)?;
    Ok(Matched { pairs, alone })
}

/// Which coordinates two cells may have under different names, from the closest match to the loosest.
fn ignored_coordinates(choice: FactorChoice) -> Vec<Vec<Factor>> {
    let mut all = vec![Vec::new()];
    match choice {
        FactorChoice::Only(factor) => all.push(vec![factor]),
        FactorChoice::One => all.extend(Factor::ALL.map(|factor| vec![factor])),
        FactorChoice::All => {
            all.extend(Factor::ALL.map(|factor| vec![factor]));
            all.extend(Factor::ALL.map(|kept| Factor::ALL.into_iter().filter(|f| *f != kept).collect()));
            all.push(Factor::ALL.to_vec());
        }
    }
    all
}

/// Moves cells that share all names but the ignored ones, and share them with nobody else, into pairs.
fn pair_up<'a>(
    header: &'a Header,
    ignored: &[Factor],
    baseline: &mut Vec<&'a Cell>,
    candidate: &mut Vec<&'a Cell>,
    pairs: &mut Vec<PairOfCells<'a>>,
) {
    let key = |cell: &'a Cell| {
        let mut names = names(header, cell);
        for factor in ignored {
            names[*factor as usize] = "";
        }
        names
    };
    let mut left = Vec::new();
    for cell in std::mem::take(candidate) {
        let wanted = key(cell);
        let mut same = baseline.iter().enumerate().filter(|(_, other)| key(other) == wanted);
        match (same.next(), same.next()) {
            (Some((at, _)), None) => {
                let other = baseline.remove(at);
                pairs.push(PairOfCells {
                    baseline: other,
                    candidate: cell,
                    factors: differing(header, other, cell),
                });
            }
            _ => left.push(cell),
        }
    }
    *candidate = left;
}

/// The coordinates whose content differs.
fn differing(header: &Header, baseline: &Cell, candidate: &Cell) -> Vec<Factor> {
    let mut factors = Vec::new();
    if baseline.prompt != candidate.prompt {
        factors.push(Factor::Prompt);
    }
    if baseline.catalog != candidate.catalog {
        factors.push(Factor::Catalog);
    }
    let targets = header.targets.get(&baseline.target).zip(header.targets.get(&candidate.target));
    if targets.is_none_or(|(baseline, candidate)| !same_target(baseline, candidate)) {
        factors.push(Factor::Target);
    }
    factors
}

/// Whether two targets are asked the same way. What is known of the endpoint is a matter of its own.
pub(super) fn same_target(one: &TargetRecord, other: &TargetRecord) -> bool {
    one.provider == other.provider
        && one.model == other.model
        && one.base_url == other.base_url
        && one.settings == other.settings
        && one.headers == other.headers
}

/// Holds the pairs against what may differ.
fn choose(
    header: &Header,
    choice: FactorChoice,
    pairs: &mut Vec<PairOfCells<'_>>,
    alone: &mut Vec<LoneCell>,
) -> Result<(), Incomparable> {
    match choice {
        FactorChoice::All => {}
        FactorChoice::One => {
            let mut all: Vec<Factor> = pairs.iter().flat_map(|pair| pair.factors.clone()).collect();
            all.sort_unstable();
            all.dedup();
            if all.len() > 1 {
                return Err(Incomparable::SeveralFactors(and(&all)));
            }
        }
        FactorChoice::Only(factor) => {
            for pair in pairs.iter().filter(|pair| pair.factors != [factor]) {
                alone.extend([pair.baseline, pair.candidate].map(|cell| lone(header, cell)));
            }
            pairs.retain(|pair| pair.factors == [factor]);
            if pairs.is_empty() {
                return Err(Incomparable::NotThatFactor(factor));
            }
        }
    }
    Ok(())
}

fn and(factors: &[Factor]) -> String {
    let words: Vec<&str> = factors.iter().map(|factor| factor.as_str()).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

fn lone(header: &Header, cell: &Cell) -> LoneCell {
    LoneCell { cell: cell.id.clone(), side: cell.side, label: label(header, cell) }
}

/// Cells by all of their names, since those are what does not match.
fn labels(header: &Header, cells: &[&Cell]) -> String {
    let labels: Vec<String> = cells
        .iter()
        .map(|cell| {
            let [prompt, catalog, target] = names(header, cell);
            let prompt = if prompt.is_empty() { "no prompt" } else { prompt };
            format!("{prompt} x {catalog} x {target}")
        })
        .collect();
    labels.join(", ")
}

/// Prompt and model, and the catalog where cells of one side differ in it.
fn label(header: &Header, cell: &Cell) -> String {
    let [prompt, _, _] = names(header, cell);
    let mut label = if prompt.is_empty() { "no prompt" } else { prompt }.to_owned();
    let _ = write!(label, " {}", model(header, cell));
    let several = header.cells.iter().any(|other| other.side == cell.side && other.catalog != cell.catalog);
    if several && let Some(catalog) = header.catalogs.get(&cell.catalog) {
        let _ = write!(label, " {}", catalog.label);
    }
    label
}

/// The model asked for; the target's name where several targets ask for it.
fn model<'a>(header: &'a Header, cell: &'a Cell) -> &'a str {
    let Some(target) = header.targets.get(&cell.target) else { return target_name(cell) };
    let shared = header.cells.iter().any(|other| {
        other.side == cell.side
            && other.target != cell.target
            && header.targets.get(&other.target).is_some_and(|other| other.model == target.model)
    });
    if shared { target_name(cell) } else { &target.model }
}

/// Sets two cells side by side.
pub(super) fn compared(
    header: &Header,
    pair: &PairOfCells<'_>,
    baseline: &Scorecard,
    candidate: &Scorecard,
    policy: &Policy,
) -> ComparedCell {
    let target = |cell: &Cell| header.targets.get(&cell.target);
    let endpoints = target(pair.baseline).zip(target(pair.candidate));
    let hidden = endpoints.and_then(|(one, other)| endpoint_difference(one.endpoint, other.endpoint));
    let paired = probes::paired(header, pair, baseline, candidate);
    let [prompt, _, _] = names(header, pair.candidate);
    let catalog = header.catalogs.get(&pair.candidate.catalog);
    ComparedCell {
        label: label(header, pair.candidate),
        prompt: (!prompt.is_empty()).then(|| prompt.to_owned()),
        catalog: catalog.map_or_else(String::new, |catalog| catalog.label.clone()),
        target: model(header, pair.candidate).to_owned(),
        baseline: pair.baseline.id.clone(),
        candidate: pair.candidate.id.clone(),
        factors: pair.factors.clone(),
        simulated: [pair.baseline, pair.candidate]
            .iter()
            .any(|cell| target(cell).is_some_and(|t| t.simulated)),
        pairs: paired.pairs.len() as u64,
        scored: (scored(baseline), scored(candidate)),
        changes: changes::changes(&paired.pairs, baseline, candidate, hidden.as_deref(), policy),
        outcomes: probes::outcomes(&paired.pairs),
        invented: invented::merged(baseline, candidate),
        changed: probes::changed(&paired.pairs, policy),
        unpaired: paired.unpaired,
    }
}

fn scored(card: &Scorecard) -> u64 {
    card.statuses.get("scored").copied().unwrap_or(0)
}

/// What the two endpoints do differently with tools (DESIGN.md 3.7): then their rates do not mean the same.
fn endpoint_difference(one: EndpointProperties, other: EndpointProperties) -> Option<String> {
    let word = |known: Known| match known {
        Known::Yes => "yes",
        Known::No => "no",
        Known::Unknown => "unknown",
    };
    let parts = [
        ("sees_tools", one.sees_tools, other.sees_tools),
        ("constrains_names", one.constrains_names, other.constrains_names),
        ("filters_unknown_names", one.filters_unknown_names, other.filters_unknown_names),
    ];
    let differ: Vec<String> = parts
        .into_iter()
        .filter(|(_, one, other)| one != other)
        .map(|(name, one, other)| format!("{name} {} and {}", word(one), word(other)))
        .collect();
    (!differ.is_empty()).then(|| format!("the endpoints differ: {}", differ.join(", ")))
}
