//! The shapes in which tool lists come, and how an entry of each becomes a tool. An entry is kept as it was
//! written; what our tools have no place for goes to `extras`.

use std::ops::Range;

use indexmap::IndexMap;
use transcript::{RawJson, Tool, ToolForm, ToolOriginal};

use crate::document::{Content, Document, Entry, Node};
use crate::error::Diagnostic;

/// The shapes, for people.
const KNOWN_SHAPES: &str = "known are: our own form (`toolmirage: catalog/1`), OpenAI tools (nested or flat), \
Anthropic tools (`input_schema`), Gemini `functionDeclarations`, an MCP `tools/list` result (`inputSchema`), \
OpenAPI documents, a request with `tools`";

/// A tool of a list, with the nodes that later mistakes point at.
pub(super) struct Listed<'a> {
    pub(super) tool: Tool,
    pub(super) nodes: ToolNodes<'a>,
}

/// Where a tool's name and schema stand.
#[derive(Clone, Copy)]
pub(super) struct ToolNodes<'a> {
    pub(super) name: &'a Node,
    pub(super) schema: Option<&'a Node>,
    /// Gemini writes the names of types in capitals.
    pub(super) is_gemini: bool,
}

/// A recognised list, with the entries that could be read and the mistakes of the others.
pub(super) struct List<'a> {
    pub(super) tools: Vec<Listed<'a>>,
    pub(super) mistakes: Vec<Diagnostic>,
    pub(super) span: Range<usize>,
}

/// Where an entry has its parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Nested,
    Flat,
    Anthropic,
    Gemini,
    Mcp,
}

impl Form {
    fn schema_keys(self) -> &'static [&'static str] {
        match self {
            Self::Nested | Self::Flat => &["parameters"],
            Self::Anthropic => &["input_schema"],
            Self::Gemini => &["parameters", "parametersJsonSchema", "parameters_json_schema"],
            Self::Mcp => &["inputSchema"],
        }
    }

    fn tool_form(self) -> Option<ToolForm> {
        match self {
            Self::Nested => Some(ToolForm::OpenaiNested),
            Self::Flat => Some(ToolForm::OpenaiFlat),
            Self::Anthropic => Some(ToolForm::Anthropic),
            Self::Gemini => Some(ToolForm::Gemini),
            Self::Mcp => None,
        }
    }

    /// What an entry's own keys show.
    fn of(entry: &Node) -> Option<Self> {
        let has = |key| entry.get(key).is_some();
        if has("function") {
            Some(Self::Nested)
        } else if has("inputSchema") {
            Some(Self::Mcp)
        } else if has("input_schema") {
            Some(Self::Anthropic)
        } else if entry.get("type").and_then(Node::text) == Some("function") {
            Some(Self::Flat)
        } else {
            None
        }
    }
}

/// Finds the list of tools and reads its entries.
pub(super) fn recognise(document: &Document) -> Result<List<'_>, Diagnostic> {
    let root = &document.root;
    let mut read = Reading { document, tools: Vec::new(), mistakes: Vec::new() };
    let list = root.get("result").and_then(|result| result.get("tools")).or_else(|| root.get("tools"));
    let span = match (&root.content, list, declarations(root)) {
        (Content::List(items), ..) => {
            read.entries(items, None);
            root.span()
        }
        (_, Some(list @ Node { content: Content::List(items), .. }), _) => {
            // Of the lists that are a member `tools`, only MCP's has entries that may show no schema.
            read.entries(items, Some(Form::Mcp));
            list.span()
        }
        (_, _, Some(list)) => {
            read.declarations(list);
            list.span()
        }
        _ => return Err(unknown(document, root)),
    };
    Ok(List { tools: read.tools, mistakes: read.mistakes, span })
}

fn declarations(node: &Node) -> Option<&Node> {
    node.get("functionDeclarations").or_else(|| node.get("function_declarations"))
}

/// A namespace's name and tools.
fn namespace(entry: &Node) -> Option<(&str, &[Node])> {
    entry.get("type").and_then(Node::text).filter(|kind| *kind == "namespace")?;
    Some((entry.get("name")?.text()?, entry.get("tools")?.items()?))
}

/// A namespace's entry with one of its tools.
fn alone(document: &Document, entry: &Node, tool: &RawJson) -> RawJson {
    let mut text = String::new();
    for member in entry.entries().unwrap_or_default() {
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push_str(RawJson::from_text(&member.key).as_str());
        text.push(':');
        if &*member.key == "tools" {
            text.extend(["[", tool.as_str(), "]"]);
        } else {
            text.push_str(document.raw(&member.value).as_str());
        }
    }
    text.push('}');
    RawJson::parse(&text).expect("members of JSON make an object")
}

fn unknown(document: &Document, node: &Node) -> Diagnostic {
    document.source.diagnostic(&start_of(node), "no known shape of a tool list").help(KNOWN_SHAPES)
}

/// The first character of a value: a whole list would be a long underline.
fn start_of(node: &Node) -> Range<usize> {
    match node.content {
        Content::List(_) | Content::Map(_) => node.span().start..node.span().start + 1,
        _ => node.span(),
    }
}

struct Reading<'a> {
    document: &'a Document,
    tools: Vec<Listed<'a>>,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    fn entries(&mut self, items: &'a [Node], otherwise: Option<Form>) {
        for entry in items {
            if let Some(list) = declarations(entry) {
                self.declarations(list);
                continue;
            }
            if let Some((name, list)) = namespace(entry) {
                self.namespace(entry, name, list);
                continue;
            }
            let shows_nothing = ["type", "parameters"].iter().all(|key| entry.get(key).is_none());
            let otherwise = otherwise.filter(|_| shows_nothing && entry.entries().is_some());
            match Form::of(entry).or(otherwise) {
                Some(form) => self.entry(entry, form),
                None => self.mistakes.push(self.no_tool(entry)),
            }
        }
    }

    fn declarations(&mut self, list: &'a Node) {
        match list.items() {
            Some(items) => items.iter().for_each(|entry| self.entry(entry, Form::Gemini)),
            None => self.mistakes.push(self.wrong(list, "`functionDeclarations` takes a list")),
        }
    }

    /// The tools of a namespace: each keeps the entry with itself alone in it, so that none is offered by its
    /// neighbours.
    fn namespace(&mut self, entry: &'a Node, name: &str, list: &'a [Node]) {
        for inner in list {
            let before = self.tools.len();
            self.entries(std::slice::from_ref(inner), None);
            for Listed { tool, .. } in self.tools.iter_mut().skip(before) {
                let json = self.document.raw(inner);
                let json = alone(self.document, entry, &json);
                tool.family.get_or_insert_with(|| name.to_owned());
                tool.original = Some(ToolOriginal { form: ToolForm::OpenaiFlat, json });
            }
        }
    }

    fn no_tool(&self, entry: &Node) -> Diagnostic {
        match (entry.entries(), entry.get("type").and_then(Node::text)) {
            (Some(_), Some(kind)) => self
                .wrong(
                    entry,
                    format!("a `{kind}` entry is run by its provider, so its calls cannot be observed"),
                )
                .help("leave it out, or offer a function with a schema in its place"),
            (Some(_), None) => self.wrong(entry, "this entry is no tool of a known shape").help(KNOWN_SHAPES),
            (None, _) => self.wrong(entry, format!("a tool is a map, and this is {}", entry.type_name())),
        }
    }

    fn wrong(&self, node: &Node, message: impl Into<String>) -> Diagnostic {
        self.document.source.diagnostic(&start_of(node), message)
    }

    fn entry(&mut self, entry: &'a Node, form: Form) {
        let body = if form == Form::Nested { entry.get("function").unwrap_or(entry) } else { entry };
        let Some(members) = body.entries() else {
            self.mistakes
                .push(self.wrong(body, format!("a tool is a map, and this is {}", body.type_name())));
            return;
        };
        let Some((name, text)) = self.name(body) else { return };
        let mut tool = Tool::named(text);
        let mut schema = None;
        for member in members {
            match &*member.key {
                "name" => {}
                "type" if form == Form::Flat => {}
                "description" => tool.description = self.description(&member.value),
                "strict" if form != Form::Mcp => tool.strict = self.boolean(member),
                key if form.schema_keys().contains(&key) => schema = not_null(&member.value),
                _ => _ = tool.extras.insert(member.key.to_string(), self.document.raw(&member.value)),
            }
        }
        if form == Form::Nested {
            self.outer(entry, &mut tool.extras);
        }
        tool.input_schema = schema.map(|schema| self.document.raw(schema));
        let hint = body.get("annotations").and_then(|annotations| annotations.get("readOnlyHint"));
        if let Some(Content::Bool(reads)) = hint.filter(|_| form == Form::Mcp).map(|hint| &hint.content) {
            tool.read_only = Some(*reads);
        }
        tool.original = form.tool_form().map(|form| ToolOriginal { form, json: self.document.raw(entry) });
        let nodes = ToolNodes { name, schema, is_gemini: form == Form::Gemini };
        self.tools.push(Listed { tool, nodes });
    }

    /// The name's node and text.
    fn name(&mut self, body: &'a Node) -> Option<(&'a Node, &'a str)> {
        let Some(name) = body.get("name") else {
            self.mistakes.push(self.wrong(body, "this tool has no name").help("every tool needs a `name`"));
            return None;
        };
        let text = name.text();
        if text.is_none() {
            self.mistakes.push(self.wrong(name, format!("a name is text, and this is {}", name.type_name())));
        }
        Some((name, text?))
    }

    fn description(&mut self, node: &Node) -> Option<RawJson> {
        match &node.content {
            Content::Null => None,
            Content::Text(_) => Some(self.document.raw(node)),
            _ => {
                let what = format!("a description is text, and this is {}", node.type_name());
                self.mistakes.push(self.wrong(node, what));
                None
            }
        }
    }

    fn boolean(&mut self, member: &Entry) -> Option<bool> {
        match &member.value.content {
            Content::Bool(value) => Some(*value),
            Content::Null => None,
            _ => {
                let what =
                    format!("`{}` is true or false, and this is {}", member.key, member.value.type_name());
                self.mistakes.push(self.wrong(&member.value, what));
                None
            }
        }
    }

    /// Members beside `function` in the nested form.
    fn outer(&self, entry: &Node, extras: &mut IndexMap<String, RawJson>) {
        for member in entry.entries().unwrap_or_default() {
            if !matches!(&*member.key, "type" | "function") && !extras.contains_key(&*member.key) {
                extras.insert(member.key.to_string(), self.document.raw(&member.value));
            }
        }
    }
}

fn not_null(node: &Node) -> Option<&Node> {
    (!matches!(node.content, Content::Null)).then_some(node)
}
