//! Properties that are words in compiled rules, and numbers that are set to nothing.

use referee_rules::Engine;

use super::compiled::{GAME, play_tried};

const LINES: &str = "property mood for each player calm|angry\nproperty weather rain|sun\nproperty bid for each player NUMBER\n\
                     ask say calm|angry\n";

const DEEDS: [(&str, &str); 4] = [
    (
        "words are read, set and compared",
        "fn deed(me) { let other = after(me); if other.mood == () { other.mood = \"calm\"; } \
         if roll(\"six\") > 3 { me.mood = other.mood; } else { me.mood = if roll(\"six\") == 1 { () } else { \"angry\" }; } \
         game.weather = game.weather ?? if me.mood == \"angry\" { \"rain\" } else { \"sun\" }; \
         me.sum += if game.weather == \"rain\" { 3 } else { 5 } + if me.mood == other.mood { 1 } else { 0 }; \
         if roll(\"six\") == 2 { game.weather = (); } }",
    ),
    (
        "words in lists, in closures and in a switch",
        "fn deed(me) { me.mood = [\"calm\", \"angry\"][roll(\"six\") % 2]; \
         let same = players().filter(|player| player.mood == me.mood); \
         me.sum += same.len() + switch me.mood { \"calm\" => 10, \"angry\" => 20, _ => 30 } + me.mood.len(); }",
    ),
    (
        "a word that a player says",
        "fn deed(me) { me.mood = choose(me, \"say\", [\"calm\", \"angry\"]); me.sum += if me.mood == \"calm\" { 1 } else { 2 }; }",
    ),
    (
        "numbers that are nothing",
        "fn deed(me) { let other = after(me); me.bid = roll(\"six\") - 3; if roll(\"six\") > 4 { other.bid = (); } \
         me.sum += abs(me.bid) + if other.bid == () { 7 } else { abs(other.bid) }; if roll(\"six\") == 1 { me.bid = (); } }",
    ),
];

#[test]
fn words_are_the_same_in_compiled_rules() {
    for (what, deed) in DEEDS {
        let game = format!("{GAME}{LINES}");
        let (played, told) = play_tried(what, &game, &[], deed, 20);
        assert_eq!(played, 20 * Engine::ALL.len() as u64, "{what}: {told}");
    }
}
