//! Replaces operations by those that the machine carries out sooner.

use std::mem::{Discriminant, discriminant};

use crate::natives;
use crate::values::Val;
use crate::vm::{Forms, Function, Op, Owned, Quick, Settable, Site, Target};
use referee_table::{Cell, Form, Kind, PieceId, PlayerId, Schema};

/// Replaces the operations of a function whose site says that the machine knows a shorter way.
pub(crate) fn quicken(ops: &mut [Op], sites: &[Site], schema: &Schema) {
    for op in ops.iter_mut() {
        let site = match *op {
            Op::Field { site, .. } | Op::FieldOwn { site, .. } | Op::SetField { site, .. } => Some(site),
            op => op.call_site(),
        };
        let Some(called) = site.and_then(|site| sites.get(usize::from(site))) else { continue };
        *op = match (*op, called.args.as_slice()) {
            (Op::Native { to, site }, _) if called.is_plain() => Op::Plain { to, site },
            (Op::Native { to, site }, _) if called.fixed.is_some() => Op::Fixed { to, site },
            (Op::Quick { to, site }, _)
                if matches!(called.quick, Some(Quick::Roll(_) | Quick::Choose { .. } | Quick::Then { .. })) =>
            {
                Op::Ask { to, site }
            }
            (Op::Quick { to, site }, &[(of, _), (with, _)]) if matches!(called.quick, Some(Quick::Step)) => {
                Op::Step { to, of, with, site }
            }
            (Op::Quick { to, site }, args) if matches!(called.quick, Some(Quick::Lookup(..))) => {
                let register = |at: usize| args.get(at).map_or(0, |(register, _)| *register);
                Op::Lookup { to, of: register(0), with: register(1), site }
            }
            (Op::Quick { to, site }, &[(of, _)]) => match called.quick {
                Some(Quick::At) => Op::At { to, of, site },
                Some(Quick::Mine(_)) => Op::Mine { to, of, site },
                Some(Quick::CellNamed) => Op::CellNamed { to, of, site },
                _ => *op,
            },
            (Op::Quick { to, site }, &[(of, _), (item, _)]) if matches!(called.quick, Some(Quick::Push)) => {
                Op::Push { to, of, item, site }
            }
            (op @ (Op::Field { .. } | Op::FieldOwn { .. } | Op::SetField { .. }), _) => of_property(op, called, schema),
            (op, _) => op,
        };
    }
}

/// Replaces the calls of functions whose results are remembered. All functions are emitted already.
pub(crate) fn recall(functions: &mut [Function]) {
    let remembered: Vec<bool> = functions.iter().map(|function| function.memos.is_some()).collect();
    let is_remembered = |site: &Site| match site.callee {
        Target::Function { function, .. } => remembered.get(function as usize).is_some_and(|is| *is),
        _ => false,
    };
    for Function { ops, sites, .. } in functions {
        for op in ops {
            if let Op::Call { to, site } = *op
                && sites.get(usize::from(site)).is_some_and(is_remembered)
            {
                *op = Op::Recall { to, site };
            }
        }
    }
}

/// Returns the operation that reads or sets a declared property, if no function and no card has its name.
fn of_property(op: Op, called: &Site, schema: &Schema) -> Op {
    if let Op::Field { to, of, site } = op
        && natives::is_length(&called.name)
    {
        return Op::Length { to, of, site };
    }
    let Target::Field { own, property: Some(property), printed: None, .. } = &called.callee else { return op };
    let Some(owned) = Owned::of(schema, *property).filter(|_| own.all.is_empty()) else { return op };
    match op {
        Op::Field { to, of, site } => Op::Property { to, of, owned, site },
        Op::FieldOwn { to, of, site, add } => Op::PropertyOwn { to, of, owned, add, site },
        Op::SetField { of, value, site }
            if matches!(Settable::of(schema, *property), Some(Settable::FlagOrCounter)) =>
        {
            Op::SetProperty { of, value, owned, site }
        }
        op => op,
    }
}

/// Returns the registers of the values of an event or an action, each with its type, if they have this form whenever they
/// are of these types.
pub(crate) fn forms(form: &Form, site: &Site) -> Option<Forms> {
    let of = |kind: &Kind| match kind {
        Kind::Cell => Some(discriminant(&Val::Cell(Cell(0)))),
        Kind::Player => Some(discriminant(&Val::Player(PlayerId(0)))),
        Kind::Piece => Some(discriminant(&Val::Piece(PieceId(0)))),
        Kind::Move => Some(discriminant(&Val::Move(0))),
        Kind::Number => Some(discriminant(&Val::Number(0))),
        _ => None,
    };
    // With all values, the optional ones too, none is left out.
    let types: Vec<Discriminant<Val>> = form.kinds().iter().map(|(kind, _)| of(kind)).collect::<Option<_>>()?;
    let (_, given) = site.args.split_first().filter(|(_, given)| given.len() == types.len())?;
    Some(given.iter().map(|(at, _)| *at).zip(types).collect())
}
