//! LiveMCPBench: `tools.json`, the tools of its MCP servers, as one catalog to be put around others.

use serde_json::Value;

use super::Benchmark;
use crate::case::{Opened, Read};
use crate::function::Function;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "livemcpbench",
    title: "LiveMCPBench",
    licence: "Apache-2.0",
    summary: &["tools.json: the tools of its MCP servers, as a catalog for `--filler`"],
    beside: &[],
    quarantine: None,
    read,
};

fn read(files: &[Opened<'_>]) -> Read {
    let mut read = Read::default();
    let mut servers = 0;
    for file in files {
        for record in &file.records.records {
            let Some(found) = record.value.get("tools").and_then(Value::as_object) else {
                let why = "no LiveMCPBench server: expected `tools` by the server's name";
                read.unreadable.push((file.place(record), why.to_owned()));
                continue;
            };
            for (server, listed) in found {
                servers += 1;
                for tool in listed.get("tools").and_then(Value::as_array).into_iter().flatten() {
                    match Function::of(tool) {
                        Ok(function) => read.functions.push(function),
                        Err(why) => {
                            read.unreadable.push((file.place(record), format!("server `{server}`: {why}")));
                        }
                    }
                }
            }
        }
    }
    if servers > 0 {
        read.notes.push(format!("{} tools of {servers} servers were read", read.functions.len()));
    }
    read
}
