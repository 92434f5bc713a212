//! The kinds of flags, counters and properties, and of what is printed on cards.

use rhai::Expr;

use super::checker::Checker;
use super::operators::combined;
use super::sorts::Sort;
use super::written::written_or;
use crate::rules::natives::lacking_of_piece;
use crate::table::{Kind, KindId, PropertyKind};

impl Checker<'_> {
    /// Returns the kind of the value of a name after a dot, or of a string in brackets, after a value of this kind.
    pub(super) fn sort_of_property(&self, of: Option<Sort>, name: &str) -> Option<Sort> {
        match (of, name) {
            (Some(Sort::Move), "from" | "to") => return Some(Sort::Cell),
            (Some(Sort::Move), "captures") => return Some(Sort::Truth),
            _ => {}
        }
        if of == Some(Sort::Map) || self.keys.contains(name) {
            return None;
        }
        self.sort_of_declared(name).or_else(|| (name == "len").then_some(Sort::Number))
    }

    /// Returns the kind of a declared property, or of what is printed on cards.
    pub(super) fn sort_of_declared(&self, name: &str) -> Option<Sort> {
        Some(match self.kind_of_property(name)? {
            PropertyKind::Flag => Sort::Truth,
            PropertyKind::Counter { .. } => Sort::Number,
            PropertyKind::Value(kind) => Sort::of_kind(kind),
        })
    }

    /// Returns the kind of a property, or of a value that is printed on cards; `None` if it is unknown. A name has only
    /// one of both meanings.
    pub(super) fn kind_of_property(&self, name: &str) -> Option<&PropertyKind> {
        if let Some(printed) = self.schema.printed.iter().find(|printed| printed.name == name) {
            return printed.kind.as_ref();
        }
        self.schema.properties.iter().find(|property| property.name == name).map(|property| &property.kind)
    }

    /// Returns the kind of the elements of a property, or of a value that is printed on cards; `None` if it has none.
    pub(super) fn element_of_property(&self, name: &str) -> Option<Sort> {
        match self.kind_of_property(name).filter(|_| !self.keys.contains(name))? {
            PropertyKind::Value(Kind::Many(one)) => Some(Sort::of_kind(one)),
            _ => None,
        }
    }

    /// Reports an operator such as `+=` after which a flag, counter or property has a value of a kind that it cannot have.
    pub(super) fn combined_into(&mut self, name: &str, sign: &str, value: &Expr) {
        if self.keys.contains(name) || self.schema.printed(name).is_some() {
            return;
        }
        let schema = self.schema;
        let Some(property) = schema.properties.iter().find(|property| property.name == name) else { return };
        let Some(found) = self.sort_of(value).filter(|found| !matches!(found, Sort::Open | Sort::Nothing)) else {
            return;
        };
        let found = found.plain();
        let own = match &property.kind {
            PropertyKind::Flag => Sort::Truth,
            PropertyKind::Counter { .. } => Sort::Number,
            PropertyKind::Value(Kind::Many(one)) => {
                let element = if found == Sort::List { self.element_of(value) } else { Some(found) };
                return self.element_of_set(name, one, value, element);
            }
            PropertyKind::Value(kind) => Sort::of_kind(kind),
        };
        let Ok(Some(made)) = combined(sign, own, found) else { return };
        if made.plain() != own {
            let message =
                format!("`{sign}` with {} makes {}, but `{name}` is {}", found.words(), made.words(), own.words());
            let help = format!(
                "write {}, or `{}.NAME` for a counter of another owner",
                own.words(),
                written_or(value, "owner")
            );
            let help = if found == Sort::Text { format!("write {} without quotes", own.words()) } else { help };
            self.report_value("wrong_values", value, message, help);
        }
    }

    /// Reports a value of a property of a plural kind that is of another kind.
    pub(super) fn element_of_set(&mut self, name: &str, one: &Kind, value: &Expr, element: Option<Sort>) {
        let wanted = Sort::of_kind(one);
        let known = element.filter(|sort| !matches!(sort, Sort::Open | Sort::Nothing));
        let Some(found) = known.map(Sort::plain).filter(|found| *found != wanted) else { return };
        let message = format!("each value of the property `{name}` is {}, found {}", wanted.words(), found.words());
        let is_one = self.sort_of(value).map(Sort::plain) == Some(found);
        let help = self.instead(value, wanted, found).filter(|_| is_one);
        let help = help.unwrap_or_else(|| format!("write a list in which each value is {}", wanted.words()));
        self.report_value("wrong_values", value, message, help);
    }

    /// Returns the kind of a piece that the rules name, if it is plain: `rock`, `man(me)`, `piece("ace")`.
    fn kind_of_piece(&self, piece: &Expr) -> Option<KindId> {
        let schema = self.schema;
        let named = |name: &str| schema.pieces.get(schema.piece(name)?.index()).map(|piece| piece.kind);
        match piece {
            Expr::Variable(var, ..) if !self.sorts.contains_key(&var.1) && self.sort_of(piece) == Some(Sort::Piece) => {
                named(&var.1)
            }
            Expr::FnCall(call, _) if !self.layers.has_function(&call.name) => match call.args.as_slice() {
                [Expr::StringConstant(name, _)] if call.name == "piece" => named(name),
                [_] => {
                    let of_kind = |kind: KindId| {
                        schema.kinds.get(kind.index()).is_some_and(|kind| kind.name == call.name.as_str())
                    };
                    schema.pieces.iter().map(|piece| piece.kind).find(|kind| of_kind(*kind))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the error for a property that pieces of another kind have; `None` if the kind of the piece is not plain.
    pub(super) fn lacking_of_piece(&self, piece: &Expr, name: &str) -> Option<crate::rules::host::Explained> {
        lacking_of_piece(self.schema, self.kind_of_piece(piece)?, name)
    }
}
