//! An independent implementation of the Royal Game of Ur from its rulebook: compares random games answer by answer, and
//! computes odds without the rules.

use referee_table::{Names, Outcome, Owner, PlayerId, Setting, State, Throw, Value};
use referee_trace::{Answer, Question};

use super::playing::{Playable, Random, answer, asked, silent};

/// A stone that has come home; 0 is beside the board, and 1 to 14 are the squares of the path.
const HOME: usize = 15;
/// The rosettes on the path; the one in the middle is the second.
const ROSETTES: [usize; 3] = [4, 8, 14];
const MIDDLE: usize = 8;

/// Both players' stones meet on the squares of the middle row alone.
fn is_shared(square: usize) -> bool {
    (5..=12).contains(&square)
}

/// The name of a square of a player's path.
fn name(player: usize, square: usize) -> String {
    let column = match square {
        1..=4 => b'd' - u8::try_from(square - 1).unwrap(),
        5..=12 => b'a' + u8::try_from(square - 5).unwrap(),
        13 => b'h',
        14 => b'g',
        other => unreachable!("{other}"),
    };
    let row = if is_shared(square) { 2 } else { 1 + 2 * player };
    format!("{}{row}", char::from(column))
}

/// The game between two answers.
struct Ur {
    open: bool,
    any: bool,
    may: bool,
    /// Where the stones of each player are.
    stones: [Vec<usize>; 2],
    mover: usize,
    /// What was thrown, if the one to move has to choose.
    thrown: Option<usize>,
    winner: Option<usize>,
}

impl Ur {
    fn throw(&mut self, far: usize) {
        if self.ways(far).is_empty() { self.pass() } else { self.thrown = Some(far) }
    }

    /// What may be done with a throw: the words, and where the stone comes from.
    fn ways(&self, far: usize) -> Vec<(String, usize)> {
        let mut ways = Vec::new();
        let mine = &self.stones[self.mover];
        let squares = if far == 0 { 0..0 } else { 0..HOME };
        for from in squares.filter(|from| mine.contains(from)) {
            let to = from + far;
            if to >= HOME {
                if to == HOME || self.any {
                    ways.push((format!("leave {}", name(self.mover, from)), from));
                }
                continue;
            }
            let is_safe = to == MIDDLE && !self.open && self.stones[1 - self.mover].contains(&to);
            if mine.contains(&to) || is_safe {
                continue;
            }
            let target = name(self.mover, to);
            let way = if from == 0 {
                format!("enter {target}")
            } else {
                format!("move {} to {target}", name(self.mover, from))
            };
            ways.push((way, from));
        }
        ways
    }

    /// The words of all that may be chosen.
    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.ways(self.thrown.unwrap()).into_iter().map(|(word, _)| word).collect();
        words.extend(self.may.then(|| "stay".to_owned()));
        words.sort_unstable();
        words
    }

    fn choose(&mut self, chosen: &str) {
        let far = self.thrown.take().unwrap();
        let Some((_, from)) = self.ways(far).into_iter().find(|(word, _)| word == chosen) else {
            assert_eq!(chosen, "stay");
            return self.pass();
        };
        let to = HOME.min(from + far);
        let stone = self.stones[self.mover].iter().position(|square| *square == from).unwrap();
        self.stones[self.mover][stone] = to;
        if is_shared(to) {
            let enemies = self.stones[1 - self.mover].iter_mut();
            enemies.filter(|square| **square == to).for_each(|square| *square = 0);
        }
        if self.stones[self.mover].iter().all(|square| *square == HOME) {
            self.winner = Some(self.mover);
        } else if !ROSETTES.contains(&to) {
            self.pass();
        }
    }

    fn pass(&mut self) {
        self.mover = 1 - self.mover;
    }

    /// The stones on the board and those that are home are those of the game that the rules play.
    fn agrees(&self, state: &State) {
        let home = state.schema().property("home").unwrap();
        for (player, stones) in self.stones.iter().enumerate() {
            let id = PlayerId::at(player);
            let on_board: Vec<usize> = (1..HOME).filter(|square| stones.contains(square)).collect();
            let cells = state.covered_by_player(id);
            assert_eq!(cells.len(), on_board.len());
            for square in on_board {
                let cell = state.board().cell(&name(player, square)).unwrap();
                assert!(cells.contains(cell), "no stone on {}", name(player, square));
            }
            let count = stones.iter().filter(|square| **square == HOME).count();
            let counted = Value::Int(i64::try_from(count).unwrap());
            assert_eq!(state.value(home, Owner::Player(id)), Some(counted));
        }
    }
}

/// A game with options at random; which events of note it had: captures.
fn play(game: &Playable, seed: u64) -> usize {
    let random = &mut Random(seed);
    let schema = game.program.schema();
    let mut options = random.settings(schema);
    let stones = 1 + random.below(7);
    options[0] = Setting::Number(i64::try_from(stones).unwrap());
    let is = |option: &str, value: &str| {
        let at = schema.options.iter().position(|other| other.name == option).unwrap();
        options[at] == Setting::Word(value.into())
    };
    let (open, any, may) = (is("centre", "open"), is("leaving", "any"), is("moving", "may"));
    let stones = [vec![0; stones], vec![0; stones]];
    let mut ur = Ur { open, any, may, stones, mover: 0, thrown: None, winner: None };
    let mut machine = game.begin(game.start(&schema.variants[0], 2, options), &silent());
    let mut captures = 0;
    while let Some(question) = asked(&machine) {
        let state = machine.state();
        ur.agrees(state);
        assert_eq!((ur.winner, state.turn), (None, Some(PlayerId::at(ur.mover))), "seed {seed}");
        let given = match &question {
            Question::Roll(_) => {
                assert_eq!(ur.thrown, None, "seed {seed}");
                let shown: Vec<usize> = (0..4).map(|_| random.below(2)).collect();
                ur.throw(shown.iter().sum());
                Answer::Rolled(Throw::of(shown))
            }
            Question::Choose(decision) => {
                let mut words: Vec<String> = decision
                    .options
                    .iter()
                    .map(|option| option.write(Names { schema: state.schema(), board: state.board() }))
                    .collect();
                let chosen = random.below(words.len());
                let word = words[chosen].clone();
                words.sort_unstable();
                assert_eq!(words, ur.words(), "seed {seed}");
                let waiting = |ur: &Ur| ur.stones[0].iter().chain(&ur.stones[1]).filter(|square| **square == 0).count();
                let before = waiting(&ur);
                ur.choose(&word);
                captures += usize::from(waiting(&ur) > before);
                Answer::Chosen(chosen)
            }
            other => unreachable!("seed {seed}: {other:?}"),
        };
        answer(&mut machine, given);
    }
    ur.agrees(machine.state());
    let winner = ur.winner.map(|winner| Outcome::Won(vec![PlayerId::at(winner)]));
    assert_eq!(machine.state().outcome, winner, "seed {seed}");
    captures
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let game = Playable::load("royal-game-of-ur", &[]);
    let captures: usize = (0..40).map(|seed| play(&game, seed)).sum();
    assert!(captures > 100, "{captures}");
}

const ODDS: &str = include_str!("../../scenarios/royal-game-of-ur/odds.scenario");

/// The chance of each throw from 0 to 4.
const THROWS: [f64; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];

/// The chances of the one who throws next to win with one stone each, by the square of their stone and of the other.
type Race = [[f64; HOME]; HOME];

/// The chance after a throw of `far`.
fn after(race: &Race, mine: usize, other: usize, far: usize) -> f64 {
    let passed = 1.0 - race[other][mine];
    let to = mine + far;
    let meets = is_shared(to) && to == other;
    if far == 0 || to > HOME || (meets && to == MIDDLE) {
        return passed;
    }
    let other = if meets { 0 } else { other };
    match to {
        HOME => 1.0,
        _ if ROSETTES.contains(&to) => race[to][other],
        _ => 1.0 - race[other][to],
    }
}

fn race() -> Race {
    let mut race = [[0.5; HOME]; HOME];
    for _ in 0..2000 {
        let before = race;
        for mine in (0..HOME).rev() {
            for other in (0..HOME).rev() {
                race[mine][other] = (0..5).map(|far| THROWS[far] * after(&race, mine, other, far)).sum();
            }
        }
        if race == before {
            break;
        }
    }
    race
}

/// The chance to send the other stone back in this turn.
fn hit(mine: usize, other: usize) -> f64 {
    let after = |far: usize| match mine + far {
        to if to == other => f64::from(u8::from(is_shared(to) && to != MIDDLE)),
        to if ROSETTES.contains(&to) => hit(to, other),
        _ => 0.0,
    };
    (1..5).map(|far| THROWS[far] * after(far)).sum()
}

fn square(player: usize, cell: &str) -> usize {
    (1..HOME).find(|square| name(player, *square) == cell).unwrap_or_else(|| unreachable!("no square {cell}"))
}

fn chance(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    above.parse::<f64>().unwrap() / below.parse::<f64>().unwrap()
}

#[test]
fn the_odds_are_computed_without_the_rules() {
    let race = race();
    let mut rows = 0;
    for line in ODDS.lines().filter(|line| line.trim().starts_with('|')) {
        let row: Vec<&str> = line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let (known, told) = match row[..] {
            [.., "chance"] => continue,
            [enemy, told] => (hit(square(0, "c2"), square(1, enemy)), told),
            [mine, yours, told] => (race[square(0, mine)][square(1, yours)], told),
            _ => unreachable!("{line}"),
        };
        assert!((known - chance(told)).abs() < 1e-12, "{line}: {known}");
        rows += 1;
    }
    assert_eq!(rows, 9);
    let first = ODDS.lines().find_map(|line| line.trim().strip_prefix("expect chance winner light = 0.")).unwrap();
    let told = format!("0.{}", first.split_once(' ').unwrap().0);
    assert!((race[0][0] - chance(&told)).abs() < 2e-12, "{told}: {}", race[0][0]);
}
