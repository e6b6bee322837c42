//! A server that is a program: a message a line on its standard input and output.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use transcript::RawJson;

use crate::mcp::jsonrpc::{self, Heard, shortened};
use crate::mcp::{McpError, Session};

/// The longest line that is read, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Lines that wait to be read: a server that writes faster is made to wait.
const WAITING: usize = 4;

/// How much of standard error is kept, in bytes.
const KEPT: usize = 4_000;

/// How long a server may take to end once nobody talks to it.
const GRACE: Duration = Duration::from_millis(600);

/// A running server. Dropping it ends it.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
    /// Lines that are no messages, and the first of them.
    garbage: (usize, String),
    asked: u64,
    until: Instant,
    deadline: Duration,
}

impl Process {
    pub(super) fn start(words: &[String], until: Instant, deadline: Duration) -> Result<Self, McpError> {
        let (program, arguments) = words.split_first().ok_or(McpError::NoCommand)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Package runners start the server as a child of their own: a group of its own ends whole.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = |why: String| McpError::Start { program: program.clone(), why };
        let mut child = command.spawn().map_err(|error| start(error.to_string()))?;
        let (Some(output), Some(error_output)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(start("it has no standard output".to_owned()));
        };
        let (send, lines) = sync_channel(WAITING);
        thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line) {
                    Ok(read) if read > 0 => {
                        if send.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                            return;
                        }
                    }
                    _ => return,
                }
            }
        });
        let errors = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&errors);
        thread::spawn(move || keep(error_output, &kept));
        let input = child.stdin.take();
        Ok(Self { child, input, lines, errors, garbage: (0, String::new()), asked: 0, until, deadline })
    }

    fn write(&mut self, message: &str, method: &str) -> Result<(), McpError> {
        let written = match &mut self.input {
            Some(input) => writeln!(input, "{message}").and_then(|()| input.flush()),
            None => Ok(()),
        };
        written.map_err(|_| self.ended(method))
    }

    fn ended(&mut self, method: &str) -> McpError {
        let status = match wait(&mut self.child, GRACE) {
            Some(status) => status,
            None => "its output is closed".to_owned(),
        };
        // What it wrote on its way out may still be on its way.
        thread::sleep(Duration::from_millis(30));
        McpError::Ended { method: method.to_owned(), status, said: self.said() }
    }

    /// What else it said, for people.
    fn said(&self) -> String {
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let last: Vec<&str> = errors.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        let mut out = String::new();
        if self.garbage.0 > 0 {
            let (count, first) = &self.garbage;
            let lines = if *count == 1 { "line that is" } else { "lines that are" };
            out.push_str(&format!("; it printed {count} {lines} no message, such as `{}`", shortened(first)));
        }
        if !last.is_empty() {
            out.push_str(&format!("; on standard error: {}", shortened(&last.join(" / "))));
        }
        out
    }
}

impl Session for Process {
    fn ask(&mut self, method: &str, params: &str) -> Result<RawJson, McpError> {
        self.asked += 1;
        let id = self.asked;
        self.write(&jsonrpc::request(id, method, params), method)?;
        loop {
            let left = self.until.saturating_duration_since(Instant::now());
            // A server that never stops talking has said nothing in time either.
            let heard =
                if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.lines.recv_timeout(left) };
            match heard {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => match jsonrpc::hear(&line, id, method) {
                    Some(Heard::Answer(answer)) => return answer,
                    Some(Heard::Question(reply)) => self.write(&reply, method)?,
                    Some(Heard::Other) => {}
                    None => {
                        if self.garbage.0 == 0 {
                            self.garbage.1 = line;
                        }
                        self.garbage.0 += 1;
                    }
                },
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(method)),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.deadline.as_secs();
                    return Err(McpError::Silent { method: method.to_owned(), seconds, said: self.said() });
                }
            }
        }
    }

    fn tell(&mut self, method: &str) -> Result<(), McpError> {
        self.write(&jsonrpc::notification(method), method)
    }

    fn agreed(&mut self, _: &str) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        if wait(&mut self.child, GRACE).is_some() {
            return;
        }
        #[cfg(unix)]
        {
            let group = format!("-{}", self.child.id());
            let quiet = || Stdio::null();
            let _ =
                Command::new("kill").args(["-KILL", "--", &group]).stdout(quiet()).stderr(quiet()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end; how it ended, or none where it goes on.
fn wait(child: &mut Child, grace: Duration) -> Option<String> {
    let until = Instant::now() + grace;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(10)),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Keeps the end of what is written to standard error.
fn keep(mut from: impl std::io::Read, kept: &Mutex<String>) {
    let mut bytes = [0; 1024];
    while let Ok(read) = from.read(&mut bytes) {
        if read == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_str(&String::from_utf8_lossy(&bytes[..read]));
        if kept.len() > KEPT {
            let mut start = kept.len() - KEPT;
            while !kept.is_char_boundary(start) {
                start += 1;
            }
            kept.drain(..start);
        }
    }
}

/// The words of a command line: split at spaces, except within quotation marks. No shell reads it.
///
/// # Errors
/// There is no word, or a quotation mark is not closed.
pub fn split_command(line: &str) -> Result<Vec<String>, McpError> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = line.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            (c, Some(mark)) if c == mark => quote = None,
            ('\\', Some('"') | None) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if words.is_empty() || quote.is_some() { Err(McpError::NoCommand) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_splits_as_in_a_shell() {
        let words = |line| split_command(line).unwrap();
        assert_eq!(words("npx -y 'a b' \"c \\\" d\" e\\ f ''"), ["npx", "-y", "a b", "c \" d", "e f", ""]);
        assert_eq!(split_command("  "), Err(McpError::NoCommand));
        assert_eq!(split_command("a 'b"), Err(McpError::NoCommand));
    }
}
