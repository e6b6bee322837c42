//! Hostile text in every place that a model or a file can put text: it is shown, and does nothing.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod canonical;

use canonical::{HOSTILE, named, rendered};
use report::{FORMATS, Format, visible};

/// Characters that repaint a terminal or turn the reading direction round.
fn is_active(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(character, '\u{200b}' | '\u{202e}')
}

#[test]
fn no_format_lets_an_active_character_through() {
    for canonical in canonical::canonical() {
        for entry in FORMATS {
            let drawn = rendered(&canonical.report, entry.format);
            let found = drawn.char_indices().find(|(_, character)| is_active(*character));
            assert_eq!(found, None, "{} as {}", canonical.name, entry.name);
        }
    }
}

#[test]
fn the_page_has_no_script_but_its_own_no_handler_and_nothing_from_elsewhere() {
    for canonical in canonical::canonical() {
        let page = rendered(&canonical.report, Format::Html);
        let markup = page.to_lowercase();
        assert!(markup.matches("<script").count() <= 1, "{}: a second script", canonical.name);
        for forbidden in [
            "<script ",
            "<iframe",
            "<img",
            "<link",
            "<object",
            "<base",
            "@import",
            "url(",
            " src=",
            "javascript:",
        ] {
            assert!(!markup.contains(forbidden), "{}: {forbidden}", canonical.name);
        }
        for (at, _) in markup.match_indices(" href=") {
            assert!(markup[at..].starts_with(" href=\"#"), "{}: a link leaves the page", canonical.name);
        }
        assert!(!has_handler(&markup), "{}: an event handler", canonical.name);
        assert!(markup.contains("default-src 'none'"));
    }
}

/// Whether any tag has an attribute that runs something.
fn has_handler(markup: &str) -> bool {
    markup.split('<').filter_map(|tag| tag.split('>').next()).any(|tag| {
        let outside: String = tag.split('"').step_by(2).collect();
        outside.split_whitespace().any(|word| word.starts_with("on") && word.contains('='))
    })
}

#[test]
fn hostile_text_is_still_shown() {
    let report = named("hostile");
    let (text, page) = (rendered(&report, Format::Text), rendered(&report, Format::Html));
    assert!(text.contains("\\u{1b}[2J") && !text.contains('\u{1b}'));
    for shown in [
        "&lt;script&gt;alert(1)&lt;&#x2f;script&gt;",
        "]]&gt;",
        "a|b|c",
        "berth\\u{202e}gpj.exe",
        "zero\\u{200b}width",
        "&quot; onmouseover=&quot;alert(1)",
        "{{ page.title }}{% include &#x27;x&#x27; %}",
    ] {
        assert!(page.contains(shown), "{shown}");
    }
}

#[test]
fn json_holds_the_text_itself() {
    let report = named("hostile");
    let json = rendered(&report, Format::Json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = value["invented"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name["name"]["text"].as_str().unwrap())
        .collect();
    for hostile in HOSTILE {
        assert!(names.contains(&hostile), "{}", visible(hostile));
    }
}

#[test]
fn the_check_for_handlers_can_fail() {
    assert!(has_handler("<p onclick=\"x()\">"));
    assert!(has_handler("<a title=\"x\" onmouseover=\"y\">"));
    assert!(!has_handler(
        "<p aria-label=\"\" onmouseover=\"alert(1)\">"
            .replace("\" onmouseover=\"", "&quot; onmouseover=&quot;")
            .as_str()
    ));
}
