//! Clocks, the order of turns, rounds, and players who resign.

use std::path::Path;

use referee_diagnostic::{Diagnostic, Renderer};
use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

/// A game for up to three players, who take a number in each turn.
const GAME: &str = "game taking \"Taking\"\nplayers 2..3 red blue green\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    ask take NUMBER \"Take\"\n";

/// Returns the errors of all scenarios of a file, with those of its game and rules.
fn wrong(game: &str, rules: &str, lines: &str) -> Vec<Diagnostic> {
    let host = MemoryHost::default()
        .with("games/taking/taking.game", game)
        .with("games/taking/rules.rhai", rules)
        .with("games/taking/RULES.md", "[R1] Take.\n")
        .with("a.scenario", format!("use taking\n{lines}"));
    let (problems, failures) = super::failures(&host);
    problems.into_iter().chain(failures.into_iter().map(|failure| failure.diagnostic)).collect()
}

/// Asserts that all scenarios pass.
fn passes(game: &str, rules: &str, lines: &str) {
    let wrong = wrong(game, rules, lines);
    let shown: Vec<String> = wrong.iter().map(|wrong| Renderer { colour: false }.render(wrong)).collect();
    assert!(wrong.is_empty(), "{}", shown.join("\n"));
}

/// Returns the only error.
fn refused(game: &str, rules: &str, lines: &str) -> Diagnostic {
    let wrong = wrong(game, rules, lines);
    let [one] = wrong.as_slice() else { unreachable!("one error and not {wrong:#?}") };
    one.clone()
}

/// Whoever takes a number has as many turns more.
const AGAIN: &str =
    "fn turn(me) { let more = choose(me, \"take\", [0, 1, 2]); for i in 0..more { extra_turn(me); } }\n";

#[test]
fn extra_turns_follow_the_present_one_each_once() {
    passes(
        GAME,
        AGAIN,
        "scenario \"Two more turns, and one more in the first of them\"\n  players red blue\n  turn red\n  red take 2\n  \
         expect turn red\n  red take 1\n  expect turn red\n  red take 0\n  expect turn red\n  red take 0\n  expect turn blue\n  \
         blue take 0\n  expect turn red\n",
    );
}

#[test]
fn an_extra_turn_of_another_player_does_not_move_the_order() {
    let rules = "fn turn(me) { if choose(me, \"take\", [0, 1]) == 1 { extra_turn(after(after(me))); } }\n";
    passes(
        GAME,
        rules,
        "scenario \"Green between red and blue\"\n  players red blue green\n  turn red\n  red take 1\n  expect turn green\n  \
         green take 0\n  expect turn blue\n  blue take 0\n  expect turn green\n  green take 0\n  expect turn red\n  \
         expect last turn green\n",
    );
}

#[test]
fn later_extra_turns_come_first() {
    let rules = "fn turn(me) {\n  let took = choose(me, \"take\", [0, 1, 2]);\n  if took == 1 { extra_turn(blue); extra_turn(green); }\n  \
                 if took == 2 { extra_turn(red); }\n}\n";
    passes(
        GAME,
        rules,
        "scenario \"Blue's extra turn gives red one before green's\"\n  players red blue green\n  turn red\n  red take 1\n  \
         expect turn blue\n  blue take 2\n  expect turn red\n  red take 0\n  expect turn green\n  green take 0\n  \
         expect turn blue\n",
    );
}

#[test]
fn a_skipped_turn_is_left_out_wherever_it_comes_from() {
    let rules = "fn turn(me) {\n  let took = choose(me, \"take\", [0, 1, 2, 3]);\n  if took == 1 { skip(blue); }\n  \
                 if took == 2 { skip(blue); skip(blue); }\n  if took == 3 { skip(green); extra_turn(green); }\n}\n";
    passes(
        GAME,
        rules,
        "scenario \"One turn\"\n  players red blue green\n  turn red\n  red take 1\n  expect turn green\n  green take 0\n  \
         expect turn red\n  red take 0\n  expect turn blue\n\
         scenario \"Two turns\"\n  players red blue\n  turn red\n  red take 2\n  expect turn red\n  red take 0\n  \
         expect turn red\n  red take 0\n  expect turn blue\n\
         scenario \"An extra turn is the next one\"\n  players red blue green\n  turn red\n  red take 3\n  expect turn blue\n  \
         blue take 0\n  expect turn green\n\
         scenario \"A turn that is given is left out as well\"\n  players red blue green\n  set turns skip green\n  turn blue\n  \
         blue take 0\n  expect turn red\n",
    );
}

/// In each round, players take their turns by descending bids.
const AUCTION: &str = "fn setup() { set_order([blue, red, green]); }
fn turn(me) { me.bid = choose(me, \"take\", [0, 1, 2, 3]); }
fn round_begins() {
    if round() == 1 { return; }
    let all = turn_order();
    all.sort(|one, other| if one.bid > other.bid { -1 } else if one.bid < other.bid { 1 } else { 0 });
    set_order(all);
}
";

#[test]
fn the_order_of_a_round_follows_bids() {
    let game = format!("{GAME}counter bid for each player\n");
    passes(
        &game,
        AUCTION,
        "scenario \"By descending bids\"\n  players red blue green\n  setup\n  expect round 1\n  expect turn blue\n  \
         blue take 1\n  expect turn red\n  red take 3\n  expect turn green\n  green take 2\n  expect round 2\n  \
         expect turn red\n  red take 0\n  expect turn green\n  green take 0\n  expect turn blue\n  blue take 1\n  \
         expect { round() == 3 && turn_order() == [blue, red, green] }\n  expect turn blue\n  expect last turn blue\n",
    );
}

#[test]
fn an_order_set_in_a_turn_begins_with_the_next_round() {
    let rules = "fn turn(me) { if choose(me, \"take\", [0, 1]) == 1 { set_order([green, red]); } }\n";
    passes(
        GAME,
        rules,
        "scenario \"Blue is out from the next round on\"\n  players red blue green\n  turn red\n  red take 1\n  \
         expect turn blue\n  blue take 0\n  expect turn green\n  green take 0\n  expect turn green\n  green take 0\n  \
         expect turn red\n  red take 0\n  expect turn green\n  expect round 3\n",
    );
}

/// Three players; who takes 3 is out. The ends of rounds are asked about, too.
const OUT: &str = "fn turn(me) {
    if choose(me, \"take\", [0, 3]) == 3 { set_order(turn_order().filter(|one| one != me)); }
}
fn round_begins() { game.begun += 1; }
fn round_ends() { game.ended += choose(turn_order()[0], \"take\", [1, 10]); }
";

#[test]
fn rounds_have_functions_that_may_ask_and_players_who_are_out() {
    let game = format!("{GAME}counter begun\ncounter ended\n");
    passes(
        &game,
        OUT,
        "scenario \"Two rounds\"\n  players red blue green\n  setup\n  always at the end of a round { game.ended == round() * 10 }\n  \
         always at the end of a turn { game.begun == round() }\n  expect game.begun = 1\n  red take 0\n  blue take 3\n  green take 0\n  \
         expect asks red take\n  expect round 1\n  red take 10\n  expect round 2\n  expect game.begun = 2\n  expect turn red\n  \
         red take 0\n  expect turn green\n  green take 0\n  red take 10\n  expect round 3\n",
    );
    let wrong = refused(
        &game,
        OUT,
        "scenario \"The end of the round\"\n  players red blue green\n  turn red\n  always at the end of a round { game.ended == 10 }\n  \
         red take 0\n  blue take 0\n  green take 0\n  red take 1\n",
    );
    assert_eq!(wrong.message, "this is not always true");
}

#[test]
fn a_turn_that_does_not_count_is_no_turn_of_the_round() {
    let rules = "fn turn(me) { if choose(me, \"take\", [0, 1]) == 0 { no_turn(); } }\n";
    passes(
        GAME,
        rules,
        "scenario \"Blue passes\"\n  players red blue\n  turn red\n  expect { turns() == 1 }\n  red take 1\n  expect { turns() == 2 }\n  \
         blue take 0\n  expect last turn red\n  expect { turns() == 2 }\n  expect round 1\n  expect turn red\n  red take 1\n  \
         blue take 1\n  expect round 2\n",
    );
    // A horizon of one turn goes on over turns that do not count.
    let rules = "fn turn(me) {\n  game.passed += 1;\n  if game.passed >= 3 { win(me); }\n  if choose(me, \"take\", [0, 1]) == 0 { no_turn(); }\n}\n";
    let game = format!("{GAME}counter passed\n");
    passes(
        &game,
        rules,
        "scenario \"Passing\"\n  players red blue\n  turn red\n  expect reachable winner red within 1 turn\n  \
         expect never winner blue\n  expect every line ends within 3 turns\n\
         scenario \"Counting\"\n  players red blue\n  turn red\n  red take 1\n  expect reachable winner red within 2 turns\n",
    );
}

#[test]
fn what_is_denied_of_rounds_keeps_them_apart() {
    let rules = "fn turn(me) { choose(me, \"take\", [0]); }\n";
    passes(
        GAME,
        rules,
        "scenario \"Rounds\"\n  players red blue\n  turn red\n  expect reachable not round 1 within 4 turns\n  \
         expect reachable round 2 within 4 turns\n  expect chance not round 1 within 4 turns = 1\n    when red policy random\n    when blue policy random\n",
    );
}

#[test]
fn functions_for_turns_may_be_values() {
    let rules = "fn turn(me) { if choose(me, \"take\", [0, 1]) == 1 { [me].for_each(Fn(\"add\")); } }\n\
                 fn add() { Fn(\"extra_turn\").call(this); }\n";
    passes(
        GAME,
        rules,
        "scenario \"One more turn\"\n  players red blue\n  turn red\n  red take 1\n  expect turn red\n  red take 0\n  \
         expect turn blue\n",
    );
}

#[test]
fn the_order_of_turns_is_written_in_positions() {
    passes(
        GAME,
        AGAIN,
        "scenario \"What waits\"\n  players red blue green\n  set turns order green blue red\n  set turns extra blue\n  \
         set turns skip red\n  set turns round 4\n  set turns had green blue\n  set turns last green\n  turn blue\n  \
         expect round 4\n  expect last turn green\n  blue take 0\n  expect turn blue\n  blue take 0\n  expect turn green\n  \
         expect round 5\n",
    );
    for (lines, said, help) in [
        ("set turns order red red", "red is in the order of play twice", "name each player once"),
        ("set turns order", "`turns order` takes players", "write for example `set turns order red blue`"),
        ("set turns round red", "`turns round` takes a number", "write for example `set turns round 3`"),
        ("set turns after red blue", "`turns after` takes one player", "write for example `set turns after red`"),
        ("set turns xtra red", "this does not say what is known of the order of turns", "did you mean `extra`?"),
        ("set turns skip green", "`green` does not take part in this scenario", ""),
    ] {
        let wrong = refused(GAME, AGAIN, &format!("scenario \"A\"\n  players red blue\n  {lines}\n  turn red\n"));
        assert_eq!(wrong.message, said, "{lines}");
        assert!(help.is_empty() || wrong.help.as_deref() == Some(help), "{lines}: {:?}", wrong.help);
    }
}

#[test]
fn calls_that_contradict_are_errors_at_their_place() {
    let cases = [
        (
            "next_turn(blue); extra_turn(red);",
            "the next turn cannot be given to blue, because an extra turn of red comes right after this one",
        ),
        (
            "extra_turn(red); next_turn(blue);",
            "the next turn cannot be given to blue, because an extra turn of red comes right after this one",
        ),
        ("set_order([]);", "an order of play has at least 1 player"),
        ("set_order([red, red]);", "red is in the order of play twice"),
        ("set_order([red, green]);", "green does not take part in this game"),
        ("skip(green);", "green does not take part in this game"),
        ("set_order([\"red\"]);", "`set_order` takes players, found the string \"red\""),
    ];
    for (calls, said) in cases {
        let rules = format!("fn turn(me) {{ choose(me, \"take\", [1]); {calls} }}\n");
        let wrong = refused(GAME, &rules, "scenario \"A\"\n  players red blue\n  turn red\n  red take 1\n");
        assert_eq!(wrong.message, said, "{calls}");
        let last = calls.trim_end_matches(';').rsplit("; ").next().unwrap();
        let name = last.split('(').next().unwrap();
        let at = wrong.labels.first().map(|label| label.source.slice(label.span).to_owned());
        assert!(at.is_some_and(|at| at.starts_with(name)), "{calls}: {:?}", wrong.labels);
    }
    let rules = "fn setup() { set_order([red]); }\nfn turn(me) { choose(me, \"take\", [1]); next_turn(blue); }\n";
    let wrong = refused(GAME, rules, "scenario \"A\"\n  players red blue\n  setup\n  red take 1\n");
    assert_eq!(wrong.message, "`next_turn` is about a turn in the order of play, and blue is not in it: red");
    let rules = "fn setup() { no_turn(); }\nfn turn(me) { choose(me, \"take\", [1]); }\n";
    let wrong = refused(GAME, rules, "scenario \"A\"\n  players red blue\n  setup\n");
    assert_eq!(wrong.message, "`no_turn` is about the present turn, and no turn is on");
}

#[test]
fn who_resigns_loses_or_leaves_the_others_to_go_on() {
    let turn = "fn turn(me) { choose(me, \"take\", [1]); }\n";
    let lose = format!("{turn}fn resigned(player) {{ lose(player); }}\n");
    passes(
        GAME,
        &lose,
        "scenario \"Red gives up\"\n  players red blue green\n  turn red\n  red resigns\n  expect over\n  expect winners blue green\n  \
         expect last turn red\n",
    );
    let out = format!("{turn}fn resigned(player) {{ set_order(turn_order().filter(|one| one != player)); }}\n");
    passes(
        GAME,
        &out,
        "scenario \"Red is out\"\n  players red blue green\n  turn red\n  red resigns\n  expect not over\n  expect turn blue\n  \
         blue take 1\n  green take 1\n  expect turn blue\n  expect round 2\n",
    );
    let lines = "scenario \"A\"\n  players red blue\n  turn red\n  red resigns\n";
    let wrong = refused(GAME, turn, lines);
    assert_eq!(wrong.message, "the rules of this game do not say what follows if a player resigns");
    assert!(wrong.help.is_some_and(|help| help.contains("`fn resigned(player) { lose(player); }`")));
    let wrong = refused(GAME, &format!("{turn}fn resigned(_player) {{ }}\n"), lines);
    assert_eq!(
        wrong.message,
        "nothing says what follows after red has resigned: the game goes on, and nobody has the next turn"
    );
    let wrong = refused(GAME, &lose, &lines.replace("red resigns", "blue resigns"));
    assert_eq!(wrong.message, "blue is asked nothing here, and resigns instead of an answer: asks red take");
}

/// Two players who walk to and fro on three places each.
const WALK: &str = "game walk \"Walk\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\n\
                    counter spot for each player\nask step NUMBER \"Step\"\n";

const STEPS: &str = "fn turn(me) {
    me.spot = choose(me, \"step\", [me.spot - 1, me.spot + 1].filter(|to| to >= 0 && to <= 2));
    game.idle += 1;
    AFTER
}
";

fn walk(after: &str, clock: &str, lines: &str) -> Vec<Diagnostic> {
    let host = MemoryHost::default()
        .with("games/walk/walk.game", format!("{WALK}{clock}counter idle\n"))
        .with("games/walk/rules.rhai", STEPS.replace("AFTER", after))
        .with("games/walk/RULES.md", "[R1] Walk.\n")
        .with("a.scenario", format!("use walk\nscenario \"A\"\n  turn red\n{lines}"));
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    let result = referee_scenario::judge(&mut loader, &suite, 0);
    result.failures.into_iter().map(|failure| failure.diagnostic).collect()
}

#[test]
fn a_clock_does_not_keep_positions_from_being_repeated() {
    let lines = "  red step 1\n  blue step 1\n  red step 0\n  blue step 0\n  expect over\n  expect draw\n";
    let repeats = "if repetitions(after(me)) == 1 && game.idle > 1 { draw_game(); }";
    assert!(walk(repeats, "clock ", lines).is_empty());
    let said: Vec<String> = walk(repeats, "", lines).into_iter().map(|wrong| wrong.message).collect();
    assert_eq!(said, ["the game is not over", "the game is not over: expected `draw`"]);
}

#[test]
fn questions_tell_states_with_other_clocks_apart_and_cycles_do_not() {
    // The game is drawn after six moves: every line ends, although positions come again before.
    let fifty = "if game.idle >= 6 { draw_game(); }";
    let lines = "  expect every line ends within 6 turns\n  expect every line ends\n  expect reachable draw within 6 turns\n  \
                 expect never draw within 5 turns\n  expect cycle\n  expect game.idle = 0\n";
    assert_eq!(walk(fifty, "clock ", lines), []);
    // Where the clock stops the game too early, no position comes again.
    let three = "if game.idle >= 3 { draw_game(); }";
    assert_eq!(walk(three, "clock ", "  expect no cycle\n  expect every line ends\n"), []);
    // A counter that is no clock is a part of each position.
    assert_eq!(walk(fifty, "", "  expect no cycle\n"), []);
    let said = walk(fifty, "clock ", "  expect no cycle\n");
    let [wrong] = said.as_slice() else { unreachable!("one error and not {said:?}") };
    assert_eq!(wrong.message, "there is a cycle: after 0 answers, 4 answers lead back to the same position");
}

#[test]
fn chances_with_a_clock_are_exact() {
    // Heads stop the clock twice, then nobody wins; three tails in a row are a draw: 1 - (7/8)^2.
    let game = "game coins \"Coins\"\nplayers 2 red blue\nrules \"rules.rhai\"\nrulebook \"RULES.md\"\ndie coin 0..1\n\
                clock counter tails\ncounter heads\n";
    let rules = "fn turn(_me) {\n  if roll(\"coin\") == 1 { game.tails = 0; game.heads += 1; } else { game.tails += 1; }\n  \
                 if game.heads == 2 { nobody_wins(); }\n  if game.tails == 3 { draw_game(); }\n}\n";
    let host = MemoryHost::default()
        .with("games/coins/coins.game", game)
        .with("games/coins/rules.rhai", rules)
        .with("games/coins/RULES.md", "[R1] Throw.\n")
        .with(
            "a.scenario",
            "use coins\nscenario \"A\"\n  set game.tails = 0\n  turn red\n  expect chance draw = 15/64 to the end of the game\n\
             scenario \"B\"\n  set game.tails = 2\n  turn red\n  expect chance draw = 9/16 to the end of the game\n  \
             expect chance { turns() <= 2 } = 3/4 to the end of the game\n",
        );
    let mut loader = Loader::new(&host, LoaderOptions::default());
    let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems);
    for test in 0..suite.tests.len() {
        let result = referee_scenario::judge(&mut loader, &suite, test);
        let said: Vec<String> = result.failures.iter().map(|failure| failure.diagnostic.message.clone()).collect();
        assert!(said.is_empty(), "{said:?}");
    }
}
