//! Odds, compared with numbers that come from elsewhere: equations written down by hand, and an independent reading.

use num_rational::BigRational;
use num_traits::{One, Zero};
use proptest::prelude::*;
use referee_diagnostic::Code;
use referee_play::{
    Chance, DEFAULT_BYTES, DEFAULT_STATES, Deals, Follower, Horizon, Inquiry, Instruction, Machine, Policy,
    StrategyProfile, explore,
};
use referee_scenario::{Loader, LoaderOptions, OddsFlags, OddsRequest, StrategyFlags};
use referee_source::MemoryHost;
use referee_table::{Owner, Value};
use referee_trace::Action;

use super::playing::silent;
use super::squish_deal::{Deal, deals_of};
use super::squish_engine::Squish;

fn ratio(upper: i64, lower: i64) -> BigRational {
    BigRational::new(upper.into(), lower.into())
}

/// A race of two: who lands on the other changes places with him, a six on a free square gives another throw, and who
/// comes to the last square or beyond has won.
const RACE: [(&str, &str); 2] = [
    (
        "games/swap/swap.game",
        "game swap\nplayers 2 red blue\nrules \"rules.rhai\"\nboard track 8\ndie 1..6\npiece marker for each player\n",
    ),
    (
        "games/swap/rules.rhai",
        "fn turn(me) {
    let shown = roll();
    let here = cell(marker(me));
    let target = (if here == () { 0 } else { number(here) }) + shown;
    if target >= count(all_cells()) { win(me); }
    let there = at(nth(target));
    if there != () { lift(there); }
    place(marker(me), nth(target));
    if there == () {
        if shown == 6 { then(\"turn\", me); }
    } else if here != () {
        place(there, here);
    }
}
",
    ),
];

/// The chance of the one who throws first, from the equations of the race: for all squares of the one who throws and of
/// the other, 0 being off the board, one unknown each, solved as schools teach it.
fn known(squares: usize) -> BigRational {
    let unknown = |mine: usize, other: usize| mine * squares + other;
    let count = squares * squares;
    let mut rows = vec![vec![BigRational::zero(); count + 1]; count];
    for mine in 0..squares {
        for other in 0..squares {
            let row = &mut rows[unknown(mine, other)];
            row[unknown(mine, other)] += BigRational::one();
            for shown in 1..=6 {
                let target = mine + shown;
                if target >= squares {
                    row[count] += ratio(1, 6);
                } else if target != other && shown == 6 {
                    row[unknown(target, other)] -= ratio(1, 6);
                } else {
                    let his = if target == other { mine } else { other };
                    row[unknown(his, target)] += ratio(1, 6);
                    row[count] += ratio(1, 6);
                }
            }
        }
    }
    for at in 0..count {
        let pivot = (at..count).find(|row| !rows[*row][at].is_zero()).unwrap();
        rows.swap(at, pivot);
        let lead = rows[at][at].clone();
        rows[at].iter_mut().for_each(|value| *value /= &lead);
        let taken = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, row)| *other != at && !row[at].is_zero()) {
            let factor = row[at].clone();
            row.iter_mut()
                .zip(&taken)
                .filter(|(_, value)| !value.is_zero())
                .for_each(|(slot, value)| *slot -= &factor * value);
        }
    }
    rows[unknown(0, 0)][count].clone()
}

/// The chances of red and of blue to win the race.
fn found(squares: usize, request: &OddsRequest) -> Vec<Chance> {
    let text = format!("use swap\n\nscenario \"A race\"\n  board track {squares}\n  turn red\n");
    let host = RACE.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("race.scenario", text);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, std::path::Path::new("race.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let (odds, _) = referee_scenario::odds(&mut loader, &suite, 0, request).unwrap();
    odds.unwrap().rows.into_iter().map(|row| row.chance).collect()
}

fn to_the_end() -> OddsRequest {
    let strategy = StrategyFlags { when: "--when", policy: "--policy" };
    let flags = OddsFlags { chance: "--chance", within: "--within", states: "--states", memory: "--memory", strategy };
    OddsRequest {
        when: Vec::new(),
        policies: Vec::new(),
        chance: None,
        horizon: Horizon::Game,
        states: DEFAULT_STATES,
        deals: Deals::default(),
        bytes: DEFAULT_BYTES,
        by: Follower::default(),
        flags,
    }
}

#[test]
fn a_race_is_won_as_often_as_its_equations_say() {
    for squares in [2, 4, 7] {
        let won = known(squares);
        let lost = BigRational::one() - &won;
        let exact = |value: BigRational| Chance { low: value.clone(), high: value };
        assert_eq!(found(squares, &to_the_end()), [exact(won), exact(lost)], "{squares} squares");
    }
}

/// The number that the odds were to reach. Where every squash is an evil one, the rulebook's game is this race.
#[test]
fn the_race_of_eight_squares() {
    let number: BigRational = "23350174861/38423222208".parse().unwrap();
    assert_eq!(known(8), number);
    assert_eq!(found(8, &to_the_end())[0].low, number);
}

#[test]
fn too_many_states_are_no_answer() {
    let text = "use swap\n\nscenario \"A race\"\n  turn red\n  expect chance winner red > 0 to the end of the game up to 20 states\n";
    let host = RACE.iter().fold(MemoryHost::default(), |host, (path, text)| host.with(*path, *text));
    let host = host.with("race.scenario", text);
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, std::path::Path::new("race.scenario"));
    let result = referee_scenario::judge(&mut loader, &suite, 0);
    assert_eq!(result.failures[0].diagnostic.code, Code::Inconclusive);
}

/// How many of sixty rolls squish a marker, by the independent reading: the direction of a nine is one of eight, by
/// `pick` of how many distances squish it there.
fn counted(deal: &Deal, name: &str) -> (u64, Vec<Vec<bool>>) {
    let squishes = |direction: usize, distance: u32| {
        let mut table = deal.table.clone();
        let said = format!("{name} squished");
        table.roll(0, direction, distance).iter().any(|event| event.starts_with(&said))
    };
    let sure = (0..=8).flat_map(|direction| (1..=6).map(move |distance| (direction, distance)));
    let count = sure.filter(|(direction, distance)| squishes(*direction, *distance)).count();
    let nine = (1..=6).map(|distance| (1..=8).map(|direction| squishes(direction, distance)).collect());
    (count as u64, nine.collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rolls_squish_as_often_as_the_independent_reading_says(deal in deals_of(true)) {
        let squish = Squish::load();
        let schema = squish.program.schema();
        let mover = schema.player("red").unwrap();
        let victim = deal.table.markers.iter().find(|marker| marker.at.is_some());
        let Some(victim) = victim.map(|marker| marker.name.clone()) else { return Ok(()) };
        let flag = schema.property("squished").unwrap();
        let owner = Owner::Piece(squish.piece(&victim));
        let stop = Action { ask: schema.ask("stop").unwrap(), values: Vec::new().into() };
        let mut machine = Machine::new(&squish.program, squish.state(&deal));
        machine.turn(mover, &silent());
        let chance = |policy| {
            let strategy = StrategyProfile {
                actions: vec![Instruction::always(mover, stop.clone())],
                policies: vec![(mover, policy)],
                ..StrategyProfile::default()
            };
            let inquiry = Inquiry { horizon: Horizon::Turns(1), strategy, states: DEFAULT_STATES, bytes: DEFAULT_BYTES, by: Follower::default() };
            let mut class = |state: &referee_table::State| {
                Ok(usize::from(state.value(flag, owner) == Some(Value::Bool(true))))
            };
            explore(&machine, &inquiry, &mut class).unwrap().chance(|class| class == 1).low
        };
        let (sure, nine) = counted(&deal, &victim);
        let nines = |count: &dyn Fn(&Vec<bool>) -> i64| nine.iter().map(count).sum::<i64>();
        let sure = i64::try_from(sure).unwrap() * 8;
        let best = nines(&|ways| 8 * i64::from(ways.contains(&true)));
        let worst = nines(&|ways| 8 * i64::from(!ways.contains(&false)));
        let some = nines(&|ways| i64::try_from(ways.iter().filter(|squished| **squished).count()).unwrap());
        prop_assert_eq!(chance(Policy::Best), ratio(sure + best, 480));
        prop_assert_eq!(chance(Policy::Worst), ratio(sure + worst, 480));
        prop_assert_eq!(chance(Policy::Random), ratio(sure + some, 480));
    }
}
