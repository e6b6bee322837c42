//! Which tools of a catalog could also do what one does, and whether words alone tell them apart.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use probes::{Catalog, Purpose, names_in, reads};
use transcript::Tool;

use crate::looks::looks;
use crate::schema::{Argument, Schema};
use crate::twins::Shape;
use crate::words::{content_words, first_sentence, imperative, is_mine, name_words, settled, singular};

/// The share of one description's words that the other has too, from which on two tools do the same.
const SAME: f64 = 0.75;

/// The share, both ways, where their names ask for the same.
const SAME_BY_NAME: f64 = 0.5;

/// How many reading tools a task lists: of those that can be called with what the words give, of those that show
/// everything or what a query of the model's own finds, and of those that only share words.
const CALLABLE: usize = 10;
const WHOLE: usize = 6;
const READS: usize = 3;

/// How many tools a catalog has at most of which every word tells what a tool is about.
const FEW: usize = 12;

/// The tools of a catalog with the words of each.
pub(crate) struct Neighbours<'a> {
    tools: Vec<Known<'a>>,
    by_name: HashMap<&'a str, usize>,
    numbers: Numbers,
}

/// Each word's number: every tool is set beside every other one, and numbers are compared faster than words.
#[derive(Default)]
struct Numbers(HashMap<String, u32>);

impl Numbers {
    fn give(&mut self, words: HashSet<String>) -> Words {
        let numbers = words.into_iter().map(|word| {
            let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            *self.0.entry(word).or_insert(next)
        });
        Words::of(numbers.collect())
    }

    /// The numbers of words that need not be any tool's: one that is nobody's has a number that nobody has.
    fn find(&self, words: &HashSet<String>) -> Words {
        let mut nobodys = u32::MAX;
        let numbers = words.iter().map(|word| {
            self.0.get(word).copied().unwrap_or_else(|| {
                nobodys -= 1;
                nobodys
            })
        });
        Words::of(numbers.collect())
    }
}

/// A set of words by their numbers, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Words(Vec<u32>);

impl Words {
    fn of(mut numbers: Vec<u32>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self(numbers)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// How many words both have.
    fn common(&self, other: &Self) -> usize {
        let (few, many) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        few.0.iter().filter(|number| many.0.binary_search(number).is_ok()).count()
    }

    fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.0.iter().all(|number| other.0.binary_search(number).is_ok())
    }

    /// The share of the words that the other has; all where there are no words to tell by.
    fn share(&self, other: &Self) -> f64 {
        if self.is_empty() {
            return 1.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of words")]
        let share = self.common(other) as f64 / self.len() as f64;
        share
    }
}

struct Known<'a> {
    tool: &'a Arc<Tool>,
    /// Words of name and first sentence.
    words: Words,
    /// Words of the first sentence.
    sentence: Words,
    /// Words of the name.
    name: Words,
    /// The verb.
    verb: String,
    /// What the verb is done to.
    object: Words,
    /// What the name is about, without the verb.
    about: Words,
    /// Those of `words` that few other tools have.
    rare: Words,
    /// The sentences that name another tool as the one to take in place of this one.
    instead: Vec<String>,
    purpose: Option<Purpose>,
    reads: bool,
    /// Whether it only looks, by what it says of itself too.
    looks: bool,
    /// The arguments that it needs, but for those that say who asks.
    needs: Vec<String>,
    /// All arguments.
    takes: Vec<String>,
    /// What else it could be used for.
    shape: Shape,
}

impl<'a> Neighbours<'a> {
    pub(crate) fn of(catalog: &'a Catalog) -> Self {
        let mut numbers = Numbers::default();
        let mut known = |tool: &'a Arc<Tool>| {
            let description = tool.description_text();
            let sentence = content_words(&first_sentence(&description));
            let (verb, object) =
                verb_and_object(&settled(&imperative(tool.name.as_str(), &description, None).text, &|_| {
                    false
                }));
            let own_words = name_words(tool.name.as_str());
            let about = content_words(&own_words.join(" "));
            let mut words = about.clone();
            words.extend(content_words(whole_first_sentence(&description)));
            words.extend(sentence.iter().cloned());
            let schema = Schema::of(tool);
            let arguments = schema.arguments();
            let needed = arguments.iter().filter(|a| a.required && !is_mine(&a.name, a.description()));
            let needs: Vec<String> = needed.map(|argument| stem(&argument.name)).collect();
            let takes: Vec<String> = arguments.iter().map(|argument| stem(&argument.name)).collect();
            Known {
                shape: Shape::of(tool, &schema, &arguments, (&needs, &takes), reads(tool)),
                needs,
                takes,
                tool,
                words: numbers.give(words),
                sentence: numbers.give(sentence),
                name: numbers.give(own_words.iter().map(|word| singular(word)).collect()),
                verb,
                object: numbers.give(object),
                about: numbers.give(about),
                rare: Words::of(Vec::new()),
                instead: instead(&description),
                purpose: Purpose::of(tool.name.as_str()),
                reads: reads(tool),
                looks: looks(tool),
            }
        };
        let mut tools: Vec<Known<'a>> = catalog.tools().iter().map(&mut known).collect();
        let mut counts: HashMap<u32, usize> = HashMap::new();
        tools.iter().flat_map(|known| &known.words.0).for_each(|word| *counts.entry(*word).or_default() += 1);
        let most = if tools.len() <= FEW { FEW } else { (tools.len() / 6).max(3) };
        for known in &mut tools {
            let rare =
                known.words.0.iter().filter(|word| counts.get(*word).is_some_and(|count| *count <= most));
            known.rare = Words(rare.copied().collect());
        }
        let by_name = catalog.tools().iter().enumerate().map(|(at, tool)| (tool.name.as_str(), at)).collect();
        Self { tools, by_name, numbers }
    }

    fn known(&self, tool: &Tool) -> Option<&Known<'a>> {
        self.by_name.get(tool.name.as_str()).and_then(|at| self.tools.get(*at))
    }

    /// Tools that could also do it: a decoy has to leave them out. One that needs what the words do not give, or that
    /// cannot take what they do, is none.
    pub(crate) fn substitutes(&self, tool: &Tool, request: &str, given: &[&str]) -> Vec<String> {
        let given: Vec<String> = given.iter().map(|name| stem(name)).collect();
        let asked = self.numbers.find(&content_words(request));
        let Some(own) = self.known(tool) else { return Vec::new() };
        let is_one = |known: &&Known<'_>| {
            let name = known.tool.name.as_str();
            if name == tool.name.as_str() || known.reads != own.reads {
                return false;
            }
            let alike = |one: &Words, other: &Words| one.share(other).min(other.share(one));
            let does_the_same = own.verb == known.verb
                && own.object == known.object
                && !own.sentence.is_empty()
                && (own.name.is_subset(&known.name) || known.name.is_subset(&own.name))
                && own.sentence.share(&known.sentence).max(known.sentence.share(&own.sentence)) >= SAME;
            let by_name = alike(&own.sentence, &known.sentence) >= SAME_BY_NAME
                && matches!((&own.purpose, &known.purpose), (Some(own), Some(other)) if own.covers(other));
            let is_named = own.instead.iter().any(|sentence| names_in(name, sentence))
                || known.instead.iter().any(|sentence| names_in(tool.name.as_str(), sentence));
            is_named
                || (fits(own, known, &given) && (does_the_same || by_name))
                || (own.verb == known.verb
                    && own.object == known.object
                    && asked.len() > 2
                    && asked.is_subset(&known.words)
                    && fits(own, known, &given))
        };
        self.tools.iter().filter(is_one).map(|known| known.tool.name.to_string()).collect()
    }

    /// Substitutes, and the tools whose names ask for the same: the suite takes those for ways out of a decoy, whatever
    /// the words say. So are its twins, for a request of this verb.
    pub(crate) fn with_same_names(
        &self,
        tool: &Tool,
        substitutes: Vec<String>,
        verb: &str,
        given: &[&str],
    ) -> Vec<String> {
        let given: Vec<String> = given.iter().map(|name| stem(name)).collect();
        let this = self.known(tool);
        let own = this.and_then(|known| known.purpose.as_ref());
        let is_same = |known: &&Known<'_>| {
            known.tool.name != tool.name
                && this.is_some_and(|own| fits(own, known, &given))
                && matches!((own, &known.purpose), (Some(own), Some(other)) if other.is_same(own))
        };
        let can_too = |known: &&Known<'_>| {
            known.tool.name != tool.name
                && this.is_some_and(|own| {
                    own.shape.is_met_by(&known.shape, verb, &given)
                        || own.shape.is_reached_by(&known.shape, &given)
                })
        };
        let mut all = substitutes;
        for known in self.tools.iter().filter(|known| is_same(known) || can_too(known)) {
            if !all.iter().any(|name| name == known.tool.name.as_str()) {
                all.push(known.tool.name.to_string());
            }
        }
        all
    }

    /// Whether a request's words fit another tool as well.
    pub(crate) fn is_ambiguous(&self, tool: &Tool, request: &str, substitutes: &[String]) -> bool {
        let words = self.numbers.find(&content_words(request));
        let own = self.known(tool);
        let own_reads = own.map_or_else(|| reads(tool), |own| own.reads);
        let (verb, object) = verb_and_object(request);
        let object = self.numbers.find(&object);
        // Converting one thing into another is not converting the other into the one.
        let is_of_other = |known: &Known<'_>| {
            known.verb == verb
                && !object.is_empty()
                && !known.object.is_empty()
                && object.common(&known.object) == 0
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

    /// Whether words have more in common with what another tool says of itself than with what this one does.
    pub(crate) fn fits_another_better(&self, tool: &Tool, words: &str, substitutes: &[String]) -> bool {
        let words = self.numbers.find(&content_words(words));
        let Some(own) = self.known(tool) else { return false };
        let least = own.words.common(&words);
        let is_other = |known: &&Known<'_>| {
            known.tool.name != tool.name && !substitutes.iter().any(|name| name == known.tool.name.as_str())
        };
        self.tools.iter().filter(is_other).any(|known| known.words.common(&words) > least)
    }

    /// The reading tools that say what an argument's value may be, and that can be called with the rest, the plainest
    /// two for each.
    pub(crate) fn yielding<'b>(
        &self,
        tool: &Tool,
        missed: impl Iterator<Item = &'b Argument>,
        given: &[&str],
    ) -> Vec<String> {
        const ENDINGS: &[&str] = &["id", "ids", "name", "number", "key", "uuid", "identifier", "path"];
        const SAY_NOTHING: &[&str] =
            &["target", "base", "source", "destination", "value", "reference", "object"];
        let mut names = Vec::new();
        for argument in missed {
            let mut words: HashSet<String> = name_words(&argument.name)
                .iter()
                .filter(|word| !ENDINGS.contains(&word.as_str()) && !SAY_NOTHING.contains(&word.as_str()))
                .map(|word| singular(word))
                .collect();
            // Where somebody may look at all says where the thing could be.
            if words.is_empty() && argument.name.ends_with("path") {
                words.insert("allowed".to_owned());
            } else if words.is_empty() {
                let described = argument.description().split(['.', '(', '\n']).next().unwrap_or_default();
                words = content_words(described);
            }
            let stem = self.numbers.find(&words);
            let others: Vec<String> =
                given.iter().filter(|name| **name != argument.name).map(|name| self::stem(name)).collect();
            let can = |known: &&Known<'_>| {
                known.reads
                    && known.tool.name != tool.name
                    && known.needs.iter().all(|need| others.contains(need))
                    && known.words.common(&stem) > 0
            };
            let mut found: Vec<&Known<'_>> = self.tools.iter().filter(can).collect();
            let score = |known: &Known<'_>| 2 * known.about.common(&stem) + known.words.common(&stem);
            found.sort_by_key(|known| std::cmp::Reverse(score(known)));
            names.extend(found.into_iter().take(2).map(|known| known.tool.name.to_string()));
        }
        names
    }

    /// The tools that list what is in the place in which this one looks for a pattern.
    fn listings(&self, own: &Known<'_>) -> Vec<String> {
        const PATTERNS: &[&str] =
            &["pattern", "glob", "query", "regex", "search", "q", "text", "keyword", "term"];
        const LISTS: &[&str] = &["list", "tree", "ls", "browse", "children"];
        let seeks = |verb: &str| ["search", "find", "grep", "glob"].contains(&verb);
        let is_pattern = |need: &&String| PATTERNS.iter().any(|word| need.split('_').any(|own| own == *word));
        let places: Vec<&String> = own.needs.iter().filter(|need| !is_pattern(need)).collect();
        if !own.reads || !seeks(&own.verb) || places.is_empty() || places.len() == own.needs.len() {
            return Vec::new();
        }
        let lists = |known: &&Known<'_>| {
            let words = name_words(known.tool.name.as_str());
            known.reads
                && words.iter().any(|word| LISTS.contains(&word.as_str()))
                && !known.needs.is_empty()
                && known.needs.iter().all(|need| places.contains(&need))
        };
        self.tools.iter().filter(lists).map(|known| known.tool.name.to_string()).collect()
    }

    /// Reading tools that it is fine to look with: those that the tool's own words send to, those that what is given
    /// is enough for, those that show everything of the sort, then those that work on the same things by their names.
    pub(crate) fn reads(
        &self,
        tool: &Tool,
        substitutes: &[String],
        first: &[String],
        given: &[&str],
    ) -> Vec<String> {
        let Some(own) = self.known(tool) else { return Vec::new() };
        let is_other =
            |name: &str| name != tool.name.as_str() && !substitutes.iter().any(|other| other == name);
        let may_read = |name: &String| {
            let known = self.by_name.get(name.as_str()).and_then(|at| self.tools.get(*at));
            known.is_some_and(|known| known.looks || known.tool.read_only.is_none())
        };
        // Who works on a page may look at it.
        let views = self.tools.iter().filter(|known| known.shape.is_snapshot_of(known.tool, &own.shape));
        let mut first = first.to_vec();
        first.extend(self.listings(own));
        first.extend(views.map(|known| known.tool.name.to_string()));
        let given: Vec<String> = given.iter().map(|name| stem(name)).collect();
        let others = || self.tools.iter().filter(|known| is_other(known.tool.name.as_str()));
        let callable = others().filter(|known| own.shape.is_seen_by(&known.shape, &given));
        first.extend(most(callable, CALLABLE, |known| 1 + known.about.common(&own.about)));
        let whole = others().filter(|known| known.shape.shows_all());
        first.extend(most(whole, WHOLE, |known| known.rare.common(&own.rare)));
        let mut seen = HashSet::new();
        first.retain(|name| seen.insert(name.clone()));
        let mut names: Vec<String> =
            first.iter().filter(|name| is_other(name) && may_read(name)).cloned().collect();
        let mut found: Vec<(usize, &str)> = Vec::new();
        for known in others().filter(|known| known.looks) {
            let common = known.about.common(&own.about);
            if common > 0 {
                found.push((common, known.tool.name.as_str()));
            }
        }
        found.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
        let found: Vec<&str> = found.into_iter().take(READS).map(|(_, name)| name).collect();
        names.extend(
            found.into_iter().filter(|name| !first.iter().any(|other| other == name)).map(str::to_owned),
        );
        names
    }
}

/// The names of those that have most in common, and something at all.
fn most<'k, 'a: 'k>(
    among: impl Iterator<Item = &'k Known<'a>>,
    count: usize,
    common: impl Fn(&Known<'_>) -> usize,
) -> Vec<String> {
    let mut found: Vec<(usize, &Known<'_>)> =
        among.map(|known| (common(known), known)).filter(|(common, _)| *common > 0).collect();
    found.sort_by_key(|(common, _)| std::cmp::Reverse(*common));
    found.into_iter().take(count).map(|(_, known)| known.tool.name.to_string()).collect()
}

/// An argument's name in singular and in one spelling: what takes several takes one.
pub(crate) fn stem(name: &str) -> String {
    name_words(name).iter().map(|word| singular(word)).collect::<Vec<_>>().join("_")
}

/// Whether a tool can be called with what the words give, and would heed which thing they mean.
fn fits(own: &Known<'_>, other: &Known<'_>, given: &[String]) -> bool {
    let gives = |need: &String| given.contains(need);
    let takes = |need: &String| !given.contains(need) || other.takes.contains(need);
    let is_same_number = other.needs.len() == own.needs.len();
    // The same thing under two names is one: `document_id` and `file_id`.
    let are_ids = |needs: &[String]| needs.iter().all(|need| need.ends_with("_id") || need == "id");
    let by_name = other.needs.iter().all(gives) && own.needs.iter().all(takes);
    by_name || (is_same_number && !own.needs.is_empty() && are_ids(&own.needs) && are_ids(&other.needs))
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
    fn many_at_once_and_code_are_ways_out() {
        let text = serde_json::json!({"tools": [
            {"name": "page_press", "inputSchema": {"properties": {"target": {"type": "string", "description": "Of the view"}}, "required": ["target"]}},
            {"name": "page_eval", "inputSchema": {"properties": {"function": {"type": "string"}}, "required": ["function"]}},
            {"name": "page_get_snapshot", "inputSchema": {"properties": {}}},
            {"name": "get_label", "inputSchema": {"properties": {"label_id": {"type": "string"}}, "required": ["label_id"]}},
            {"name": "get_labels_batch", "inputSchema": {"properties": {"label_ids": {"type": "array"}}, "required": ["label_ids"]}},
            {"name": "list_labels", "inputSchema": {"properties": {}}},
        ]});
        let catalog = Catalog::from_text(std::path::Path::new("c.json"), &text.to_string()).unwrap();
        let near = Neighbours::of(&catalog);
        let tool = |at: usize| catalog.tools()[at].as_ref();
        assert_eq!(near.with_same_names(tool(0), Vec::new(), "press", &[]), ["page_eval"]);
        assert_eq!(near.with_same_names(tool(3), Vec::new(), "get", &["label_id"]), ["get_labels_batch"]);
        assert!(near.reads(tool(0), &[], &[], &[]).contains(&"page_get_snapshot".to_owned()));
        let arguments = Schema::of(tool(3)).arguments();
        assert_eq!(near.yielding(tool(3), arguments.iter(), &["label_id"]), ["list_labels"]);
    }

    fn with(tools: &[serde_json::Value]) -> Catalog {
        let text = serde_json::json!({"tools": tools}).to_string();
        Catalog::from_text(std::path::Path::new("c.json"), &text).unwrap()
    }

    fn needing(name: &str, description: &str, needs: &[&str]) -> serde_json::Value {
        let properties: serde_json::Map<String, serde_json::Value> =
            needs.iter().map(|name| ((*name).to_owned(), serde_json::json!({"type": "string"}))).collect();
        serde_json::json!({"name": name, "description": description,
            "inputSchema": {"properties": properties, "required": needs}})
    }

    #[test]
    fn what_several_calls_come_to_is_a_way_out() {
        let steps = |name: &str, id: &str, list: &str, members: &[&str]| {
            let members: serde_json::Map<String, serde_json::Value> = members
                .iter()
                .map(|name| ((*name).to_owned(), serde_json::json!({"type": "string"})))
                .collect();
            let items =
                serde_json::json!({"type": "array", "items": {"type": "object", "properties": members}});
            serde_json::json!({"name": name, "inputSchema": {
                "properties": {id: {"type": "string"}, list: items}, "required": [id, list]}})
        };
        let catalog = with(&[
            steps("desk_fill_card", "card_id", "fields", &["spot", "value"]),
            needing("desk_type", "", &["spot", "text"]),
            steps("batch_update_leaf", "leaf_id", "operations", &["kind"]),
            needing("modify_leaf_text", "", &["leaf_id", "start_index"]),
            needing("create_leaf_table", "", &["leaf_id", "rows"]),
            needing("edit_file", "", &["path", "edits"]),
            needing("write_file", "", &["path", "content"]),
            needing("create_sheet", "", &["title"]),
            needing("import_to_acme_sheets", "", &["file_name"]),
            needing("create_shelf", "", &["title"]),
        ]);
        let near = Neighbours::of(&catalog);
        let ways =
            |at: usize, given: &[&str]| near.with_same_names(&catalog.tools()[at], Vec::new(), "do", given);
        assert_eq!(ways(0, &["card_id", "fields"]), ["desk_type"]);
        assert_eq!(ways(2, &["leaf_id", "operations"]), ["modify_leaf_text", "create_leaf_table"]);
        assert_eq!(ways(4, &["leaf_id", "rows"]), ["batch_update_leaf", "modify_leaf_text"]);
        assert_eq!(ways(5, &["path", "edits"]), ["write_file"]);
        assert_eq!(ways(6, &["path", "content"]), ["edit_file"]);
        assert_eq!(ways(7, &["title"]), ["import_to_acme_sheets"]);
        assert_eq!(ways(8, &["file_name"]), ["create_sheet"]);
        assert_eq!(ways(9, &["title"]), [""; 0]);
    }

    #[test]
    fn whoever_may_read_may_look_at_all_of_it() {
        let catalog = with(&[
            needing("open_leaves", "Open some leaves of the herbarium", &["names"]),
            needing("read_herbarium", "Read the whole herbarium", &[]),
            needing("seek_leaves", "Search the herbarium", &["query"]),
            needing("shelf_map", "Map a shelf. Returns its labels.", &["shelf_url"]),
            needing("shelf_crawl", "Crawl a shelf. Extracts what is on it.", &["shelf_url"]),
            needing("paint_shelf", "Paint a shelf", &["shelf_url"]),
        ]);
        let near = Neighbours::of(&catalog);
        let reads = |at: usize, given: &[&str]| near.reads(&catalog.tools()[at], &[], &[], given);
        assert_eq!(reads(0, &["names"]), ["seek_leaves", "read_herbarium"]);
        assert_eq!(reads(1, &[]), ["seek_leaves"]);
        assert_eq!(reads(3, &["shelf_url"]), ["shelf_crawl"]);
        assert_eq!(reads(5, &["shelf_url"]), ["shelf_map", "shelf_crawl"]);
    }

    #[test]
    fn whoever_looks_for_something_may_list_the_place() {
        let tool = |name: &str, needs: &[&str]| {
            let properties: serde_json::Map<String, serde_json::Value> = needs
                .iter()
                .map(|name| ((*name).to_owned(), serde_json::json!({"type": "string"})))
                .collect();
            serde_json::json!({"name": name, "inputSchema": {"properties": properties, "required": needs}})
        };
        let text = serde_json::json!({"tools": [
            tool("search_leaves", &["pattern", "crate"]),
            tool("list_crate", &["crate"]),
            tool("crate_tree", &["crate", "depth"]),
            tool("list_keepers", &["team"]),
            tool("search_keepers", &["query"]),
        ]});
        let catalog = Catalog::from_text(std::path::Path::new("c.json"), &text.to_string()).unwrap();
        let near = Neighbours::of(&catalog);
        let reads = near.reads(&catalog.tools()[0], &[], &[], &[]);
        assert!(reads.contains(&"list_crate".to_owned()), "{reads:?}");
        assert!(!reads.contains(&"crate_tree".to_owned()) && !reads.contains(&"list_keepers".to_owned()));
        assert!(!near.reads(&catalog.tools()[4], &[], &[], &[]).contains(&"list_crate".to_owned()));
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
        assert_eq!(near.substitutes(&catalog.tools()[0], "read note NT-1", &[]), ["read_text_note"]);
        assert_eq!(near.substitutes(&catalog.tools()[1], "read note NT-1 whole", &[]), ["read_note"]);
        assert_eq!(near.substitutes(&catalog.tools()[2], "delete note NT-1", &[]), [""; 0]);
        assert_eq!(
            near.reads(&catalog.tools()[2], &[], &[], &[]),
            ["read_note", "read_text_note", "list_notes"]
        );
        assert!(!near.is_ambiguous(&catalog.tools()[2], "delete note NT-1", &[]));
        assert!(near.is_ambiguous(&catalog.tools()[3], "note", &[]));
    }
}
