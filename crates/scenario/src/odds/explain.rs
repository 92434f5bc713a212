//! Messages for an unknown chance: the decision without a policy or the limit that was reached; and lines of play.

use crate::plan::horizon::{MAX_MEGABYTES, MEGABYTE, fewer_turns};
use crate::plan::strategy::StrategyFlags;
use crate::write::answers::answer_lines;
use crate::write::answers::shorten;
use referee_diagnostic::{Code, Diagnostic, MustBe as _, counted};
use referee_play::{Horizon, Inquiry, Limit, OddsError, Open, Trap, UndecidedReason, Unseen};
use referee_rules::Program;
use referee_source::{quoted, shell_word};
use referee_table::Names;
use referee_trace::{Decision, Question};

/// The flags of the command line for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OddsFlags {
    /// The flag for the condition.
    pub chance: &'static str,
    /// The flag for a number of turns.
    pub within: &'static str,
    /// The flag for the largest number of states.
    pub states: &'static str,
    /// The flag for the largest number of megabytes.
    pub memory: &'static str,
    /// The flags for how players decide.
    pub strategy: StrategyFlags,
}

/// The place of a question, which decides how policies are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// In a scenario: policies are lines below the question.
    Line,
    /// On the command line: policies are flags.
    Flags(OddsFlags),
}

/// Returns the error for an unknown chance, without a location in the scenario.
pub(crate) fn explain(program: &Program, trouble: OddsError, inquiry: &Inquiry, asked: Asked) -> Diagnostic {
    match trouble {
        OddsError::Fault(wrong) => *wrong,
        OddsError::TooMany(states, limit) => too_many(states, limit, inquiry, asked),
        OddsError::Open(open) => undecided(program, &open, asked),
        OddsError::History(place) => {
            let message = "the rules ask how often a position has occurred, but odds keep no history";
            let wrong = Diagnostic::question(Code::NotSupported, message)
                .help("ask about fewer turns, or set the game's options so that this line does not run");
            wrong.labelled(program.label(place))
        }
    }
}

/// Returns the error for a limit that was reached, with help to stay below it.
fn too_many(states: usize, limit: Limit, inquiry: &Inquiry, asked: Asked) -> Diagnostic {
    let horizon = inquiry.horizon;
    let megabytes = inquiry.bytes / MEGABYTE;
    let count = counted(states, "state");
    let message = match limit {
        Limit::States => format!("not decided: more than {count}"),
        Limit::Bytes => {
            format!("not decided: {count} and the moves to them need more than {megabytes} MB, the limit on memory")
        }
        Limit::Work => format!("not decided: the limit of work was reached after {count}"),
        Limit::Phase => {
            format!("not decided: after {count}, a phase asks too often or has too many paths through it")
        }
    };
    // Beyond it, the limit of work is the same for every number of states.
    let most = if limit == Limit::Work { 4_000_000 } else { 1_000_000 };
    let more = match asked {
        Asked::Line => format!("allow more, `up to {most} states`"),
        Asked::Flags(flags) => format!("allow more, `{} {most}`", flags.states),
    };
    let larger = megabytes.saturating_mul(4).clamp(2000, MAX_MEGABYTES);
    let larger = (larger > megabytes).then(|| match asked {
        Asked::Line => format!("allow more memory, `up to {larger} MB`"),
        Asked::Flags(flags) => format!("allow more memory, `{} {larger}`", flags.memory),
    });
    let turns = match horizon {
        Horizon::Turns(turns) => Some(turns),
        Horizon::Game => None,
    };
    let fewer = fewer_turns(turns).map(|turns| match asked {
        Asked::Line => format!("ask about fewer turns, `within {}`", counted(turns, "turn")),
        Asked::Flags(flags) => format!("ask about fewer turns, `{} {turns}`", flags.within),
    });
    let ways = |more: Option<String>| {
        let all: Vec<String> = fewer.iter().cloned().chain(more).collect();
        if all.is_empty() { "begin nearer to the condition".to_owned() } else { all.join(", or ") }
    };
    let help = match limit {
        Limit::States if states < most => ways(Some(more)),
        Limit::Work => {
            format!("{}; a counter that no rule reads makes no difference as `record counter`", ways(Some(more)))
        }
        Limit::Bytes => ways(larger),
        Limit::States => ways(None),
        Limit::Phase => {
            let phases = "replace a loop in the rules that asks repeatedly by a phase that calls `then`";
            fewer.map_or_else(|| phases.to_owned(), |fewer| format!("{fewer}; or {phases}"))
        }
    };
    let estimate = match asked {
        Asked::Flags(flags) => {
            format!("\nor estimate it from random games: `referee simulate` has `{}`, too", flags.chance)
        }
        Asked::Line => String::new(),
    };
    Diagnostic::general(Code::Inconclusive, message).help(format!("{help}{estimate}"))
}

/// Returns the error for a decision without a policy, with the lines or flags that would decide it.
fn undecided(program: &Program, open: &Open, asked_in: Asked) -> Diagnostic {
    let Open { ask, state, why } = open;
    let names = Names { schema: state.schema(), board: state.board() };
    let decisions: &[Decision] = match &ask.question {
        Question::Choose(decision) => std::slice::from_ref(decision),
        Question::ChooseAll(all) => all,
        _ => &[],
    };
    let decision = match why {
        UndecidedReason::Unsaid(player) | UndecidedReason::AtOnce(player) | UndecidedReason::NotListed(player, _) => {
            decisions.iter().find(|decision| decision.player == *player)
        }
        UndecidedReason::Unseen(_) => decisions.first(),
    };
    let what = decision.map(|decision| decision.write(names)).or_missing("a decision without a policy", String::new());
    let (code, message) = match why {
        UndecidedReason::Unsaid(_) => (Code::Undecided, format!("no policy for the decision `{what}`")),
        UndecidedReason::NotListed(_, refused) => {
            let refused = refused.iter().map(|(words, why)| format!("; `{words}` is refused here: {}", quoted(why)));
            let message = format!(
                "`{what}` takes any values that `why_not` does not refuse: no policy decides it, and no option is best or worst{}",
                refused.collect::<String>()
            );
            (Code::NotListed, message)
        }
        UndecidedReason::AtOnce(_) => {
            let others = decisions.iter().filter(|other| Some(*other) != decision).map(|other| other.write(names));
            let others = others.collect::<Vec<_>>().join(" and ");
            let message = format!("`{what}` is decided at the same time as {others}, so no option is best or worst");
            (Code::Undecided, message)
        }
        UndecidedReason::Unseen(places) => {
            let name = |place: &Unseen| match place {
                Unseen::Zone(zone) => names.schema.zone_name(*zone),
                Unseen::Board => "face down on the board".to_owned(),
                Unseen::Nowhere => "in no zone".to_owned(),
                secret => format!("`{}`", secret.secret_name(names).unwrap_or_default()),
            };
            let zones: Vec<String> = places.iter().map(name).collect();
            let player = decision.map_or("", |decision| names.schema.player_name(decision.player));
            let unseen = all_of(&zones);
            let cards = places.iter().any(|place| matches!(place, Unseen::Zone(_) | Unseen::Board | Unseen::Nowhere));
            let values = places.iter().all(|place| matches!(place, Unseen::Value(..)));
            let at = if cards {
                "cards"
            } else if values {
                "values"
            } else {
                "secrets"
            };
            let message =
                format!("best or worst play of `{what}` would look at {at} that {player} does not see: {unseen}");
            (Code::NotSeen, message)
        }
    };
    let wrong = Diagnostic::question(code, message);
    let wrong = match decision {
        Some(decision) => wrong.help(ways_to_decide(names, decision, (why, decisions.len()), asked_in)),
        None => wrong,
    };
    wrong.labelled(program.label(ask.place))
}

/// Returns the lines or flags that would decide a decision, and its options. `at_once` is the number of decisions that
/// are made at the same time.
fn ways_to_decide(
    names: Names<'_>,
    decision: &Decision,
    (why, at_once): (&UndecidedReason, usize),
    asked_in: Asked,
) -> String {
    let player = names.schema.player_name(decision.player);
    let options = decision.written(names);
    let forms = decision.open_forms(names);
    let suggested = decision.options.iter().find(|option| decision.takes(option.ask)).map(|option| option.write(names));
    let example = suggested.as_ref().or(forms.first()).or(options.first()).map_or("", String::as_str);
    let mut ways = match asked_in {
        Asked::Line => vec![format!("`when {player} {example}`"), format!("`when {player} policy random`")],
        Asked::Flags(OddsFlags { strategy: StrategyFlags { when, policy }, .. }) => {
            vec![
                format!("`{when} {}`", shell_word(&format!("{player} {example}"))),
                format!("`{policy} {player}=random`"),
            ]
        }
    };
    if decision.unlisted().is_some() {
        // A policy has nothing to choose among.
        ways.truncate(1);
    }
    if matches!(why, UndecidedReason::Unsaid(_)) && at_once == 1 {
        ways.extend(match asked_in {
            Asked::Line => vec![format!("`at best for {player}`"), format!("`at worst for {player}`")],
            Asked::Flags(OddsFlags { strategy: StrategyFlags { policy, .. }, .. }) => {
                vec![format!("`{policy} {player}=best`"), format!("`{policy} {player}=worst`")]
            }
        });
    }
    let place = match asked_in {
        Asked::Line => "add a line below, for example",
        Asked::Flags(_) => "add for example",
    };
    let of = why;
    let why = match why {
        UndecidedReason::Unseen(_) => "name what the player does, whatever these are: ",
        UndecidedReason::AtOnce(_) => "no player sees the choice of another: ",
        UndecidedReason::Unsaid(_) | UndecidedReason::NotListed(..) => "",
    };
    let suggest = match decision.unlisted().filter(|_| matches!(of, UndecidedReason::NotListed(..))) {
        Some(ask) => {
            let verb = names.schema.verb(ask);
            format!(", or let the rules suggest some: `may_any(\"{verb}\", [may(\"{verb}\", …)])`")
        }
        None => String::new(),
    };
    format!("{why}{place} {}{suggest}\nthe options are: {}", any_of(&ways), shorten(&options))
}

fn all_of(words: &[String]) -> String {
    listed(words, "and")
}

fn any_of(words: &[String]) -> String {
    listed(words, "or")
}

fn listed(words: &[String], joint: &str) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {joint} {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Returns the shortest line of play to a trap, as lines of a scenario.
pub(crate) fn trap_lines(names: Names<'_>, trap: &Trap) -> Vec<String> {
    let lines: Vec<String> = trap.line.iter().flat_map(|answers| answer_lines(names, answers)).collect();
    let more = lines.len().saturating_sub(LONGEST_LINE);
    let rest = (more > 0).then(|| format!("… {more} more"));
    lines.into_iter().take(LONGEST_LINE).chain(rest).collect()
}

/// The most answers of a line of play that are shown.
const LONGEST_LINE: usize = 30;
