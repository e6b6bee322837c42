//! The letters of a name, counted: most pairs of names are told apart by them, before any distance is worked out.

/// Letters that are counted apart; the others fall together.
const KINDS: usize = 40;

/// A name's letters in lower case.
pub(crate) struct Letters {
    counts: [u8; KINDS],
    pub(crate) length: usize,
}

impl Letters {
    pub(crate) fn of(name: &str) -> Self {
        let mut letters = Self { counts: [0; KINDS], length: 0 };
        for letter in name.chars().flat_map(char::to_lowercase) {
            let count = letters.counts.get_mut(u32::from(letter) as usize % KINDS);
            count.into_iter().for_each(|count| *count = count.saturating_add(1));
            letters.length += 1;
        }
        letters
    }

    /// Whether two names may be as alike as this, from 0 to 1; if not, they are not.
    pub(crate) fn may_be_alike(&self, other: &Self, least: f64) -> bool {
        let allowed = (1.0 - least) * self.length.max(other.length) as f64 + 1e-9;
        if self.length.abs_diff(other.length) as f64 > allowed {
            return false;
        }
        let pairs = self.counts.iter().zip(&other.counts);
        let (more, fewer) = pairs.fold((0_u32, 0_u32), |(more, fewer), (one, other)| {
            (more + u32::from(one.saturating_sub(*other)), fewer + u32::from(other.saturating_sub(*one)))
        });
        f64::from(more.max(fewer)) <= allowed
    }
}

#[cfg(test)]
mod tests {
    use probes::similarity;

    use super::*;

    #[test]
    fn names_that_are_alike_may_be() {
        let names = ["get_invoice", "get_invoices", "gte_invoice", "list_orders", "Ünï", "", "void_invoice"];
        for one in names {
            for other in names {
                for least in [0.7, 0.8, 0.9] {
                    let may = Letters::of(one).may_be_alike(&Letters::of(other), least);
                    assert!(may || similarity(one, other) < least, "{one} {other} {least}");
                }
            }
        }
        assert!(!Letters::of("get_invoice").may_be_alike(&Letters::of("list_orders"), 0.8));
    }
}
