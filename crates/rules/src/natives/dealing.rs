//! Carries out lines `shuffle` and `deal`.

use super::cards::{look, shuffle};
use super::face_down;
use crate::host::Link;
use crate::values::{Native, failure};
use referee_table::{Dealing, ZoneId};
use referee_trace::RulesPlace;

/// A function that deals cards one by one and asks chance for each, with its arguments.
pub enum DealingFunction {
    /// This many cards from a zone to each of these zones, one at a time.
    EachZone(i64, ZoneId, Vec<ZoneId>),
    /// This many cards from a zone face up to the board: `deal_face_up`.
    FaceUp(i64, ZoneId),
}

/// Carries out a line `shuffle` or `deal` as far as it asks nothing, and returns the function for the rest.
///
/// # Errors
/// Returns an error if there are too few cards or cells.
pub(crate) fn dealing_function(link: &Link, dealing: &Dealing) -> Native<Option<DealingFunction>> {
    match dealing {
        Dealing::Shuffle(zone) => shuffle(link, RulesPlace::default(), *zone).map(|()| None),
        Dealing::Board { number, from, up: true } => Ok(Some(DealingFunction::FaceUp(i64::from(*number), *from))),
        Dealing::Board { number, from, up: false } => {
            face_down::deal_face_down(link, RulesPlace::default(), i64::from(*number), *from).map(|()| None)
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
