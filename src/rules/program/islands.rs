//! Expressions of rules in scenarios, `{ … }`, and the reasons for which rules refuse an action.

use std::sync::Arc;

use rhai::{AST, Dynamic, ImmutableString};

use super::Program;
use crate::diagnostic::Diagnostic;
use crate::rules::compile::Materials;
use crate::rules::host::{Keep, Nobody, Session};
use crate::rules::layers::{Texts, fault};
use crate::rules::values::{kind_of, to_script};
use crate::rules::{api, check, host, values};
use crate::source::{Source, Span};
use crate::table::{PlayerId, State, Value};
use crate::trace::Action;

/// The values of a table's row, as names that an expression may use.
pub type Holes = Vec<(String, Value)>;

/// The most expressions that are kept compiled.
const MOST_ISLANDS: usize = 1000;

/// What a compiled expression depends on: its words, and the column in which they begin. Not the name of its file: each
/// flag of the command line is a text of its own, and all these texts have one name.
pub(crate) type IslandKey = (String, usize, Vec<ImmutableString>);

impl Program {
    /// Compiles the expression at `span`, braces included; it may use the names of the holes.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn compile_island(&self, source: &Arc<Source>, span: Span, holes: &Holes) -> Result<(), Vec<Diagnostic>> {
        let texts = self.island_texts(source, span);
        let ast = self.parse_island(source, span, &texts).map_err(|wrong| vec![wrong])?;
        let known: Vec<&str> = holes.iter().map(|(name, _)| name.as_str()).collect();
        let wrong = check::check_alone(&self.layers, &self.entries, &self.schema, &ast, &known, &texts);
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// Returns whether the expression at `span` is true of `state`.
    ///
    /// # Errors
    /// It goes wrong, it asks, or it is neither true nor false.
    pub fn judge_island(
        &self,
        source: &Arc<Source>,
        span: Span,
        holes: &Holes,
        state: &State,
    ) -> Result<bool, Box<Diagnostic>> {
        let value = self.evaluate_island(source, span, holes, state)?;
        value.as_bool().map_err(|_| {
            let message = format!("this is {}, neither true nor false", kind_of(&value));
            let wrong = Diagnostic::new("wrong_expression", source, span, message);
            Box::new(wrong.help("compare it, as in `{ anna.score == 3 }` for a player `anna`"))
        })
    }

    /// Returns the number that the expression at `span` is in `state`.
    ///
    /// # Errors
    /// It goes wrong, it asks, or it is no number.
    pub fn rate_island(
        &self,
        source: &Arc<Source>,
        span: Span,
        holes: &Holes,
        state: &State,
    ) -> Result<i64, Box<Diagnostic>> {
        let value = self.evaluate_island(source, span, holes, state)?;
        value.as_int().map_err(|_| {
            let wrong =
                Diagnostic::new("wrong_expression", source, span, format!("this is {}, no number", kind_of(&value)));
            Box::new(wrong.help("a position is rated by a whole number, such as `count(cells(me))`"))
        })
    }

    fn evaluate_island(
        &self,
        source: &Arc<Source>,
        span: Span,
        holes: &Holes,
        state: &State,
    ) -> Result<Dynamic, Box<Diagnostic>> {
        let function = self.island(source, span, holes)?;
        self.link.meter.reset(0);
        let session = Session::new(state.clone(), Box::new(Nobody), Keep::default());
        let values = holes.iter().map(|(_, value)| to_script(value)).collect();
        let (value, session) = self.link.during(session, || self.run_expression(function, values));
        match value {
            _ if session.halt.is_some() => {
                let message = "an expression can neither ask nor end the game";
                Err(Box::new(Diagnostic::new("wrong_expression", source, span, message)))
            }
            value if self.link.meter.excess().is_some() => {
                let texts = self.island_texts(source, span);
                Err(Box::new(fault::excess(&self.link.meter, value.err().as_deref(), &texts)))
            }
            Ok(value) => Ok(value),
            Err(error) => Err(Box::new(fault::runtime(&error, &self.island_texts(source, span)))),
        }
    }

    /// Returns the function that an expression is; it is compiled the first time.
    fn island(&self, source: &Arc<Source>, span: Span, holes: &Holes) -> Result<usize, Box<Diagnostic>> {
        let names: Vec<ImmutableString> = holes.iter().map(|(name, _)| name.as_str().into()).collect();
        let key = (source.slice(span).to_owned(), source.position(span.start).column, names.clone());
        if let Some(known) = self.expressions.compiled.borrow().get(&key) {
            return Ok(*known);
        }
        let texts = &self.island_texts(source, span);
        let ast = self.parse_island(source, span, texts).map_err(Box::new)?;
        let mut islands = self.expressions.compiled.borrow_mut();
        let mut memory = self.expressions.memory.borrow_mut();
        let mut code = self.code.borrow_mut();
        if islands.len() >= MOST_ISLANDS {
            islands.clear();
            code.forget_expressions(memory.arena_mut());
        }
        let components = api::components(&self.schema);
        let materials = Materials { layers: &self.layers, components: &components, schema: &self.schema, texts };
        let function = code.expression(materials, &ast, &names, memory.arena_mut());
        let first = |wrong: Vec<Diagnostic>| wrong.into_iter().next();
        let function = function.map_err(|wrong| {
            let unknown = || Diagnostic::new("not_in_rules", source, span, "rules cannot have this expression");
            Box::new(first(wrong).unwrap_or_else(unknown))
        })?;
        islands.insert(key, function);
        Ok(function)
    }

    /// Returns the texts of the script and, behind them, the file in which an expression stands.
    fn island_texts(&self, source: &Arc<Source>, span: Span) -> Texts {
        self.layers.texts.with_island(source, source.line(span.start))
    }

    fn parse_island(&self, source: &Arc<Source>, span: Span, texts: &Texts) -> Result<AST, Diagnostic> {
        let at = source.position(span.start);
        // Empty lines and blanks in front make the engine's positions those of the texts.
        let text =
            format!("{}{}{}", "\n".repeat(self.layers.texts.end()), " ".repeat(at.column - 1), source.slice(span));
        self.engine.compile(text).map_err(|error| fault::syntax(&error, texts, source))
    }

    /// Returns why the rules refuse an action to a player, in the words of their function `why_not`; nothing where they
    /// have none, or none for this.
    ///
    /// # Errors
    /// The function goes wrong, or gives no text.
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
                Err(Box::new(Diagnostic::general("wrong_expression", "`why_not` can neither ask nor end the game")))
            }
            reason if self.link.meter.excess().is_some() => {
                Err(Box::new(fault::excess(&self.link.meter, reason.err().as_deref(), &self.layers.texts)))
            }
            Ok(Value::Text(text)) => Ok(Some(text.to_string())),
            Ok(Value::Nothing) => Ok(None),
            Ok(_) => Err(Box::new(
                Diagnostic::general("wrong_expression", "`why_not` gives something that is no text")
                    .help("it gives the reason as a text, or `()` where it has none"),
            )),
            Err(error) => Err(Box::new(fault::runtime(&error, &self.layers.texts))),
        }
    }
}
