//! An independent move generator for Lines of Action in plain loops, without the rules API.

use std::collections::{BTreeMap, BTreeSet};

use referee_play::Machine;
use referee_table::{Outcome, State};
use referee_trace::{Answer, Question};

use super::perft::counts;
use super::playing::{Playable, Random, answer, asked, silent};

/// A cell: column and row from 0.
type Square = (i32, i32);

const SIDE: i32 = 8;
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The colour on each cell that is not empty: 0 black, 1 white.
#[derive(Clone, Debug, PartialEq)]
struct Position(BTreeMap<Square, usize>);

fn on_board((column, row): Square) -> bool {
    (0..SIDE).contains(&column) && (0..SIDE).contains(&row)
}

fn further((column, row): Square, (right, up): (i32, i32), steps: i32) -> Square {
    (column + right * steps, row + up * steps)
}

impl Position {
    /// Black on the first and last row, white on the first and last column.
    fn standard() -> Self {
        let sides = (1..SIDE - 1).flat_map(|at| [((at, 0), 0), ((at, SIDE - 1), 0), ((0, at), 1), ((SIDE - 1, at), 1)]);
        Self(sides.collect())
    }

    /// Along the edge from the cell beside the top left corner, clockwise, black and white in turn.
    fn scrambled() -> Self {
        let inner = 1..SIDE - 1;
        let top = inner.clone().map(|at| (at, SIDE - 1));
        let right = inner.clone().map(|at| (SIDE - 1, SIDE - 1 - at));
        let bottom = inner.clone().map(|at| (SIDE - 1 - at, 0));
        let left = inner.map(|at| (0, at));
        Self(top.chain(right).chain(bottom).chain(left).enumerate().map(|(at, square)| (square, at % 2)).collect())
    }

    fn moves(&self, me: usize) -> BTreeSet<(Square, Square)> {
        let own = self.0.iter().filter(|(_, colour)| **colour == me).map(|(square, _)| *square);
        let ways = own.flat_map(|from| DIRECTIONS.map(|direction| (from, direction)));
        let moves = ways.filter_map(|(from, direction)| {
            let far = (-SIDE..=SIDE).filter(|steps| self.0.contains_key(&further(from, direction, *steps)));
            let far = i32::try_from(far.count()).unwrap();
            let to = further(from, direction, far);
            let passes_enemy =
                (1..far).any(|steps| self.0.get(&further(from, direction, steps)).is_some_and(|other| *other != me));
            (on_board(to) && !passes_enemy && self.0.get(&to) != Some(&me)).then_some((from, to))
        });
        moves.collect()
    }

    fn after(&self, (from, to): (Square, Square)) -> Self {
        let mut next = self.clone();
        let colour = next.0.remove(&from).unwrap();
        next.0.insert(to, colour);
        next
    }

    fn is_one_group(&self, me: usize) -> bool {
        let mut left: BTreeSet<Square> = self.0.iter().filter(|(_, it)| **it == me).map(|(at, _)| *at).collect();
        let mut open: Vec<Square> = left.pop_first().into_iter().collect();
        while let Some(square) = open.pop() {
            open.extend(DIRECTIONS.iter().filter_map(|direction| left.take(&further(square, *direction, 1))));
        }
        left.is_empty()
    }

    /// The sequences of so many moves; a pass is no move. Nothing follows when somebody has one group.
    fn perft(&self, me: usize, depth: usize) -> u64 {
        let moves = self.moves(me);
        if depth == 1 && !moves.is_empty() {
            return moves.len() as u64;
        }
        if moves.is_empty() {
            return if self.moves(1 - me).is_empty() { 0 } else { self.perft(1 - me, depth) };
        }
        let next = moves.into_iter().map(|made| self.after(made));
        next.filter(|next| !next.is_one_group(0) && !next.is_one_group(1))
            .map(|next| next.perft(1 - me, depth - 1))
            .sum()
    }
}

/// The square of a cell's name.
fn square(name: &str) -> Square {
    let (column, row) = (name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1');
    (i32::from(column), i32::from(row))
}

/// A position of the engine.
fn position(state: &State) -> Position {
    let board = state.board();
    let on = |cell| Some((square(board.name(cell)), state.schema().pieces[state.at(cell)?.index()].owner?.index()));
    Position(board.cells().filter_map(on).collect())
}

/// The numbers of the plain reading are written down, so that the two cannot go wrong together.
#[test]
fn perft_agrees() {
    for (variant, start, known) in [
        ("standard", Position::standard(), [36, 1244, 44_952]),
        ("scrambled", Position::scrambled(), [32, 992, 32_000]),
    ] {
        let numbers: Vec<u64> = (1..=3).map(|depth| start.perft(0, depth)).collect();
        assert_eq!(numbers, known, "{variant}");
        let scenario = format!("use lines-of-action {variant}\nscenario \"l\"\n  turn black\n");
        assert_eq!(counts(&scenario, 3), known, "{variant}");
    }
}

/// Play at random, both readings at once: the same moves, captures and ends. What happened on the way is counted.
fn play_both(machine: &mut Machine<'_>, start: Position, random: &mut Random) -> Option<Outcome> {
    let mut here = start;
    for _ in 0..400 {
        assert_eq!(position(machine.state()), here);
        let ended = [here.is_one_group(0), here.is_one_group(1)];
        let Some(question) = asked(machine) else {
            assert!(ended[0] || ended[1]);
            return machine.state().outcome.clone();
        };
        assert_eq!(ended, [false, false]);
        let Question::Choose(decision) = question else { return None };
        let names = machine.names();
        let words: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
        let moved = |words: &String| (square(&words[5..7]), square(&words[8..10]));
        let offered: BTreeSet<_> = words.iter().map(moved).collect();
        assert_eq!(offered, here.moves(decision.player.index()));
        let chosen = random.below(words.len());
        let made = moved(&words[chosen]);
        assert_eq!(words[chosen].contains('x'), here.0.contains_key(&made.1), "{}", words[chosen]);
        here = here.after(made);
        answer(machine, Answer::Chosen(chosen));
    }
    None
}

#[test]
fn random_games_agree() {
    let rules = Playable::load("lines-of-action", &[]);
    let mut wins = [0, 0];
    for seed in 0..12 {
        let (variant, start) =
            if seed % 3 == 0 { ("scrambled", Position::scrambled()) } else { ("standard", Position::standard()) };
        let state = rules.start(rules.variant(variant), 2, rules.defaults());
        let mut machine = rules.begin(state, &silent());
        if let Some(Outcome::Won(players)) = play_both(&mut machine, start, &mut Random(seed)) {
            wins[players[0].index()] += 1;
        }
    }
    assert!(wins[0] > 0 && wins[1] > 0, "{wins:?}");
}
