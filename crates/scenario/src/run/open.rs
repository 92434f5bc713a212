//! What a line would drop that begins play: lines that put cards or pieces into place and are not finished, and the end of
//! a game that no line expects.

use std::sync::Arc;

use crate::check::facts::outcome;
use crate::check::verdicts::{ending, standing};
use crate::plan::model::{Check, Fact, Plan, Present, Step, StepKind};
use crate::write::cards::quoted;
use referee_diagnostic::{Code, Diagnostic};
use referee_play::{Machine, Stop};
use referee_source::{Source, Span};
use referee_table::{Dealing, Phase, ZoneId};
use referee_trace::{Ask, Question};

/// What is not finished.
pub(super) enum Open {
    /// The line `setup`.
    SetUp,
    /// A line `deal`, with the zone of the next card and the zone that gets it, if it is one.
    Dealing(ZoneId, Option<ZoneId>),
    /// A line `do` of a function that waits for a card.
    Procedure(Arc<str>, ZoneId),
    /// The game is over in this way, and no line expects an end.
    Ended(String),
}

/// Returns what the last of these steps that began something has left open; `None` if a new beginning loses nothing.
pub(super) fn open_before(machine: &Machine<'_>, steps: &[Step]) -> Option<Open> {
    if matches!(machine.stop(), Stop::Over) && !expects_end(steps) {
        return Some(Open::Ended(outcome(machine.names(), machine.state().outcome.as_ref())));
    }
    let Stop::Paused(Ask { question, .. }) = machine.stop() else { return None };
    let begun = steps.iter().rev().find(|step| {
        matches!(step.kind, StepKind::Turn(_) | StepKind::Resume(..) | StepKind::Do(..) | StepKind::Setup(_))
    });
    match (&begun?.kind, question) {
        (StepKind::Setup(_), _) => Some(Open::SetUp),
        (StepKind::Do(phase, _), Question::Draw(zone)) => Some(opened(phase, *zone)),
        _ => None,
    }
}

/// Returns whether the last of these steps, which do not play, expect that the game is over, or may do so.
fn expects_end(steps: &[Step]) -> bool {
    let checks = steps.iter().rev().map_while(|step| match &step.kind {
        StepKind::Expect(check) => Some(Some(check)),
        StepKind::Refuse { .. } => Some(None),
        _ => None,
    });
    checks.flatten().any(|check| match check {
        // An end that is denied may have come as well.
        Check::Present(Present::Fact(fact)) => matches!(
            if let Fact::Not(denied) = fact { denied } else { fact },
            Fact::Winners(_) | Fact::NobodyWins | Fact::NoWinner | Fact::Loses(_) | Fact::Draw | Fact::Over
        ),
        Check::Expression(_) | Check::Snapshot => true,
        Check::Present(_) | Check::Chance(_) | Check::Question(_) | Check::Perft(_) => false,
    })
}

/// Returns the error for a dealing that is not finished at the end of a plan: its cards are in no place that the lines
/// say, and play would end with it.
pub(crate) fn only_deals(machine: &Machine<'_>, plan: &Plan) -> Option<Diagnostic> {
    let open = open_before(machine, &plan.steps).filter(|open| matches!(open, Open::Dealing(..)))?;
    let step = plan.steps.iter().rev().find(|step| matches!(step.kind, StepKind::Do(..)))?;
    Some(open.reported(machine, &plan.source, step.span))
}

fn opened(phase: &Phase, from: ZoneId) -> Open {
    match Dealing::of(phase) {
        Some(Dealing::Deal { to, .. }) => Open::Dealing(from, to.first().copied().filter(|_| to.len() == 1)),
        Some(_) => Open::Dealing(from, None),
        None => Open::Procedure(Arc::clone(&phase.name), from),
    }
}

impl Open {
    /// Returns the error for a line at `span` that would drop it.
    pub(super) fn reported(&self, machine: &Machine<'_>, source: &Arc<Source>, span: Span) -> Diagnostic {
        let schema = machine.names().schema;
        // A card that may be drawn, as a line writes it.
        let draw = |zone: ZoneId| {
            let bag = machine.state().zone(zone).and_then(|zone| zone.bag().keys().next().copied());
            let card = bag.map_or_else(|| "CARD".to_owned(), |card| quoted(schema, card));
            (format!("draw {} {card}", schema.zone_name(zone)), card)
        };
        let (what, help) = match self {
            Self::Ended(how) => {
                let message = format!("{}, and no line expects this", ending(machine));
                let help = format!("if this is right, write `expect {how}` above this line, which begins afresh");
                return Diagnostic::new(Code::WrongAnswer, source, span, message).help(help);
            }
            Self::SetUp => {
                let help = "answer it in lines above this one; or leave out `setup`, and write the position";
                ("the set-up".to_owned(), help.to_owned())
            }
            Self::Dealing(from, to) => {
                let (line, card) = draw(*from);
                let listed =
                    to.map(|to| format!("; or list the cards of the zone instead: `{}: {card}`", schema.zone_name(to)));
                let help = format!(
                    "write the cards that are dealt before play goes on: `{line}`{}",
                    listed.unwrap_or_default()
                );
                ("the dealing".to_owned(), help)
            }
            Self::Procedure(name, from) => {
                (format!("`do {name}`"), format!("write the card above this line: `{}`", draw(*from).0))
            }
        };
        let message = format!("{what} is not finished: {}", standing(machine));
        Diagnostic::new(Code::WrongAnswer, source, span, message).help(help)
    }
}
