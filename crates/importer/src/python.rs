//! Calls as Python writes them, which is how the answers of multi-turn cases stand: `mv(source='a', n=[1, 2])`.

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};

/// How deep values may nest.
const DEEPEST: usize = 32;

/// One call with literal arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PythonCall {
    pub(crate) name: String,
    pub(crate) positional: Vec<Value>,
    pub(crate) named: IndexMap<String, Value>,
}

impl PythonCall {
    /// Reads a call; `None` where it is none, or an argument is no literal.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut reading = Reading { rest: text.trim() };
        let name = reading.word()?.rsplit('.').next()?.to_owned();
        let mut call = Self { name, positional: Vec::new(), named: IndexMap::new() };
        reading.expect('(')?;
        while !reading.takes(')') {
            match reading.name_before_equals() {
                Some(name) => _ = call.named.insert(name, reading.value(0)?),
                None => call.positional.push(reading.value(0)?),
            }
            if !reading.takes(',') {
                reading.expect(')')?;
                break;
            }
        }
        reading.rest.trim().is_empty().then_some(call)
    }

    /// Its arguments by name; `parameters` are the function's, in order.
    pub(crate) fn arguments<'a>(&self, parameters: impl Iterator<Item = &'a str>) -> IndexMap<String, Value> {
        let by_place = parameters.map(str::to_owned).zip(self.positional.iter().cloned());
        by_place.chain(self.named.iter().map(|(name, value)| (name.clone(), value.clone()))).collect()
    }
}

struct Reading<'t> {
    rest: &'t str,
}

impl Reading<'_> {
    fn takes(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, c: char) -> Option<()> {
        self.takes(c).then_some(())
    }

    fn word(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let end =
            self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then(|| word.to_owned())
    }

    fn name_before_equals(&mut self) -> Option<String> {
        let before = self.rest;
        if let Some(word) = self.word()
            && self.takes('=')
        {
            return Some(word);
        }
        self.rest = before;
        None
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next().filter(|_| depth < DEEPEST)?;
        match first {
            '\'' | '"' => self.text(first).map(Value::String),
            '[' => self.list('[', ']', depth),
            '(' => self.list('(', ')', depth),
            '{' => self.map(depth),
            _ => self.plain(),
        }
    }

    fn list(&mut self, open: char, close: char, depth: usize) -> Option<Value> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.takes(close) {
            items.push(self.value(depth + 1)?);
            if !self.takes(',') {
                self.expect(close)?;
                break;
            }
        }
        Some(Value::Array(items))
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        self.expect('{')?;
        let mut members = Map::new();
        while !self.takes('}') {
            let Value::String(key) = self.value(depth + 1)? else { return None };
            self.expect(':')?;
            members.insert(key, self.value(depth + 1)?);
            if !self.takes(',') {
                self.expect('}')?;
                break;
            }
        }
        Some(Value::Object(members))
    }

    fn text(&mut self, quote: char) -> Option<String> {
        let mut out = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => match chars.next()?.1 {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    same @ ('\\' | '\'' | '"') => out.push(same),
                    // Python keeps the backslash of what it does not know.
                    other => out.extend(['\\', other]),
                },
                c if c == quote => {
                    self.rest = &self.rest[at + c.len_utf8()..];
                    return Some(out);
                }
                c => out.push(c),
            }
        }
        None
    }

    fn plain(&mut self) -> Option<Value> {
        let end = self.rest.find([',', ')', ']', '}', ' ', ':']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "True" => Some(true.into()),
            "False" => Some(false.into()),
            "None" => Some(Value::Null),
            number => match number.parse::<i64>() {
                Ok(whole) => Some(whole.into()),
                Err(_) => number.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(text: &str) -> Option<Value> {
        let call = PythonCall::parse(text)?;
        Some(json!(call.arguments(["first", "second"].into_iter())))
    }

    #[test]
    fn calls_with_literals_are_read() {
        let read =
            arguments("Shop.buy('it\\'s', second=\"a, (b)\", n=-2.5, ok=True, l=[1, (2,), {'k': None}],)");
        let wanted =
            json!({"first": "it's", "second": "a, (b)", "n": -2.5, "ok": true, "l": [1, [2], {"k": null}]});
        assert_eq!(read, Some(wanted));
        assert_eq!(arguments("ls()"), Some(json!({})));
        assert_eq!(PythonCall::parse("a.b.ls( )").unwrap().name, "ls");
    }

    #[test]
    fn what_is_no_call_with_literals_is_none() {
        let deep = format!("f({}{})", "[".repeat(5_000), "]".repeat(5_000));
        for text in ["", "f", "f(", "f(x)", "f(1", "f('a", "f(1) + 2", "f(a=b)", "f({1: 2})", "f(nan)", &deep]
        {
            assert_eq!(PythonCall::parse(text), None, "{text:.40}");
        }
    }
}
