//! Functions of the rules that only compute are called while rules are compiled: what they return is the same as where they run,
//! and so is what is counted for them.

use super::compiled::{GAME, play_tried};
use referee_rules::Engine;

/// Rules of a game, with the number of games of ten that compiled rules play themselves.
const TRIED: &[(&str, &str, u64)] = &[
    (
        "lists of fixed arguments that are changed after they are returned",
        r#"
        fn path(n) { let all = []; for i in 0..n { all.push(i * i); } all }
        fn rows(me) { let all = [path(3), path(2)]; if me == red { all.push([7]); } all }
        fn deed(me) {
            let a = path(5);
            a.push(roll("six"));
            let b = path(5);
            let c = rows(me);
            c[0].push(roll("six"));
            c[1][0] += 5;
            let d = rows(me);
            me.sum += a.len * 100 + b.len * 10 + a[5] + b[4] + c[0].len + c[1][0] + d[0].len * 3 + d[1][0] + d.len;
        }"#,
        10,
    ),
    (
        "results of all values of few arguments, and of those beyond",
        r#"
        fn square(n) { let sum = 0; for i in 0..n { sum += i; } if n == 4 { return -sum; } sum }
        fn next(cell) { let found = (); for far in 1..=2 { for one in all_cells() { if one == step(cell, far) { found = one; } } } found }
        fn worth(player, strong) { let n = 0; while n < 7 { n += if player == red { 2 } else { 3 }; if strong { n += 1; } } n }
        fn deed(me) {
            let six = roll("six");
            me.sum += square(six) + square(six * 50) + square(-six) * 3 + worth(me, six > 3) * 100;
            let at = cell_named("b2");
            if six > 4 { at = cell_named("a3"); }
            let far = next(at);
            if far == () { me.sum += 1000; } else { me.sum += if name(far) == "b3" { 7 } else { 13 }; }
        }"#,
        10,
    ),
    (
        "errors for some of the arguments",
        r#"
        fn checked(n) { let list = [3, 4, 5, 6, 7, 8]; for i in 0..3 { if n == 6 && i == 2 { throw "six"; } } list[n] }
        fn deed(me) { me.sum += checked(roll("six") - 1); if me.sum > 20 { me.sum += checked(6); } }"#,
        0,
    ),
    (
        "what reads the game is no such function",
        r#"
        fn reads(me, n) { let sum = 0; for i in 0..n { sum += me.sum + i; } sum }
        fn rarely(n) { let sum = 0; for i in 0..n { if i == 4 { sum += count(occupied()); } sum += i; } sum }
        fn through(n) { let sum = 0; for i in 0..2 { sum += rarely(n); } sum }
        fn deed(me) {
            if is_off(king(me)) { place(king(me), nth(if me == red { 1 } else { 5 })); }
            me.sum = (me.sum + reads(me, 3) + rarely(5) + through(roll("six"))) % 10007;
        }"#,
        10,
    ),
    (
        "arguments of several kinds where a function is written in place",
        r#"
        fn same(one, other) { one == other }
        fn kind(value) { if value == () { 1 } else { switch type_of(value) { "i64" => 2, "string" => 3, _ => 4 } } }
        fn more(n) { n += 1; n * 2 + 1 }
        fn deed(me) {
            let six = roll("six");
            if same(six, 3) { me.sum += 1; }
            if same(me, red) { me.sum += 10; }
            if same("x", if six > 2 { "x" } else { () }) { me.sum += 100; }
            me.sum += kind(six) + kind(()) * 10 + kind("x") * 100 + kind(me) * 1000 + more(six) * 3 + six;
        }"#,
        10,
    ),
    (
        "values of different sorts are not compared in silence",
        r#"
        fn same(one, other) { one == other }
        fn deed(me) { me.sum += 1; if me.sum > 5 && same(me.sum, if me.sum > 3 { "x" } else { 3 }) { me.sum += 1; } }"#,
        0,
    ),
    (
        "sums of throws",
        r#"fn deed(me) { me.sum += sum(roll("three")) * 100 + roll("three").sum() + sum([roll("six")]) + sum(roll("few")); }"#,
        10,
    ),
    (
        "sums of throws that are too large for a wrapped number",
        r#"fn deed(me) { if sum(roll("far")) > 500000000000000000 { win(me); } me.sum += 1; }"#,
        0,
    ),
    (
        "a list that begins empty",
        r#"
        fn all(n) { let list = []; let same = list; for i in 0..n { list.push(i); } if same.len > 0 { throw "same"; } list }
        fn deed(me) {
            let list = [];
            let copy = list;
            for i in 0..roll("six") * 3 { list.push(i); }
            copy += [1];
            me.sum += list.len * 10 + copy.len + all(roll("six")).len;
        }"#,
        10,
    ),
    (
        "pieces that are taken off their cells",
        r#"
        fn deed(me) {
            let at = nth(roll("six"));
            if at(at) == man(me) { lift(man(me), at); } else if at(at) == () { place(man(me), at); } else { me.sum += 50; }
            if is_off(king(me)) { if at(nth(9)) == () { place(king(me), nth(9)); } } else { lift(king(me), nth(9)); }
            me.sum += count(cells(me)) * 3 + count(occupied());
        }"#,
        10,
    ),
    ("a piece that is not on the cell", r#"fn deed(me) { if me.sum > 3 { lift(man(me), nth(2)); } me.sum += 1; }"#, 0),
    (
        "values of what was chosen that are changed",
        r#"
        fn deed(me) {
            let wish = choose(me, "pick", [may("pick", 2), may("pick", 5), may("stay"), may("go", nth(3))]);
            let values = wish.values;
            values.push(1);
            me.sum += values.len * 10 + wish.values.len;
            if wish.verb == "pick" { me.sum += wish.value * 100; }
            if wish.verb == "stay" && wish.value == () { me.sum += 1000; }
        }"#,
        10,
    ),
    (
        "as much as the machine would count for results that are looked up",
        r#"
        fn long(n) { let sum = 0; for i in 0..3000 { sum += i % (n + 1); } sum }
        fn deed(me) { for k in 0..2000 { me.sum += long(3) % 2; } }"#,
        0,
    ),
    (
        "the same for each value of an argument, in phases in a row",
        r#"
        fn long(n) { let sum = 0; for i in 0..3000 { sum += i % (n + 1); } sum }
        fn deed(me) { then("more", me, 1500); }
        fn more(me, left) { me.sum += long(left % 6) % 2; if left > 0 { then("more", me, left - 1); } }"#,
        0,
    ),
];

#[test]
fn what_functions_compute_is_the_same() {
    let game = format!("{GAME}die far 3 of 400000000000000000 | 1\ndie few 2 of -4 | 7 | 7\n");
    for (what, deed, whole) in TRIED {
        let games = if *whole == 0 { 2 } else { 10 };
        let (found, told) = play_tried(what, &game, &[], deed, games);
        assert_eq!(found, whole * Engine::ALL.len() as u64, "{what}: {told}");
    }
}
