//! Signed requests to Amazon Bedrock: the built binary against an endpoint on loopback that tells who asked it.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;

use place::{Place, code, err, out};

const ID: &str = "AKIDCANARYFERN7MOSS";
const SECRET: &str = "canary/secret+moss1birch2aster3linden4elm5";
const TOKEN: &str = "canary//token+of/the+session==";
const MODEL: &str = "bedrock_converse:fern.moss-2-v1:0";

/// The heads of the requests, in lower case all but the values of headers.
type Heads = Arc<Mutex<Vec<String>>>;

/// An endpoint that repeats the keys in its answers, in words and in a header.
fn endpoint() -> (String, Heads) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let heads = Heads::default();
    let into = heads.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let heads = into.clone();
            thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    if reader.read_line(&mut line).unwrap_or(0) <= 2 {
                        break;
                    }
                    let (name, value) = line.split_once(": ").unwrap_or((&line, ""));
                    if name.eq_ignore_ascii_case("content-length") {
                        length = value.trim().parse().unwrap();
                    }
                    head.push_str(&format!("{}: {value}", name.to_ascii_lowercase()));
                }
                reader.read_exact(&mut vec![0; length]).unwrap();
                heads.lock().unwrap().push(head);
                let text = format!("I cannot do that. {ID} {SECRET} {TOKEN}");
                let body = json!({
                    "output": { "message": { "role": "assistant", "content": [{ "text": text }] } },
                    "stopReason": "end_turn",
                    "usage": { "inputTokens": 900, "outputTokens": 20, "totalTokens": 920 },
                })
                .to_string();
                let _ = write!(
                    stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-echo: {SECRET} {TOKEN}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
            });
        }
    });
    (format!("http://{address}"), heads)
}

/// Runs with these variables of Amazon Web Services and no others.
fn run(place: &Place, args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = place.command(args);
    let own = ["ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "SESSION_TOKEN", "REGION", "BEARER_TOKEN_BEDROCK"];
    for name in own {
        command.env_remove(format!("AWS_{name}"));
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

const KEYS: [(&str, &str); 3] =
    [("AWS_ACCESS_KEY_ID", ID), ("AWS_SECRET_ACCESS_KEY", SECRET), ("AWS_SESSION_TOKEN", TOKEN)];

fn suite<'a>(address: &'a str, folder: &'a str) -> Vec<&'a str> {
    let suite = ["run", "suites/starter.yaml", "--limit", "3", "-q", "--no-check", "--target", MODEL];
    [&suite[..], &["--base-url", address, "--out", folder]].concat()
}

/// The value of a header in a request's head.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[test]
fn requests_are_signed_and_no_part_of_the_keys_is_written() {
    let place = Place::new();
    let (address, heads) = endpoint();
    let mut variables = KEYS.to_vec();
    variables.extend([("AWS_REGION", "eu-north-1"), ("TOOLMIRAGE_LOG", "trace")]);
    let args = [&suite(&address, "signed")[..], &["--record", "kept"]].concat();
    let output = run(&place, &args, &variables);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let heads = heads.lock().unwrap().clone();
    assert!(!heads.is_empty());
    for head in &heads {
        assert!(head.starts_with("post /model/fern.moss-2-v1%3a0/converse http"), "{head}");
        let signed = header(head, "authorization").unwrap();
        let (scope, rest) = signed.split_once(", ").unwrap();
        let date = header(head, "x-amz-date").unwrap();
        let day = date.split_once('T').unwrap().0;
        assert_eq!(scope, format!("AWS4-HMAC-SHA256 Credential={ID}/{day}/eu-north-1/bedrock/aws4_request"));
        assert!(
            rest.starts_with("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, Signature=")
        );
        assert_eq!(header(head, "x-amz-security-token"), Some(TOKEN));
        assert!(!head.contains(SECRET), "{head}");
    }
    let mut written = vec![out(&output), err(&output)];
    texts(&place.path("signed"), &mut written);
    texts(&place.path("kept"), &mut written);
    assert!(written.len() > 6 && written.iter().any(|text| text.contains("[redacted]")));
    for text in &written {
        for part in ["canary", "CANARY", "AWS4-HMAC", "x-amz-date"] {
            assert!(!text.contains(part), "{part} in {}", text.chars().take(4000).collect::<String>());
        }
    }
    // What is kept is found without keys, region and time: nothing is sent, and no secret has to be there.
    let args = [&suite(&address, "again")[..], &["--replay", "kept", "--key-env", "FERN_KEY"]].concat();
    let output = run(&place, &args, &[]);
    assert_eq!(code(&output), 0, "{}", err(&output));
}

/// The texts of all files in a folder.
fn texts(folder: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        match entry.path().is_dir() {
            true => texts(&entry.path(), into),
            false => into.push(String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()).into_owned()),
        }
    }
}

#[test]
fn a_bearer_key_comes_first_and_its_variable_may_be_named() {
    let place = Place::new();
    let (address, heads) = endpoint();
    let region = ("AWS_REGION", "eu-north-1");
    let bearer = ("AWS_BEARER_TOKEN_BEDROCK", "birch-key-1");
    for (number, (more, variables, wanted)) in [
        (&[][..], &[bearer, KEYS[0], KEYS[1], region][..], Some("Bearer birch-key-1")),
        (&["--key-env", "FERN_KEY"], &[bearer, ("FERN_KEY", "fern-key-2")], Some("Bearer fern-key-2")),
        (&["--key-env", "FERN_KEY"], &[bearer, KEYS[0], KEYS[1], region], Some("AWS4-HMAC-SHA256 ")),
        // A server of one's own asks for nothing.
        (&[], &[], None),
    ]
    .into_iter()
    .enumerate()
    {
        heads.lock().unwrap().clear();
        let folder = format!("run-{number}");
        let output = run(&place, &[&suite(&address, &folder)[..], more].concat(), variables);
        assert_eq!(code(&output), 0, "{number}: {}", err(&output));
        let heads = heads.lock().unwrap();
        assert!(!heads.is_empty());
        for head in heads.iter() {
            let sent = header(head, "authorization");
            assert!(sent.map(|value| value.get(..wanted?.len())) == wanted.map(Some), "{number}: {sent:?}");
        }
    }
}

#[test]
fn what_is_missing_is_named_before_anything_is_sent() {
    let place = Place::new();
    let north = "https://bedrock-runtime.eu-north-1.amazonaws.com";
    for (url, more, variables, words) in [
        (north, &[][..], &[][..], &["`AWS_BEARER_TOKEN_BEDROCK`", "`AWS_ACCESS_KEY_ID`"][..]),
        ("http://127.0.0.1:9", &["--key-env", "FERN_KEY"], &[], &["`FERN_KEY`", "`AWS_SECRET_ACCESS_KEY`"]),
        (north, &[], &KEYS[..1], &["`AWS_ACCESS_KEY_ID` is set and `AWS_SECRET_ACCESS_KEY` is not"]),
        ("http://127.0.0.1:9", &[], &KEYS[..2], &["no region", "`AWS_REGION`"]),
    ] {
        let output = run(&place, &[&suite(url, "nothing")[..], more].concat(), variables);
        assert_eq!(code(&output), 2, "{}", err(&output));
        assert!(words.iter().all(|word| err(&output).contains(word)), "{}", err(&output));
        assert!(!err(&output).contains("CANARY"), "{}", err(&output));
    }
}

#[test]
fn a_target_names_its_region() {
    let place = Place::new();
    let (address, heads) = endpoint();
    let configure = |target: &str| {
        let text = format!(
            "toolmirage: config/1\ngateways: {{ yard: {{ base_url: \"{address}\" }} }}\ntargets:\n  fern: {{ {target} }}\n"
        );
        place.write("toolmirage.yaml", &text);
    };
    let args = |folder| {
        [
            "run",
            "suites/starter.yaml",
            "--limit",
            "1",
            "-q",
            "--no-check",
            "--target",
            "fern",
            "--out",
            folder,
        ]
    };
    let bedrock = "provider: bedrock_converse, model: fern-2";
    // What the environment holds for Amazon goes to no gateway, unless the target says that it is signed for.
    for (folder, more, is_signed) in [
        ("plain", "gateway: yard".to_owned(), false),
        ("signed", "gateway: yard, region: eu-west-3".to_owned(), true),
        ("direct", format!("base_url: \"{address}\", region: eu-west-3"), true),
    ] {
        heads.lock().unwrap().clear();
        configure(&format!("{bedrock}, {more}"));
        let output = run(&place, &args(folder), &[&KEYS[..2], &[("AWS_REGION", "us-east-1")]].concat());
        assert_eq!(code(&output), 0, "{}", err(&output));
        let heads = heads.lock().unwrap();
        let signed = heads.iter().filter_map(|head| header(head, "authorization"));
        let of_region = signed.filter(|value| value.contains("/eu-west-3/bedrock/")).count();
        assert_eq!(of_region, if is_signed { heads.len() } else { 0 }, "{folder}");
    }
    // Without a base URL it is asked where the region is.
    configure(&format!("{bedrock}, region: cn-north-1"));
    let plan = run(&place, &["plan", "suites/starter.yaml", "--target", "fern"], &[]);
    assert!(
        out(&plan).contains("data goes  to bedrock-runtime.cn-north-1.amazonaws.com.cn"),
        "{}",
        out(&plan)
    );
    for (target, words) in [
        ("provider: bedrock_converse, model: fern-2, region: \"evil.example/\"", "is no region"),
        ("provider: openai_chat, model: fern-2, base_url: \"http://h/v1\", region: eu-west-3", "knows none"),
    ] {
        configure(target);
        let refused = run(&place, &args("refused"), &[]);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
        assert!(err(&refused).contains(words), "{}", err(&refused));
    }
}
