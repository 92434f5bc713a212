//! The help for an ask without options: a test of the options by the name that the rules give them.

use super::tokens::{ScriptToken, ScriptTokenKind, tokens};
use referee_diagnostic::Label;

/// The length of a call that is looked at, in bytes.
const LONGEST: usize = 2000;

/// Returns the help for an ask without options at this call.
pub(super) fn help(call: Option<&Label>) -> String {
    let name = call.and_then(|label| {
        let text = label.source.text().get(label.span.range().start..)?;
        let mut end = text.len().min(LONGEST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        offered(text.get(..end)?)
    });
    match name {
        Some(name) => format!("test the options first, `if {name}.is_empty() {{ return; }}`, or always offer one"),
        None => "keep the options in a variable and test them first, `if options.is_empty() { return; }`, or always \
                 offer one"
            .to_owned(),
    }
}

/// Returns the variable after the name of the ask in a call such as `choose(me, "walk", free)`.
fn offered(text: &str) -> Option<&str> {
    let tokens = tokens(text);
    let slice = |token: &ScriptToken| text.get(token.span.range());
    let opens = tokens.iter().position(|token| slice(token) == Some("("))?;
    let ask = opens + tokens.get(opens..)?.iter().position(|token| token.kind == ScriptTokenKind::Text)?;
    match tokens.get(ask + 1..ask + 4)? {
        [comma, name, ends]
            if slice(comma) == Some(",")
                && name.kind == ScriptTokenKind::Word
                && matches!(slice(ends), Some(")" | ",")) =>
        {
            slice(name)
        }
        _ => None,
    }
}
