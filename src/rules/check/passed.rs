//! Checks strings that a function of the rules gets and uses only as a name: of a cell, a direction, an event and so on.

use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

use super::checker::{Call, Checker, call_of, is_closure};
use super::outcomes::Written;
use super::uses::{Uses, Want};
use crate::diagnostic::{did_you_mean, one_of};
use crate::rules::layers::{Definition, walk};
use crate::table::{BoardSpec, Kind, PropertyKind};

impl Checker<'_> {
    /// Reports strings in a call of a function of the rules that are not what the function uses them as.
    pub(super) fn passed(&mut self, call: &Call<'_>) {
        let Some((name, values)) = self.called_function(call.call, call.method) else { return };
        let (name, count) = (name.to_owned(), values.len());
        for (at, value) in values.iter().enumerate() {
            let texts = self.texts_of(value);
            if texts.is_empty() {
                continue;
            }
            let uses = self.uses(&name, count, at);
            if !uses.looked_at {
                uses.wants.iter().for_each(|want| self.texts_as(call, want, &texts));
            }
        }
    }

    /// Returns the function of the rules that a call runs, at once or as a phase, and its arguments.
    fn called_function<'a>(&self, call: &'a FnCallExpr, method: bool) -> Option<(&'a str, &'a [Expr])> {
        let name = call.name.as_str();
        match call.args.as_slice() {
            [Expr::StringConstant(phase, _), values @ ..] if name == "then" && !method => Some((phase, values)),
            values if self.layers.has_function(name) && !is_closure(name) => Some((name, values)),
            _ => None,
        }
    }

    /// Returns what a function of the rules uses its parameter of this number as. One that calls itself is
    /// taken to look at it.
    fn uses(&mut self, name: &str, count: usize, at: usize) -> Uses {
        let key = (name.to_owned(), count, at);
        if let Some(known) = self.uses.get(&key) {
            return known.clone();
        }
        let mut uses = Uses::default();
        self.uses.insert(key.clone(), Uses { looked_at: true, ..Uses::default() });
        let layers = self.layers;
        let def = layers.functions.get(&(name.to_owned(), count)).map(|function| &function.def);
        if let Some((def, parameter)) = def.and_then(|def| Some((def, def.params.get(at)?))) {
            self.add_uses(def, parameter, &mut uses);
        }
        self.uses.insert(key, uses.clone());
        uses
    }

    fn add_uses(&mut self, def: &Definition, parameter: &str, uses: &mut Uses) {
        let is = |value: &Expr| matches!(value, Expr::Variable(var, ..) if var.1 == parameter);
        walk(def, |node| {
            if let Some(call) = call_of(node) {
                for (at, _) in call.call.args.iter().enumerate().filter(|(_, value)| is(value)) {
                    self.use_in_call(&call, at, uses);
                }
                return;
            }
            match node {
                ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                    uses.looked_at |= is(&assignment.1.lhs);
                    if is(&assignment.1.rhs) && !assignment.0.is_op_assignment() {
                        uses.wants.extend(self.word_of_property(&assignment.1.lhs));
                    }
                }
                ASTNode::Stmt(Stmt::Var(var, ..)) => uses.looked_at |= is(&var.1) || var.0.name == parameter,
                ASTNode::Stmt(Stmt::Switch(parts, _)) => uses.looked_at |= is(&parts.0),
                ASTNode::Stmt(Stmt::For(parts, _)) => uses.looked_at |= is(&parts.2.expr) || parts.0.name == parameter,
                ASTNode::Stmt(Stmt::Share(captured)) => {
                    uses.looked_at |= captured.iter().any(|(name, _)| name.name == parameter);
                }
                ASTNode::Stmt(Stmt::TryCatch(..)) => uses.looked_at = true,
                ASTNode::Expr(Expr::Dot(parts, ..) | Expr::Index(parts, ..)) => {
                    uses.looked_at |= is(&parts.lhs) || is(&parts.rhs);
                }
                _ => {}
            }
        });
    }

    fn use_in_call(&mut self, call: &Call<'_>, at: usize, uses: &mut Uses) {
        let name = call.call.name.as_str();
        if let Some((function, values)) = self.called_function(call.call, call.method) {
            let skipped = call.call.args.len() - values.len();
            let Some(at) = at.checked_sub(skipped) else { return };
            let inner = self.uses(function, values.len(), at);
            for want in inner.wants {
                if !uses.wants.contains(&want) {
                    uses.wants.push(want);
                }
            }
            uses.looked_at |= inner.looked_at;
        } else if call.call.op_token.is_some() || name == "contains" || !self.natives.contains_key(name) {
            uses.looked_at = true;
        } else {
            uses.wants.extend(self.wanted(call, at));
        }
    }

    /// Returns what a native function uses an argument of a call as, if that is a name.
    fn wanted(&self, call: &Call<'_>, at: usize) -> Option<Want> {
        let name = call.call.name.as_str();
        match name {
            "cell_named" => return Some(Want::Cell),
            "direction_named" => return Some(Want::Direction),
            _ => {}
        }
        let forms = match name {
            "event" => self.schema.events.as_slice(),
            "may" => self.schema.asks.as_slice(),
            _ => &[],
        };
        if let ([Expr::StringConstant(verb, _), ..], Some(place)) = (call.call.args.as_slice(), at.checked_sub(1)) {
            let form = forms.iter().find(|form| form.verb == verb.as_str());
            if let Some((Kind::Word(words), _)) = form.and_then(|form| form.kinds().get(place).copied()) {
                return Some(word(verb, words.iter()));
            }
        }
        let kinds = self.natives.get(name)?.first()?.kinds();
        let kind = *kinds.get(at + usize::from(call.method))?;
        self.names(kind).map(|_| Want::Name(kind.to_owned()))
    }

    /// Returns the words of the property that an assignment sets.
    fn word_of_property(&self, set: &Expr) -> Option<Want> {
        let Expr::Dot(parts, ..) = set else { return None };
        let Expr::Property(names, _) = &parts.rhs else { return None };
        let name = names.2.as_str();
        if self.keys.contains(name) || self.schema.printed(name).is_some() {
            return None;
        }
        match &self.schema.properties.iter().find(|property| property.name == name)?.kind {
            PropertyKind::Value(Kind::Word(words)) => Some(word(name, words.iter())),
            _ => None,
        }
    }

    /// Reports strings that are not what they are used as.
    pub(super) fn texts_as(&mut self, call: &Call<'_>, want: &Want, texts: &[Written]) {
        // A list of cells may have a word for no cell; a list of words is none of cells.
        let is_place = |text: &Written| match want {
            Want::Cell => !self.lacks_cell(&text.text),
            Want::Direction => self.is_direction(&text.text),
            _ => true,
        };
        if texts.iter().all(|text| text.listed) && !texts.iter().any(is_place) {
            return;
        }
        for text in texts {
            match want {
                Want::Name(kind) => self.name_of_kind(call, kind, text),
                Want::Word { of, words } => self.one_of_words(of, words, text),
                Want::Cell => self.cell_name(text),
                Want::Direction => self.direction_name(text),
            }
        }
    }

    /// Reports a string that is none of the words of a property or a form.
    pub(super) fn one_of_words(&mut self, of: &str, words: &[impl AsRef<str>], written: &Written) {
        let text = written.text.as_str();
        let known = || words.iter().map(AsRef::as_ref);
        if known().any(|word| word == text) {
            return;
        }
        let help = did_you_mean(text, known()).unwrap_or_else(|| format!("use one of {}", one_of(known(), 12)));
        let message = format!("unknown word `{text}` for `{of}`");
        self.report_written("unknown_value", (text, written.position, written.exact), message, help);
    }

    /// Reports a string that is no name of a direction.
    fn direction_name(&mut self, written: &Written) {
        let text = written.text.as_str();
        if self.schema.board == BoardSpec::None || self.is_direction(text) {
            return;
        }
        let board = self.board();
        let names: Vec<&str> = board.iter().flat_map(|board| board.headings()).map(|heading| heading.name).collect();
        let help = did_you_mean(text, names.iter().copied())
            .unwrap_or_else(|| format!("use one of {}", one_of(names.iter().copied(), 8)));
        let message = format!("unknown direction `{text}`");
        self.report_written("unknown_direction", (text, written.position, written.exact), message, help);
    }

    /// Reports a string that is no name of a cell.
    fn cell_name(&mut self, written: &Written) {
        let text = written.text.as_str();
        if !self.lacks_cell(text) {
            return;
        }
        let message = format!("no board of this game has a cell `{text}`");
        let help = match self.schema.board {
            BoardSpec::Track(cells) => format!("the cells are `1` to `{cells}`"),
            BoardSpec::Grid(columns, rows) if self.schema.variants.iter().all(|one| one.board.is_none()) => {
                format!("the board has {columns} columns, from `a`, and {rows} rows, from `1`")
            }
            _ => "write the name of a cell as diagrams have it".to_owned(),
        };
        self.report_written("unknown_cell", (text, written.position, written.exact), message, help);
    }

    /// Reports names of cells or of directions that no board of the game has.
    pub(super) fn places(&mut self, call: &Call<'_>) {
        let want = match call.call.name.as_str() {
            name if self.layers.has_function(name) => return,
            "direction_named" => Want::Direction,
            "cell_named" => Want::Cell,
            _ => return,
        };
        let [name] = call.call.args.as_slice() else { return };
        let texts = self.texts_of(name);
        self.texts_as(call, &want, &texts);
    }
}

fn word(of: &str, words: impl Iterator<Item = impl ToString>) -> Want {
    Want::Word { of: of.to_owned(), words: words.map(|word| word.to_string()).collect() }
}
