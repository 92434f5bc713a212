//! Functions of the rules as values, in compiled rules and in the machine: named by texts of the rules and of cards, called by
//! their names, and phases whose arguments show what they are when the rules run.

use super::compiled::play_tried;
use referee_rules::Engine;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 4x4\ndirections 4 clockwise from north\ndie six 1..6\ncounter sum for each player = 0\ncounter rounds\n\
                    zone deck hidden\nzone hand for each player secret\ncard fighter from \"cards.yaml\" in deck\n\
                    counter hits for each fighter\nflag tired for each fighter\nproperty owned for each fighter PLAYER\n\
                    ask pick NUMBER\nask say yes|no|never\nask hit PIECE [with] PIECE\nask stay\nevent told NUMBER\n";

const CARDS: &str = "printed:\n  needs: [strength]\n  strength: NUMBER\n  does: {hit: FUNCTION(card), rest: FUNCTION(card)}\ncards:\n\
                     \x20 - {name: Ant, strength: 3, does: {hit: stings, rest: sleeps}}\n\
                     \x20 - {name: Bee, strength: 5, does: {hit: grows}}\n\x20 - {name: Cat, strength: 9}\n";

/// What the cards name.
const NAMED: &str = r#"
    fn stings(card) { set(card, "hits", card.hits + card.strength); card.strength }
    fn sleeps(card) { set(card, "tired", true); 1 }
    fn grows(card) { card.hits += 2; if card.tired { 10 } else { 20 } }
"#;

/// Each with the number of games of four that compiled rules play.
const TRIED: &[(&str, &str, u64)] = &[
    (
        "functions that cards and texts name",
        r#"
        fn named(card, point) { if card.does == () || card.does[point] == () { return (); } Fn(card.does[point]) }
        fn deed(me) {
            let far = roll("six");
            for card in pieces("fighter") {
                for point in ["hit", "rest", "none"] {
                    let one = named(card, point);
                    if one != () { me.sum = (me.sum * 3 + one.call(card)) % 10007; }
                    if card.does != () && card.does[point] != () { me.sum += Fn(card.does[point]).call(card); }
                }
                let row = [[1, #{ extra: 5 }, 2], [4, 4], [7]][far % 3];
                let part = row[far % row.len];
                me.sum = (me.sum * 5 + if type_of(part) == "map" { part.extra } else { part } + card.hits) % 10007;
                if card.hits > 40 { set(card, "hits", 0); set(card, "tired", false); }
                set(card, "owned", if far > 3 { me } else { () });
                if card.owned == me { me.sum += 1; }
            }
            for name in ["sleeps", "grows"] { me.sum += Fn(name).call(pieces("fighter")[far % 3]); }
        }"#,
        4,
    ),
    (
        "functions with several arguments, one that calls itself, and one with a value that is kept",
        r#"
        fn least(a, b) { if a < b { a } else { b } }
        fn most(a, b) { if a < b { b } else { a } }
        fn down(n) { if n <= 0 { 0 } else { n + Fn("down").call(n - 1) } }
        fn often(name, n) { let f = Fn(name); let list = [f, f]; let sum = 0; for one in list { sum += one.call(n, 4); } sum }
        fn same(one, other) { if Fn(one).name() == Fn(other).name() { 1 } else { 0 } }
        fn deed(me) {
            let far = roll("six");
            let which = if far > 3 { "least" } else { "most" };
            me.sum = (me.sum * 3 + Fn(which).call(far, 3) + Fn("down").call(far) + often(which, far)) % 10007;
            let bound = Fn("most").curry(5);
            me.sum += bound.call(far) + same("least", which) + [5, 2, far].map(|n| Fn(which).call(n, far)).len;
            let held = #{ f: Fn(which), n: 2 };
            let f = held.f;
            me.sum += f.call(held.n, far);
        }"#,
        4,
    ),
    (
        "functions that a constant names, and parts of players by their names",
        r#"
        const POINTS = #{ hit: ["stings", "grows"], rest: "sleeps" };
        fn held(me, n) { if n > 3 { me } else { #{ sum: n, hits: 1 } } }
        fn deed(me) {
            let far = roll("six");
            let card = pieces("fighter")[far % 3];
            for name in POINTS.hit { me.sum = (me.sum * 3 + Fn(name).call(card)) % 10007; }
            me.sum += Fn(POINTS.rest).call(card);
            let it = held(me, far);
            me.sum = (me.sum + it["sum"]) % 10007;
            if card.hits > 40 { set(card, "hits", 0); }
        }"#,
        4,
    ),
    (
        "a function that is not there, or has other parameters",
        r#"
        fn next(a) { a + 1 }
        fn deed(me) {
            let far = roll("six");
            let name = if game.rounds > 12 && far == 6 { "nothing" } else { "next" };
            me.sum += Fn(name).call(far);
            if game.rounds > 14 && far == 5 { me.sum += Fn(name).call(far, far); }
        }"#,
        0,
    ),
    (
        "a function of the library, called by its name",
        r#"
        fn bigger(a, b) { if a > b { a } else { b } }
        fn deed(me) { let far = roll("six"); me.sum += Fn(if far > 3 { "bigger" } else { "max" }).call(far, 4); }"#,
        0,
    ),
    (
        "a function that ends the game",
        r#"
        fn wins(me) { if game.rounds > 5 { win(me); } 1 }
        fn loses(me) { if game.rounds > 7 { lose(me); } 2 }
        fn deed(me) { let name = if roll("six") > 3 { "wins" } else { "loses" }; me.sum += Fn(name).call(me); me.sum += 1; }"#,
        4,
    ),
    (
        "phases whose arguments show what they are when the rules run",
        r#"
        fn first(value, card, n) { let mover = mover(); mover.sum = (mover.sum * 3 + what(value) + what(card) + n) % 10007; }
        fn mover() { if game.rounds % 2 == 0 { red } else { blue } }
        fn what(value) { let sort = type_of(value); if sort == "()" { 1 } else if sort == "bool" { 2 } else if sort == "i64" { value } else { 5 } }
        fn any(n) { if n == 1 { () } else if n == 2 { true } else if n == 3 { red } else { n } }
        fn deed(me) { let far = roll("six"); then("first", any(far), any(far - 1), far); then("second", any(far)); }
        fn second(value) { let mover = mover(); mover.sum += what(value); if roll("six") == 1 { then("first", value, (), 1); } }"#,
        4,
    ),
    (
        "phases that are given lists",
        r#"
        fn first(value) { red.sum = (red.sum * 3 + value[0] + value.len) % 10007; }
        fn any(n) { if n > 3 { [n, 1] } else { [n] } }
        fn deed(me) { let far = roll("six"); let held = #{ of: any(far) }; then("first", held["of"]); }"#,
        0,
    ),
    (
        "words that are chosen, by a player who is known when the rules run",
        r#"
        fn who(me, n) { let all = [me, after(me)]; #{ of: all[n % 2] }["of"] }
        fn deed(me) {
            let far = roll("six");
            if choose(me, "say", ["yes", "no"]) == "yes" { me.sum += 3; }
            let said = choose(who(me, far), "say", ["never", "no", "yes"]);
            me.sum = (me.sum * 3 + said.len) % 10007;
            if choose(me, "say", ["no"]) != "no" { throw "another word"; }
            let cards = pieces("fighter");
            let hit = choose(who(me, far + 1), "hit", [may("hit", cards[0], cards[1]), may("hit", cards[far % 3], cards[2]), may("stay")]);
            if hit.verb == "hit" { set(hit.values[0], "hits", far); me.sum += hit.values[1].strength + hit.value.hits; }
        }"#,
        4,
    ),
    (
        "parts of values of which nothing is known",
        r#"
        fn any(n) { if n == 1 { [4, 5, 6] } else if n == 2 { #{ a: 1, b: [2] } } else if n == 3 { "word" } else { 77 } }
        fn key(n) { if n == 2 { "a" } else { n - 1 } }
        fn deed(me) {
            let far = roll("six");
            let n = 1 + far % 3;
            let held = any(n);
            let part = held[key(n)];
            me.sum = (me.sum * 3 + if type_of(part) == "i64" { part } else { 9 }) % 10007;
            if n == 1 { me.sum += held[-1] + held[key(2 + far % 2 * 0 + 1)]; }
            if n == 2 && held["b"][0] != 2 { throw "part"; }
        }"#,
        4,
    ),
];

#[test]
fn functions_as_values_are_the_same() {
    for (what, deed, whole) in TRIED {
        let (found, told) = play_tried(what, GAME, &[("cards.yaml", CARDS)], &format!("{NAMED}{deed}"), 4);
        let expected = whole * Engine::ALL.len() as u64;
        assert!(found >= expected, "{what}: {found} of {expected}, {told}");
    }
}
