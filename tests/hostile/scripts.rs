//! Rules that do not end, that grow, that nest, that swallow.

use super::{GAME, TURN, host, told};

const TOO_LONG: &str = "the rules run too long without asking anything";

/// The words for a turn with this body.
fn turn(body: &str) -> String {
    rules(&format!("fn turn(me) {{ {body} }}"))
}

fn rules(rules: &str) -> String {
    told(&host(rules, TURN))
}

#[track_caller]
fn says(told: &str, words: &str) {
    assert!(told.contains(words), "{words:?} is not in\n{told}");
}

#[test]
fn endless_loops() {
    for body in [
        "loop {}",
        "loop { try { loop {} } catch {} }",
        "while true {}",
        "for i in 0..9223372036854775807 { let x = i; }",
        "let f = || { for j in 0..9000 { me.score = j; } }; loop { f.call(); }",
    ] {
        says(&turn(body), TOO_LONG);
    }
}

#[test]
fn work_in_callbacks_counts() {
    for body in [
        "let a = [0]; loop { a.for_each(|| { for j in 0..9000 { me.score = j; } }); }",
        "let a = [3, 2, 1]; loop { a.sort(|x, y| { let n = 0; while n < 1000 { n += 1; } y - x }); }",
        "let a = []; a.pad(10000, 1); loop { let b = a.map(|x| x + 1); }",
        "let a = []; a.pad(100, 1); let r = 0; loop { r = a.reduce(|sum, x| { loop {} }, 0); }",
    ] {
        says(&turn(body), TOO_LONG);
    }
}

#[test]
fn a_comparer_that_swallows_the_end() {
    let told =
        turn("let a = [3, 2, 1]; try { a.sort(|x, y| { loop {} }); } catch {} me.score = 7; event(\"counted\", 7);");
    says(&told, TOO_LONG);
    assert!(!told.contains("> counted"), "{told}");
}

#[test]
fn work_on_the_way_to_an_ask_counts_in_every_phase() {
    says(
        &rules(
            "fn turn(me) { then(\"more\", 0); } fn more(n) { let i = 0; while i < 10000 { i += 1; } then(\"more\", n + 1); }",
        ),
        TOO_LONG,
    );
    says(
        &rules(
            "fn turn(me) { then(\"more\", 0); then(\"more\", 0); } fn more(n) { then(\"more\", n); then(\"more\", n); }",
        ),
        "without asking",
    );
}

#[test]
fn an_answer_begins_a_new_count() {
    let rules = "fn turn(me) { for i in 0..3 { let n = 0; while n < 600000 { n += 1; } roll(\"d\"); } }";
    let told = told(&host(rules, &format!("{TURN}  roll 1\n  roll 2\n  roll 3\n")));
    assert!(told.contains("1 passed"), "{told}");
}

#[test]
fn recursion() {
    let deep = "call one another too deeply";
    says(&rules("fn turn(me) { turn(me) }"), deep);
    says(&rules("fn turn(me) { [0].for_each(|| turn(me)); }"), deep);
    says(&rules("fn turn(me) { if true { for i in 0..1 { let x = 1 + (2 * (3 + turn(me))); } } 1 }"), deep);
    says(&rules("fn turn(me) { f(); } fn f() { try { f(); } catch {} try { f(); } catch {} }"), deep);
    let nest = format!("{}f(){}", "(1 + ".repeat(15), ")".repeat(15));
    says(&rules(&format!("fn turn(me) {{ f(); }} fn f() {{ [0].map(|x| {nest}); 1 }}")), deep);
}

#[test]
fn lists_and_texts_that_grow() {
    for body in [
        "let a = [1]; loop { a += a; }",
        "let a = [1]; loop { a = [a, a]; }",
        "let a = []; loop { a.push(a); }",
        "let a = []; loop { a.push(1); }",
        "let s = \"xxxxxxxx\"; loop { s += s; }",
        "let s = \"x\"; s.pad(9000, \"x\"); let t = s; loop { t.replace(\"x\", s); }",
        "let s = \"x\"; loop { s = `${s}${s}`; }",
        "let a = []; a.pad(1 << 40, 0);",
        "let a = []; a.pad(9000, \"abcdefgh\"); let s = `${a}`;",
        "let s = \"\"; s.pad(1 << 40, \"x\");",
        "let s = \"a\"; s.pad(9999, \"a\"); let m = #{}; for i in 0..9000 { m[i.to_string()] = s + i; }",
        "let a = [[]]; loop { a[0] = [a, a]; }",
        "[0].for_each(|| { let a = [1]; loop { a = a + a; } });",
    ] {
        says(&turn(body), "too_large");
    }
    says(&turn("let a = [1]; loop { a += a; }"), "a list grows beyond 10000 values, including nested lists");
    says(&turn("let s = \"x\"; loop { s += s; }"), "a string grows longer than 10000 bytes");
    says(&turn("let m = #{}; let i = 0; loop { m[`k${i}`] = i; i += 1; }"), "a map grows beyond 10000 values");
    says(&turn("let m = #{ a: [], b: 0 }; loop { m.a.push(1); m.b = 2; }"), "a map grows beyond 10000 values");
    says(
        &turn("let a = [[], []]; loop { a[0].push(1); a[1].push(1); a[1][0] = 2; }"),
        "a list grows beyond 10000 values",
    );
    says(&turn("let a = [[[1]]]; let b = []; b.pad(9999, 1); a[0][0][0] = b; a[0][0][0] = [b, b];"), "too_large");
}

#[test]
fn what_one_call_does_is_counted() {
    for body in [
        "let a = []; for n in 0..9000 { a.push(n); } loop { me.marks = a; }",
        // Every closure holds a list of its own.
        "let a = []; loop { let big = []; big.pad(9000, 0); a.push(|| big); }",
        "let f = Fn(\"max\"); loop { f = f.curry(f); }",
        "let a = []; a.pad(9999, 1); loop { let b = a.index_of(2); }",
        "let a = []; a.pad(9999, 1); loop { let b = sum(a); }",
        "let a = []; a.pad(9999, 1); loop { let b = a == a; }",
        "let a = []; a.pad(9999, 1); loop { let b = 2 in a; }",
        "let a = []; a.pad(9999, 1); loop { a.reverse(); }",
        "let a = []; a.pad(9999, 1); loop { a.insert(0, 1); a.remove(0); }",
        "let a = []; a.pad(9999, 1); loop { a.sort(); }",
        "let s = \"x\"; s.pad(9999, \"x\"); loop { let t = s.len(); }",
        "let s = \"x\"; s.pad(9999, \"x\"); loop { let t = s[9998]; }",
        "let s = \"x\"; s.pad(9000, \"x\"); loop { let t = s.split(\"\"); }",
        "let s = \"x\"; s.pad(9999, \"x\"); loop { let t = s.contains(\"y\"); }",
        "let s = \"x\"; s.pad(9999, \"x\"); let t = s + \"y\"; loop { let u = s == t; }",
        "let m = #{}; for i in 0..9999 { m[`${i}`] = i; } loop { let k = m.keys(); }",
    ] {
        says(&turn(body), TOO_LONG);
    }
}

#[test]
fn a_text_padded_with_nothing() {
    let told = turn("let title = \"a\"; title.pad(5, \"\"); roll(\"d\");");
    says(&told, "`pad` needs something to add: the string is empty");
    // Nothing has to be added.
    says(&turn("let title = \"abcde\"; title.pad(5, \"\"); roll(\"d\");"), "1 passed");
}

#[test]
fn lists_in_lists_in_lists() {
    let nest = "let a = []; for i in 0..800 { a = [a]; } let b = []; for i in 0..800 { b = [b]; }";
    for body in [
        "let c = a == b;",
        "let c = `${a}`;",
        "let c = a.to_string();",
        "let c = a.contains(b);",
        "let c = a + b;",
        "then(\"turn\", a);",
        "throw a;",
        "me.notes = a;",
        "choose(me, \"pick\", a);",
        "let c = #{a: a}; c.to_json();",
        "let c = a.index_of(b);",
        "let c = a; c.dedup();",
        "let c = [a, b]; c.dedup();",
        "print(a); debug(a);",
        "a in b;",
        "switch a { 1 => 2 }",
    ] {
        let told = turn(&format!("{nest} {body} roll(\"d\");"));
        assert!(!told.is_empty());
    }
}

#[test]
fn closures_that_hold_themselves() {
    let told = turn("for i in 0..1000 { let x = 0; let f = |q| x; x = f; } roll(\"d\");");
    says(&told, "1 passed");
}

#[test]
fn shared_values_within_lists() {
    for body in [
        "let x = [1]; let f = || x; let a = [x]; a.push(x); a += [x]; x.push(a); x.push(x); let b = a + x;",
        "let x = [1]; let f = || x.push(2); let m = #{a: x}; m.b = x; m.c = m; f.call(); x[0] = x; x[0] = m;",
        "let x = [1]; let f = |a| { x += a; a }; let y = [x, x].map(f); y.push(x); y.filter(|z| { x = z; true }); let c = `${y}`;",
        "let m = #{}; let f = || m; m.m = m; m.x = [m, m]; m += m; let a = [m]; for z in a { z.q = m; a.push(z); }",
        "let x = [[1]]; let f = || { x[0] = x; x[0].push(x); x }; let y = f.call(); y.insert(0, x); y.splice(0..1, x); y.zip(x, |a, b| x);",
    ] {
        let told = turn(&format!("{body} roll(\"d\");"));
        assert!(!told.is_empty());
    }
}

#[test]
fn constants_at_the_top_level() {
    let with = |constant: &str| rules(&format!("const X = {constant};\nfn turn(me) {{ roll(\"d\"); }}"));
    says(&with("{ loop {} }"), TOO_LONG);
    says(&with("{ let a = [1]; loop { a = [a, a]; } }"), "too_large");
    says(&with("[1, 2].map(|x| { loop {} })"), TOO_LONG);
    says(&with("roll(\"d\")"), "only while a game is played");
    assert!(!with(&format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000))).is_empty());
    assert!(!with(&format!("{}1{}", "[".repeat(30), "]".repeat(30))).is_empty());
    assert!(!with(&format!("\"{}\"", "x".repeat(900_000))).is_empty());
    assert!(!with(&"9".repeat(100_000)).is_empty());
}

#[test]
fn what_rules_cannot_do() {
    for call in ["sleep(1000000)", "exit()", "eval(\"1\")", "import \"x\" as x", "timestamp()", "parse_json(\"[1]\")"] {
        let told = turn(&format!("{call};"));
        assert!(told.contains("referee::") && told.contains("0 passed"), "{call}: {told}");
    }
    says(&turn("let f = Fn(\"sle\" + \"ep\"); f.call(1000000);"), "referee::");
}

#[test]
fn events_phases_and_choices_without_end() {
    says(&turn("loop { event(\"counted\", 1); }"), "keep too much");
    says(&turn("loop { then(\"turn\", me); }"), "keep too much");
    says(&turn("let a = []; a.pad(9000, 0); loop { then(\"turn\", a); }"), "keep too much");
    // A long string has a larger weight than a number, in every way of keeping it.
    let long = "x".repeat(250);
    let game = format!("{GAME}event PLAYER tells TEXT\n");
    let rules = format!("fn turn(me) {{ for at in 0..200000 {{ event(\"tells\", me, \"{long}\"); }} roll(\"d\"); }}");
    let host_with_text = host(&rules, TURN).with("games/attack/attack.game", game);
    says(&told(&host_with_text), "keep too much");
    let rules = "fn turn(me) { loop { choose_then(me, \"pick\", 0..9999, \"more\"); } } fn more(me, number) {}";
    says(&told(&host(rules, TURN)), "keep too much");
    says(&turn("choose(me, \"pick\", 0..9223372036854775807);"), "a range of options");
    says(&turn("choose(me, \"pick\", -9223372036854775807..=9223372036854775807);"), "a range of options");
}

#[test]
fn reasons_and_expressions() {
    let rules = "fn turn(me) { choose(me, \"pick\", [1]); } fn why_not(me, act) { loop {} } fn deep() { deep() }";
    let ask = |line: &str| told(&host(rules, &format!("{TURN}  {line}\n")));
    says(&ask("refuse red pick 2 because \"no\""), TOO_LONG);
    says(&ask("expect { loop {} }"), TOO_LONG);
    says(&ask("expect { deep() }"), "too deeply");
    says(&ask("expect { let a = [1]; loop { a = [a, a]; } }"), "too_large");
    says(&ask("always { [1].all(|x| { loop {} }) }"), TOO_LONG);
    says(&ask("expect { roll(\"d\") == 1 }"), "asks are not possible here");
}

#[test]
fn positions_noted_at_every_event() {
    let rules = "fn turn(me) { loop { event(\"counted\", 1); } }";
    says(&told(&host(rules, &format!("{TURN}  always each event {{ players().len > 0 }}\n"))), "keep too much");
    let rules = "fn turn(me) { let a = []; a.pad(9000, 0); then(\"more\", a); } fn more(a) { then(\"more\", a); }";
    says(&told(&host(rules, &format!("{TURN}  always {{ players().len > 0 }}\n"))), "too many positions");
}

/// The engine takes a time that grows with the square of the cases.
#[test]
fn a_switch_of_very_many_cases() {
    let cases = |count: usize| -> String { (0..count).map(|at| format!("{at} => {at},\n")).collect() };
    let rules = |count| format!("fn turn(me) {{ let x = switch roll(\"d\") {{\n{}_ => 0 }}; }}", cases(count));
    says(&told(&host(&rules(50_000), TURN)), "at most 5000 cases");
    says(&told(&host(&rules(100), TURN)), "1 passed");
}

#[test]
fn house_rules() {
    let game = |house: &str| {
        let scenario = "use attack\nscenario \"It\"\n  with house \"h\"\n  place red at a1\n  turn red\n".to_owned();
        told(&host("fn turn(me) { roll(\"d\"); }", &scenario).with("games/attack/house/h.rhai", house))
    };
    says(&game("fn turn(me) { loop {} }"), TOO_LONG);
    says(&game("fn turn(me) { base_turn(me); turn(me); }"), "1 passed");
    says(&game("fn turn(me) { turn(me); }"), "calls itself");
    says(&game("fn turn(me) { turn(after(me)); }"), "too deeply");
    says(&game("const OPTIONS = { loop {} };"), TOO_LONG);
}
