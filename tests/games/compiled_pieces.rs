//! What compiled rules do themselves on large boards: which pieces are there, what is around them, directions between cells, and
//! properties whose names and values only show when rules run.

use referee_rules::Engine;

use super::compiled::play_tried;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    BOARD\ndie six 1..6\ndie three 3 of 1..4\ncounter sum for each player = 0\ncounter rounds\n\
                    piece king for each player symbols K Q\npiece token 1..20\npiece man many for each player symbols a b\nflag up for each token\n\
                    counter marks for each token\nproperty owned for each token PLAYER\nproperty near for each token CELL\n\
                    counter depth for each cell\nflag wet for each cell\nproperty lord for each cell PLAYER\nproperty next for each cell CELL\n\
                    counter seen for each player, token, cell\n\
                    ask pick NUMBER\nask go CELL\nevent told NUMBER\n";

const BOARDS: [&str; 5] = [
    "board grid 9x9\ndirections 8 clockwise from north",
    "board grid 9x8 margin 1\ndirections 4 clockwise from east",
    "board grid 16x12\ndirections 8 clockwise from north",
    "board hex 6\ndirections 6 clockwise from north-east",
    "board grid 6x6\ndirections 8 clockwise from north",
];

/// Each with what is done, after which the pieces on the board are added up in their order.
const DEEDS: &[(&str, &str)] = &[
    (
        "pieces on the board in reading order",
        "fn done(me, far) { let cells = in_order(all_cells()); let free = cells[(far * 37 + roll(\"six\")) % cells.len]; \
         if at(free) == () { place(token(1 + far % 9), free); } if far == 5 { lift(token(1 + roll(\"six\"))); } \
         let more = cells[(far * 53 + roll(\"six\")) % cells.len]; if at(more) == () { place(man(me), more); } }",
    ),
    (
        "directions between cells",
        "fn done(me, far) { let cells = in_order(all_cells()); let from = cells[(far * 41 + 3 * roll(\"six\")) % cells.len]; \
         for direction in 1..=directions() { let to = step(from, direction); if to == () { continue; } \
         me.sum += direction_to(from, to); let on = direction_to(to, from); if on != () { me.sum += on * 3; } } \
         let other = cells[(far * 11 + roll(\"six\")) % cells.len]; if direction_to(from, other) == () { me.sum += 1; } \
         if direction_to(other, other) != () { me.sum += 7; } }",
    ),
    (
        "what is reversed is a number or a list",
        "fn what(far) { if far % 2 == 0 { #{ held: [far, 2, 1] } } else { #{ held: 1 + far % directions() } } } \
         fn done(me, far) { let map = what(far); let it = map.held; if far % 2 == 1 { me.sum += turned(it); } else { \
         it.reverse(); me.sum += it[0]; } } fn turned(it) { reverse(it) + turned_again(#{ a: it }) } \
         fn turned_again(map) { let it = map.a; if it == () { return 0; } reverse(it) }",
    ),
    (
        "properties that are named and valued elsewhere",
        "fn is_high(one) { one.marks > 2 } fn marked(one, far) { set(one, \"near\", cell(one)); (one.marks * 3 + far) % 7 } \
         fn done(me, far) { for n in 1..=9 { let one = token(n); set(one, \"marks\", marked(one, far + n)); \
         set(one, \"up\", is_high(one)); set(one, \"owned\", if one.up { me } else { () }); \
         for name in [\"marks\", \"rounds\"] { if name == \"marks\" { set(one, name, one.marks + 1); } else { set(game, name, far); } } \
         if one.up { me.sum += one.marks; } if one.owned == me { me.sum += 1; } } \
         let one = token(3); let other = one; set(one, \"marks\", { other = token(4); 5 }); me.sum += other.marks; }",
    ),
    (
        "sets of several words that operators combine",
        "fn done(me, far) { let cells = in_order(all_cells()); let a = around(one(cells[(far * 13 + roll(\"six\")) % cells.len])); \
         let b = around(a); let kept = (b - a) | (a & occupied()); me.sum += count(kept) + 3 * count((kept - occupied()) & edge()); \
         if ((a | b) - (b | a)).is_empty() { me.sum += 1; } if ((a | b) & edge()).is_empty() { me.sum += 5; } \
         let c = all_cells() - (occupied() | a); c -= b; c |= a & b; me.sum += count(c); if (a & b) != b { me.sum += 11; } \
         for set in [a & b, a - b, c - (a | occupied())] { me.sum = me.sum * 3 + count(set); } me.sum %= 9973; }",
    ),
    (
        "lists that are sorted and reversed in place",
        "fn done(me, far) { let l = []; for n in 0..far * 2 { l.push([n * 7 % 5, n]); } let same = l; \
         l.sort(|one, other| one[0] - other[0]); for (pair, at) in l { me.sum = (me.sum * 3 + pair[1] + at) % 9973; } \
         me.sum += same[0][1]; l.sort(|one, other| { if one[0] == other[0] { return other[1] - one[1]; } one[0] - other[0] }); \
         l[0][1] = 99; for pair in same { me.sum += pair[1]; } l.reverse(); me.sum += l[0][1] * 3 + l[l.len - 1][1]; \
         let odd = [3, 1, 2, 5, 4]; odd.sort(|one, other| 1); me.sum += odd[0] * far; \
         odd.sort(|a, b| if a > b { 0 - 1 } else { far - 3 }); for (n, at) in odd { me.sum += n * at; } \
         let few = [far]; few.sort(|a, b| a - b); few.reverse(); me.sum += few[0]; let none = []; none.reverse(); me.sum += none.len; }",
    ),
    (
        "loops through cells in reading order",
        "fn done(me, far) { let n = 0; for (c, at) in in_order(all_cells() - occupied()) { if at % 3 == 1 { continue; } \
         n = (n * 3 + number(c) + at) % 9973; if at > far * 9 { break; } } let cells = in_order(all_cells()); \
         let left = around(around(one(cells[far * 11 % cells.len]))); for c in in_order(left) { left -= one(c); n += count(left); \
         for other in in_order(around(one(c)) & left) { n = (n * 5 + number(other)) % 9973; } } \
         for c in in_order(left) { n += 1000; } me.sum += n; me.sum += first_in(edge(), far); } \
         fn first_in(set, far) { for c in in_order(set) { if number(c) % 7 == far { return number(c); } } 0 }",
    ),
    (
        "what is on the board before and after a move",
        "fn done(me, far) { let free = in_order(all_cells() - occupied()); place(token(1 + far), free[far * 5 % free.len]); \
         let before = on(occupied()); let again = on(occupied()); before.push(token(2)); again.pop(); \
         me.sum += before.len * 3 + again.len + on(occupied()).len; let set = occupied(); lift(token(1 + far)); \
         me.sum += count(set) * 5 + count(occupied()) + on(set).len * 2; place(token(1 + far), free[0]); \
         me.sum += if on(occupied()).contains(token(1 + far)) { 7 } else { 0 } + count(occupied() - set); me.sum %= 9973; }",
    ),
    (
        "properties of cells, and of owners of several sorts",
        "fn done(me, far) { let all = in_order(all_cells()); let c = all[(far * 17 + roll(\"six\")) % all.len]; \
         c.depth += far; c.wet = far % 2 == 0; if far == 3 { c.lord = (); } else { c.lord = me; } c.next = all[(far * 5) % all.len]; \
         for (other, at) in all { if other.wet { me.sum += other.depth * (at % 5 + 1); } if other.lord == me { me.sum += 3; } \
         if other.next != () { me.sum += number(other.next) + other.next.depth; } set(other, \"depth\", (other.depth + at) % 11); } \
         me.seen += 1; tally(c, \"seen\", far); let one = token(far); one.seen = c.seen + me.seen; me.sum = (me.sum + one.seen) % 9973; \
         c[\"depth\"] = c[\"depth\"] + 1; }",
    ),
    (
        "a property of a variable that its value changes",
        "fn done(me, far) { let one = token(1 + far); set(one, \"marks\", { one = token(2); far }); me.sum += one.marks; }",
    ),
];

#[test]
fn single_pieces_on_large_boards_are_the_same() {
    for board in BOARDS {
        let game = GAME.replace("BOARD", board);
        for (what, deed) in DEEDS {
            let deed = format!(
                "{deed}\nfn deed(me) {{ done(me, roll(\"six\")); for piece in on(occupied()) {{ me.sum = (me.sum * 7 + \
                 if is_kind(piece, \"man\") {{ 5 }} else {{ number(cell(piece)) }} + if is_kind(piece, \"token\") {{ number(piece) }} else {{ 0 }}) % 10007; }} \
                 if is_off(king(me)) {{ place(king(me), choose(me, \"go\", all_cells() - occupied())); }} else {{ lift(king(me)); }} }}"
            );
            let (found, told) = play_tried(what, &game, &[], &deed, 4);
            let all = 4 * Engine::ALL.len() as u64;
            assert!(found == all || what.contains("its value changes"), "{what}, {board}: {found} of {all}, {told}");
        }
    }
}

/// Blocks of several cells go about, and are asked what lies ahead of them.
const BLOCKS: &str = r#"
fn deed(me) {
    let far = roll("six");
    for b in pieces("block") {
        if is_off(b) {
            let at = cell(1 + far % 4, 1 + number(b));
            if ((around(around(one(at))) | one(at)) & occupied()).is_empty() { place(b, at); }
            continue;
        }
        for direction in 1..=directions() {
            let ahead = shifted(b, direction);
            me.sum += count(ahead) * direction + count(ahead - cells(b)) + if leaves(b, direction) { 13 } else { 1 };
            for c in in_order(ahead - cells(b)) { me.sum = (me.sum * 3 + number(c)) % 9973; }
        }
        let direction = 1 + (far + number(b)) % directions();
        if !leaves(b, direction) && (shifted(b, direction) & (occupied() - cells(b))).is_empty() { advance(b, direction); }
        if far == 6 && number(b) == 2 { lift(b); }
    }
    for piece in on(occupied()) { me.sum = (me.sum * 7 + if is_kind(piece, "block") { number(piece) } else { 5 }) % 10007; }
    for piece in on(edge()) { me.sum += if is_kind(piece, "block") { number(piece) } else { 5 }; }
    if is_off(king(me)) { place(king(me), choose(me, "go", all_cells() - occupied())); } else { lift(king(me)); }
}
"#;

#[test]
fn large_pieces_on_large_boards_are_the_same() {
    for board in
        ["board grid 9x9\ndirections 8 clockwise from north", "board grid 16x12\ndirections 8 clockwise from north"]
    {
        for sizes in ["2x2", "3x2", "1x3"] {
            let game = format!("{}piece block 1..3 size {sizes} symbols X Y Z\n", GAME.replace("BOARD", board));
            let (found, told) = play_tried(sizes, &game, &[], BLOCKS, 4);
            assert_eq!(found, 4 * Engine::ALL.len() as u64, "{board}, {sizes}: {told}");
        }
    }
}
