//! Looks at positions after effects, `if_made(|| …, || …)`, and pieces that stand on each other: compiled rules play them in their
//! own memory, as the machine does.

use referee_rules::Engine;

use super::compiled::play_tried;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    BOARD\ndie six 1..6\ncounter sum for each player = 0\ncounter rounds\nflag open\n\
                    piece king for each player symbols K Q\npiece token 1..4\npiece man many for each player symbols a b\n\
                    ask pick NUMBER\nask go CELL\nevent told NUMBER\nclause A1\n";

const BOARDS: [&str; 2] =
    ["board grid 4x4\ndirections 4 clockwise from north", "board grid 9x9\ndirections 8 clockwise from north"];

/// Looks in each other, those that see counters, lists and all pieces, and those after which more is done.
const LOOKS: &[(&str, &str)] = &[
    (
        "places that are tried",
        "fn put(me, c) { place(man(me), c); for other in in_order(around(one(c)) & cells(after(me))) { remove(other); } } \
         fn done(me, far) { let free = in_order(all_cells() - occupied()); \
         for c in free { me.sum += if_made(|| put(me, c), || count(occupied()) * 3 + count(cells(after(me)))); } \
         me.sum += count(occupied()); if free.len() > far { put(me, free[far]); } me.sum %= 9973; }",
    ),
    (
        "looks in looks",
        "fn deep(me, far) { if far == 0 { return count(cells(me)) * 7 + marks_of(me); } let best = 0; \
         for c in in_order(all_cells() - occupied()) { if number(c) % 5 == far { \
         best = max(best, if_made(|| { place(man(me), c); game.rounds += far; }, || deep(after(me), far - 1) + game.rounds)); } } best } \
         fn marks_of(player) { count(cells(player)) + game.rounds } \
         fn done(me, far) { me.sum += deep(me, 1 + far % 3) + game.rounds; game.rounds += 1; let free = in_order(all_cells() - occupied()); \
         if !free.is_empty() { place(man(me), free[far * 5 % free.len()]); } me.sum %= 9973; }",
    ),
    (
        "counters and flags that are set",
        "fn done(me, far) { let seen = if_made(|| { me.sum += far; game.open = !game.open; game.rounds = 40; }, \
         || me.sum * 3 + game.rounds + if game.open { 1 } else { 0 }); me.sum += seen + game.rounds; \
         if game.open { me.sum += 5; } game.open = far > 3; game.rounds += 1; me.sum %= 9973; }",
    ),
    (
        "clauses and events of a look, and one that the host sees",
        "fn done(me, far) { let c = in_order(all_cells() - occupied()).find(|c| number(c) % 3 == far % 3); if c == () { return; } \
         let there = if_made(|| { clause(\"A1\"); event(\"told\", far); place(man(me), c); }, || `${pieces_named(me)}`.len()); \
         me.sum += there + `${pieces_named(me)}`.len(); clause(\"A1\"); place(man(me), c); me.sum += count(cells(me)); me.sum %= 9973; } \
         fn pieces_named(me) { in_order(cells(me)).map(|c| name(c)) }",
    ),
    (
        "lists that outlive a look",
        "fn done(me, far) { let kept = [[far]]; for c in in_order(all_cells() - occupied()) { if number(c) % 4 != far % 4 { continue; } \
         let found = if_made(|| place(man(me), c), || { kept.push([number(c), count(occupied())]); [far, count(cells(me))] }); \
         kept.push(found); let n = 0; n += if_made(|| { n += 2; place(man(me), c); }, || n + count(cells(me))); me.sum += n; } \
         for (list, at) in kept { me.sum = (me.sum * 3 + list[list.len() - 1] + at) % 9973; } \
         let free = in_order(all_cells() - occupied()); if !free.is_empty() { place(man(me), free[0]); } }",
    ),
    (
        "pieces that are lifted and moved",
        "fn done(me, far) { let free = in_order(all_cells() - occupied()); let k = king(me); \
         if is_off(k) { place(k, free[far % free.len()]); return; } let was = cell(k); \
         for c in free { me.sum += if_made(|| { lift(k); if number(c) % 2 == 0 { place(k, c); } }, || if is_off(k) { 3 } else { number(cell(k)) }); } \
         if cell(k) != was { me.sum += 1000; } place(k, free[far * 3 % free.len()]); me.sum %= 9973; }",
    ),
];

#[test]
fn looks_after_effects_are_the_same() {
    for board in BOARDS {
        let game = GAME.replace("BOARD", board);
        for (what, deed) in LOOKS {
            let deed = format!("{deed}\nfn deed(me) {{ done(me, roll(\"six\")); }}");
            let (found, told) = play_tried(what, &game, &[], &deed, 4);
            let all = 4 * Engine::ALL.len() as u64;
            assert!(found == all, "{what}, {board}: {found} of {all}, {told}");
        }
    }
}

/// What is done with stacks: kings, numbered tokens and men of both players stand on each other.
const STACKS: &[(&str, &str)] = &[
    (
        "pieces that are put on each other and taken off",
        "fn done(me, far) { let all = in_order(all_cells()); let c = all[far * 7 % all.len()]; place(man(me), c); \
         place(token(1 + far % 4), all[far * 3 % all.len()]); place(king(me), c); \
         let other = all[(far + 5) % all.len()]; if at(other) != () { let gone = remove(other); if gone == man(me) { me.sum += 1; } } \
         if count(c, man(after(me))) > 0 { lift(man(after(me)), c); } if far == 6 { lift(king(me)); lift(token(2)); } }",
    ),
    (
        "looks at stacks",
        "fn carry(me, from, to) { lift(man(me), from); if count(to, man(after(me))) == 1 { lift(man(after(me)), to); } place(man(me), to); } \
         fn most(me, left) { let best = height(left); for from in in_order(cells(me)) { \
         if count(from, man(me)) > 0 { best = max(best, if_made(|| carry(me, from, left), || height(left) * 5 + count(left, man(me)) + height(from))); } } best } \
         fn done(me, far) { let all = in_order(all_cells()); place(man(me), all[far]); place(man(me), all[far * 2]); \
         me.sum += most(me, all[far]) + most(me, all[0]); me.sum %= 9973; if far == 1 { carry(me, all[1], all[3]); } }",
    ),
];

#[test]
fn pieces_on_each_other_are_the_same() {
    for board in
        ["board grid 4x4 stacks", "board grid 4x4 stacks\ndirections 8 clockwise from north", "board grid 9x9 stacks"]
    {
        let game = GAME.replace("BOARD", board);
        for (what, deed) in STACKS {
            let deed = format!(
                "{deed}\nfn deed(me) {{ done(me, roll(\"six\")); for c in in_order(occupied()) {{ \
                 me.sum = (me.sum * 7 + height(c) * 5 + count(c, man(me)) * 3 + count(c, king(me)) + \
                 pieces_at(c).len() + if at(c) == man(me) {{ 1 }} else {{ 0 }}) % 10007; }} \
                 for t in 1..=4 {{ if !is_off(token(t)) {{ me.sum += number(cell(token(t))); }} }} }}"
            );
            let (found, told) = play_tried(what, &game, &[], &deed, 4);
            let all = 4 * Engine::ALL.len() as u64;
            assert!(found == all, "{what}, {board}: {found} of {all}, {told}");
        }
    }
}

/// The same list methods that looks use to leave out a die.
#[test]
fn the_place_of_a_value_in_a_list_is_the_same() {
    let game = GAME.replace("BOARD", BOARDS[0]);
    let deed = "fn without(list, value) { let rest = list; rest.remove(rest.index_of(value)); rest } \
        fn deed(me) { let far = roll(\"six\"); let list = [far, 3, far, 7 - far]; let there = [nth(far), nth(2)]; \
        me.sum += list.index_of(3) * 3 + there.index_of(nth(2)) * 5 + [me, after(me)].index_of(after(me)) * 7 + list.index_of(9); \
        for (item, at) in list { if without(list, item).len() + 1 == list.len() && list.index_of(item) <= at { me.sum += at; } } \
        let map = #{ a: far, b: \"a\" }; me.sum += [1, 2, far].index_of(map.a); me.sum %= 9973; }";
    let (found, told) = play_tried("places in lists", &game, &[], deed, 4);
    assert!(found > 0, "{told}");
    // A string is the name of a function there, which is an error that the machine tells.
    let (found, told) = play_tried(
        "the name of a function",
        &game,
        &[],
        "fn deed(me) { me.sum += [\"b\", \"a\"].index_of(\"a\"); }",
        2,
    );
    assert_eq!(found, 0, "{told}");
}
