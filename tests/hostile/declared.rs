//! Games with too many declarations for their ids, and sizes of boards and pieces that overflow.

use std::fmt::Write;
use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

use super::{GAME, RULES, TURN, on_worker, told};

/// The mistakes of the game with these lines more, and this rulebook.
fn mistakes(lines: &str, rulebook: Option<&str>) -> Vec<(String, String)> {
    let named = rulebook.map(|_| "rulebook \"RULES.md\"\n").unwrap_or_default();
    let host = MemoryHost::default()
        .with("games/attack/attack.game", format!("{GAME}{named}{lines}"))
        .with("games/attack/rules.rhai", RULES)
        .with("games/attack/RULES.md", rulebook.unwrap_or_default());
    on_worker(|| {
        let wrong = referee_scenario::check_game(
            &mut Loader::new(&host, LoaderOptions::default()),
            Path::new("games/attack/attack.game"),
        );
        wrong.into_iter().map(|wrong| (wrong.code.to_string(), wrong.message)).collect()
    })
}

fn many(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{}", line(number));
        text
    })
}

#[track_caller]
fn refused(lines: &str, message: &str) {
    let wrong = mistakes(lines, None);
    assert!(wrong.contains(&("too_many".to_owned(), message.to_owned())), "{wrong:?}");
}

#[test]
fn more_than_can_be_counted() {
    const COUNT: usize = 5000;
    refused(&many(COUNT, |n| format!("counter c{n}")), "a game has at most 4096 flags, counters and properties");
    refused(&many(COUNT, |n| format!("event e{n}")), "a game has at most 4096 events");
    refused(&many(COUNT, |n| format!("ask v{n}")), "a game has at most 4096 asks");
    refused(&many(COUNT, |n| format!("option o{n} = a | b")), "a game has at most 4096 options");
    refused(&many(COUNT, |n| format!("variant v{n}")), "a game has at most 256 variants");
    refused(&many(COUNT, |n| format!("piece p{n}")), "a game has at most 4096 pieces");
    refused(&many(COUNT, |n| format!("zone z{n}")), "a game has at most 4096 zones");
    refused(&many(COUNT, |n| format!("die e{n} 1..6")), "a game has at most 256 dice");
    refused("piece many 1..5000\n", "a game has at most 4096 pieces");
    refused("piece some 1..4000\npiece more 1..4000\n", "a game has at most 4096 pieces");
    refused(
        &format!("piece some 1..4000\n{}", many(20, |n| format!("flag f{n} for each some"))),
        "all players, pieces and places together have at most 65536 flags, counters and properties",
    );
}

#[test]
fn as_many_as_may_be() {
    let lines = [
        many(4000, |n| format!("counter c{n}")),
        many(4000, |n| format!("event e{n}")),
        "piece block 1..4000\n".to_owned(),
    ];
    assert_eq!(mistakes(&lines.concat(), None), []);
}

#[test]
fn clauses_without_end() {
    let wrong = mistakes("", Some(&many(20_000, |n| format!("[A{n}] A rule.\n"))));
    assert_eq!(wrong, [("too_many".to_owned(), "a rulebook has at most 10000 clauses".to_owned())]);
    // The number of errors is limited too.
    let wrong = mistakes("", Some(&"[A1] A rule.\n\n".repeat(20_000)));
    assert_eq!((wrong.len(), wrong.last().unwrap().0.as_str()), (501, "too_many_mistakes"));
}

#[test]
fn arrows_without_end() {
    let wrong = mistakes(&many(5000, |_| "arrow a1 -> b2".to_owned()), None);
    assert_eq!((wrong.len(), wrong.first().unwrap().0.as_str()), (501, "wrong_arrow"));
}

#[test]
fn sizes_that_no_number_holds() {
    for size in ["257x257", "1x257", "0x1", "65x1", "9223372036854775807x1"] {
        let host = super::host(RULES, &TURN.replace("  place", &format!("  piece red size {size}\n  place")));
        let told = told(&host);
        assert!(told.contains("a piece is 1 to 64 columns wide and 1 to 64 rows high"), "{size}: {told}");
    }
}
