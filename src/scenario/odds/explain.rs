//! What there is to say where a chance is not known: which decision is open, which limit was met; and lines of play.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::play::{Limit, Machine, Open, Snag, Trap, Trouble, Unseen};
use crate::rules::{Holes, Program};
use crate::scenario::check::verdicts::{self, Verdict};
use crate::scenario::plan::model::Check;
use crate::scenario::write::answers::answer_lines;
use crate::scenario::write::answers::shorten;
use crate::source::Source;
use crate::table::{Names, State};
use crate::trace::{Decision, Question};

/// Returns whether a condition holds in a position.
pub(crate) fn holds(
    program: &Program,
    (source, holes): (&Arc<Source>, &Holes),
    condition: &Check,
    state: &State,
) -> Result<bool, Box<Diagnostic>> {
    match condition {
        Check::Island(island) => program.judge_island(source, *island, holes, state),
        other => match verdicts::judge(&Machine::new(program, state.clone()), other, 0) {
            Verdict::Holds => Ok(true),
            Verdict::Fails(_) => Ok(false),
            Verdict::Lost(what) => Err(Box::new(verdicts::lost(what))),
        },
    }
}

/// Where a question stands, and so how decisions are settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// In a scenario: lines below it.
    Line,
    /// On the command line: flags.
    Flag,
}

/// What there is to say of a trouble, without a place in the scenario.
pub(crate) fn explain(program: &Program, trouble: Trouble, asked: Asked) -> Diagnostic {
    match trouble {
        Trouble::Fault(wrong) => *wrong,
        Trouble::TooMany(states, limit) => too_many(states, limit, asked),
        Trouble::Open(open) => not_settled(program, &open, asked),
        Trouble::History(place) => {
            let message = "the rules ask how often a position stood before, and odds take equal positions for one";
            let wrong = Diagnostic::general("not_supported", message)
                .help("ask about fewer turns, or choose the options of the game so that this line is not run");
            Diagnostic { labels: program.label(place).into_iter().collect(), ..wrong }
        }
    }
}

/// Returns which limit was met, and how to stay below it.
fn too_many(states: usize, limit: Limit, asked: Asked) -> Diagnostic {
    let count = format!("{states} state{}", if states == 1 { "" } else { "s" });
    let message = match limit {
        Limit::States => format!("not decided: there are more than {count}"),
        Limit::Bytes => format!("not decided: {count} and what leads to them fill the memory that there is for them"),
        Limit::Work => format!("not decided: {count} took all the work that there may be"),
        Limit::Phase => {
            format!("not decided: after {count}, a phase asks too often or goes on in too many ways")
        }
    };
    let (fewer, more) = match asked {
        Asked::Line => ("`within 3 turns`", "`up to 1000000 states`"),
        Asked::Flag => ("`--within 3`", "`--states 1000000`"),
    };
    let help = match limit {
        Limit::States | Limit::Work if states < 1_000_000 => {
            format!("ask about fewer turns, {fewer}, or allow more, {more}")
        }
        Limit::States | Limit::Work | Limit::Bytes => format!("ask about fewer turns, {fewer}"),
        Limit::Phase => format!(
            "ask about fewer turns, {fewer}; a loop in the rules that asks again and again is better a phase that calls `then`"
        ),
    };
    Diagnostic::general("not_decided", message).help(help)
}

/// Returns why a decision is not settled, and the lines or flags that would settle it.
fn not_settled(program: &Program, open: &Open, asked_in: Asked) -> Diagnostic {
    let Open { ask, state, why } = open;
    let names = Names { schema: state.schema(), board: state.board() };
    let decisions: &[Decision] = match &ask.question {
        Question::Choose(decision) => std::slice::from_ref(decision),
        Question::ChooseAll(all) => all,
        _ => &[],
    };
    let decision = match why {
        Snag::Unsaid(player) | Snag::AtOnce(player) => decisions.iter().find(|decision| decision.player == *player),
        Snag::Unseen(_) => decisions.first(),
    };
    let what = decision.map(|decision| decision.write(names)).unwrap_or_default();
    let (code, message) = match why {
        Snag::Unsaid(_) => ("not_settled", format!("no policy for the decision `{what}`")),
        Snag::AtOnce(_) => {
            let others = decisions.iter().filter(|other| Some(*other) != decision).map(|other| other.write(names));
            let others = others.collect::<Vec<_>>().join(" and ");
            let message =
                format!("`{what}` is decided at once with {others}, so that no choice is the best or the worst");
            ("not_settled", message)
        }
        Snag::Unseen(places) => {
            let name = |place: &Unseen| match place {
                Unseen::Zone(zone) => names.schema.zone_name(*zone),
                Unseen::Board => "the board, face down".to_owned(),
            };
            let zones: Vec<String> = places.iter().map(name).collect();
            let player = decision.map_or("", |decision| names.schema.player_name(decision.player));
            let unseen = all_of(&zones);
            let message =
                format!("best or worst play of `{what}` would look at cards that {player} does not see: {unseen}");
            ("not_seen", message)
        }
    };
    let wrong = Diagnostic::general(code, message);
    let wrong = match decision {
        Some(decision) => wrong.help(ways_to_decide(names, decision, (why, decisions.len()), asked_in)),
        None => wrong,
    };
    Diagnostic { labels: program.label(ask.place).into_iter().collect(), ..wrong }
}

/// Returns the lines or flags that say how a decision, one of so many at once, is made; and its options.
fn ways_to_decide(names: Names<'_>, decision: &Decision, (why, at_once): (&Snag, usize), asked_in: Asked) -> String {
    let player = names.schema.player_name(decision.player);
    let options: Vec<String> = decision.options.iter().map(|option| option.write(names)).collect();
    let example = options.first().map_or("", String::as_str);
    let mut ways = match asked_in {
        Asked::Line => vec![format!("`when {player} {example}`"), format!("`when {player} policy random`")],
        Asked::Flag => vec![format!("`--when \"{player} {example}\"`"), format!("`--policy {player}=random`")],
    };
    if matches!(why, Snag::Unsaid(_)) && at_once == 1 {
        ways.extend(match asked_in {
            Asked::Line => vec![format!("`at best for {player}`"), format!("`at worst for {player}`")],
            Asked::Flag => vec![format!("`--policy {player}=best`"), format!("`--policy {player}=worst`")],
        });
    }
    let place = match asked_in {
        Asked::Line => "add a line below, for example",
        Asked::Flag => "add for example",
    };
    let why = match why {
        Snag::Unseen(_) => "say what the player does, whatever lies there: ",
        Snag::AtOnce(_) => "nobody sees another's choice: ",
        Snag::Unsaid(_) => "",
    };
    format!("{why}{place} {}\nthe options there are: {}", any_of(&ways), shorten(&options))
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
