//! `referee odds`: computes the chance that a player wins or a condition holds.

use clap::Args;

use super::Exit;
use super::arguments::{Format, MEGABYTES, RunBy, megabytes, run_by};
use super::deals::DealsArguments;
use super::flags::ODDS;
use super::output::{print, print_errors};
use super::progress::Waiting;
use super::show::{Chosen, judged, with_test};
use referee_play::{DEFAULT_STATES, Follower, Horizon, MAX_STATES};
use referee_report::{Sampled, odds_human, odds_json};
use referee_scenario::{MEGABYTE, OddsRequest, UnknownOdds};

#[derive(Debug, Args)]
pub(super) struct OddsArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Option to take whenever exactly one matches: "red squash evil"
    #[arg(long, value_name = "PLAYER ACTION")]
    when: Vec<String>,
    /// How players decide otherwise: random, greedy:EXPRESSION, best, worst, or an action; for one player: red=best
    #[arg(long, value_name = "[PLAYER=]POLICY")]
    policy: Vec<String>,
    /// Condition, as after `expect` [default: each player wins]
    #[arg(long, value_name = "CONDITION")]
    chance: Option<String>,
    /// Look ahead to the end of N turns [default with --chance: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    within: Option<u32>,
    /// Look ahead to the end of the game [default without --chance]
    #[arg(long, conflicts_with = "within")]
    to_the_end: bool,
    #[command(flatten)]
    deals: DealsArguments,
    /// Maximum number of states
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATES as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_STATES as u64))]
    states: u64,
    /// Maximum memory for the states, in megabytes
    #[arg(long, value_name = "MB", default_value_t = MEGABYTES, value_parser = megabytes())]
    memory: u64,
    /// What runs the rules: `machine`, or the name of an engine
    #[arg(long, value_name = "NAME", value_parser = run_by, hide = true)]
    engine: Option<RunBy>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Computes the odds and prints them.
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
        deals: arguments.deals.of(),
        bytes: arguments.memory * MEGABYTE,
        by: match arguments.engine {
            None => Follower::default(),
            Some(RunBy::Machine) => Follower::Machine,
            Some(RunBy::Compiled(engine)) => Follower::Compiled(engine),
        },
        flags: ODDS,
    };
    let waiting = Waiting::new(arguments.format, "states");
    let found =
        with_test(&arguments.chosen, |loader, suite, index| referee_scenario::odds(loader, suite, index, &request));
    if let Ok(Ok((Some(odds), _))) = &found {
        waiting.done(odds.states as u64, "states");
    } else {
        drop(waiting);
    }
    match found {
        Err(exit) => exit,
        Ok(Err(UnknownOdds { problems, limit })) => {
            print_errors(&problems);
            if limit.is_some() {
                return Exit::Failed;
            }
            // An error in the question itself is a usage error.
            let usage = problems.iter().any(|problem| {
                let places = &problem.labels;
                let on_command_line = places.is_empty() || places.iter().any(|place| place.source.is_command_line());
                on_command_line || problem.is_of_question()
            });
            if usage { Exit::Usage } else { Exit::Invalid }
        }
        Ok(Ok((None, end))) => judged(&end).unwrap_or(Exit::Failed),
        Ok(Ok((Some(odds), end))) => {
            print(&match arguments.format {
                Format::Human => odds_human(&odds, Sampled::of(&request.deals)),
                Format::Json => odds_json(&odds, Sampled::of(&request.deals)),
            });
            judged(&end).unwrap_or(Exit::Passed)
        }
    }
}
