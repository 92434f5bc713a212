//! The flags that messages and reports of other modules name. No other module knows a word of the command line.

use referee_scenario::{OddsFlags, SetUpFlags, StrategyFlags};

/// The flags for a set-up.
pub(super) const SET_UP: SetUpFlags =
    SetUpFlags { variant: "--variant", players: "--players", house: "--house", option: "--with" };
/// The flags of `referee compare` for the reading that all others are compared with.
pub(super) const AGAINST: SetUpFlags = SetUpFlags { house: "--against", option: "--against", ..SET_UP };
/// The flags of `referee compare` for the other reading.
pub(super) const COMPARED: SetUpFlags = SetUpFlags { option: "--set", ..SET_UP };

/// The flags for how players decide.
pub(super) const STRATEGY: StrategyFlags = StrategyFlags { when: "--when", policy: "--policy" };
/// The flags for a question about odds.
pub(super) const ODDS: OddsFlags =
    OddsFlags { chance: "--chance", within: "--within", states: "--states", memory: MEMORY, strategy: STRATEGY };
/// The flag for the memory for states, in megabytes.
pub(super) const MEMORY: &str = "--memory";

/// The flag for what must be true at every point of play.
pub(super) const ALWAYS: &str = "--always";
/// The flag for the number of turns after which a game is stopped.
pub(super) const MAX_TURNS: &str = "--max-turns";
/// The flag for the folder to which scenarios are written.
pub(super) const WRITE: &str = "--write";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{AGAINST, ALWAYS, COMPARED, MAX_TURNS, MEMORY, ODDS, SET_UP, STRATEGY, WRITE};

    #[test]
    fn every_flag_that_messages_name_is_one_of_its_command() {
        let set_up = [SET_UP.variant, SET_UP.players, SET_UP.house, SET_UP.option];
        let odds = [ODDS.chance, ODDS.within, ODDS.states, ODDS.memory, STRATEGY.when, STRATEGY.policy];
        let compared = [AGAINST.option, AGAINST.house, COMPARED.option, COMPARED.house, COMPARED.players];
        let of_commands: [(&str, &[&str]); 6] = [
            ("simulate", &set_up),
            ("simulate", &[STRATEGY.policy]),
            ("odds", &odds),
            ("compare", &compared),
            ("compare", &[ODDS.states, ODDS.memory]),
            ("explore", &[ALWAYS, MAX_TURNS, MEMORY, WRITE]),
        ];
        let program = crate::cli::Arguments::command();
        for (name, flags) in of_commands {
            let arguments = program.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
            let named: Vec<&str> = arguments.filter_map(clap::Arg::get_long).collect();
            for flag in flags {
                let is_there = flag.strip_prefix("--").is_some_and(|long| named.contains(&long));
                assert!(is_there, "{name} has no {flag}");
            }
        }
    }
}
