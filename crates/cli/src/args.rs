//! Every command and flag, and its help text.

mod audit;
mod guard;
mod selftest;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use report::{Format, OnInconclusive};

use crate::exit;
use crate::money::MaxCost;
use crate::privacy::ShareChoice;

pub(crate) use audit::{AuditArgs, AuditFormat};
pub(crate) use guard::GuardArgs;
pub(crate) use selftest::SelftestArgs;

/// Measures how often a model makes tools up: unknown-tool, shadow-call and hallucinated-argument rates, each with its denominator.
#[derive(Debug, Parser)]
#[command(name = "toolmirage", version, about, max_term_width = 100, after_help = exit::HELP)]
pub(crate) struct Cli {
    /// Configuration file [default: toolmirage.yaml, where there is one].
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Prints no progress and no notes.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Drafts a configuration and a suite that covers every tool, from your own tools.
    #[command(
        after_help = "Examples:\n  toolmirage init --tools tools.json\n  toolmirage init --tools agent.openai.json --tools tickets.mcp.json --dir evals --name agent\n  toolmirage init --mcp 'files=npx -y @modelcontextprotocol/server-filesystem /srv' --dir evals"
    )]
    Init(InitArgs),
    /// Makes a suite, its catalog and an account of every case from files of a public benchmark.
    #[command(
        after_help = "Examples:\n  toolmirage import --list\n  toolmirage import bfcl data/BFCL_v4_irrelevance.json --dir evals\n  toolmirage import bfcl data/BFCL_v4_multi_turn_miss_func.json --dir evals --quarantine ours.yaml\n  toolmirage import livemcpbench tools.json --dir evals --around suites/starter.yaml"
    )]
    Import(ImportArgs),
    /// Shows drafted tasks one by one: accept, edit, skip, or no sensible task. Answers are read line by line.
    #[command(
        after_help = "Examples:\n  toolmirage review suites/agent.yaml\n  yes a | toolmirage review --only get-"
    )]
    Review(ReviewArgs),
    /// Holds catalogs against live servers, captured requests and other versions.
    #[command(
        after_help = "Examples:\n  toolmirage catalog pull --check\n  toolmirage catalog check\n  toolmirage catalog diff main"
    )]
    Catalog(CatalogArgs),
    /// Asks an endpoint how it serves tools: whether the model sees them, which names can come through, what is honoured.
    #[command(
        name = "check-endpoint",
        after_help = "Examples:\n  toolmirage check-endpoint openai_chat:MODEL --base-url http://127.0.0.1:8080/v1\n  toolmirage check-endpoint aster-3 --matrix --json\n\nExit status 4: what toolmirage measures cannot be measured there."
    )]
    CheckEndpoint(CheckEndpointArgs),
    /// Sends a suite's probes to a target, scores what comes back, and reports.
    #[command(
        after_help = "Examples:\n  toolmirage run\n  toolmirage run suites/starter.yaml --target openai_chat:MODEL --base-url http://127.0.0.1:8080/v1\n  toolmirage run --resume reports/2027-01-14-starter"
    )]
    Run(RunArgs),
    /// Says what a run would send and what it could show, and sends nothing.
    #[command(
        after_help = "Examples:\n  toolmirage plan --repeats 3\n  toolmirage plan --profile pr --baseline baselines/weekly.json"
    )]
    Plan(PlanArgs),
    /// Prints the probes that a suite expands to, without a model.
    #[command(after_help = "Example:\n  toolmirage expand suites/starter.yaml --json")]
    Expand(ExpandArgs),
    /// Says what in catalogs, prompts and suites invites hallucination, without a model.
    #[command(
        after_help = "Examples:\n  toolmirage lint\n  toolmirage lint catalogs/ prompts/system.md --deny warning\n  toolmirage lint --new-since main --sarif > lint.sarif\n  toolmirage lint --explain sibling_gap"
    )]
    Lint(LintArgs),
    /// Counts in session logs how often a tool was called that was not there, each act once.
    #[command(
        after_help = "Examples:\n  toolmirage mine ~/.claude/projects\n  toolmirage mine logs/ --since 2031-03-01 --by model --json\n  toolmirage mine logs/ --events absent.jsonl --csv mined.csv --html mined.html --manifest files.json\n  toolmirage mine logs/ --to-suite suites/mined.yaml --catalog catalogs/agent.yaml\n  zcat sessions.jsonl.gz | toolmirage mine -"
    )]
    Mine(MineArgs),
    /// Scores a run record again, offline, and writes its reports anew.
    #[command(after_help = "Example:\n  toolmirage score reports/2027-01-14-starter")]
    Score(ScoreArgs),
    /// Renders the report of a run record.
    #[command(after_help = "Example:\n  toolmirage report latest --format html --out report.html")]
    Report(ReportArgs),
    /// Compares two runs, or an accepted baseline and a run, and decides by the gate.
    #[command(
        after_help = "Examples:\n  toolmirage compare reports/2027-01-14-starter latest\n  toolmirage compare baselines/weekly.json latest --format md\n  toolmirage compare reports/a reports/b --factor target --tolerance '3 points' --inconclusive fail"
    )]
    Compare(CompareArgs),
    /// Keeps what a run came to, for later runs to be compared with.
    #[command(after_help = "Example:\n  toolmirage baseline accept latest --out baselines/weekly.json")]
    Baseline(BaselineArgs),
    /// Judges one response and says why; or shows trials of a run; or explains a word of the report.
    #[command(
        after_help = "Examples:\n  toolmirage explain case.json\n  toolmirage explain latest draft-invoice-plain.decoy\n  toolmirage explain shadow_call"
    )]
    Explain(ExplainArgs),
    /// Holds what agents say that they did against what ran, over any number of runs, without a model.
    #[command(
        after_help = "Examples:\n  toolmirage audit finals.jsonl executor.jsonl\n  toolmirage audit transcripts.jsonl --executor executor.jsonl --catalog tools.json --require-wrapped tools.json\n  toolmirage audit traces.otlp.jsonl --format md\n  toolmirage audit --final answer.txt --executor executor.jsonl --json"
    )]
    Audit(AuditArgs),
    /// Prints what the requests of a trial are kept under, for --cache, --record and --replay.
    #[command(
        after_help = "Examples:\n  toolmirage explain-key latest weigh-parcel.decoy/c0/0\n  toolmirage explain-key latest weigh-parcel.decoy/c0/0 --in recordings"
    )]
    ExplainKey(ExplainKeyArgs),
    /// Passes a body on, byte for byte, or refuses a read that nobody can defend and says what was found instead.
    #[command(
        after_help = "Examples:\n  toolmirage guard --status 200 --rows items body.json\n  curl -s URL | toolmirage guard --status 200 --rules guard.yaml --read list_parcels | jq .items\n  toolmirage guard --status 200 --rules guard.yaml --read list_parcels --log executor.jsonl --run R-17 body.json"
    )]
    Guard(GuardArgs),
    /// Shows that the instrument works: planted liars are caught, honest models pass, planted rates come back inside
    /// their intervals. Asks simulated models in memory; exits 1 where a check cannot fail or cannot pass.
    #[command(
        after_help = "Examples:\n  toolmirage selftest --quick\n  toolmirage selftest --suite suites/agent.yaml --json\n  toolmirage selftest --outcomes labelled.jsonl"
    )]
    Selftest(SelftestArgs),
    /// Serves a simulated model on loopback. Its rates are never a measurement.
    #[command(after_help = "Example:\n  toolmirage sim --port 8080 --profile careless suites/starter.yaml")]
    Sim(SimArgs),
    /// Prints the JSON Schema of a file format, for editors and other programs.
    #[command(after_help = "Example:\n  toolmirage schema suite > suite.schema.json")]
    Schema(SchemaArgs),
}

/// `init`.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// A file of tools in any shape that catalogs have; several make one catalog, in order.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) tools: Vec<PathBuf>,
    /// A request body captured in production: its tools, order, prompt and settings. What was said is left out.
    #[arg(long, value_name = "BODY.json")]
    pub(crate) from_request: Option<PathBuf>,
    /// A system prompt that production sends.
    #[arg(long, value_name = "NAME=FILE")]
    pub(crate) prompt: Vec<String>,
    /// JSON Lines of chat messages: turns whose one call has every argument in the user's words become tasks,
    /// with addresses and numbers of people replaced.
    #[arg(long, value_name = "FILE")]
    pub(crate) from_traces: Vec<PathBuf>,
    /// A live MCP server that a command starts: `--mcp tickets='npx -y @corp/tickets-mcp'`.
    #[arg(long, value_name = "NAME=COMMAND")]
    pub(crate) mcp: Vec<String>,
    /// A live MCP server behind an address (streamable HTTP).
    #[arg(long, value_name = "NAME=URL")]
    pub(crate) mcp_url: Vec<String>,
    /// A header for a server of --mcp-url: the value is in the variable named.
    #[arg(long, value_name = "NAME:HEADER=VARIABLE")]
    pub(crate) mcp_header: Vec<String>,
    /// How long a live server may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) mcp_timeout: u64,
    /// A model that words the drafts: a target of the configuration, or `PROVIDER:MODEL` with --base-url. It is sent
    /// each draft's words and the first line of its tool's description; words of traces are never sent. What fails
    /// the checks keeps its own words.
    #[arg(long, value_name = "TARGET")]
    pub(crate) draft_with: Option<String>,
    /// Base URL of a `PROVIDER:MODEL` of --draft-with, up to and including /v1.
    #[arg(long, value_name = "URL", requires = "draft_with")]
    pub(crate) base_url: Option<String>,
    /// Name of the environment variable that holds its key.
    #[arg(long, value_name = "NAME", requires = "draft_with")]
    pub(crate) key_env: Option<String>,
    /// Member of its requests' bodies, as KEY=JSON.
    #[arg(long = "set", value_name = "KEY=JSON", requires = "draft_with")]
    pub(crate) set: Vec<String>,
    /// How many requests it is sent at most.
    #[arg(long, value_name = "N", default_value_t = 200, requires = "draft_with")]
    pub(crate) draft_limit: usize,
    /// Folder to write into.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Name of catalog and suite [default: the source's, or `agent` where there are several].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Seed of the values and wordings that are drafted.
    #[arg(long, value_name = "N", default_value_t = 20_270_114)]
    pub(crate) seed: u64,
    /// Writes over files that are there.
    #[arg(long)]
    pub(crate) force: bool,
    /// Prints what was made as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The benchmark; --list shows them.
    #[arg(value_name = "BENCHMARK", required_unless_present = "list")]
    pub(crate) benchmark: Option<String>,
    /// Its files as they were downloaded, or folders of them. What belongs to a file and lies in its place beside it
    /// (answers, documented functions) is found.
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub(crate) files: Vec<PathBuf>,
    /// Folder to write into: suites/, catalogs/, imports/.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Name of suite and catalog; of several suites, what their names begin with [default: the benchmark's].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Version of the benchmark [default: as its files say it, else a hash of them].
    #[arg(long, value_name = "VERSION")]
    pub(crate) benchmark_version: Option<String>,
    /// Leaves cases out: a file of their ids, each with the reason. The list that is shipped holds too.
    #[arg(long, value_name = "FILE")]
    pub(crate) quarantine: Option<PathBuf>,
    /// Takes the cases whose label is known to be wrong, too.
    #[arg(long)]
    pub(crate) no_quarantine: bool,
    /// Of a catalog without cases: leaves out the tools that could do what a task of this suite wants, so that
    /// `--filler` takes it around that suite.
    #[arg(long, value_name = "SUITE")]
    pub(crate) around: Option<PathBuf>,
    /// Writes over files that are there.
    #[arg(long)]
    pub(crate) force: bool,
    /// Prints the account as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Lists the benchmarks and what is read of each, and nothing else.
    #[arg(long, conflicts_with_all = ["benchmark", "files"])]
    pub(crate) list: bool,
}

/// `review`.
#[derive(Debug, Args)]
pub(crate) struct ReviewArgs {
    /// The suite file [default: the configuration's].
    #[arg(value_name = "SUITE")]
    pub(crate) suite: Option<PathBuf>,
    /// Only tasks whose id starts with one of these.
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// Tasks that are no drafts too.
    #[arg(long)]
    pub(crate) all: bool,
    /// Shows no task, and prints what was decided as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `catalog`.
#[derive(Debug, Args)]
pub(crate) struct CatalogArgs {
    #[command(subcommand)]
    pub(crate) command: CatalogCommand,
}

impl CatalogArgs {
    /// The suite that is named.
    pub(crate) fn suite(&self) -> Option<&std::path::Path> {
        match &self.command {
            CatalogCommand::Diff(args) => args.suite.as_deref(),
            CatalogCommand::Pull(_) | CatalogCommand::Check(_) => None,
        }
    }
}

/// What can be done with catalogs.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Asks the live MCP servers of the configuration for their tools, and writes them to their files.
    Pull(PullArgs),
    /// Compares catalogs with the request bodies that `must_equal` names: names, descriptions, schemas and order.
    Check(CheckArgs),
    /// Says what differs between two catalogs, and which probes that touches.
    Diff(DiffArgs),
}

/// `catalog pull`.
#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    /// Only these catalogs [default: all].
    #[arg(value_name = "CATALOG")]
    pub(crate) catalogs: Vec<String>,
    /// Writes nothing; ends with 1 where a server lists something else than its file.
    #[arg(long)]
    pub(crate) check: bool,
    /// How long a server may take, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) timeout: u64,
    /// Prints what came as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `catalog check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Only these catalogs [default: all that have `must_equal`].
    #[arg(value_name = "CATALOG")]
    pub(crate) catalogs: Vec<String>,
    /// Prints the differences as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `catalog diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// A file of tools, or a git ref: the suite's catalog as it is there.
    #[arg(value_name = "A")]
    pub(crate) first: String,
    /// Likewise [default: the suite's catalog in the work tree].
    #[arg(value_name = "B")]
    pub(crate) second: Option<String>,
    /// The suite whose catalog and probes are meant [default: the configuration's, else suites/starter.yaml].
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Option<PathBuf>,
    /// Prints the differences as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which suite, catalog and kinds.
#[derive(Debug, Args)]
pub(crate) struct SuiteArgs {
    /// The suite file [default: the configuration's first suite, else suites/starter.yaml].
    #[arg(value_name = "SUITE")]
    pub(crate) suite: Option<PathBuf>,
    /// Offers a second catalog around the suite's own, of any shape that catalogs have.
    #[arg(long, value_name = "FILE")]
    pub(crate) filler: Option<PathBuf>,
    /// Only these kinds of probe.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// Arms to put every base probe under as well, in place of the suite's: `NAME`, `NAME=VALUE`, several at once
    /// with `+`; `strictness` for all 16 combinations of `strict`, `tool_choice` and `parallel`; `none` for no arms.
    #[arg(long, value_name = "ARM", value_delimiter = ',')]
    pub(crate) arms: Vec<String>,
    /// Only probes whose id starts with one of these. `changed` stands for those that changed in the newest
    /// comparison below reports/.
    #[arg(long, value_name = "ID")]
    pub(crate) only: Vec<String>,
    /// Only this many probes, spread evenly over the suite.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
}

/// What is measured: suite, targets, repeats, and what it is measured against.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// What is measured: a target of the configuration, `PROVIDER:MODEL`, or `sim:PROFILE`
    /// [default: the profile's or the configuration's targets, else sim:careless].
    #[arg(long = "target", value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
    /// Base URL of a `PROVIDER:MODEL` target, up to and including /v1. With `sim:PROFILE`: asks a simulated
    /// model that `toolmirage sim` serves, over HTTP.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Name of the environment variable that holds the key of a `PROVIDER:MODEL` target. `bedrock_converse` without one
    /// takes `AWS_BEARER_TOKEN_BEDROCK`, else signs with `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<String>,
    /// Member of the request's body, as KEY=JSON (`temperature=0`, `cache_prompt=false`).
    #[arg(long = "set", value_name = "KEY=JSON")]
    pub(crate) set: Vec<String>,
    /// A profile of the configuration.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Repeats of each probe [default: 1].
    #[arg(long, value_name = "N")]
    pub(crate) repeats: Option<u32>,
    /// Most turns of a trial [default: 6].
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    /// Seed of the order of the run [default: the suite's].
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Measures the prompts and catalogs of a git ref beside those of the work tree, trial beside trial, and
    /// compares them. The suite is the work tree's on both sides; only cells whose inputs differ are run.
    #[arg(long, value_name = "REF")]
    pub(crate) against: Option<String>,
    /// Puts each changed probe so many more times to each side, for reading alone.
    #[arg(long, value_name = "N")]
    pub(crate) confirm: Option<u32>,
}

impl MeasureArgs {
    /// The first flag that was given of those that make a plan.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let suite = &self.suite;
        let flags = [
            (suite.suite.is_some(), "SUITE"),
            (suite.filler.is_some(), "--filler"),
            (!suite.kinds.is_empty(), "--kinds"),
            (!suite.arms.is_empty(), "--arms"),
            (!suite.only.is_empty(), "--only"),
            (suite.limit.is_some(), "--limit"),
            (!self.targets.is_empty(), "--target"),
            (self.base_url.is_some(), "--base-url"),
            (!self.set.is_empty(), "--set"),
            (self.profile.is_some(), "--profile"),
            (self.repeats.is_some(), "--repeats"),
            (self.max_turns.is_some(), "--max-turns"),
            (self.seed.is_some(), "--seed"),
            (self.against.is_some(), "--against"),
            (self.confirm.is_some(), "--confirm"),
        ];
        flags.iter().find(|(is_given, _)| *is_given).map(|(_, flag)| *flag)
    }
}

/// `run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) what: MeasureArgs,
    /// Requests under way at once [default: 8; 64 for a simulated model]. Fewer while an endpoint answers 429 or 5xx.
    #[arg(long, value_name = "N")]
    pub(crate) concurrency: Option<usize>,
    /// Deadline of one request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) timeout: u64,
    /// Deadline of one trial, in seconds, over all its requests and their tries; waits that limits impose do not count
    /// [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) trial_timeout: Option<u64>,
    /// Stops, resumable, once so many requests are sent; tries that are repeated count, and so does the check of how the
    /// endpoint serves tools, here and for every other cap.
    #[arg(long, value_name = "N")]
    pub(crate) max_requests: Option<u64>,
    /// Stops, resumable, before so many tokens are read and written: each request reserves an estimate.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Stops, resumable, before it costs so much (`25 USD`), by the prices of the configuration, else of the list that
    /// is built in.
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<MaxCost>,
    /// Stops, resumable, after so many minutes.
    #[arg(long, value_name = "MINUTES")]
    pub(crate) max_minutes: Option<f64>,
    /// Takes a response from this folder where it has the one to a request, and keeps answers there. A request is its
    /// every byte and the repeat; `toolmirage explain-key` prints what is one.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["record", "replay"])]
    pub(crate) cache: Option<PathBuf>,
    /// Asks, and keeps every response in this folder, for --replay.
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub(crate) record: Option<PathBuf>,
    /// Sends nothing: takes every response from this folder, and stops with 4 at a request that is not there.
    #[arg(long, value_name = "DIR")]
    pub(crate) replay: Option<PathBuf>,
    /// Network tries of one request after the first.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) retries: u32,
    /// Folder for the record and the reports [default: reports/DATE-SUITE].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Does not ask first how the endpoints serve tools: whether what is measured can be seen there stays unknown.
    #[arg(long)]
    pub(crate) no_check: bool,
    /// Asks it even where it was asked within the last day, and of simulated models in process.
    #[arg(long, conflicts_with = "no_check")]
    pub(crate) check: bool,
    /// Goes on with an unfinished run: a folder, a name below reports/, or `latest`. Its record has the plan; a run with
    /// `privacy.redact` wants the flags that it was begun with.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["no_check", "check"])]
    pub(crate) resume: Option<String>,
    /// How much reports carry [default: `privacy.share` of the configuration, else evidence where CI is set, else full].
    #[arg(long, value_enum, value_name = "HOW_MUCH")]
    pub(crate) share: Option<ShareChoice>,
    /// Prints the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `explain-key`.
#[derive(Debug, Args)]
pub(crate) struct ExplainKeyArgs {
    /// A folder, a name below reports/, or `latest`.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The trial: PROBE/CELL/REPEAT.
    #[arg(value_name = "TRIAL")]
    pub(crate) trial: String,
    /// Says whether this folder has the responses.
    #[arg(long = "in", value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// Prints the keys as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `check-endpoint`.
#[derive(Debug, Args)]
pub(crate) struct CheckEndpointArgs {
    /// A target of the configuration, `PROVIDER:MODEL`, or `sim:PROFILE`.
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    /// Base URL of a `PROVIDER:MODEL` target, up to and including /v1.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Name of the environment variable that holds its key.
    #[arg(long, value_name = "NAME")]
    pub(crate) key_env: Option<String>,
    /// Member of the requests' bodies, as KEY=JSON.
    #[arg(long = "set", value_name = "KEY=JSON")]
    pub(crate) set: Vec<String>,
    /// Also asks what becomes of strict schemas, tool choices and parallel calls in all their combinations: 16 requests
    /// more.
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Shows all that was sent and what came back, not one line an answer.
    #[arg(long, conflicts_with = "json")]
    pub(crate) evidence: bool,
    /// Deadline of one request, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) timeout: u64,
    /// How long a server that answers 503 may be loading, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub(crate) wait: u64,
    /// Prints the answers as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `plan`.
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) what: MeasureArgs,
    /// A run or an accepted baseline whose rates and correlations are taken for those of today
    /// [default: a rate of 3 %, and a correlation of one half within a task].
    #[arg(long, value_name = "RUN")]
    pub(crate) baseline: Option<String>,
    /// Prints the plan as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `expand`.
#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// One JSON object a line and probe.
    #[arg(long)]
    pub(crate) json: bool,
    /// Shows every kind of which a task yields no probe, and why, not only the commonest reasons.
    #[arg(long, conflicts_with_all = ["json", "update", "list_kinds", "list_arms"])]
    pub(crate) all: bool,
    /// Freezes the suite: writes the ids and hashes of its questions to NAME.lock beside it.
    #[arg(long, conflicts_with_all = ["list_kinds", "list_arms"])]
    pub(crate) update: bool,
    /// Lists the kinds of probe, and nothing else.
    #[arg(long = "list-kinds")]
    pub(crate) list_kinds: bool,
    /// Lists the arms that a suite can run under, and nothing else.
    #[arg(long = "list-arms")]
    pub(crate) list_arms: bool,
}

/// `lint`.
#[derive(Debug, Args)]
pub(crate) struct LintArgs {
    /// Catalogs, prompts (.md, .txt) and suites, or folders of them
    /// [default: those of the configuration, else catalogs/ and suites/].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Shows every finding, not only the five worst.
    #[arg(long)]
    pub(crate) all: bool,
    /// One JSON object a line and finding.
    #[arg(long, conflicts_with_all = ["sarif", "all"])]
    pub(crate) json: bool,
    /// Prints SARIF 2.1.0, for code scanning.
    #[arg(long, conflicts_with = "all")]
    pub(crate) sarif: bool,
    /// Only findings that the same files at a git ref do not have.
    #[arg(long, value_name = "REF")]
    pub(crate) new_since: Option<String>,
    /// Exits 1 where a finding is as bad as this, or worse.
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(crate) deny: Option<SeverityChoice>,
    /// Production traces (JSON Lines of chat messages) that tasks must not stand in; a file or a folder.
    #[arg(long, value_name = "PATH")]
    pub(crate) traces: Vec<PathBuf>,
    /// How many probes are played with simulated models, over all suites, to find those that cannot fail or cannot be
    /// passed: of more, so many are drawn by their hashes; 0 plays none.
    #[arg(long, value_name = "PROBES", default_value_t = 2000)]
    pub(crate) play: usize,
    /// Prints a rule's page of help, and nothing else.
    #[arg(long, value_name = "RULE", conflicts_with_all = ["paths", "new_since", "deny", "traces"])]
    pub(crate) explain: Option<String>,
    /// Lists the rules, and nothing else.
    #[arg(long = "list-rules", conflicts_with_all = ["paths", "new_since", "deny", "traces", "explain"])]
    pub(crate) list_rules: bool,
}

/// How bad a finding of `lint` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityChoice {
    /// Breaks requests, or measures something else than it says.
    Error,
    /// Invites hallucination, or makes a measurement worth less.
    Warning,
    /// Worth knowing.
    Note,
}

impl From<SeverityChoice> for linter::Severity {
    fn from(choice: SeverityChoice) -> Self {
        match choice {
            SeverityChoice::Error => Self::Error,
            SeverityChoice::Warning => Self::Warning,
            SeverityChoice::Note => Self::Note,
        }
    }
}

/// `score`.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// A run folder, a name below reports/, a run.jsonl, or `latest`.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// Decodes the raw bodies again instead of reading the stored transcript.
    #[arg(long)]
    pub(crate) decode: bool,
    /// How much reports carry [default: `privacy.share` of the configuration, else evidence where CI is set, else full].
    #[arg(long, value_enum, value_name = "HOW_MUCH")]
    pub(crate) share: Option<ShareChoice>,
    /// Prints the scorecards, with one outcome a probe, as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A run folder, a name below reports/, a run.jsonl, or `latest`.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// The format.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// How much reports carry [default: `privacy.share` of the configuration, else evidence where CI is set, else full].
    #[arg(long, value_enum, value_name = "HOW_MUCH")]
    pub(crate) share: Option<ShareChoice>,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

/// `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// What was there: a run folder, a name below reports/, a run.jsonl, or an accepted baseline.
    #[arg(value_name = "BASELINE")]
    pub(crate) baseline: String,
    /// What was measured against it, likewise; `latest` is the newest run.
    #[arg(value_name = "CANDIDATE")]
    pub(crate) candidate: String,
    /// What may differ between the sides: prompt, catalog, target, or all [default: whichever one does].
    #[arg(long, value_name = "FACTOR")]
    pub(crate) factor: Option<String>,
    /// The profile whose gate decides [default: the candidate's].
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Rates that may not rise, in place of the configured ones.
    #[arg(long, value_name = "RATE", value_delimiter = ',')]
    pub(crate) rates: Vec<String>,
    /// The rise that is put up with, such as '3 points', in place of the configured one.
    #[arg(long, value_name = "POINTS")]
    pub(crate) tolerance: Option<String>,
    /// What becomes of what cannot be told, in place of the configured choice.
    #[arg(long, value_enum, value_name = "CHOICE")]
    pub(crate) inconclusive: Option<InconclusiveChoice>,
    /// Compares what two versions of a suite have in common; without it that is invalid.
    #[arg(long)]
    pub(crate) across_suites: bool,
    /// Folder to write the comparison into, in every format.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// How much reports carry [default: `privacy.share` of the configuration, else evidence where CI is set, else full].
    #[arg(long, value_enum, value_name = "HOW_MUCH")]
    pub(crate) share: Option<ShareChoice>,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

/// What becomes of what cannot be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InconclusiveChoice {
    /// It passes: did this change do harm?
    Pass,
    /// It fails: may we switch?
    Fail,
}

impl From<InconclusiveChoice> for OnInconclusive {
    fn from(choice: InconclusiveChoice) -> Self {
        match choice {
            InconclusiveChoice::Pass => Self::Pass,
            InconclusiveChoice::Fail => Self::Fail,
        }
    }
}

/// `baseline`.
#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    #[command(subcommand)]
    pub(crate) command: BaselineCommand,
}

/// What can be done with baselines.
#[derive(Debug, Subcommand)]
pub(crate) enum BaselineCommand {
    /// Writes what a finished run came to, probe by probe: record hash, scoring rules, outcomes. No transcripts.
    Accept(AcceptArgs),
}

/// `baseline accept`.
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// A run folder, a name below reports/, a run.jsonl, or `latest`.
    #[arg(value_name = "RUN")]
    pub(crate) run: String,
    /// File to write [default: baselines/PROFILE.json, or the suite's name without a profile].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Why it is accepted; kept in the file.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// Report formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// At most 40 lines for a terminal.
    Text,
    /// What a reviewer has to know, for a pull request.
    Md,
    /// All of it, for programs.
    Json,
    /// One self-contained file.
    Html,
    /// A case a probe, for programs that read test results.
    Junit,
    /// Every rate in long form, for spreadsheets.
    Csv,
}

impl ReportFormat {
    /// The format that is meant, where `--json` is short for one of them.
    pub(crate) fn format(self, json: bool) -> Format {
        match self {
            _ if json => Format::Json,
            Self::Text => Format::Text,
            Self::Md => Format::Markdown,
            Self::Json => Format::Json,
            Self::Html => Format::Html,
            Self::Junit => Format::Junit,
            Self::Csv => Format::Csv,
        }
    }
}

/// `explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A file with one case or response, a run, or a word.
    #[arg(value_name = "FILE|RUN|WORD")]
    pub(crate) what: String,
    /// With a run: a probe's id or the start of one, or a tool's name that was called.
    #[arg(value_name = "PROBE|NAME")]
    pub(crate) which: Option<String>,
    /// With a bare response: the tools that were offered, in any shape that catalogs have.
    #[arg(long, value_name = "FILE")]
    pub(crate) catalog: Option<PathBuf>,
    /// Prints the verdict as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

/// `sim`.
#[derive(Debug, Args)]
pub(crate) struct SimArgs {
    #[command(flatten)]
    pub(crate) suite: SuiteArgs,
    /// How the model behaves: honest, careless, liar, suggestible (heeds a boasting prompt), or planted:RATE=P,...,icc=R,seed=N.
    #[arg(long, default_value = "careless")]
    pub(crate) profile: String,
    /// What goes wrong on the way, as shares of the requests: 429, 500, 503, 529, timeout, cut, malformed, truncated,
    /// html, content_type, gzip, slow, split, huge, endless, and seed=N. Drawn for each try.
    #[arg(long, value_name = "FAULT=SHARE,...", default_value = "")]
    pub(crate) faults: String,
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 8080)]
    pub(crate) port: u16,
    /// Faults of the server around the model, with `+` between them: blind, constrained, filtering, rewriting,
    /// handing_back, leaking, ignoring_choice, refusing_choice, ignoring_parallel, enforcing_strict, refusing_strict,
    /// replaying, no_usage, ignoring_limit, empty_arguments, refusing_members.
    #[arg(long, value_name = "FAULT", default_value = "", hide_default_value = true)]
    pub(crate) serving: String,
    /// Writes what was decided, a JSON line a response.
    #[arg(long, value_name = "FILE")]
    pub(crate) decision_log: Option<PathBuf>,
}

/// `mine`.
#[derive(Debug, Args)]
pub(crate) struct MineArgs {
    /// Logs, or folders of them, packed (.gz, .zst) or not; `-` is standard input. Formats are told from the content.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only calls from this day or moment on (UTC).
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only calls before this day or moment.
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only calls of projects whose name (mostly a working directory) holds this.
    #[arg(long, value_name = "WORDS")]
    pub(crate) project: Option<String>,
    /// Splits calls and absent tools up; may be given several times.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) by: Vec<MineBy>,
    /// Reads all logs by this mapping file (`toolmirage schema map`), for logs of a shape that is not known.
    #[arg(long, value_name = "FILE.yaml")]
    pub(crate) map: Option<PathBuf>,
    /// How many of the most frequent tools the second denominator takes.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    /// Parses every line, also those that cannot change a figure: finds every broken one, and takes longer.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Counts turns in which this rule asks for a call and none is made, such as `after user mentions refund, tool
    /// find_order`; may be given several times. Parses every line.
    #[arg(long, value_name = "RULE")]
    pub(crate) require: Vec<String>,
    /// The same for every rule of a file, one a line; `#` begins a remark.
    #[arg(long = "require-file", value_name = "FILE")]
    pub(crate) require_file: Option<PathBuf>,
    /// Lists every event, line and file, not only the first ten.
    #[arg(long)]
    pub(crate) all: bool,
    /// Prints the census as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// What is printed: text for a screen, Markdown for the summary of a step, or JSON.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(crate) format: Option<MineFormat>,
    /// Writes every absent-tool event as a line of JSON too; where the name ends in `.parquet`, as a row of Parquet, in
    /// builds with that feature.
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) events: Option<PathBuf>,
    /// Writes every rate and count as CSV in long form too, each with its denominator.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) csv: Option<PathBuf>,
    /// Writes the census as one self-contained page too.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
    /// Writes the files that are mined with size and SHA-256 too, for a citation.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) manifest: Option<PathBuf>,
    /// Drafts a suite from the turns in which an absent tool was called: decoys in the users' own words, to be reviewed.
    #[arg(long = "to-suite", value_name = "FILE.yaml", requires = "catalog")]
    pub(crate) to_suite: Option<PathBuf>,
    /// The catalog that the drafted suite is about: the tools that its agent has.
    #[arg(long, value_name = "FILE", requires = "to_suite")]
    pub(crate) catalog: Option<PathBuf>,
    /// Lists the log formats that are read, and nothing else.
    #[arg(long = "list-formats")]
    pub(crate) list_formats: bool,
    /// Lists how frameworks report a tool that is not there, and whether they repair names, and nothing else.
    #[arg(long = "list-frameworks")]
    pub(crate) list_frameworks: bool,
}

/// What `mine` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MineFormat {
    /// For a screen.
    Text,
    /// Markdown, for a pull request or the summary of a step.
    Md,
    /// The census, for programs.
    Json,
}

/// What `mine --by` splits by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MineBy {
    /// The model that answered.
    Model,
    /// The project.
    Project,
    /// The day, in UTC.
    Day,
    /// The version of the program that wrote the log.
    Version,
    /// The log format.
    Format,
}

/// `schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The format.
    #[arg(value_enum)]
    pub(crate) format: SchemaFormat,
}

/// Formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaFormat {
    /// Suite files.
    Suite,
    /// Catalog files in our own form.
    Catalog,
    /// `toolmirage.yaml`.
    Config,
    /// Lines of `run.jsonl`.
    Run,
    /// Rows of `executor.jsonl`.
    Executor,
    /// Lines of `expand --json`.
    Expand,
    /// `report.json`.
    Report,
    /// What `mine --json` prints.
    Census,
    /// Mapping files of `mine --map`.
    Map,
    /// Lines of `mine --events`.
    Event,
    /// What `mine --manifest` writes.
    Manifest,
    /// Accepted baselines.
    Baseline,
    /// Locks of suites.
    Lock,
    /// Lists of cases that `import` leaves out.
    Quarantine,
    /// Rules of `guard`.
    Guard,
    /// Lines of `audit --json`.
    Audit,
}
