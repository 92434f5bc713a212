//! Checks strings that a function of the rules gets and uses only as a name: of a cell, a direction, an event and so on.

use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

use super::checker::{Call, Checker, call_of, is_closure};
use super::literals::form_of;
use super::outcomes::Written;
use super::uses::{Uses, Want, branches, leaves};
use crate::diagnostic::{did_you_mean, nearest, one_of};
use crate::rules::host::Role;
use crate::rules::layers::{Definition, walk_statements};
use crate::table::{BoardSpec, Kind, PropertyKind};

impl Checker<'_> {
    /// Reports strings in a call of a function of the rules that are not what the function uses them as.
    pub(super) fn passed(&mut self, call: &Call<'_>) {
        let Some((name, values)) = self.called_function(call.call, call.method) else { return };
        for (at, value) in values.iter().enumerate() {
            let mut texts = self.texts_of(value);
            if texts.is_empty() {
                continue;
            }
            if let Some(Uses::As { want, unsure }) = self.uses(name, values.len(), at) {
                texts.iter_mut().for_each(|text| text.unsure |= unsure);
                self.texts_as(call, &want, &texts);
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

    /// Returns what a function of the rules uses its parameter of this number as; `None` if it does not use it.
    fn uses(&mut self, name: &str, count: usize, at: usize) -> Option<Uses> {
        let key = (name.to_owned(), count, at);
        if let Some(known) = self.uses.get(&key) {
            return known.clone();
        }
        // Of one that calls itself, nothing is said.
        self.uses.insert(key.clone(), Some(Uses::Several));
        let layers = self.layers;
        let function = layers.functions.get(&(name.to_owned(), count));
        let parameter = function.and_then(|function| Some((&function.def, function.def.params.get(at)?)));
        let uses = parameter.and_then(|(def, parameter)| self.uses_in(def, parameter));
        self.uses.insert(key, uses.clone());
        uses
    }

    fn uses_in(&mut self, def: &Definition, parameter: &str) -> Option<Uses> {
        let is = |value: &Expr| matches!(value, Expr::Variable(var, ..) if var.1 == parameter);
        let (mut uses, mut left): (Option<Uses>, bool) = (None, false);
        for statement in def.statements() {
            let unsure = left || branches(statement);
            left |= leaves(statement);
            // Each place where the parameter stands, and the uses that are known.
            let (mut places, mut known) = (0, 0);
            walk_statements(std::slice::from_ref(statement), |node| {
                places += usize::from(is_named(node, parameter));
                for used in self.uses_of_node(node, is) {
                    known += 1;
                    let used = match used {
                        Uses::As { want, unsure: inner } => Uses::As { want, unsure: inner || unsure },
                        several => several,
                    };
                    uses = Some(uses.take().map_or(used.clone(), |before| before.with(used)));
                }
            });
            if places != known {
                return Some(Uses::Several);
            }
        }
        uses
    }

    /// Returns the uses of a parameter that a call or an assignment makes.
    fn uses_of_node(&mut self, node: &ASTNode<'_>, is: impl Fn(&Expr) -> bool) -> Vec<Uses> {
        let sure = |want| Uses::As { want, unsure: false };
        if let Some(call) = call_of(node) {
            let given = call.call.args.iter().enumerate().filter(|(_, value)| is(value)).map(|(at, _)| at);
            return given.filter_map(|at| self.use_in_call(&call, at)).collect();
        }
        match node {
            ASTNode::Stmt(Stmt::Assignment(assignment))
                if is(&assignment.1.rhs) && !assignment.0.is_op_assignment() =>
            {
                self.word_of_property(&assignment.1.lhs).map(sure).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn use_in_call(&mut self, call: &Call<'_>, at: usize) -> Option<Uses> {
        match self.called_function(call.call, call.method) {
            Some((function, values)) => {
                self.uses(function, values.len(), at.checked_sub(call.call.args.len() - values.len())?)
            }
            None => self.wanted(call, at).map(|want| Uses::As { want, unsure: false }),
        }
    }

    /// Returns what a native function uses an argument of a call as, if that is a name.
    fn wanted(&self, call: &Call<'_>, at: usize) -> Option<Want> {
        let name = call.call.name.as_str();
        if let ([Expr::StringConstant(verb, _), ..], Some(place)) = (call.call.args.as_slice(), at.checked_sub(1))
            && let Some(form) = form_of(self.schema, name, verb)
            && let Some((Kind::Word(words), _)) = form.kinds().get(place).copied()
        {
            return Some(word(verb, words.iter()));
        }
        let given = call.call.args.len() + usize::from(call.method);
        let forms = self.natives.get(name)?;
        let form = forms.iter().find(|form| form.counts().contains(&given)).or(forms.first())?;
        match form.role(at + usize::from(call.method))? {
            Role::CellName => Some(Want::Cell),
            Role::DirectionName => Some(Want::Direction),
            role => self.names(role).map(|_| Want::Name(role)),
        }
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
        for text in texts {
            match want {
                Want::Name(role) => self.name_of_role(call, *role, text),
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
        if known().any(|word| word == text) || written.unsure && nearest(text, known()).is_none() {
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
        if written.unsure && nearest(text, names.iter().copied()).is_none() {
            return;
        }
        let help = did_you_mean(text, names.iter().copied())
            .unwrap_or_else(|| format!("use one of {}", one_of(names.iter().copied(), 8)));
        let message = format!("unknown direction `{text}`");
        self.report_written("unknown_direction", (text, written.position, written.exact), message, help);
    }

    /// Reports a string that is no name of a cell.
    fn cell_name(&mut self, written: &Written) {
        let text = written.text.as_str();
        if !self.lacks_cell(text) || written.unsure && !self.looks_like_a_cell(text) {
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

    /// Returns whether a text has a number and is made like the names of cells: `k9`, `12`.
    fn looks_like_a_cell(&self, text: &str) -> bool {
        let first = self.board().and_then(|board| board.names().next()).map(shape);
        text.contains(|letter: char| letter.is_ascii_digit()) && first == Some(shape(text))
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

/// Returns a text with `a` for letters in a row and `0` for digits in a row.
fn shape(text: &str) -> String {
    let mut shape: Vec<char> = text
        .chars()
        .map(|letter| match letter {
            digit if digit.is_ascii_digit() => '0',
            letter if letter.is_alphabetic() => 'a',
            other => other,
        })
        .collect();
    shape.dedup();
    shape.into_iter().collect()
}

/// Returns whether a node names a variable.
fn is_named(node: &ASTNode<'_>, name: &str) -> bool {
    match node {
        ASTNode::Expr(Expr::Variable(var, ..)) => var.1 == name,
        ASTNode::Stmt(Stmt::Var(var, ..)) => var.0.name == name,
        ASTNode::Stmt(Stmt::Share(captured)) => captured.iter().any(|(captured, _)| captured.name == name),
        _ => false,
    }
}

fn word(of: &str, words: impl Iterator<Item = impl ToString>) -> Want {
    Want::Word { of: of.to_owned(), words: words.map(|word| word.to_string()).collect() }
}
