//! The compiled expressions of scenarios, which are outside the rules.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::ImmutableString;

use crate::vm::Memory;
use referee_source::{Source, Span};
use referee_table::Value;

/// The values of a table row, by the names that an expression may use.
pub type Placeholders = Vec<(String, Value)>;

/// The key of a compiled expression: its text, its start column and the names of the placeholders. The file name is
/// left out because all flags of the command line share one name.
type ExpressionKey = (String, usize, Vec<ImmutableString>);

/// The expressions of scenarios.
pub(super) struct Expressions {
    /// The indices of their compiled functions.
    pub(super) compiled: RefCell<BTreeMap<ExpressionKey, usize>>,
    /// The one that ran last: a condition is judged in many positions.
    last: RefCell<Option<LastExpression>>,
    /// The memory of the machine that runs them. It is separate so that a paused phase keeps its memory.
    pub(super) memory: RefCell<Memory>,
}

/// An expression with the names of its placeholders and its function.
struct LastExpression {
    source: Arc<Source>,
    span: Span,
    names: Vec<String>,
    function: usize,
}

impl Expressions {
    /// Returns no expressions yet, and the memory for them.
    pub(super) fn of(memory: Memory) -> Self {
        Self { compiled: RefCell::default(), last: RefCell::default(), memory: RefCell::new(memory) }
    }

    /// Returns the function of an expression if it ran last.
    pub(super) fn ran_last(&self, source: &Arc<Source>, span: Span, placeholders: &Placeholders) -> Option<usize> {
        let last = self.last.borrow();
        let last = last.as_ref().filter(|last| Arc::ptr_eq(&last.source, source) && last.span == span)?;
        placeholders.iter().map(|(name, _)| name).eq(&last.names).then_some(last.function)
    }

    /// Notes the function of an expression that runs now.
    pub(super) fn runs(&self, source: &Arc<Source>, span: Span, placeholders: &Placeholders, function: usize) {
        let names = placeholders.iter().map(|(name, _)| name.clone()).collect();
        self.last.replace(Some(LastExpression { source: Arc::clone(source), span, names, function }));
    }

    /// Forgets the expression that ran last.
    pub(super) fn forget_last(&self) {
        self.last.replace(None);
    }
}
