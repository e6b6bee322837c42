//! The words that values are made of. All places, people and firms are made up; hosts and addresses are those that
//! the registries keep for documents (RFC 2606, RFC 5737).

pub(crate) const PEOPLE: &[&str] = &[
    "Mira Sandvik",
    "Jonas Ferreira",
    "Anouk Terlinden",
    "Tomas Okoro",
    "Ines Valdur",
    "Pavel Brandt",
    "Leila Haas",
    "Oskar Nyman",
    "Rosa Quill",
    "Emeka Dahl",
    "Yuki Marsh",
    "Clara Voss",
];

pub(super) const PLACES: &[&str] = &[
    "harbour",
    "northquay",
    "brindle",
    "saltmarsh",
    "ferrowood",
    "lantern",
    "copperfield",
    "windrow",
    "tidewater",
    "ashlock",
    "millrace",
    "greyfen",
    "kestrel",
    "foxglove",
    "juniper",
    "larkhill",
];

pub(super) const THINGS: &[&str] = &[
    "ledger",
    "notes",
    "rota",
    "survey",
    "catalogue",
    "almanac",
    "register",
    "minutes",
    "forecast",
    "inventory",
    "roster",
    "briefing",
    "digest",
    "handbook",
    "timetable",
    "gazette",
];

pub(crate) const TITLES: &[&str] = &[
    "Spring tide survey",
    "Ferry rota for the islands",
    "Orchard inventory",
    "Lighthouse repairs",
    "Harvest briefing",
    "Night shift handover",
    "Canal lock inspection",
    "Beekeeping minutes",
    "Museum loan register",
    "Winter timetable",
    "Rooftop garden plan",
    "Kiln maintenance log",
    "Trail repair weekend",
    "Choir rehearsal dates",
    "Bakery stock check",
    "River gauge readings",
];

pub(crate) const SENTENCES: &[&str] = &[
    "The pump room is dry again and the spare key hangs by the door.",
    "We moved the tasting to Thursday because the hall is taken.",
    "Both lanterns at the pier were replaced this morning.",
    "Please keep the east gate shut until the paint is dry.",
    "The second crate arrived with two jars missing.",
    "Rehearsal starts a quarter of an hour later than planned.",
    "The gauge at the weir reads lower than last week.",
    "All forty chairs are back in the cellar.",
    "The new labels are on the shelf next to the kiln.",
    "Nobody has claimed the blue bicycle yet.",
    "The ferry leaves from the north quay this week.",
    "I swapped the two batteries and it holds its charge.",
];

pub(crate) const SUBJECTS: &[&str] = &[
    "tide tables",
    "ferry timetable",
    "kiln temperatures",
    "seed catalogue",
    "bridge closures",
    "heating invoices",
    "honey labels",
    "canal permits",
    "orchard pests",
    "lantern batteries",
    "rehearsal rooms",
    "roof insulation",
    "river gauges",
    "museum loans",
    "bread starters",
    "trail markers",
];

pub(super) const STREETS: &[&str] = &[
    "Quay Street",
    "Mill Lane",
    "Lantern Row",
    "Orchard Road",
    "Weir Street",
    "Chapel Hill",
    "Kiln Yard",
    "Ferry Lane",
];

pub(super) const TOWNS: &[&str] =
    &["Brindlemoor", "Saltmarsh", "Northquay", "Greyfen", "Ashlock", "Larkhill", "Ferrowood", "Tidewater"];

pub(super) const COUNTRIES: &[&str] =
    &["Norway", "Portugal", "Uruguay", "Estonia", "Ghana", "Slovenia", "Iceland", "Laos"];

pub(super) const ZONES: &[&str] = &[
    "Europe/Lisbon",
    "Africa/Nairobi",
    "Asia/Seoul",
    "America/Bogota",
    "Australia/Hobart",
    "Europe/Tallinn",
    "Pacific/Auckland",
    "America/Halifax",
    "Asia/Dhaka",
    "Atlantic/Reykjavik",
];

pub(super) const KINDS: &[&str] = &["partner", "lookout", "supplier", "neighbour", "caretaker", "keeper"];

pub(super) const LANGUAGES: &[&str] = &["nl", "pt", "et", "fi", "sl", "is", "ko", "sw"];

pub(super) const CURRENCIES: &[&str] = &["NOK", "CHF", "PLN", "CAD", "SEK", "NZD", "CZK", "DKK"];

pub(super) const COLOURS: &[&str] = &["teal", "maroon", "olive", "indigo", "coral", "navy"];

pub(super) const STATES: &[&str] = &["open", "north", "spring", "silver", "amber", "relay", "quiet", "spare"];

pub(super) const LABELS: &[&str] =
    &["urgent", "kitchen", "spring-run", "needs-photo", "archive-soon", "field-team", "second-look"];

pub(crate) const FUNCTIONS: &[&str] =
    &["refreshTotals", "collectReadings", "closeRota", "sortLedger", "countCrates", "mailDigest"];

pub(super) const KEYS: &[&str] = &["Tab", "Escape", "Home", "End", "PageDown", "Enter", "Backspace"];

pub(super) const EMOJI: &[&str] = &["🌱", "🎈", "🪁", "🌊", "🍐"];

pub(super) const REACTIONS: &[&str] = &["seedling", "balloon", "ocean", "pear", "lantern"];

/// Elements of a page, by what is done with them; the last are for whatever else is.
pub(super) const ELEMENTS: &[(&[&str], &[&str])] = &[
    (&["select", "option", "dropdown", "choose"], &["#ferry-day", "#landing-day", "#tasting-day"]),
    (&["type", "fill", "input", "write", "enter"], &["#guest-name", "#guest-note", "#search-box"]),
    (&["check", "uncheck", "toggle"], &["#newsletter", "#lamp-switch"]),
    (&["drop", "upload"], &["#photo-drop", "#paper-drop"]),
    (&["drag"], &["#card-kiln", "#card-ferry", "#lane-done", "#lane-next"]),
    (&[], &["#save-draft", "#crate-list", "#show-rota", "#next-page"]),
];

pub(super) const DAYS: &[&str] = &["Monday", "Tuesday", "Thursday", "Friday", "Saturday"];

pub(super) const SHOPS: &[&str] = &[
    "bicycle repair shop",
    "ceramics workshop",
    "plant nursery",
    "second-hand bookshop",
    "boat hire",
    "violin maker",
];

pub(super) const NOTES: &[&str] = &[
    "Add the tide table",
    "Correct the ferry times",
    "Rename the rota columns",
    "Drop the old kiln log",
    "Sort the seed list",
];
