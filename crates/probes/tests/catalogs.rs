//! Tool lists in every known shape, and catalogs of several sources.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

use std::path::Path;

use probes::Catalog;
use transcript::ToolForm;

fn read(text: &str) -> Catalog {
    Catalog::from_text(Path::new("depot.tools.json"), text).unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers and escapes that a parse and a print would change.
const SCHEMA: &str = r#"{ "type":"object", "properties": {"kg": {"type":"number","minimum":1.0,"default":1E2,"title":"\u00e9"}} }"#;
const SENT: &str =
    r#"{"type":"object","properties":{"kg":{"type":"number","minimum":1.0,"default":1E2,"title":"\u00e9"}}}"#;

#[test]
fn each_shape_gives_the_same_tool_and_keeps_its_text() {
    let nested = format!(
        r#"{{"type":"function","function":{{"name":"weigh","description":"a\u002fb","parameters":{SCHEMA},"strict":true}}}}"#
    );
    let flat = format!(
        r#"{{"type":"function","name":"weigh","description":"a\u002fb","parameters":{SCHEMA},"strict":true}}"#
    );
    let anthropic =
        format!(r#"{{"name":"weigh","description":"a\u002fb","input_schema":{SCHEMA},"strict":true}}"#);
    let gemini = format!(
        r#"{{"name":"weigh","description":"a\u002fb","parametersJsonSchema":{SCHEMA},"strict":true}}"#
    );
    let mcp = format!(r#"{{"name":"weigh","description":"a\u002fb","inputSchema":{SCHEMA}}}"#);
    for (text, form) in [
        (format!("[{nested}]"), Some(ToolForm::OpenaiNested)),
        (format!(r#"{{"model":"m","messages":[],"tools":[{nested}]}}"#), Some(ToolForm::OpenaiNested)),
        (format!("[{flat}]"), Some(ToolForm::OpenaiFlat)),
        (format!("[{anthropic}]"), Some(ToolForm::Anthropic)),
        (format!(r#"{{"max_tokens":9,"tools":[{anthropic}]}}"#), Some(ToolForm::Anthropic)),
        (format!(r#"{{"functionDeclarations":[{gemini}]}}"#), Some(ToolForm::Gemini)),
        (format!(r#"[{{"function_declarations":[{gemini}]}}]"#), Some(ToolForm::Gemini)),
        (
            format!(r#"{{"contents":[],"tools":[{{"functionDeclarations":[{gemini}]}}]}}"#),
            Some(ToolForm::Gemini),
        ),
        (format!(r#"{{"tools":[{mcp}]}}"#), None),
        (format!("[{mcp}]"), None),
        (format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{mcp}]}}}}"#), None),
    ] {
        let catalog = read(&text);
        let [tool] = catalog.tools() else { panic!("{text}") };
        assert_eq!(tool.name.as_str(), "weigh");
        assert_eq!(tool.description.as_ref().unwrap().as_str(), r#""a\u002fb""#, "{text}");
        assert_eq!(tool.input_schema.as_ref().unwrap().as_str(), SENT, "{text}");
        assert_eq!(tool.original.as_ref().map(|original| original.form), form, "{text}");
        assert_eq!(tool.strict, form.is_some().then_some(true), "{text}");
        assert!(tool.extras.is_empty(), "{text}");
        if let Some(original) = &tool.original {
            assert!(original.json.as_str().contains(SENT));
        }
        assert_eq!(catalog.label(), "depot");
    }
}

#[test]
fn tools_of_a_namespace_keep_it_around_them_one_by_one() {
    let catalog = read(
        r#"[{"type":"namespace","name":"bells","description":"\u0042ells","tools":[{"type":"function","name":"ring","parameters":{"x":1.0}},{"type":"function","name":"toll","parameters":{}}]},{"type":"function","name":"tide_at","parameters":{}}]"#,
    );
    let [ring, toll, tide] = catalog.tools() else { panic!("{catalog:?}") };
    assert_eq!((ring.namespace().as_deref(), toll.namespace().as_deref()), (Some("bells"), Some("bells")));
    assert_eq!((ring.family(), tide.namespace()), ("bells", None));
    assert_eq!(ring.input_schema.as_ref().unwrap().as_str(), r#"{"x":1.0}"#);
    assert_eq!(
        ring.original.as_ref().unwrap().json.as_str(),
        r#"{"type":"namespace","name":"bells","description":"\u0042ells","tools":[{"type":"function","name":"ring","parameters":{"x":1.0}}]}"#
    );
}

#[test]
fn what_has_no_place_is_kept_and_hints_are_read() {
    let catalog = read(
        r#"{"nextCursor":"x","tools":[{"name":"a","title":"A","inputSchema":{},"annotations":{"readOnlyHint":true,"x":1.50}},{"name":"b"}]}"#,
    );
    let a = &catalog.tools()[0];
    assert_eq!(a.read_only, Some(true));
    assert_eq!(a.extras.keys().collect::<Vec<_>>(), ["title", "annotations"]);
    assert_eq!(a.extras["annotations"].as_str(), r#"{"readOnlyHint":true,"x":1.50}"#);
    assert_eq!(catalog.tools()[1].input_schema, None);
    let nested =
        read(r#"[{"type":"function","function":{"name":"a","x":1},"cache_control":{"type":"ephemeral"}}]"#);
    assert_eq!(nested.tools()[0].extras.keys().collect::<Vec<_>>(), ["x", "cache_control"]);
}

#[test]
fn a_providers_shape_may_be_written_in_yaml() {
    let catalog = read(
        "# tools\n- type: function\n  function:\n    name: weigh\n    parameters: {properties: {kg: {minimum: 1.0, maximum: 0x10}}}\n",
    );
    let schema = catalog.tools()[0].input_schema.as_ref().unwrap();
    assert_eq!(schema.as_str(), r#"{"properties":{"kg":{"minimum":1.0,"maximum":16}}}"#);
    let flow = read("{toolmirage: catalog/1, name: x, version: 2, tools: [{name: weigh}]}");
    assert_eq!(flow.label(), "x/2");
}

#[test]
fn gemini_writes_types_in_capitals() {
    let text = r#"{"functionDeclarations":[{"name":"a","parameters":{"type":"OBJECT","properties":{"x":{"type":"STRING"}}}}]}"#;
    assert_eq!(read(text).tools().len(), 1);
    let other = text.replace("functionDeclarations", "tools").replace("parameters", "inputSchema");
    assert!(Catalog::from_text(Path::new("x"), &other).is_err());
}

fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

const BOTH: &str = "toolmirage: catalog/1\nname: desk\nversion: 4\nsources:\n";

#[test]
fn sources_make_one_catalog_in_their_order() {
    let folder = folder_of(&[
        (
            "tickets.mcp.json",
            r#"{"tools":[{"name":"close","inputSchema":{}},{"name":"get","inputSchema":{}}]}"#,
        ),
        ("parcels.json", r#"[{"name":"get","input_schema":{}}]"#),
        (
            "desk.yaml",
            &format!(
                "{BOTH}  - file: parcels.json\n  - {{ file: tickets.mcp.json, name: 'tickets__{{tool}}' }}\n"
            ),
        ),
    ]);
    let catalog = Catalog::load(&folder.path().join("desk.yaml")).unwrap_or_else(|error| panic!("{error}"));
    let names: Vec<_> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["get", "tickets__close", "tickets__get"]);
    let sources: Vec<_> = catalog.tools().iter().map(|tool| tool.source.as_deref().unwrap()).collect();
    assert_eq!(sources, ["parcels", "tickets", "tickets"]);
    assert!(catalog.tools()[0].original.is_some());
    assert_eq!(catalog.label(), "desk/4");
}

#[test]
fn sources_that_clash_or_are_not_there_are_all_named() {
    let one = r#"[{"name":"get","input_schema":{}}]"#;
    let folder = folder_of(&[
        ("one.json", one),
        ("two.json", one),
        ("broken.json", r#"[{"name":"x","name":"y","input_schema":{}}]"#),
        (
            "desk.yaml",
            &format!(
                "{BOTH}  - file: one.json\n  - file: two.json\n  - file: none.json\n  - file: broken.json\n"
            ),
        ),
    ]);
    let error = Catalog::load(&folder.path().join("desk.yaml")).unwrap_err();
    let messages: Vec<_> = error.diagnostics().iter().map(|mistake| mistake.message.as_str()).collect();
    assert_eq!(messages.len(), 3, "{error}");
    assert!(messages.iter().any(|m| m.contains("`one.json` and `two.json` both give a tool `get`")));
    assert!(messages.iter().any(|m| m.contains("cannot read")));
    assert!(messages.iter().any(|m| m.contains("stands twice")));
}

#[test]
fn a_catalog_that_is_its_own_source_ends() {
    let folder = folder_of(&[("desk.yaml", &format!("{BOTH}  - file: desk.yaml\n"))]);
    let error = Catalog::load(&folder.path().join("desk.yaml")).unwrap_err();
    assert!(error.to_string().contains("deep"), "{error}");
}
