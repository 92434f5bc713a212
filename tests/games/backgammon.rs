//! An independent implementation of backgammon from its rulebook: compares random games answer by answer, and counts the first plays.

use std::collections::BTreeSet;

use referee_table::{Names, Outcome, Owner, PieceId, PlayerId, State, Throw, Value};
use referee_trace::{Answer, Question};

use super::playing::{Playable, Random, answer, asked, silent};

const OFF: usize = 0;
const BAR: usize = 25;

/// The checkers of both players, each by how far they have to go: 25 is the bar, 0 is off the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Position([[u8; 26]; 2]);

impl Position {
    fn first() -> Self {
        let mut checkers = [0; 26];
        for (point, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            checkers[point] = count;
        }
        Self([checkers; 2])
    }

    /// How many checkers the other player has on a point of this one.
    fn enemies(&self, who: usize, point: usize) -> u8 {
        self.0[1 - who][BAR - point]
    }

    /// Where a number can be used: from where to where.
    fn steps(&self, who: usize, die: usize) -> Vec<(usize, usize)> {
        let mine = &self.0[who];
        let from = if mine[BAR] > 0 { vec![BAR] } else { (1..BAR).filter(|point| mine[*point] > 0).collect() };
        let is_last =
            |from: usize| mine[7..].iter().all(|count| *count == 0) && (from + 1..=6).all(|point| mine[point] == 0);
        let is_home = mine[7..].iter().all(|count| *count == 0);
        let goal = |from: usize| match from.checked_sub(die) {
            Some(OFF) => is_home.then_some((from, OFF)),
            Some(to) => (self.enemies(who, to) < 2).then_some((from, to)),
            None => is_last(from).then_some((from, OFF)),
        };
        from.into_iter().filter_map(goal).collect()
    }

    fn after(&self, who: usize, (from, to): (usize, usize)) -> Self {
        let mut next = self.clone();
        next.0[who][from] -= 1;
        next.0[who][to] += 1;
        if to != OFF && self.enemies(who, to) == 1 {
            next.0[1 - who][BAR - to] = 0;
            next.0[1 - who][BAR] += 1;
        }
        next
    }

    /// The most numbers that can be used.
    fn most(&self, who: usize, dice: &[usize]) -> usize {
        let uses = |die: &usize| {
            let rest = without(dice, *die);
            self.steps(who, *die).into_iter().map(|step| 1 + self.after(who, step).most(who, &rest)).max()
        };
        distinct(dice).iter().filter_map(uses).max().unwrap_or(0)
    }

    /// The steps that the rules must offer, each with the number that it uses.
    fn allowed(&self, who: usize, dice: &[usize]) -> Vec<((usize, usize), usize)> {
        let most = self.most(who, dice);
        let mut allowed = Vec::new();
        for die in distinct(dice) {
            let rest = without(dice, die);
            let steps = self.steps(who, die).into_iter();
            let best = steps.filter(|step| 1 + self.after(who, *step).most(who, &rest) == most);
            allowed.extend(best.map(|step| (step, die)));
        }
        if most == 1 {
            let highest = allowed.iter().map(|(_, die)| *die).max();
            allowed.retain(|(_, die)| Some(*die) == highest);
        }
        allowed
    }

    /// What the game is worth that this player has won.
    fn worth(&self, who: usize) -> i64 {
        let other = &self.0[1 - who];
        let is_far = other[BAR] > 0 || (1..=6).any(|point| self.enemies(who, point) > 0);
        match other[OFF] {
            0 if is_far => 3,
            0 => 2,
            _ => 1,
        }
    }

    fn words(&self, who: usize, (from, to): (usize, usize)) -> String {
        let name = |point: usize| match point {
            BAR => "bar".to_owned(),
            _ => (if who == 0 { point } else { BAR - point }).to_string(),
        };
        match to {
            OFF => format!("bear off {}", name(from)),
            _ if self.enemies(who, to) == 1 => format!("move {}x{}", name(from), name(to)),
            _ => format!("move {}-{}", name(from), name(to)),
        }
    }

    /// The position of a state.
    fn of(state: &State) -> Self {
        let mut position = Self([[0; 26]; 2]);
        for cell in state.board().cells() {
            // The file has 12 to 1, the bar, and 13 to 24.
            let point = match cell.index() {
                at @ 0..12 => 12 - at,
                12 => BAR,
                at => at,
            };
            for piece in state.stack(cell) {
                let who = owner(state, piece);
                position.0[who][if point == BAR || who == 0 { point } else { BAR - point }] += 1;
            }
        }
        for checkers in &mut position.0 {
            checkers[OFF] = 15 - checkers.iter().sum::<u8>();
        }
        position
    }
}

fn owner(state: &State, piece: PieceId) -> usize {
    state.schema().pieces[piece.index()].owner.unwrap().index()
}

fn distinct(dice: &[usize]) -> BTreeSet<usize> {
    dice.iter().copied().collect()
}

fn without(dice: &[usize], die: usize) -> Vec<usize> {
    let mut rest = dice.to_vec();
    rest.remove(rest.iter().position(|other| *other == die).unwrap());
    rest
}

fn doubled(dice: &[usize]) -> Vec<usize> {
    if dice[0] == dice[1] { dice.repeat(2) } else { dice.to_vec() }
}

fn written(state: &State, question: &Question) -> Vec<String> {
    let Question::Choose(decision) = question else { unreachable!("{question:?}") };
    let names = Names { schema: state.schema(), board: state.board() };
    decision.options.iter().map(|option| option.write(names)).collect()
}

/// What happened in games.
#[derive(Debug, Default)]
struct Met {
    hits: usize,
    passes: usize,
    forced: usize,
    /// Games of one, two and three points.
    won: [usize; 3],
}

/// Plays a random game from the opening throws.
fn play(game: &Playable, seed: u64, met: &mut Met) {
    let random = &mut Random(seed);
    let start = game.start(&game.program.schema().variants[0], 2, game.defaults());
    let mut machine = game.begin(start, &silent());
    let mut position = Position::first();
    let mut opening = Vec::new();
    let (mut who, mut left) = (0, Vec::new());
    while let Some(question) = asked(&machine) {
        let state = machine.state();
        assert_eq!(Position::of(state), position, "seed {seed}");
        let given = match &question {
            Question::Roll(die) => {
                assert!(left.is_empty(), "seed {seed}: numbers are left");
                let count = state.schema().dice[die.index()].count;
                let faces: Vec<usize> = (0..count).map(|_| random.below(6)).collect();
                let mut shown: Vec<usize> = faces.iter().map(|face| face + 1).collect();
                if count == 1 {
                    opening.append(&mut shown);
                    match opening[..] {
                        [first, second] if first != second => {
                            who = usize::from(second > first);
                            left = std::mem::take(&mut opening);
                        }
                        [_, _] => opening.clear(),
                        _ => {}
                    }
                } else {
                    assert_eq!(state.turn, Some(PlayerId::at(who)), "seed {seed}");
                    left = doubled(&shown);
                }
                Answer::Rolled(Throw::of(faces))
            }
            question => {
                assert_eq!(state.turn, Some(PlayerId::at(who)), "seed {seed}");
                let allowed = position.allowed(who, &left);
                let steps: usize = distinct(&left).iter().map(|die| position.steps(who, *die).len()).sum();
                met.forced += usize::from(allowed.len() < steps);
                let words = written(state, question);
                let wanted: BTreeSet<String> = allowed.iter().map(|(step, _)| position.words(who, *step)).collect();
                assert_eq!(words.iter().cloned().collect::<BTreeSet<_>>(), wanted, "seed {seed}");
                assert_eq!(words.len(), wanted.len(), "seed {seed}");
                let at = random.below(words.len());
                let ((from, to), _) =
                    *allowed.iter().find(|(step, _)| position.words(who, *step) == words[at]).unwrap();
                met.hits += usize::from(words[at].contains('x'));
                position = position.after(who, (from, to));
                // The lowest number that leads so far.
                left = without(&left, distinct(&left).into_iter().find(|die| *die >= from - to).unwrap());
                Answer::Chosen(at)
            }
        };
        answer(&mut machine, given);
        if position.0[who][OFF] == 15 {
            break;
        }
        if opening.is_empty() && (!left.is_empty() && position.allowed(who, &left).is_empty()) {
            left.clear();
            met.passes += 1;
        }
        let is_opening = machine.state().turn.is_none();
        if left.is_empty() && !is_opening {
            who = 1 - who;
        }
    }
    let state = machine.state();
    assert_eq!(state.outcome, Some(Outcome::Won(vec![PlayerId::at(who)])), "seed {seed}");
    let points = state.schema().property("points").unwrap();
    let worth = position.worth(who);
    assert_eq!(state.value(points, Owner::Player(PlayerId::at(who))), Some(Value::Int(worth)), "seed {seed}");
    met.won[usize::try_from(worth).unwrap() - 1] += 1;
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let game = Playable::load("backgammon", &[]);
    let mut met = Met::default();
    (0..30).for_each(|seed| play(&game, seed, &mut met));
    let Met { hits, passes, forced, won } = met;
    assert!(hits > 100 && passes > 50 && forced > 20 && won.iter().all(|games| *games > 0), "{met:?}");
}

/// The number of positions to which each first throw may lead: by an independent program, and those of two different numbers also by
/// the engine `OpenSpiel`.
const FIRST_PLAYS: [((usize, usize), usize); 21] = [
    ((1, 1), 42),
    ((2, 1), 15),
    ((2, 2), 75),
    ((3, 1), 16),
    ((3, 2), 17),
    ((3, 3), 73),
    ((4, 1), 14),
    ((4, 2), 18),
    ((4, 3), 17),
    ((4, 4), 52),
    ((5, 1), 8),
    ((5, 2), 8),
    ((5, 3), 9),
    ((5, 4), 9),
    ((5, 5), 4),
    ((6, 1), 10),
    ((6, 2), 14),
    ((6, 3), 14),
    ((6, 4), 14),
    ((6, 5), 7),
    ((6, 6), 11),
];

#[test]
fn a_first_throw_leads_to_the_counted_positions() {
    let game = Playable::load("backgammon", &[]);
    for ((first, second), count) in FIRST_PLAYS {
        let start = game.start(&game.program.schema().variants[0], 2, game.defaults());
        let mut machine = referee_play::Machine::new(&game.program, start);
        machine.turn(PlayerId::at(0), &silent());
        answer(&mut machine, Answer::Rolled(Throw::of([first - 1, second - 1])));
        let mut waiting = vec![machine];
        let mut reached = BTreeSet::new();
        while let Some(machine) = waiting.pop() {
            match asked(&machine) {
                Some(Question::Choose(decision)) => waiting.extend((0..decision.options.len()).map(|at| {
                    let mut next = machine.clone();
                    answer(&mut next, Answer::Chosen(at));
                    next
                })),
                _ => {
                    reached.insert(Position::of(machine.state()));
                }
            }
        }
        assert_eq!(reached.len(), count, "{first} {second}");
    }
}
