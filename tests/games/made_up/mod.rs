//! Random rules, run by the machine and by the interpreter, must have exactly the same results.

mod both;
mod shrink;
mod writer;

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

use both::{By, Compared, Made, PANIC, difference};
use referee_rules::Engine;
use shrink::shrink;

/// The most bytes that make up a script.
const BYTES: usize = 4_000;
/// How many scripts are always compared.
const SCRIPTS: u64 = 150;
/// How many are compared if the environment variable `MADE_UP` says nothing else.
const MANY: u64 = 2_000;

/// What scripts hold, the words by which it is known, and in how many of a hundred scripts it is at least.
const FORMS: &[(&str, &[&str], u64)] = &[
    ("switch", &["switch "], 60),
    ("a switch with a range", &["..4 =>", "..=6 =>", "..0 =>"], 10),
    ("a switch with several values", &["1 | 2 =>", "4 | 5 | 6 =>", "1 | 2 if ", "4 | 5 | 6 if "], 10),
    ("a switch with a condition", &["0 if ", "1 if ", "2 if ", "3 if ", "\"a\" if ", "true if "], 10),
    ("a switch with a value", &[" = switch "], 10),
    ("a closure", &["|x"], 80),
    ("a look at a position", &["if_made("], 10),
    ("a closure that changes what it captures", &["% 9; v"], 20),
    ("a function's name as a value", &["Fn(\"f", "Fn(\"down", "Fn(\"twice"], 30),
    ("a call of a value", &[".call("], 50),
    ("a curried function", &[".curry("], 20),
    ("this", &["this"], 50),
    (
        "a method of the script on an element",
        &["[0].g", "[-1].g", "[0].raise(", "[0].grow(", ".a.raise(", ".c.grow("],
        8,
    ),
    ("an interpolated text", &["`${", " ${"], 40),
    ("an element that changes", &["[0] +=", "[-1] +=", "len] +=", "[0][0] +="], 20),
    ("an element of a field that changes", &["].d.a +=", "].c +=", ".c[-1] +=", ".c[0] +="], 20),
    ("a field that changes", &[".d.a *=", ".d.a +=", ".a +="], 40),
    ("a counter that changes", &["me.sum +=", "me.sum -=", "me.sum *=", "red.sum +="], 30),
    ("a property that changes", &["me.trail =", "me.trail +=", "me.trail.push("], 30),
    ("an element of a property", &["me.trail[0] =", "me.trail[-1] +="], 3),
    ("what may be missing", &["?.", "?["], 15),
    ("a value in place of a missing one", &[" ?? "], 50),
    ("in", &[" in v", " in [", " !in "], 30),
    ("while", &["while w"], 15),
    ("a loop with a value", &["= loop {"], 15),
    ("do until", &["} until "], 5),
    ("do while", &["} while "], 5),
    ("a loop that counts", &["for (v", "for (x"], 20),
    ("continue", &["continue;"], 15),
    ("break", &["break;"], 30),
    ("an early return", &["{ return "], 40),
    ("try", &["} catch (e"], 30),
    ("a constant in a function", &["    const "], 20),
    ("recursion", &["down"], 15),
    ("an ask", &["roll()", "choose("], 35),
    ("an event", &["event("], 25),
    ("a clause", &["clause("], 10),
    ("a phase to come", &["then("], 4),
];

/// Errors, and how many there are at least in a hundred scripts.
const CODES: &[(&str, u64)] = &[("wrong_values", 10), ("rules", 10), ("unknown_property", 1), ("too_deep", 1)];

/// The rules of a seed.
fn rules(seed: u64) -> String {
    let mut bytes = vec![0; BYTES];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
    writer::write(&bytes)
}

/// How both ways differ for some rules; nothing if they do not, or if these are no rules.
fn differs(text: &str) -> Option<String> {
    let made = Made::load(text).ok()?;
    let told = made.run(By::Machine);
    difference(&told, &made.run(By::Interpreter)).or_else(|| difference(&made.run(By::Pauses), &told))
}

/// What was met.
#[derive(Debug, Default)]
struct DecisionsSeen {
    scripts: u64,
    /// Scripts that are no rules, with the first reason.
    refused: Vec<String>,
    /// Seeds of scripts for which the interpreter panics, as Rhai does at a few forms.
    panics: Vec<u64>,
    phases: u64,
    without_error: u64,
    /// Phases by their ends, faults by their codes.
    ends: BTreeMap<String, u64>,
    forms: BTreeMap<&'static str, u64>,
}

impl DecisionsSeen {
    fn note(&mut self, text: &str, outcome: &both::Outcome) {
        self.scripts += 1;
        for told in outcome {
            self.phases += 1;
            self.without_error += u64::from(told.code.is_none());
            let end = told.code.unwrap_or_else(|| told.end.split('(').next().unwrap_or_default());
            *self.ends.entry(end.to_owned()).or_default() += 1;
        }
        for (form, words, _) in FORMS {
            let met =
                words.iter().any(|word| text.split_once("fn turn(me)").is_some_and(|(_, made)| made.contains(word)));
            *self.forms.entry(form).or_default() += u64::from(met);
        }
    }

    /// Everything was met, and most phases ran to their end.
    fn is_varied(&self) {
        let hundreds = |count: u64| count * 100 / self.scripts.max(1);
        for (form, _, least) in FORMS {
            let met = hundreds(self.forms[form]);
            assert!(met >= *least, "{form}: only in {met} of 100 scripts, {self:#?}");
        }
        for (code, least) in CODES {
            let met = hundreds(self.ends.get(*code).copied().unwrap_or_default());
            assert!(met >= *least, "{code}: only {met} in 100 scripts, {self:#?}");
        }
        for end in ["Over", "Paused", "Refused", "too_large"] {
            assert!(self.ends.contains_key(end), "{end}: {self:#?}");
        }
        let most = self.without_error * 100 / self.phases.max(1);
        assert!((75..=95).contains(&most), "{most} of 100 phases run without an error, {self:#?}");
        assert!(self.panics.len() as u64 * 100 < self.scripts, "the interpreter panics too often, {self:#?}");
        assert!(self.refused.len() as u64 * 100 < self.scripts * 25, "too many scripts are refused, {self:#?}");
    }
}

/// Compares the rules of these seeds, and reports the first difference with a reduced script. With the environment
/// variable `MADE_UP_ALL`, reports all differences without reduction.
fn compare(seeds: impl IntoIterator<Item = u64>) -> DecisionsSeen {
    let mut met = DecisionsSeen::default();
    for seed in seeds {
        let text = rules(seed);
        let made = match Made::load(&text) {
            Ok(made) => made,
            Err(wrong) => {
                met.refused.extend(wrong.first().map(|wrong| format!("seed {seed}: {}", both::fault(wrong))));
                continue;
            }
        };
        let interpreted = made.run(By::Interpreter);
        let found = differs(&text);
        if let Some(words) = found.as_ref().filter(|_| std::env::var_os("MADE_UP_ALL").is_some()) {
            println!("seed {seed}: {words}\n{text}");
            continue;
        }
        let wrong = found.map(|_| {
            let small = shrink(&text, |text| differs(text).is_some());
            format!("seed {seed}: both ways differ for these rules\n{small}\n{}", differs(&small).unwrap_or_default())
        });
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        if interpreted.iter().any(|told| told.code == Some(PANIC)) {
            met.panics.push(seed);
        }
        met.note(&text, &interpreted);
    }
    met
}

#[test]
fn made_up_rules() {
    compare(0..SCRIPTS).is_varied();
}

/// Compares compiled rules with the machine for the rules of these seeds.
fn compare_compiled(seeds: impl IntoIterator<Item = u64>) {
    let (mut phases, mut given_up) = (0, 0);
    let ways: [fn(&Made, Engine) -> Compared; 2] = [Made::compare_compiled, Made::compare_counting];
    for seed in seeds {
        let text = rules(seed);
        let Ok(made) = Made::load(&text) else { continue };
        for (engine, compare) in Engine::ALL.iter().flat_map(|engine| ways.map(|compare| (*engine, compare))) {
            let compared = compare(&made, engine);
            let told = compared.difference.map(|words| {
                let found = |text: &str| Made::load(text).ok().and_then(|made| compare(&made, engine).difference);
                let small = shrink(&text, |text| found(text).is_some());
                let of_small = found(&small);
                format!("seed {seed}, {}: {small}\n{}", engine.name(), of_small.unwrap_or(words))
            });
            assert_eq!(told, None);
            phases += compared.phases;
            given_up += compared.given_up;
        }
    }
    println!("{given_up} of {phases} phases given up");
    // Errors, and asks without an answer, are those of the machine.
    assert!(given_up * 100 < phases * 50, "{given_up} of {phases} phases were given up");
}

#[test]
fn made_up_rules_compiled() {
    compare_compiled(0..SCRIPTS);
}

#[test]
#[ignore = "takes minutes"]
fn many_made_up_rules_compiled() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("MADE_UP_FROM").unwrap_or(SCRIPTS);
    compare_compiled(first..first + number("MADE_UP").unwrap_or(MANY));
}

/// Many more; `MADE_UP=10000` says how many, and `MADE_UP_FROM=5000000` their first seed.
#[test]
#[ignore = "takes minutes"]
fn many_made_up_rules() {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let first = number("MADE_UP_FROM").unwrap_or(SCRIPTS);
    let met = compare(first..first + number("MADE_UP").unwrap_or(MANY));
    println!("{met:#?}");
    met.is_varied();
}

/// The rules of one seed, which the environment variable `MADE_UP_SEED` names.
#[test]
#[ignore = "needs a seed"]
fn one_seed() {
    let seed = std::env::var("MADE_UP_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    compare([seed]);
}

/// What a condition is that is always the same is counted, by the machine and by compiled rules. The first function has kinds
/// that are not found, so that all are unknown and the second one is compiled.
#[test]
fn conditions_that_are_always_the_same_are_counted() {
    let rules = r#"
fn later(me, n) { me.sum = n; }
fn turn(me) { 0; }
fn first(v, w) {
    for n in [] {
        for x in [n, { then("later", 0, n % 10); n <<= 1; n &= 1023; 0 }] { n += x % 10; }
    }
}
fn second(me) {
    let all = [];
    for card in cards(hand(if false { red } else { blue })) { all.push(card); }
    if 1 < 2 && true { all.len() } else { 0 }
}
fn play0(me) { }
fn play1(me) { let got = second(me); }
"#;
    let made = Made::load(rules).unwrap_or_else(|wrong| unreachable!("{wrong:?}"));
    for engine in Engine::ALL {
        assert_eq!(made.compare_counting(*engine).difference, None, "{}", engine.name());
    }
}

/// Any bytes must make rules that terminate.
#[test]
fn rules_of_few_bytes() {
    for byte in (0..=255).step_by(15) {
        for count in [0, 1, 50, 400] {
            let text = writer::write(&vec![byte; count]);
            let made =
                Made::load(&text).unwrap_or_else(|wrong| unreachable!("{count} times {byte}: {wrong:?}\n{text}"));
            assert_eq!(difference(&made.run(By::Machine), &made.run(By::Interpreter)), None, "{text}");
        }
    }
}

/// A script with a difference is reduced: irrelevant parts are removed.
#[test]
fn smaller_rules() {
    let closed = |text: &str| {
        let count = |sign: char| text.chars().filter(|letter| *letter == sign).count();
        count('{') == count('}') && count('(') == count(')') && count('[') == count(']')
    };
    let text = (0..).map(rules).find(|text| text.contains(".order(")).unwrap_or_default();
    let small = shrink(&text, |text| closed(text) && text.contains(".order("));
    assert!(small.lines().count() < 3 && small.len() < 200, "{small}");
}
