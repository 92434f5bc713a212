//! Results of functions of the rules that are remembered: nothing but the time shows it.

use super::Project;

fn game(declared: &str, rules: &str) -> Project {
    let lines = format!(
        "game sums \"Sums\"\nplayers 2 red blue\nrules \"rules.rhai\"\ncounter score for each player = 0\n\
ask give NUMBER\n{declared}"
    );
    Project::new().file("games/sums/sums.game", lines).file("games/sums/rules.rhai", rules)
}

#[track_caller]
fn passes(project: Project, turn: &str) {
    let scenario = format!("use sums\n\nscenario \"A turn\"\n  turn red\n{turn}");
    let ran = project.file("turn.scenario", scenario).run(&["test", "turn.scenario"]);
    assert_eq!(ran.code, 0, "{}", ran.all());
}

/// The functions return a constant list and a text that equals a constant: the machine keeps neither beyond the phase.
const TRAP: &str = "const WORD = \"aaaa\";
fn turn(me) {
    let first = choose(me, \"give\", [1, 2]);
    if first == 1 { win(me); }
    let kept = [few(3), word(4)];
    first = 0;
    let last = 0;
    loop {
        last = choose(me, \"give\", [1, 2, 3]);
        kept = [few(last * 0 + 3), word(last * 0 + 4)];
        if last == 9 && kept.len() == 2 { win(me); }
    }
}
fn few(n) { while n > 3 { n -= 1; } [1, 2] }
fn word(n) { let text = \"\"; while n > 0 { n -= 1; text += \"a\"; } text }
";

#[test]
fn a_recalled_value_is_the_same_at_a_pause_as_that_of_a_run() {
    let ran = game("", TRAP).run(&["odds", "sums", "--policy", "random"]);
    // Of all pauses in the loop there is one.
    assert!(ran.all().contains("play reaches it by:\n  red give 2\n────"), "{}", ran.all());
}

#[test]
fn nothing_of_a_recalled_constant_is_left_for_a_phase_that_goes_on() {
    let rules = "fn turn(me) {
    let mine = [me.score, 70];
    let chosen = choose(me, \"give\", [1, 2]);
    me.score = mine[1] + chosen;
    then(\"leaf\", me);
}
fn leaf(me) {
    let steps = few(5);
    steps = few(5);
    if me.score < 70 { lose(me); }
    if me.score >= 70 { win(me); }
}
fn few(n) { while n > 3 { n -= 1; } [1, 2, 3] }
";
    for policy in ["random", "greedy:me.score", "mcts:20"] {
        let ran = game("", rules).run(&["simulate", "sums", "-n", "20", "--seed", "1", "--policy", policy]);
        assert!(
            ran.code == 0 && ran.all().lines().any(|line| line.starts_with(" red wins") && line.contains("100.0 %")),
            "{policy}: {}",
            ran.all()
        );
    }
}

#[test]
fn a_property_called_len_is_read_and_set_each_time() {
    let rules = "fn turn(me) {
    let before = total(3);
    OF.len = 5;
    me.score = total(3);
    set_len(me);
    OF.len = 0;
    set_len(me);
    win(me);
}
fn total(n) { let sum = 0; for i in 0..n { sum += OF.len; } sum }
fn set_len(me) { for i in 0..3 { OF.len = 7 + i; } 0 }
";
    let both = "counter len = 0\n";
    passes(game(both, &rules.replace("OF", "game")), "  expect red.score = 15\n  expect game.len = 9\n");
    let each = "counter len for each player = 0\n";
    passes(game(each, &rules.replace("OF", "red")), "  expect red.score = 15\n  expect red.len = 9\n");
}

#[test]
fn a_function_of_a_map_under_the_name_of_a_native_one_runs_each_time() {
    let rules = "const BY = #{ max: |n| { game.k += n; game.k } };
fn total(n) { let sum = 0; for i in 0..n { sum += BY.max(i + 1); } sum }
fn turn(me) { let before = total(3); me.score = total(3); win(me); }
";
    passes(game("counter k = 0\n", rules), "  expect red.score = 28\n  expect game.k = 12\n");
    let asks = "const BY = #{ max: Fn(\"ask_die\") };
fn ask_die(n) { roll() }
fn total(n) { let sum = 0; for i in 0..n { sum += BY.max(i); } sum }
fn turn(me) { me.score = total(2); me.score += total(2); win(me); }
";
    passes(game("die 1..3\n", asks), "  roll 1\n  roll 2\n  roll 3\n  roll 3\n  expect red.score = 9\n");
}

/// A board with pieces, and two zones with cards, for functions that read the state.
fn board(rules: &str) -> Project {
    let declared = "board grid 4x1\ndirections 4 clockwise from north\npiece man 1..3\npiece dot many for each player \
symbols o x\nzone stock pile\nzone out pile\ncard token from \"cards.yaml\" in stock\nproperty mark for each man PLAYER\n\
flag up for each man\ncounter hits for each man\nrulebook \"RULES.md\"\n";
    game(declared, rules)
        .file("games/sums/cards.yaml", "cards:\n  - name: one\n  - name: two\n")
        .file("games/sums/RULES.md", "# Sums\n\n[C1] A sum is counted.\n")
}

/// After each way to change the state, a function that reads it gives its new result.
#[test]
fn what_a_function_reads_of_the_state_is_read_again_after_each_change() {
    let rules = "fn on_board() { on(occupied()).filter(|piece| !is_off(piece)).len }
fn marked(player) { pieces(\"man\").filter(|man| man.mark == player).len }
fn raised() { let found = 0; for man in pieces(\"man\") { if man.up { found += 1; } } found }
fn hit() { let sum = 0; for man in pieces(\"man\") { sum += man.hits; } sum }
fn in_stock() { let found = 0; for card in cards(stock) { found += 1; } found }
fn dots(player) { let found = 0; for cell in cells(player) { found += 1; } found }
fn everything(player) { [on_board(), marked(player), raised(), hit(), in_stock(), dots(player)] }
fn gives(player, wanted) {
    for again in 1..=3 {
        let found = everything(player);
        if found != wanted { throw `found ${found} for ${wanted}`; }
    }
}
fn turn(me) {
    let first = piece(\"man 1\");
    let second = piece(\"man 2\");
    gives(me, [0, 0, 0, 0, 2, 0]);
    place(first, cell_named(\"a1\"));
    gives(me, [1, 0, 0, 0, 2, 0]);
    place(second, cell_named(\"b1\"));
    gives(me, [2, 0, 0, 0, 2, 0]);
    place(dot(me), cell_named(\"c1\"));
    gives(me, [3, 0, 0, 0, 2, 1]);
    set(first, \"mark\", me);
    gives(me, [3, 1, 0, 0, 2, 1]);
    second.mark = me;
    gives(me, [3, 2, 0, 0, 2, 1]);
    gives(after(me), [3, 0, 0, 0, 2, 0]);
    set(first, \"mark\", ());
    gives(me, [3, 1, 0, 0, 2, 1]);
    first.up = true;
    set(second, \"up\", true);
    gives(me, [3, 1, 2, 0, 2, 1]);
    tally(first, \"hits\", 2);
    first.hits += 3;
    gives(me, [3, 1, 2, 5, 2, 1]);
    move_card(cards(stock)[0], stock, out);
    gives(me, [3, 1, 2, 5, 1, 1]);
    place(first, cell_named(\"d1\"));
    lift(second);
    remove(cell_named(\"c1\"));
    gives(me, [1, 1, 2, 5, 1, 0]);
    win(me);
}
";
    passes(board(rules), "  expect winner red\n");
}

/// A run depends on what the functions that it called have read, remembered or not, and another run of the same function on
/// other parts of the state.
#[test]
fn a_result_depends_on_what_its_run_has_read() {
    let rules = "fn raised() { let found = 0; for man in pieces(\"man\") { if man.up { found += 1; } } found }
fn depth(deep) { if deep { raised() } else { 7 } }
fn outer(deep) { let sum = 0; for n in 0..2 { sum += depth(deep); } sum }
fn around_it(man) { if is_off(man) { [] } else { in_order(around(one(cell(man)))) } }
fn gives(found, wanted) { if found != wanted { throw `found ${found} for ${wanted}`; } }
fn turn(me) {
    let first = piece(\"man 1\");
    for again in 1..=3 { gives([outer(false), outer(true), around_it(first).len], [14, 0, 0]); }
    first.up = true;
    for again in 1..=3 { gives([outer(false), outer(true), around_it(first).len], [14, 2, 0]); }
    first.up = true;
    place(first, cell_named(\"a1\"));
    for again in 1..=3 { gives([outer(true), outer(false), around_it(first).len], [2, 14, 1]); }
    place(first, cell_named(\"b1\"));
    first.up = false;
    for again in 1..=3 { gives([outer(true), outer(false), around_it(first).len], [0, 14, 2]); }
    win(me);
}
";
    passes(board(rules), "  expect winner red\n");
}

/// A function may call a function value, which may change anything: such a run is made each time, and so is one of a
/// function around it.
#[test]
fn a_run_that_calls_a_function_value_is_made_each_time() {
    let rules = "fn named(n) { if n > 1 { [\"raise\"] } else { [] } }
fn raise(n) { game.k += n; }
fn all_of(n) { for name in named(n) { Fn(name).call(n); } }
fn outer(n) { for again in 0..2 { all_of(n); } 1 }
fn turn(me) {
    for n in [1, 1, 2, 1, 2, 3] { me.score += outer(n); }
    win(me);
}
";
    passes(game("counter k = 0\n", rules), "  expect red.score = 6\n  expect game.k = 14\n");
}

/// A recalled run applies the clauses of the run that it stands for, those of functions in it, too.
#[test]
fn clauses_of_a_recalled_run_are_applied_each_time() {
    let rules = "fn counted(n) {
    clause(\"C1\");
    let sum = 0;
    for i in 0..n { sum += i; }
    sum
}
fn twice(n) { counted(n) + counted(n) }
fn turn(me) {
    let given = choose(me, \"give\", [3]);
    me.score = twice(given) + twice(given) + counted(given);
    win(me);
}
";
    let ran = board(rules).run(&["simulate", "sums", "-n", "3", "--seed", "1", "--format", "json"]);
    assert!(ran.all().contains("\"clauses\":[{\"clause\":\"C1\",\"times\":15,\"games\":3}]"), "{}", ran.all());
}

/// A list that a function returns is a new one each time, though it is remembered.
#[test]
fn a_remembered_list_does_not_change_with_its_copies() {
    let rules = "fn men() { pieces(\"man\").filter(|man| is_off(man)) }
fn turn(me) {
    for again in 1..=4 {
        let found = men();
        if found.len != 3 { throw \"a copy changed\"; }
        found.push(4);
        found[0] = 5;
    }
    place(piece(\"man 3\"), cell_named(\"a1\"));
    if men().len != 2 { throw \"a change was missed\"; }
    win(me);
}
";
    passes(board(rules), "  expect winner red\n");
}
