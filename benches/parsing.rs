//! Measures how fast scenarios are parsed to lines, in bytes per second on one core.

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::BytesCount;
use referee_source::Source;
use referee_syntax::{FileKind, parse};

/// Returns about a megabyte of scenarios in the style of the examples for the language.
fn scenarios() -> String {
    let mut text = String::from("use squish-board simple\n");
    let mut number = 0;
    while text.len() < 1 << 20 {
        number += 1;
        let (column, row, die) = (char::from(b'a' + (number % 16) as u8), number % 15 + 1, number % 6 + 1);
        let scenario = format!(
            r#"
scenario "Direction {die} for {row}: a squish and two bounces ({number})"
  cites "Examples of Block Movement, {number}"
  covers B{die} M{row}                          # clauses of RULES.md
  board 9x4
    | . . . . . L L L .
    | . . . . . L L L .
    | . . . . . L L L r
    | g . . . . . . . .
  place large at {column}{row}, red at e{row}
  turn green
  roll direction {die}, distance {row}
  green walk to {column}{row}
  refuse red walk to h{row} because "too far"
  expect red squished
  expect large at {column}{row}
  expect {{ count("red") < {number} }}
  expect events
    > large moves NE to {column}{row}
    > red squished
"#
        );
        let _ = text.write_str(&scenario);
    }
    text
}

fn main() {
    divan::main();
}

#[divan::bench(sample_size = 1)]
fn parse_scenarios(bencher: Bencher<'_, '_>) {
    let source = Arc::new(Source::new("bench.scenario", scenarios()));
    let (file, mistakes) = parse(&source, FileKind::Scenario);
    assert!(mistakes.is_empty() && file.lines.len() > 10_000, "{mistakes:?}");
    let text = bencher.counter(BytesCount::of_str(source.text()));
    text.bench_local(|| parse(black_box(&source), FileKind::Scenario));
}
