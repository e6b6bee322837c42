//! Which tools of a catalog could also do what one does, and whether words alone tell them apart.

use std::collections::HashSet;
use std::sync::Arc;

use probes::{Catalog, Purpose, reads};
use transcript::Tool;

use crate::words::{content_words, first_sentence, imperative, name_words, singular};

/// The share of one description's words that the other has too, from which on two tools do the same.
const SAME: f64 = 0.75;

/// The share, both ways, where their names ask for the same.
const SAME_BY_NAME: f64 = 0.5;

/// How many reading tools a task lists.
const READS: usize = 3;

/// The tools of a catalog with the words of each.
pub(crate) struct Neighbours<'a> {
    tools: Vec<Known<'a>>,
}

struct Known<'a> {
    tool: &'a Arc<Tool>,
    /// Words of name and first sentence.
    words: HashSet<String>,
    /// Words of the first sentence.
    sentence: HashSet<String>,
    /// Words of the name.
    name: HashSet<String>,
    /// The verb.
    verb: String,
    /// What the verb is done to.
    object: HashSet<String>,
    /// What the name is about, without the verb.
    about: HashSet<String>,
    /// The sentences that name another tool as the one to take in place of this one.
    instead: Vec<String>,
    purpose: Option<Purpose>,
    reads: bool,
}

impl<'a> Neighbours<'a> {
    pub(crate) fn of(catalog: &'a Catalog) -> Self {
        let known = |tool: &'a Arc<Tool>| {
            let description = tool.description_text();
            let sentence = content_words(&first_sentence(&description));
            let (verb, object) = verb_and_object(&imperative(tool.name.as_str(), &description, None).text);
            let name: HashSet<String> =
                name_words(tool.name.as_str()).iter().map(|word| singular(word)).collect();
            let about = content_words(&name_words(tool.name.as_str()).join(" "));
            let mut words = about.clone();
            words.extend(content_words(whole_first_sentence(&description)));
            words.extend(sentence.iter().cloned());
            Known {
                tool,
                words,
                sentence,
                name,
                verb,
                object,
                about,
                instead: instead(&description),
                purpose: Purpose::of(tool.name.as_str()),
                reads: reads(tool),
            }
        };
        Self { tools: catalog.tools().iter().map(known).collect() }
    }

    /// Tools that could also do it: a decoy has to leave them out.
    pub(crate) fn substitutes(&self, tool: &Tool, request: &str) -> Vec<String> {
        let asked = content_words(request);
        let Some(own) = self.tools.iter().find(|known| known.tool.name == tool.name) else {
            return Vec::new();
        };
        let is_one = |known: &&Known<'_>| {
            let name = known.tool.name.as_str();
            if name == tool.name.as_str() || known.reads != own.reads {
                return false;
            }
            let alike =
                |one: &HashSet<String>, other: &HashSet<String>| share(one, other).min(share(other, one));
            let does_the_same = own.verb == known.verb
                && own.object == known.object
                && !own.sentence.is_empty()
                && (own.name.is_subset(&known.name) || known.name.is_subset(&own.name))
                && share(&own.sentence, &known.sentence).max(share(&known.sentence, &own.sentence)) >= SAME;
            let by_name = alike(&own.sentence, &known.sentence) >= SAME_BY_NAME
                && matches!((&own.purpose, &known.purpose), (Some(own), Some(other)) if own.covers(other));
            let is_named = own.instead.iter().any(|sentence| names(sentence, name))
                || known.instead.iter().any(|sentence| names(sentence, tool.name.as_str()));
            does_the_same
                || by_name
                || is_named
                || (own.verb == known.verb
                    && own.object == known.object
                    && asked.len() > 2
                    && asked.is_subset(&known.words))
        };
        self.tools.iter().filter(is_one).map(|known| known.tool.name.to_string()).collect()
    }

    /// Whether a request's words fit another tool as well.
    pub(crate) fn is_ambiguous(&self, tool: &Tool, request: &str, substitutes: &[String]) -> bool {
        let words = content_words(request);
        let own = self.tools.iter().find(|known| known.tool.name == tool.name);
        let own_reads = own.map_or_else(|| reads(tool), |own| own.reads);
        let (verb, object) = verb_and_object(request);
        // Converting one thing into another is not converting the other into the one.
        let is_of_other = |known: &Known<'_>| {
            known.verb == verb
                && !object.is_empty()
                && !known.object.is_empty()
                && object.is_disjoint(&known.object)
        };
        let fits = |known: &Known<'_>| {
            let this_fits_other = words.is_subset(&known.words) && !is_of_other(known);
            // Where the other's request fits this tool, a reader may doubt which of the two is meant here too.
            let other_fits_this = known.verb == verb
                && known.object == object
                && !known.sentence.is_empty()
                && own.is_some_and(|own| known.sentence.is_subset(&own.words));
            this_fits_other || other_fits_this
        };
        !substitutes.is_empty()
            || self
                .tools
                .iter()
                .any(|known| known.tool.name != tool.name && known.reads == own_reads && fits(known))
    }

    /// Reading tools that it is fine to look with first: those that work on the same things.
    pub(crate) fn reads(&self, tool: &Tool, substitutes: &[String]) -> Vec<String> {
        let Some(own) = self.tools.iter().find(|known| known.tool.name == tool.name) else {
            return Vec::new();
        };
        let mut found: Vec<(usize, &str)> = Vec::new();
        for known in self.tools.iter().filter(|known| known.reads && known.tool.name != tool.name) {
            let name = known.tool.name.as_str();
            let common = known.about.intersection(&own.about).count();
            if common > 0 && !substitutes.iter().any(|other| other == name) {
                found.push((common, name));
            }
        }
        found.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
        found.into_iter().take(READS).map(|(_, name)| name.to_owned()).collect()
    }
}

/// The first sentence with everything in it, also what no request says.
fn whole_first_sentence(description: &str) -> &str {
    let line = description.trim().lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| &line[..end])
}

/// The verb of a request, and what stands between it and the first preposition.
fn verb_and_object(request: &str) -> (String, HashSet<String>) {
    const PREPOSITIONS: &[&str] = &[
        "of", "in", "from", "for", "to", "with", "on", "by", "as", "at", "into", "within", "across", "that",
        "if",
    ];
    let mut words = request.split_whitespace().peekable();
    let verb = words.next().unwrap_or_default().to_owned();
    words.next_if(|word| PREPOSITIONS.contains(word));
    let object: Vec<&str> = words.take_while(|word| !PREPOSITIONS.contains(word)).collect();
    let fillers = ["the", "a", "an", "all", "my", "new", "existing", "me"];
    let object = object.into_iter().map(|word| singular(&word.to_lowercase()));
    (verb, object.filter(|word| !fillers.contains(&word.as_str())).collect())
}

/// The share of the first's words that the second has; none where there are no words to tell by.
fn share(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    if one.is_empty() {
        return 1.0;
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let share = one.intersection(other).count() as f64 / one.len() as f64;
    share
}

/// Whether a text names a tool as a word of its own.
fn names(text: &str, tool: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(tool)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + tool.len()..].starts_with(is_word))
}

/// The sentences of a description that say what to take in place of this tool.
fn instead(description: &str) -> Vec<String> {
    let says = |sentence: &&str| {
        let sentence = sentence.to_lowercase();
        ["instead", "deprecated", "replaced by", "superseded"].iter().any(|word| sentence.contains(word))
    };
    description.split(['.', '\n']).filter(says).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use transcript::RawJson;

    use super::*;

    fn catalog(tools: &[(&str, &str)]) -> Catalog {
        let tool = |(name, description): &(&str, &str)| {
            let mut tool = Tool::named(name);
            tool.description = Some(RawJson::from_text(description));
            Arc::new(tool)
        };
        Catalog::new("c/1", tools.iter().map(tool).collect()).unwrap()
    }

    #[test]
    fn tools_that_do_the_same_are_substitutes() {
        let catalog = catalog(&[
            ("read_note", "Read a note as text. DEPRECATED: use read_text_note instead."),
            ("read_text_note", "Read the whole note from the store, with its encoding."),
            ("delete_note", "Delete a note."),
            ("list_notes", "List the notes of a folder."),
        ]);
        let near = Neighbours::of(&catalog);
        assert_eq!(near.substitutes(&catalog.tools()[0], "read note NT-1"), ["read_text_note"]);
        assert_eq!(near.substitutes(&catalog.tools()[1], "read note NT-1 whole"), ["read_note"]);
        assert_eq!(near.substitutes(&catalog.tools()[2], "delete note NT-1"), [""; 0]);
        assert_eq!(near.reads(&catalog.tools()[2], &[]), ["read_note", "read_text_note", "list_notes"]);
        assert!(!near.is_ambiguous(&catalog.tools()[2], "delete note NT-1", &[]));
        assert!(near.is_ambiguous(&catalog.tools()[3], "note", &[]));
    }
}
