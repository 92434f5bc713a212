//! What compiled rules do themselves on open boards and on others with more cells than are looked at one by one: sets, groups, pieces
//! that are placed, and the player before a piece in drawings.

use referee_rules::Engine;

use super::compiled::play_tried;

const GAME: &str = "game tried \"Tried\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    BOARD\ndie six 1..6\ncounter sum for each player = 0\ncounter rounds\npiece man many for each player symbols a b c\npiece king for each player symbols K Q X\npiece token 1..9\n\
                    property held for each token PLAYER in drawings\nask pick NUMBER\nask go CELL\nevent told NUMBER\n";

const BOARDS: [&str; 6] = [
    "board open\ndirections 4 clockwise from north",
    "board open\ndirections 8 clockwise from north",
    "board grid 40x30\ndirections 8 clockwise from north",
    "board grid 30x36 margin 1\ndirections 4 clockwise from east",
    "board rhombus 40x30 without a1 c3 i9 j9",
    "board grid 30x36 without a1 a2 i9 j9 k9",
];

/// The cells of a set, in the order in which a loop goes through them and in reading order.
const ADDED: &str = "fn added(me, set) { let sum = count(set); for cell in set { sum = (sum * 7 + place_of(cell)) % 10007; } \
                     for cell in in_order(set) { sum = (sum * 5 + place_of(cell)) % 10007; } me.sum = (me.sum * 3 + sum) % 10007; }\n";

/// Each with what is done, whose pieces are then added up, and whether compiled rules play all games.
const DEEDS: &[(&str, &str, bool)] = &[
    (
        "pieces next to others",
        "fn done(me, far) { let all = occupied(); added(me, all); let free = if is_empty(all) { one(cell(1, 1)) } else { around(all) }; \
         added(me, free); let to = choose(me, \"go\", free); place(token(1 + (game.rounds + far) % 9), to); \
         added(me, around(free) - all); added(me, free & around(one(to))); added(me, shift(all, 1) | shift(free, far % directions() + 1)); \
         added(me, all - all); added(me, no_cells() | all); added(me, all & no_cells()); added(me, no_cells() - all); \
         me.sum += if all == occupied() { 1 } else { 2 } + if all - free == all { 3 } else { 4 } + if all.has(to) { 5 } else { 6 }; \
         for group in groups(occupied()) { added(me, group); } added(me, flood(one(to), occupied())); \
         added(me, flood(occupied(), free)); }",
        true,
    ),
    (
        "pieces of players, also many",
        "fn done(me, far) { let free = in_order(around(one(cell(3, 3))) | around(one(cell(5, 4))) | one(cell(7, 7))); \
         let to = free[(far + game.rounds) % free.len]; if at(to) == () { place(man(me), to); } else if at(to) != king(me) { remove(to); } \
         let other = free[(far * 3 + 1) % free.len]; if at(other) == () { place(king(me), other); } \
         added(me, cells(me)); added(me, cells(red) | cells(blue)); added(me, cells(king(me))); added(me, cells(man(me))); \
         if far == 3 { lift(king(me)); } me.sum += on(occupied()).len + on(cells(me)).len * 3; }",
        true,
    ),
    (
        "the edge of an open board",
        "fn done(me, far) { place(token(1), cell(3 + far % 2, 3)); if far == 6 && game.rounds > 12 { place(token(2), cell(31, 1)); } me.sum += 1; }",
        false,
    ),
    (
        "the player before a piece",
        "fn done(me, far) { for n in 1..=9 { let one = token(n); set(one, \"held\", if (far + n) % 3 == 0 { () } else if n % 2 == 0 { me } else { after(me) }); \
         if one.held == me { me.sum += n; } if one.held == () { me.sum += 1; } } if far == 5 && game.rounds > 15 { set(token(1), \"held\", green); } }",
        false,
    ),
];

#[test]
fn sets_of_very_large_boards_are_the_same() {
    for board in BOARDS {
        let game = GAME.replace("BOARD", board);
        for (what, deed, all) in DEEDS {
            let deed = format!(
                "fn place_of(cell) {{ column(cell) * 37 + row(cell) }}\n{ADDED}{}\nfn deed(me) {{ done(me, roll(\"six\")); \
                 for piece in on(occupied()) {{ me.sum = (me.sum * 7 + if piece == king(me) {{ 5 }} else {{ 3 }}) % 10007; }} }}",
                deed
            );
            let (found, told) = play_tried(what, &game, &[], &deed, 4);
            let most = 4 * Engine::ALL.len() as u64;
            assert!(!all || found == most, "{what}, {board}: {found} of {most}, {told}");
        }
    }
}
