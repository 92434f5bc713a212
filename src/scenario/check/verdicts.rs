//! Judging what must be so against what is.

use crate::diagnostic::Diagnostic;
use crate::play::{Machine, Stop};
use crate::scenario::check::marks::{in_values, wrong_marks};
use crate::scenario::plan::actions::same;
use crate::scenario::plan::model::{Check, EventRow};
use crate::scenario::plan::properties::owner_name;
use crate::scenario::write::answers::shorten;
use crate::scenario::write::cards::content;
use crate::syntax::ast::ChoicesHow;
use crate::table::{
    Cell, Cells, Drawing, Drawn, Names, Outcome, Owner, PieceId, PlayerId, PropertyId, PropertyKind, State, Token,
    Value, Zone, ZoneId, draw_with, fits, symbol,
};
use crate::trace::{Action, Decision, Event, Question};

/// What does not come out as written.
#[derive(Debug, Default)]
pub(crate) struct Mismatch {
    pub(crate) message: String,
    pub(crate) expected: String,
    pub(crate) actual: String,
    pub(crate) boards: Option<(Drawing, Drawing)>,
    pub(crate) help: Option<String>,
    /// The cells in question.
    pub(crate) cells: Option<Cells>,
    /// The part of the line or the row that is wrong, if it is not the whole line.
    pub(crate) span: Option<crate::source::Span>,
}

/// How an expectation comes out: a value of its own, so that no `?` on a lookup can mean that it holds.
#[must_use]
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It is so.
    Holds,
    /// It is not so.
    Fails(Box<Mismatch>),
    /// Something that the plan names was not found here; never a pass.
    Lost(&'static str),
}

impl Verdict {
    /// Returns the verdict with its mismatch changed.
    fn with(self, change: impl FnOnce(&mut Mismatch)) -> Self {
        match self {
            Self::Fails(mut found) => {
                change(&mut found);
                Self::Fails(found)
            }
            other => other,
        }
    }
}

/// Returns the error for a judge that cannot find `what`.
pub(crate) fn lost(what: &str) -> Diagnostic {
    let message = format!("internal error: {what} is not there to be judged");
    Diagnostic::general("internal_error", message).help("please report this with the files that lead to it")
}

fn mismatch(message: impl Into<String>, expected: impl Into<String>, actual: impl Into<String>) -> Verdict {
    let (message, expected, actual) = (message.into(), expected.into(), actual.into());
    Verdict::Fails(Box::new(Mismatch { message, expected, actual, ..Mismatch::default() }))
}

/// Judges an expectation; `seen` is how many events were looked at before.
pub(crate) fn judge(machine: &Machine<'_>, check: &Check, seen: usize) -> Verdict {
    let state = machine.state();
    let names = machine.names();
    match check {
        Check::At(piece, cell) => at(state, names, *piece, Some(*cell)),
        Check::Off(piece) => at(state, names, *piece, None),
        Check::Empty(cell) => holds(state, names, *cell, None),
        Check::FaceDown(cell, wanted) => face_down(state, names, *cell, *wanted),
        Check::Holds(cell, piece, player) => holds(state, names, *cell, Some((*piece, *player))),
        Check::Property(property, owner, wanted) => property_is(state, names, (*property, *owner), wanted),
        Check::Turn(player) => {
            if state.turn == Some(*player) {
                return Verdict::Holds;
            }
            let said = |player| format!("turn {}", names.schema.player_name(player));
            let actual = state.turn.map_or_else(|| "nobody's turn".to_owned(), said);
            mismatch(format!("it is not {}'s turn", names.schema.player_name(*player)), said(*player), actual)
        }
        Check::Asks(player, ask) => {
            let decisions = decisions(machine);
            if decisions.iter().any(|decision| decision.player == *player && decision.ask == *ask) {
                return Verdict::Holds;
            }
            let verb = names.schema.asks.get(ask.index()).map_or("", |form| form.verb.as_str());
            let expected = format!("asks {} {verb}", names.schema.player_name(*player));
            mismatch("the rules do not ask this", expected, standing(machine))
        }
        Check::AsksRoll(die) => match machine.stop() {
            Stop::Paused(ask) if ask.question == Question::Roll(*die) => Verdict::Holds,
            _ => mismatch(
                "the rules do not ask for this die",
                format!("asks {}", Question::Roll(*die).write(names)),
                standing(machine),
            ),
        },
        Check::AsksDraw(zone) => match machine.stop() {
            Stop::Paused(ask) if ask.question == Question::Draw(*zone) => Verdict::Holds,
            _ => mismatch(
                "the rules do not ask for this card",
                format!("asks {}", Question::Draw(*zone).write(names)),
                standing(machine),
            ),
        },
        Check::Cards(zone, wanted, more) => zone_holds(state, names, *zone, wanted, *more),
        Check::CardCount(zone, wanted) => {
            let Some(actual) = state.zone(*zone).map(Zone::len) else { return Verdict::Lost("this zone") };
            let name = names.schema.zone_name(*zone);
            let said = |count: u64| format!("{name} count {count}");
            if actual == *wanted {
                Verdict::Holds
            } else {
                mismatch(format!("{name} has {actual}, not {wanted}"), said(*wanted), said(actual))
            }
        }
        Check::CardIn(card, zone) => {
            let Some(actual) = state.zone(*zone) else { return Verdict::Lost("this zone") };
            if actual.count(*card) > 0 {
                return Verdict::Holds;
            }
            let (card, name) = (names.schema.piece_name(*card), names.schema.zone_name(*zone));
            let held = format!("{name} = {}", content(names.schema, *zone, actual));
            mismatch(format!("there is no {card} in {name}"), format!("{card} in {name}"), held)
        }
        Check::Winners(wanted) => {
            let won = matches!(&state.outcome, Some(Outcome::Won(winners)) if winners == wanted);
            if won {
                Verdict::Holds
            } else {
                mismatch(
                    "the outcome is different",
                    outcome(names, Some(&Outcome::Won(wanted.clone()))),
                    outcome(names, state.outcome.as_ref()),
                )
            }
        }
        Check::NobodyWins => ended(state, names, &Outcome::Nobody),
        Check::NoWinner => match &state.outcome {
            Some(Outcome::Won(_)) => mismatch("somebody has won", "no winner", outcome(names, state.outcome.as_ref())),
            _ => Verdict::Holds,
        },
        Check::Loses(player) => {
            let lost = match &state.outcome {
                Some(Outcome::Won(winners)) => !winners.contains(player),
                Some(Outcome::Nobody) => true,
                Some(Outcome::Draw) | None => false,
            };
            let name = names.schema.player_name(*player);
            let actual = || outcome(names, state.outcome.as_ref());
            if lost {
                Verdict::Holds
            } else {
                mismatch(format!("{name} has not lost"), format!("{name} loses"), actual())
            }
        }
        Check::Draw => ended(state, names, &Outcome::Draw),
        Check::Over => {
            if state.outcome.is_some() {
                Verdict::Holds
            } else {
                mismatch("the game is not over", "over", standing(machine))
            }
        }
        Check::NotOver => {
            if state.outcome.is_none() {
                Verdict::Holds
            } else {
                mismatch("the game is over", "not over", outcome(names, state.outcome.as_ref()))
            }
        }
        Check::Choices { verb, how, list } => choices(machine, *verb, *how, list),
        Check::ChoicesCount { verb, count } => {
            let offered = offered(machine, *verb);
            if offered.len() == *count {
                return Verdict::Holds;
            }
            let all: Vec<String> = offered.iter().map(|action| action.write(names)).collect();
            mismatch(
                "there are more or fewer choices",
                count.to_string(),
                format!("{}: {}", offered.len(), shorten(&all)),
            )
        }
        Check::Board(drawn) => board(state, drawn),
        // These need more than the machine: the runner judges them.
        Check::Island(_) | Check::Snapshot | Check::Chance(_) => Verdict::Lost("what this line expects"),
        Check::Events { exactly, rows } => events(machine, *exactly, rows, seen),
    }
}

fn property_is(state: &State, names: Names<'_>, (property, owner): (PropertyId, Owner), wanted: &Value) -> Verdict {
    let actual = state.value(property, owner).zip(names.schema.properties.get(property.index()));
    let Some((actual, declared)) = actual else { return Verdict::Lost("this value") };
    if wanted.says(actual) {
        return Verdict::Holds;
    }
    let who = owner_name(names.schema, owner);
    if declared.kind == PropertyKind::Flag {
        let said = |value: &Value| match value {
            Value::Bool(true) => format!("{who} {}", declared.name),
            _ => format!("{who} not {}", declared.name),
        };
        return mismatch(format!("{} is not so", said(wanted)), said(wanted), said(actual));
    }
    let kind = match &declared.kind {
        PropertyKind::Value(kind) => Some(kind),
        _ => None,
    };
    let said = |value: &Value| format!("{who}.{} = {}", declared.name, names.write(kind, value));
    let write = |value: &Value| names.write(kind, value);
    let message = format!("{who}.{} is {}, not {}", declared.name, write(actual), write(wanted));
    mismatch(message, said(wanted), said(actual))
}

fn at(state: &State, names: Names<'_>, piece: PieceId, wanted: Option<Cell>) -> Verdict {
    let actual = state.place(piece);
    let many = names.schema.is_many(piece);
    let there = wanted.map_or_else(
        || state.is_off(piece),
        |cell| if many { state.at(cell) == Some(piece) } else { actual == wanted },
    );
    if there {
        return Verdict::Holds;
    }
    if let (true, Some(cell)) = (many, wanted) {
        return holds(state, names, cell, Some((piece, None)));
    }
    let name = names.schema.piece_name(piece);
    let place =
        |cell: Option<Cell>| cell.map_or_else(|| "off".to_owned(), |cell| format!("at {}", names.board.name(cell)));
    let is = match (actual, wanted) {
        // Of many pieces none has a place of its own.
        (None, None) => "on the board".to_owned(),
        _ => place(actual),
    };
    let message = format!("{name} is {is}, not {}", place(wanted));
    let found = mismatch(message, format!("{name} {}", place(wanted)), format!("{name} {is}"));
    // Where it is and should not be, and where it should be and is not.
    let footprint = wanted.and_then(|cell| names.board.footprint(cell, state.table.size(piece)));
    let covered = state.covered(piece);
    let cells = footprint
        .map_or_else(|| covered.clone(), |wanted| wanted.union(&covered).difference(&wanted.intersection(&covered)));
    found.with(|found| found.cells = Some(cells))
}

/// Returns whether a cell is empty, or holds a piece: one with this player before it, where the line says one.
fn holds(state: &State, names: Names<'_>, cell: Cell, wanted: Option<(PieceId, Option<PlayerId>)>) -> Verdict {
    let claimed = wanted.and_then(|(_, player)| player);
    // Of the player nothing is claimed where none is written.
    let player = |piece: PieceId| claimed.and_then(|_| state.drawn_player(piece));
    let actual = state.at(cell).map(|piece| (piece, player(piece)));
    if actual == wanted {
        return Verdict::Holds;
    }
    let name = names.board.name(cell);
    let what = |held: Option<(PieceId, Option<PlayerId>)>| match held {
        None => format!("{name} empty"),
        Some((piece, player)) => {
            format!("{name} holds {}", names.schema.prefixed(player, names.schema.piece_name(piece)))
        }
    };
    let found = mismatch(format!("{} is not so", what(wanted)), what(wanted), what(actual));
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Returns whether a card lies face down on a cell, or anything else does.
fn face_down(state: &State, names: Names<'_>, cell: Cell, wanted: bool) -> Verdict {
    let actual = state.face(cell).is_some();
    if actual == wanted {
        return Verdict::Holds;
    }
    let name = names.board.name(cell);
    let said = |down: bool| if down { format!("{name} face down") } else { format!("{name} not face down") };
    let found = match state.at(cell).filter(|_| !actual) {
        Some(piece) => format!("{name} holds {}", names.schema.piece_name(piece)),
        None if actual => said(true),
        None => format!("{name} empty"),
    };
    let found = mismatch(format!("{} is not so", said(wanted)), said(wanted), found);
    found.with(|found| found.cells = Some(Cells::of(names.board.size(), [cell])))
}

/// Returns whether a zone holds these cards: in this order, where the order matters.
fn zone_holds(state: &State, names: Names<'_>, zone: ZoneId, wanted: &[PieceId], more: bool) -> Verdict {
    let Some(actual) = state.zone(zone) else { return Verdict::Lost("this zone") };
    let ordered = names.schema.is_ordered(zone);
    let mut expected = Zone::default();
    if ordered {
        expected = Zone::new(wanted.to_vec(), Default::default());
    } else {
        wanted.iter().for_each(|card| expected.add(*card));
    }
    let same = match ordered {
        true => expected.known() == actual.known() && more != (actual.rest() == 0),
        false => expected == *actual && !more,
    };
    if same {
        return Verdict::Holds;
    }
    let name = names.schema.zone_name(zone);
    let said = |zone_content: &Zone, more: bool| {
        let more = if more { " …" } else { "" };
        format!("{name} = {}{more}", content(names.schema, zone, zone_content))
    };
    mismatch(format!("{name} holds other cards"), said(&expected, more), said(actual, false))
}

/// Returns the decisions that are pending.
pub(crate) fn decisions<'m>(machine: &'m Machine<'_>) -> &'m [Decision] {
    match machine.stop() {
        Stop::Paused(ask) | Stop::Refused(ask) => match &ask.question {
            Question::Choose(decision) => std::slice::from_ref(decision),
            Question::ChooseAll(all) => all,
            Question::Roll(_) | Question::Draw(_) => &[],
        },
        _ => &[],
    }
}

/// What the rules ask, or why they ask nothing.
pub(crate) fn standing(machine: &Machine<'_>) -> String {
    match machine.stop() {
        Stop::Paused(ask) | Stop::Refused(ask) => format!("asks {}", ask.question.write(machine.names())),
        Stop::Fresh => "nothing was played yet".to_owned(),
        Stop::Returned => "the procedure has returned".to_owned(),
        Stop::Over => format!("over: {}", outcome(machine.names(), machine.state().outcome.as_ref())),
        Stop::Fault(_) => "the rules stopped with an error".to_owned(),
    }
}

/// Returns why nothing is asked here, as a sentence for messages.
pub(crate) fn why_nothing(machine: &Machine<'_>) -> String {
    let names = machine.names();
    match (machine.stop(), &machine.state().outcome) {
        (Stop::Over, Some(outcome)) => {
            let ended = match outcome {
                Outcome::Nobody => "nobody has won".to_owned(),
                Outcome::Draw => "it is a draw".to_owned(),
                Outcome::Won(players) => {
                    let list: Vec<&str> = players.iter().map(|player| names.schema.player_name(*player)).collect();
                    format!("{} {} won", list.join(" and "), if list.len() == 1 { "has" } else { "have" })
                }
            };
            format!("the game is over: {ended}; nothing is asked any more")
        }
        _ => format!("nothing is asked here: {}", standing(machine)),
    }
}

/// Returns how a game ended, in the words of the language.
pub(crate) fn outcome(names: Names<'_>, outcome: Option<&Outcome>) -> String {
    match outcome {
        None => "not over".to_owned(),
        Some(Outcome::Nobody) => "nobody wins".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Won(players)) => {
            let list: Vec<&str> = players.iter().map(|player| names.schema.player_name(*player)).collect();
            format!("{} {}", if list.len() == 1 { "winner" } else { "winners" }, list.join(" "))
        }
    }
}

fn ended(state: &State, names: Names<'_>, wanted: &Outcome) -> Verdict {
    if state.outcome.as_ref() == Some(wanted) {
        return Verdict::Holds;
    }
    mismatch("the outcome is different", outcome(names, Some(wanted)), outcome(names, state.outcome.as_ref()))
}

/// Returns the options that are offered now, of a verb or of any.
pub(crate) fn offered(machine: &Machine<'_>, verb: Option<crate::table::AskId>) -> Vec<Action> {
    let all = decisions(machine).iter().flat_map(|decision| &decision.options);
    all.filter(|action| verb.is_none_or(|verb| action.ask == verb)).cloned().collect()
}

fn choices(
    machine: &Machine<'_>,
    verb: Option<crate::table::AskId>,
    how: ChoicesHow,
    list: &[(Action, crate::source::Span)],
) -> Verdict {
    let names = machine.names();
    if decisions(machine).is_empty() && how == ChoicesHow::Excludes {
        // Nothing is offered, which says nothing about what the rules would offer.
        let wanted: Vec<String> = list.iter().map(|(action, _)| action.write(names)).collect();
        let help = "an expectation about choices stands where a player is asked";
        let found = mismatch(
            "nobody is to decide anything here",
            format!("a choice without {}", shorten(&wanted)),
            format!("no choice: {}", standing(machine)),
        );
        return found.with(|found| found.help = Some(help.to_owned()));
    }
    let offered = offered(machine, verb);
    let say = |actions: &[&Action]| shorten(&actions.iter().map(|action| action.write(names)).collect::<Vec<_>>());
    let missing: Vec<&Action> = list
        .iter()
        .map(|(wanted, _)| wanted)
        .filter(|wanted| !offered.iter().any(|option| same(wanted, option)))
        .collect();
    let found: Vec<&Action> = list
        .iter()
        .map(|(wanted, _)| wanted)
        .filter(|wanted| offered.iter().any(|option| same(wanted, option)))
        .collect();
    let extra: Vec<&Action> =
        offered.iter().filter(|option| !list.iter().any(|(wanted, _)| same(wanted, option))).collect();
    // A move that is not offered as it is written says nothing about the same move written rightly.
    let marks = missing.iter().find_map(|wanted| wrong_marks(names, wanted, &offered));
    let wrong = match how {
        ChoicesHow::Equal => !missing.is_empty() || !extra.is_empty(),
        ChoicesHow::Includes => !missing.is_empty(),
        ChoicesHow::Excludes => !found.is_empty() || marks.is_some(),
    };
    if !wrong {
        return Verdict::Holds;
    }
    let message = match how {
        ChoicesHow::Excludes if found.is_empty() => "one of these moves is not written as it is made".to_owned(),
        ChoicesHow::Excludes => format!("offered after all: {}", say(&found)),
        ChoicesHow::Includes => format!("not offered: {}", say(&missing)),
        ChoicesHow::Equal => match (missing.is_empty(), extra.is_empty()) {
            (false, true) => format!("not offered: {}", say(&missing)),
            (true, _) => format!("offered too: {}", say(&extra)),
            (false, false) => format!("not offered: {}; offered instead: {}", say(&missing), say(&extra)),
        },
    };
    let wanted: Vec<&Action> = list.iter().map(|(wanted, _)| wanted).collect();
    let actual = if offered.is_empty() {
        format!("no choice: {}", standing(machine))
    } else {
        say(&offered.iter().collect::<Vec<_>>())
    };
    let help = marks.map(|wrong| format!("{}: {}", wrong.message, wrong.help));
    mismatch(message, say(&wanted), actual).with(|found| found.help = help)
}

fn board(state: &State, drawn: &[Drawn]) -> Verdict {
    let wrong = drawn.iter().filter(|(cell, token, _)| !fits(state, *cell, token));
    let differing: Vec<Cell> = wrong.map(|(cell, _, _)| *cell).collect();
    if differing.is_empty() {
        return Verdict::Holds;
    }
    let wanted = |cell: Cell| {
        let token = drawn.iter().find(|(other, _, _)| *other == cell).map(|(_, token, _)| token);
        let text = token.unwrap_or(&Token::Empty).write(state.schema());
        (text, differing.contains(&cell))
    };
    let expected = draw_with(state.board(), wanted);
    let actual = draw_with(state.board(), |cell| (symbol(state, cell), differing.contains(&cell)));
    let cells: Vec<&str> = differing.iter().take(12).map(|cell| state.board().name(*cell)).collect();
    let more = if differing.len() > cells.len() { " …" } else { "" };
    let count = differing.len();
    let message =
        format!("the board differs on {count} cell{}: {}{more}", if count == 1 { "" } else { "s" }, cells.join(" "));
    let said = |drawing: &Drawing| {
        drawing
            .rows
            .iter()
            .map(|row| row.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (expected_text, actual_text) = (said(&expected), said(&actual));
    mismatch(message, expected_text, actual_text).with(|found| found.boards = Some((expected, actual)))
}

fn events(machine: &Machine<'_>, exactly: bool, rows: &[EventRow], seen: usize) -> Verdict {
    let names = machine.names();
    let happened: Vec<&Event> = machine.events().skip(seen).collect();
    let fits = |(event, values, _): &EventRow, actual: &Event| {
        actual.event == *event
            && actual.values.len() == values.len()
            && values.iter().zip(&actual.values).all(|(wanted, value)| wanted.is_nothing() || wanted.says(value))
    };
    let all = || happened.iter().map(|event| event.write(names)).collect::<Vec<_>>();
    let row_text = |(event, values, _): &EventRow| Event { event: *event, values: values.clone() }.write(names);
    let wrong = |row: Option<&EventRow>, message: String, actual: String| {
        let expected = row.map_or_else(|| "no more events".to_owned(), row_text);
        mismatch(message, expected, actual).with(|found| {
            found.span = row.map(|(_, _, span)| *span);
            found.help = row.and_then(|(id, values, _)| {
                let mut like = happened.iter().filter(|event| event.event == *id);
                like.find_map(|event| in_values(names, values, &event.values)).map(|wrong| wrong.message)
            });
        })
    };
    let none = || "nothing more happened".to_owned();
    if exactly {
        for (place, row) in rows.iter().enumerate() {
            match happened.get(place) {
                Some(event) if fits(row, event) => {}
                Some(event) => return wrong(Some(row), format!("event {} differs", place + 1), event.write(names)),
                None => {
                    return wrong(
                        Some(row),
                        format!("only {} of {} events happened", happened.len(), rows.len()),
                        none(),
                    );
                }
            }
        }
        let extra: Vec<String> = happened.iter().skip(rows.len()).map(|event| event.write(names)).collect();
        return if extra.is_empty() {
            Verdict::Holds
        } else {
            wrong(
                None,
                format!("{} more event{} happened", extra.len(), if extra.len() == 1 { "" } else { "s" }),
                extra.join("\n"),
            )
        };
    }
    let mut at = 0;
    for row in rows {
        match happened.iter().skip(at).position(|event| fits(row, event)) {
            Some(place) => at += place + 1,
            None => {
                let rest = all().split_off(at.min(happened.len()));
                let earlier = happened.iter().take(at).any(|event| fits(row, event));
                let message = match (at, earlier) {
                    (0, _) => "this did not happen".to_owned(),
                    (_, true) => "this happened, but before the event in the row above".to_owned(),
                    (_, false) => "this did not happen after the event in the row above".to_owned(),
                };
                return wrong(Some(row), message, if rest.is_empty() { none() } else { rest.join("\n") });
            }
        }
    }
    Verdict::Holds
}
