//! An option that the rules have not read makes no difference, which is known without playing the games once more.

use std::collections::BTreeSet;
use std::mem::discriminant;

use referee_play::Bounds;
use referee_scenario::{
    Hunt, KnownGames, Loader, LoaderOptions, Origin, Originals, OtherSetting, SetUp, Stage, other_settings,
    setting_effect, stage,
};
use referee_source::MemoryHost;

use super::every_game::games;

/// Plays the first games of a stage. Returns how often each point of the rules has run, and which games have come to their end.
fn hunted(hunt: &Hunt<'_>, count: u64) -> (Vec<u64>, BTreeSet<u64>) {
    let over = (1..=count).filter(|number| hunt.game(*number, count + 1 - number).is_over).collect();
    (hunt.stage.program.take_counts(), over)
}

fn hunt(stage: &Stage, max_turns: u64) -> Hunt<'_> {
    let bounds = Bounds { states: 0, bytes: 0 };
    Hunt { stage, invariants: &[], seed: 1, max_turns, turns_flag: "--max-turns", bounds, names_players: false }
}

/// Compares what is said of each other value of an option with what playing all games shows. Returns the values whose options were
/// not read, and the number of all.
fn compared(loader: &mut Loader<'_>, game: &str, (count, max_turns): (u64, u64)) -> (Vec<String>, usize) {
    let origin = Origin::SetUp(SetUp { game: game.to_owned(), ..SetUp::default() });
    let stage = stage(loader, &origin).unwrap();
    let hunt = hunt(&stage, max_turns);
    let (runs, over) = hunted(&hunt, count);
    let all = other_settings(&stage);
    let mut originals = Originals::default();
    let mut effect = |other: &OtherSetting, have_read| {
        setting_effect(
            loader,
            &origin,
            (&hunt, &mut originals),
            (1, count),
            (other, KnownGames { have_read, over: &over }),
        )
    };
    for other in &all {
        let (quick, slow) = (effect(other, other.may_have_been_read(&stage, &runs)), effect(other, true));
        let written = other.written(stage.program.schema());
        assert_eq!(discriminant(&quick), discriminant(&slow), "{game} {written}: {quick:?}, {slow:?}");
    }
    let unread = all.iter().filter(|other| !other.may_have_been_read(&stage, &runs));
    (unread.map(|other| other.written(stage.program.schema())).collect(), all.len())
}

#[test]
fn what_is_not_read_makes_no_difference_in_any_game() {
    let (mut unread, mut all) = (0, 0);
    for game in &games() {
        let host = MemoryHost::default();
        let mut loader = Loader::new(&host, LoaderOptions { counts: true, ..LoaderOptions::default() });
        let (of_game, count) = compared(&mut loader, game, (2, 12));
        unread += of_game.len();
        all += count;
    }
    assert!(unread * 10 > all, "{unread} of {all}");
}

/// Options that are read in the set-up, behind a condition, in a function that nothing calls, or by a computed name.
#[test]
fn what_has_run_tells_which_options_were_read() {
    const GAME: &str = "game dash \"Dash\"\nplayers 2 ann ben\nrules \"rules.rhai\"\nboard track 30\ndie 1..3\n\
        piece runner for each player\nplace ann at 1, ben at 15\ncounter thrown\n\
        option early = no | yes\noption ends = no | yes\noption rare = no | yes\noption other = no | yes\noption late = no | yes\n\
        option dead = no | yes\noption none = no | yes\noption computed = no | yes\noption goal = 30 in 28..30\n\
        option case = no | yes\noption rest = no | yes\noption again = no | yes\noption caught = no | yes\n";
    const RULES: &str = r#"
fn setup() { let early = option("early"); }
fn turn(me) {
    let far = roll();
    game.thrown += 1;
    if game.thrown > 1000 && option("rare") == "yes" || game.thrown < 1000 || option("other") == "yes" { game.thrown += 1; }
    let from = number(cell(runner(me)));
    if from + far >= option("goal") {
        if option("ends") == "yes" { win(me); }
        win(me);
        return;
    }
    if [1, 2].some(|n| n > far && option("late") == "yes") { game.thrown += 1; }
    switch game.thrown { 2000 if option("case") == "yes" => { game.thrown += 1; } 0..=1000 => (), _ => { option("rest"); } }
    let left = far;
    do { left -= 1; } while game.thrown > 1000 && option("again") == "yes";
    try { game.thrown += 0; } catch { option("caught") }
    place(runner(me), nth(from + far));
}
fn dead() { option("dead") }
"#;
    let tried = |rules: String| {
        let host = MemoryHost::default().with("games/dash/dash.game", GAME).with("games/dash/rules.rhai", rules);
        let options = LoaderOptions { games: Some("games".into()), counts: true, ..LoaderOptions::default() };
        compared(&mut Loader::new(&host, options), "dash", (8, 200)).0.join(" ")
    };
    let unread = tried(RULES.to_owned());
    assert_eq!(unread, "rare=yes other=yes dead=yes none=yes computed=yes rest=yes again=yes caught=yes");
    let computed = RULES
        .replace("game.thrown += 1;\n    if", "game.thrown += 1;\n    let any = option(\"comp\" + \"uted\");\n    if");
    assert_eq!(tried(computed), "");
    let named = RULES.replace(
        "game.thrown += 1;\n    if",
        "game.thrown += 1;\n    let any = Fn(\"option\").call(\"none\");\n    if",
    );
    assert_eq!(tried(named), "");
    for constant in ["const NAME = \"option\";\n", "const READ = Fn(\"option\");\n"] {
        assert_eq!(tried(format!("{constant}{RULES}")), "", "{constant}");
    }
}
