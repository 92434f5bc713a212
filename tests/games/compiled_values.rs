//! Values of the rules that change in part, in compiled rules and in the machine: functions that are called on values, lists and maps
//! in one another, sets of numbers that belong to players, and pieces of several cells.

use super::compiled::{GAME, play_tried};
use referee_rules::Engine;

/// Rules of a game with the lines of [`DECLARED`], with the number of games of ten that compiled rules play themselves.
const TRIED: &[(&str, &str, u64)] = &[
    (
        "functions that are called on values",
        r#"
        fn raise(by) { this.sum += by; this.all.push(by); this.sum }
        fn twice() { this.raise(this.raise(1)); this.parts[this.sum % 2].n += 3; this.all }
        fn down(n) { if n > 0 { this.sum += n; this.down(n - 1); } }
        fn both(other) { this.sum += other.sum; other.sum = 100; other.all.push(5); this.all.len + other.all.len }
        fn plain(n) { n * 2 }
        fn early(n) { this.sum += 1; if n > 3 { return this.sum; } this.sum += 10; 0 }
        fn deed(me) {
            let a = #{ sum: me.sum, all: [], parts: [#{ n: 1 }, #{ n: 2 }] };
            let b = a;
            a.raise(roll("six"));
            let list = a.twice();
            list.push(9);
            a.down(roll("six"));
            let c = a;
            a.raise(2);
            me.sum = (me.sum * 3 + a.sum + b.sum * 5 + c.sum * 7 + a.all.len + b.all.len + list.len) % 10007;
            me.sum += a.parts[0].n * 10 + a.parts[1].n + b.parts[0].n + c.parts[1].n + a.both(c) + c.sum + c.all.len;
            me.sum += a.both(a) + a.sum + a.plain(4) + a.early(roll("six")) + a.sum;
            me.sum = (me.sum + a.sum) % 10007;
        }"#,
        10,
    ),
    (
        "a map with a function of its own under the name of one of the rules",
        r#"
        fn worth(n) { this.n += n; this.n }
        fn deed(me) { let m = #{ n: 1, worth: |n| n * 100 }; me.sum += m.worth(roll("six")) % 997; }"#,
        0,
    ),
    (
        "a win in a function that is called on a value",
        r#"
        fn ends(me) { this.n += 1; if this.n > 2 && roll("six") > 3 { win(me); } this.n }
        fn deed(me) { let m = #{ n: 1 }; me.sum += m.ends(me); me.sum += m.ends(me); me.sum += m.n; }"#,
        10,
    ),
    (
        "a function that is called on a value and left to the machine",
        r#"
        fn tries(n) { try { this.n += n; if this.n > 9 { throw "much"; } } catch { this.n = 1; } this.n }
        fn deed(me) { let m = #{ n: 4 }; me.sum += m.tries(roll("six")); me.sum += m.n * 3; m.n += 1; me.sum += m.tries(1); }"#,
        10,
    ),
    (
        "parts of parts that change",
        r#"
        fn deed(me) {
            let six = roll("six");
            let m = #{ rows: [[1, 2], [3]], of: #{}, n: 0 };
            let before = m;
            let row = m.rows[0];
            m.rows[0][1] += six;
            m.rows[1].push(m.rows[0][1]);
            m.rows[six % 2] += [six, 5];
            m.of["a"] = #{ n: 1, deep: [[4]] };
            m.of["b"] = m.of["a"];
            m.of["a"].n += 2;
            m.of["a"].deep[0][0] -= six;
            m.of["b"].deep[0] += [1];
            m.n -= six;
            let count = [0, 0, 0];
            count[roll("six") % 3] += 1;
            count[roll("six") % 3] *= 4;
            for n in m.rows[0] + m.rows[1] + count + row + before.rows[0] + m.of["a"].deep[0] + m.of["b"].deep[0] {
                me.sum = (me.sum * 3 + n + 50) % 10007;
            }
            me.sum = (me.sum + m.of["a"].n * 7 + m.of["b"].n + m.n + 10 + before.rows[1].len + m.of.len()) % 10007;
        }"#,
        10,
    ),
    (
        "properties of values of which nothing is known",
        r#"
        fn either(me, n) { if n > 3 { me } else { #{ sum: n } } }
        fn deed(me) {
            let it = either(me, roll("six"));
            it.sum = 4;
            it.sum += 2;
            me.sum = (me.sum * 3 + it.sum) % 10007;
        }"#,
        10,
    ),
    (
        "lists from which values are taken",
        r#"
        fn deed(me) {
            let l = [1, 2, 3, 4, roll("six")];
            let kept = l;
            let m = #{ queue: l, none: [] };
            me.sum += l.pop() + l.shift() * 3 + l.remove(1) * 5 + m.queue.shift() + m.queue.pop() * 2 + m.queue.remove(0);
            m.queue.push(7);
            l.reverse();
            m.queue.sort();
            let words = ["b", "a", name(me)];
            words.sort();
            if m.none.pop() != () || m.none.shift() != () { throw "not there"; }
            for n in l + m.queue + kept { me.sum = (me.sum * 3 + n) % 10007; }
            me.sum += if kept.contains(roll("six")) { 10 } else { 20 } + if (2..5).contains(roll("six")) { 3 } else { 4 };
            me.sum += if words.contains("red") { 5 } else { 6 } + if [[1], [2]].contains([roll("six")]) { 7 } else { 8 };
            let sorted = kept.map(|n| [n, n * 7 % 5]);
            sorted.sort(|one, other| one[1] - other[1]);
            for pair in sorted { me.sum = (me.sum * 3 + pair[0]) % 10007; }
            if words[0] != "a" { throw "order"; }
        }"#,
        10,
    ),
    (
        "closures that change what they are given",
        r#"
        fn deed(me) {
            let kept = [1, 2, roll("six")].filter(|n| { n += 1; n > 2 });
            let lists = [[1], [2, 3]].filter(|l| { l.push(4); l.len > 2 });
            let found = [5, 6].find(|n| { n *= 2; n > 11 });
            let words = ["array", "b"].filter(|word| { word -= "a"; word != "b" });
            for n in kept + lists[0] { me.sum = (me.sum * 3 + n) % 10007; }
            me.sum += lists.len + found + words.len + if words[0] == "array" { 100 } else { 0 };
        }"#,
        10,
    ),
    (
        "functions that return a part of what they are given, or of what they are called on",
        r#"
        fn itself() { this } fn grown(n) { this.rows[n] += [n]; this.rows[n] } fn rows_of(m) { m.rows }
        fn deed(me) {
            let a = #{ rows: [[1], [2]], n: roll("six") };
            let b = a.itself();
            b.n += 10;
            let row = a.grown(1);
            row.push(5);
            let rows = rows_of(a);
            rows[0].push(6);
            rows.push([7]);
            a.rows[1].push(8);
            me.sum = (me.sum * 3 + a.n + b.n * 5 + row.len + rows.len * 7 + rows[0].len + a.rows.len + a.rows[0].len) % 10007;
            me.sum += a.rows[1].len * 11 + b.rows[1].len;
        }"#,
        10,
    ),
    (
        "parts that are chosen by calls, each of which is made once",
        r#"
        fn next(me) { me.sum = (me.sum * 7 + 1) % 997; me.sum % 2 }
        fn deed(me) {
            let l = [[1, 2, 7, 8], [3, 4, 5, 6]];
            l[next(me)].push(next(me));
            l[next(me)].reverse();
            l[next(me)].append([next(me)]);
            l[next(me)].insert(next(me), 5);
            l[next(me)][next(me)] += next(me);
            me.sum += l[next(me)].remove(next(me)) + l[roll("six") % 2].pop();
            l[next(me)].sort(|one, other| other - one);
            for n in l[0] + l[1] { me.sum = (me.sum * 3 + n) % 10007; }
        }"#,
        10,
    ),
    (
        "lists in maps that may be missing or something else, and function values that are called on values",
        r#"
        fn made(n) { if n < 8 { #{ k: [2, 1] } } else { () } } fn more(n) { this.k.push(n); } fn bump() { this.n += 1; this.n }
        fn deed(me) {
            let six = roll("six");
            let u = #{ k: [six] };
            let l = [u];
            let taken = l.pop();
            taken.k.push(2);
            let m = made(six);
            m.k.pop();
            m.more(9);
            m.k.sort();
            let either = if six < 7 { #{ k: [1] } } else { me };
            either.k.push(2);
            let f = Fn("bump");
            let g = |x| { this.n += x; this.n };
            let a = #{ n: 1 };
            a.call(f);
            let r = a.call(g, 4);
            me.sum = (me.sum * 3 + taken.k.len * 10 + u.k.len + m.k.len * 7 + either.k.len * 5 + a.n * 11 + r) % 10007;
        }"#,
        10,
    ),
    (
        "a value taken from where there is none",
        r#"fn deed(me) { let l = [1, 2]; let gone = l.remove(roll("six") + 5); if gone == () { me.sum += 1; } }"#,
        0,
    ),
    (
        "sets of numbers that belong to players",
        r#"
        fn deed(me) {
            ready();
            let six = roll("six");
            me.seen = set_of(me.seen + [six]);
            me.ways = if six > 3 { [] } else { [1, 3, 8] };
            let before = me.seen;
            if me.seen.contains(3) && me.ways.len == 3 { me.seen = [2, 3]; }
            game.noted = set_of([six, 5, six]);
            for n in me.seen + me.ways + game.noted + before { me.sum = (me.sum * 3 + n) % 10007; }
            let other = after(me);
            other.seen = me.seen;
            if before.len > 4 { me.seen = []; }
            me.sum += me.seen.len + after(me).seen.len;
            if me.friends == () { me.friends = []; }
        }"#,
        10,
    ),
    (
        "sets of large numbers",
        r#"
        fn deed(me) {
            ready();
            let six = roll("six");
            me.seen = if six > 3 { [six, 100] } else { [six, 62] };
            me.seen = set_of(me.seen + [-1 * six]);
            if six == 2 { me.seen = [2]; }
            for n in me.seen { me.sum = (me.sum * 3 + n + 10) % 10007; }
        }"#,
        10,
    ),
    (
        "bags of numbers with copies",
        r#"
        fn deed(me) {
            ready();
            let six = roll("six");
            me.seen = bag_of(me.seen + [six, six]);
            if me.seen.len > 12 { me.seen = set_of(me.seen); }
            me.once = set_of(me.seen);
            game.noted = bag_of(game.noted + [six % 2]);
            if game.noted.len > 9 { game.noted = []; }
            for n in me.seen + me.once + game.noted { me.sum = (me.sum * 3 + n) % 10007; }
        }"#,
        10,
    ),
    (
        "lists of numbers, players and cells",
        r#"
        fn deed(me) {
            let six = roll("six");
            me.path.push(six);
            me.path += [7 - six, six];
            if me.path.len > 12 { me.path = me.path.extract(-5); }
            me.path[0] = me.path.len;
            game.order = if six > 3 { [after(me), me, after(me)] } else { [me] + game.order.extract(0, 3) };
            me.walked = [nth(six), nth(1)] + me.walked.extract(0, 4);
            for n in me.path { me.sum = (me.sum * 3 + n) % 10007; }
            for one in game.order { me.sum = me.sum * 2 + if one == me { 1 } else { 0 }; }
            me.sum = (me.sum + me.walked.index_of(nth(1)) + number(me.walked[0])) % 10007;
        }"#,
        10,
    ),
    (
        "options and events with bags and lists",
        r#"
        fn deed(me) {
            let six = roll("six");
            event("shows", [six, 1, six], [six, 1, six]);
            let chosen = choose(me, "give", [[six, 2, six], [six, six, 2], [1]]);
            let listed = choose(me, "line", [[six, 2], [2, six], [3, 3]]);
            let both = choose(me, "give", [may("give", [2, 2]), may("line", chosen)]);
            for n in chosen + listed + both.value { me.sum = (me.sum * 3 + n) % 10007; }
        }"#,
        10,
    ),
    (
        "a set with a value twice",
        r#"fn deed(me) { let seven = roll("six") - roll("six") + 7; me.once = [2, seven, 7]; me.sum += me.once.len; }"#,
        0,
    ),
    ("a bag with a value twice", r#"fn deed(me) { me.seen = [2, roll("six"), 7]; me.sum += me.seen.len; }"#, 0),
    (
        "a direction that the board does not have",
        r#"fn deed(me) { me.ways = [1, roll("six") + 4]; me.sum += me.ways.len; }"#,
        0,
    ),
    (
        "events with values that may be missing, words and directions",
        r#"
        fn deed(me) {
            let six = roll("six");
            event("steps", me, six, if six > 4 { "far" } else { "near" }, six * 2);
            event("steps", me, 2, "near");
            event("steps", me, 3, (), 7);
            event("steps", me, 8, if six > 2 { () } else { "far" }, if six > 3 { 4 } else { () });
            event("says", "short");
            me.sum += six;
        }"#,
        10,
    ),
    (
        "an event with a wrong word",
        r#"fn deed(me) { event("steps", me, 1, if roll("six") > 3 { "near" } else { name(me) }); }"#,
        0,
    ),
    ("an event with a wrong direction", r#"fn deed(me) { event("steps", me, roll("six") + 4); }"#, 0),
    (
        "phases, clauses and counters that a condition names",
        r#"
        fn rests(me, n) { me.sum += n; } fn works(me, n) { me.sum += n * 10; }
        fn deed(me) {
            let six = roll("six");
            then(if six > 3 { "rests" } else if six > 1 { "works" } else { "rests" }, me, six);
            clause(if six > 2 { "A1" } else { "A2" });
            tally(me, "sum", six);
            tally(me, "met", 1);
            set(me, "tired", six > 3);
        }"#,
        10,
    ),
    (
        "pieces of several cells",
        r#"
        fn deed(me) {
            let b = block(roll("six") % 2 + 1);
            let way = roll("six") + roll("word").len % 3;
            if is_off(b) {
                let free = in_order(all_cells() - occupied()).filter(|cell| fits(cell));
                if free.len > 0 { place(b, choose(me, "go", free)); }
            } else if roll("six") == 1 {
                lift(b);
            } else if !leaves(b, way) && (shifted(b, way) - cells(b) & occupied()).is_empty() {
                b.advance(way);
            }
            if is_off(king(me)) { place(king(me), choose(me, "go", all_cells() - occupied())); }
            let there = on(occupied());
            for piece in on(around(cells(b))) + there { me.sum = (me.sum * 3 + count(cells(piece)) + number(cell(piece))) % 10007; }
            me.sum += count(occupied("block")) * 7 + count(cells(me)) + count(occupied("king")) + there.len;
            let here = cell(king(me));
            let up = direction_to(here, step(here, 1) ?? here) ?? 9;
            me.sum += if leaves(king(me), way) { 1 } else { 2 } + count(shifted(king(me), way)) + up;
            if count(all_cells()) != LARGE { throw "another board"; }
        }
        fn fits(cell) { let far = step(cell, 2); far != () && at(far) == () && at(step(cell, 1)) == () && at(step(cell, 3)) == () }"#,
        10,
    ),
    (
        "a large piece that would leave the board",
        r#"fn deed(me) { if is_off(block(1)) { place(block(1), nth(1)); } block(1).advance(roll("six")); }"#,
        0,
    ),
    (
        "functions without a dot change a copy of a part",
        r#"fn deed(me) {
            let n = roll("six");
            let lists = [[n], [7, n]];
            push(lists[0], n);
            sort(lists[1]);
            let map = #{ a: [5, n, 3], b: #{ c: n } };
            pop(map.a);
            if n > 3 { remove(map.b, "c"); }
            lists[0].push(n);
            me.sum = (me.sum + lists[0].len * 1000 + lists[1][0] * 100 + map.a.len * 10 + map.b.keys().len) % 10007;
        }"#,
        10,
    ),
    (
        "a large piece on another one",
        r#"fn deed(me) {
            if is_off(king(me)) { place(king(me), nth(1)); }
            if roll("six") > 3 { place(block(2), nth(1)); }
        }"#,
        0,
    ),
];

/// What these rules need besides the lines of the other game.
const DECLARED: &str = "piece block 1..2 size 2x2\nproperty seen for each player NUMBERS\nproperty ways for each player DIRECTIONS\n\
                        property friends for each player PLAYERS\nproperty noted NUMBERS\n\
                        property once for each player SET of NUMBER\nproperty path for each player LIST of NUMBER\n\
                        property order LIST of PLAYER\nproperty walked for each player LIST of CELL\n\
                        ask give NUMBERS\nask line LIST of NUMBER\nevent shows NUMBERS, then LIST of NUMBER\nrecord counter met for each player\n\
                        event steps PLAYER DIRECTION [near|far] [for NUMBER]\nevent says TEXT\n";

/// Every set is there before it is looked at.
const READY: &str = "fn ready() {\n    for player in players() { if player.seen == () { player.seen = []; player.ways = []; } }\n    \
                     if game.noted == () { game.noted = []; }\n}\n";

#[test]
fn values_that_change_in_part_are_the_same() {
    for (board, cells) in [("board grid 6x6", "36"), ("board grid 10x9", "90")] {
        let lines = format!("{board}\ndirections 8 clockwise from north");
        let game = GAME.replace("board grid 3x3", &lines) + DECLARED;
        for (what, deed, whole) in TRIED {
            let deed = deed.replace("LARGE", cells);
            let deed = format!("{deed}\n{READY}");
            let (found, told) = play_tried(what, &game, &[("RULES.md", "[A1] Play.\n\n[A2] Play on.\n")], &deed, 10);
            let all = Engine::ALL.len() as u64;
            match whole {
                0 => assert!(found < 10 * all, "{what}, {board}: {found}, {told}"),
                whole => assert_eq!(found, whole * all, "{what}, {board}: {told}"),
            }
        }
    }
}
