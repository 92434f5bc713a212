//! The file that benches judge: a thousand different rolls of Squish! on the full board, with all their events.

use std::fmt::Write;
use std::path::Path;

use referee_scenario::{Loader, LoaderOptions};
use referee_source::MemoryHost;

/// The number of scenarios in the file.
pub(crate) const MANY: usize = 1000;

/// Returns a loader for a host, with the built-in games.
pub(crate) fn loader(host: &MemoryHost) -> Loader<'_> {
    Loader::new(host, LoaderOptions { working_folder: "/".into(), ..LoaderOptions::default() })
}

/// Returns the file. Every scenario has a position, one roll, and all events and the final position as expectations.
pub(crate) fn many_rolls() -> String {
    let bare: Vec<String> = (0..MANY).map(roll).collect();
    let host = MemoryHost::default().with("/bare.scenario", bare.concat());
    let mut loader = loader(&host);
    let suite = referee_scenario::plan(&mut loader, Path::new("/bare.scenario"));
    assert!(suite.problems.is_empty(), "{:?}", suite.problems.first());
    let mut text = String::new();
    for (at, scenario) in bare.iter().enumerate() {
        let scenes = referee_scenario::scenes(&mut loader, &suite, at).0;
        let Some(last) = scenes.last() else { continue };
        text.push_str(scenario);
        text.push_str("  expect events exactly\n");
        for event in scenes.iter().flat_map(|scene| &scene.events) {
            let _ = writeln!(text, "    > {event}");
        }
        text.push_str("  expect board\n");
        for row in &last.board.rows {
            let cells: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).collect();
            let _ = writeln!(text, "    | {}", cells.join(" "));
        }
        text.push('\n');
    }
    text
}

/// Returns a scenario without expectations; three in four are of the advanced game.
fn roll(number: usize) -> String {
    let mut chance = Chance(number as u64 + 1);
    let mut rows = vec![['.'; 16]; 16];
    let simple = number.is_multiple_of(4);
    if simple {
        cover(&mut rows, (chance.below(9), chance.below(9)), 8, 'L');
    } else {
        for (corner, symbol) in [(0, 0), (8, 0), (0, 8), (8, 8)].into_iter().zip('1'..) {
            cover(&mut rows, (corner.0 + chance.below(5), corner.1 + chance.below(5)), 4, symbol);
        }
    }
    for symbol in ['r', 'g', 'b', 'y'] {
        let (column, row) = (chance.below(16), chance.below(16));
        if let Some(cell) = rows.get_mut(row).and_then(|row| row.get_mut(column)).filter(|cell| **cell == '.') {
            *cell = symbol;
        }
    }
    let variant = if simple { "simple" } else { "advanced" };
    let (direction, distance, block) = (chance.below(8) + 1, chance.below(6) + 1, chance.below(4) + 1);
    let die = if simple { String::new() } else { format!(", block {block}") };
    let mut text = format!("use squish-board {variant}\n\nscenario \"Roll {number}\"\n  board 16x16\n");
    for row in rows {
        let _ = writeln!(text, "    | {}", row.map(String::from).join(" "));
    }
    if !simple {
        text.push_str("  set red.home h1\n  set green.home h16\n");
    }
    let _ = writeln!(text, "\n  turn red\n  roll direction {direction}, distance {distance}{die}");
    text
}

fn cover(rows: &mut [[char; 16]], (column, row): (usize, usize), size: usize, symbol: char) {
    for cells in rows.iter_mut().skip(row).take(size) {
        cells.iter_mut().skip(column).take(size).for_each(|cell| *cell = symbol);
    }
}

/// A pseudo-random generator with the same numbers in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).unwrap_or(0);
        high.checked_rem(bound).unwrap_or(0)
    }
}
