//! Infers the kinds of expressions before the rules run, and reports comparisons between kinds that are never equal.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, ImmutableString, Position, Stmt};

use super::checker::{Call, Checker, is_closure};
use super::elements::{changed, elements_of, first_name, pushed};
use super::operators::{combined, exists, of_one};
use super::results::{Telling, declared, loosened};
use super::sorts::{Sort, Sorts};
use super::written::written_or;
use crate::diagnostic::one_of;
use crate::rules::host::instead_of_text;
use crate::rules::layers::{Function, walk};
use crate::table::{Choice, NameMap, Value};

/// Combines a kind with the known kind of a variable.
fn join(sorts: &mut Sorts, name: &ImmutableString, sort: Option<Sort>) {
    let Some(known) = sorts.get_mut(name) else {
        sorts.insert(name.clone(), sort);
        return;
    };
    *known = known.zip(sort).and_then(|(known, sort)| known.joined(sort));
}

/// The kinds of the arguments of the calls in a function, each with the name of the called function; without one if it is
/// computed, and may be each function that the rules name.
type Given<'c> = Vec<(Option<&'c str>, Vec<Option<Sort>>)>;

/// The kinds of arguments that all calls of a function agree on, by its name and number of parameters.
type Agreed<'c> = NameMap<Vec<Option<Sort>>, (&'c str, usize)>;

/// The maximum number of rounds of the search for kinds.
const ROUNDS: usize = 16;

/// The functions that the program itself calls with a player as the first argument.
const CALLED_WITH_A_PLAYER: [&str; 6] = ["turn", "moves", "apply", "ended", "stuck", "why_not"];

impl<'c> Checker<'c> {
    /// Infers the kinds of parameters and variables of all functions. It repeats because results for one function help
    /// with others. At first it takes every parameter to be open, so functions that call each other keep their kinds;
    /// if that comes to no end, it takes every parameter to be unknown.
    pub(super) fn find_sorts(&mut self) {
        let values = self.used_as_values();
        let functions = self.telling();
        if !self.sorts_from(&functions, &values, Some(Sort::Open)) {
            self.sorts_from(&functions, &values, None);
        }
        let all = self.all_sorts.values_mut().flat_map(BTreeMap::values_mut);
        let all = all.chain(self.results.values_mut());
        all.filter(|sort| **sort == Some(Sort::Open)).for_each(|sort| *sort = None);
        // A parameter that only gets `()` may get something else from a house rule or a scenario.
        for (key, function) in &self.layers.functions {
            let sorts = self.all_sorts.get_mut(key);
            let parameters = sorts.into_iter().flat_map(|sorts| {
                sorts.iter_mut().filter(|(name, _)| function.def.params.contains(name)).map(|(_, sort)| sort)
            });
            parameters.filter(|sort| **sort == Some(Sort::Nothing)).for_each(|sort| *sort = None);
        }
        self.sorts = Sorts::new();
    }

    /// Infers kinds, where `first` is that of a parameter without calls. Returns whether nothing changes any more.
    fn sorts_from(
        &mut self,
        functions: &[Telling<'c>],
        values: &BTreeSet<ImmutableString>,
        first: Option<Sort>,
    ) -> bool {
        // A function that no other one calls or names may be called by a card or a scenario, with any arguments.
        let mut called: BTreeSet<&str> = CALLED_WITH_A_PLAYER.into_iter().collect();
        for Telling { key, function, .. } in functions {
            let mentions = function.def.mentions();
            let names = mentions.called.iter().chain(&mentions.texts).map(ImmutableString::as_str);
            called.extend(names.filter(|name| *name != key.0));
        }
        let of_parameter = |key: &(String, usize)| {
            let name = key.0.as_str();
            let is_known = called.contains(name) && !is_closure(name) && !values.contains(name);
            first.filter(|_| is_known)
        };
        let first_sorts = |one: &Telling<'_>| {
            one.function.def.params.iter().map(|parameter| (parameter.clone(), of_parameter(one.key))).collect()
        };
        let mut all: Vec<Sorts> = functions.iter().map(first_sorts).collect();
        self.results = functions.iter().map(|one| (one.key.clone(), first)).collect();
        let mut given: Vec<Given<'c>> = functions.iter().zip(&all).map(|(one, sorts)| self.given(one, sorts)).collect();
        let mut known: Vec<Option<Vec<Option<Sort>>>> = vec![None; functions.len()];
        let mut is_same = false;
        let mut is_settled = false;
        for _ in 0..ROUNDS {
            is_same = true;
            let before = self.results.clone();
            let parameters = self.parameter_sorts(functions, &given, values);
            let places = all.iter_mut().zip(&mut given).zip(&mut known);
            for (one, ((sorts, given), known)) in functions.iter().zip(places) {
                let (name, count) = one.key;
                let found = parameters.get(&(name.as_str(), *count)).cloned();
                let found = found.unwrap_or_else(|| vec![of_parameter(one.key); *count]);
                // The kinds of its variables follow from those of its parameters.
                if is_settled && known.as_ref() == Some(&found) {
                    continue;
                }
                let now = self.variable_sorts(one, &found, first);
                self.sorts.clone_from(&now);
                let result = self.result_of(one);
                self.results.insert(one.key.clone(), result);
                if now != *sorts {
                    is_same = false;
                    *given = self.given(one, &now);
                    *sorts = now;
                }
                *known = Some(found);
            }
            is_settled = self.results == before;
            if is_same && is_settled {
                break;
            }
            is_same = false;
        }
        self.all_sorts = functions.iter().map(|one| one.key.clone()).zip(all).collect();
        is_same
    }

    /// Returns the kinds of the variables of a function whose parameters have these kinds. `first` is that of a variable
    /// without a value.
    fn variable_sorts(&mut self, one: &Telling<'_>, parameters: &[Option<Sort>], first: Option<Sort>) -> Sorts {
        let names = one.function.def.params.iter().cloned();
        let of_parameters: Sorts = names.zip(parameters.iter().copied()).collect();
        let mut before = of_parameters.clone();
        for name in one.statements.iter().flat_map(|statement| declared(statement)) {
            before.entry(name.clone()).or_insert(first);
        }
        for _ in 0..ROUNDS {
            self.sorts.clone_from(&before);
            let mut sorts = of_parameters.clone();
            one.statements.iter().for_each(|statement| self.assigned(statement, &mut sorts));
            one.loose.iter().for_each(|name| join(&mut sorts, name, None));
            one.grown.iter().for_each(|name| join(&mut sorts, &elements_of(name), None));
            for (name, element) in &one.pushed {
                join(&mut sorts, &elements_of(name), self.sort_of(element));
            }
            if sorts == before {
                return sorts;
            }
            before = sorts;
        }
        before.into_keys().map(|name| (name, None)).collect()
    }

    /// Returns all functions, in their order.
    fn telling(&self) -> Vec<Telling<'c>> {
        let layers = self.layers;
        let telling = |(key, function): (&'c (String, usize), &'c Function)| {
            let (mut statements, mut calls) = (Vec::new(), Vec::new());
            let (mut returns, mut loose, mut grown) = (Vec::new(), Vec::new(), Vec::new());
            let mut added = Vec::new();
            walk(&function.def, |node| {
                if let ASTNode::Stmt(Stmt::Return(value, flags, _)) = node
                    && !flags.intersects(ASTFlags::BREAK)
                {
                    returns.push(value.as_deref());
                }
                loose.extend(loosened(node, |name| layers.has_function(name)));
                match pushed(node).filter(|_| !layers.has_function("push")) {
                    Some(element) => added.push(element),
                    None => grown.extend(changed(node)),
                }
                if let ASTNode::Stmt(
                    one @ (Stmt::Var(..) | Stmt::Assignment(_) | Stmt::For(..) | Stmt::TryCatch(..) | Stmt::Share(_)),
                ) = node
                {
                    statements.push(*one);
                }
                let call = super::call_of(node).map(|call| call.call);
                let of_rules = |name: &str| matches!(name, "then" | "choose_then") || layers.has_function(name);
                calls.extend(call.filter(|call| of_rules(&call.name)));
            });
            Telling { key, function, statements, calls, returns, loose, grown, pushed: added }
        };
        layers.functions.iter().map(telling).collect()
    }

    fn assigned(&self, statement: &Stmt, sorts: &mut Sorts) {
        match statement {
            Stmt::Var(var, ..) => {
                join(sorts, &var.0.name, self.sort_of(&var.1));
                join(sorts, &elements_of(&var.0.name), self.element_of(&var.1));
            }
            Stmt::Assignment(assignment) => {
                if let Expr::Variable(var, ..) = &assignment.1.lhs {
                    let sort = self.sort_of(&assignment.1.rhs);
                    let sort = match assignment.0.get_op_assignment_info() {
                        // After an operator that does not exist, nothing has a value any more.
                        Some((_, _, _, sign, ..)) => match (self.sort_of_name(&var.1), sort) {
                            (Some(one), Some(other)) => combined(sign, one, other).unwrap_or(Some(Sort::Open)),
                            (one, other) => one.or(other).filter(|_| !exists(sign, one, other)).map(|_| Sort::Open),
                        },
                        None => sort,
                    };
                    join(sorts, &var.1, sort);
                    let plain = assignment.0.get_op_assignment_info().is_none();
                    join(sorts, &elements_of(&var.1), self.element_of(&assignment.1.rhs).filter(|_| plain));
                }
                // `list[0] = …`
                if let Some(name) = first_name(&assignment.1.lhs) {
                    join(sorts, &elements_of(name), None);
                }
            }
            Stmt::For(parts, _) => {
                let element = self.element_of(&parts.2.expr);
                join(sorts, &parts.0.name, element);
                if let Some(counter) = &parts.1 {
                    join(sorts, &counter.name, Some(Sort::Number));
                }
            }
            Stmt::TryCatch(flow, _) => {
                if let Expr::Variable(var, ..) = &flow.expr {
                    join(sorts, &var.1, None);
                }
            }
            Stmt::Share(captured) => captured.iter().for_each(|(name, _)| {
                join(sorts, &name.name, None);
                join(sorts, &elements_of(&name.name), None);
            }),
            _ => {}
        }
    }

    /// Returns the kinds of arguments that all calls of a function agree on. `given` are those of the calls of each function,
    /// `values` the functions used as values.
    fn parameter_sorts(
        &self,
        functions: &[Telling<'c>],
        given: &[Given<'c>],
        values: &BTreeSet<ImmutableString>,
    ) -> Agreed<'c> {
        let mut agreed = Agreed::default();
        let mut give = |name: &'c str, sorts: &[Option<Sort>]| {
            let slots = agreed.entry((name, sorts.len())).or_insert_with(|| sorts.to_vec());
            for (slot, sort) in slots.iter_mut().zip(sorts) {
                *slot = match (*slot, *sort) {
                    (Some(Sort::Open), sort) => sort,
                    (known, Some(Sort::Open)) => known,
                    (Some(one), Some(other)) if one.plain() == other.plain() => one.joined(other),
                    _ => None,
                };
            }
        };
        for name in CALLED_WITH_A_PLAYER {
            give(name, &[Some(Sort::Player)]);
            give(name, &[Some(Sort::Player), None]);
        }
        let texts = functions.iter().flat_map(|one| &one.function.def.mentions().texts);
        let named: BTreeSet<&'c str> =
            texts.map(|text| text.as_str()).filter(|name| self.layers.has_function(name)).collect();
        for (name, sorts) in given.iter().flatten() {
            match name {
                Some(name) => give(name, sorts),
                None => named.iter().for_each(|name| give(name, sorts)),
            }
        }
        // The arguments of a function that is used as a value are unknown.
        agreed.retain(|(name, _), _| !values.contains(*name) && !is_closure(name));
        agreed
    }

    /// Returns the kinds of the arguments that a function with these variables gives to others.
    fn given(&mut self, one: &Telling<'c>, sorts: &Sorts) -> Given<'c> {
        self.sorts.clone_from(sorts);
        let of = |values: &[Expr]| values.iter().map(|value| self.sort_of(value)).collect();
        let given = one.calls.iter().map(|call| match (call.name.as_str(), call.args.as_slice()) {
            ("then", [Expr::StringConstant(phase, _), values @ ..]) => (Some(phase.as_str()), of(values)),
            ("choose_then", [_, _, _, Expr::StringConstant(phase, _)]) => {
                (Some(phase.as_str()), vec![Some(Sort::Player), None])
            }
            ("then", [_, values @ ..]) => (None, of(values)),
            ("choose_then", [_, _, _, _]) => (None, vec![Some(Sort::Player), None]),
            (name, values) => (Some(name), of(values)),
        });
        given.collect()
    }

    /// Returns the functions whose names are used as values: `Fn("name")`, or the name alone.
    fn used_as_values(&self) -> BTreeSet<ImmutableString> {
        let names = self.layers.functions.values().flat_map(|function| &function.def.mentions().values);
        names.filter(|name| self.layers.has_function(name)).cloned().collect()
    }

    /// Returns the kind of an expression, if it is known.
    pub(super) fn sort_of(&self, expr: &Expr) -> Option<Sort> {
        match expr {
            Expr::IntegerConstant(..) => Some(Sort::Number),
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Some(Sort::Truth),
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Some(Sort::Text),
            Expr::Array(..) => Some(Sort::List),
            Expr::Map(..) => Some(Sort::Map),
            Expr::Unit(_) => Some(Sort::Nothing),
            Expr::DynamicConstant(value, _) => Sort::of_dynamic(value),
            Expr::Variable(var, ..) => self.sort_of_name(&var.1),
            Expr::FnCall(call, _) => self.sort_of_call(call, None),
            Expr::Dot(parts, ..) => match self.taken_from(&parts.lhs, &parts.rhs) {
                Some(element) => Some(element),
                None => self.sort_after_dot(self.sort_of(&parts.lhs), &parts.rhs),
            },
            Expr::Index(parts, ..) if is_last(&parts.rhs) => match (self.sort_of(&parts.lhs)?, &parts.rhs) {
                (Sort::List, _) => self.element_of(&parts.lhs),
                (Sort::Player | Sort::Piece | Sort::Men | Sort::Game, Expr::StringConstant(name, _)) => {
                    self.sort_of_declared(name)
                }
                _ => None,
            },
            Expr::Stmt(_) => self.sort_of_block(expr),
            Expr::Coalesce(parts, _) => {
                let mut sorts = parts.iter().map(|value| self.sort_of(value));
                sorts.try_fold(Sort::Nothing, |all, sort| all.joined(sort?))
            }
            _ => None,
        }
    }

    fn sort_of_name(&self, name: &str) -> Option<Sort> {
        if let Some(sort) = self.sorts.get(name) {
            return *sort;
        }
        // A column of a table may have the name of a constant.
        if self.alone && self.locals.contains(name) {
            return None;
        }
        if let Some(constant) = self.layers.constants.get(name) {
            return Sort::of_dynamic(&constant.value);
        }
        self.components.get(name).copied()
    }

    /// Returns the kind of the last property or call of a chain. `of` is the kind of the value before its dot.
    pub(super) fn sort_after_dot(&self, of: Option<Sort>, after_dot: &Expr) -> Option<Sort> {
        match after_dot {
            Expr::Dot(parts, ..) => self.sort_after_dot(self.sort_after_dot(of, &parts.lhs), &parts.rhs),
            Expr::Property(names, _) => self.sort_of_property(of, &names.2),
            Expr::MethodCall(call, _) => self.sort_of_call(call, Some(of)),
            Expr::Index(parts, ..) => match &parts.lhs {
                Expr::Property(names, _) if of != Some(Sort::Map) && is_last(&parts.rhs) => {
                    self.element_of_property(&names.2)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the kind of a call's result. `before_dot` is for a method: the kind of the value before its dot.
    fn sort_of_call(&self, call: &FnCallExpr, before_dot: Option<Option<Sort>>) -> Option<Sort> {
        let name = call.name.as_str();
        if call.op_token.is_some() {
            return match call.args.as_slice() {
                [one] => of_one(name, self.sort_of(one)?).unwrap_or(None),
                [one, other] => match (self.sort_of(one), self.sort_of(other)) {
                    _ if matches!(name, "==" | "!=" | "<" | "<=" | ">" | ">=") => Some(Sort::Truth),
                    (Some(one), Some(other)) => combined(name, one, other).unwrap_or(None),
                    _ => None,
                },
                _ => None,
            };
        }
        let own = self.results.get(&(name.to_owned(), call.args.len()));
        if let Some(result) = own.filter(|_| before_dot.is_none() || !self.natives.contains_key(name)) {
            return *result;
        }
        if self.layers.has_function(name) {
            return None;
        }
        if self.is_many_kind(name) {
            return Some(Sort::Men);
        }
        match (name, call.args.as_slice()) {
            ("choose", [_, _, options]) if before_dot.is_none() => {
                // The action that is chosen is a map with `verb`, `value` and `values`.
                return self.element_of(options).map(|sort| if sort == Sort::Action { Sort::Map } else { sort });
            }
            ("option", [Expr::StringConstant(option, _)]) => {
                let option = self.schema.options.iter().find(|known| known.name == option.as_str())?;
                return Some(if matches!(option.choice, Choice::Words(_)) { Sort::Text } else { Sort::Number });
            }
            ("roll", values) => {
                let die = self.thrown(values)?;
                let word = die.faces.iter().any(|face| matches!(face.shows, Value::Text(_)));
                return Some(match (die.count, word) {
                    (1, false) => Sort::Number,
                    (1, true) => Sort::Text,
                    _ => Sort::List,
                });
            }
            _ => {}
        }
        self.result_of_native(call, before_dot)
    }

    /// Reports `==` between two kinds that are never equal, and `<` between two without an order.
    pub(super) fn mismatch(&mut self, call: &Call<'_>) {
        let operator = call.call.name.as_str();
        let ordered = matches!(operator, "<" | "<=" | ">" | ">=");
        if !ordered && !matches!(operator, "==" | "!=") {
            return;
        }
        let [one, other] = call.call.args.as_slice() else { return };
        let (Some(left), Some(right)) = (self.sort_of(one), self.sort_of(other)) else { return };
        if self.never_nothing((one, left), (other, right), call.position) {
            return;
        }
        let (left, right) = (left.plain(), right.plain());
        let can = match (left, right) {
            (Sort::Open, _) | (_, Sort::Open) => true,
            (Sort::Nothing, _) | (_, Sort::Nothing) => !ordered,
            (Sort::Dirs | Sort::Moves | Sort::Action | Sort::Function | Sort::Game, _) if left == right => false,
            _ if ordered => left == right && matches!(left, Sort::Number | Sort::Text),
            _ => left == right,
        };
        if can {
            if left == Sort::Zone && !ordered {
                self.two_zones(one, other, call.position);
            }
            return;
        }
        let message = if ordered {
            format!("`{operator}` cannot order {} and {}", left.words(), right.words())
        } else if left == right {
            format!("`{operator}` cannot compare {} and {}", left.words(), right.words())
        } else {
            format!("{} never equals {}", left.words(), right.words())
        };
        if !ordered && (self.with_text(other, left, &message) || self.with_text(one, right, &message)) {
            return;
        }
        let help = self.in_place_of(one, other, right).or_else(|| self.in_place_of(other, one, left));
        let help = help.or_else(|| of_same_kind(operator, left, right, (one, other)));
        let help = help.unwrap_or_else(|| match (left, right) {
            (Sort::Nothing, _) | (_, Sort::Nothing) => "compare with `()` only by `==` or `!=`".to_owned(),
            _ => "compare values of the same kind".to_owned(),
        });
        self.report("never_equal", call.position, message, Some(help));
    }

    /// Reports the result of a function that is compared with `()` and never is `()`. Returns whether it did.
    fn never_nothing(&mut self, one: (&Expr, Sort), other: (&Expr, Sort), position: Position) -> bool {
        let (value, sort) = match (one, other) {
            ((_, Sort::Nothing), value) | (value, (_, Sort::Nothing)) => value,
            _ => return false,
        };
        let Expr::FnCall(call, _) = value else { return false };
        let is_never = matches!(sort, Sort::Men | Sort::Cells | Sort::Dirs | Sort::Moves | Sort::List | Sort::Zone);
        if !is_never || call.op_token.is_some() || self.layers.has_function(&call.name) || call.name == "choose" {
            return false;
        }
        let written = match call.args.as_slice() {
            [] => format!("{}()", call.name),
            [Expr::Variable(var, ..)] => format!("{}({})", call.name, var.1),
            _ => "…".to_owned(),
        };
        let message = match sort {
            Sort::Men => format!("`{written}` is never `()`"),
            _ => format!("{} {} never `()`", sort.words(), if sort == Sort::Moves { "are" } else { "is" }),
        };
        let help = match sort {
            Sort::Men => format!("write `cells({written}).is_empty()`: a kind of many stands for all its pieces"),
            Sort::Dirs => format!("write `in_any({written}).is_empty()`"),
            Sort::Zone => format!("write `is_empty({written})`"),
            _ => format!("write `{written}.is_empty()`"),
        };
        self.report("never_equal", position, message, Some(help));
        true
    }

    /// Reports two different zones, each named, that are compared.
    fn two_zones(&mut self, one: &Expr, other: &Expr, position: Position) {
        let named = |zone: &Expr| match zone {
            Expr::FnCall(call, _) => match call.args.as_slice() {
                [Expr::Variable(player, ..)] if self.is_component(&player.1) => {
                    Some(format!("{}({})", call.name, player.1))
                }
                _ => None,
            },
            Expr::Variable(var, ..) if self.is_component(&var.1) => Some(var.1.to_string()),
            _ => None,
        };
        if let (Some(one), Some(other)) = (named(one), named(other)) {
            let message = "a zone only equals itself".to_owned();
            let help = format!("compare the cards: `cards({one}) == cards({other})`");
            self.report("never_equal", position, message, Some(help));
        }
    }

    /// Reports a component that is compared with a string. Returns `false` for other values.
    fn with_text(&mut self, text: &Expr, sort: Sort, message: &str) -> bool {
        let Expr::StringConstant(text, position) = text else { return false };
        if !matches!(sort, Sort::Player | Sort::Piece | Sort::Cell | Sort::Cells | Sort::Zone) {
            return false;
        }
        let help = instead_of_text(self.schema, sort.words(), text);
        self.report_text("component_and_text", *position, text, message.to_owned(), Some(help));
        true
    }

    /// Returns help for a comparison of `side` with a value of another kind.
    fn in_place_of(&self, side: &Expr, other: &Expr, sort: Sort) -> Option<String> {
        if let Expr::FnCall(call, _) = side
            && let ("option", [Expr::StringConstant(name, _)]) = (call.name.as_str(), call.args.as_slice())
        {
            let option = self.schema.options.iter().find(|option| option.name == name.as_str())?;
            let values = option.choice.words();
            let quoted: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
            return Some(match &option.choice {
                Choice::Numbers(..) => format!("compare it with a number: the option `{name}` is {}", values.concat()),
                Choice::Words(_) if sort == Sort::Number => format!(
                    "compare it with one of {}, or declare it with a range of numbers: `option {name} = 3 in 1..9`",
                    one_of(quoted.iter().map(String::as_str), 9)
                ),
                Choice::Words(_) => {
                    format!("compare it with one of {}", one_of(quoted.iter().map(String::as_str), 9))
                }
            });
        }
        if matches!(other, Expr::StringConstant(..)) {
            let list = "search the list with `.contains(…)`";
            return (self.sort_of(side)? == Sort::List).then(|| list.to_owned());
        }
        if let Expr::Dot(parts, ..) = side
            && let (Some(Sort::Move), Expr::Property(names, _)) = (self.sort_of(&parts.lhs), &parts.rhs)
            && names.2 == "captures"
        {
            let own = written_or(&parts.lhs, "move");
            return Some(format!("write `count(captured({own}))` for the number of cells"));
        }
        let own = |otherwise| written_or(side, otherwise);
        match (self.sort_of(side)?, sort) {
            (Sort::Cell, Sort::Number) => Some(format!("write `number({})` for the number of a cell", own("cell"))),
            (Sort::Piece, Sort::Player) => {
                Some(format!("write `owner({})` for the player whose piece it is", own("piece")))
            }
            (Sort::Piece, Sort::Cell) => Some(format!("write `cell({})` for the cell of a piece", own("piece"))),
            (Sort::Player | Sort::Piece | Sort::Cell, Sort::Text) => {
                Some(format!("compare the name: `name({})`", own("…")))
            }
            (Sort::Cells, Sort::Cell) => Some(format!("write `{}.has({})`", own("cells"), written_or(other, "cell"))),
            (Sort::Cells | Sort::Zone | Sort::Moves, Sort::Number) => {
                Some(format!("write `count({})` for their number", own("…")))
            }
            (Sort::Dirs, _) => Some(format!("write `in_any({})` for the cells of all directions", own("dirs"))),
            (Sort::List, Sort::Number) => {
                let list = own("list");
                let sum = format!(", or `sum({list})` for their sum");
                let are_numbers = self.element_of(side).is_none_or(|sort| sort == Sort::Number);
                let sum = if are_numbers { sum.as_str() } else { "" };
                Some(format!("write `{list}.len` for the number of values{sum}"))
            }
            (Sort::Map, _) if self.element_of(side).is_none() => {
                Some(format!("if it is what `choose` returned, write `{}.value`", own("chosen")))
            }
            _ => None,
        }
    }
}

/// Returns whether an index is the last part of a chain.
const fn is_last(index: &Expr) -> bool {
    !matches!(index, Expr::Dot(..) | Expr::Index(..))
}

/// Returns help for a comparison whose operator is not for the kind that both sides have.
fn of_same_kind(operator: &str, left: Sort, right: Sort, (one, other): (&Expr, &Expr)) -> Option<String> {
    let (first, second) = (written_or(one, "first"), written_or(other, "second"));
    let sides = |form: &str| format!("{} {operator} {}", form.replace('_', &first), form.replace('_', &second));
    Some(match left {
        _ if left != right => return None,
        Sort::Moves | Sort::Cells => format!("compare their numbers: `{}`", sides("count(_)")),
        Sort::Zone => format!("compare the numbers of cards: `{}`", sides("count(_)")),
        Sort::List => format!("compare the numbers of values: `{}`", sides("_.len")),
        Sort::Dirs => format!("compare the cells of all directions: `{}`", sides("in_any(_)")),
        Sort::Cell => format!("compare their numbers: `{}`", sides("number(_)")),
        Sort::Action => {
            "compare the values that the actions are made of, or what `choose` returns: `chosen.verb`".to_owned()
        }
        Sort::Player | Sort::Piece => format!("compare a value of theirs: `{first}.NAME {operator} {second}.NAME`"),
        _ => return None,
    })
}
