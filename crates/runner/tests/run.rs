//! Runs: order, stopping, taking up again, and what is on disk afterwards.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use runner::{
    EndReason, Plan, PlannedCell, RECORD_FILE, RecordError, RecordReader, Redactor, RunEnd, RunError,
    RunEvent, RunFiles, Secret, TransportError, TransportErrorKind, run,
};
use serde_json::{Value, json};
use support::*;
use tokio_util::sync::CancellationToken;
use transcript::{CellId, RecordLine, TrialStatus};

async fn carry_out(plan: &Plan, files: &mut RunFiles) -> RunEnd {
    run(plan, files, &clock, &CancellationToken::new(), &mut |_| {}).await.unwrap()
}

fn many(count: usize) -> Vec<probes::Probe> {
    (0..count).map(|at| probe(&format!("task-{at}.control"))).collect()
}

#[tokio::test]
async fn a_run_records_every_trial_once_and_ends_with_a_footer() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(20), 3);
    let folder = tempfile::tempdir().unwrap();
    let mut files = create(folder.path(), &plan);
    let mut seen = Vec::new();
    let mut on_event = |event: RunEvent<'_>| {
        let RunEvent::Trial { trial, done, planned, .. } = event;
        seen.push((trial.id(), done, planned));
    };
    let end = run(&plan, &mut files, &clock, &CancellationToken::new(), &mut on_event).await.unwrap();
    assert_eq!(end, RunEnd { why: EndReason::Complete, planned: 60, done: 60, scored: 60 });
    let (trials, complete) = recorded(folder.path());
    assert!(complete);
    assert_eq!(trials.iter().map(transcript::Trial::id).collect::<HashSet<_>>().len(), 60);
    assert_eq!(
        seen.iter().map(|(id, ..)| id.clone()).collect::<Vec<_>>(),
        trials.iter().map(transcript::Trial::id).collect::<Vec<_>>()
    );
    assert_eq!(seen.last().map(|(_, done, planned)| (*done, *planned)), Some((60, 60)));
    let last: RecordLine<probes::ProbeLine> = serde_json::from_str(
        fs::read_to_string(folder.path().join(RECORD_FILE)).unwrap().lines().last().unwrap(),
    )
    .unwrap();
    let RecordLine::Footer(footer) = last else { panic!("no footer") };
    assert_eq!((footer.planned, footer.statuses[&TrialStatus::Scored]), (60, 60));
    assert_eq!(footer.window.0, "2027-02-18T09:00:00.500Z");
}

#[tokio::test]
async fn what_is_compared_lies_together_in_an_order_that_the_seed_decides() {
    let order = |seed: u64| async move {
        let transport = scripted(|_| respond(200, text("In Turku.")));
        let probes: Vec<_> =
            (0..12).flat_map(|at| [probe(&format!("t{at}.x")), probe(&format!("t{at}.x@strict"))]).collect();
        let mut plan = plan(target(transport), probes, 2);
        let other = PlannedCell { id: CellId("c1".into()), ..plan.cells[0].clone() };
        plan.cells.push(other);
        plan.seed = seed;
        plan.concurrency = 1;
        let mut order = Vec::new();
        let mut on_event = |event: RunEvent<'_>| {
            let RunEvent::Trial { trial, .. } = event;
            order.push(trial.id());
        };
        run(&plan, &mut RunFiles::in_memory(), &clock, &CancellationToken::new(), &mut on_event)
            .await
            .unwrap();
        order
    };
    let (first, again, other) = (order(1).await, order(1).await, order(2).await);
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 12 * 2 * 2 * 2);
    let base =
        |id: &transcript::TrialId| (id.probe.as_str().split('@').next().unwrap().to_owned(), id.repeat);
    for block in first.chunks(4) {
        assert!(block.iter().all(|id| base(id) == base(&block[0])), "{block:?}");
    }
    let inner = |order: &[transcript::TrialId]| {
        order
            .chunks(4)
            .map(|block| (block[0].cell.to_string(), block[0].probe.as_str().contains('@')))
            .collect::<HashSet<_>>()
    };
    assert_eq!(inner(&first).len(), 4, "each side and arm comes first somewhere");
    let blocks: Vec<_> = first.chunks(4).map(|block| base(&block[0])).collect();
    assert!(!blocks.is_sorted());
}

#[tokio::test]
async fn no_more_trials_are_under_way_than_asked_for() {
    struct Counting(AtomicUsize, AtomicUsize);
    impl runner::Transport for Counting {
        fn send(
            &self,
            _: runner::HttpRequest,
        ) -> futures_util::future::BoxFuture<'_, Result<runner::HttpResponse, TransportError>> {
            Box::pin(async {
                self.1.fetch_max(self.0.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
                self.0.fetch_sub(1, Ordering::SeqCst);
                respond(200, text("In Turku."))
            })
        }
    }
    let counting = Arc::new(Counting(AtomicUsize::new(0), AtomicUsize::new(0)));
    let plan = plan(target(counting.clone()), many(30), 1);
    carry_out(&plan, &mut RunFiles::in_memory()).await;
    assert_eq!(counting.1.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_refused_key_stops_the_run_and_leaves_its_trials_to_the_next() {
    for (status, body, quota) in [
        (401, json!({ "error": { "message": "wrong key sk-moss-1234567" } }), false),
        (403, json!({ "error": "not yours" }), false),
        (429, json!({ "error": { "message": "spent", "code": "insufficient_quota" } }), true),
    ] {
        let sent = Arc::new(AtomicUsize::new(0));
        let model = {
            let sent = sent.clone();
            move |_: &Value| {
                if sent.fetch_add(1, Ordering::SeqCst) < 10 {
                    respond(200, text("In Turku."))
                } else {
                    respond(status, body.clone())
                }
            }
        };
        let plan = plan(target(scripted(model)), many(200), 1);
        let folder = tempfile::tempdir().unwrap();
        let redactor = Redactor::new([&Secret::new("sk-moss-1234567".into())]);
        let mut files = RunFiles::create(folder.path(), &header(&plan), lines(&plan), &redactor).unwrap();
        let end = carry_out(&plan, &mut files).await;
        assert_eq!((end.done, end.scored), (10, 10));
        match end.why {
            EndReason::Quota { message, .. } => assert!(quota && message.contains("spent"), "{message}"),
            EndReason::Authentication { place, message } => {
                assert!(!quota && !message.contains("moss"), "{message}");
                assert_eq!(place, "http://depot.test/v1");
            }
            other => panic!("{other:?}"),
        }
        assert!(sent.load(Ordering::SeqCst) < 20);
        let (trials, complete) = recorded(folder.path());
        assert_eq!((trials.len(), complete), (10, false));
    }
}

#[tokio::test]
async fn nobody_there_is_an_error_that_names_the_place() {
    let nobody = |_: &Value| {
        Err(TransportError { kind: TransportErrorKind::Connect, message: "connection refused".into() })
    };
    for count in [1, 50] {
        let plan = plan(target(scripted(nobody)), many(count), 1);
        let folder = tempfile::tempdir().unwrap();
        let end = carry_out(&plan, &mut create(folder.path(), &plan)).await;
        let EndReason::Unreachable { place, message } = &end.why else { panic!("{end:?}") };
        assert_eq!(
            (place.as_str(), message.as_str()),
            ("http://depot.test/v1", "cannot connect: connection refused")
        );
        assert_eq!(end.done, 0);
        assert_eq!(recorded(folder.path()).0.len(), 0);
    }
    let no_model =
        |_: &Value| respond(404, json!({ "error": { "message": "the model `fern-9` does not exist" } }));
    let plan = plan(target(scripted(no_model)), many(50), 1);
    let end = carry_out(&plan, &mut RunFiles::in_memory()).await;
    let EndReason::Unreachable { message, .. } = &end.why else { panic!("{end:?}") };
    assert_eq!(message, "no such path or model: the model `fern-9` does not exist");
}

#[tokio::test]
async fn an_endpoint_that_goes_away_later_costs_only_its_trials() {
    let sent = AtomicUsize::new(0);
    let model = move |_: &Value| match sent.fetch_add(1, Ordering::SeqCst) {
        0 | 20.. => respond(200, text("In Turku.")),
        _ => Err(TransportError { kind: TransportErrorKind::Connect, message: "connection refused".into() }),
    };
    let plan = plan(target(scripted(model)), many(20), 1);
    let folder = tempfile::tempdir().unwrap();
    let end = carry_out(&plan, &mut create(folder.path(), &plan)).await;
    assert_eq!((end.why, end.done), (EndReason::Complete, 20));
    let (trials, _) = recorded(folder.path());
    let failed = trials.iter().filter(|trial| trial.status == TrialStatus::EndpointError).count();
    assert!(failed > 0 && failed < 20, "{failed}");
}

#[tokio::test]
async fn a_cached_body_is_told_from_a_shared_id() {
    let cached = text("In Turku.");
    let model = move |_: &Value| {
        let mut body = cached.clone();
        body["id"] = json!("chatcmpl-7");
        respond(200, body)
    };
    let plan_one = plan(target(scripted(model)), many(3), 1);
    let folder = tempfile::tempdir().unwrap();
    let end = carry_out(&plan_one, &mut create(folder.path(), &plan_one)).await;
    assert_eq!((end.done, end.scored), (3, 1));
    assert_eq!(
        recorded(folder.path()).0.iter().filter(|t| t.status == TrialStatus::GatewayReplay).count(),
        2
    );

    let count = AtomicUsize::new(0);
    let same_id = move |_: &Value| {
        let mut body = text(&format!("Answer {}.", count.fetch_add(1, Ordering::SeqCst)));
        body["id"] = json!("chatcmpl-7");
        respond(200, body)
    };
    let plan = plan(target(scripted(same_id)), many(3), 1);
    assert_eq!(carry_out(&plan, &mut RunFiles::in_memory()).await.scored, 3);
}

#[tokio::test]
async fn only_a_simulated_model_is_told_which_trial_it_answers() {
    for simulated in [true, false] {
        let transport = scripted(|_| respond(200, text("In Turku.")));
        let mut target = target(transport.clone());
        target.simulated = simulated;
        let plan = plan(target, vec![probe("a.control")], 1);
        carry_out(&plan, &mut RunFiles::in_memory()).await;
        let told = transport.requests.lock().unwrap()[0].0.clone();
        assert_eq!(told, simulated.then(|| "a.control/0".to_owned()));
    }
}

/// Runs until `stop_after` trials are on disk, then cancels.
async fn interrupted(folder: &Path, plan: &Plan, stop_after: u64) -> RunEnd {
    let mut files = create(folder, plan);
    let cancel = CancellationToken::new();
    let token = cancel.clone();
    let mut on_event = move |event: RunEvent<'_>| {
        let RunEvent::Trial { done, .. } = event;
        if done == stop_after {
            token.cancel();
        }
    };
    run(plan, &mut files, &clock, &cancel, &mut on_event).await.unwrap()
}

fn append(folder: &Path, text: &str) {
    fs::OpenOptions::new()
        .append(true)
        .open(folder.join(RECORD_FILE))
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
}

#[tokio::test]
async fn an_interrupted_run_is_taken_up_again() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(40), 1);
    let folder = tempfile::tempdir().unwrap();
    let end = interrupted(folder.path(), &plan, 15).await;
    assert_eq!(end.why, EndReason::Interrupted);
    assert!(end.done >= 15 && end.done < 25, "{end:?}");
    let before = fs::read(folder.path().join(RECORD_FILE)).unwrap();
    append(folder.path(), r#"{"trial":{"probe":"task-1.con"#);

    let mut files = resume(folder.path(), &plan).unwrap();
    assert_eq!(files.recorded(), end.done);
    let end = carry_out(&plan, &mut files).await;
    assert_eq!((end.why, end.done), (EndReason::Complete, 40));
    drop(files);
    let after = fs::read(folder.path().join(RECORD_FILE)).unwrap();
    assert!(after.starts_with(&before), "a record is never rewritten");

    let mut reader = RecordReader::open(&folder.path().join(RECORD_FILE)).unwrap();
    let lines: Vec<_> = (&mut reader).map(Result::unwrap).collect();
    let ids: HashSet<_> = lines
        .iter()
        .filter_map(|l| match l {
            RecordLine::Trial(trial) => Some(trial.id()),
            _ => None,
        })
        .collect();
    assert_eq!((ids.len(), reader.is_complete(), reader.torn().len()), (40, true, 1));
    assert_eq!(lines.iter().filter(|line| matches!(line, RecordLine::Resumed(_))).count(), 1);
    assert!(matches!(resume(folder.path(), &plan), Err(RecordError::Complete { .. })));
}

#[tokio::test]
async fn rows_of_another_sitting_have_a_name_of_their_own() {
    let model = |request: &Value| {
        respond(200, if turns_so_far(request) == 0 { calls(&[("get_parcel", "{}")]) } else { text("Done.") })
    };
    let plan = plan(target(scripted(model)), many(20), 1);
    let folder = tempfile::tempdir().unwrap();
    interrupted(folder.path(), &plan, 5).await;
    carry_out(&plan, &mut resume(folder.path(), &plan).unwrap()).await;
    let (rows, _) = runner::read_executor_rows(&folder.path().join(runner::EXECUTOR_FILE)).unwrap();
    let names: HashSet<&str> = rows.iter().map(|row| row.run.as_str()).collect();
    assert_eq!(names, HashSet::from(["night-1", "night-1+1"]));
    let (joined, orphans) = transcript::join_executor_rows(rows);
    assert_eq!(orphans, 0);
    assert!(
        joined.iter().all(|(_, log)| log.len() == 1),
        "no trial's calls are mixed with another sitting's"
    );
}

#[tokio::test]
async fn a_line_cut_before_its_line_break_is_a_trial_all_the_same() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(10), 1);
    let folder = tempfile::tempdir().unwrap();
    interrupted(folder.path(), &plan, 5).await;
    let path = folder.path().join(RECORD_FILE);
    let text = fs::read_to_string(&path).unwrap();
    let done = recorded(folder.path()).0.len() as u64;
    fs::write(&path, text.trim_end()).unwrap();
    assert_eq!(resume(folder.path(), &plan).unwrap().recorded(), done);
    // A second crash within the first line after the first.
    append(folder.path(), r#"{"resum"#);
    let mut files = resume(folder.path(), &plan).unwrap();
    assert_eq!(carry_out(&plan, &mut files).await.done, 10);
    assert_eq!(recorded(folder.path()).0.len(), 10);
}

#[tokio::test]
async fn blocks_of_any_size_hold_the_same_lines() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(10), 1);
    let folder = tempfile::tempdir().unwrap();
    interrupted(folder.path(), &plan, 5).await;
    let path = folder.path().join(RECORD_FILE);
    append(folder.path(), r#"{"trial":{"probe":"task-1.con"#);
    carry_out(&plan, &mut resume(folder.path(), &plan).unwrap()).await;
    let text = fs::read_to_string(&path).unwrap();
    append(folder.path(), r#"{"trial""#);
    let of_size = |bytes: usize| {
        let mut reader = RecordReader::open(&path).unwrap();
        let mut lines = Vec::new();
        while let Some(block) = reader.block(bytes).unwrap() {
            for line in block.lines() {
                let number = line.number;
                let met = reader.met(line.parse()).unwrap().map(|line| format!("{line:?}"));
                lines.push((number, met));
            }
        }
        (lines, reader.torn().to_vec())
    };
    let whole = of_size(1 << 20);
    assert_eq!(whole.0.len(), text.lines().count(), "the header is no line of a block, the torn one is");
    assert_eq!(whole.1.len(), 2);
    for bytes in [1, 100, 3_000, 20_000] {
        assert_eq!(of_size(bytes), whole, "{bytes}");
    }
    // A reader that was gone through line by line goes on in blocks where it stands.
    let mut reader = RecordReader::open(&path).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let first = reader.block(1).unwrap().unwrap().lines().next().unwrap().number;
    assert_eq!(first, 3);
}

#[tokio::test]
async fn a_torn_line_elsewhere_is_no_crash() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(3), 1);
    let folder = tempfile::tempdir().unwrap();
    carry_out(&plan, &mut create(folder.path(), &plan)).await;
    let path = folder.path().join(RECORD_FILE);
    let broken = fs::read_to_string(&path).unwrap().replacen("{\"trial\"", "{\"tri", 1);
    fs::write(&path, broken).unwrap();
    let error = RecordReader::open(&path).unwrap().find_map(Result::err).unwrap();
    assert!(matches!(&error, RecordError::BadLine { line: 5, .. }), "{error}");
}

#[tokio::test]
async fn another_plan_another_writer_and_another_record_are_refused() {
    let first = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(10), 1);
    let folder = tempfile::tempdir().unwrap();
    interrupted(folder.path(), &first, 2).await;
    let second = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(11), 1);
    let error = resume(folder.path(), &second).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("probe `task-10.control` differs"), "{error}");
    let mut third = first.clone();
    third.seed = 8;
    let error = resume(folder.path(), &third).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("the seed differs"), "{error}");
    let held = resume(folder.path(), &first).unwrap();
    assert!(matches!(resume(folder.path(), &first), Err(RecordError::Locked { .. })));
    drop(held);
    let again = RunFiles::create(folder.path(), &header(&first), lines(&first), &Redactor::default());
    assert!(matches!(again, Err(RecordError::AlreadyThere { .. })));
}

#[tokio::test]
async fn a_secret_in_the_plan_is_redacted_and_does_not_stand_in_the_way_of_resuming() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), many(5), 1);
    let mut header = header(&plan);
    header.suite.name = "depot k-fern-99182".into();
    let redactor = Redactor::new([&Secret::new("k-fern-99182".into())]);
    let folder = tempfile::tempdir().unwrap();
    drop(RunFiles::create(folder.path(), &header, lines(&plan), &redactor).unwrap());
    assert!(!fs::read_to_string(folder.path().join(RECORD_FILE)).unwrap().contains("fern-99182"));
    assert!(RunFiles::resume(folder.path(), &header, lines(&plan), &redactor, clock()).is_ok());
}

#[test]
fn what_is_no_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(RECORD_FILE);
    let open = |text: &str| {
        fs::write(&path, text).unwrap();
        RecordReader::open(&path).map(|_| ()).unwrap_err()
    };
    let newer = open("{\"header\":{\"format\":\"toolmirage-run/2\",\"shape\":[]}}\n");
    assert!(
        newer.to_string().contains("`toolmirage-run/2`") && newer.to_string().contains("`toolmirage-run/1`"),
        "{newer}"
    );
    assert!(matches!(newer, RecordError::NewerFormat { .. }));
    for text in ["", "[]\n", "<html>", "{\"header\":{\"format\":\"other/1\"}}\n", "{\"trial\":{}}\n"] {
        assert!(matches!(open(text), RecordError::NotARecord { .. }), "{text}");
    }
    assert!(matches!(
        open("{\"header\":{\"format\":\"toolmirage-run/1\"}}\n"),
        RecordError::BadLine { line: 1, .. }
    ));
}

#[tokio::test]
async fn nothing_planned_is_an_error() {
    let plan = plan(target(scripted(|_| respond(200, text("In Turku.")))), Vec::new(), 3);
    let end = run(&plan, &mut RunFiles::in_memory(), &clock, &CancellationToken::new(), &mut |_| {}).await;
    assert!(matches!(end, Err(RunError::NothingPlanned)));
}
