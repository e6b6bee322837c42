//! A text that a regular expression matches.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::draw::Draw;

/// How long a repetition without an end is at most, beyond its least.
const MORE: u32 = 3;

/// The longest text that is made.
const LONGEST: usize = 200;

/// A text that the pattern matches; none where the pattern cannot be read, or looks around itself.
pub(crate) fn matching(pattern: &str, draw: &mut Draw) -> Option<String> {
    let tree = regex_syntax::Parser::new().parse(pattern).ok()?;
    let regex = Regex::new(pattern).ok()?;
    let mut out = String::new();
    write(&tree, draw, &mut out)?;
    (regex.is_match(&out) && !out.trim().is_empty()).then_some(out)
}

fn write(tree: &Hir, draw: &mut Draw, out: &mut String) -> Option<()> {
    if out.len() > LONGEST {
        return None;
    }
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(character(class, draw)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min.saturating_add(MORE)).max(repetition.min);
            let usual = most.min(repetition.min.max(1).saturating_add(MORE));
            let least =
                if repetition.min == 0 && repetition.max != Some(1) { 1.min(usual) } else { repetition.min };
            for _ in 0..draw.number(i64::from(least), i64::from(usual)) {
                write(&repetition.sub, draw, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, draw, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| write(part, draw, out))?,
        HirKind::Alternation(branches) => {
            let at = usize::try_from(draw.number(0, i64::try_from(branches.len()).ok()? - 1)).ok()?;
            write(branches.get(at)?, draw, out)?;
        }
    }
    Some(())
}

/// A letter or digit of a class where it has one, else its first visible character.
fn character(class: &Class, draw: &mut Draw) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    let holds = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
    for among in [('0', '9'), ('a', 'z'), ('A', 'Z'), ('!', '~')] {
        let held: Vec<char> = (among.0..=among.1).filter(|c| holds(*c)).collect();
        if !held.is_empty() {
            return Some(draw.pick(&held));
        }
    }
    ranges.first().map(|(from, _)| *from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match() {
        for pattern in
            ["^INV-[0-9]{5}$", "^(?:north|south)-[a-f]+\\.log$", "\\w+@\\w+", "^[^/]+/[^/]+$", "^.{4}$"]
        {
            for seed in 0..30 {
                let text = matching(pattern, &mut Draw::new(seed, &[])).unwrap();
                assert!(Regex::new(pattern).unwrap().is_match(&text), "{pattern}: {text}");
            }
        }
        assert_eq!(matching("^(?=a)b$", &mut Draw::new(1, &[])), None);
        assert_eq!(matching("(", &mut Draw::new(1, &[])), None);
    }
}
