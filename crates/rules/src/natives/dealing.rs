//! Carries out lines `shuffle` and `deal`.

use super::cards::{deal, look, shuffle};
use super::face_down;
use crate::host::Link;
use crate::values::{Native, failure};
use referee_table::{Dealing, ZoneId};
use referee_trace::RulesPlace;

/// Carries out a line `shuffle` or `deal` when the interpreter runs the rules.
pub(crate) fn perform(link: &Link, dealing: &Dealing) -> Native<()> {
    match dealing_function(link, dealing)? {
        None => Ok(()),
        Some(DealingFunction::EachZone(number, from, to)) => deal(link, RulesPlace::default(), number, from, &to),
        Some(DealingFunction::FaceUp(number, from)) => {
            face_down::deal(link, RulesPlace::default(), (number, from), true)
        }
    }
}

/// A function of the prelude that deals cards one by one and asks chance for each, with its arguments.
pub(crate) enum DealingFunction {
    /// `_vm_deal`
    EachZone(i64, ZoneId, Vec<ZoneId>),
    /// `deal_face_up`
    FaceUp(i64, ZoneId),
}

/// Carries out a line `shuffle` or `deal` as far as it asks nothing, and returns the function for the rest.
///
/// # Errors
/// Returns an error if there are too few cards or cells.
pub(crate) fn dealing_function(link: &Link, dealing: &Dealing) -> Native<Option<DealingFunction>> {
    match dealing {
        Dealing::Shuffle(zone) => shuffle(link, *zone).map(|()| None),
        Dealing::Board { number, from, up: true } => Ok(Some(DealingFunction::FaceUp(i64::from(*number), *from))),
        Dealing::Board { number, from, up: false } => {
            face_down::deal(link, RulesPlace::default(), (i64::from(*number), *from), false).map(|()| None)
        }
        Dealing::Deal { number, from, to } => {
            let wanted = u64::from(*number).saturating_mul(to.len() as u64);
            let there = look(link, *from, |zone, _| Ok(zone.len()))?;
            if there < wanted {
                let words = link.with(|session| {
                    let schema = session.state.schema();
                    Ok(format!(
                        "`{}` takes {wanted} cards, but {} has {there}",
                        dealing.write(schema),
                        schema.zone_name(*from)
                    ))
                })?;
                return Err(failure(words));
            }
            Ok(Some(DealingFunction::EachZone(i64::from(*number), *from, to.clone())))
        }
    }
}
