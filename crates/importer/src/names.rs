//! Names that providers take, for names that benchmarks use, and back again. A name keeps its letters; what no
//! provider takes becomes `_`, and a second function of a name that is taken gets a number. Names are given in the
//! order of the cases, those in quarantine included: leaving one out renames nothing.

use std::collections::{HashMap, HashSet};

use crate::function::Function;

/// The longest name that all providers take.
const LONGEST: usize = 64;

/// The names of one catalog.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By the benchmark's name and the definition: the position in `given`.
    known: HashMap<(String, String), usize>,
    taken: HashSet<String>,
    given: Vec<Given>,
    next: HashMap<String, usize>,
}

/// A function and the name that it is offered by.
#[derive(Debug)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) function: Function,
}

impl Names {
    /// The name of a function; equal functions have one.
    pub(crate) fn name(&mut self, function: &Function) -> String {
        let key = (function.name.clone(), function.definition());
        if let Some(&at) = self.known.get(&key) {
            return self.given[at].name.clone();
        }
        let name = self.free(&legal(&function.name));
        self.known.insert(key, self.given.len());
        self.given.push(Given { name: name.clone(), function: function.clone() });
        name
    }

    /// The functions in the order in which they were named.
    pub(crate) fn given(&self) -> &[Given] {
        &self.given
    }

    fn free(&mut self, base: &str) -> String {
        if self.taken.insert(base.to_owned()) {
            return base.to_owned();
        }
        let next = self.next.entry(base.to_owned()).or_insert(2);
        loop {
            let suffix = format!("_{next}");
            *next += 1;
            let name = format!("{}{suffix}", &base[..base.len().min(LONGEST - suffix.len())]);
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The nearest name that all providers take.
pub(crate) fn legal(name: &str) -> String {
    let one = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let mut legal: String = name.chars().map(one).take(LONGEST).collect();
    if !legal.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        legal.insert(0, '_');
        legal.truncate(LONGEST);
    }
    legal
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn function(name: &str, parameters: serde_json::Value) -> Function {
        Function { name: name.to_owned(), description: None, parameters }
    }

    #[test]
    fn names_are_legal_distinct_and_lead_back() {
        let long = "x".repeat(80);
        let all = [
            ("a.b", json!(1)),
            ("a_b", json!(1)),
            ("a.b", json!(2)),
            ("a.b", json!(1)),
            ("7 für", json!(1)),
            (&long, json!(1)),
            (&long, json!(2)),
        ];
        let mut names = Names::default();
        let given: Vec<String> =
            all.iter().map(|(name, schema)| names.name(&function(name, schema.clone()))).collect();
        assert_eq!(given[..5], ["a_b", "a_b_2", "a_b_3", "a_b", "_7_f_r"]);
        assert!(given.iter().all(|name| name.len() <= LONGEST && legal(name) == *name));
        assert_ne!(given[5], given[6]);
        let back: HashMap<&str, &str> =
            names.given().iter().map(|one| (one.name.as_str(), one.function.name.as_str())).collect();
        for (name, (original, _)) in given.iter().zip(&all) {
            assert_eq!(back[name.as_str()], *original);
        }
        assert_eq!(back.len(), 6);
    }

    #[test]
    fn many_functions_of_one_name_take_linear_time() {
        let mut names = Names::default();
        for at in 0..20_000 {
            names.name(&function("get", json!(at)));
        }
        assert_eq!(names.given().last().map(|one| one.name.as_str()), Some("get_20000"));
    }
}
