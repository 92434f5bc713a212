//! Games of players who rate their options, as compiled rules play them. Dice, and players who decide at random, take the random
//! numbers that they would take where the machine plays.

use super::policy::{Policy, best};
use super::quicker::{Quicker, Raters};
use super::random::Random;
use super::rated::worths;
use super::stepped::{AskedAt, Way};
use super::stepped_games::{Answering, Finished, play};
use super::strategy::StrategyProfile;
use super::tally::Tally;
use referee_rules::{Asked, Expression, Program, Steps};
use referee_table::{PlayerId, State};

/// Games of one start and strategy.
pub(super) struct RatedGames<'g> {
    raters: Raters<'g>,
    /// For each player the number of the expression by which they rate options; `None` for one who decides at random.
    by: Vec<Option<usize>>,
    max_plies: u64,
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

    /// Plays a game as [`play`] does.
    pub(super) fn play(&mut self, first: &State, is_counted: bool, tally: Tally, random: Random) -> Option<Finished> {
        let max_plies = self.max_plies;
        play(self, (first, is_counted), (tally, max_plies), random)
    }
}

impl Answering for RatedGames<'_> {
    const COUNT: bool = true;

    fn main(&mut self) -> Option<&mut Steps> {
        self.raters.steps(0)
    }

    fn choice(
        &mut self,
        (position, way): (&[u8], &Way),
        (player, of): (PlayerId, u32),
        random: &mut Random,
    ) -> Option<usize> {
        let options = usize::try_from(of).ok()?;
        let Some(by) = *self.by.get(player.index())? else { return Some(random.place(options)) };
        // The machine takes one number here for deals of hidden cards, although nothing is hidden.
        let _deals = random.fork();
        let best = match options {
            0 | 1 => vec![0],
            _ => {
                let asked = AskedAt::at(position.into(), way.clone(), Asked::Player(player), of);
                best(&worths(self.raters.steps(by)?, &asked, player)?)
            }
        };
        best.get(random.place(best.len())).copied()
    }
}
