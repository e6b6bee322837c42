//! Logs as they lie about: cut, packed, broken, enormous, in circles. Everything is counted or named, nothing ends
//! the program.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test says so by failing")]

use std::io::Write as _;
use std::path::{Path, PathBuf};

use miner::{Census, Options, Sources, mine};

fn options() -> Options {
    Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    }
}

fn census(path: &Path) -> Census {
    mine(Sources { paths: vec![path.to_owned()], stream: None }, &options()).unwrap()
}

fn call(number: usize, padding: &str) -> String {
    format!(
        r#"{{"type":"assistant","sessionId":"s","uuid":"u{number}","timestamp":"2031-03-09T07:00:00.{:03}Z","message":{{"id":"m{number}","role":"assistant","content":[{{"type":"tool_use","id":"t{number}","name":"Dig","input":{{"note":"{padding}"}}}}]}}}}"#,
        number % 1_000
    )
}

fn answer(number: usize, text: &str, is_error: bool) -> String {
    format!(
        r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":[{{"tool_use_id":"t{number}","type":"tool_result","content":"{text}","is_error":{is_error}}}]}},"uuid":"a{number}","timestamp":"2031-03-09T08:00:00.{:03}Z"}}"#,
        number % 1_000
    )
}

const ABSENT: &str = "<tool_use_error>Error: No such tool available: Dig</tool_use_error>";

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn a_line_that_is_too_long_is_named_and_its_neighbours_count() {
    let long =
        format!(r#"{{"type":"user","sessionId":"s","message":{{"content":"{}"}}}}"#, "x".repeat(33 << 20));
    let text = [call(1, ""), long, answer(1, "ok", false), call(2, "")].join("\n");
    let folder = folder(&[("a.jsonl", text.as_bytes())]);
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.calls.answered, census.skipped.long_lines), (2, 1, 1));
    assert_eq!((census.window.lines, census.window.bytes), (4, text.len() as u64));
    assert_eq!(census.skipped.lines[0].line, 2);
    assert!(census.skipped.lines[0].why.contains("32 MiB"));
}

#[test]
fn a_log_may_begin_with_a_line_longer_than_a_window() {
    let first = call(1, &"x".repeat(3 << 20)).replacen('{', "{\"parentUuid\":null,", 1);
    // The words by which the format is known stand before what is long.
    let first = first.replacen(
        "\"type\":\"assistant\",\"sessionId\":\"s\",",
        "\"sessionId\":\"s\",\"type\":\"assistant\",",
        1,
    );
    let text = [first, answer(1, "ok", false), call(2, "")].join("\n") + "\n";
    let folder = folder(&[("a.jsonl", text.as_bytes())]);
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.calls.answered, census.skipped.bad_lines), (2, 1, 0));
}

#[test]
fn broken_bytes_cost_their_own_line_only() {
    let mut text = Vec::new();
    text.extend_from_slice(b"\xef\xbb\xbf");
    for line in [call(1, ""), answer(1, "ok", false)] {
        text.extend_from_slice(line.as_bytes());
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(call(2, "BROKEN").replace("BROKEN", "\u{1}").as_bytes());
    text.extend_from_slice(
        b"\n\0\0\0\n{\"type\":\"assistant\",\"x\":\"\xff\xfe\",\"message\":{\"tool_use\":1}}\n",
    );
    text.extend_from_slice(&call(3, "").as_bytes()[..90]);
    let folder = folder(&[("a.jsonl", &text)]);
    let census = census(folder.path());
    // Bytes that are no UTF-8 in a value that is not read do no harm: line 5.
    assert_eq!((census.calls.unique, census.calls.answered), (1, 1));
    assert_eq!((census.skipped.bad_lines, census.skipped.cut_last_lines), (3, 1));
    assert_eq!(census.skipped.lines.iter().map(|line| line.line).collect::<Vec<_>>(), [3, 4, 6]);
}

#[test]
fn what_is_no_log_is_named() {
    let folder = folder(&[
        ("a.jsonl", call(1, "").as_bytes()),
        ("empty.jsonl", b""),
        ("notes.md", b"# Notes\n"),
        ("other.json", b"{\"name\": \"x\", \"version\": 1}"),
        ("deep.json", "[".repeat(100_000).as_bytes()),
        ("zeros.bin", &[0; 4_096]),
        ("cut.gz", &[0x1f, 0x8b, 8, 0, 1]),
        ("cut.zst", &[0x28, 0xb5, 0x2f, 0xfd, 1]),
    ]);
    let census = census(folder.path());
    assert_eq!((census.window.files, census.calls.unique), (1, 1));
    assert_eq!((census.skipped.file_count, census.skipped.files.len()), (7, 7));
    assert!(census.skipped.files.iter().all(|file| !file.why.is_empty()));
}

#[cfg(unix)]
#[test]
fn links_in_circles_and_second_names_are_named() {
    use std::os::unix::fs::symlink;
    let folder = folder(&[("a.jsonl", call(1, "").as_bytes())]);
    symlink(folder.path(), folder.path().join("loop")).unwrap();
    symlink(folder.path().join("a.jsonl"), folder.path().join("b.jsonl")).unwrap();
    symlink(folder.path().join("gone"), folder.path().join("broken.jsonl")).unwrap();
    let census = census(folder.path());
    assert_eq!((census.window.files, census.calls.occurrences), (1, 1));
    let all: Vec<&str> = census.skipped.files.iter().map(|file| file.why.as_str()).collect();
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(
        all.iter().any(|why| why.contains("link back")) && all.iter().any(|why| why.contains("same file"))
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder(&[("a.jsonl", call(1, "").as_bytes()), ("b.jsonl", call(2, "").as_bytes())]);
    let closed = folder.path().join("b.jsonl");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&closed).is_ok() {
        eprintln!("skipped: this user reads every file");
        return;
    }
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.skipped.file_count), (1, 1));
}

/// A log of more than 16 MiB, which is read in pieces: one absent tool near its end.
fn long_log() -> String {
    let padding = "y".repeat(9_000);
    let mut lines = Vec::new();
    for number in 0..2_000 {
        lines.push(call(number, &padding));
        let is_absent = number == 1_990;
        lines.push(answer(number, if is_absent { ABSENT } else { "ok" }, is_absent));
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_long_log_in_pieces_is_the_same_as_a_stream_and_as_an_archive() {
    let text = long_log();
    assert!(text.len() > 17 << 20);
    let folder = folder(&[("a.jsonl", text.as_bytes())]);
    let whole = census(&folder.path().join("a.jsonl"));
    assert_eq!((whole.calls.unique, whole.calls.answered, whole.absent.unique), (2_000, 2_000, 1));
    assert_eq!((whole.window.lines, whole.window.bytes), (4_000, text.len() as u64));
    assert_eq!((whole.absent.events[0].line, whole.absent.events[0].call.line), (3_982, 3_981));
    let stream: Box<dyn std::io::Read + Send> = Box::new(std::io::Cursor::new(text.clone().into_bytes()));
    let sources = Sources { paths: Vec::new(), stream: Some(("a.jsonl".to_owned(), stream)) };
    let streamed = mine(sources, &options()).unwrap();
    assert_eq!((&streamed.calls, &streamed.window), (&whole.calls, &whole.window));
    assert_eq!(streamed.absent.events[0].line, 3_982);
    let strict = Options { strict: true, ..options() };
    let strict = mine(Sources { paths: vec![folder.path().to_owned()], stream: None }, &strict).unwrap();
    assert_eq!((strict.calls, strict.absent), (whole.calls, whole.absent));
}

#[test]
fn packed_logs_are_read_whatever_their_name() {
    let text = [call(1, ""), answer(1, ABSENT, true), call(2, ""), answer(2, "ok", false)].join("\n") + "\n";
    let (first, second) = text.split_at(text.len() / 2);
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |text: &str| {
        ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest)
    };
    // Several members or frames are one log.
    let packed: [(&str, Vec<u8>); 2] =
        [("a.log", [gzip(first), gzip(second)].concat()), ("b.log", [zstd(first), zstd(second)].concat())];
    for (name, bytes) in packed {
        let folder = folder(&[(name, &bytes)]);
        let census = census(folder.path());
        assert_eq!((census.calls.unique, census.absent.unique), (2, 1), "{name}: {:?}", census.skipped);
        assert_eq!(census.window.bytes, text.len() as u64);
        // A cut archive gives what it has, and is named.
        let cut = &bytes[..bytes.len() - 12];
        let folder = self::folder(&[(name, cut)]);
        let census = self::census(folder.path());
        assert_eq!(census.skipped.file_count, 1, "{name}");
        assert!(census.calls.unique >= 1, "{name}");
    }
}

#[test]
fn hostile_values_are_no_calls_and_no_panic() {
    let lines = [
        r#"{"type":"assistant","sessionId":"s","message":{"id":7,"content":[{"type":"tool_use","id":null,"name":{"a":1}}]}}"#,
        r#"{"type":"assistant","sessionId":"s","uuid":"x","message":{"content":[null,3,"t",[],{"type":"tool_use"}]}}"#,
        r#"{"type":"user","sessionId":"s","uuid":"y","message":{"content":[{"type":"tool_result","is_error":true,"content":[{"text":null}]}]}}"#,
        r#"{"type":"assistant","sessionId":"s","uuid":"z","timestamp":"9999999-99-99T99:99:99Z","message":{"id":"m","content":{"type":"tool_use"}}}"#,
        r#"{"type":"system","sessionId":"s","subtype":"init","tools":[1,null,"Dig"],"uuid":"w"}"#,
    ];
    let folder = folder(&[("a.jsonl", lines.join("\n").as_bytes())]);
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.skipped.bad_lines, census.absent.unique), (2, 0, 0));
    assert_eq!(census.calls.by_tool.get(""), Some(&2));
}

#[test]
fn a_call_without_an_id_is_one_act_in_a_copy_that_begins_elsewhere() {
    let nameless = call(1, "").replace("\"id\":\"t1\",", "");
    let other = call(2, "").replace("Dig", "Hoist");
    let folder = folder(&[
        ("a.jsonl", format!("{nameless}\n").as_bytes()),
        ("b.jsonl", format!("{other}\n{nameless}\n").as_bytes()),
    ]);
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.calls.occurrences), (2, 3));
    assert_eq!((census.calls.by_tool.get("Dig"), census.calls.distinct_ids), (Some(&1), 1));
}

#[test]
fn a_path_that_is_not_there_is_an_error() {
    let sources = Sources { paths: vec![PathBuf::from("no/such/log")], stream: None };
    assert!(mine(sources, &options()).unwrap_err().to_string().contains("no/such/log"));
}
