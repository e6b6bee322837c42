//! `toolmirage sim`: serves a simulated model on loopback.

use std::io::BufWriter;
use std::sync::Arc;

use sim::{DecisionLog, Faults, Profile, Sim};

use crate::args::SimArgs;
use crate::error::Failure;
use crate::exit::Exit;
use crate::inputs::{Configured, Inputs};
use crate::{output, progress, sim_script};

/// Serves until it is interrupted.
pub(crate) fn run(args: &SimArgs, configured: Option<&Configured>, quiet: bool) -> Result<Exit, Failure> {
    let profile: Profile = args.profile.parse()?;
    let faults: Faults = args.faults.parse()?;
    let inputs = Inputs::load(&args.suite, configured, None)?;
    let cells = inputs.cells()?;
    let script = sim_script::of(cells.iter().flat_map(|cell| &cell.probes));
    let serving = args.serving.parse()?;
    let sim = Arc::new(Sim::new(profile, script, inputs.suite.seed).served_by(serving));
    let log = match &args.decision_log {
        Some(path) => {
            let file = std::fs::File::create(path)
                .map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", path.display())))?;
            Some(Arc::new(DecisionLog::new(0, Some(Box::new(BufWriter::new(file))))))
        }
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = sim::bind(args.port)
            .await
            .map_err(|error| Failure::usage(format!("cannot listen on 127.0.0.1:{}: {error}", args.port)))?;
        let address = listener.local_addr()?;
        output::print(&format!("http://{address}/v1\n"))?;
        if !quiet {
            progress::print(&format!(
                "SIMULATED model {} for suite {}; nothing measured against it is a measurement. Ctrl-C ends it.",
                args.profile, inputs.suite.name
            ));
        }
        let shutdown = async {
            let _ = tokio::signal::ctrl_c().await;
        };
        sim::serve(sim, faults, log.clone(), listener, shutdown).await?;
        Ok::<(), Failure>(())
    })?;
    if let Some(log) = log {
        log.flush()?;
    }
    Ok(Exit::Pass)
}
