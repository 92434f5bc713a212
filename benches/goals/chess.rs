//! Legal moves of chess, found by looking at the position after each move, against the same found with pins by hand.

use std::path::Path;

use crate::contest::{contestant, rates};
use crate::ours;
use crate::report::{Goal, Report};

const COMPILED: &str = "legal moves by if_made against pins by hand";
const MACHINE: &str = "legal moves by if_made, not compiled";

/// The position with which programs of chess are compared most.
const KIWIPETE: &str = "scenario \"Kiwipete\"
  board
    | r . . . k . . r
    | p . p p q p b .
    | b n . . p n p .
    | . . . P N . . .
    | . p . . P . . .
    | . . N . . Q . p
    | P P P B B P P P
    | R . . . K . . R
  turn white
";

/// Counts so many sequences that compiled rules count them, or so few that the machine does.
const ROWS: [(&str, usize, u64, Goal); 2] = [(COMPILED, 3, 97_862, Goal::AtLeast(0.5)), (MACHINE, 2, 2039, Goal::None)];

pub(crate) fn rows(report: &mut Report) {
    for (what, depth, known, goal) in ROWS {
        if report.wants(what) {
            row(report, what, (depth, known), goal);
        }
    }
}

fn row(report: &mut Report, what: &str, (depth, known): (usize, u64), goal: Goal) {
    let texts = ["chess-what-if", "chess-pins"].map(|game| format!("use {game}\n{KIWIPETE}"));
    let hosts = texts.each_ref().map(|text| ours::host("/kiwipete.scenario", text));
    let [what_if, pins] = hosts.each_ref().map(|host| {
        let mut loader = ours::loader(host);
        let suite = referee_scenario::plan(&mut loader, Path::new("/kiwipete.scenario"));
        contestant(move |_| {
            let count = match referee_scenario::perft(&mut loader, &suite, 0, depth) {
                Ok(counted) => counted.counts.iter().map(|(_, count)| count).sum::<u64>(),
                Err(wrong) => unreachable!("{wrong:?}"),
            };
            assert_eq!(count, known, "{what}");
            count
        })
    });
    if report.alone {
        let [rate] = rates([what_if]);
        return report.rate(what, (rate, " sequences"), Goal::None);
    }
    let [rate, by_hand] = rates([what_if, pins]);
    report.ratio(what, (rate, " sequences"), ("pins by hand", by_hand), goal);
}
