//! Properties of every roll in Squish!, on random positions with all options.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::{prop_assert, prop_assert_eq};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;
use referee_trace::Status;

use super::cases::check;
use super::squish_deal::{Deal, deals};
use super::squish_engine::{Squish, told};
use super::squish_oracle::Table;

/// The oracle's reading of a deal: its events, and the table afterwards.
fn oracle(deal: &Deal) -> (Vec<String>, Table) {
    let mut table = deal.table.clone();
    let events = table.roll(deal.block, deal.direction, deal.points);
    (events, table)
}

/// What events can say: all of it turns up in the random rolls, or these would not show much.
const ALL_KINDS: [&str; 14] = [
    "rolled",
    "moves",
    "wall",
    "blocks",
    "both",
    "stuck",
    "pushed",
    "against wall",
    "against block",
    "queued",
    "added",
    "ignored",
    "transmits",
    "returns",
];

/// The engine must emit exactly the same events, and leave the same position and the same shards.
#[test]
fn engine_and_oracle_agree() {
    let squish = Squish::load();
    let unseen = RefCell::new(ALL_KINDS.to_vec());
    check(2000, &deals(), |deal| {
        let (events, after) = oracle(&deal);
        let played = squish.play(&deal);
        let scenario = || deal.scenario(&events, &after);
        prop_assert_eq!(&played.events, &events, "the oracle says:\n{}", scenario());
        prop_assert_eq!(&played.after, &after, "the oracle says:\n{}", scenario());
        unseen.borrow_mut().retain(|words| !events.iter().any(|event| event.contains(words)));
        Ok(())
    });
    assert_eq!(unseen.into_inner(), Vec::<&str>::new());
}

/// What the oracle says passes as a scenario, the same way each time.
#[test]
fn scenarios_of_the_oracle_pass_and_repeat() {
    check(40, &deals(), |deal| {
        let (events, after) = oracle(&deal);
        let text = deal.scenario(&events, &after);
        let host = MemoryHost::default().with("/deal.scenario", text.clone());
        let judged = |loader: &mut Loader<'_>| {
            let suite = referee_scenario::plan(loader, Path::new("/deal.scenario"));
            (referee_scenario::judge(loader, &suite, 0), referee_scenario::scenes(loader, &suite, 0).0, suite.problems)
        };
        let options = LoaderOptions { working_folder: "/".into(), ..LoaderOptions::default() };
        let mut loader = Loader::new(&host, options.clone());
        let (result, scenes, problems) = judged(&mut loader);
        prop_assert!(problems.is_empty(), "{problems:?}\n{text}");
        prop_assert_eq!(result.status, Status::Passed, "{:?}\n{}", &result.failures, text);
        prop_assert_eq!(scenes.len(), 2);
        prop_assert_eq!(&(result.clone(), scenes.clone()), &(judged(&mut loader).0, judged(&mut loader).1));
        let again = judged(&mut Loader::new(&host, options));
        prop_assert_eq!((result, scenes), (again.0, again.1));
        Ok(())
    });
}

/// Each time a block starts, the squares that it moves and the points that it loses or passes on are what it had;
/// each hit that is queued is resolved once; the forces with which a block starts in one roll fall.
#[test]
fn spent_points_add_up() {
    let squish = Squish::load();
    check(150, &deals(), |deal| {
        let played = squish.play(&deal);
        let (events, after) = oracle(&deal);
        let scenario = deal.scenario(&events, &after);
        for block in &deal.table.blocks {
            let own = played.events.iter().filter_map(|event| event.strip_prefix(&format!("{} ", block.name)));
            let mut starts: Vec<(i64, i64)> = Vec::new();
            let mut transmitted = 0;
            for event in own {
                let words: Vec<&str> = event.split(' ').collect();
                let number = |word: &str| {
                    let place = words.iter().position(|other| *other == word);
                    place.and_then(|place| words.get(place + 1)?.parse::<i64>().ok()).unwrap_or(0)
                };
                match (words[0], starts.last_mut()) {
                    ("rolled", _) => starts.push((number("for"), if deal.direction == 0 { 0 } else { number("for") })),
                    ("resolves", _) => starts.push((number("with"), number("with"))),
                    ("moves", Some((_, left))) => {
                        *left -= 1;
                        prop_assert_eq!(*left, number("with"), "{}", scenario);
                    }
                    ("bounces", Some((_, left))) => prop_assert!(*left > 0 && *left == number("with"), "{scenario}"),
                    ("stuck" | "transmits", Some((_, left))) => {
                        prop_assert_eq!(*left, number("with"), "{}", scenario);
                        transmitted += i64::from(words[0] == "transmits");
                        *left = 0;
                    }
                    ("hits", _) => {}
                    _ => prop_assert!(false, "{event}\n{scenario}"),
                }
            }
            prop_assert!(starts.iter().all(|(_, left)| *left == 0), "{starts:?}\n{scenario}");
            prop_assert!(starts.windows(2).all(|pair| pair[0].0 > pair[1].0), "{starts:?}\n{scenario}");
            prop_assert!(transmitted <= i64::try_from(starts.len()).unwrap_or(0), "{scenario}");
            let hit = format!(" hits {} ", block.name);
            let queued = played.events.iter().filter(|event| event.contains(&hit) && event.ends_with(" queued"));
            let rolled = usize::from(deal.table.blocks[deal.block].name == block.name);
            prop_assert_eq!(queued.count(), starts.len() - rolled, "{}", scenario);
        }
        Ok(())
    });
}

/// Nothing overlaps or leaves the board, and each marker is on it unless it was squished and has not returned.
#[test]
fn pieces_are_conserved() {
    let squish = Squish::load();
    check(150, &deals(), |deal| {
        let machine = squish.machine(&deal, squish.state(&deal));
        let (state, events) = (machine.state(), told(&machine));
        let (expected, after) = oracle(&deal);
        let scenario = deal.scenario(&expected, &after);
        let mut covered = BTreeMap::new();
        for (name, size) in deal.table.blocks.iter().map(|block| (&block.name, block.size)) {
            let own = state.covered(squish.piece(name));
            prop_assert_eq!(own.len(), usize::try_from(size * size).unwrap(), "{} {}", name, scenario);
            covered.extend(own.iter().map(|cell| (cell, name.clone())));
        }
        let mut on_board = 0;
        for marker in &deal.table.markers {
            let last =
                |verb: &str| events.iter().rposition(|event| event.starts_with(&format!("{} {verb}", marker.name)));
            let off = match (last("squished"), last("returns")) {
                (None, None) => marker.at.is_none(),
                (squished, returned) => squished > returned,
            };
            let place = state.place(squish.piece(&marker.name));
            prop_assert_eq!(place.is_none(), off, "{} {}", marker.name, scenario);
            on_board += usize::from(!off);
            covered.extend(place.map(|cell| (cell, marker.name.clone())));
        }
        let blocks: i32 = deal.table.blocks.iter().map(|block| block.size * block.size).sum();
        prop_assert_eq!(covered.len(), usize::try_from(blocks).unwrap() + on_board, "overlap: {}", scenario);
        for cell in state.board().cells() {
            let named = state.at(cell).map(|piece| state.schema().piece_name(piece));
            prop_assert_eq!(named, covered.get(&cell).map(String::as_str), "{}", scenario);
        }
        Ok(())
    });
}
