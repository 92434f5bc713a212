//! A roll seen in a mirror is the roll of the mirrored position.
//!
//! Compared are the position afterwards, the shards, and the events in their order; only where one step of a block
//! pushes several lines of markers, and where several markers return after one another, the order among these is left
//! out: it is row by row from the left and by colours, and a mirror changes the one and not the other. For the same
//! reason no two markers share a start square here.

use std::collections::BTreeSet;

use proptest::prelude::prop_assert_eq;

use super::cases::check;
use super::squish_deal::{Deal, deals};
use super::squish_engine::Squish;
use super::squish_oracle::{Square, Table};

const WORDS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// How a board is turned over.
#[derive(Clone, Copy, Debug)]
enum Mirror {
    LeftRight,
    UpDown,
    /// Columns for rows.
    Transpose,
}

const MIRRORS: [Mirror; 3] = [Mirror::LeftRight, Mirror::UpDown, Mirror::Transpose];

impl Mirror {
    /// Where the top left square of something of this size comes to be.
    fn square(self, table: &Table, (col, row): Square, size: i32) -> Square {
        match self {
            Self::LeftRight => (table.width - size - col, row),
            Self::UpDown => (col, table.height - size - row),
            Self::Transpose => (row, col),
        }
    }

    /// A direction, from 1, in the mirror.
    fn direction(self, direction: usize) -> usize {
        // Clockwise becomes anticlockwise about an axis, which this sum of a direction and its image tells.
        let sum = match self {
            Self::LeftRight => 10,
            Self::UpDown => 14,
            Self::Transpose => 16,
        };
        if direction == 0 { 0 } else { (sum - direction - 1) % 8 + 1 }
    }

    fn table(self, table: &Table) -> Table {
        let mut mirrored = table.clone();
        if matches!(self, Self::Transpose) {
            (mirrored.width, mirrored.height) = (table.height, table.width);
        }
        for block in &mut mirrored.blocks {
            block.at = self.square(table, block.at, block.size);
        }
        for marker in &mut mirrored.markers {
            marker.at = marker.at.map(|at| self.square(table, at, 1));
            marker.home = marker.home.map(|home| self.square(table, home, 1));
        }
        mirrored
    }

    fn deal(self, deal: &Deal) -> Deal {
        Deal { table: self.table(&deal.table), direction: self.direction(deal.direction), ..deal.clone() }
    }

    /// An event of `table` in the words that the mirrored table has for it.
    fn event(self, table: &Table, mirrored: &Table, event: &str) -> String {
        let block = table.blocks.iter().find(|block| event.starts_with(&format!("{} ", block.name)));
        let size = block.map_or(1, |block| block.size);
        let word = |word: &str| {
            if let Some(direction) = WORDS.iter().position(|other| *other == word) {
                return WORDS[self.direction(direction + 1) - 1].to_owned();
            }
            let mut letters = word.chars();
            let is_cell = letters.next().is_some_and(|first| first.is_ascii_lowercase())
                && letters.as_str().parse::<i32>().is_ok();
            if !is_cell {
                return word.to_owned();
            }
            // A block is named by its bottom left square, and mirrored by its top left one.
            let (col, row) = self.square(table, table.block_square(word, size), size);
            mirrored.cell((col, row + size - 1))
        };
        event.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }
}

/// The events with those of markers sorted between two events of blocks.
fn settled(events: impl Iterator<Item = String>) -> Vec<String> {
    let mut settled: Vec<String> = Vec::new();
    let mut start = 0;
    for event in events {
        let block = event.starts_with("block ") || event.starts_with("large ");
        settled.push(event);
        if block {
            start = settled.len();
        } else {
            settled[start..].sort();
        }
    }
    settled
}

#[test]
fn directions_are_mirrored() {
    let mirrored = |mirror: Mirror| (1..=8).map(|direction| mirror.direction(direction)).collect::<Vec<_>>();
    assert_eq!(mirrored(Mirror::LeftRight), [1, 8, 7, 6, 5, 4, 3, 2]);
    assert_eq!(mirrored(Mirror::UpDown), [5, 4, 3, 2, 1, 8, 7, 6]);
    assert_eq!(mirrored(Mirror::Transpose), [7, 6, 5, 4, 3, 2, 1, 8]);
}

#[test]
fn a_mirrored_roll_is_the_roll_mirrored() {
    let squish = Squish::load();
    check(100, &deals(), |mut deal| {
        let mut homes = BTreeSet::new();
        for marker in &mut deal.table.markers {
            marker.home = marker.home.filter(|home| homes.insert(*home));
        }
        let played = squish.play(&deal);
        for mirror in MIRRORS {
            let image = mirror.deal(&deal);
            let seen = squish.play(&image);
            let words = played.events.iter().map(|event| mirror.event(&deal.table, &image.table, event));
            let scenario = || deal.scenario(&played.events, &played.after);
            let expected = settled(words);
            prop_assert_eq!(settled(seen.events.into_iter()), expected, "{:?} of\n{}", mirror, scenario());
            prop_assert_eq!(seen.after, mirror.table(&played.after), "{:?} of\n{}", mirror, scenario());
        }
        Ok(())
    });
}
