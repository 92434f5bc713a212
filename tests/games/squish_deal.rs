//! Random positions of Squish! with a roll for one of the blocks, and the same as a scenario to be read and run.

use std::fmt::Write;

use proptest::prelude::{Just, Strategy, any, prop, prop_oneof};

use super::squish_oracle::{Block, Marker, Options, Square, Table};

/// The players, in the order of the game file.
pub(crate) const PLAYERS: [&str; 8] = ["red", "blue", "green", "yellow", "orange", "purple", "brown", "white"];
const SYMBOLS: &[u8] = b"rbgyopnw";

/// A position, and a roll.
#[derive(Clone, Debug)]
pub(crate) struct Deal {
    pub(crate) table: Table,
    /// The simple game's one block, or some of the four of the advanced game.
    pub(crate) simple: bool,
    /// Which of the table's blocks is rolled.
    pub(crate) block: usize,
    pub(crate) direction: usize,
    pub(crate) points: u32,
}

/// Numbers from which a deal is made: each stands for the next possible one where it is not possible itself.
#[derive(Clone, Debug)]
struct Raw {
    sides: (i32, i32),
    blocks: Vec<(i32, Square)>,
    markers: Vec<(Square, RawHome, Vec<u8>, bool)>,
    options: Options,
    roll: (usize, usize, u32),
}

/// The start square of a marker: anywhere, or none.
type RawHome = Option<Square>;

/// Positions on boards of 6x6 to 12x12 with at most six markers, crowded ones among them, and rolls that reach beyond
/// what dice show. Not far beyond: where hits add up and blocks move again, blocks packed closely go on for tens of
/// thousands of steps after a roll of 13, which is more than rules may do at once.
pub(crate) fn deals() -> impl Strategy<Value = Deal> {
    prop_oneof![deals_of(true), deals_of(false), deals_of(false), deals_of(false)]
}

/// Positions of the simple or of the advanced game.
pub(crate) fn deals_of(simple: bool) -> impl Strategy<Value = Deal> {
    let square = || (0..12i32, 0..12i32);
    let block = if simple { (2..=4i32, square()) } else { (1..=3i32, square()) };
    let blocks = prop::collection::vec(block, if simple { 1..=1 } else { 2..=4 });
    let home = prop_oneof![4 => square().prop_map(Some), 1 => Just(None)];
    let shards = prop::sample::subsequence(vec![1u8, 2, 3, 4], 0..=4);
    let marker = (square(), home, shards, prop::bool::weighted(0.2));
    let markers = prop::collection::vec(marker, 0..=6);
    let roll = (any::<usize>(), 0..=8usize, prop_oneof![3 => 1..=6u32, 1 => 7..=9u32]);
    let raw = ((6..=12i32, 6..=12i32), blocks, markers, options(), roll);
    raw.prop_map(move |(sides, blocks, markers, options, roll)| {
        Raw { sides, blocks, markers, options, roll }.deal(simple)
    })
}

fn options() -> impl Strategy<Value = Options> {
    prop::array::uniform7(any::<bool>()).prop_map(
        |[destination, rehit_moves, cumulative, simultaneous, lowest, unresolved, immediate]| Options {
            destination,
            rehit_moves,
            cumulative,
            simultaneous,
            lowest,
            unresolved,
            immediate,
        },
    )
}

impl Raw {
    fn deal(self, simple: bool) -> Deal {
        let (width, height) = self.sides;
        let mut table = Table { width, height, blocks: Vec::new(), markers: Vec::new(), options: self.options };
        for (place, (size, near)) in self.blocks.into_iter().enumerate() {
            let name = if simple { "large".to_owned() } else { format!("block {}", place + 1) };
            let fits = |at: &Square| {
                let inside = at.0 + size <= width && at.1 + size <= height;
                inside && squares(*at, size).all(|square| is_free(&table, square))
            };
            if let Some(at) = from(near, (width, height)).find(fits) {
                table.blocks.push(Block { name, at, size });
            }
        }
        for ((near, home, shards, off), player) in self.markers.into_iter().zip(PLAYERS) {
            // The simple game has neither start squares nor shards.
            let home = home.filter(|_| !simple).map(|(col, row)| (col % width, row % height));
            let shards = if simple { Vec::new() } else { shards };
            let at = from(near, (width, height)).find(|square| is_free(&table, *square)).filter(|_| !off);
            table.markers.push(Marker { name: player.to_owned(), at, home, shards });
        }
        let (block, direction, points) = self.roll;
        Deal { block: block % table.blocks.len(), table, simple, direction, points }
    }
}

/// All squares of a board, row by row, beginning with `near` and going on from the top behind the last.
fn from(near: Square, (width, height): (i32, i32)) -> impl Iterator<Item = Square> {
    let first = near.1 % height * width + near.0 % width;
    (0..width * height).map(move |more| (first + more) % (width * height)).map(move |at| (at % width, at / width))
}

fn squares((col, row): Square, size: i32) -> impl Iterator<Item = Square> {
    (0..size * size).map(move |at| (col + at % size, row + at / size))
}

/// Whether nothing stands on a square.
pub(crate) fn is_free(table: &Table, square: Square) -> bool {
    table.blocks.iter().all(|block| squares(block.at, block.size).all(|own| own != square))
        && table.markers.iter().all(|marker| marker.at != Some(square))
}

/// The settings that are not the default, as option and value.
pub(crate) fn settings(options: &Options) -> Vec<(&'static str, &'static str)> {
    let all = [
        (options.destination, "diagonal", "destination"),
        (options.rehit_moves, "rehit", "moves"),
        (options.cumulative, "hits", "cumulative"),
        (options.simultaneous, "resolution", "simultaneous"),
        (options.lowest, "order", "lowest"),
        (options.unresolved, "transmit", "unresolved"),
        (options.immediate, "respawn", "immediate"),
    ];
    all.into_iter().filter(|(set, ..)| *set).map(|(_, option, value)| (option, value)).collect()
}

impl Deal {
    /// A scenario that plays the roll and expects these events and this position.
    pub(crate) fn scenario(&self, events: &[String], after: &Table) -> String {
        let mut text = format!("use squish-board {}\n\n", if self.simple { "simple" } else { "advanced" });
        let mut line = |line: String| writeln!(text, "{line}").unwrap();
        line("scenario \"A roll\"".to_owned());
        for (option, value) in settings(&self.table.options) {
            line(format!("  with {option} = {value}"));
        }
        line(format!("  players {}", PLAYERS.join(" ")));
        for block in &self.table.blocks {
            line(format!("  piece {} size {}x{}", block.name, block.size, block.size));
        }
        line(format!("  board {}x{}", self.table.width, self.table.height));
        diagram(&self.table).into_iter().for_each(&mut line);
        for marker in &self.table.markers {
            if let Some(home) = marker.home {
                line(format!("  set {}.home {}", marker.name, self.table.cell(home)));
            }
            if !marker.shards.is_empty() {
                line(format!("  set {}.shards {}", marker.name, numbers(&marker.shards)));
            }
        }
        let block = &self.table.blocks[self.block].name;
        line(format!("\n  do roll_block {block} {} {}", self.direction, self.points));
        line("  expect events exactly".to_owned());
        events.iter().for_each(|event| line(format!("    > {event}")));
        line("  expect board".to_owned());
        diagram(after).into_iter().for_each(&mut line);
        for marker in &after.markers {
            if marker.at.is_none() {
                line(format!("  expect {} off", marker.name));
            }
            let held = if marker.shards.is_empty() { "none".to_owned() } else { numbers(&marker.shards) };
            line(format!("  expect {}.shards = {held}", marker.name));
        }
        text
    }
}

fn numbers(shards: &[u8]) -> String {
    shards.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

fn diagram(table: &Table) -> Vec<String> {
    let rows = (0..table.height).map(|row| (0..table.width).map(move |col| (col, row)));
    rows.map(|row| row.fold("    |".to_owned(), |drawn, square| format!("{drawn} {}", token(table, square)))).collect()
}

/// What a diagram shows on a square.
fn token(table: &Table, square: Square) -> char {
    let marker = table.markers.iter().find(|marker| marker.at == Some(square));
    let symbol = |marker: &Marker| PLAYERS.iter().position(|player| *player == marker.name).map(|at| SYMBOLS[at]);
    let block = table.blocks.iter().find(|block| squares(block.at, block.size).any(|own| own == square));
    let number = |block: &Block| if block.name == "large" { Some('L') } else { block.name.chars().last() };
    marker.and_then(symbol).map(char::from).or_else(|| block.and_then(number)).unwrap_or('.')
}
