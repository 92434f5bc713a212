//! `referee odds`: how likely it is that each player wins, or that something else comes.

use clap::Args;

use super::output::print;
use super::progress::Waiting;
use super::show::{Chosen, complain_about, judged, with_test};
use super::{Exit, Format};
use crate::play::{Horizon, MAX_STATES, MOST_STATES};
use crate::report::{odds_human, odds_json};
use crate::scenario::{self, COMMAND_LINE, OddsRequest};

#[derive(Debug, Args)]
pub(super) struct OddsArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// What a player does wherever it means one option alone: "red squash evil"
    #[arg(long, value_name = "PLAYER ACTION")]
    when: Vec<String>,
    /// How players decide else: random, greedy:EXPRESSION, best, worst, or an action; of one player: red=best
    #[arg(long, value_name = "[PLAYER=]POLICY")]
    policy: Vec<String>,
    /// What is to happen, as behind `expect` [default: each player wins]
    #[arg(long, value_name = "CONDITION")]
    chance: Option<String>,
    /// Up to the end of so many turns [default with --chance: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    within: Option<u32>,
    /// Up to the end of the game [default without --chance]
    #[arg(long, conflicts_with = "within")]
    to_the_end: bool,
    /// The most states to look at
    #[arg(long, value_name = "N", default_value_t = MOST_STATES as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_STATES as u64))]
    states: u64,
}

/// What is wrong with the question, though it shows at a line of the rules.
const QUESTION: [&str; 3] = ["not_seen", "not_settled", "not_supported"];

/// Compute the odds and print them.
pub(super) fn run(arguments: &OddsArguments) -> Exit {
    let request = OddsRequest {
        when: arguments.when.clone(),
        policies: arguments.policy.clone(),
        chance: arguments.chance.clone(),
        horizon: match arguments.within {
            Some(turns) => Horizon::Turns(turns),
            None if arguments.to_the_end || arguments.chance.is_none() => Horizon::Game,
            None => Horizon::Turns(1),
        },
        states: usize::try_from(arguments.states).unwrap_or(MAX_STATES),
    };
    let waiting = Waiting::new(arguments.chosen.format, "states");
    let found = with_test(&arguments.chosen, |loader, suite, index| scenario::odds(loader, suite, index, &request));
    if let Ok(Ok((Some(odds), _))) = &found {
        waiting.done(odds.states as u64, "states");
    } else {
        drop(waiting);
    }
    match found {
        Err(exit) => exit,
        Ok(Err(problems)) => {
            complain_about(&problems);
            // What is wrong with the question itself is a matter of the command line.
            let usage = problems.iter().any(|problem| {
                let places = &problem.labels;
                places.is_empty() || places.iter().any(|place| place.source.name() == COMMAND_LINE)
            });
            let asked = problems.iter().any(|problem| QUESTION.contains(&problem.code));
            if usage || asked { Exit::Usage } else { Exit::Invalid }
        }
        Ok(Ok((None, end))) => judged(&end).unwrap_or(Exit::Failed),
        Ok(Ok((Some(odds), end))) => {
            print(&match arguments.chosen.format {
                Format::Human => odds_human(&odds),
                Format::Json => odds_json(&odds),
            });
            judged(&end).unwrap_or(Exit::Passed)
        }
    }
}
