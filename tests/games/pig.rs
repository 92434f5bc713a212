//! An independent implementation of Pig from its rulebook: compares random games answer by answer, and computes odds
//! without the rules.

use num_rational::BigRational;
use num_traits::{One, Zero};
use referee_table::{Names, Outcome, Owner, PlayerId, Setting, State, Throw, Value};
use referee_trace::{Answer, Question};

use super::playing::{Playable, Random, answer, asked, silent};

/// The game between two answers.
struct Pig {
    goal: i64,
    at_once: bool,
    scores: Vec<i64>,
    pot: i64,
    mover: usize,
    /// Whether the one to move may choose; otherwise the die is thrown.
    choosing: bool,
    winner: Option<usize>,
}

impl Pig {
    fn throw(&mut self, shown: i64) {
        if shown == 1 {
            self.pot = 0;
            self.pass();
            return;
        }
        self.pot += shown;
        self.choosing = true;
        if self.at_once && self.scores[self.mover] + self.pot >= self.goal {
            self.hold();
        }
    }

    fn choose(&mut self, word: &str) {
        match word {
            "again" => self.choosing = false,
            "hold" => self.hold(),
            other => unreachable!("{other}"),
        }
    }

    fn hold(&mut self) {
        self.scores[self.mover] += self.pot;
        self.pot = 0;
        if self.scores[self.mover] >= self.goal {
            self.winner = Some(self.mover);
        } else {
            self.pass();
        }
    }

    fn pass(&mut self) {
        self.choosing = false;
        self.mover = (self.mover + 1) % self.scores.len();
    }

    /// The scores and the pot are those of the game that the rules play.
    fn agrees(&self, state: &State) {
        let number = |name: &str, owner: Owner| match state.value(state.schema().property(name).unwrap(), owner) {
            Some(Value::Int(number)) => number,
            other => unreachable!("{name}: {other:?}"),
        };
        let scores = (0..self.scores.len()).map(|player| number("score", Owner::Player(PlayerId::at(player))));
        assert_eq!(scores.collect::<Vec<i64>>(), self.scores);
        assert_eq!(number("pot", Owner::Game), self.pot);
    }
}

fn play(game: &Playable, seed: u64) {
    let random = &mut Random(seed);
    let mut options = random.settings(game.program.schema());
    options[0] = Setting::Number(1 + i64::try_from(random.below(60)).unwrap());
    let [Setting::Number(goal), Setting::Word(winning)] = &options[..] else { unreachable!("{options:?}") };
    let (goal, at_once) = (*goal, &**winning == "at_once");
    let players = 2 + random.below(5);
    let mut pig = Pig { goal, at_once, scores: vec![0; players], pot: 0, mover: 0, choosing: false, winner: None };
    let start = game.start(&game.program.schema().variants[0], players, options);
    let mut machine = game.begin(start, &silent());
    while let Some(question) = asked(&machine) {
        let state = machine.state();
        pig.agrees(state);
        assert_eq!((pig.winner, state.turn), (None, Some(PlayerId::at(pig.mover))), "seed {seed}");
        let given = match &question {
            Question::Roll(_) => {
                assert!(!pig.choosing, "seed {seed}");
                let face = random.below(6);
                pig.throw(i64::try_from(face).unwrap() + 1);
                Answer::Rolled(Throw::of([face]))
            }
            Question::Choose(decision) => {
                assert!(pig.choosing, "seed {seed}");
                let names = Names { schema: state.schema(), board: state.board() };
                let words: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
                assert_eq!(words, ["again", "hold"], "seed {seed}");
                // Most go on, so that pots grow.
                let chosen = usize::from(random.below(4) == 0);
                pig.choose(&words[chosen]);
                Answer::Chosen(chosen)
            }
            other => unreachable!("seed {seed}: {other:?}"),
        };
        answer(&mut machine, given);
    }
    pig.agrees(machine.state());
    let winner = pig.winner.map(|winner| Outcome::Won(vec![PlayerId::at(winner)]));
    assert_eq!(machine.state().outcome, winner, "seed {seed}");
}

#[test]
fn every_game_goes_as_an_independent_reading_says() {
    let game = Playable::load("pig", &[]);
    (0..150).for_each(|seed| play(&game, seed));
}

const ODDS: &str = include_str!("../../scenarios/pig/odds.scenario");

fn sixth(chances: BigRational) -> BigRational {
    chances / BigRational::from_integer(6.into())
}

/// The chance that a turn that goes on below 20 ends with so much in the pot; with 0 after a one.
fn ends_with(wanted: usize, pot: usize) -> BigRational {
    if pot >= 20 {
        return if pot == wanted { BigRational::one() } else { BigRational::zero() };
    }
    let lost = if wanted == 0 { BigRational::one() } else { BigRational::zero() };
    sixth((2..=6).map(|shown| ends_with(wanted, pot + shown)).fold(lost, |sum, chance| sum + chance))
}

#[test]
fn a_turn_that_holds_at_20_is_counted_without_the_rules() {
    for score in [0, 20] {
        let line = format!("expect chance ann.score = {score} = {}\n", ends_with(score, 0));
        assert!(ODDS.contains(&line), "{line}");
    }
    for goal in 3..=7 {
        let chance = (2..=6).filter(|shown| *shown >= goal).count();
        let chance = if chance == 0 { "0".to_owned() } else { format!("{chance}/6") };
        let row = format!("| {goal:<4} | {chance:<6} |");
        assert!(ODDS.contains(&row), "{row}");
    }
}

/// The best chances of two who play to 10: of the one whose turn begins, by their own score and that of the other.
type Best = [[f64; 10]; 10];

/// The chance of who throws next with so much in the pot.
fn throws(best: &Best, mine: usize, other: usize, pot: usize) -> f64 {
    let shown = (2..=6).map(|shown| {
        let pot = pot + shown;
        if mine + pot >= 10 { 1.0 } else { throws(best, mine, other, pot).max(1.0 - best[other][mine + pot]) }
    });
    (1.0 - best[other][mine] + shown.sum::<f64>()) / 6.0
}

#[test]
fn the_best_play_to_10_is_found_without_the_rules() {
    let mut best: Best = [[0.5; 10]; 10];
    for _ in 0..60 {
        for mine in (0..10).rev() {
            for other in (0..10).rev() {
                best[mine][other] = throws(&best, mine, other, 0);
            }
        }
    }
    assert!((best[0][0] - 7776.0 / 10961.0).abs() < 1e-12, "{}", best[0][0]);
    assert!(ODDS.contains("expect chance winner ann = 7776/10961 to the end of the game\n"));
}
