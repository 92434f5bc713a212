//! Amounts of resources in compiled rules: paid, gained, offered, told and kept.

use referee_rules::Engine;

use super::compiled::{GAME, play_tried};

const LINES: &str = "resource ore, wool for each player = 3 supply 20\nresource coin for each player\nask take AMOUNT\nask pass\n\
                     ask say yes|no|perhaps\nask trade PLAYER with AMOUNT\n\
                     event PLAYER gets AMOUNT\nproperty paid for each player AMOUNT\n";

const DEEDS: [(&str, &str); 9] = [
    (
        "a choice among actions with amounts",
        "fn deed(me) { let options = [may(\"pass\"), may(\"take\", #{ coin: 1 }), may(\"take\", #{ ore: 1, wool: 2 })]; \
         let said = choose(me, \"take\", options); \
         if said.verb == \"take\" { let got = said.values[0]; \
           if (got[\"ore\"] ?? 0) <= game.ore_supply && (got[\"wool\"] ?? 0) <= game.wool_supply { gain(me, got); event(\"gets\", me, got); } } \
         me.sum += total(amounts(me)); }",
    ),
    (
        "a choice among amounts",
        "fn deed(me) { let paid = choose(me, \"take\", [#{ ore: 1 }, #{ wool: 1 }, #{}]); \
         if can_pay(me, paid) { pay(me, paid); me.paid = paid; } else { gain(me, #{ coin: 2 }); } \
         me.sum += me.coin + total(missing(me, #{ ore: 3 })) + if me.paid == #{ ore: 1 } { 5 } else { 1 }; }",
    ),
    (
        "a trade",
        "fn deed(me) { let other = after(me); let gives = #{ ore: 1 + roll(\"six\") % 2 }; let gets = #{ wool: 1 }; \
         if can_pay(me, gives) && can_pay(other, gets) { trade(me, gives, other, gets); } \
         me.sum += me.ore * 7 + other.wool + if minus(gives, gets).is_empty() { 1 } else { 2 }; }",
    ),
    (
        "all sets of amounts that can be paid",
        "const POTS = [#{ ore: 1 }, #{ wool: 1 }, #{ coin: 1 }]; \
         fn deed(me) { let sets = [#{}]; for pot in POTS { sets += sets.map(|set| plus(set, pot)); } \
         let paid = sets.filter(|set| !set.is_empty() && can_pay(me, set)); gain(me, #{ coin: 2 }); \
         if paid.is_empty() { return; } \
         let said = choose(me, \"take\", paid.map(|set| may(\"take\", set))); pay(me, said.value); event(\"gets\", me, said.value); \
         me.sum += total(supply()) * 3 + said.value.len() + paid.len + total(missing(me, said.value)); }",
    ),
    (
        "the same amount, written in several ways",
        "fn deed(me) { let one = #{ wool: 0 }; one[\"ore\"] = 1; \
         let options = [may(\"take\", one), may(\"take\", #{ ore: 1 }), may(\"take\", plus(#{}, one)), may(\"pass\"), may(\"take\", #{})]; \
         let said = choose(me, \"take\", options); if said.verb == \"pass\" { me.sum += 1; return; } \
         let got = said.value; me.sum += if got == #{ ore: 1 } { 5 } else { 7 } + got.len() * 100; got[\"ore\"] = 3; \
         me.sum += (said.value[\"ore\"] ?? 0) + (said.values[0][\"ore\"] ?? 0) * 10; }",
    ),
    (
        "payments to other players, one of them to oneself",
        "fn deed(me) { let other = after(me); let all = amounts(me); pay(me, #{}, other); \
         if can_pay(me, #{ ore: 1 }) { pay(me, #{ ore: 1 }, if roll(\"six\") > 3 { me } else { other }); } else { pay(other, amounts(other), me); } \
         me.sum += total(all) * 2 + me.ore + if amounts(me).is_empty() { 1 } else { amounts(me).len() }; }",
    ),
    (
        "resources whose names are values",
        "fn deed(me) { for name in [\"ore\", \"wool\"] { let one = #{}; one[name] = 1; \
         if game[name + \"_supply\"] > 3 { gain(me, one); } else { pay(me, plus(one, one)); } \
         me.sum += game[name + \"_supply\"] * if is_first(name) { 2 } else { 3 }; } } \
         fn is_first(name) { name == \"ore\" } ",
    ),
    (
        "amounts that a closure puts together",
        "fn deed(me) { let some = [#{ ore: 1 }, #{ coin: 2 }, #{ ore: roll(\"six\") }]; \
         let all = some.reduce(|sum, one| plus(sum, one), #{}); let twice = some.reduce(|n, one, at| n + at * total(one), 0); \
         me.sum += total(all) + twice + total(minus(all, some[2])) * 5; gain(me, minus(all, #{ ore: 5 })); }",
    ),
    (
        "words and amounts of a choice",
        "fn deed(me) { let said = \"no\"; if roll(\"six\") > 3 { said = \"yes\"; } \
         let words = [\"yes\", \"perhaps\", said].map(|word| may(\"say\", word)); \
         let some = roll(\"six\") % 2; \
         let options = words + players().map(|one| may(\"trade\", one, #{ ore: some })); \
         let chosen = choose(me, \"say\", options); \
         me.sum += switch chosen.verb { \"say\" => if chosen.value == said { 4 } else { 1 }, _ => total(chosen.values[1]) + 9 }; }",
    ),
];

/// Mistakes, and more than compiled rules know: the machine plays these games.
const LEFT: [(&str, &str); 4] = [
    ("no resource", "fn deed(me) { let one = #{}; for name in [\"ore\", \"sum\"] { one[name] = 1; } gain(me, one); }"),
    ("more than they have", "fn deed(me) { pay(me, #{ ore: 2 }); }"),
    ("less than nothing", "fn deed(me) { me.sum += total(#{ ore: 2 - roll(\"six\") }); }"),
    ("very many", "fn deed(me) { gain(me, #{ coin: 900000 }); me.sum += total(amounts(me)) % 7; }"),
];

#[test]
fn amounts_that_compiled_rules_do_not_know_are_left_to_the_machine() {
    for (what, deed) in LEFT {
        let game = format!("{GAME}{LINES}");
        let (played, told) = play_tried(what, &game, &[], deed, 2);
        assert_eq!(played, 0, "{what}: {told}");
    }
}

#[test]
fn amounts_are_the_same_in_compiled_rules() {
    for (what, deed) in DEEDS {
        let game = format!("{GAME}{LINES}");
        let (played, told) = play_tried(what, &game, &[], deed, 10);
        assert_eq!(played, 10 * Engine::ALL.len() as u64, "{what}: {told}");
    }
}
