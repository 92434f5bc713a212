//! How often the gauges of time and memory are looked at, which takes much longer than what rules do between two looks.

use std::cell::Cell;
use std::time::Duration;

use referee::play::{Ending, Playouts, StrategyProfile};
use referee::rules::ResourceProbes;
use referee::scenario::{self, Loader, LoaderOptions, Origin, Players, SetUp};
use referee::source::MemoryHost;

thread_local! {
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

fn memory() -> u64 {
    LOOKS.with(|looks| looks.set(looks.get() + 1));
    0
}

/// The gauges are a last resort: what rules do is counted, and phases of some few operations never come to a look.
#[test]
fn gauges_are_looked_at_once_in_a_long_while() {
    for (game, players) in [("pig", 2), ("hex-squish", 2), ("squirmish", 2)] {
        let host = MemoryHost::default();
        let gauges = Some(ResourceProbes { time: || Duration::ZERO, memory });
        let mut loader =
            Loader::new(&host, LoaderOptions { working_folder: "/".into(), gauges, ..LoaderOptions::default() });
        let set_up = SetUp { game: game.to_owned(), players: Players::First(players), ..SetUp::default() };
        let stage = scenario::stage(&mut loader, &Origin::SetUp(set_up))
            .unwrap_or_else(|wrong| unreachable!("{game}: {wrong:?}"));
        let playouts = Playouts {
            program: &stage.program,
            start: &stage.start,
            strategy: &StrategyProfile::default(),
            max_plies: 100,
        };
        LOOKS.with(|looks| looks.set(0));
        let before = stage.program.spent();
        let faults = (0..20).filter(|number| matches!(playouts.play(7, *number, false).ending, Ending::Fault(_)));
        assert_eq!(faults.count(), 0, "{game}");
        let operations = stage.program.spent() - before;
        let looks = LOOKS.with(Cell::get);
        assert!(operations > 10_000, "{game}: {operations} operations");
        assert!(looks <= operations / 100_000, "{game}: {looks} looks in {operations} operations");
    }
}
