//! Logs beyond all measure, and logs that change while they are read. `TOOLMIRAGE_LONG=1` makes the line 200 MB
//! and the files 200,000.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test says so by failing")]

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use miner::{Census, Options, Sources, mine};

fn census(path: &Path) -> Census {
    let options = Options {
        since: None,
        until: None,
        project: None,
        by: Vec::new(),
        top: 5,
        strict: false,
        rules: Vec::new(),
    };
    mine(Sources { paths: vec![path.to_owned()], stream: None }, &options).unwrap()
}

fn is_long() -> bool {
    std::env::var_os("TOOLMIRAGE_LONG").is_some()
}

/// A line with a call.
fn call(number: usize) -> String {
    format!(
        r#"{{"type":"assistant","sessionId":"s","uuid":"u{number}","message":{{"id":"m{number}","role":"assistant","content":[{{"type":"tool_use","id":"t{number}","name":"Moor","input":{{}}}}]}}}}"#
    )
}

#[test]
fn an_enormous_line_is_named_and_its_neighbours_count() {
    let megabytes = if is_long() { 200 } else { 40 };
    let folder = tempfile::tempdir().unwrap();
    let mut file = BufWriter::new(File::create(folder.path().join("a.jsonl")).unwrap());
    writeln!(file, "{}", call(1)).unwrap();
    file.write_all(br#"{"type":"user","sessionId":"s","message":{"content":""#).unwrap();
    for _ in 0..megabytes {
        file.write_all(&[b'w'; 1_000_000]).unwrap();
    }
    write!(file, "\"}}}}\n{}\n", call(2)).unwrap();
    file.into_inner().unwrap();
    let size = folder.path().join("a.jsonl").metadata().unwrap().len();
    let census = census(folder.path());
    assert_eq!((census.calls.unique, census.window.lines, census.window.bytes), (2, 3, size));
    assert_eq!((census.skipped.long_lines, census.skipped.bad_lines), (1, 0));
    assert_eq!((census.skipped.lines.len(), census.skipped.lines[0].line), (1, 2));
    assert!(census.skipped.lines[0].why.contains("32 MiB"), "{:?}", census.skipped.lines);
}

#[test]
fn any_number_of_files_is_read_each_once() {
    let (folders, files) = if is_long() { (400, 500) } else { (40, 500) };
    let root = tempfile::tempdir().unwrap();
    for outer in 0..folders {
        let folder = root.path().join(format!("project-{outer}"));
        std::fs::create_dir(&folder).unwrap();
        for inner in 0..files {
            // Every tenth is the copy of the one before it, and every hundredth is no log.
            let number = outer * files + inner;
            let text = match () {
                () if inner % 100 == 50 => "minutes of the harbour board\n".to_owned(),
                () if inner % 10 == 9 => call(number - 1) + "\n",
                () => call(number) + "\n",
            };
            std::fs::write(folder.join(format!("{inner}.jsonl")), text).unwrap();
        }
    }
    let census = census(root.path());
    let all = (folders * files) as u64;
    assert_eq!((census.window.files, census.skipped.file_count), (all * 99 / 100, all / 100));
    assert_eq!((census.calls.unique, census.calls.occurrences), (all * 89 / 100, all * 99 / 100));
    // All are counted; only so many are named.
    assert_eq!(census.skipped.files.len() as u64, (all / 100).min(1_000));
    assert!(census.skipped.files.iter().all(|file| file.why == "no JSON"));
}

/// Mines a log again and again while something else changes it.
fn mined_while(path: &Path, times: usize, change: impl Fn(usize) + Sync) -> Vec<Census> {
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for step in 0.. {
                if is_done.load(Ordering::Relaxed) {
                    break;
                }
                change(step);
            }
        });
        let censuses = (0..times).map(|_| census(path)).collect();
        is_done.store(true, Ordering::Relaxed);
        censuses
    })
}

#[test]
fn a_log_that_grows_while_it_is_read_gives_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let before: String = (0..20_000).map(|number| call(number) + "\n").collect();
    std::fs::write(&path, before).unwrap();
    let log = std::sync::Mutex::new(OpenOptions::new().append(true).open(&path).unwrap());
    // Two writes a line, so that a line may be half there.
    let grow = |step: usize| {
        if step >= 40_000 {
            return std::thread::yield_now();
        }
        let line = call(20_000 + step) + "\n";
        let (first, second) = line.as_bytes().split_at(90);
        let mut log = log.lock().unwrap();
        log.write_all(first).unwrap();
        log.write_all(second).unwrap();
    };
    let mut last = 20_000;
    for census in mined_while(&path, 5, grow) {
        let (calls, skipped) = (census.calls.unique, census.skipped);
        assert!(calls >= last, "{calls} after {last}");
        assert!(skipped.bad_lines <= 1 && skipped.cut_last_lines == skipped.bad_lines, "{skipped:?}");
        assert_eq!((skipped.file_count, census.calls.occurrences), (0, calls));
        assert_eq!(census.window.lines, calls + skipped.bad_lines);
        last = calls;
    }
}

#[test]
fn a_log_that_shrinks_while_it_is_read_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text: String = (0..20_000).map(|number| call(number) + "\n").collect();
    std::fs::write(&path, &text).unwrap();
    let shrink = |step: usize| {
        let length = [text.len(), text.len() / 2, 0].into_iter().cycle().nth(step % 3).unwrap_or_default();
        std::fs::write(&path, text.get(..length).unwrap_or_default()).unwrap();
    };
    for census in mined_while(&path, 5, shrink) {
        assert!(census.calls.unique <= 20_000);
        // Whatever was there: read, or named.
        assert_eq!(census.window.files + census.skipped.file_count, 1, "{:?}", census.skipped);
    }
}
