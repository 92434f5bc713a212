//! The effects of running rules on a game: the session with its state and answers, asks, listings of moves, and counted
//! limits.

mod any_values;
mod asks;
mod covers;
mod listing;
mod meter;
mod names;
mod open;
mod options;
mod plural;
mod quick;
mod session;

pub(crate) use any_values::may_any;
pub(crate) use asks::{
    action, are_distinct, choose, choose_among, choose_of, chosen, count_move, decision, deferred, fill, offered_again,
    pick, pick_action, pick_known, pick_plain, put, rolled, takes_a_move, thrown, undeferred,
};
pub(crate) use listing::{found_moves, found_out, is_known, listed_by, listed_now, moves_now, no_move, remembered};
pub(crate) use meter::{Excess, Meter};
pub use names::Role;
pub(crate) use names::{Names, help_for, instead_of_text, names, unknown_resource};
pub(crate) use open::never_open;
pub(crate) use options::any;
pub(crate) use plural::{in_order, lost_of_property};
pub(crate) use quick::{
    emitted, listed_value, made, only_emitted, plain, queued, read, read_small, small_value, weight, write,
    write_plain, write_small, write_value,
};
pub use session::{Answers, Keep, Reply, Used};
pub(crate) use session::{Halt, Link, Nobody, Remembered, Session};
