//! The native functions that the machine carries out by a function of its prelude, because they call functions or ask once
//! for each card.

use std::cell::RefCell;

use referee_rules::{Moves, Played};
use referee_table::{Cell, Move, PieceId, PlayerId, ZoneId};
use rhai::{Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, NativeCallContext, Position};

use super::{Given, Running};

/// Registers them. `spare` calls the rules while they run.
pub(super) fn register(engine: &mut Engine, played: &Played, spare: Running) {
    let (played, spare) = (played.clone(), RefCell::new(spare));
    engine.register_fn("can_move", move |context: NativeCallContext<'_>, player: PlayerId| -> Given<bool> {
        let options = played.listed(player, || {
            let Ok(mut spare) = spare.try_borrow_mut() else {
                return Err(failure("`moves` calls `can_move`, which calls `moves` again"));
            };
            spare.call(context.engine(), context.call_level(), "moves", &mut [Dynamic::from(player)])
        })?;
        Played::any(&options)
    });
    engine.register_fn("choose_all", choose_all);
    engine.register_fn("if_made", if_made);
    engine.register_fn("filter", filter);
    engine.register_fn("deal", |context: NativeCallContext<'_>, number: i64, from: ZoneId, to: ImmutableString| {
        let zones: Array = context.call_native_fn("_vm_zones", (number, from, to))?;
        let zones: Vec<ZoneId> = zones.into_iter().filter_map(Dynamic::try_cast).collect();
        deal(&context, number, from, &zones)
    });
    engine.register_fn("deal_face_up", |context: NativeCallContext<'_>, number: i64, from: ZoneId| {
        deal_face_up(&context, number, from)
    });
}

fn choose_all(context: NativeCallContext<'_>, players: Array, ask: ImmutableString, options: FnPtr) -> Given<Array> {
    let mut offers = Array::new();
    for player in &players {
        let Some(id) = player.clone().try_cast::<PlayerId>() else {
            let found = Played::kind_of(player);
            return Err(failure(&format!("`choose_all` takes a list of players, found {found}")));
        };
        offers.push(options.call_within_context(&context, (id,))?);
    }
    context.call_native_fn("_vm_choose_all", (players, ask, offers))
}

/// Looks at the position after a move, or after what a function does.
fn if_made(context: NativeCallContext<'_>, made: Dynamic, look: FnPtr) -> Given<Dynamic> {
    let effects = made.clone().try_cast::<FnPtr>();
    let _calls: bool = context.call_native_fn("_vm_look", (made,))?;
    let begun = effects.map_or(Ok(Dynamic::UNIT), |effects| effects.call_within_context(&context, ()));
    let seen = begun.and_then(|_: Dynamic| look.call_within_context::<Dynamic>(&context, ()));
    let ended: Given<()> = context.call_native_fn("_vm_look_back", ());
    seen.and_then(|seen| ended.map(|()| seen))
}

fn filter(context: NativeCallContext<'_>, moves: &mut Moves, wanted: FnPtr) -> Given<Moves> {
    let mut kept: Vec<Move> = Vec::new();
    for made in moves.all().iter().cloned() {
        let is: Dynamic = wanted.call_within_context(&context, (made.clone(),))?;
        if is.as_bool().map_err(|_| failure("the function of `filter` must return a boolean"))? {
            kept.push(made);
        }
    }
    Ok(Moves::new(kept))
}

/// Deals `number` cards into each of these zones, one at a time.
pub(super) fn deal(context: &NativeCallContext<'_>, number: i64, from: ZoneId, to: &[ZoneId]) -> Given<()> {
    for _ in 0..number {
        for zone in to {
            let _card: PieceId = context.call_native_fn("draw", (from, *zone))?;
        }
    }
    Ok(())
}

/// Deals `number` cards face up to the empty cells inside the board.
pub(super) fn deal_face_up(context: &NativeCallContext<'_>, number: i64, from: ZoneId) -> Given<()> {
    let cells: Array = context.call_native_fn("_vm_free_cells", (number, from))?;
    for cell in cells.into_iter().filter_map(Dynamic::try_cast::<Cell>) {
        let card: PieceId = context.call_native_fn("draw", (from,))?;
        let () = context.call_native_fn("_vm_face_up", (card, cell))?;
    }
    Ok(())
}

fn failure(message: &str) -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorRuntime(message.into(), Position::NONE))
}
