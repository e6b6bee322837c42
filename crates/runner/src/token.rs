//! Keys that a command prints: run without a shell, kept, and asked for anew when an endpoint no longer takes one.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::{Mutex, oneshot};

use crate::mcp::split_command;
use crate::{McpError, Redactor, Secret};

/// How long the command may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// The longest key that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// Why a command gave no key.
#[derive(Debug, Error)]
pub enum TokenError {
    /// It cannot be taken apart into words.
    #[error("`token_command` is no command")]
    NoCommand(#[source] McpError),
    /// It cannot be started.
    #[error("`token_command` cannot be started: {0}")]
    Start(std::io::Error),
    /// It ended with an error, printed nothing, or took too long.
    #[error("`token_command` gave no token ({0})")]
    NoToken(String),
}

/// Runs a command once and takes what it prints for a key, without the space around it. There is no shell, nothing is
/// put in, and what it prints beside is not shown: it may hold a secret.
///
/// # Errors
/// There is no key, for the reason that the error names.
pub fn token_of(command: &str) -> Result<Secret, TokenError> {
    run(&split_command(command).map_err(TokenError::NoCommand)?, DEADLINE)
}

fn run(words: &[String], deadline: Duration) -> Result<Secret, TokenError> {
    let (program, arguments) = words.split_first().ok_or(TokenError::NoCommand(McpError::NoCommand))?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(TokenError::Start)?;
    let output = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let read = output.map(|output| output.take(LONGEST + 1).read_to_end(&mut text));
        read.is_some_and(|read| read.is_ok()).then_some(text)
    });
    let status = ended(&mut child, deadline)?;
    let text = reader.join().ok().flatten().unwrap_or_default();
    let token = String::from_utf8(text).unwrap_or_default().trim().to_owned();
    if !status.success() || token.is_empty() || token.len() as u64 > LONGEST {
        return Err(TokenError::NoToken(status.to_string()));
    }
    Ok(Secret::new(token))
}

/// Waits for a child; one that takes too long is ended.
fn ended(child: &mut Child, deadline: Duration) -> Result<std::process::ExitStatus, TokenError> {
    let until = Instant::now() + deadline;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().map_err(TokenError::Start)? {
            return Ok(status);
        }
        if Instant::now() >= until {
            let _ = child.kill();
            let _ = child.wait();
            return Err(TokenError::NoToken(format!("not done after {} s", deadline.as_secs())));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// A command that prints keys, and the key that it printed last.
#[derive(Debug)]
pub struct TokenCommand {
    words: Vec<String>,
    redactor: Redactor,
    /// The key and its number.
    kept: Mutex<Option<(Secret, u64)>>,
    /// The number of the last key that was refused.
    refused: AtomicU64,
}

impl TokenCommand {
    /// Takes a command apart. Nothing is run.
    ///
    /// # Errors
    /// It is none.
    pub fn new(command: &str) -> Result<Self, TokenError> {
        let words = split_command(command).map_err(TokenError::NoCommand)?;
        if words.is_empty() {
            return Err(TokenError::NoCommand(McpError::NoCommand));
        }
        Ok(Self { words, redactor: Redactor::default(), kept: Mutex::default(), refused: AtomicU64::new(0) })
    }

    /// What takes every key out that the command ever prints.
    #[must_use]
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// The key, and its number from 1: the one that is kept, unless it was refused.
    pub(crate) async fn token(&self) -> Result<(Secret, u64), TokenError> {
        let mut kept = self.kept.lock().await;
        let last = match &*kept {
            Some((secret, number)) if *number > self.refused.load(Ordering::Acquire) => {
                return Ok((secret.clone(), *number));
            }
            Some((_, number)) => *number,
            None => 0,
        };
        let words = self.words.clone();
        let (send, receive) = oneshot::channel();
        // A thread of its own, which the end of the process does not wait for.
        thread::spawn(move || send.send(run(&words, DEADLINE)));
        let secret =
            receive.await.unwrap_or_else(|_| Err(TokenError::NoToken("it was not run to its end".into())))?;
        self.redactor.learn(&secret);
        *kept = Some((secret.clone(), last + 1));
        Ok((secret, last + 1))
    }

    /// The endpoint does not take this key: the next request asks for another. Many requests may say so of one key.
    pub(crate) fn refuse(&self, number: u64) {
        self.refused.fetch_max(number, Ordering::AcqRel);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_command_prints_a_key_or_says_why_not() {
        let key = token_of("printf '  k-moss-7781\\n'").unwrap();
        assert_eq!(key.expose(), "k-moss-7781");
        // No shell: nothing is expanded, nothing is piped.
        assert_eq!(token_of("echo '$HOME | cat'").unwrap().expose(), "$HOME | cat");
        for (command, word) in
            [("false", "exit status: 1"), ("true", "gave no token"), ("/nowhere/at/all", "cannot be started")]
        {
            let error = token_of(command).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(word), "{command}: {error}");
        }
        let words = ["sleep".to_owned(), "30".to_owned()];
        let slow = run(&words, Duration::from_millis(20)).map(|_| ()).unwrap_err().to_string();
        assert!(slow.contains("not done"), "{slow}");
    }

    #[tokio::test]
    async fn a_key_is_kept_until_it_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let count = folder.path().join("count");
        let script = folder.path().join("key.sh");
        let text = format!("echo x >> '{0}'; echo key-number-$(wc -l < '{0}')", count.display());
        std::fs::write(&script, text).unwrap();
        let command = TokenCommand::new(&format!("sh '{}'", script.display())).unwrap();
        let (first, number) = command.token().await.unwrap();
        assert_eq!((first.expose(), number), ("key-number-1", 1));
        assert_eq!(command.token().await.unwrap().0.expose(), "key-number-1");
        command.refuse(1);
        command.refuse(1);
        let (second, number) = command.token().await.unwrap();
        assert_eq!((second.expose(), number), ("key-number-2", 2));
        command.refuse(1);
        assert_eq!(command.token().await.unwrap().0.expose(), "key-number-2", "the refusal of an older one");
        let cleaned = command.redactor().clean("key-number-1 and key-number-2").into_owned();
        assert_eq!(cleaned, "[redacted] and [redacted]");
    }
}
