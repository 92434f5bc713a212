//! Set-ups: compiled rules shuffle, deal and run what the rules do before the first turn as the machine does.

use crate::program::referee;

/// Lines of a game, its rules, and whether compiled rules play its games as a whole.
const SET_UPS: &[(&str, &str, &str)] = &[
    (
        "lines that shuffle and deal",
        "shuffle deck\ndeal 3 from deck to hand of each player\ndeal 1 from deck to offer\n",
        "",
    ),
    (
        "cards dealt face down by a line, and to hands",
        "shuffle deck\ndeal 5 from deck to board face down\ndeal 2 from deck to hand of each player\n",
        "",
    ),
    (
        "a function after a line",
        "shuffle deck\ndeal 1 from deck to offer\n",
        "fn setup() { clause(\"A1\"); for card in cards(offer) { move_card(card, offer, heap); } shuffle(heap); \
         draw(deck, offer); then(\"more\", 2); }\n\
         fn more(times) { tally(game, \"dealt\", 1); draw(deck, hand(players()[0])); \
         if times > 1 { then(\"more\", times - 1); } }\n",
    ),
    (
        "a function alone, which deals face down before it asks chance",
        "",
        "fn setup() { shuffle(deck); deal_face_down(count(inside()) - 4, deck); deal(2, deck, \"hand\"); \
         put_card(draw(deck), heap); put_card(draw(deck), heap); shuffle(heap); draw(heap, offer); }\n",
    ),
    (
        "a set-up that gives the first turn to another player",
        "shuffle deck\n",
        "fn setup() { draw(deck, offer); next_turn(players()[1]); set(players()[1], \"best\", 3); }\n",
    ),
];

const GAME: &str = "game dealt \"Dealt\"\nplayers 2..4 ann bob cat dan\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    board grid 3x3\nzone deck hidden\nzone heap pile\nzone offer\nzone hand for each player secret\n\
                    card block from \"cards.yaml\" in deck\ncounter sum for each player\ncounter rounds\n\
                    record counter best for each player\nrecord counter dealt\nask play PIECE\n\
                    event PLAYER plays PIECE\nevent PLAYER passes\n";

const RULES: &str = r#"
fn turn(me) {
    clause("A1");
    let all = cards(hand(me));
    if all.is_empty() {
        event("passes", me);
        if !is_empty(deck) { draw(deck, hand(me)); }
    } else {
        let card = choose(me, "play", all);
        event("plays", me, card);
        move_card(card, hand(me), offer);
        me.sum += card.value;
        tally(me, "best", card.value);
    }
    game.rounds += 1;
    if game.rounds < 12 { return; }
    let most = 0;
    for player in players() { most = max(most, player.sum); }
    let best = [];
    for player in players() { if player.sum == most { best.push(player); } }
    if best.len() == 1 { win(best[0]); } else { win(best); }
}
"#;

#[test]
fn set_ups_are_compiled() {
    let cards = (1..=24).map(|at| format!("  - {{name: k{at}, value: {}, count: {}}}\n", at % 7, 1 + at % 3));
    let cards = format!("printed: {{needs: [value], value: NUMBER}}\ncards:\n{}", cards.collect::<String>());
    for (what, lines, rules) in SET_UPS {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| std::fs::write(folder.path().join("dealt").join(name), text).unwrap();
        std::fs::create_dir(folder.path().join("dealt")).unwrap();
        put("dealt.game", &format!("{GAME}\n{lines}"));
        put("rules.rhai", &format!("{rules}{RULES}"));
        put("RULES.md", "[A1] Play.\n");
        put("cards.yaml", &cards);
        let play = |engine: &str, players: &str| {
            let arguments = ["simulate", "dealt", "-n", "40", "--seed", "5", "--jobs", "1", "--format", "json"];
            let mut program = referee();
            program.current_dir(folder.path()).args(arguments).args(["--engine", engine, "--players", players]);
            let output = program.output().unwrap();
            // An engine fails where the machine had to play a game.
            assert!(output.status.success(), "{what}, {engine}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        for players in ["2", "4"] {
            let by_machine = play("machine", players);
            assert!(by_machine.contains("\"games\":40"), "{what}: {by_machine}");
            assert_eq!(play("wasmi", players), by_machine, "{what}, {players} players");
        }
    }
}
