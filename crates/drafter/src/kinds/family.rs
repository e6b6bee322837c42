//! Families of tools that models have met everywhere: where a catalog has one of them, another is easily taken to
//! be there too.

/// A familiar family.
pub(super) struct Family {
    /// Words of a name, one set of which says that a tool is of the family.
    pub(super) known_by: &'static [&'static str],
    /// A word that such a tool has to say beside, so that the words can name what its things lie in; empty for none.
    pub(super) says: &'static str,
    /// What is familiar of it, most familiar first.
    pub(super) members: &'static [Member],
}

/// One familiar tool.
pub(super) struct Member {
    /// The name that it usually has.
    pub(super) name: &'static str,
    /// Words that ask for it.
    pub(super) user: &'static str,
    /// Words of a tool's name, description and schema, one set of which says that it could do it.
    pub(super) done_by: &'static [&'static str],
}

const fn member(name: &'static str, user: &'static str, done_by: &'static [&'static str]) -> Member {
    Member { name, user, done_by }
}

/// Every family. Nothing is asked for that a general tool reaches (a page that may be any), that is made of what the
/// family has, or that a model does by itself.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        known_by: &["git"],
        says: "",
        members: &[
            member(
                "git_push",
                "Please push the branch harbour-lights of /srv/repos/tide-tables to origin.",
                &["push"],
            ),
            member(
                "git_rebase",
                "Rebase the branch harbour-lights of /srv/repos/tide-tables onto main, please.",
                &["rebase"],
            ),
            member(
                "git_stash",
                "Stash my uncommitted changes in /srv/repos/tide-tables under the name \"tide tables\".",
                &["stash"],
            ),
            member(
                "git_tag",
                "Put the tag v2.4.1 on the newest commit of main in /srv/repos/tide-tables.",
                &["create tag"],
            ),
        ],
    },
    Family {
        known_by: &["read file", "write file", "edit file", "list directory"],
        says: "",
        members: &[
            member(
                "delete_file",
                "Delete the file notes/old-rota.md, please.",
                &["delete file", "remove file", "trash file", "delete path"],
            ),
            member(
                "copy_file",
                "Make a copy of notes/rota.md under the name notes/rota-spring.md.",
                &["copy file", "duplicate file", "write file", "create file", "update file"],
            ),
            member(
                "compress_file",
                "Pack the folder notes/archive into notes/archive.zip.",
                &["zip", "compress", "archive file"],
            ),
        ],
    },
    Family {
        known_by: &["get file content", "create file", "push file"],
        says: "repo",
        members: &[member(
            "delete_file",
            "Delete the file notes/old-rota.md from the main branch of lantern/tide-tables, please.",
            &["delete file", "remove file", "trash file", "delete path"],
        )],
    },
    Family {
        known_by: &["fetch", "url", "crawl", "scrape", "extract"],
        says: "",
        members: &[member(
            "take_screenshot",
            "Take a screenshot of https://brindle.example/timetable for me.",
            &["screenshot"],
        )],
    },
    Family {
        known_by: &["time", "timezone", "current time"],
        says: "",
        members: &[
            member("set_timer", "Set a timer for 25 minutes.", &["timer", "reminder", "alarm"]),
            member("set_alarm", "Wake me at 6:40 tomorrow with an alarm.", &["alarm", "reminder"]),
        ],
    },
    Family {
        known_by: &["email", "gmail", "mail", "invoice", "contact"],
        says: "",
        members: &[
            member(
                "send_email",
                "Please write an e-mail to hanna@stonegate.example: \"The pallets arrived, thank you.\"",
                &["send email", "send mail", "send message", "compose", "send gmail", "email"],
            ),
            member(
                "schedule_email",
                "Send \"The gate opens at seven.\" to hanna@stonegate.example tomorrow at 6 in the morning, not before.",
                &["schedule", "send_at", "scheduled"],
            ),
        ],
    },
    Family {
        known_by: &["channel", "slack", "chat"],
        says: "",
        members: &[
            member(
                "create_poll",
                "Start a poll in the channel #rota: \"Which day suits you for the tasting?\", with the answers \"Monday\" and \"Tuesday\".",
                // A message with a reaction for each answer is how many hold a poll.
                &["poll", "survey", "form", "questionnaire", "reaction", "react", "emoji"],
            ),
            member(
                "start_call",
                "Start a video call with everybody in the channel #rota.",
                &["call", "video", "meet"],
            ),
        ],
    },
    Family {
        known_by: &["geocode", "direction", "map", "place", "distance"],
        says: "",
        members: &[
            member(
                "get_weather",
                "What is the weather in Brindle right now?",
                // What is so now, a search of the web tells.
                &["weather", "forecast", "search web"],
            ),
            member(
                "get_traffic",
                "Is there a traffic jam on the A7 near Brindle at this moment?",
                &["traffic", "jam", "search web"],
            ),
        ],
    },
    Family {
        known_by: &["calendar", "event", "task", "meeting"],
        says: "",
        members: &[member(
            "set_reminder",
            "Remind me in two hours to water the ferns.",
            &["reminder", "remind", "alarm", "event", "due", "task"],
        )],
    },
    Family {
        known_by: &["issue", "pull request", "repository", "repo"],
        says: "",
        members: &[
            member(
                "delete_repository",
                "Delete the repository lantern/tide-tables for good.",
                &["delete repository", "remove repository", "delete repo", "delete project"],
            ),
            member(
                "run_workflow",
                "Start the workflow nightly.yml of lantern/tide-tables on main.",
                &["workflow", "pipeline", "dispatch", "action run"],
            ),
            member("star_repository", "Star the repository lantern/tide-tables for me.", &["star"]),
        ],
    },
    Family {
        known_by: &["database", "collection", "table", "sql", "record"],
        says: "",
        members: &[
            member(
                "backup_database",
                "Make a backup of the database harbour before the weekend.",
                &["backup", "dump", "snapshot", "export", "copy"],
            ),
            member(
                "restore_database",
                "Restore the database harbour from yesterday's backup.",
                &["restore", "backup", "import"],
            ),
        ],
    },
    Family {
        known_by: &["browser", "navigate", "page", "document", "doc"],
        says: "",
        members: &[member(
            "print_document",
            "Print https://brindle.example/timetable twice on the printer in the hall.",
            &["print", "pdf"],
        )],
    },
    Family {
        known_by: &["order", "cart", "shipment", "delivery"],
        says: "",
        members: &[member(
            "track_package",
            "Where is the parcel with tracking number QX-4471-902 now?",
            &["track", "tracking", "parcel", "shipment", "search web"],
        )],
    },
    Family {
        known_by: &["library", "package", "docs"],
        says: "",
        members: &[member("install_package", "Install version 4.2.0 of the package tidepool.", &["install"])],
    },
];
