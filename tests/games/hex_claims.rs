//! What the rulebook of Squish and Flowish claims about every game, checked on all positions of small boards, and as far
//! as a bound goes on larger ones. `games/hex-squish/RULES.md` has the findings.
//!
//! A position is on a cycle if some line of play comes back to it. Such a line captures nothing, and the game does not
//! end on it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::hex_bits::{Bits, Made, Seen, is_on_four};
use super::hex_everywhere::{Everywhere, Found};
use super::hex_oracle::{Hex, Position, Reading};
use super::playing::Random;

/// The readings of Squish and of Flowish that differ from the first values of the options in one at most.
const SQUISH: [(&str, &str); 3] = [("", ""), ("line_blocking", "enemy"), ("approach", "nearest")];
const FLOWISH: [(&str, &str); 7] = [
    ("", ""),
    ("largest_ties", "choose"),
    ("own_group", "included"),
    ("two_sided_line", "either"),
    ("nearest_tie", "all_or_nothing"),
    ("no_flow_trigger", "no_flow_move"),
    ("no_flow_piece", "globally_nearest"),
];

fn reading(flowish: bool, (option, value): (&str, &str)) -> Reading {
    let first = [("own_group", "excluded"), ("no_flow_trigger", "no_piece_on_flowline"), ("cycle", "agreement")];
    let set = first.into_iter().chain([(option, value)]);
    Reading { flowish, options: set.map(|(name, value)| (name.to_owned(), value.to_owned())).collect() }
}

fn readings() -> impl Iterator<Item = Reading> {
    let squish = SQUISH.into_iter().map(|set| reading(false, set));
    squish.chain(FLOWISH.into_iter().map(|set| reading(true, set)))
}

/// The variant, and the option that has its second value.
fn name(reading: &Reading) -> String {
    let variant = if reading.flowish { "Flowish" } else { "Squish" };
    let sets = if reading.flowish { FLOWISH.iter() } else { SQUISH.iter() };
    let mut set = sets.filter(|(option, value)| reading.options.get(*option).is_some_and(|set| set == value));
    match set.next_back() {
        Some((option, value)) if !option.is_empty() => format!("{variant}, {option} = {value}"),
        _ => variant.to_owned(),
    }
}

#[test]
fn sets_of_bits_have_the_moves_of_the_other_reading() {
    let mut random = Random(3);
    for round in 0..400 {
        let all: Vec<Reading> = readings().collect();
        let mut reading = all[round % all.len()].clone();
        for (option, value) in SQUISH.iter().chain(&FLOWISH).filter(|_| round % 3 == 0) {
            if random.below(2) == 0 {
                reading.options.insert((*option).to_owned(), (*value).to_owned());
            }
        }
        let side = 2 + i32::try_from(random.below(6)).unwrap();
        let bits = Bits::new(side, &reading);
        let mut position = Position { side, pieces: BTreeMap::new() };
        let sparse = 2 + random.below(12);
        for hex in position.board() {
            if random.below(sparse) == 0 {
                position.pieces.insert(hex, random.below(2));
            }
        }
        let seen = bits.seen(&position, 0);
        let mut made = Vec::new();
        bits.moves(seen, &mut made);
        let named = |(from, to): &Made| (bits.board[*from], bits.board[*to]);
        let all: BTreeSet<_> = made.iter().map(named).collect();
        assert_eq!((&all, all.len()), (&position.moves(0, &reading), made.len()), "{position:?}, {reading:?}");
        for made in made {
            let named = named(&made);
            let mut next = position.clone();
            let end = next.make(named, 0, &reading);
            let after = bits.after(seen, made);
            let is_stuck = after.is_some_and(|after| {
                let mut replies = Vec::new();
                bits.moves(after, &mut replies);
                replies.is_empty()
            });
            assert_eq!(after.is_none() || is_stuck, end.is_some(), "{named:?} in {position:?}, {reading:?}");
            if let Some(after) = after {
                assert_eq!(after, bits.seen(&next, 1));
            }
        }
    }
}

/// What random games pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Passed {
    games: usize,
    /// Games that ended before the move limit.
    ended: usize,
    positions: usize,
    /// Positions that play can come back to in four moves.
    on_four: usize,
    /// Games with such a position.
    games_on_four: usize,
    /// Games in which a position did come back.
    games_back: usize,
    /// Positions on a cycle, found among the first positions that follow without captures.
    on_cycles: usize,
    /// Positions on no cycle: all that follow without captures was searched.
    on_none: usize,
}

/// Returns whether play can come back to a position, searched breadth first among so many positions; `None` if there are
/// more of them.
fn comes_back(bits: &Bits, start: Seen, most: usize) -> Option<bool> {
    let mut known = HashSet::from([start]);
    let mut waiting = VecDeque::from([start]);
    let mut made = Vec::new();
    while let Some(seen) = waiting.pop_front() {
        made.clear();
        bits.moves(seen, &mut made);
        for step in made.iter().filter(|(_, to)| seen.1 >> to & 1 == 0) {
            let Some(next) = bits.after(seen, *step) else { continue };
            if next == start {
                return Some(true);
            }
            if known.insert(next) {
                waiting.push_back(next);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(false)
}

fn random_games(bits: &Bits, side: i32, games: u64, search: usize) -> Passed {
    let mut passed = Passed::default();
    for seed in 0..games {
        let mut random = Random(seed);
        let mut seen = bits.seen(&Position::start(side), 0);
        let mut known = HashSet::new();
        let (mut on_four, mut back) = (0, false);
        for turn in 0..1000 {
            let mut made = Vec::new();
            bits.moves(seen, &mut made);
            if made.is_empty() {
                passed.ended += 1;
                break;
            }
            passed.positions += 1;
            // Who is to move belongs to the position.
            back |= !known.insert((turn % 2, seen));
            let is_on_four = is_on_four(bits, seen);
            on_four += usize::from(is_on_four);
            if search > 0 {
                let found = if is_on_four { Some(true) } else { comes_back(bits, seen, search) };
                passed.on_cycles += usize::from(found == Some(true));
                passed.on_none += usize::from(found == Some(false));
            }
            let Some(next) = bits.after(seen, made[random.below(made.len())]) else {
                passed.ended += 1;
                break;
            };
            seen = next;
        }
        passed.games += 1;
        passed.on_four += on_four;
        passed.games_on_four += usize::from(on_four > 0);
        passed.games_back += usize::from(back);
    }
    passed
}

/// What follows a position: how many positions (one and the same with the players exchanged are one), whether there is a cycle, in how many the player to move has no move, and
/// whether that is all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Followed {
    positions: usize,
    stuck: usize,
    is_cycle: bool,
    is_all: bool,
}

/// Follows all play from a position, captures included, depth first; at most so many positions.
fn follow(bits: &Bits, start: Seen, most: usize) -> Followed {
    let mut followed = Followed::default();
    // Whether a position is on the line that is followed.
    let mut known: HashMap<Seen, bool> = HashMap::new();
    let next = |seen: Seen, followed: &mut Followed| -> Vec<Seen> {
        let mut made = Vec::new();
        bits.moves(seen, &mut made);
        followed.positions += 1;
        followed.stuck += usize::from(made.is_empty());
        made.into_iter().filter_map(|step| bits.after(seen, step)).collect()
    };
    known.insert(start, true);
    let mut line = vec![(start, next(start, &mut followed))];
    while let Some((seen, rest)) = line.last_mut() {
        let Some(to) = rest.pop() else {
            known.insert(*seen, false);
            line.pop();
            continue;
        };
        match known.get(&to) {
            Some(is_open) => followed.is_cycle |= is_open,
            None if known.len() == most => return followed,
            None => {
                known.insert(to, true);
                let after = next(to, &mut followed);
                line.push((to, after));
            }
        }
    }
    Followed { is_all: true, ..followed }
}

/// Returns the positions that follow in the other reading in which the game goes on, as the player to move sees them.
fn by_hand(bits: &Bits, start: &Position, reading: &Reading) -> BTreeSet<Seen> {
    let mut known = BTreeSet::from([bits.seen(start, 0)]);
    let mut open = vec![(start.clone(), 0)];
    while let Some((position, player)) = open.pop() {
        for step in position.moves(player, reading) {
            let mut next = position.clone();
            let is_over = next.make(step, player, reading).is_some();
            if !is_over && known.insert(bits.seen(&next, 1 - player)) {
                open.push((next, 1 - player));
            }
        }
    }
    known
}

#[test]
fn as_many_positions_follow_as_by_hand() {
    let mut random = Random(6);
    for round in 0..20 {
        let all: Vec<Reading> = readings().collect();
        let reading = &all[round % all.len()];
        let mut start = Position { side: 3, pieces: BTreeMap::new() };
        let mut free = start.board();
        for piece in 0..5 {
            start.pieces.insert(free.remove(random.below(free.len())), piece % 2);
        }
        let bits = Bits::new(3, reading);
        let followed = follow(&bits, bits.seen(&start, 0), 100_000);
        let is_stuck = usize::from(start.moves(0, reading).is_empty());
        let going = followed.positions - followed.stuck + is_stuck;
        assert_eq!((going, followed.is_all), (by_hand(&bits, &start, reading).len(), true), "{start:?}, {reading:?}");
    }
}

/// White's pieces; those of Black are opposite.
fn opposite(side: i32, own: &[Hex]) -> Position {
    let pieces = own.iter().flat_map(|(q, r)| [((*q, *r), 0), ((-q, -r), 1)]);
    Position { side, pieces: pieces.collect() }
}

/// Positions with several equally large groups.
fn tied(side: i32) -> [(&'static str, Position); 4] {
    let m = side - 1;
    let corners = [(m, 0), (-m, m), (0, -m)];
    let pairs = [(m, 0), (m - 1, 0), (-m, m), (-m, m - 1), (0, -m), (1, -m)];
    let between = [(m, 0), (m - 1, 0), (-m, m), (-m, m - 1), (0, 1)];
    [
        ("a piece in every corner", opposite(side, &corners)),
        ("two pairs of each side", opposite(side, &pairs[..4])),
        ("two pairs of each side and a piece between them", opposite(side, &between)),
        ("a pair in every corner", opposite(side, &pairs)),
    ]
}

/// Returns for each pair of counts of pieces what is found, with so many pieces on the board.
fn everywhere(side: i32, reading: &Reading, pieces: std::ops::RangeInclusive<u32>) -> Vec<((u32, u32), Found)> {
    let bits = Bits::new(side, reading);
    let mut all = Everywhere::of(&bits);
    all.counts_four = *pieces.end() <= 7;
    let pairs = pieces.flat_map(|total| (2..=total / 2).map(move |one| (one, total - one)));
    let found = pairs.map(|pair| (pair, all.search(pair)));
    found.collect()
}

/// Writes the totals of what is found, and the smallest counts of pieces with a cycle.
fn totals(reading: &Reading, found: &[((u32, u32), Found)]) -> String {
    let sum = |count: fn(&Found) -> usize| found.iter().map(|(_, found)| count(found)).sum::<usize>();
    let cycle = found.iter().find(|(_, found)| found.is_cycle);
    let cycle = cycle.map_or_else(|| "none".to_owned(), |((one, other), _)| format!("from {one} against {other}"));
    let counts = [sum(|found| found.positions), sum(|found| found.stuck), sum(|found| found.on_four)];
    let [positions, stuck, on_four] = counts;
    format!(
        "{}: {positions} positions, {stuck} without a move, cycles {cycle}, {on_four} counted on one of four",
        name(reading)
    )
}

#[test]
fn two_hexagons_a_side_have_no_cycle() {
    for reading in readings() {
        let found = everywhere(2, &reading, 4..=7);
        let stuck: usize = found.iter().map(|(_, found)| found.stuck).sum();
        assert_eq!(found.iter().map(|(_, found)| found.positions).sum::<usize>(), 26);
        assert!(!found.iter().any(|(_, found)| found.is_cycle), "{}", name(&reading));
        assert_eq!(stuck > 0, !reading.flowish || reading.options["own_group"] == "included", "{}", name(&reading));
    }
}

/// Prints a line at once, for a search takes minutes.
fn shown(line: String) -> String {
    println!("{line}");
    line
}

/// Compares the lines with those that are expected.
fn compare(found: &[String], expected: &str) {
    assert_eq!(found, expected.trim().lines().map(str::trim).collect::<Vec<_>>());
}

#[test]
#[ignore = "more than half a million positions for each reading: seconds in a release build, minutes in another"]
fn up_to_seven_pieces_on_three_hexagons_a_side() {
    let found: Vec<String> =
        readings().map(|reading| shown(totals(&reading, &everywhere(3, &reading, 4..=7)))).collect();
    compare(&found, SEVEN_PIECES);
}

const SEVEN_PIECES: &str = "
    Squish: 567328 positions, 181767 without a move, cycles from 3 against 3, 762 counted on one of four
    Squish, line_blocking = enemy: 567328 positions, 262455 without a move, cycles from 3 against 3, 605 counted on one of four
    Squish, approach = nearest: 567328 positions, 182388 without a move, cycles none, 0 counted on one of four
    Flowish: 567328 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, largest_ties = choose: 567328 positions, 0 without a move, cycles from 3 against 3, 11198 counted on one of four
    Flowish, own_group = included: 567328 positions, 77996 without a move, cycles none, 0 counted on one of four
    Flowish, two_sided_line = either: 567328 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, nearest_tie = all_or_nothing: 567328 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, no_flow_trigger = no_flow_move: 567328 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, no_flow_piece = globally_nearest: 567328 positions, 0 without a move, cycles none, 0 counted on one of four
";

#[test]
#[ignore = "77 million positions for each reading: minutes in a release build, and a gigabyte of memory"]
fn all_positions_of_three_hexagons_a_side() {
    let is_asked = |reading: &Reading| ALL_PIECES.contains(&format!("    {}:", name(reading)));
    let asked = readings().filter(is_asked);
    let found: Vec<String> = asked.map(|reading| shown(totals(&reading, &everywhere(3, &reading, 4..=19)))).collect();
    compare(&found, ALL_PIECES);
}

const ALL_PIECES: &str = "
    Flowish: 77701236 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, own_group = included: 77701236 positions, 6032825 without a move, cycles none, 0 counted on one of four
    Flowish, two_sided_line = either: 77701236 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, nearest_tie = all_or_nothing: 77701236 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, no_flow_trigger = no_flow_move: 77701236 positions, 0 without a move, cycles none, 0 counted on one of four
    Flowish, no_flow_piece = globally_nearest: 77701236 positions, 0 without a move, cycles none, 0 counted on one of four
";

#[test]
#[ignore = "thousands of games and millions of positions: minutes in a release build"]
fn random_games_pass_positions_on_cycles() {
    let mut found = Vec::new();
    for (side, reading) in [4, 5].into_iter().flat_map(|side| readings().map(move |reading| (side, reading))) {
        let bits = Bits::new(side, &reading);
        let Passed { games, ended, positions, on_four, games_on_four, games_back, .. } =
            random_games(&bits, side, 1000, 0);
        assert_eq!((games, ended), (1000, 1000));
        let name = name(&reading);
        found.push(shown(format!(
            "side {side}, {name}: {positions} positions, {on_four} on a cycle of four in {games_on_four} games; \
             {games_back} games came back"
        )));
        let few = random_games(&bits, side, 20, 20_000);
        let undecided = few.positions - few.on_cycles - few.on_none;
        found.push(shown(format!(
            "side {side}, {name}, 20 games: {} positions, {} on a cycle, {} on none, {undecided} undecided",
            few.positions, few.on_cycles, few.on_none
        )));
    }
    compare(&found, RANDOM_GAMES);
}

const RANDOM_GAMES: &str = "
    side 4, Squish: 28685 positions, 9142 on a cycle of four in 977 games; 2 games came back
    side 4, Squish, 20 games: 541 positions, 180 on a cycle, 112 on none, 249 undecided
    side 4, Squish, line_blocking = enemy: 0 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Squish, line_blocking = enemy, 20 games: 0 positions, 0 on a cycle, 0 on none, 0 undecided
    side 4, Squish, approach = nearest: 25092 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Squish, approach = nearest, 20 games: 515 positions, 35 on a cycle, 178 on none, 302 undecided
    side 4, Flowish: 21972 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, 20 games: 441 positions, 0 on a cycle, 440 on none, 1 undecided
    side 4, Flowish, largest_ties = choose: 21624 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, largest_ties = choose, 20 games: 431 positions, 0 on a cycle, 426 on none, 5 undecided
    side 4, Flowish, own_group = included: 19270 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, own_group = included, 20 games: 382 positions, 0 on a cycle, 381 on none, 1 undecided
    side 4, Flowish, two_sided_line = either: 21972 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, two_sided_line = either, 20 games: 441 positions, 0 on a cycle, 440 on none, 1 undecided
    side 4, Flowish, nearest_tie = all_or_nothing: 21956 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, nearest_tie = all_or_nothing, 20 games: 441 positions, 0 on a cycle, 440 on none, 1 undecided
    side 4, Flowish, no_flow_trigger = no_flow_move: 21972 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, no_flow_trigger = no_flow_move, 20 games: 441 positions, 0 on a cycle, 440 on none, 1 undecided
    side 4, Flowish, no_flow_piece = globally_nearest: 21996 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 4, Flowish, no_flow_piece = globally_nearest, 20 games: 441 positions, 0 on a cycle, 440 on none, 1 undecided
    side 5, Squish: 79341 positions, 68551 on a cycle of four in 1000 games; 17 games came back
    side 5, Squish, 20 games: 1656 positions, 1467 on a cycle, 63 on none, 126 undecided
    side 5, Squish, line_blocking = enemy: 0 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Squish, line_blocking = enemy, 20 games: 0 positions, 0 on a cycle, 0 on none, 0 undecided
    side 5, Squish, approach = nearest: 63669 positions, 0 on a cycle of four in 0 games; 1 games came back
    side 5, Squish, approach = nearest, 20 games: 1269 positions, 63 on a cycle, 183 on none, 1023 undecided
    side 5, Flowish: 52465 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Flowish, 20 games: 1103 positions, 0 on a cycle, 740 on none, 363 undecided
    side 5, Flowish, largest_ties = choose: 51782 positions, 1 on a cycle of four in 1 games; 0 games came back
    side 5, Flowish, largest_ties = choose, 20 games: 1032 positions, 0 on a cycle, 632 on none, 400 undecided
    side 5, Flowish, own_group = included: 49688 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Flowish, own_group = included, 20 games: 1003 positions, 0 on a cycle, 602 on none, 401 undecided
    side 5, Flowish, two_sided_line = either: 52354 positions, 1 on a cycle of four in 1 games; 0 games came back
    side 5, Flowish, two_sided_line = either, 20 games: 1082 positions, 0 on a cycle, 707 on none, 375 undecided
    side 5, Flowish, nearest_tie = all_or_nothing: 52383 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Flowish, nearest_tie = all_or_nothing, 20 games: 1119 positions, 0 on a cycle, 751 on none, 368 undecided
    side 5, Flowish, no_flow_trigger = no_flow_move: 52465 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Flowish, no_flow_trigger = no_flow_move, 20 games: 1103 positions, 0 on a cycle, 740 on none, 363 undecided
    side 5, Flowish, no_flow_piece = globally_nearest: 52447 positions, 0 on a cycle of four in 0 games; 0 games came back
    side 5, Flowish, no_flow_piece = globally_nearest, 20 games: 1103 positions, 0 on a cycle, 740 on none, 363 undecided
";

#[test]
#[ignore = "a million positions for each start: minutes in a release build, and hundreds of megabytes of memory"]
fn flowish_from_several_tied_groups() {
    let mut found = Vec::new();
    for (side, reading) in [5, 6, 7].into_iter().flat_map(|side| readings().map(move |reading| (side, reading))) {
        let bits = Bits::new(side, &reading);
        for (what, position) in tied(side).into_iter().filter(|_| reading.flowish) {
            let Followed { positions, stuck, is_cycle, is_all } = follow(&bits, bits.seen(&position, 0), 1_000_000);
            let cycle = if is_cycle { "a cycle" } else { "no cycle" };
            let all = if is_all { "all" } else { "the first" };
            let name = name(&reading);
            found.push(shown(format!(
                "side {side}, {name}, {what}: {cycle} in {all} {positions}, {stuck} without a move"
            )));
        }
    }
    compare(&found, TIED_GROUPS);
}

const TIED_GROUPS: &str = "
    side 5, Flowish, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, two pairs of each side: no cycle in all 939340, 0 without a move
    side 5, Flowish, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, largest_ties = choose, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, largest_ties = choose, two pairs of each side: a cycle in the first 1000000, 0 without a move
    side 5, Flowish, largest_ties = choose, two pairs of each side and a piece between them: a cycle in the first 1000000, 0 without a move
    side 5, Flowish, largest_ties = choose, a pair in every corner: a cycle in the first 1000000, 0 without a move
    side 5, Flowish, own_group = included, a piece in every corner: no cycle in the first 1000000, 139857 without a move
    side 5, Flowish, own_group = included, two pairs of each side: no cycle in all 1, 1 without a move
    side 5, Flowish, own_group = included, two pairs of each side and a piece between them: no cycle in all 1, 1 without a move
    side 5, Flowish, own_group = included, a pair in every corner: no cycle in all 1, 1 without a move
    side 5, Flowish, two_sided_line = either, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, two_sided_line = either, two pairs of each side: no cycle in all 939656, 0 without a move
    side 5, Flowish, two_sided_line = either, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, two_sided_line = either, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, nearest_tie = all_or_nothing, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, nearest_tie = all_or_nothing, two pairs of each side: no cycle in all 939340, 0 without a move
    side 5, Flowish, nearest_tie = all_or_nothing, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, nearest_tie = all_or_nothing, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, no_flow_trigger = no_flow_move, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, no_flow_trigger = no_flow_move, two pairs of each side: no cycle in all 939340, 0 without a move
    side 5, Flowish, no_flow_trigger = no_flow_move, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, no_flow_trigger = no_flow_move, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, no_flow_piece = globally_nearest, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 5, Flowish, no_flow_piece = globally_nearest, two pairs of each side: no cycle in all 58764, 0 without a move
    side 5, Flowish, no_flow_piece = globally_nearest, two pairs of each side and a piece between them: no cycle in all 3603, 0 without a move
    side 5, Flowish, no_flow_piece = globally_nearest, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, largest_ties = choose, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, largest_ties = choose, two pairs of each side: a cycle in the first 1000000, 0 without a move
    side 6, Flowish, largest_ties = choose, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, largest_ties = choose, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, own_group = included, a piece in every corner: no cycle in the first 1000000, 95879 without a move
    side 6, Flowish, own_group = included, two pairs of each side: no cycle in all 1, 1 without a move
    side 6, Flowish, own_group = included, two pairs of each side and a piece between them: no cycle in all 1, 1 without a move
    side 6, Flowish, own_group = included, a pair in every corner: no cycle in all 1, 1 without a move
    side 6, Flowish, two_sided_line = either, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, two_sided_line = either, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, two_sided_line = either, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, two_sided_line = either, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, nearest_tie = all_or_nothing, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, nearest_tie = all_or_nothing, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, nearest_tie = all_or_nothing, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, nearest_tie = all_or_nothing, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_trigger = no_flow_move, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_trigger = no_flow_move, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_trigger = no_flow_move, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_trigger = no_flow_move, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_piece = globally_nearest, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 6, Flowish, no_flow_piece = globally_nearest, two pairs of each side: no cycle in all 252538, 0 without a move
    side 6, Flowish, no_flow_piece = globally_nearest, two pairs of each side and a piece between them: no cycle in all 13486, 0 without a move
    side 6, Flowish, no_flow_piece = globally_nearest, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, largest_ties = choose, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, largest_ties = choose, two pairs of each side: a cycle in the first 1000000, 0 without a move
    side 7, Flowish, largest_ties = choose, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, largest_ties = choose, a pair in every corner: a cycle in the first 1000000, 0 without a move
    side 7, Flowish, own_group = included, a piece in every corner: no cycle in the first 1000000, 50935 without a move
    side 7, Flowish, own_group = included, two pairs of each side: no cycle in all 1, 1 without a move
    side 7, Flowish, own_group = included, two pairs of each side and a piece between them: no cycle in all 1, 1 without a move
    side 7, Flowish, own_group = included, a pair in every corner: no cycle in all 1, 1 without a move
    side 7, Flowish, two_sided_line = either, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, two_sided_line = either, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, two_sided_line = either, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, two_sided_line = either, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, nearest_tie = all_or_nothing, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, nearest_tie = all_or_nothing, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, nearest_tie = all_or_nothing, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, nearest_tie = all_or_nothing, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_trigger = no_flow_move, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_trigger = no_flow_move, two pairs of each side: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_trigger = no_flow_move, two pairs of each side and a piece between them: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_trigger = no_flow_move, a pair in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_piece = globally_nearest, a piece in every corner: no cycle in the first 1000000, 0 without a move
    side 7, Flowish, no_flow_piece = globally_nearest, two pairs of each side: no cycle in all 873079, 0 without a move
    side 7, Flowish, no_flow_piece = globally_nearest, two pairs of each side and a piece between them: no cycle in all 13161, 0 without a move
    side 7, Flowish, no_flow_piece = globally_nearest, a pair in every corner: no cycle in the first 1000000, 0 without a move
";
