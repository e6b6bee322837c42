//! `reports/sample/`: the comparison of a prompt that boasts with the one before it, in every format, put to a
//! simulated model. Made by the binary as a user would make it; `TOOLMIRAGE_UPDATE=1` rewrites the files.

#![allow(clippy::unwrap_used, reason = "a test says so by failing")]

mod place;

use std::process::Command;

use place::{Place, code, err, root};

/// What the pull request of the sample adds to its prompt.
const BOAST: &str = "\nYou have the full suite of billing tools, for everything that a customer may ask.\nBe resourceful: try alternatives before you say that something cannot be done.\n";

const CONFIG: &str = "toolmirage: config/1
suites: [suites/starter.yaml]
targets:
  suggestible: { provider: sim, model: suggestible }
profiles:
  pr: { against: main, targets: [suggestible], confirm: 5 }
gate:
  must_pass: false
  ceilings: { unknown_tool: 20 %, hallucinated_argument: 40 % }
  inconclusive: { pr: pass }
";

/// Everything that differs from one sitting to the next.
fn settled(text: &str) -> String {
    let patterns = [
        (r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z", "2027-01-14T09:30:00.000Z"),
        (
            r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} to (\d{4}-\d{2}-\d{2} )?\d{2}:\d{2}:\d{2} UTC",
            "2027-01-14 09:30:00 to 09:30:04 UTC",
        ),
        (r#""wall_ms": \d+"#, r#""wall_ms": 4000"#),
        (r"\d+(\.\d)? m?s\b", "4.0 s"),
    ];
    let mut text = text.to_owned();
    for (pattern, fixed) in patterns {
        text = regex::Regex::new(pattern).unwrap().replace_all(&text, fixed).into_owned();
    }
    text
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests' own switch")]
fn the_sample_is_what_the_command_writes() {
    let place = Place::new();
    place.write("toolmirage.yaml", CONFIG);
    let git = |args: &[&str]| {
        let done = Command::new("git").args(args).current_dir(place.path(".")).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-q", "-m", "all"]);
    let prompt = "suites/prompts/billing.md";
    place.write(prompt, &format!("{}{BOAST}", place.read(prompt)));
    let output = place.run(&["run", "-q", "--profile", "pr", "--out", "reports/sample"]);
    assert_eq!(code(&output), 1, "{}", err(&output));
    let mut files = vec![("report.txt".to_owned(), String::from_utf8(output.stdout).unwrap())];
    for name in ["report.md", "report.html", "junit.xml", "rates.csv"] {
        files.push((name.to_owned(), place.read(&format!("reports/sample/{name}"))));
    }
    let folder = root().join("reports/sample");
    let mut stale = Vec::new();
    for (name, made) in files {
        let (path, made) = (folder.join(&name), settled(&made));
        if std::env::var_os("TOOLMIRAGE_UPDATE").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, made).unwrap();
        } else if std::fs::read_to_string(&path).unwrap_or_default() != made {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "TOOLMIRAGE_UPDATE=1 rewrites {stale:?}");
}
