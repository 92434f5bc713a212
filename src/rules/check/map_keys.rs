//! The keys of the maps that a script writes.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, ImmutableString, Stmt};

use crate::rules::layers::{Function, Layers, walk};
use crate::table::{Schema, Value};

/// Returns the keys of all maps that the script writes or that are printed on cards.
pub(super) fn map_keys(layers: &Layers, schema: &Schema) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut of_value = |value: &rhai::Dynamic| {
        if let Some(map) = value.read_lock::<rhai::Map>() {
            keys.extend(map.keys().map(ToString::to_string));
        }
    };
    layers.constants.values().map(|constant| &constant.value).for_each(&mut of_value);
    let mut written = BTreeSet::new();
    for function in layers.functions.values() {
        let maps = variables_with_maps(function);
        let is_map = |value: &Expr| matches!(value, Expr::Variable(var, ..) if maps.contains(&var.1));
        walk(&function.def, |node| match node {
            // So do `totals.anna = 0` and `totals.set("anna", 0)`.
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                if let Expr::Dot(parts, ..) = &assignment.1.lhs
                    && let (true, Expr::Property(names, _)) = (is_map(&parts.lhs), &parts.rhs)
                {
                    written.insert(names.2.to_string());
                }
            }
            ASTNode::Expr(Expr::Dot(parts, ..)) => {
                if let (true, Expr::MethodCall(call, _)) = (is_map(&parts.lhs), &parts.rhs)
                    && let ("set", [Expr::StringConstant(key, _), _]) = (call.name.as_str(), call.args.as_slice())
                {
                    written.insert(key.to_string());
                }
            }
            ASTNode::Expr(Expr::Map(map, _)) => written.extend(map.0.iter().map(|(name, _)| name.name.to_string())),
            ASTNode::Expr(Expr::DynamicConstant(value, _)) => of_value(value),
            // `totals["anna"] = 0` makes a key as well.
            ASTNode::Expr(Expr::Index(parts, ..)) => {
                if let Expr::StringConstant(key, _) = &parts.rhs {
                    written.insert(key.to_string());
                }
            }
            _ => {}
        });
    }
    keys.extend(written);
    let cards = schema.pieces.iter().filter_map(|piece| piece.card.as_ref());
    cards.flat_map(|card| &card.printed).for_each(|(_, value)| value_keys(value, &mut keys));
    keys
}

/// Returns the variables of a function that begin with a map.
fn variables_with_maps(function: &Function) -> BTreeSet<ImmutableString> {
    let mut maps = BTreeSet::new();
    walk(&function.def, |node| {
        if let ASTNode::Stmt(Stmt::Var(var, ..)) = node {
            let is_map = match &var.1 {
                Expr::Map(..) => true,
                Expr::DynamicConstant(value, _) => value.is_map(),
                _ => false,
            };
            maps.extend(is_map.then(|| var.0.name.clone()));
        }
    });
    maps
}

/// Adds the keys of the maps in a value.
fn value_keys(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Map(map) => map.iter().for_each(|(name, value)| {
            keys.insert(name.to_string());
            value_keys(value, keys);
        }),
        Value::List(list) => list.iter().for_each(|value| value_keys(value, keys)),
        _ => {}
    }
}
