//! The expressions whose values another one can have: those at the ends of an `if`, a `switch` or a block.

use std::borrow::Cow;

use rhai::{Dynamic, Expr, ImmutableString, Position, Stmt};

use super::checker::Checker;
use super::fixed::texts_of_list;
use super::sorts::Sort;

/// The expressions whose values another one can have.
pub(super) struct Outcomes<'e> {
    pub(super) values: Vec<Cow<'e, Expr>>,
    /// Whether there are no others. A way without a value, such as an `if` without `else`, is none.
    pub(super) complete: bool,
}

/// A string of the script that an expression can be.
#[derive(Clone)]
pub(super) struct Written {
    pub(super) text: ImmutableString,
    pub(super) position: Position,
    /// Whether the position is that of the string. Otherwise, the string is the next one with this text.
    pub(super) exact: bool,
    /// Whether the expression may never be this string where it matters: it is one of a list, or a condition decides that
    /// the rules look at elsewhere, too. Then only what looks misspelt is reported.
    pub(super) unsure: bool,
}

/// Returns the expressions whose values an expression can have.
pub(super) fn outcomes(value: &Expr) -> Outcomes<'_> {
    let mut found = Outcomes { values: Vec::new(), complete: true };
    found.add(value);
    found
}

impl<'e> Outcomes<'e> {
    fn add(&mut self, value: &'e Expr) {
        match value {
            Expr::Stmt(block) => self.add_last(block.statements()),
            value => self.values.push(Cow::Borrowed(value)),
        }
    }

    fn add_last(&mut self, statements: &'e [Stmt]) {
        match statements.last() {
            Some(Stmt::Expr(value)) => self.add(value),
            Some(Stmt::FnCall(call, position)) => self.values.push(Cow::Owned(Expr::FnCall(call.clone(), *position))),
            Some(Stmt::Block(block)) => self.add_last(block.statements()),
            Some(Stmt::If(flow, _)) => {
                self.add_last(flow.body.statements());
                self.add_last(flow.branch.statements());
            }
            Some(Stmt::Switch(parts, _)) => parts.1.expressions.iter().for_each(|case| self.add(&case.rhs)),
            Some(Stmt::Return(..) | Stmt::BreakLoop(..)) | None => {}
            Some(_) => self.complete = false,
        }
    }
}

impl Checker<'_> {
    /// Returns the kind of a block, if it is known and all of its outcomes have it.
    pub(super) fn sort_of_block(&self, block: &Expr) -> Option<Sort> {
        let outcomes = outcomes(block);
        let mut sorts = outcomes.values.iter().map(|value| self.sort_of(value));
        let first = sorts.next().flatten().filter(|_| outcomes.complete)?;
        sorts.try_fold(first, |all, sort| all.joined(sort?))
    }

    /// Returns the strings of the script that an expression can be, as far as they are known.
    pub(super) fn texts_of(&self, value: &Expr) -> Vec<Written> {
        outcomes(value).values.iter().flat_map(|value| self.texts_of_value(value)).collect()
    }

    fn texts_of_value(&self, value: &Expr) -> Vec<Written> {
        match value {
            Expr::Variable(var, ..) => match self.written.get(var.1.as_str()) {
                Some(list @ (Expr::Variable(..) | Expr::Index(..))) => self.texts_of_constant(list),
                Some(only @ Expr::StringConstant(..)) => texts_in(only, false),
                Some(value) => outcomes(value).values.iter().flat_map(|value| texts_in(value, true)).collect(),
                None => Vec::new(),
            },
            Expr::Index(..) => self.texts_of_constant(value),
            Expr::StringConstant(..) => texts_in(value, false),
            _ => Vec::new(),
        }
    }

    /// Returns the strings in a constant of the rules, or in a list that is written where a variable is declared: all, or
    /// with an index that is known, only those there.
    fn texts_of_constant(&self, list: &Expr) -> Vec<Written> {
        let (list, index) = match list {
            Expr::Index(parts, ..) => (&parts.lhs, Some(&parts.rhs)),
            list => (list, None),
        };
        let Expr::Variable(var, ..) = list else { return Vec::new() };
        let name = var.1.as_str();
        if let Some(list) = self.written.get(name) {
            return texts_in(list, true);
        }
        let Some(constant) = self.layers.constants.get(name).filter(|_| !self.locals.contains(name)) else {
            return Vec::new();
        };
        let part = index.and_then(|index| part_of(&constant.value, index));
        let unsure = part.as_ref().is_none_or(|part| !part.is_string());
        let mut texts = Vec::new();
        add_texts(part.as_ref().unwrap_or(&constant.value), &mut texts);
        let position = constant.position;
        texts.into_iter().map(|text| Written { text, position, exact: false, unsure }).collect()
    }
}

/// Returns the string that an expression is, or those of a list.
fn texts_in(value: &Expr, unsure: bool) -> Vec<Written> {
    let texts = match value {
        Expr::StringConstant(text, position) => vec![(text.clone(), *position, true)],
        list => texts_of_list(list),
    };
    texts.into_iter().map(|(text, position, exact)| Written { text, position, exact, unsure }).collect()
}

/// Returns the element of a list or a map at an index that is written in the script.
fn part_of(value: &Dynamic, index: &Expr) -> Option<Dynamic> {
    match index {
        Expr::IntegerConstant(at, _) => value.read_lock::<rhai::Array>()?.get(usize::try_from(*at).ok()?).cloned(),
        Expr::StringConstant(key, _) => value.read_lock::<rhai::Map>()?.get(key.as_str()).cloned(),
        _ => None,
    }
}

/// Adds the strings in a list or a map, and in those in it.
fn add_texts(value: &Dynamic, texts: &mut Vec<ImmutableString>) {
    if let Some(text) = value.read_lock::<ImmutableString>() {
        texts.push(text.clone());
    } else if let Some(list) = value.read_lock::<rhai::Array>() {
        list.iter().for_each(|value| add_texts(value, texts));
    } else if let Some(map) = value.read_lock::<rhai::Map>() {
        map.values().for_each(|value| add_texts(value, texts));
    }
}
