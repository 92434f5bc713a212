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
pub(super) struct Written {
    pub(super) text: ImmutableString,
    pub(super) position: Position,
    /// Whether the position is that of the string. Otherwise, the string is the next one with this text.
    pub(super) exact: bool,
    /// Whether the string is one of a list: perhaps not every one of them is used here.
    pub(super) listed: bool,
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
        sorts.all(|sort| sort == Some(first)).then_some(first)
    }

    /// Returns the strings of the script that an expression can be, as far as they are known.
    pub(super) fn texts_of(&self, value: &Expr) -> Vec<Written> {
        outcomes(value).values.iter().flat_map(|value| self.texts_of_value(value)).collect()
    }

    fn texts_of_value(&self, value: &Expr) -> Vec<Written> {
        let listed = |(text, position, exact)| Written { text, position, exact, listed: true };
        match value {
            Expr::StringConstant(text, position) => {
                vec![Written { text: text.clone(), position: *position, exact: true, listed: false }]
            }
            Expr::Variable(var, ..) => match self.written.get(var.1.as_str()) {
                Some(list @ (Expr::Array(..) | Expr::DynamicConstant(..))) => {
                    texts_of_list(list).into_iter().map(listed).collect()
                }
                Some(list @ Expr::Variable(..)) => self.texts_of_constant(list),
                Some(Expr::Index(parts, ..)) => self.texts_of_constant(&parts.lhs),
                Some(value) => outcomes(value).values.iter().flat_map(|value| own_text(value)).collect(),
                None => Vec::new(),
            },
            Expr::Index(parts, ..) => self.texts_of_constant(&parts.lhs),
            _ => Vec::new(),
        }
    }

    /// Returns the strings in a constant of the rules, or in a list that is written where a variable is declared.
    fn texts_of_constant(&self, list: &Expr) -> Vec<Written> {
        let Expr::Variable(var, ..) = list else { return Vec::new() };
        if let Some(list) = self.written.get(var.1.as_str()) {
            let texts = texts_of_list(list).into_iter();
            return texts.map(|(text, position, exact)| Written { text, position, exact, listed: true }).collect();
        }
        let constant = self.layers.constants.get(var.1.as_str()).filter(|_| !self.locals.contains(var.1.as_str()));
        let Some(constant) = constant else { return Vec::new() };
        let mut texts = Vec::new();
        add_texts(&constant.value, &mut texts);
        let position = constant.position;
        texts.into_iter().map(|text| Written { text, position, exact: false, listed: true }).collect()
    }
}

fn own_text(value: &Expr) -> Option<Written> {
    match value {
        Expr::StringConstant(text, position) => {
            Some(Written { text: text.clone(), position: *position, exact: true, listed: false })
        }
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
