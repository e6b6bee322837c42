//! The words that grounding knows: one table each, English first. Another language is another row. Laid out by
//! hand: a line holds what belongs together.

/// Months by the words for them; the first three letters do as well.
pub(super) const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
];

/// Days of the week from Monday; the first three letters do as well.
pub(super) const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Days that have a name: month, day.
pub(super) const FEAST_DAYS: &[(&str, i8, i8)] = &[
    ("christmas", 12, 24), ("christmas", 12, 25), ("xmas", 12, 25), ("boxing", 12, 26), ("sylvester", 12, 31),
    ("valentine", 2, 14), ("valentines", 2, 14), ("halloween", 10, 31), ("year's", 1, 1), ("year's", 12, 31),
];

/// Words for numbers.
pub(super) const NUMBERS: &[(&str, f64)] = &[
    ("zero", 0.0), ("no", 0.0), ("one", 1.0), ("once", 1.0), ("single", 1.0), ("first", 1.0), ("two", 2.0),
    ("twice", 2.0), ("both", 2.0), ("couple", 2.0), ("pair", 2.0), ("second", 2.0), ("double", 2.0),
    ("three", 3.0), ("third", 3.0), ("thrice", 3.0), ("triple", 3.0), ("four", 4.0), ("fourth", 4.0),
    ("five", 5.0), ("fifth", 5.0), ("six", 6.0), ("sixth", 6.0), ("seven", 7.0), ("seventh", 7.0),
    ("eight", 8.0), ("eighth", 8.0), ("nine", 9.0), ("ninth", 9.0), ("ten", 10.0), ("tenth", 10.0),
    ("eleven", 11.0), ("twelve", 12.0), ("dozen", 12.0), ("noon", 12.0), ("thirteen", 13.0),
    ("fourteen", 14.0), ("fifteen", 15.0), ("sixteen", 16.0), ("seventeen", 17.0), ("eighteen", 18.0),
    ("nineteen", 19.0), ("twenty", 20.0), ("thirty", 30.0), ("forty", 40.0), ("fifty", 50.0), ("sixty", 60.0),
    ("seventy", 70.0), ("eighty", 80.0), ("ninety", 90.0), ("half", 0.5), ("quarter", 0.25),
    ("quarter", 15.0), ("midnight", 0.0),
];

/// Words that multiply the number before them.
pub(super) const MULTIPLIERS: &[(&str, f64)] = &[
    ("dozen", 12.0), ("hundred", 100.0), ("thousand", 1e3), ("k", 1e3), ("grand", 1e3), ("million", 1e6),
    ("m", 1e6), ("mio", 1e6), ("billion", 1e9), ("bn", 1e9),
];

/// Words that put a number just beyond what is meant.
pub(super) const BOUNDS: &[&str] =
    &["than", "under", "below", "above", "over", "before", "after", "beyond", "within"];

/// Units of one kind, in their smallest member: values with a unit of a kind may be given in any other of it.
pub(super) const UNITS: &[&[(&str, f64)]] = &[
    // time, in milliseconds
    &[
        ("ms", 1.0), ("millisecond", 1.0), ("s", 1e3), ("sec", 1e3), ("second", 1e3), ("min", 6e4),
        ("minute", 6e4), ("h", 3.6e6), ("hr", 3.6e6), ("hour", 3.6e6), ("d", 8.64e7), ("day", 8.64e7),
        ("night", 8.64e7), ("week", 6.048e8), ("fortnight", 1.2096e9), ("month", 2.592e9),
        ("year", 3.1536e10), ("decade", 3.1536e11),
    ],
    // money, in hundredths
    &[
        ("cent", 1.0), ("ct", 1.0), ("penny", 1.0), ("pence", 1.0), ("€", 100.0), ("$", 100.0), ("£", 100.0),
        ("eur", 100.0), ("euro", 100.0), ("usd", 100.0), ("dollar", 100.0), ("buck", 100.0), ("gbp", 100.0),
        ("pound", 100.0), ("quid", 100.0), ("chf", 100.0), ("franc", 100.0), ("sek", 100.0), ("nok", 100.0),
        ("dkk", 100.0), ("krona", 100.0), ("kronor", 100.0),
    ],
    // shares, in hundredths
    &[("%", 1.0), ("percent", 1.0), ("pct", 1.0), ("fraction", 100.0)],
    // length, in millimetres
    &[
        ("mm", 1.0), ("cm", 10.0), ("inch", 25.4), ("ft", 304.8), ("foot", 304.8), ("feet", 304.8),
        ("m", 1e3), ("meter", 1e3), ("metre", 1e3), ("km", 1e6), ("kilometer", 1e6), ("kilometre", 1e6),
        ("mile", 1_609_344.0), ("mi", 1_609_344.0),
    ],
    // mass, in grams
    &[
        ("g", 1.0), ("gram", 1.0), ("oz", 28.349_5), ("ounce", 28.349_5), ("lb", 453.592), ("lbs", 453.592),
        ("pound", 453.592), ("kg", 1e3), ("kilo", 1e3), ("kilogram", 1e3), ("ton", 1e6), ("tonne", 1e6),
    ],
    // data, in bytes, by thousands and by 1024
    &[
        ("byte", 1.0), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12), ("kib", 1024.0),
        ("mib", 1_048_576.0), ("gib", 1_073_741_824.0),
    ],
    // volume, in millilitres
    &[("ml", 1.0), ("cl", 10.0), ("dl", 100.0), ("l", 1e3), ("liter", 1e3), ("litre", 1e3)],
];

/// Words of strings that fill a place and say nothing.
pub(super) const FILLERS: &[&str] = &[
    "none", "n/a", "n.a.", "null", "nil", "nan", "undefined", "unknown", "not specified", "not provided",
    "not given", "not available", "not applicable", "not set", "unspecified", "tbd", "tba",
    "to be determined", "-", "--", "---", "?", "??", "???", "...", "…",
];

/// Values that stand for a value, whole.
pub(super) const PLACEHOLDERS: &[&str] = &[
    "string", "text", "value", "example", "sample", "placeholder", "dummy", "foo", "bar", "baz", "foobar",
    "lorem ipsum", "todo", "xxx", "xxxx", "xxxxx", "abc", "abc123", "abcdef", "abcd1234", "asdf", "qwerty",
    "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "1234567890", "0123456789", "0000",
    "00000", "000000", "111111", "999999", "insert here", "john doe", "jane doe", "john smith", "jane smith",
    "max mustermann", "joe bloggs", "first last", "firstname lastname", "yyyy-mm-dd", "yyyy/mm/dd",
    "dd.mm.yyyy", "dd/mm/yyyy", "mm/dd/yyyy", "yyyy-mm", "yyyy-mm-ddthh:mm:ss", "yyyy-mm-ddthh:mm:ssz",
    "hh:mm", "hh:mm:ss", "current_user", "currentuser", "user_id", "userid", "your name", "my name",
    "123 main st", "123 main street", "00000000-0000-0000-0000-000000000000",
    "12345678-1234-1234-1234-123456789012", "12345678-1234-1234-1234-123456789abc",
    "123e4567-e89b-12d3-a456-426614174000", "550e8400-e29b-41d4-a716-446655440000",
];

/// Parts that no real value has: reserved hosts (RFC 2606), documentation paths, "your".
pub(super) const PLACEHOLDER_PARTS: &[&str] = &[
    "example.com", "example.org", "example.net", "@example", "@domain.com", "@company.com", "@email.com",
    "@test.com", "yourdomain", "your-domain", "your_domain", "yourcompany", "your-company", "path/to/",
    "/home/user/", "/home/username/", "/users/username/", "c:\\users\\username", "insert_", "replace_me",
    "changeme", "555-01", "1234567890", "placeholder", "lorem ipsum",
];

/// Words that bring in an example. What follows belongs to nobody.
pub(super) const EXAMPLE_MARKS: &[&str] = &[
    "e.g.", "e. g.", "eg.", "for example", "for instance", "such as", "example:", "examples:", "example is",
    "example call", "example input", "example request", "example output", "sample:", "(like ", "looks like",
    "look like", "format:", "ex:", "ex.:",
];

/// Words that take back the value after them.
pub(super) const REVOKERS: &[&str] = &[
    "not", "isn't", "instead of", "rather than", "no longer", "old", "former", "outdated", "expired",
    "cancelled", "wrong", "replaced", "superseded", "not to", "not the",
];

/// Words that bring in the present day.
pub(super) const CLOCK_MARKS: &[&str] =
    &["today", "now", "current date", "current time", "the date is", "date:", "time:", "clock", "as of"];

/// The ways to say so that users and tools have too.
pub(super) const PLAIN_CLOCK_MARKS: &[&str] = &[
    "today is", "today's date", "current date", "current time", "it is now", "current_date", "current_time",
];

/// Choices that choose nothing, and ways to speak of oneself that many interfaces document.
pub(super) const NEUTRAL: &[&str] = &[
    "all", "any", "default", "auto", "automatic", "none", "other", "both", "unknown", "unspecified", "me",
    "self", "main", "master", "head", "root", "primary", "now", "today", "latest", "normal", "standard", "*",
    ".", "/",
];
/// Words that turn a switch off.
pub(super) const NEGATIONS: &[&str] = &[
    "not", "no", "don't", "dont", "doesn't", "without", "never", "skip", "exclude", "except", "off",
    "disable",
];
/// Words that say that an earlier value is meant as well.
pub(super) const STILL_MEANT: &[&str] = &[
    "also", "again", "both", "compare", "all", "first", "previous", "same", "back", "together", "earlier",
    "before", "each",
];
/// Words that tell one of several by what it is not, or by its place.
pub(super) const SORTING_OUT: &[&str] = &[
    "other", "others", "else", "except", "not", "but", "besides", "instead", "first", "second", "third",
    "last", "next", "before", "after", "above", "below", "without", "keep",
];
/// Keys that take an arguments object of their own where nobody declared them.
pub(super) const WRAPPER_KEYS: &[&str] = &[
    "arguments", "argument", "parameters", "params", "input", "inputs", "args", "kwargs", "tool_input",
    "tool_arguments", "function", "function_call", "tool_call", "action_input", "properties",
];
/// Keys that stand beside such a wrapper in the envelope of a call.
pub(super) const ENVELOPE_KEYS: &[&str] = &[
    "name", "type", "id", "tool", "tool_name", "function", "function_name", "recipient_name", "call_id",
    "action", "tool_call_id", "method",
];

/// Last or first words of a key that name what its values are.
pub(super) const ID_KEYS: &[&str] = &[
    "id", "ids", "uuid", "guid", "no", "nr", "number", "numbers", "num", "ref", "reference", "sku", "token",
    "iban", "account", "tracking", "key", "code", "hash", "sha", "isbn", "ein", "ssn", "vin", "handle",
    "username", "serial", "barcode",
];
pub(super) const PATH_KEYS: &[&str] = &[
    "path", "paths", "file", "files", "filename", "filepath", "dir", "directory", "folder", "cwd", "workdir",
    "src", "dest",
];
pub(super) const DATE_KEYS: &[&str] = &[
    "date", "day", "start", "end", "from", "to", "since", "until", "due", "when", "at", "on", "time",
    "deadline", "month", "starts", "ends", "before", "after", "departure", "arrival", "checkin", "checkout",
    "dob",
];

/// Keys whose strings are the model's own wording, or code: judged for what they quote alone.
pub(super) const PROSE_KEYS: &[&str] = &[
    "text", "message", "body", "note", "notes", "memo", "comment", "comments", "description", "summary",
    "subject", "title", "reason", "question", "answer", "reply", "instructions", "details", "caption",
    "prompt", "query", "q", "search", "keywords", "keyword", "topic", "task", "thought", "explanation",
    "justification", "content", "goal", "heading", "headline", "label", "feedback", "request", "statement",
    "phrase", "term", "terms", "remark",
];
pub(super) const CODE_KEYS: &[&str] = &[
    "command", "cmd", "code", "script", "sql", "html", "css", "markdown", "source", "pattern", "regex",
    "expression", "formula", "diff", "patch", "template", "jq", "xpath", "selector", "glob", "json", "yaml",
    "xml", "svg", "function", "args", "program", "content",
];
/// Keys whose values follow from knowledge of the world rather than from the words.
pub(super) const WORLD_KEYS: &[&str] = &[
    "country", "region", "state", "timezone", "tz", "language", "lang", "locale", "lat", "lon", "lng",
    "latitude", "longitude", "encoding", "charset", "mime", "type", "continent",
    "province", "zoom", "timeout", "retries", "temperature", "x", "y", "width", "height", "confidence",
    "score", "seed",
];
/// Of these, the ones that even a choice among given words follows for.
pub(super) const TONGUE_AND_PLACE_KEYS: &[&str] =
    &["country", "timezone", "tz", "language", "lang", "locale", "latitude", "longitude"];
/// Keys that name a person or a place: a name nobody gave is made up.
pub(super) const NAME_KEYS: &[&str] = &[
    "name", "person", "doctor", "recipient", "assignee", "customer", "contact", "owner", "author", "guest",
    "passenger", "patient", "employee", "manager", "city", "location", "place", "address", "street", "venue",
    "destination", "origin", "town", "company", "hotel",
    "artist", "band", "singer", "actor", "director", "player", "team", "brand", "store", "shop", "airport", "station",
    "restaurant", "school", "university", "hospital", "source", "start", "from", "to",
];
/// Words of a key that say that zero is where counting starts.
pub(super) const ZERO_IS_NEUTRAL: &[&str] = &[
    "offset", "skip", "start", "page", "index", "cursor", "from", "min", "minimum", "indent", "level",
    "depth", "position", "retries", "delay", "lower", "x", "y", "z",
];
/// Words of a key that say nothing of their own about a switch.
pub(super) const SWITCH_WORDS: &[&str] = &[
    "is", "has", "include", "includes", "with", "only", "enable", "enabled", "use", "flag", "should", "do",
    "allow", "show", "get", "set", "the", "a", "be", "to", "of", "in", "on", "now", "all",
];
/// Verbs of tools that make a thing, whose name the caller may choose.
pub(super) const MAKING_VERBS: &[&str] = &[
    "write", "create", "save", "export", "new", "add", "generate", "make", "init", "download", "insert",
    "store", "put", "append", "screenshot", "record", "render",
];
/// Words of a description or key that say whose value it is: the one who asks.
pub(super) const CALLER_WORDS: &[&str] = &[
    "signed-in", "signed in", "logged-in", "logged in", "current user", "the caller", "calling user",
    "requester", "requesting", "requested by", "on whose behalf", "authenticated", "person you talk to",
    "own tenant",
];

/// Sites that everybody may look things up on.
pub(super) const SEARCH_SITES: &[&str] = &["google", "bing", "duckduckgo", "wikipedia"];

/// Words that mean each other closely enough for a choice to follow from one of them.
pub(super) const ALIKE: &[&[&str]] = &[
    &["full", "whole", "entire", "complete", "all", "everything"],
    &["notify", "inform", "tell", "alert", "let", "ping", "message", "know"],
    &[
        "urgent", "urgently", "asap", "immediately", "critical", "emergency", "high", "important", "highest",
        "now",
    ],
    &["low", "minor", "whenever", "lowest"],
    &[
        "newest", "latest", "recent", "recently", "newer", "last", "desc", "descending", "date", "created",
        "updated",
    ],
    &["oldest", "earliest", "asc", "ascending", "first"],
    &["cheapest", "cheap", "price", "cost", "lowest", "asc", "ascending"],
    &["expensive", "priciest", "price", "highest", "desc", "descending"],
    &["best", "top", "rating", "rated", "popular", "popularity", "desc"],
    &["delete", "remove", "erase", "drop", "purge", "trash"],
    &["quiet", "silent", "silently", "mute", "muted"],
    &["recursive", "recursively", "subfolder", "subfolders", "nested", "everywhere", "tree"],
    &["hidden", "dotfiles"],
    &["email", "mail", "mailbox", "e-mail"],
    &["post", "letter", "paper", "postal", "mail"],
    &["cash", "coins", "notes", "banknotes"],
    &["card", "visa", "mastercard", "credit", "debit"],
    &["bank", "transfer", "wire", "sepa"],
    &["celsius", "metric", "c", "centigrade"],
    &["fahrenheit", "imperial", "f"],
    &["metric", "km", "kilometers", "kilometres", "kg"],
    &["imperial", "miles", "pounds", "feet"],
    &["car", "drive", "driving", "road"],
    &["walk", "walking", "foot", "pedestrian"],
    &["bike", "bicycle", "cycling", "cycle"],
    &["train", "bus", "transit", "tram", "metro", "subway"],
    &["open", "unresolved", "pending", "unsolved", "todo"],
    &["closed", "resolved", "solved", "done", "completed", "finished", "complete", "fixed"],
    &["bug", "broken", "crash", "crashes", "error", "defect", "fails"],
    &["private", "secret", "confidential"],
    &["public", "everyone", "anyone", "everybody"],
    &["dry", "preview", "simulate", "pretend", "trial"],
    &["force", "overwrite", "anyway", "regardless", "replace"],
    &["daily", "day", "days", "everyday"],
    &["weekly", "week", "weeks"],
    &["monthly", "month", "months"],
    &["yearly", "annual", "annually", "year"],
    &["eur", "euro", "euros", "€"],
    &["usd", "dollar", "dollars", "$", "bucks"],
    &["gbp", "pound", "pounds", "£", "quid", "sterling"],
    &["jpy", "yen", "¥"],
    &["morning", "breakfast", "am"],
    &["noon", "lunch", "midday"],
    &["evening", "tonight", "dinner", "night", "pm"],
    &["round", "return", "roundtrip", "back"],
    &["duplicate", "twice", "double", "doubled"],
    &["busy", "meeting", "meetings"],
    &["woman", "women", "female", "ladies"],
    &["man", "men", "male", "gentlemen"],
    &["child", "children", "kid", "kids"],
    &["person", "people", "persons"],
];

/// Words too common to ground anything.
pub(super) const COMMON: &[&str] = &[
    "the", "and", "for", "from", "with", "this", "that", "are", "was", "you", "your", "our", "has", "have",
    "not", "all", "any", "can", "its", "his", "her", "who", "how", "what", "when", "where", "which", "will",
    "would", "should", "please", "into", "out", "one", "dr", "mr", "mrs", "ms", "inc", "ltd", "gmbh", "llc",
    "to", "of", "in", "on", "at", "by", "as", "is", "it", "or", "an", "be", "do", "if", "me", "my", "no",
    "so", "up", "us", "we",
];
