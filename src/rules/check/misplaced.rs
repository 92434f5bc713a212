//! Checks where names are used: a variable before its declaration, a property of another owner.

use rhai::{Expr, Position};

use super::checker::{Call, Checker};
use super::sorts::Sort;
use crate::diagnostic::{Diagnostic, Label};
use crate::rules::layers::{author_name, rules_place};
use crate::rules::natives::{Asked, lacking_of_kind};

/// Returns a number by which positions are in their order.
fn order(position: Position) -> (usize, usize) {
    (position.line().unwrap_or(0), position.position().unwrap_or(0))
}

impl Checker<'_> {
    /// Reports a variable of the function that is not visible where it is used: it is declared further down, or in a
    /// block that has ended. Rhai has found no variable of this name there.
    pub(super) fn invisible(&mut self, name: &str, position: Position) {
        let Some(places) = self.declared.places.get(name) else { return };
        let first = places.iter().copied().min_by_key(|place| order(*place));
        let earlier = places.iter().copied().filter(|place| order(*place) < order(position));
        let last = earlier.max_by_key(|place| order(*place));
        let (Some(first), false) = (first, last.is_some() && self.declared.captured.contains(name)) else { return };
        let at = last.unwrap_or(first);
        let Some(Label { source, span, .. }) = self.texts.label(rules_place(at)) else { return };
        let (line, name) = (source.line(span.start), author_name(name));
        let (message, help, note) = match last {
            None => (
                format!("unknown name `{name}`: it is declared further down, at line {line}"),
                format!("move the declaration of `{name}` above this line"),
                "declared here",
            ),
            Some(_) => (
                format!("unknown name `{name}`: it is declared at line {line}, in a block that has ended"),
                format!("declare `{name}` before that block, and assign to it in the block"),
                "declared here",
            ),
        };
        let Some(here) = self.texts.label(rules_place(position)) else { return };
        let wrong = Diagnostic::new("unknown_name", &here.source, here.span, message).help(help);
        self.wrong.push(wrong.also(&source, span, note));
    }

    /// Reports a property after a dot that an owner of this kind does not have.
    pub(super) fn property_of(&mut self, of: &Expr, after_dot: &Expr) {
        let (name, position) = match after_dot {
            Expr::Property(names, position) => (names.2.clone(), *position),
            Expr::Dot(parts, ..) | Expr::Index(parts, ..) => match &parts.lhs {
                Expr::Property(names, position) => (names.2.clone(), *position),
                _ => return,
            },
            _ => return,
        };
        self.owned(of, &name, position, false);
    }

    /// Reports a property in `set` or `tally` that an owner of this kind does not have.
    pub(super) fn property_set(&mut self, call: &Call<'_>) {
        let is_own = self.layers.has_function(&call.call.name);
        let ("set" | "tally", false, false) = (call.call.name.as_str(), call.method, is_own) else { return };
        if let [of, Expr::StringConstant(name, position), value] = call.call.args.as_slice() {
            let before = self.wrong.len();
            self.owned(of, name, *position, true);
            if call.call.name == "set" && self.wrong.len() == before {
                self.set_to(name, value);
            }
        }
    }

    /// Reports a name in brackets after a player, a piece or the game, `me["scor"]`, that nothing or another owner has.
    pub(super) fn property_in_brackets(&mut self, of: &Expr, name: &Expr) {
        for text in self.texts_of(name) {
            let before = self.wrong.len();
            self.name_in_brackets(&text);
            if self.wrong.len() == before && text.exact && !text.unsure {
                self.owned(of, &text.text, text.position, true);
            }
        }
    }

    fn owned(&mut self, of: &Expr, name: &str, position: Position, quoted: bool) {
        let asked = match self.sort_of(of) {
            Some(Sort::Game) => Asked::Game,
            Some(Sort::Player) => Asked::Player,
            Some(Sort::Piece | Sort::Men) if self.schema.printed(name).is_none() => {
                Asked::Piece(self.schema.pieces.iter().any(|piece| piece.owner.is_some()))
            }
            _ => return,
        };
        let wrong = lacking_of_kind(self.schema, asked, name).or_else(|| self.lacking_of_piece(of, name));
        let Some(mut wrong) = wrong else { return };
        let who = if let Expr::Variable(var, ..) = of { var.1.as_str() } else { self.somebody() };
        wrong.help = wrong.help.replace("(me)", &format!("({who})"));
        if quoted {
            self.report_text(wrong.code, position, name, wrong.message, Some(wrong.help));
        } else {
            self.report(wrong.code, position, wrong.message, Some(wrong.help));
        }
    }
}
