//! Reads policies, both those of lines and those of flags.

use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_play::Policy;
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span};
use referee_table::{PlayerId, Value};

/// The maximum number of playouts for one decision.
const MAX_PLAYOUTS: u32 = 1_000_000;

/// Where a policy is written, which decides what policies there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// After `when PLAYER policy`.
    Line,
    /// An argument of a command that computes odds.
    Odds,
    /// An argument of a command that plays games.
    Playouts,
}

/// A policy as it is written.
struct Form {
    name: &'static str,
    written: &'static str,
    places: &'static [Place],
}

const FORMS: [Form; 5] = [
    Form { name: "random", written: "random", places: &[Place::Line, Place::Odds, Place::Playouts] },
    Form { name: "greedy", written: "greedy:EXPRESSION", places: &[Place::Line, Place::Odds, Place::Playouts] },
    Form { name: "best", written: "best", places: &[Place::Odds] },
    Form { name: "worst", written: "worst", places: &[Place::Odds] },
    Form { name: "mcts", written: "mcts:PLAYOUTS", places: &[Place::Playouts] },
];

impl Place {
    fn forms(self) -> impl Iterator<Item = &'static Form> {
        FORMS.iter().filter(move |form| form.places.contains(&self))
    }

    /// Returns the names of the policies that can be written here.
    pub(crate) fn names<'a>(self) -> impl Iterator<Item = &'a str> {
        self.forms().map(|form| -> &'a str { form.name })
    }
}

/// Returns whether any place has a policy of this name.
pub(crate) fn is_policy(name: &str) -> bool {
    FORMS.iter().any(|form| form.name == name)
}

/// Returns the policies that can be written in a place, for messages.
pub(crate) fn policy_names(place: Place) -> String {
    one_of(place.forms().map(|form| form.written), 9)
}

/// Reads the policy at `span`: `random`, `greedy:count(cells(me))`, `mcts:100`, `best`.
///
/// # Errors
/// Returns an error if there is no such policy in this place, if its value is missing or wrong, or if its expression is
/// wrong.
pub(crate) fn policy(
    program: &Program,
    source: &Arc<Source>,
    span: Span,
    place: Place,
) -> Result<Policy, Vec<Diagnostic>> {
    let text = source.slice(span);
    let (name, value) = text.split_once(':').map_or((text, None), |(name, value)| (name, Some(value.trim())));
    let (start, end) = (span.range().start, span.range().end);
    let name_span = Span::new(start..start + name.len());
    let value_span = Span::new(end.min(start + name.len() + 1)..end);
    if !place.names().any(|known| known == name) {
        return Err(vec![unknown(source, name_span, name, place)]);
    }
    let wrong = |span: Span, message: String| Diagnostic::new(Code::WrongPolicy, source, span, message);
    let missing = |message: &str, help: String| {
        let span = if value.is_none_or(str::is_empty) { name_span } else { value_span };
        Err(vec![wrong(span, message.to_owned()).help(help)])
    };
    match (name, value) {
        ("greedy", Some(expression)) if !expression.is_empty() => {
            let placeholders: Placeholders = vec![("me".to_owned(), Value::Player(PlayerId(0)))];
            program.compile_expression(source, value_span, &placeholders)?;
            Ok(Policy::Greedy(Arc::clone(source), value_span))
        }
        ("greedy", _) => missing(
            "`greedy` needs an expression that rates a position for `me`",
            "write it after a colon, such as `greedy:count(cells(me))`".to_owned(),
        ),
        ("mcts", value) => match value.and_then(|value| value.parse().ok()) {
            Some(playouts) if (1..=MAX_PLAYOUTS).contains(&playouts) => Ok(Policy::Search(playouts)),
            _ => missing(
                "`mcts` needs a number of playouts for each decision",
                format!("write it after a colon, from 1 to {MAX_PLAYOUTS}: `mcts:100`"),
            ),
        },
        (_, Some(_)) => {
            let message = format!("`{name}` takes no value");
            Err(vec![wrong(value_span, message).help(format!("write `{name}`"))])
        }
        ("best", None) => Ok(Policy::Best),
        ("worst", None) => Ok(Policy::Worst),
        (_, None) => Ok(Policy::Random),
    }
}

/// Returns the error for a policy that a place does not have.
fn unknown(source: &Arc<Source>, span: Span, name: &str, place: Place) -> Diagnostic {
    let message = match is_policy(name) {
        true => format!("the policy `{name}` is not possible here"),
        false => format!("unknown policy `{name}`"),
    };
    let help = match (name, place) {
        ("best" | "worst", Place::Line) => format!("write `at {name} for PLAYER`, instead of `when`"),
        (_, place) => did_you_mean(name, place.names()).unwrap_or_else(|| {
            let best = if place == Place::Line { "; `at best for PLAYER` is a line of its own" } else { "" };
            format!("the policies are {}{best}", policy_names(place))
        }),
    };
    Diagnostic::new(Code::UnknownPolicy, source, span, message).help(help)
}
