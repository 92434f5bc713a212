//! Secret throws, answers and values in compiled rules and in the machine: the same games by both.

use super::compiled::play_tried;
use referee_rules::Engine;

const GAME: &str = "game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    die cup 1..6 secret\ndie cast 3 of 1..6 secret\ndie fate sun | rain hidden\ndie six 1..6\n\
                    counter sum for each player = 0\ncounter rounds\ncounter held for each player secret\ncounter code = 7 hidden\n\
                    resource ones, twos for each player supply 30 secret\nask hide NUMBER secret\nask pick NUMBER\n";

/// What is tried, all of which compiled rules play.
const TRIED: &[(&str, &str)] = &[
    (
        "a throw for a player",
        r#"fn deed(me) { let shown = roll(me, "cup"); me.held += shown; me.sum = (me.sum * 3 + me.held + after(me).held) % 1009; }"#,
    ),
    (
        "several dice for another player, among open throws",
        r#"fn deed(me) {
            let six = roll("six");
            let cast = roll(after(me), "cast");
            for shown in cast { me.sum += shown * six; }
            if roll("fate") == "rain" { me.sum += roll("six") * 100; }
            me.sum = me.sum % 1009;
        }"#,
    ),
    (
        "secrets that are cleared",
        r#"fn deed(me) {
            for player in players() {
                for _die in 0..3 {
                    let shown = roll(player, "cup");
                    player.held += shown;
                    if shown == 1 { gain(player, #{ ones: 1 }); } else if shown == 2 { gain(player, #{ twos: 1 }); }
                }
            }
            game.code = red.held;
            me.sum = (me.sum * 3 + after(me).held + me.ones * 100 + game.ones_supply + game.code) % 1009;
            if game.rounds % 2 == 0 { clear_secrets(); }
            me.sum += game.twos_supply + game.code;
        }"#,
    ),
    (
        "answers that are secret",
        r#"fn deed(me) {
            me.held = choose(me, "hide", 1..=4);
            let both = choose_all(players(), "hide", |player| [player.held, 9]);
            me.sum = (me.sum * 3 + both[0] * 10 + both[1]) % 1009;
        }"#,
    ),
];

#[test]
fn games_with_secrets_are_the_same_with_both() {
    for (what, deed) in TRIED {
        let (found, told) = play_tried(what, GAME, &[], deed, 4);
        assert_eq!(found, 4 * Engine::ALL.len() as u64, "{what}: {told}");
    }
}
