//! Per provider: what we must send, what we may get, what we must make of it. A folder is a case
//! (`tests/wire/<provider>/<case>/`): `response.*` with an optional `status.txt` gives `decoded.json`, and
//! `conversation.json` gives `request.json`. `TOOLMIRAGE_UPDATE=1` rewrites the expected files.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test harness")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;
use jiff::Timestamp;
use probes::ArmSettings;
use runner::{Failure, ModelRequest, PROVIDERS, Provider, Said, decide_retry};
use serde::{Deserialize, Serialize};
use transcript::{CallId, Message, Observed, RawJson, Tool, TurnKind, Usage};

#[derive(Serialize)]
struct Expected<'a> {
    turn: TurnKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: &'a Option<String>,
    observed: &'a Observed,
    usage: &'a Option<Usage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    echo: Option<RawJson>,
}

#[derive(Deserialize)]
struct Conversation {
    model: String,
    messages: Vec<Message>,
    tools: Vec<Tool>,
    #[serde(default)]
    settings: IndexMap<String, RawJson>,
    #[serde(default)]
    arm: ArmSettings,
}

#[test]
fn wire_cases_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire");
    let mut mismatches = Vec::new();
    for provider in PROVIDERS {
        let cases = folders(&root.join(provider.name));
        for needed in [
            "plain-answer",
            "one-call",
            "parallel-calls",
            "malformed-arguments",
            "refusal",
            "cut-off",
            "error",
        ] {
            let found =
                cases.iter().any(|case| case.file_name().unwrap().to_string_lossy().starts_with(needed));
            assert!(found, "{} lacks a wire case `{needed}`", provider.name);
        }
        for case in cases {
            if let Some((expected, got)) = decoded(provider, &case) {
                compare(&case.join(expected), &got, &mut mismatches);
            }
            if let Some((expected, got)) = encoded(provider, &case) {
                compare(&case.join(expected), &got, &mut mismatches);
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n\n"));
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn decoded(provider: &Provider, case: &Path) -> Option<(&'static str, String)> {
    let body = ["response.json", "response.txt", "response.html"]
        .iter()
        .find_map(|name| fs::read(case.join(name)).ok())?;
    let status = fs::read_to_string(case.join("status.txt")).map_or(200, |text| text.trim().parse().unwrap());
    let decoded = (provider.decode)(status, &body);
    let ids: Vec<CallId> = decoded
        .observed
        .calls()
        .enumerate()
        .map(|(at, call)| call.id.clone().unwrap_or_else(|| CallId(format!("made-up-{at}"))))
        .collect();
    let turn = TurnKind::of(&decoded.observed, decoded.usage.as_ref(), None);
    let echo = decoded.whole().filter(|_| !ids.is_empty());
    let expected = Expected {
        turn,
        unreadable: &decoded.unreadable,
        observed: &decoded.observed,
        usage: &decoded.usage,
        echo: echo.map(|body| (provider.echo)(body, &decoded.observed, &ids)),
    };
    Some(("decoded.json", serde_json::to_string_pretty(&expected).unwrap() + "\n"))
}

fn encoded(provider: &Provider, case: &Path) -> Option<(&'static str, String)> {
    let text = fs::read_to_string(case.join("conversation.json")).ok()?;
    let conversation: Conversation = serde_json::from_str(&text).unwrap();
    let messages: Vec<Said> = conversation.messages.into_iter().map(Said::Ours).collect();
    let tools: Vec<Arc<Tool>> = conversation.tools.into_iter().map(Arc::new).collect();
    let request = ModelRequest {
        model: &conversation.model,
        messages: &messages,
        tools: &tools,
        settings: &conversation.settings,
        arm: &conversation.arm,
    };
    Some(("request.json", String::from_utf8((provider.encode)(&request).to_vec()).unwrap() + "\n"))
}

fn compare(path: &Path, got: &str, mismatches: &mut Vec<String>) {
    let wanted = fs::read_to_string(path).unwrap_or_default();
    if wanted == got {
        return;
    }
    if std::env::var_os("TOOLMIRAGE_UPDATE").is_some() {
        fs::write(path, got).unwrap();
    } else {
        mismatches.push(format!("{}\nwanted: {wanted}\ngot: {got}", path.display()));
    }
}

/// The handed wire cases, where they lie beside the workspace: error bodies and what they say about retries.
#[test]
fn handed_error_cases_agree_about_retries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/wire");
    let Ok(listing) = fs::read_dir(&root) else {
        println!("skipped: {} is not there", root.display());
        return;
    };
    let provider = runner::provider("openai_chat").unwrap();
    let mut seen = 0;
    for entry in listing {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let retry = &case["verdict"]["retry"];
        if retry.is_null() {
            continue;
        }
        seen += 1;
        let status = case["http"]["status"].as_u64().map_or(200, |status| u16::try_from(status).unwrap());
        let headers: Vec<(String, String)> = case["http"]["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
            .collect();
        let decoded = (provider.decode)(status, case["response"].to_string().as_bytes());
        let failure = Failure {
            status,
            headers: &headers,
            error: decoded.observed.error.as_ref(),
            body: decoded.body.json(),
        };
        let decision = decide_retry(&failure, Timestamp::UNIX_EPOCH);
        let wait = decision.wait.map(|wait| u64::try_from(wait.as_millis()).unwrap());
        assert!(decoded.observed.error.is_some(), "{}", path.display());
        assert_eq!(decision.retry, retry["retry"].as_bool().unwrap(), "{}", path.display());
        assert_eq!(wait, retry["wait_ms"].as_u64(), "{}", path.display());
    }
    println!("{seen} handed cases agree");
}

/// What a chat-completions body must be taken for, over all handed cases of that shape.
#[test]
fn handed_chat_bodies_are_read_as_their_verdicts_say() {
    const CHAT: &[&str] = &[
        "openai_chat",
        "mistral",
        "azure_openai",
        "openrouter",
        "vllm",
        "sglang",
        "llamacpp",
        "lmstudio",
        "openai_compatible",
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/wire");
    let Ok(listing) = fs::read_dir(&root) else {
        println!("skipped: {} is not there", root.display());
        return;
    };
    let provider = runner::provider("openai_chat").unwrap();
    let mut seen = 0;
    for entry in listing {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let body = &case["response"];
        if !CHAT.contains(&case["provider"].as_str().unwrap())
            || body["sse"].is_string()
            || body["output"].is_array()
        {
            continue;
        }
        seen += 1;
        let status = case["http"]["status"].as_u64().map_or(200, |status| u16::try_from(status).unwrap());
        let decoded = (provider.decode)(status, body.to_string().as_bytes());
        assert_eq!(decoded.unreadable, None, "{}", path.display());
        let limit = case["request"]["max_tokens"].as_u64();
        let turn = TurnKind::of(&decoded.observed, decoded.usage.as_ref(), limit);
        let wanted = case["verdict"]["turn"].as_str().unwrap();
        let wanted = if wanted == "text_call" { "text" } else { wanted };
        assert_eq!(serde_json::to_value(turn).unwrap(), wanted, "{}", path.display());
        let names: Vec<&str> = decoded.observed.calls().map(|call| call.name.as_str()).collect();
        let calls = case["verdict"]["calls"].as_array().unwrap();
        let wanted: Vec<&str> = calls
            .iter()
            .filter(|call| call["surface"] == "structured")
            .map(|call| call["emitted_name"].as_str().unwrap())
            .collect();
        assert_eq!(names, wanted, "{}", path.display());
    }
    println!("{seen} handed bodies agree");
}
