//! Plays games at random and looks for findings in them.

use super::finding::{Finding, Kind};
use super::invariant::Invariant;
use crate::plan::model::Judged;
use crate::run::runner;
use crate::stage::Stage;
use referee_diagnostic::{Code, Diagnostic, counted};
use referee_play::{
    Bounds, Digest, Ending, Machine, Passed, Played, Playouts, Stop, StrategyProfile, Tally, Watch, tape,
};
use referee_table::{Outcome, State};
use referee_trace::Answer;

/// The parameters of a search in random games.
#[derive(Clone, Copy)]
pub struct Hunt<'h> {
    /// The start of every game.
    pub stage: &'h Stage,
    /// The conditions that must be true at every point of play.
    pub invariants: &'h [Invariant],
    /// The seed of the games.
    pub seed: u64,
    /// The number of turns after which a game is stopped.
    pub max_turns: u64,
    /// The flag for this number.
    pub turns_flag: &'static str,
    /// The numbers of states and of bytes for them up to which all play is followed.
    pub bounds: Bounds,
    /// Whether the user chose the players.
    pub names_players: bool,
}

/// A game that was looked at.
pub struct Hunted {
    /// The first finding in the game.
    pub finding: Option<Finding>,
    /// The counts of the game.
    pub tally: Tally,
    /// Whether it has come to its end.
    pub is_over: bool,
}

impl Hunt<'_> {
    /// Plays game `number` of the seed, the same game as `referee simulate`, and looks at it. So many games are left, this one
    /// included.
    #[must_use]
    pub fn game(&self, number: u64, left: u64) -> Hunted {
        let quick = || self.playouts(|playouts| playouts.play_one_of(left, &self.stage.quicker, self.seed, number));
        let (game, broken) = if self.hold(number) {
            (quick(), None)
        } else {
            self.stage.watched.by_machine(&self.stage.program, || {
                let game = self.play(number, true);
                let broken = self.stage.program.uncounted(|| self.broken(&game));
                let broken = broken.map(|(finding, _)| finding);
                (game, broken)
            })
        };
        // What an invariant runs at the end of a game counts, so that functions which only invariants call have run.
        for invariant in self.invariants {
            drop(invariant.holds(&self.stage.program, &game.state));
        }
        let finding = broken.or_else(|| self.ending(&game));
        let is_over = matches!(game.ending, Ending::Over(_));
        Hunted { finding, tally: game.tally, is_over }
    }

    /// Returns whether each invariant is true at every point of game `number`, as far as compiled rules find out.
    fn hold(&self, number: u64) -> bool {
        let are_expressions =
            self.invariants.iter().all(|one| one.judged == Judged::Pauses && one.expression().is_some());
        are_expressions && self.invariants.iter().all(|invariant| self.holds(invariant, number) == Some(true))
    }

    /// Returns whether an invariant is true at every point of a game; `None` if the machine is to find out.
    fn holds(&self, invariant: &Invariant, number: u64) -> Option<bool> {
        let (expression, program) = (invariant.expression()?, &self.stage.program);
        let judge = |state: &State| program.uncounted(|| matches!(invariant.holds(program, state), Ok(true)));
        let strategy = StrategyProfile::default();
        self.stage.watched.holds(&self.playing(&strategy), expression, (self.seed, number), &judge)
    }

    /// Plays game `number`; with `keep`, the result includes the answers.
    pub(super) fn play(&self, number: u64, keep: bool) -> Played {
        self.playouts(|playouts| playouts.play(self.seed, number, keep))
    }

    /// Plays game `number` for what tells it from others.
    pub(super) fn digest(&self, number: u64) -> Digest {
        let strategy = StrategyProfile::default();
        self.playing(&strategy).digest(self.seed, number)
    }

    fn playouts(&self, play: impl FnOnce(&Playouts<'_>) -> Played) -> Played {
        play(&self.playing(&StrategyProfile::default()))
    }

    fn playing<'p>(&'p self, strategy: &'p StrategyProfile) -> Playouts<'p> {
        Playouts {
            rollouts: None,
            program: &self.stage.program,
            start: &self.stage.start,
            strategy,
            max_plies: self.max_turns,
        }
    }

    /// Returns the error in the end of a game.
    fn ending(&self, game: &Played) -> Option<Finding> {
        match &game.ending {
            Ending::Endless(wrong) => Some(Finding::placed(Kind::Unfinished, *wrong.clone())),
            Ending::Fault(wrong) => Some(Finding::placed(Kind::Fault, *wrong.clone())),
            Ending::Stopped => Some(Finding::unplaced(Kind::Unfinished, self.unfinished())),
            Ending::Over(outcome) => {
                self.unexplained(game, outcome).map(|wrong| Finding::placed(Kind::Unexplained, wrong))
            }
        }
    }

    /// Returns the error for a game that took too many turns.
    fn unfinished(&self) -> Diagnostic {
        let message = format!("the game is not over after {}", counted(self.max_turns, "turn"));
        Diagnostic::general(Code::Unfinished, message)
            .help(format!("let a rule end every game, or allow longer games with `{} N`", self.turns_flag))
    }

    /// Returns the error for an end without a winner that no clause explains. A game without clauses has none.
    fn unexplained(&self, game: &Played, outcome: &Outcome) -> Option<Diagnostic> {
        let nobody = match outcome {
            Outcome::Nobody => "nobody wins",
            Outcome::Draw => "the game is a draw",
            Outcome::Won(_) => return None,
        };
        let silent = game.tally.last_clause.is_none() && !self.stage.schema().clauses.is_empty();
        let message = format!("{nobody}, but no clause of the rulebook was applied in the last turn");
        let help = "apply the clause that ends the game, for example `clause(\"E1\")`, before the game ends";
        let place = game.over_at.and_then(|place| self.stage.program.label(place));
        silent.then(|| Diagnostic::general(Code::UnexplainedEnd, message).help(help).labelled(place))
    }

    /// Plays the answers of a game again and returns the first broken invariant, with the number of answers before it.
    pub(super) fn broken(&self, game: &Played) -> Option<(Finding, usize)> {
        let answers: Vec<Answer> = game.answers.iter().flatten().map(|(_, answer)| answer.clone()).collect();
        runner::play(&self.stage.plan, &self.stage.program, |machine, _| {
            let mut machine = machine.clone();
            let by_event = self.invariants.iter().any(|one| one.judged == Judged::Events);
            machine.watch(if by_event { Watch::Events } else { Watch::Phases });
            let mut given = 0;
            if let Some(finding) = self.broken_in(machine.state(), Judged::looks_at_start) {
                return Some((finding, given));
            }
            loop {
                let answer = answers.get(given).filter(|_| matches!(machine.stop(), Stop::Paused(_)))?;
                answered(&mut machine, answer.clone());
                given += 1;
                let passed = machine.take_passed();
                let broken = |passed: &Passed| self.broken_in(&passed.state, |judged| judged.looks_at(passed));
                if let Some(finding) = passed.iter().find_map(broken) {
                    return Some((finding, given));
                }
            }
        })
    }

    /// Returns the first invariant that a state breaks, of those that are judged there.
    pub(super) fn broken_in(&self, state: &State, is_judged: impl Fn(Judged) -> bool) -> Option<Finding> {
        let judged = self.invariants.iter().enumerate().filter(|(_, invariant)| is_judged(invariant.judged));
        judged.into_iter().find_map(|(at, invariant)| {
            let diagnostic = match invariant.holds(&self.stage.program, state) {
                Ok(true) => return None,
                Ok(false) => invariant.broken(),
                Err(wrong) => *wrong,
            };
            Some(Finding::unplaced(Kind::Broken(at), diagnostic))
        })
    }
}

/// Goes on from a pause with one answer.
pub(super) fn answered(machine: &mut Machine<'_>, answer: Answer) {
    machine.go_on(&tape(vec![answer]));
}
