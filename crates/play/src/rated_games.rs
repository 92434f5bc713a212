//! Games of players who rate their options, as compiled rules play them: one phase after the other, each run again for every
//! answer in it. Dice, and players who decide at random, take the random numbers that they would take where the machine plays.

use std::sync::Arc;

use super::policy::{Policy, best};
use super::quicker::{Quicker, Raters};
use super::random::Random;
use super::rated::worths;
use super::stepped::{AskedAt, Silence, Way, option, throw};
use super::strategy::StrategyProfile;
use super::tally::Tally;
use referee_rules::{Asked, Expression, Program, Reached, Steps};
use referee_table::{Outcome, PlayerId, State, Table};
use referee_trace::RulesPlace;

/// More answers in a turn are left to the machine: a playout allows yet more.
const MOST_ANSWERS: u32 = 10_000;

/// Games of one start and strategy.
pub(super) struct RatedGames<'g> {
    raters: Raters<'g>,
    /// For each player the number of the expression by which they rate options; `None` for one who decides at random.
    by: Vec<Option<usize>>,
    max_plies: u64,
}

/// A game that was played.
pub(super) struct Finished {
    /// How and where in the rules it has ended; `None` if it was stopped.
    pub(super) ended: Option<(Outcome, RulesPlace)>,
    pub(super) state: State,
    pub(super) tally: Tally,
}

/// Returns the expressions by which players rate options, and for each player the number of theirs; `None` if someone decides
/// in another way, or nobody rates.
fn expressions(strategy: &StrategyProfile, players: usize) -> Option<(Vec<Expression<'_>>, Vec<Option<usize>>)> {
    let mut all: Vec<Expression<'_>> = Vec::new();
    let mut by = Vec::new();
    for player in (0..players).map(PlayerId::at) {
        by.push(match strategy.policy(player) {
            None | Some((_, Policy::Random)) => None,
            Some((_, Policy::Greedy(source, span))) => {
                let text = source.slice(*span);
                let known = all.iter().position(|other| other.source.slice(other.span) == text);
                Some(known.unwrap_or_else(|| {
                    all.push(Expression { source, span: *span, of_player: true });
                    all.len() - 1
                }))
            }
            Some((_, Policy::Search(_) | Policy::Best | Policy::Worst)) => return None,
        });
    }
    (strategy.actions.is_empty() && !all.is_empty()).then_some((all, by))
}

impl<'g> RatedGames<'g> {
    /// Returns games at a state's table; `None` if the machine is to play them.
    pub(super) fn of(
        quicker: &'g Quicker,
        program: &Program,
        state: &State,
        (strategy, max_plies): (&StrategyProfile, u64),
    ) -> Option<Self> {
        let (expressions, by) = expressions(strategy, state.schema().players.len())?;
        Some(Self { raters: quicker.raters(program, state, &expressions)?, by, max_plies })
    }

    /// Plays a game from a state on, whose next phase is on its agenda; `is_counted` says whether that is counted as a turn
    /// already. Returns `None` if the machine is to play it.
    pub(super) fn play(
        &mut self,
        first: &State,
        mut is_counted: bool,
        mut tally: Tally,
        mut random: Random,
    ) -> Option<Finished> {
        let (table, max_plies) = (Arc::clone(&first.table), self.max_plies);
        let mut position = self.main()?.position(first)?;
        let (mut next, mut way, mut answers) = (Vec::new(), Way::new(), 0);
        let mut silence = Silence::begin(self.main()?);
        loop {
            let main = self.main()?;
            if !std::mem::take(&mut is_counted) && main.is_turn_next(&position) {
                if tally.plies >= max_plies {
                    let mut state = main.first();
                    main.show_position(&position, &mut state)?;
                    state.agenda.pop();
                    tally.ended(&state);
                    return Some(Finished { ended: None, state, tally });
                }
                (tally.plies, tally.last_clause, answers) = (tally.plies + 1, None, 0);
            }
            way.clear();
            let mut reached = main.run_counting(&position, &way)?;
            while let Reached::Ask(asked, of) = reached {
                answers += 1;
                if answers > MOST_ANSWERS {
                    return None;
                }
                self.answer(&table, (&position, asked, of), &mut way, &mut random)?;
                let main = self.main()?;
                silence = Silence::begin(main);
                reached = main.run_counting(&position, &way)?;
            }
            let main = self.main()?;
            if main.counts().is_none() {
                // The host fills some tables when they are first needed: a second run finds them there.
                main.run_counting(&position, &way)?;
            }
            tally.add(&main.counts()?);
            if reached == Reached::Over {
                let (ended, state) = (main.ended()?, main.state()?);
                tally.ended(&state);
                return Some(Finished { ended: Some(ended), state, tally });
            }
            next.clear();
            main.after(&position, &mut next)?;
            silence.goes_on(main)?;
            std::mem::swap(&mut position, &mut next);
        }
    }

    /// Returns the rules that play the games.
    fn main(&mut self) -> Option<&mut Steps> {
        self.raters.steps(0)
    }

    /// Appends the random numbers of an answer to those of the answers before it in the phase of a position.
    fn answer(
        &mut self,
        table: &Table,
        (position, asked, of): (&[u8], Asked, u32),
        way: &mut Way,
        random: &mut Random,
    ) -> Option<()> {
        let player = match asked {
            Asked::Die(die) => {
                let thrown = random.throw(&table.schema, die);
                way.extend(throw(table, die, &thrown, of)?);
                return Some(());
            }
            Asked::Player(player) => player,
        };
        let options = usize::try_from(of).ok()?;
        let at = match *self.by.get(player.index())? {
            None => random.place(options),
            Some(by) => {
                // The machine takes one number here for deals of hidden cards, although nothing is hidden.
                let _deals = random.fork();
                let best = match options {
                    0 | 1 => vec![0],
                    _ => {
                        let asked = AskedAt::at(position.into(), way.clone(), asked, of);
                        best(&worths(self.raters.steps(by)?, &asked, player)?)
                    }
                };
                *best.get(random.place(best.len()))?
            }
        };
        way.extend(option(at, of)?);
        Some(())
    }
}
