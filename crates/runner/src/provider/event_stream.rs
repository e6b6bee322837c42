//! Event streams as text: the rules of server-sent events as far as providers use them.

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// What its `event:` line says.
    pub(super) name: Option<String>,
    /// Its `data:` lines, joined by line breaks.
    pub(super) data: String,
}

/// Whether a body is an event stream, whatever its content type says.
pub(super) fn is_stream(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    ["data:", "event:", ":", "id:", "retry:"].iter().any(|field| start.starts_with(field))
}

/// The events of a stream, in order. Comments, ids and events without data are passed over; an event that the end
/// of the text cuts off counts too, since servers leave out the last empty line.
pub(super) fn events(text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let (mut name, mut data): (Option<String>, Vec<&str>) = (None, Vec::new());
    let lines =
        text.trim_start_matches('\u{feff}').split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    for line in lines.chain([""]) {
        if line.is_empty() {
            let name = name.take();
            if !data.is_empty() {
                events.push(Event { name, data: std::mem::take(&mut data).join("\n") });
            }
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => data.push(value),
            "event" => name = Some(value.to_owned()),
            _ => {}
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lines_and_comments_are_told_apart() {
        let text = ": hello\r\nevent: delta\r\ndata: {\"a\":\r\ndata:  1}\r\nid: 7\r\n\r\nevent: ping\n\ndata:[DONE]";
        let wanted = [(Some("delta"), "{\"a\":\n 1}"), (None, "[DONE]")];
        let found = events(text);
        let found: Vec<_> = found.iter().map(|event| (event.name.as_deref(), event.data.as_str())).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn json_and_pages_are_no_streams() {
        assert!(is_stream("\n data: {}") && is_stream(": keep-alive\n\ndata: {}"));
        assert!(!is_stream("{\"data\": 1}") && !is_stream("<html>") && !is_stream(""));
    }
}
