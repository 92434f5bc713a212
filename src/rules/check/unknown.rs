//! Checks names: variables, and properties after a dot.

use std::collections::BTreeSet;

use rhai::{Expr, Position};

use super::checker::{Call, Checker};
use super::outcomes::Written;
use super::signatures::Signature;
use super::sorts::Sort;
use super::written::written_or;
use crate::diagnostic::{did_you_mean, nearest, one_of};
use crate::rules::layers::{author_name, function_value};
use crate::rules::natives;
use crate::table::{Each, PropertyEach};

/// The keys of the map that `choose` returns for an action.
const OF_CHOSEN: [&str; 3] = ["verb", "value", "values"];

impl Checker<'_> {
    pub(super) fn variable(&mut self, name: &str, position: Position, locals: &BTreeSet<String>) {
        self.asks_as_value(name, position);
        if self.unquoted.contains(&position)
            || self.is_component(name)
            || self.layers.constants.contains_key(name)
            || self.layers.has_function(name)
        {
            return;
        }
        let pieces = self.schema.pieces.iter().map(|piece| piece.name.as_str());
        let constants = self.layers.constants.keys().map(String::as_str);
        let components = self.components.keys().copied();
        let names = locals.iter().map(String::as_str).chain(components).chain(pieces).chain(constants);
        let near = || did_you_mean(name, names.chain(["true", "false"]));
        let help = self
            .in_place_of_variable(name)
            .or_else(|| self.with_quotes(name))
            .or_else(|| self.with_brackets(name))
            .or_else(|| self.is_cell(name).then(|| format!("write the cell, `cell_named(\"{name}\")`")))
            .or_else(near)
            .or_else(|| self.near_component(name))
            .unwrap_or_else(|| match name {
                "none" | "nothing" | "nobody" | "empty" => "write `()` for no value".to_owned(),
                name if self.alone => {
                    format!("write a player, a piece or a property; a text needs quotes: `\"{name}\"`")
                }
                _ => "declare a variable with `let`, add a parameter, or declare a component in the game file; a text \
                      needs quotes"
                    .to_owned(),
            });
        self.report("unknown_name", position, format!("unknown name `{}`", author_name(name)), Some(help));
    }

    /// Returns help for the name of a function of the rules API, which is no value.
    fn with_brackets(&self, name: &str) -> Option<String> {
        self.natives.contains_key(name).then(|| format!("write brackets to call the function: `{name}(…)`"))
    }

    /// Returns help for a name that stands in quotes where rules use it.
    pub(super) fn with_quotes(&self, name: &str) -> Option<String> {
        let schema = self.schema;
        let what = if schema.asks.iter().any(|form| form.verb == name) {
            "ask"
        } else if schema.dice.iter().any(|die| die.name == name) {
            "die"
        } else if schema.options.iter().any(|option| option.name == name) {
            return Some(format!(
                "write `option(\"{name}\")` for the value of the option, or its name in quotes, `\"{name}\"`"
            ));
        } else if schema.events.iter().any(|form| form.verb == name) {
            "event"
        } else if schema.clauses.iter().any(|clause| clause.id == name) {
            "clause"
        } else {
            return None;
        };
        Some(format!("write the name of the {what} in quotes: `\"{name}\"`"))
    }

    /// Returns help for the name of something in the game that rules cannot use as a variable.
    pub(super) fn in_place_of_variable(&self, name: &str) -> Option<String> {
        if self.alone && matches!(name, "me" | "player") && !self.locals.contains(name) {
            let players = self.schema.players.iter().map(String::as_str);
            return Some(format!("name the player: {}", one_of(players, 9)));
        }
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        let of_somebody = self.schema.zones.iter().any(|zone| zone.name == name && zone.owner.is_some());
        if of_somebody || kind.is_some() && self.natives.contains_key(name) {
            let what = match kind.map(|kind| kind.each) {
                Some(Each::Number(..)) => "that with a number",
                _ => "that of a player",
            };
            return Some(format!("write `{}` for {what}", self.called(name)));
        }
        if self.schema.pieces.iter().any(|piece| piece.name == name) {
            return Some(format!("write `piece(\"{name}\")`"));
        }
        let property = self.schema.properties.iter().find(|property| property.name == name)?;
        Some(match property.each {
            PropertyEach::Game => format!("write `game.{name}`"),
            PropertyEach::Player => format!("write `{}.{name}` for that of a player", self.somebody()),
            PropertyEach::Kind(_) => format!("write `piece.{name}` for that of a piece `piece`"),
        })
    }

    /// Returns the call for a zone or a piece: `hand(me)`, `pit(1)`.
    pub(super) fn called(&self, name: &str) -> String {
        let kind = self.schema.kinds.iter().find(|kind| kind.name == name);
        match kind.map(|kind| kind.each) {
            Some(Each::Number(first, _)) => format!("{name}({first})"),
            _ => format!("{name}({})", self.somebody()),
        }
    }

    /// Returns a player as examples have it: `me` in the rules, and where an expression may use it.
    pub(super) fn somebody(&self) -> &str {
        if self.alone && !self.locals.contains("me") { self.schema.example_players()[0] } else { "me" }
    }

    /// Returns help for a name that is nearly one of those.
    fn near_component(&self, name: &str) -> Option<String> {
        let zones = self.schema.zones.iter().filter(|zone| zone.owner.is_some()).map(|zone| zone.name.as_str());
        let kinds = self.schema.kinds.iter().map(|kind| kind.name.as_str());
        let kinds = kinds.filter(|kind| self.natives.contains_key(kind));
        let properties = self.schema.properties.iter().map(|property| property.name.as_str());
        let near = nearest(name, zones.chain(kinds).chain(properties))?;
        let form = self.in_place_of_variable(near)?;
        let written = form.split('`').nth(1)?;
        Some(format!("did you mean `{written}`?"))
    }

    pub(super) fn property(&mut self, name: &str, position: Position) {
        if self.is_property(name) {
            return;
        }
        let declared = || self.declared_properties();
        let instead = self.in_place_of_property(name, position);
        let keys = || self.keys.iter().map(String::as_str);
        let near = || did_you_mean(name, declared().chain(keys()).chain(OF_CHOSEN).chain(natives::property_names()));
        // The keys of the script's own maps say nothing to who writes scenarios.
        let listed = declared().chain(keys().filter(|_| !self.alone));
        let help = instead.or_else(near).unwrap_or_else(|| match one_of(listed, 9) {
            list if list.is_empty() => {
                "declare it in the game file, which has no flags, counters or properties".to_owned()
            }
            list => format!("use one of {list}"),
        });
        self.report("unknown_property", position, format!("unknown flag, counter or property `{name}`"), Some(help));
    }

    /// Returns whether something has a property of this name.
    pub(super) fn is_property(&self, name: &str) -> bool {
        let mut declared = self.declared_properties();
        OF_CHOSEN.contains(&name)
            || natives::property_names().any(|property| property == name)
            || declared.any(|property| property == name)
            || self.keys.contains(name)
    }

    /// Reports a string in brackets after a component that names no flag, counter or property, and nothing on cards.
    pub(super) fn name_in_brackets(&mut self, written: &Written) {
        let name = written.text.as_str();
        if written.unsure || self.declared_properties().any(|property| property == name) {
            return;
        }
        let names: Vec<&str> = self.declared_properties().collect();
        let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
            [] => "declare it in the game file: `counter score for each player`".to_owned(),
            names => format!("use one of {}", one_of(names.iter().copied(), 9)),
        });
        let message = format!("unknown flag, counter or property `{name}`");
        self.report_written("unknown_property", (name, written.position, written.exact), message, help);
    }

    fn declared_properties(&self) -> impl Iterator<Item = &str> {
        let properties = self.schema.properties.iter().map(|property| &property.name);
        properties.chain(self.schema.printed.iter().map(|printed| &printed.name)).map(String::as_str)
    }

    /// Reports `found.len` and `found.is_empty` of moves and sets of cells, which have functions for them.
    pub(super) fn without_brackets(&mut self, of: &Expr, after_dot: &Expr) {
        let Expr::Property(names, position) = after_dot else { return };
        let value = match of {
            Expr::Variable(var, ..) => self.fixed.get(var.1.as_str()).copied(),
            other => Some(other),
        };
        let Some(Expr::FnCall(call, _)) = value else { return };
        let (name, written) = (names.2.as_str(), written_or(of, "…"));
        let natives = self.natives.get(call.name.as_str()).filter(|_| !self.layers.has_function(&call.name));
        let result = natives.and_then(|natives| natives.first()).and_then(Signature::result);
        let what = match result {
            Some(Sort::Moves) => "several moves have",
            Some(Sort::Cells) => "a set of cells has",
            _ => return,
        };
        let form = match name {
            "is_empty" => format!("{written}.is_empty()"),
            "len" => format!("count({written})"),
            _ => return,
        };
        let message = format!("{what} no `{name}` without brackets");
        self.report("unknown_property", *position, message, Some(format!("write `{form}`")));
    }

    /// Reports `roll()` in a game that does not have exactly one die.
    pub(super) fn needs_die(&mut self, call: &Call<'_>) {
        if call.call.name != "roll" || !call.call.args.is_empty() || call.method || self.layers.has_function("roll") {
            return;
        }
        let dice = &self.schema.dice;
        let (message, help) = match dice.as_slice() {
            [_] => return,
            [] => (
                "`roll` needs a die, but this game has none".to_owned(),
                "declare one in the game file: `die 1..6`".to_owned(),
            ),
            several => {
                let names = one_of(several.iter().map(|die| die.name.as_str()), 9);
                let first = several.first().map_or("", |die| die.name.as_str());
                (
                    format!("`roll` needs the name of a die, because the game has {}", several.len()),
                    format!("write for example `roll(\"{first}\")`; the dice are {names}"),
                )
            }
        };
        self.report("unknown_component", call.position, message, Some(help));
    }

    /// Reports a function of the rules in place of its name in quotes.
    pub(super) fn unquoted_phase(&mut self, call: &Call<'_>) {
        let at = match (call.call.name.as_str(), call.method) {
            ("then", false) => 0,
            ("choose_then", method) => 3 - usize::from(method),
            _ => return,
        };
        let (name, position) = match call.call.args.get(at) {
            Some(Expr::Variable(var, _, position)) if var.0.is_none() => (var.1.to_string(), *position),
            Some(value) => match function_value(value) {
                Some(function) => (function.to_string(), value.position()),
                None => return,
            },
            None => return,
        };
        if !self.layers.has_function(&name) {
            return;
        }
        self.unquoted.push(position);
        let name = author_name(&name);
        let message = format!("`{}` takes the name of a function in quotes", call.call.name);
        self.report("wrong_values", position, message, Some(format!("write `\"{name}\"`")));
    }
}
