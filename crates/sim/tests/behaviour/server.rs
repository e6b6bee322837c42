//! The loopback server, over a real socket.

use std::sync::Arc;

use crate::garden::{first_request, probe, sim};
use serde_json::Value;
use sim::{DecisionLog, Faults, TRIAL_HEADER, bind, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

async fn ask(port: u16, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    // A refused body is not read to its end, so writing it may fail after the answer.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.to_lowercase().contains("application/json"), "{head}");
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn serves_completions_models_and_errors_until_it_is_told_to_stop() {
    let probe = probe("water-fern", "control");
    let log = Arc::new(DecisionLog::new(10, None));
    let sim = Arc::new(sim("honest", std::slice::from_ref(&probe), 1));
    let listener = bind(0).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (stop, stopped) = oneshot::channel::<()>();
    let server =
        tokio::spawn(serve(Arc::clone(&sim), Faults::default(), Some(Arc::clone(&log)), listener, async {
            let _ = stopped.await;
        }));

    let body = first_request(&probe, "p").to_string();
    let header = format!("{TRIAL_HEADER}: water-fern.control/3\r\n");
    let expected = sim.respond(Some("water-fern.control/3"), body.as_bytes());
    for path in ["/v1/chat/completions", "/chat/completions"] {
        let (status, answer) = ask(port, "POST", path, &header, &body).await;
        assert_eq!((status, answer.as_bytes()), (200, expected.body.as_slice()));
    }
    assert_eq!(log.take().0, [expected.decision.clone().unwrap(), expected.decision.unwrap()]);

    let id = |answer: &str| serde_json::from_str::<Value>(answer).unwrap()["id"].clone();
    let (_, one) = ask(port, "POST", "/v1/chat/completions", "", &body).await;
    let (_, two) = ask(port, "POST", "/v1/chat/completions", "", &body).await;
    assert_ne!(id(&one), id(&two), "requests without a trial are told apart");

    let (status, models) = ask(port, "GET", "/v1/models", "", "").await;
    assert!(status == 200 && models.contains(r#""id":"honest""#), "{models}");
    assert_eq!(ask(port, "GET", "/health", "", "").await.0, 200);
    for (method, path, body, status) in [
        ("POST", "/v1/chat/completions", "{\"messages\":", 400),
        ("POST", "/v1/responses", "{}", 400),
        ("POST", "/v1/embeddings", "{}", 404),
        ("GET", "/v1/chat/completions", "", 405),
    ] {
        let (got, answer) = ask(port, method, path, "", body).await;
        assert!(got == status && answer.contains("\"error\""), "{path}: {got} {answer}");
    }
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn refuses_to_be_reached_from_elsewhere() {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let refused = serve(Arc::new(sim("honest", &[], 1)), Faults::default(), None, listener, async {}).await;
    assert!(refused.unwrap_err().to_string().contains("loopback"));
}
