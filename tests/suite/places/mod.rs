//! Boards of other shapes: rhombus, triangle, holes, rings, graphs; links, sides and corners as places.

mod graphs;
mod hex;
mod rings;
mod second;
mod shapes;

use std::path::Path;
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_scenario::{Loader, LoaderOptions, Suite};
use referee_source::MemoryHost;
use referee_table::{Board, Cells, Places, PlayerId, Table, TurnRules};

/// A game in memory: its lines after the headline, its rules, and other files of its folder.
pub(super) struct Tried<'t> {
    pub(super) lines: &'t str,
    pub(super) rules: &'t str,
    pub(super) files: &'t [(&'t str, &'t str)],
}

impl Tried<'_> {
    pub(super) fn host(&self, scenarios: &str) -> MemoryHost {
        let game = format!("game tried \"Tried\"\nplayers 2 red blue\nrules \"rules.rhai\"\n{}", self.lines);
        let mut host = MemoryHost::default()
            .with("games/tried/tried.game", game)
            .with("games/tried/rules.rhai", self.rules.to_owned())
            .with("a.scenario", format!("use tried\n{scenarios}"));
        for (name, text) in self.files {
            host = host.with(format!("games/tried/{name}"), (*text).to_owned());
        }
        host
    }

    fn with<T>(&self, scenarios: &str, done: impl FnOnce(&mut Loader<'_>, &Suite) -> T) -> T {
        let host = self.host(scenarios);
        let mut loader = Loader::new(&host, LoaderOptions::default());
        let suite = referee_scenario::plan(&mut loader, Path::new("a.scenario"));
        done(&mut loader, &suite)
    }

    /// What the scenarios say, and whether all pass.
    pub(super) fn judged(&self, scenarios: &str) -> (String, bool) {
        super::judged(&self.host(scenarios))
    }

    pub(super) fn passes(&self, scenarios: &str) {
        let (said, passed) = self.judged(scenarios);
        assert!(passed, "{said}");
    }

    pub(super) fn fails(&self, lines: &str, wanted: &[&str]) {
        let (said, passed) = self.judged(&format!("scenario \"fails\"\n{lines}"));
        assert!(!passed, "{lines}");
        for wanted in wanted {
            assert!(said.contains(wanted), "{wanted}\n{said}");
        }
    }

    /// The numbers of sequences of 1, 2, … answers from the end of a scenario.
    pub(super) fn perft(&self, lines: &str, depths: usize) -> Vec<u64> {
        self.with(&format!("scenario \"p\"\n{lines}"), |loader, suite| {
            assert!(suite.problems.is_empty(), "{:?}", suite.problems);
            let mut total = |depth| {
                let counted = referee_scenario::perft(loader, suite, 0, depth).unwrap();
                counted.counts.iter().map(|(_, count)| count).sum()
            };
            (1..=depths).map(&mut total).collect()
        })
    }

    pub(super) fn game(&self) -> Game {
        let host = self.host("");
        let asked = Diagnostic::general(Code::UnknownGame, "no such game");
        let found = Game::find(&SearchPath::new(&host, None, "".into()), Path::new("a.scenario"), "tried", &asked);
        found.map_err(|wrong| wrong.into_iter().map(|one| one.message).collect::<Vec<_>>()).unwrap()
    }

    pub(super) fn board(&self) -> Arc<Board> {
        let game = self.game();
        game.board(&game.schema.board).unwrap()
    }

    pub(super) fn table(&self) -> Table {
        let game = self.game();
        Table {
            board: game.board(&game.schema.board).unwrap(),
            sizes: vec![(1, 1); game.schema.pieces.len()],
            players: vec![PlayerId(0), PlayerId(1)],
            schema: game.schema,
            options: Vec::new(),
            variant: 0,
            arrows: Vec::new(),
            places: Places::default(),
            turns: TurnRules::default(),
        }
    }
}

/// The names of some places, sorted.
pub(super) fn names(board: &Board, cells: &Cells) -> Vec<String> {
    let mut names: Vec<String> = cells.iter().map(|cell| board.name(cell).to_owned()).collect();
    names.sort();
    names
}

/// The set with one place.
pub(super) fn one(board: &Board, name: &str) -> Cells {
    Cells::of(board.size(), [board.cell(name).unwrap()])
}

/// The messages of a game with such a line `board`, and rules.
pub(super) fn refused(lines: &str, rules: &str, wanted: &[&str]) {
    Tried { lines, rules, files: &[] }.fails("  turn red\n", wanted);
}
