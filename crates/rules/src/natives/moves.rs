//! Functions that make, join and examine moves.

use rhai::{Array, Dynamic};

use super::arguments::count;
use super::entry::{By, Cost, Does, Entry, Passes, Reads, Stays, Worst, getter, shows};
use super::native::Kept;
use super::pieces::changed;
use super::registry::Api;
use crate::host;
use crate::host::{Link, Session, any};
use crate::values::{Moves, Native, Sort, failure, kind_of};
use referee_table::{Cell, Cells, MAX_STEPS, Move, MoveError, Names, PlayerId, State, Value};

/// The functions of this subject.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        form: "path(from: cell, to: cell) -> move",
        doc: "Returns a move of one step without a capture. `onward` adds steps, `capturing` adds captures: \
         `path(c3, e5).capturing(d4).onward(g7).capturing(f6)` is written `c3xe5xg7`.",
        example: shows("stops(path(cell_named(\"a1\"), cell_named(\"b2\")))", "[a1, b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|from: Cell, to: Cell| Move::step(from, to, false))),
    },
    Entry {
        form: "onward(move: move, to: cell) -> move",
        doc: "Returns the move with one more step, to this cell.",
        example: shows(
            "stops(path(cell_named(\"a1\"), cell_named(\"b2\")).onward(cell_named(\"c3\")))",
            "[a1, b2, c3]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1)).onward(nth(2))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            api.add(|made: &mut Move, to: Cell| {
                made.onward(to).ok_or_else(|| failure(format!("a move has at most {MAX_STEPS} steps")))
            })
        }),
    },
    Entry {
        form: "capturing(move: move, cell: cell) -> move",
        doc: "Returns the move with a capture on a cell in its last step. This step is written with `x`.",
        example: shows(
            "in_order(captured(path(cell_named(\"a1\"), cell_named(\"c3\")).capturing(cell_named(\"b2\"))))",
            "[b2]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1)).capturing(nth(2))"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move, cell: Cell| made.capturing([cell]))),
    },
    Entry {
        form: "capturing(move: move, cells: cells) -> move",
        doc: "Returns the move with captures on the cells of a set in its last step. This step is written with `x`.",
        example: shows(
            "in_order(captured(path(cell_named(\"a1\"), cell_named(\"c3\")).capturing(one(cell_named(\"b2\")))))",
            "[b2]",
        ),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Grows(&["path(far, nth(1)).capturing(cells)"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move, cells: Cells| made.capturing(cells.iter()))),
    },
    Entry {
        form: "captured(move: move) -> cells",
        doc: "Returns the cells on which a move captures. In `why_not` the set is empty: the captures of a refused move are \
         unknown.",
        example: shows("in_order(captured(path(cell_named(\"a1\"), cell_named(\"c3\"))))", "[]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["captured(path(far, nth(1)))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |made: &mut Move| {
                link.with(|session| Ok(Cells::of(session.state.board().size(), made.captured())))
            });
        }),
    },
    Entry {
        form: "stops(move: move) -> list of cell",
        doc: "Returns the cells of a move's path in order, including the first and the last.",
        example: shows("stops(path(cell_named(\"a1\"), cell_named(\"b2\")))", "[a1, b2]"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["stops(path(far, nth(1)))"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move| made.cells().map(Dynamic::from).collect::<Array>())),
    },
    Entry {
        form: "move.from -> cell",
        doc: "The cell on which the move begins.",
        example: shows("path(cell_named(\"a1\"), cell_named(\"b2\")).from", "a1"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1)).from"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move| made.from())),
    },
    Entry {
        form: "move.to -> cell",
        doc: "The cell on which the move ends.",
        example: shows("path(cell_named(\"a1\"), cell_named(\"b2\")).to", "b2"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1)).to"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move| made.to())),
    },
    Entry {
        form: "move.captures -> bool",
        doc: "Whether the move captures.",
        example: shows("path(cell_named(\"a1\"), cell_named(\"b2\")).captures", "false"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["path(far, nth(1)).captures"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|made: &mut Move| made.captures())),
    },
    Entry {
        form: "make(move: move)",
        doc: "Makes a move: takes the pieces on the captured cells off the board and moves the piece on the first cell to \
         the last. Of a stack it moves the top piece; `move_stack` moves several. It is an error if one of these cells is \
         empty, or if the piece would land on one that is not captured and where pieces do not stack.",
        example: shows(
            "place(king, cell_named(\"a1\")); make(path(cell_named(\"a1\"), cell_named(\"b2\"))); cell(king)",
            "b2",
        ),
        reads: Reads::Board,
        does: Does::Changes,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); make(path(nth(1), nth(2))); lift(king)"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            let link = api.link();
            api.add(move |made: &mut Move| link.with(|session| made_in(&link, session, made)));
        }),
    },
    Entry {
        form: "if_made(move: move, look: function of T) -> T",
        doc: "Returns what a function returns in the position after a move: `if_made(move, || !in_check(me))`. The move is made \
         as `make` does, and everything is taken back; this costs no more than what changes. Events, clauses and phases of it are \
         dropped. It is an error to ask or to end the game in it.",
        example: shows(
            "place(king, cell_named(\"a1\")); [if_made(path(cell_named(\"a1\"), cell_named(\"b2\")), || cell(king)), cell(king)]",
            "[b2, a1]",
        ),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); if if_made(path(nth(1), nth(2)), || true) { lift(king); }"]),
        stays: Stays::Computed,
        by: By::Prelude(Some(Passes::Nothing)),
    },
    Entry {
        form: "if_made(effects: function, look: function of T) -> T",
        doc: "Returns what a function returns in the position after what another one does, which is taken back: \
         `if_made(|| { make(move); lift(rook); }, || !in_check(me))`.",
        example: shows("[if_made(|| me.score += 2, || me.score), me.score]", "[2, 0]"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["place(king, nth(1)); if if_made(|| lift(king), || true) { lift(king); }"]),
        stays: Stays::Computed,
        by: By::Prelude(Some(Passes::Nothing)),
    },
    Entry {
        form: "count(moves: moves) -> number",
        doc: "Returns the number of moves.",
        example: shows("count(no_moves())", "0"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["count(moves)"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|moves: &mut Moves| count(moves.all().len()))),
    },
    Entry {
        form: "is_empty(moves: moves) -> bool",
        doc: "Returns whether there are no moves.",
        example: shows("is_empty(no_moves())", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["is_empty(moves)"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|moves: &mut Moves| moves.all().is_empty())),
    },
    Entry {
        form: "can_move(player: player) -> bool",
        doc: "Returns whether the rules' function `moves` lists any move for a player. The list is kept for the player's \
         turn, so this costs nothing if nothing changes before it.",
        example: shows("can_move(me)", "false"),
        reads: Reads::Others,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["can_move(me)"]),
        stays: Stays::Computed,
        by: By::Prelude(None),
    },
    Entry {
        form: "no_moves() -> moves",
        doc: "Returns an empty value of moves. Add a move or moves to it with `+`.",
        example: shows("is_empty(no_moves())", "true"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Small,
        worst: Worst::Same(&["no_moves()"]),
        stays: Stays::Computed,
        by: By::Native(|api| api.add(|| Moves::new(Default::default()))),
    },
    Entry {
        form: "+(moves: moves, more: moves) -> moves",
        doc: "Returns the moves of both.",
        example: shows("count(steps(touched(one(cell_named(\"a1\")))) + steps(touched(one(cell_named(\"c3\")))))", "6"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["moves + moves"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            api.add(|one: &mut Moves, other: Moves| Moves::new([one.all().as_slice(), other.all()].concat()))
        }),
    },
    Entry {
        form: "+(moves: moves, move: move) -> moves",
        doc: "Returns the moves with one more.",
        example: shows("count(no_moves() + path(cell_named(\"a1\"), cell_named(\"b2\")))", "1"),
        reads: Reads::Nothing,
        does: Does::Nothing,
        cost: Cost::Reads,
        worst: Worst::Grows(&["moves + path(far, nth(1))"]),
        stays: Stays::Computed,
        by: By::Native(|api| {
            api.add(|moves: &mut Moves, one: Move| Moves::new([moves.all().as_slice(), &[one]].concat()))
        }),
    },
];

/// The function that looks at the position after a move.
pub(crate) const IF_MADE: &str = "if_made";
/// What begins such a look, and what ends it.
pub(crate) const LOOK: &str = "_vm_look";
pub(crate) const LOOK_BACK: &str = "_vm_look_back";

/// Begins a look at a position.
fn look(link: &Link) -> Native<()> {
    link.with(|session| {
        session.look();
        Ok(())
    })
}

/// Makes a move.
fn made_in(link: &Link, session: &mut Session, made: &Move) -> Native<()> {
    link.meter.work(changed(&session.state));
    session.state.make(made).map_err(|error| impossible(&session.state, made, error))
}

/// Registers what the prelude calls, the comparison of moves, and the errors for several moves whose property is read as
/// if they were one.
pub(super) fn besides(api: &mut Api) {
    let link = api.link();
    api.besides("_vm_known", move |player: PlayerId| host::is_known(&link, player));
    let link = api.link();
    api.besides("_vm_listed", move |player: PlayerId, options: Dynamic| host::found_out(&link, player, options));
    let link = api.link();
    api.besides("_vm_listed", move |player: PlayerId, moves: Moves| host::found_moves(&link, player, &moves));
    let link = api.link();
    api.besides("_vm_remembered", move |player: PlayerId| host::remembered(&link, player));
    let link = api.link();
    api.besides("_vm_noted", move |player: PlayerId, options: Dynamic| host::listed_now(&link, player, options));
    let link = api.link();
    api.besides("_vm_noted", move |player: PlayerId, moves: Moves| host::moves_now(&link, player, moves));
    let link = api.link();
    api.besides("_vm_no_move", move |player: PlayerId| host::no_move(&link, player));
    let link = api.link();
    // It returns whether a function is to be called to come to the position.
    api.besides(LOOK, move |made: &mut Move| {
        link.with(|session| {
            session.look();
            let made = made_in(&link, session, made);
            if made.is_err() {
                session.look_back_to(session.looks().saturating_sub(1));
            }
            made.map(|()| false)
        })
    });
    let link = api.link();
    api.besides(LOOK, move |made: Dynamic| {
        let kind = kind_of(&made);
        if kind != Sort::Function.words() {
            return Err(failure(format!("`if_made` takes a move or a function, found {kind}")));
        }
        look(&link).map(|()| true)
    });
    let link = api.link();
    api.besides(LOOK, move || look(&link));
    let link = api.link();
    api.besides(LOOK_BACK, move || {
        link.with(|session| {
            session.look_back_to(session.looks().saturating_sub(1));
            Ok(())
        })
    });
    api.besides("_vm_none", |options: Dynamic| any(&options).map(|any| !any));
    api.besides("_vm_none", |moves: &mut Moves| moves.all().is_empty());
    of_several::<Cell>(api, "from");
    of_several::<Cell>(api, "to");
    of_several::<bool>(api, "captures");
    api.besides("==", |one: &mut Move, other: Move| one.is_written_as(&other));
    api.besides("!=", |one: &mut Move, other: Move| !one.is_written_as(&other));
}

/// Registers the error for several moves whose property is read as if they were one.
fn of_several<T: Kept + 'static>(api: &mut Api, name: &'static str) {
    let refuse = move || -> Native<T> {
        Err(failure(format!("`{name}` belongs to one move, but these are several: choose one, or loop over them")))
    };
    api.besides(&getter(name), move |_: &mut Moves| refuse());
    api.besides(&getter(name), move |_: &mut Array| refuse());
}

/// Returns why a move cannot be carried out.
fn impossible(state: &State, made: &Move, error: MoveError) -> Box<rhai::EvalAltResult> {
    let names = Names { schema: state.schema(), board: state.board() };
    let written = names.write(None, &Value::Move(made.clone()));
    let name = |cell| names.board.name(cell);
    failure(match error {
        MoveError::NothingMoves(cell) => format!("{written} cannot be made: there is no piece on {}", name(cell)),
        MoveError::NothingCaptured(cell) => {
            format!("{written} cannot be made: it captures on {}, where there is no piece", name(cell))
        }
        MoveError::CapturesItself(cell) => {
            format!("{written} cannot be made: on {} it would capture the moving piece", name(cell))
        }
        MoveError::Occupied(cell, other) => {
            let piece = names.schema.piece_name(other);
            format!("{written} cannot be made: {piece} is on {}, and the move does not capture it", name(cell))
        }
        MoveError::DoesNotFit(cell) => {
            format!("{written} cannot be made: the piece does not fit on the board at {}", name(cell))
        }
    })
}
