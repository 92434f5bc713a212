//! Converts between the values of a game and those of a script.

use std::sync::Arc;

use rhai::{Array, Dynamic, ImmutableString, Map, Position};

use super::arena::Opaque;
use super::errors::{Native, failure, unwritable_text};
use super::moves::Moves;
use referee_source::unwritable;
use referee_table::{Cell, Cells, Dirs, Kind, Lost, Move, PieceId, PlayerId, Several, Value, ZoneId};
use referee_trace::RulesPlace;

/// Converts a game's value for a script. Sets and lists become arrays.
pub(crate) fn to_script(value: &Value) -> Dynamic {
    match value {
        Value::Nothing => Dynamic::UNIT,
        Value::Bool(truth) => (*truth).into(),
        Value::Int(number) => (*number).into(),
        Value::Text(text) => ImmutableString::from(&**text).into(),
        Value::Player(player) => Dynamic::from(*player),
        Value::Piece(piece) => Dynamic::from(*piece),
        Value::Cell(cell) => Dynamic::from(*cell),
        Value::Move(moved) => Dynamic::from(moved.clone()),
        Value::Set(set) => set.iter().map(to_script).collect::<Array>().into(),
        Value::List(list) => list.iter().map(to_script).collect::<Array>().into(),
        Value::Bag(_) => value.items().map(to_script).collect::<Array>().into(),
        Value::Map(map) => {
            let pairs = map.iter().map(|(name, value)| ((&**name).into(), to_script(value)));
            pairs.collect::<Map>().into()
        }
    }
}

/// Converts a script's value to one that the game's state can hold.
///
/// # Errors
/// Returns an error for a function or a view of the game, which cannot be kept.
pub(crate) fn from_script(value: &Dynamic) -> Native<Value> {
    if value.is_unit() {
        return Ok(Value::Nothing);
    }
    if let Ok(truth) = value.as_bool() {
        return Ok(Value::Bool(truth));
    }
    if let Ok(number) = value.as_int() {
        return Ok(Value::Int(number));
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Ok(Value::Text(Arc::from(text.as_str())));
    }
    if let Some(player) = value.clone().try_cast::<PlayerId>() {
        return Ok(Value::Player(player));
    }
    if let Some(piece) = value.clone().try_cast::<PieceId>() {
        return Ok(Value::Piece(piece));
    }
    if let Some(cell) = value.clone().try_cast::<Cell>() {
        return Ok(Value::Cell(cell));
    }
    if let Some(moved) = value.clone().try_cast::<Move>() {
        return Ok(Value::Move(moved));
    }
    if let Some(cells) = value.read_lock::<Cells>() {
        return Ok(Value::Set(cells.iter().map(Value::Cell).collect()));
    }
    if let Some(list) = value.read_lock::<Array>() {
        return Ok(Value::List(list.iter().map(from_script).collect::<Native<_>>()?));
    }
    if let Some(map) = value.read_lock::<Map>() {
        let pair = |(name, value): (&rhai::Identifier, &Dynamic)| Ok((Arc::from(name.as_str()), from_script(value)?));
        return Ok(Value::Map(map.iter().map(pair).collect::<Native<_>>()?));
    }
    Err(failure(format!("{} cannot be kept from one phase to the next", kind_of(value))))
}

/// Converts a script's value to one of `kind`. A list becomes a set or a bag if `kind` is one; if that loses something,
/// the list is returned with what it would lose.
///
/// # Errors
/// Returns an error if the value is not of this kind.
pub(crate) fn of_kind(value: &Dynamic, kind: &Kind, directions: usize) -> Native<(Value, Option<Lost>)> {
    let (value, lost) = match kind.converted(from_script(value)?) {
        Ok(value) => (value, None),
        Err((lost, list)) => (Value::List(list), Some(lost)),
    };
    if kind.accepts(&value, directions) {
        return Ok((value, lost));
    }
    Err(match unwritten(kind, &value) {
        Some(why) => unwritable_text(&why),
        None => failure(mismatch(kind, &value, directions)),
    })
}

/// Returns the message for a value that is not of a kind. If it is a list, the first wrong one of its values is named.
fn mismatch(kind: &Kind, value: &Value, directions: usize) -> String {
    let found = |value: &Value| kind_of(&to_script(value));
    match (kind, value) {
        (Kind::Many(_, one), Value::List(list)) => {
            let wrong = list.iter().find(|value| !one.accepts(value, directions)).unwrap_or(value);
            format!("expected {one}, found {}", found(wrong))
        }
        // Scripts have sets of cells only.
        (Kind::Many(Several::List, _), Value::Set(_)) => {
            "expected a list, found a set of cells, which has no order: write `in_order(cells)`".to_owned()
        }
        _ => format!("expected {kind}, found {}", found(value)),
    }
}

/// Returns why no line can have the first text of this kind for which that is so.
fn unwritten(kind: &Kind, value: &Value) -> Option<String> {
    match (kind, value) {
        (Kind::Text, Value::Text(text)) => unwritable(text),
        (Kind::Many(_, one), Value::Set(set)) => set.iter().find_map(|value| unwritten(one, value)),
        (Kind::Many(_, one), Value::List(list)) => list.iter().find_map(|value| unwritten(one, value)),
        (Kind::Many(_, one), Value::Bag(bag)) => bag.iter().find_map(|(value, _)| unwritten(one, value)),
        _ => None,
    }
}

/// Describes the kind of a script's value in messages.
pub(crate) fn kind_of(value: &Dynamic) -> String {
    if value.is::<PlayerId>() {
        "a player".to_owned()
    } else if value.is::<PieceId>() {
        "a piece".to_owned()
    } else if value.is::<ZoneId>() {
        "a zone".to_owned()
    } else if value.is::<Cell>() {
        "a cell".to_owned()
    } else if value.is::<Move>() {
        "a move".to_owned()
    } else if value.is::<Moves>() {
        "several moves".to_owned()
    } else if value.is::<Cells>() {
        "a set of cells".to_owned()
    } else if value.is::<Dirs>() {
        "cells for each direction".to_owned()
    } else if value.is_unit() {
        "`()`".to_owned()
    } else if let Ok(number) = value.as_int() {
        format!("the number {number}")
    } else if let Some(text) = value.read_lock::<ImmutableString>() {
        format!("the string \"{}\"", &*text)
    } else if value.is_bool() {
        "a boolean".to_owned()
    } else if value.is_array() {
        "a list".to_owned()
    } else if value.is_map() {
        "a map".to_owned()
    } else if value.is_fnptr() || value.is::<Opaque>() {
        "a function".to_owned()
    } else {
        match value.type_name() {
            "action" => "an action".to_owned(),
            name if name.ends_with("Action") => "an action".to_owned(),
            name if name.contains("::Range") => "a range of numbers".to_owned(),
            name => format!("a {name}"),
        }
    }
}

/// Converts a position of the engine to a place in the rules.
pub(crate) fn rules_place(position: Position) -> RulesPlace {
    RulesPlace { line: position.line().unwrap_or(0), column: position.position().unwrap_or(1) }
}

/// Adds the strings that a value is, or that are in a list or a map, and in those in it.
pub(crate) fn add_texts(value: &Dynamic, texts: &mut Vec<ImmutableString>) {
    if let Some(text) = value.read_lock::<ImmutableString>() {
        texts.push(text.clone());
    } else if let Some(list) = value.read_lock::<Array>() {
        list.iter().for_each(|value| add_texts(value, texts));
    } else if let Some(map) = value.read_lock::<Map>() {
        map.values().for_each(|value| add_texts(value, texts));
    }
}
