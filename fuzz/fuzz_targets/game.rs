//! A game with its rules, rulebook, data files and a scenario, cut from one text at lines `----`.

use referee_source::MemoryHost;

/// Does this work on the files that are cut from a text. Rules call one another deeply: they need the stack of a worker.
pub fn on_worker(text: &str, work: impl FnOnce(&MemoryHost) + Send) {
    let mut parts = text.split("\n----\n");
    let mut part = || parts.next().unwrap_or_default();
    let host = MemoryHost::default()
        .with("games/g/g.game", part())
        .with("games/g/rules.rhai", part())
        .with("games/g/RULES.md", part())
        .with("a.scenario", part())
        .with("games/g/house/h.rhai", part())
        .with("games/g/cards.yaml", part())
        .with("games/g/abilities.rhai", part())
        .with("games/g/arrows.yaml", part())
        .with("games/g/house/d/d.house", part())
        .with("games/g/house/d/rules.rhai", part());
    std::thread::scope(|scope| {
        let done = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, || work(&host));
        done.expect("a thread").join().expect("no panic");
    });
}
