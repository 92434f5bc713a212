//! Embedded expressions of rules in scenarios, `{ … }`, and the reasons why rules refuse an action.

use std::sync::Arc;

use rhai::{AST, Dynamic, ImmutableString, Position};

use super::Program;
use super::compiled::Placeholders;
use crate::compile::Materials;
use crate::host::{Keep, Nobody, Session};
use crate::layers::{ScriptToken, ScriptTokenKind, Texts, fault, rules_place, tokens};
use crate::script::{Function, Name, Node, What};
use crate::values::{Kind, kind_of, to_script};
use crate::{host, natives, values};
use referee_diagnostic::{Code, Diagnostic, Label};
use referee_source::unwritable;
use referee_source::{Source, Span};
use referee_table::{PlayerId, State, Value};
use referee_trace::Action;

/// The maximum number of compiled expressions that are kept.
const MAX_EXPRESSIONS: usize = 1000;

/// An expression that is evaluated in positions.
#[derive(Clone, Copy, Debug)]
pub struct Expression<'e> {
    /// The file with the expression.
    pub source: &'e Arc<Source>,
    /// Where it is, braces included.
    pub span: Span,
    /// Whether it is about a player, `me`.
    pub of_player: bool,
}

impl Program {
    /// Compiles the expression at `span`, which includes the braces. It may use the names of the placeholders.
    ///
    /// # Errors
    /// Returns all errors in the expression.
    pub fn compile_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
    ) -> Result<(), Vec<Diagnostic>> {
        let texts = self.expression_texts(source, span);
        let expression =
            self.read_expression(source, span, &texts, &of_kinds(placeholders)).map_err(|wrong| vec![wrong])?;
        let wrong = self.checked().alone(&expression, &texts);
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Returns the names in the expression at `span` that it does not declare itself, each with its location: not those in
    /// `players().contains(NAME)`, which asks whether a player takes part.
    #[must_use]
    pub fn names_in(&self, source: &Arc<Source>, span: Span) -> Vec<(String, Label)> {
        let texts = self.expression_texts(source, span);
        let Ok(expression) = self.read_expression(source, span, &texts, &[]) else { return Vec::new() };
        let mut names = Vec::new();
        let mut asked = Vec::new();
        expression.body.walk(&mut |node| asked.extend(asked_to_play(node)));
        expression.body.walk(&mut |node| {
            let What::Name(name) = &node.what else { return };
            let written = match name {
                Name::Constant(name) | Name::Component(name) | Name::Function(name) | Name::Unknown(name) => name,
                Name::Local(_) => return,
            };
            if !asked.contains(&node.at) {
                names.extend(texts.label(rules_place(node.at)).map(|label| (written.to_string(), label)));
            }
        });
        names
    }

    /// Returns whether the expression at `span` is true in `state`.
    ///
    /// # Errors
    /// Returns an error if the expression fails, asks, or is not a boolean.
    pub fn judge_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
        state: &State,
    ) -> Result<bool, Box<Diagnostic>> {
        let value = self.evaluate_expression(source, span, placeholders, state.clone())?;
        value.as_bool().map_err(|_| {
            let message = format!("expected a boolean, found {}", kind_of(&value));
            let wrong = Diagnostic::new(Code::WrongExpression, source, span, message);
            Box::new(wrong.help(self.schema.example_comparison()))
        })
    }

    /// Returns the number that the expression at `span` has in `state`.
    ///
    /// # Errors
    /// Returns an error if the expression fails, asks, or is not a number.
    pub fn rate_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
        state: State,
    ) -> Result<i64, Box<Diagnostic>> {
        let value = self.evaluate_expression(source, span, placeholders, state)?;
        value.as_int().map_err(|_| {
            let wrong = Diagnostic::new(
                Code::WrongExpression,
                source,
                span,
                format!("expected a number, found {}", kind_of(&value)),
            );
            Box::new(wrong.help("rate the position by a whole number, such as `count(cells(me))`"))
        })
    }

    pub(super) fn evaluate_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
        state: State,
    ) -> Result<Dynamic, Box<Diagnostic>> {
        let function = self.expression(source, span, placeholders)?;
        self.link.meter.reset(0);
        let session = Session::new(state, Box::new(Nobody), Keep::default());
        let values = placeholders.iter().map(|(_, value)| to_script(value)).collect();
        let (value, session) = self.link.during(session, || self.run_expression(function, values));
        match value {
            _ if session.halt.is_some() => {
                let message = "an expression can neither ask nor end the game";
                Err(Box::new(Diagnostic::new(Code::WrongExpression, source, span, message)))
            }
            value if self.link.meter.excess().is_some() => {
                let texts = self.expression_texts(source, span);
                Err(Box::new(fault::excess(&self.link.meter, value.err().as_deref(), &texts)))
            }
            Ok(value) => Ok(value),
            Err(error) => Err(Box::new(self.explained(&error, &self.expression_texts(source, span)))),
        }
    }

    /// Returns the function of an expression, compiled at the first use.
    fn expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
    ) -> Result<usize, Box<Diagnostic>> {
        if let Some(function) = self.expressions.ran_last(source, span, placeholders) {
            return Ok(function);
        }
        let function = self.compiled_expression(source, span, placeholders)?;
        self.expressions.runs(source, span, placeholders, function);
        Ok(function)
    }

    fn compiled_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        placeholders: &Placeholders,
    ) -> Result<usize, Box<Diagnostic>> {
        let names = placeholders.iter().map(|(name, _)| name.as_str().into()).collect();
        let key = (source.slice(span).to_owned(), source.position(span.start).column, names);
        if let Some(known) = self.expressions.compiled.borrow().get(&key) {
            return Ok(*known);
        }
        let texts = &self.expression_texts(source, span);
        let expression = self.read_expression(source, span, texts, &given(placeholders)).map_err(Box::new)?;
        let mut expressions = self.expressions.compiled.borrow_mut();
        let mut memory = self.expressions.memory.borrow_mut();
        let mut code = self.code.borrow_mut();
        if expressions.len() >= MAX_EXPRESSIONS {
            expressions.clear();
            self.expressions.forget_last();
            code.forget_expressions(memory.arena_mut());
        }
        let components = natives::components(&self.schema);
        let materials = Materials {
            layers: &self.layers,
            script: &self.script,
            components: &components,
            schema: &self.schema,
            texts,
            points: None,
            profile: None,
            more: &[],
        };
        let function = code.expression(materials, &expression, memory.arena_mut());
        let first = |wrong: Vec<Diagnostic>| wrong.into_iter().next();
        let function = function.map_err(|wrong| {
            let unknown = || Diagnostic::new(Code::NotInRules, source, span, "rules do not support this expression");
            Box::new(first(wrong).unwrap_or_else(unknown))
        })?;
        expressions.insert(key, function);
        Ok(function)
    }

    /// Returns the texts of the script, followed by the file that contains an expression.
    pub(super) fn expression_texts(&self, source: &Arc<Source>, span: Span) -> Texts {
        self.layers.texts.with_expression(source, span)
    }

    /// Reads the expression at `span`, which may use these names besides, each with a kind.
    pub(super) fn read_expression(
        &self,
        source: &Arc<Source>,
        span: Span,
        texts: &Texts,
        names: &[(ImmutableString, Kind)],
    ) -> Result<Function, Diagnostic> {
        let ast = self.parse_expression(source, span, texts)?;
        Ok(self.script.expression(&self.layers, &self.schema, (&ast, texts), names))
    }

    fn parse_expression(&self, source: &Arc<Source>, span: Span, texts: &Texts) -> Result<AST, Diagnostic> {
        let at = source.position(span.start);
        // Leading newlines and spaces make the engine's positions equal to those in `texts`.
        let text =
            format!("{}{}{}", "\n".repeat(self.layers.texts.end()), " ".repeat(at.column - 1), source.slice(span));
        self.engine.compile(text).map_err(|error| {
            let wrong = fault::syntax(&error, texts, source);
            match words_of_a_line(source.slice(span)) {
                Some(words) => {
                    wrong.help(format!("only rules are in braces; write a line without them: `expect {words}`"))
                }
                None => wrong,
            }
        })
    }

    /// Returns why the rules refuse a player's action, from their function `why_not`. Returns `None` if they have no
    /// such function or it returns `()`.
    ///
    /// # Errors
    /// Returns an error if the function fails, asks, ends the game, or returns neither a string nor `()`.
    pub fn why_not(&self, state: &State, player: PlayerId, action: &Action) -> Result<Option<String>, Box<Diagnostic>> {
        if !self.has("why_not", 2) {
            return Ok(None);
        }
        self.link.meter.reset(0);
        let session = Session::new(state.clone(), Box::new(Nobody), Keep::default());
        let (reason, session) = self.link.during(session, || {
            host::chosen(&self.link, action, false)
                .and_then(|action| self.call_with("why_not", vec![Dynamic::from(player), action]))
                .and_then(|reason| values::from_script(&reason))
        });
        match reason {
            _ if session.halt.is_some() => {
                Err(Box::new(self.wrong_reason("`why_not` can neither ask nor end the game")))
            }
            reason if self.link.meter.excess().is_some() => {
                Err(Box::new(fault::excess(&self.link.meter, reason.err().as_deref(), &self.layers.texts)))
            }
            Ok(Value::Text(text)) => match unwritable(&text) {
                None => Ok(Some(text.to_string())),
                Some(why) => Err(Box::new(
                    self.wrong_reason(&format!("no line of a scenario can expect the reason of `why_not`: it {why}"))
                        .help("return a reason that fits on a line, without invisible characters"),
                )),
            },
            Ok(Value::Nothing) => Ok(None),
            Ok(_) => Err(Box::new(
                self.wrong_reason("`why_not` returned neither a string nor `()`")
                    .help("return the reason as a string, or `()` if there is none"),
            )),
            Err(error) => Err(Box::new(self.explained(&error, &self.layers.texts))),
        }
    }

    /// Returns an error at the rules' function `why_not`.
    fn wrong_reason(&self, message: &str) -> Diagnostic {
        let wrong = Diagnostic::general(Code::WrongExpression, message);
        wrong.labelled(self.function_label("why_not", 2))
    }
}

/// Returns the names of placeholders, whose values may be of any kind.
/// The placeholders for code that is kept for all values that they may have.
fn given(placeholders: &Placeholders) -> Vec<(ImmutableString, Kind)> {
    placeholders.iter().map(|(name, _)| (name.as_str().into(), Kind::ANY)).collect()
}

/// The placeholders with the kinds of their values. Where one row has no value, the expression may ask for that first.
fn of_kinds(placeholders: &Placeholders) -> Vec<(ImmutableString, Kind)> {
    let kind = |value: &Value| match value {
        Value::Nothing => Kind::ANY,
        value => Kind::of_dynamic(&to_script(value)),
    };
    placeholders.iter().map(|(name, value)| (name.as_str().into(), kind(value))).collect()
}

/// Returns the place of the player whom `players().contains(PLAYER)` asks about.
fn asked_to_play(node: &Node) -> Option<Position> {
    let call = node.call().filter(|call| call.name == "contains")?;
    let (of, who) = (call.args.first()?, call.args.get(1)?);
    let is_players = matches!(of.function_call(), Some(("players", [])));
    is_players.then_some(who.at)
}

/// Returns the words in braces if they are those of a line, `{ red at a1 }`, and no expression.
fn words_of_a_line(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let plain = |token: &ScriptToken| matches!(token.kind, ScriptTokenKind::Word | ScriptTokenKind::Number);
    let all = tokens(inside);
    (all.len() > 2 && all.iter().all(plain)).then_some(inside)
}
