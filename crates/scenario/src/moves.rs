//! The options at the end of a scenario, and why an action is not among them.

use std::sync::Arc;

use crate::check::marks::wrong_marks;
use crate::check::verdicts::{decisions, ended_by, standing as asks};
use crate::plan::actions::{answer, same};
use crate::plan::model::Plan;
use crate::plan::resolver::Resolver;
use crate::run::runner::{self, End};
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Machine, Stop};
use referee_rules::Program;
use referee_source::{Source, Span};
use referee_syntax::parse_words;
use referee_table::Phrase;
use referee_trace::{Decision, Ended};

/// The pause at the end of a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndOfScenario {
    /// The question, or why nothing is asked.
    pub asks: String,
    /// The options that are listed, in the order of the rules.
    pub options: Vec<String>,
    /// The forms of asks that take any values which the rules do not refuse.
    pub open: Vec<String>,
    /// What the rules suggest for them.
    pub suggested: Vec<String>,
    /// The requested action, if it is an option.
    pub allowed: Option<String>,
    /// The requested action, if it is not an option.
    pub refused: Option<Refused>,
    /// How the game ended, and by what, if it is over.
    pub ended: Option<Ended>,
    /// How play came to this pause.
    pub end: End,
}

/// An action that is not among the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The player and the action.
    pub action: String,
    /// The reason, if the rules give one.
    pub reason: Option<String>,
}

/// Returns the pause at the end of a plan; `words` is an action to check, or empty.
pub(crate) fn end_of_scenario(plan: &Plan, program: &Program, words: &str) -> Result<EndOfScenario, Box<Diagnostic>> {
    runner::play(plan, program, |machine, end| {
        let names = machine.names();
        let all = decisions(machine);
        // Where several players are asked, each option names its player.
        let whose = |decision: &Decision| match all {
            [_] => String::new(),
            _ => format!("{} ", names.schema.player_name(decision.player)),
        };
        let of = |decision: &Decision| {
            let player = whose(decision);
            decision.listed().map(move |option| format!("{player}{}", option.write(names))).collect::<Vec<_>>()
        };
        let options = all.iter().flat_map(of).collect();
        let open = all.iter().flat_map(|decision| decision.open_forms(names)).collect();
        let suggested = all.iter().flat_map(|one| one.options.iter().filter(|option| one.takes(option.ask)));
        let suggested = suggested.map(|option| option.write(names)).collect();
        let ended = ended_by(machine);
        let found =
            EndOfScenario { asks: asks(machine), options, open, suggested, ended, allowed: None, refused: None, end };
        if words.is_empty() { Ok(found) } else { judge(machine, program, found, words) }
    })
}

/// A line that can answer a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerLine {
    /// The line: `ann walk to e5`, or the form of one: `ann propose AMOUNT for AMOUNT`.
    pub text: String,
    /// Whether it is a form, in which any values may be written.
    pub is_form: bool,
}

impl AnswerLine {
    const fn whole(text: String) -> Self {
        Self { text, is_form: false }
    }
}

/// Returns the lines that can answer the question at the end of a plan, at most `most` of them.
pub(crate) fn answers(plan: &Plan, program: &Program, most: usize) -> Vec<AnswerLine> {
    runner::play(plan, program, |machine, end| {
        let names = machine.names();
        let player = |decision: &Decision| names.schema.player_name(decision.player).to_owned();
        match machine.stop() {
            Stop::Paused(_) if end.broken => Vec::new(),
            Stop::Paused(ask) => {
                let chances = ask.question.chances(machine.state()).into_iter().take(most);
                let chances = chances.filter_map(|(answer, _)| ask.question.write_chance(names, &answer));
                let chances = chances.map(AnswerLine::whole);
                let decisions = decisions(machine).iter();
                let options = decisions.flat_map(|decision| {
                    let player = player(decision);
                    let forms = decision.open_forms(names).into_iter().map(|form| (form, true));
                    let options = decision.options.iter().map(|option| (option.write(names), false));
                    let line = move |(words, is_form)| AnswerLine { text: format!("{player} {words}"), is_form };
                    options.chain(forms).map(line)
                });
                chances.chain(options).take(most).collect()
            }
            Stop::Over | Stop::Fault(_) => Vec::new(),
            Stop::Fresh | Stop::Returned | Stop::Refused(_) => {
                let players = &machine.state().table.players;
                let turn = |player| AnswerLine::whole(format!("turn {}", names.schema.player_name(player)));
                players.iter().copied().map(turn).collect()
            }
        }
    })
}

fn judge(
    machine: &Machine<'_>,
    program: &Program,
    found: EndOfScenario,
    words: &str,
) -> Result<EndOfScenario, Box<Diagnostic>> {
    let source = Arc::new(Source::command_line(words));
    let span = Span::new(0..words.len());
    let mut resolver = Resolver::new(&source, None);
    let spans = parse_words(&source, span);
    let words = resolver.words(&spans);
    let Some((player, action)) = answer(&mut resolver, &machine.state().table, Phrase::new(&source, &words, span))
    else {
        let wrong = resolver.wrong.into_iter().next();
        return Err(Box::new(wrong.unwrap_or_else(|| Diagnostic::general(Code::WrongForm, "this is not a move"))));
    };
    let names = machine.names();
    let written = format!("{} {}", names.schema.player_name(player), action.write(names));
    let decisions = decisions(machine);
    let mine = decisions.iter().find(|decision| decision.player == player);
    if let Some(decision) = mine.filter(|decision| decision.takes(action.ask)) {
        return Ok(match program.why_not(machine.state(), decision.player, &action)? {
            None => EndOfScenario { allowed: Some(written), ..found },
            reason => EndOfScenario { refused: Some(Refused { action: written, reason }), ..found },
        });
    }
    if mine.is_some_and(|decision| decision.options.iter().any(|option| same(&action, option))) {
        return Ok(EndOfScenario { allowed: Some(written), ..found });
    }
    let marks = mine.and_then(|decision| wrong_marks(names, &action, &decision.options));
    let reason = match mine {
        _ if marks.is_some() => marks.map(|wrong| wrong.message),
        Some(_) => program.why_not(machine.state(), player, &action)?,
        None if decisions.is_empty() => Some(found.asks.clone()),
        None => Some("not your turn".to_owned()),
    };
    Ok(EndOfScenario { refused: Some(Refused { action: written, reason }), ..found })
}
