//! RelyToolBench: `solvable_queries/test_instruction/*_missing_all_arguments.json`, `*_missing_arguments.json` and
//! `*_with_unmatched_tools.json`. Each is one list; functions are APIs with required and optional parameters.

use probes::MissingArguments;
use serde_json::{Map, Value, json};

use super::Benchmark;
use crate::case::{Case, Made, Opened, Part, Read, task, text};
use crate::function::Function;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "relytoolbench",
    title: "RelyToolBench",
    licence: "Apache-2.0",
    summary: &[
        "missing_all_arguments, missing_arguments: the words leave out what the relevant API requires",
        "with_unmatched_tools: no API fits; a call is an over-call",
    ],
    beside: &[],
    quarantine: None,
    read,
};

const MISSING: Part = Part { name: "missing", kinds: &["missing_argument"] };
const UNMATCHED: Part = Part { name: "unmatched", kinds: &["no_tool_needed"] };

/// The sorts of file, by what their names hold.
const SORTS: &[(&str, Sort)] = &[
    ("missing_all_arguments", Sort::AllMissing),
    ("missing_arguments", Sort::SomeMissing),
    ("unmatched_tools", Sort::Unmatched),
];

#[derive(Clone, Copy)]
enum Sort {
    AllMissing,
    SomeMissing,
    Unmatched,
}

fn read(files: &[Opened<'_>]) -> Read {
    let mut read = Read::default();
    for file in files {
        let name = file.file.file_name();
        let stem = name.split('.').next().unwrap_or(name);
        let sort = SORTS.iter().find(|(word, _)| name.contains(word)).map(|(_, sort)| *sort);
        for record in &file.records.records {
            let value = &record.value;
            let id = value.get("query_id").filter(|id| id.is_number() || id.is_string());
            let Some(id) = id.filter(|_| value.get("api_list").is_some()) else {
                let why = "no RelyToolBench record: expected `query`, `query_id`, `api_list`";
                read.unreadable.push((file.place(record), why.to_owned()));
                continue;
            };
            let id = format!("{stem}/{}", id.as_str().map_or_else(|| id.to_string(), str::to_owned));
            let made = match sort {
                Some(sort) => made(value, sort),
                None => {
                    let words: Vec<&str> = SORTS.iter().map(|(word, _)| *word).collect();
                    Err(format!(
                        "the file's name says not what is missing; it holds one of {}",
                        words.join(", ")
                    ))
                }
            };
            read.cases.push(Case { id, place: file.place(record), made });
        }
    }
    read
}

fn made(case: &Value, sort: Sort) -> Result<Made, String> {
    let apis = case.get("api_list").and_then(Value::as_array).ok_or("its `api_list` is no list")?;
    let list: Vec<Value> = apis.iter().map(written).collect::<Result<_, _>>()?;
    let functions = Function::list(Some(&Value::Array(list)))?;
    let mut task = task(text(case, "query")?);
    if let Sort::Unmatched = sort {
        if let Some(name) = relevant(case).iter().find(|name| functions.iter().any(|one| one.name == **name))
        {
            return Err(format!("it offers `{name}`, which is relevant by its own label"));
        }
        task.answerable_without_tool = true;
        return Ok(Made { part: &UNMATCHED, functions, task });
    }
    let relevant: Vec<&Function> = relevant(case)
        .iter()
        .filter_map(|name| functions.iter().find(|function| function.name == *name))
        .collect();
    let requiring = relevant.iter().find(|function| match sort {
        Sort::SomeMissing => function.required().count() == 1,
        _ => function.required().next().is_some(),
    });
    let Some(function) = requiring else {
        return Err(match sort {
            Sort::SomeMissing => "it says not which of several required parameters the words leave out",
            _ => "none of its relevant APIs requires a parameter",
        }
        .to_owned());
    };
    task.tool = Some(function.name.clone());
    let of = function.required().map(str::to_owned).collect();
    task.kinds.missing_argument = Some(MissingArguments { of });
    Ok(Made { part: &MISSING, functions, task })
}

/// The names of the relevant APIs, in order.
fn relevant(case: &Value) -> Vec<String> {
    let pairs = case.get("relevant APIs").and_then(Value::as_array).into_iter().flatten();
    pairs.filter_map(|pair| Some(name(pair.get(0)?.as_str()?, pair.get(1)?.as_str()?))).collect()
}

/// An API goes by its own name and that of its tool, as in the benchmark's prompts.
fn name(tool: &str, api: &str) -> String {
    format!("{api} for {tool}")
}

/// An API as a function. What the benchmark calls a default is an example of a value.
fn written(api: &Value) -> Result<Value, String> {
    let (tool, own) = (text(api, "tool_name")?, text(api, "api_name")?);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, is_required) in [("required_parameters", true), ("optional_parameters", false)] {
        for parameter in api.get(key).and_then(Value::as_array).into_iter().flatten() {
            let name = text(parameter, "name")?;
            properties.insert(name.to_owned(), property(parameter));
            if is_required {
                required.push(name);
            }
        }
    }
    let parameters = json!({ "type": "object", "properties": properties, "required": required });
    let description = api.get("api_description").and_then(Value::as_str).unwrap_or_default();
    Ok(json!({ "name": name(tool, own), "description": description, "parameters": parameters }))
}

fn property(parameter: &Value) -> Value {
    // The benchmark's own conversion sends every type that it does not know as text.
    let kind = match parameter.get("type").and_then(Value::as_str).unwrap_or_default().to_lowercase().as_str()
    {
        "number" => "number",
        "boolean" => "boolean",
        "array" => "array",
        "object" => "object",
        _ => "string",
    };
    let mut property = json!({ "type": kind });
    if let Ok(description) = text(parameter, "description") {
        property["description"] = description.into();
    }
    if let Some(example) = parameter.get("default").filter(|example| example.as_str() != Some("")) {
        property["examples"] = json!([example]);
    }
    property
}
