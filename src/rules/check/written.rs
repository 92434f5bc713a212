//! Values as they are written in a script, for helps that can be pasted.

use rhai::Expr;

use super::checker::is_closure;
use crate::rules::layers::author_name;

/// The length of a value that a help repeats, in bytes.
const LONGEST: usize = 60;

/// Returns a value as it is written: a name, a plain value, what follows a dot, a call. Returns `None` if it has
/// operators or closures, or is long.
pub(super) fn written(value: &Expr) -> Option<String> {
    let text = match value {
        Expr::Variable(var, ..) => author_name(&var.1),
        Expr::Property(names, _) => names.2.to_string(),
        Expr::ThisPtr(_) => "this".to_owned(),
        Expr::IntegerConstant(number, _) => number.to_string(),
        Expr::BoolConstant(truth, _) => truth.to_string(),
        Expr::StringConstant(text, _) if !text.contains(['"', '\\', '\n']) => format!("\"{text}\""),
        Expr::Unit(_) => "()".to_owned(),
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) if call.op_token.is_none() && !is_closure(&call.name) => {
            let args: Option<Vec<String>> = call.args.iter().map(written).collect();
            format!("{}({})", author_name(&call.name), args?.join(", "))
        }
        Expr::Array(items, _) => {
            let items: Option<Vec<String>> = items.iter().map(written).collect();
            format!("[{}]", items?.join(", "))
        }
        Expr::Dot(parts, ..) => format!("{}.{}", written(&parts.lhs)?, written(&parts.rhs)?),
        Expr::Index(parts, ..) => format!("{}[{}]", written(&parts.lhs)?, written(&parts.rhs)?),
        _ => return None,
    };
    (text.len() <= LONGEST).then_some(text)
}

/// Returns a value as it is written, or another word for it.
pub(super) fn written_or(value: &Expr, otherwise: &str) -> String {
    written(value).unwrap_or_else(|| otherwise.to_owned())
}
