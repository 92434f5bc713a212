//! Amounts of resources in compiled rules: paid, gained, offered, told and kept.

use referee_rules::Engine;

use super::compiled::{GAME, play_tried};

const LINES: &str = "resource ore, wool for each player = 3 supply 20\nresource coin for each player\nask take AMOUNT\nask pass\n\
                     event PLAYER gets AMOUNT\nproperty paid for each player AMOUNT\n";

const DEEDS: [(&str, &str); 3] = [
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
];

#[test]
fn amounts_are_the_same_in_compiled_rules() {
    for (what, deed) in DEEDS {
        let game = format!("{GAME}{LINES}");
        let (played, told) = play_tried(what, &game, &[], deed, 10);
        assert_eq!(played, 10 * Engine::ALL.len() as u64, "{what}: {told}");
    }
}
