//! Rules that are made up at random, run as compiled code and by the interpreter: both come to the same, to the last word.

mod both;
mod shrink;
mod writer;

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use both::{Made, difference};

/// The most bytes that make up a script.
const BYTES: usize = 4_000;
/// How many scripts are always compared.
const SCRIPTS: u64 = 120;

/// The rules of a seed.
fn rules(seed: u64) -> String {
    let mut bytes = vec![0; BYTES];
    ChaCha8Rng::seed_from_u64(seed).fill_bytes(&mut bytes);
    writer::write(&bytes)
}

/// How both ways differ for some rules; nothing if they do not, or if these are no rules.
fn differs(text: &str) -> Option<String> {
    let made = Made::load(text).ok()?;
    difference(&made.run(false), &made.run(true))
}

/// What was met.
#[derive(Debug, Default)]
struct Met {
    scripts: u64,
    phases: u64,
    without_error: u64,
    codes: BTreeMap<&'static str, u64>,
    words: BTreeMap<&'static str, u64>,
    functions: usize,
    left_to_interpreter: usize, t: [f64; 3],
}

/// What a script may hold, and the words by which it is known.
const FORMS: &[(&str, &str)] = &[
    ("switch", "switch "),
];

/// Compare the rules of these seeds; the first difference is shrunk and told.
fn compare(seeds: impl IntoIterator<Item = u64>) -> Met {
    let mut met = Met::default();
    for seed in seeds {
        let text = rules(seed);
        let t = std::time::Instant::now();
        let made = match Made::load(&text) {
            Ok(made) => made,
            Err(wrong) => {
                if std::env::var_os("SHOW").is_some() { println!("{seed}: {:?}", wrong.iter().take(1).map(|w| (w.message.clone(), w.labels.first().map(|l| { let p = l.source.line(l.span.start); l.source.text().lines().nth(p - 1).unwrap_or("").to_owned() }))).collect::<Vec<_>>()); }
                *met.codes.entry("does not load").or_default() += 1;
                continue;
            }
        };
        met.t[0] += t.elapsed().as_secs_f64();
        let code = made.run(false);  met.t[1] += t.elapsed().as_secs_f64();
 let interpreted = made.run(true); met.t[2] += t.elapsed().as_secs_f64(); met.functions += text.len();
        if difference(&code, &interpreted).is_some() {
            let small = shrink::shrink(&text, |text| differs(text).is_some());
            panic!("seed {seed}\n{small}\n{}", differs(&small).unwrap_or_default());
        }
        met.scripts += 1;
        met.functions += text.matches("\nfn ").count();
        met.left_to_interpreter += made.left_to_interpreter();
        for told in &interpreted {
            met.phases += 1;
            met.without_error += u64::from(told.code.is_none());
            if let Some(code) = told.code {
                *met.codes.entry(code).or_default() += 1;
                if std::env::var_os("SHOW").is_some() { println!("{seed}: {}", told.end.replace("\n", " ")); }
            }
        }
        for (form, words) in FORMS {
            *met.words.entry(form).or_default() += u64::from(text.contains(words));
        }
    }
    met
}

#[test]
fn made_up_rules() {
    let met = compare(0..SCRIPTS);
    println!("{met:#?}");
}
