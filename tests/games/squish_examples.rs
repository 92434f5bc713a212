//! The nine worked examples of Squish!, event by event, against the independent reading of its rules.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::squish_oracle::{Block, Marker, Options, Table};

/// One worked example. Blocks stand at the name of their bottom left square.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    cites: String,
    game: String,
    blocks: BTreeMap<String, String>,
    markers: BTreeMap<String, String>,
    homes: BTreeMap<String, String>,
    roll: Roll,
    events: Vec<String>,
    #[serde(rename = "final")]
    after: After,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Roll {
    block: String,
    direction: usize,
    distance: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    blocks: BTreeMap<String, String>,
    markers: BTreeMap<String, String>,
}

impl Example {
    fn table(&self) -> Table {
        let size = if self.game == "simple" { 8 } else { 4 };
        let mut table =
            Table { width: 16, height: 16, blocks: Vec::new(), markers: Vec::new(), options: Options::default() };
        for (name, cell) in &self.blocks {
            let at = table.block_square(cell, size);
            table.blocks.push(Block { name: name.clone(), at, size });
        }
        for (name, cell) in &self.markers {
            let home = self.homes.get(name).map(|home| table.square(home));
            let at = Some(table.square(cell));
            table.markers.push(Marker { name: name.clone(), at, home, shards: vec![1, 2] });
        }
        table
    }
}

fn examples() -> Vec<Example> {
    serde_json::from_str(include_str!("squish-examples.json")).unwrap()
}

#[test]
fn all_nine_come_out_event_by_event() {
    let examples = examples();
    assert_eq!(examples.len(), 9);
    for example in examples {
        let mut table = example.table();
        let block = table.blocks.iter().position(|block| block.name == example.roll.block).unwrap();
        let events = table.roll(block, example.roll.direction, example.roll.distance);
        assert_eq!(events, example.events, "{}, {}", example.game, example.cites);

        let blocks: BTreeMap<_, _> =
            table.blocks.iter().map(|block| (block.name.clone(), table.block_cell(block))).collect();
        assert_eq!(blocks, example.after.blocks, "{}", example.cites);
        let off = || "off".to_owned();
        let markers: BTreeMap<_, _> = table
            .markers
            .iter()
            .map(|marker| (marker.name.clone(), marker.at.map_or_else(off, |at| table.cell(at))))
            .collect();
        assert_eq!(markers, example.after.markers, "{}", example.cites);
    }
}

/// Being squished costs the shards; being pushed does not.
#[test]
fn shards_are_lost_with_the_squish() {
    for example in examples() {
        let mut table = example.table();
        let block = table.blocks.iter().position(|block| block.name == example.roll.block).unwrap();
        let events = table.roll(block, example.roll.direction, example.roll.distance);
        for marker in &table.markers {
            let squished = events.iter().any(|event| event.starts_with(&format!("{} squished", marker.name)));
            assert_eq!(marker.shards.is_empty(), squished, "{}: {}", example.cites, marker.name);
        }
    }
}
