//! Checks the values in calls: their kinds, names of cells and directions, and the functions that run as phases.

use rhai::{Expr, Position};

use super::checker::{Call, Checker, is_closure};
use super::never_right::of_library;
use super::signatures::Signature;
use super::sorts::Sort;
use super::written::{written, written_or};
use crate::diagnostic::{did_you_mean, one_of};
use crate::rules::host::Role;
use crate::rules::layers::{author_name, function_value, is_house};
use crate::rules::values::standard;
use crate::table::{Board, BoardSpec, Form, Kind};

impl Checker<'_> {
    /// Reports the first value of a kind that no form of the called function takes, where both kinds are known.
    /// `forms` are those of the called function.
    pub(super) fn kinds_of_arguments(&mut self, call: &Call<'_>, forms: &[Signature<'_>]) {
        let name = call.call.name.as_str();
        if forms.is_empty()
            || self.layers.has_function(name)
            || (standard().contains_key(name) && !self.is_native(call))
        {
            return;
        }
        let count = call.call.args.len() + usize::from(call.method);
        self.kinds_of_given(call, forms.iter().filter(|one| one.counts().contains(&count)).collect());
    }

    /// Reports the first value of a kind that none of these forms takes.
    pub(super) fn kinds_of_given(&mut self, call: &Call<'_>, mut fitting: Vec<&Signature<'_>>) {
        let name = call.call.name.as_str();
        let object = usize::from(call.method);
        let Some(first) = fitting.first().copied() else { return };
        let mut wrong = None;
        // A form that does not take a value is none for the next ones.
        for (at, value) in call.call.args.iter().enumerate() {
            self.direction_number(&fitting, at + object, value);
            let known = self.sort_of(value).filter(|sort| !matches!(sort, Sort::Nothing | Sort::Open));
            let Some(sort) = known.map(Sort::plain) else { continue };
            let wanted: Option<Vec<_>> = fitting.iter().map(|form| form.sorts_of_parameter(at + object)).collect();
            let Some(wanted) = wanted else { continue };
            let before = fitting.clone();
            let mut takes = wanted.iter().map(|sorts| sorts.contains(&sort));
            fitting.retain(|_| takes.next().unwrap_or(true));
            if fitting.is_empty() {
                let is_direction = before.first().and_then(|form| form.role(at + object)) == Some(Role::Direction);
                wrong =
                    wanted.first().and_then(|sorts| sorts.first()).map(|wanted| (value, (*wanted, is_direction), sort));
                break;
            }
        }
        let Some((value, (wanted, is_direction), sort)) = wrong else { return };
        let form = || format!("use the form `{}`", first.form.written());
        let named = match value {
            Expr::StringConstant(text, _) if name == "cell" && self.is_cell(text) => {
                Some(format!("write `cell_named(\"{text}\")`"))
            }
            _ => None,
        };
        let help = named.or_else(|| self.instead(value, wanted, sort)).unwrap_or_else(form);
        let wanted = if is_direction { "a direction" } else { wanted.words() };
        let message = format!("`{name}` takes {wanted} here, found {}", sort.words());
        self.report_value("wrong_values", value, message, help);
    }

    /// Returns whether a call of a function that Rhai's library has too is one of the rules API, by the kind of its first
    /// argument.
    fn is_native(&self, call: &Call<'_>) -> bool {
        let first = call.call.args.first().filter(|_| !call.method).and_then(|value| self.sort_of(value));
        let of_library = of_library(&call.call.name);
        let forms = self.natives.get(call.call.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        first.is_some_and(|first| {
            let takes =
                |form: &Signature<'_>| form.sorts_of_parameter(0).is_some_and(|sorts| sorts.contains(&first.plain()));
            of_library.as_ref().is_some_and(|kinds| !kinds.contains(&first)) && forms.iter().any(takes)
        })
    }

    /// Reports a number that is no direction of the board.
    fn direction_number(&mut self, forms: &[&Signature<'_>], at: usize, value: &Expr) {
        let Expr::IntegerConstant(number, position) = value else { return };
        let of_direction = |form: &&Signature<'_>| form.role(at) == Some(Role::Direction);
        let Some(count) = self.board().map(|board| board.headings().len()) else { return };
        if !forms.iter().all(of_direction) || usize::try_from(*number).is_ok_and(|number| (1..=count).contains(&number))
        {
            return;
        }
        let message = format!("unknown direction {number}: the board has 1 to {count}");
        let help = format!("write a number from 1 to {count}");
        self.report("unknown_direction", *position, message, Some(help));
    }

    /// Reports the first value of an event or an action that is not of the kind that its form has there.
    pub(super) fn kinds_of_form(&mut self, verb: &str, kinds: &[(&Kind, bool)], values: &[Expr], form: &Form) {
        for ((kind, _), value) in kinds.iter().zip(values) {
            if let Kind::Word(words) = kind
                && let texts = self.texts_of(value)
                && !texts.is_empty()
            {
                texts.iter().for_each(|text| self.one_of_words(verb, words, text));
                continue;
            }
            let Some(sort) = self.sort_of(value).filter(|sort| *sort != Sort::Nothing) else { continue };
            let (wanted, sort) = (Sort::of_kind(kind), sort.plain());
            if !matches!(kind, Kind::Many(_)) && sort != wanted {
                let help = self.instead(value, wanted, sort).unwrap_or_else(|| format!("use the form `{form}`"));
                let message = format!("`{verb}` takes {} here, found {}", wanted.words(), sort.words());
                return self.report_value("wrong_values", value, message, help);
            }
        }
    }

    /// Returns help for a value of one kind where another is wanted.
    pub(super) fn instead(&self, value: &Expr, wanted: Sort, sort: Sort) -> Option<String> {
        if let Expr::StringConstant(text, _) = value {
            return match wanted {
                Sort::Player if self.schema.player(text).is_some() => {
                    Some(format!("write the player, without quotes: `{text}`"))
                }
                Sort::Player => {
                    let players = self.schema.players.iter().map(String::as_str);
                    Some(format!("write the player without quotes: `me`, or one of {}", one_of(players, 9)))
                }
                Sort::Piece if self.schema.piece(text).is_some() => {
                    Some(format!("write the piece, `piece(\"{text}\")`"))
                }
                Sort::Cell => Some(format!("write the cell, `cell_named(\"{text}\")`")),
                Sort::Number if self.is_direction(text) => {
                    Some(format!("write the direction, `direction_named(\"{text}\")`"))
                }
                _ => None,
            };
        }
        match (wanted, sort) {
            (Sort::Cells, Sort::Cell) => {
                Some(format!("write `one({})` for a set of one cell", written_or(value, "cell")))
            }
            (Sort::Cells | Sort::List, Sort::Dirs) => {
                let dirs = written_or(value, "dirs");
                Some(format!("write `in_any({dirs})` for the cells of all directions"))
            }
            (Sort::Cells, Sort::Piece) => {
                Some(format!("write `cells({})` for the cells of a piece", written_or(value, "piece")))
            }
            (Sort::Move, Sort::Moves) => {
                let moves = written_or(value, "found");
                Some(format!("choose one move first: `let move = choose(me, \"move\", {moves});`"))
            }
            (Sort::Cells | Sort::Zone, Sort::List) => {
                let list = written_or(value, "list");
                Some(format!("`{list}` is a list: `{list}.len` is the number of its values"))
            }
            (Sort::Player, Sort::Piece) => {
                Some(format!("write `owner({})` for the player whose piece it is", written_or(value, "piece")))
            }
            (Sort::Function, _) => {
                Some(format!("write a function of the player: `|player| {}`", written_or(value, "options")))
            }
            (Sort::Piece | Sort::Cell | Sort::Cells, Sort::Player) => {
                let piece = self.piece_of(&written(value)?)?;
                let form = match wanted {
                    Sort::Piece => piece,
                    Sort::Cell => format!("cell({piece})"),
                    _ => format!("cells({piece})"),
                };
                Some(format!("write `{form}`, with the piece of the player"))
            }
            (Sort::Cell, Sort::Piece) => {
                Some(format!("write `cell({})` for the cell of a piece", written_or(value, "piece")))
            }
            _ => None,
        }
    }

    pub(super) fn report_value(&mut self, code: &'static str, value: &Expr, message: String, help: String) {
        match value {
            Expr::StringConstant(text, position) => self.report_text(code, *position, text, message, Some(help)),
            // The position of a chain is its dot.
            Expr::Dot(parts, ..) => self.report(code, parts.lhs.start_position(), message, Some(help)),
            other => self.report(code, other.start_position(), message, Some(help)),
        }
    }

    pub(super) fn is_direction(&self, name: &str) -> bool {
        self.board().is_some_and(|board| board.direction(name).is_some())
    }

    pub(super) fn is_cell(&self, name: &str) -> bool {
        self.board().is_some_and(|board| board.cell(name).is_some())
    }

    /// Returns the board without a variant.
    pub(super) fn board(&self) -> Option<&Board> {
        self.board.get_or_init(|| self.schema.build_board(self.schema.board).ok()).as_ref()
    }

    /// Returns whether no board of the game has a cell of this name. An expression of a scenario may have another board,
    /// and so may a house rule.
    pub(super) fn lacks_cell(&self, name: &str) -> bool {
        if self.alone || matches!(self.schema.board, BoardSpec::None | BoardSpec::Open) {
            return false;
        }
        match self.boards.get_or_init(|| self.all_boards()) {
            Some(boards) => boards.iter().all(|board| board.cell(name).is_none()),
            None => false,
        }
    }

    /// Returns the boards of all variants, each once; `None` if a house rule may have another one.
    fn all_boards(&self) -> Option<Vec<Board>> {
        if self.layers.functions.values().any(|function| is_house(function.layer)) {
            return None;
        }
        let variants = 0..self.schema.variants.len().max(1);
        let mut shapes = vec![self.schema.board];
        for shape in variants.map(|variant| self.schema.board_of(variant)) {
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        Some(shapes.into_iter().filter_map(|shape| self.schema.build_board(shape).ok()).collect())
    }

    /// Reports a function that runs as a phase with another number of values than it takes.
    pub(super) fn phase(&mut self, call: &Call<'_>, (phase, position, exact): (&str, Position, bool)) {
        let given = match (call.call.name.as_str(), call.method) {
            ("then", false) => call.call.args.len() - 1,
            ("choose_then", _) => 2,
            _ => return,
        };
        let counts = self.parameter_counts(phase);
        if counts.is_empty() || counts.contains(&given) {
            return;
        }
        let name = author_name(phase);
        let wanted = arguments(&counts);
        let (message, help) = match call.call.name.as_str() {
            "then" => {
                let values = if counts == [0] { "no values".to_owned() } else { wanted.replace("argument", "value") };
                (format!("`{name}` takes {wanted}, got {given}"), format!("write {values} after the name `\"{name}\"`"))
            }
            _ => (
                format!("`{name}` takes {wanted}, but `choose_then` passes the player and the choice"),
                format!("give it two parameters: `fn {name}(me, chosen) {{ … }}`"),
            ),
        };
        self.report_written("wrong_arity", (&name, position, exact), message, help);
    }

    /// Returns the numbers of parameters that the functions of the rules with this name have.
    fn parameter_counts(&self, name: &str) -> Vec<usize> {
        self.layers.arities(name).collect()
    }

    /// Reports a name in `Fn("name")` that no function has.
    pub(super) fn function_value(&mut self, name: &str, position: Position) {
        if is_closure(name) || self.natives.contains_key(name) || !self.arities(name, false).is_empty() {
            return;
        }
        let own = self.layers.functions.keys().map(|(own, _)| author_name(own)).filter(|own| !is_closure(own));
        let own: Vec<String> = own.collect();
        let help = did_you_mean(&author_name(name), own.iter().map(String::as_str).chain(self.names_of_natives()))
            .unwrap_or_else(|| "write it with `fn` in the rules".to_owned());
        self.report("unknown_function", position, format!("unknown function `{}`", author_name(name)), Some(help));
    }

    /// Reports `Fn("name").call(…)` with another number of values than the function takes.
    pub(super) fn called_value(&mut self, value: &Expr, after_dot: &Expr) {
        let (Some(function), Expr::MethodCall(call, _)) = (function_value(value), after_dot) else { return };
        let (name, given) = (function.as_str(), call.args.len());
        let counts = self.parameter_counts(name);
        let native = self.natives.contains_key(name) || standard().contains_key(name);
        if call.name != "call" || is_closure(name) || native || counts.is_empty() || counts.contains(&given) {
            return;
        }
        let wanted = arguments(&counts);
        let message = format!("`{}` takes {wanted}, got {given}", author_name(name));
        self.report("wrong_arity", value.position(), message, Some(format!("pass {wanted}")));
    }
}

/// Returns numbers of arguments in words: `1 or 2 arguments`.
fn arguments(counts: &[usize]) -> String {
    let list: Vec<String> = counts.iter().map(ToString::to_string).collect();
    format!("{} argument{}", list.join(" or "), if counts == [1] { "" } else { "s" })
}
