//! Keeps the whole below what a comment may hold: what is worth least is left out first, and said to be.

/// Bytes of a page. GitHub takes 65,536 characters; the rest is for what a workflow puts around it.
const LIMIT: usize = 60_000;

/// A part of the page.
struct Part {
    text: String,
    /// What it is called where it is left out; none where it always stays.
    name: Option<&'static str>,
}

/// A page being put together, part by part.
#[derive(Default)]
pub(super) struct Page {
    parts: Vec<Part>,
}

impl Page {
    /// A part that stays. It has to be short whatever the input.
    pub(super) fn keep(&mut self, text: String) {
        self.parts.push(Part { text, name: None });
    }

    /// A part that may be left out; of those, the last is left out first.
    pub(super) fn add(&mut self, name: &'static str, text: String) {
        self.parts.push(Part { text, name: Some(name) });
    }

    /// The page; `elsewhere` says where the whole is.
    pub(super) fn finish(mut self, elsewhere: &str) -> String {
        let mut left_out = Vec::new();
        // A blank line behind each part, and room for the words on what was left out.
        let length = |parts: &[Part]| parts.iter().map(|part| part.text.len() + 2).sum::<usize>() + 400;
        while length(&self.parts) > LIMIT {
            let Some(at) = self.parts.iter().rposition(|part| part.name.is_some()) else { break };
            left_out.extend(self.parts.remove(at).name);
        }
        if !left_out.is_empty() {
            left_out.reverse();
            let text = format!("*Left out here for length: {}. {elsewhere}*", left_out.join(", "));
            self.parts.push(Part { text, name: None });
        }
        let texts: Vec<String> =
            self.parts.into_iter().map(|part| part.text).filter(|text| !text.is_empty()).collect();
        texts.join("\n\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays() {
        let mut page = Page::default();
        page.keep("a".into());
        page.add("the table", "b".into());
        page.keep(String::new());
        assert_eq!(page.finish("See x."), "a\n\nb\n");
    }

    #[test]
    fn the_last_part_that_may_go_goes_first_and_is_named() {
        let mut page = Page::default();
        page.keep("a".into());
        page.add("the first", "b".repeat(30_000));
        page.add("the second", "c".repeat(40_000));
        page.keep("d".into());
        let text = page.finish("See x.");
        assert!(text.len() < LIMIT);
        assert!(text.contains("bbb") && !text.contains("ccc"));
        assert!(text.ends_with("d\n\n*Left out here for length: the second. See x.*\n"));
    }
}
