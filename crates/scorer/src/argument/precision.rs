use super::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use transcript::{Arguments, RawJson, Role, Tool};
fn lines(p: &str) -> Vec<Value> {
    std::fs::read_to_string(Path::new("/work/shared/real/benchmarks").join(p))
        .unwrap()
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}
fn plain(v: &mut Value) {
    match v {
        Value::Object(m) => {
            if let Some(Value::String(t)) = m.get_mut("type") {
                let n = match t.as_str() {
                    "dict" => "object",
                    "float" => "number",
                    "tuple" => "array",
                    o => o,
                }
                .to_owned();
                *t = n;
            }
            if m.get("type") == Some(&json!("any")) {
                m.remove("type");
            }
            m.values_mut().for_each(plain)
        }
        Value::Array(a) => a.iter_mut().for_each(plain),
        _ => {}
    }
}
#[test]
fn bfcl() {
    let qs = lines("bfcl/BFCL_v4_multiple.json");
    let an = lines("bfcl/possible_answer/BFCL_v4_multiple.json");
    let sc = Schemas::new();
    let mut args = 0;
    let mut hits: BTreeMap<String, u32> = BTreeMap::new();
    for (q, a) in qs.iter().zip(&an) {
        let (name, pa) = a["ground_truth"][0].as_object().unwrap().iter().next().unwrap();
        let mut f = q["function"].as_array().unwrap().iter().find(|f| f["name"] == *name).unwrap().clone();
        plain(&mut f);
        let mut t = Tool::named(name);
        t.description = f.get("description").map(RawJson::from_value);
        t.input_schema = Some(RawJson::from_value(&f["parameters"]));
        let mut call = serde_json::Map::new();
        for (k, v) in pa.as_object().unwrap() {
            let v = v.as_array().unwrap();
            if v.contains(&json!("")) {
                continue;
            }
            let mut x = v[0].clone();
            if let Value::Object(m) = &mut x {
                for w in m.values_mut() {
                    if let Value::Array(a) = w {
                        let f = a[0].clone();
                        *w = f;
                    }
                }
                m.retain(|_, w| w != &json!(""));
            }
            call.insert(k.clone(), x);
        }
        args += call.len();
        let mut c = Conversation::new();
        for m in q["question"][0].as_array().unwrap() {
            c.say(
                if m["role"] == "system" { Role::System } else { Role::User },
                m["content"].as_str().unwrap(),
            );
        }
        let call = Value::Object(call);
        let ar = Arguments::Json(RawJson::from_value(&call));
        let v = judge_arguments(
            &ArgumentInput {
                tool: &t,
                arguments: &ar,
                oracle: None,
                conversation: &c,
                strict: false,
                clock: None,
                grounding_counts: true,
            },
            &sc,
        );
        for x in v.argument_findings.iter().filter(|x| x.counted) {
            *hits.entry(format!("{:?}", x.finding)).or_default() += 1;
            println!(
                "{} {:?} {} {:?} {} \n   {}",
                q["id"],
                x.finding,
                x.path,
                x.note,
                call.pointer(&x.path).unwrap(),
                q["question"][0][0]["content"]
            );
        }
    }
    println!("bfcl {args} {hits:?}");
}
fn convo(file: &str, key: &str) {
    let sc = Schemas::new();
    let mut hits: BTreeMap<String, u32> = BTreeMap::new();
    let mut calls = 0;
    for (n, t) in lines(file).iter().enumerate() {
        let ms = t[key].as_array().unwrap();
        let texts: Vec<String> = ms
            .iter()
            .map(|m| match &m["content"] {
                Value::String(s) => s.clone(),
                Value::Null => String::new(),
                o => o.to_string(),
            })
            .collect();
        let mut c = Conversation::new();
        for (m, tx) in ms.iter().zip(&texts) {
            for call in m["tool_calls"].as_array().into_iter().flatten() {
                let name = call["function"]["name"].as_str().unwrap();
                let tool = Tool::named(name);
                let ar = Arguments::Text(call["function"]["arguments"].as_str().unwrap().to_owned());
                calls += 1;
                let v = judge_arguments(
                    &ArgumentInput {
                        tool: &tool,
                        arguments: &ar,
                        oracle: None,
                        conversation: &c,
                        strict: false,
                        clock: None,
                        grounding_counts: true,
                    },
                    &sc,
                );
                for x in v.argument_findings.iter().filter(|x| x.counted) {
                    *hits.entry(format!("{:?}", x.finding)).or_default() += 1;
                    let o = Value::Object(v.object.clone().unwrap());
                    println!(
                        "{n} {name} {:?} {} {:?} {}",
                        x.finding,
                        x.path,
                        x.note,
                        o.pointer(&x.path)
                            .map(|v| v.to_string().chars().take(200).collect::<String>())
                            .unwrap_or_default()
                    );
                }
            }
            let role = match m["role"].as_str().unwrap() {
                "system" => Role::System,
                "user" => Role::User,
                "tool" => Role::Tool,
                _ => Role::Assistant,
            };
            c.say(role, tx);
            for call in m["tool_calls"].as_array().into_iter().flatten() {
                c.add_call(call["function"]["arguments"].as_str().unwrap());
            }
        }
    }
    println!("{file} {calls} {hits:?}");
}
#[test]
fn tau() {
    convo("tau-bench/gpt-4o-airline_subset.jsonl", "traj");
}
#[test]
fn live() {
    convo("livemcpbench/claude-sonnet-4_traces_subset.jsonl", "messages");
}
