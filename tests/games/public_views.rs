//! What a screen shows that several players look at: no card that one of them does not see.

use referee_scenario::{Loader, LoaderOptions, Origin, SetUp, sit, stage};
use referee_source::MemoryHost;

use super::every_game::games;
use super::sittings::any;

#[test]
fn a_public_position_counts_the_cards_that_somebody_does_not_see() {
    let mut covered = 0;
    for game in &games() {
        let host = MemoryHost::default();
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let set_up = SetUp { game: game.clone(), ..SetUp::default() };
        let stage = stage(&mut loader, &Origin::SetUp(set_up)).unwrap();
        let schema = stage.schema().clone();
        let closed: Vec<String> = schema
            .zones
            .iter()
            .enumerate()
            .filter(|(_, zone)| !zone.visibility.is_open())
            .map(|(_, zone)| {
                zone.owner
                    .map_or_else(|| zone.name.clone(), |owner| format!("{} {}", zone.name, schema.player_name(owner)))
            })
            .collect();
        sit(&stage, |sitting| {
            for step in 0..30_usize {
                let scene = sitting.public_scene();
                for zone in &closed {
                    for line in scene.cards.iter().filter(|line| line.starts_with(&format!("{zone}:"))) {
                        let count = line.split_once(": ").unwrap().1;
                        let number =
                            count.strip_suffix(" cards").or_else(|| count.strip_suffix(" card")).unwrap_or(count);
                        assert!(number.parse::<u32>().is_ok(), "{game}: {line}");
                        covered += 1;
                    }
                }
                let whole = sitting.scene(None);
                assert!(closed.is_empty() || scene.cards != whole.cards, "{game}");
                let Some(answer) = any(sitting, step) else { break };
                sitting.give(answer, true);
            }
        });
    }
    assert!(covered > 30, "{covered} lines");
}
