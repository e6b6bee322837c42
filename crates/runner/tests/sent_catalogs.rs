//! What is sent of a catalog is what its file says: names, descriptions and schemas byte for byte but for
//! insignificant white space.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use probes::{ArmSettings, Catalog};
use runner::{ModelRequest, Said, provider};
use serde::Deserialize;
use transcript::{Message, RawJson};

#[derive(Deserialize)]
struct Body {
    tools: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    function: BTreeMap<String, RawJson>,
}

/// The tools of a chat-completions request that offers this catalog.
fn sent(catalog: &Catalog) -> Vec<BTreeMap<String, RawJson>> {
    let provider = provider("openai_chat").unwrap();
    let request = ModelRequest {
        model: "m",
        messages: &[Said::Ours(Message::user("Hello."))],
        tools: catalog.tools(),
        settings: &IndexMap::new(),
        arm: &ArmSettings::default(),
    };
    let body: Body = serde_json::from_slice(&(provider.encode)(&request)).unwrap();
    body.tools.into_iter().map(|entry| entry.function).collect()
}

fn compare(text: &str, catalog: &Catalog) {
    #[derive(Deserialize)]
    struct Listed {
        tools: Vec<BTreeMap<String, RawJson>>,
    }
    let listed: Listed = serde_json::from_str(text).unwrap();
    let sent = sent(catalog);
    assert_eq!(sent.len(), listed.tools.len(), "a tool was dropped");
    for (sent, listed) in sent.iter().zip(&listed.tools) {
        for (there, here) in [("name", "name"), ("description", "description"), ("inputSchema", "parameters")]
        {
            assert_eq!(sent.get(here), listed.get(there), "{there} of {:?}", listed.get("name"));
        }
    }
}

#[test]
fn numbers_key_order_and_escapes_are_sent_as_written() {
    let text = r#"{ "tools": [ { "name": "weigh", "description": "Gramme \u2014 \"exactly\"",
        "inputSchema": { "type": "object", "required": ["b"],
            "properties": { "b": { "maximum": 1.0, "minimum": 1E2, "default": 9007199254740993 }, "a": {} } } } ] }"#;
    let catalog = Catalog::from_text(Path::new("weigh.json"), text).unwrap();
    compare(text, &catalog);
    let sent = sent(&catalog).remove(0);
    assert_eq!(sent["description"].as_str(), r#""Gramme \u2014 \"exactly\"""#);
    assert!(
        sent["parameters"].as_str().contains(r#"{"maximum":1.0,"minimum":1E2,"default":9007199254740993}"#)
    );
}

#[test]
fn real_catalogs_are_sent_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/real/catalogs");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut files = 0;
    for path in entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
    {
        let catalog = Catalog::load(&path).unwrap_or_else(|error| panic!("{error}"));
        compare(&std::fs::read_to_string(&path).unwrap(), &catalog);
        files += 1;
    }
    println!("{files} catalogs are sent as their files say");
    assert!(files > 0);
}
