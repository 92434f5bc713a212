//! Writes the last turn of a game as a scenario of its own.

use std::path::Path;
use std::sync::Arc;

use super::case::Case;
use crate::play::{Played, retrace};
use crate::scenario::judge::judge;
use crate::scenario::loader::Loader;
use crate::scenario::plan::file::plan_text;
use crate::scenario::plan::reading::Reading;
use crate::scenario::stage::Stage;
use crate::source::Source;
use crate::trace::{Answer, Status};

/// The most turns at the end of a game that are tried.
const TRIES: usize = 4;

impl Stage {
    /// Returns the last turn of a game that was played from here, with the position before it, as a scenario that passes;
    /// some turns more if what happens in the last one depends on those before. Returns `None` if no such scenario
    /// passes, or if nothing was answered.
    #[must_use]
    pub fn record_turn(&self, loader: &mut Loader<'_>, title: &str, game: &Played) -> Option<String> {
        let answers: Vec<Answer> = game.answers.iter().flatten().map(|(_, answer)| answer.clone()).collect();
        let legs = retrace(&self.program, &self.start, answers);
        let count = |at: usize| legs.iter().skip(at).map(|leg| leg.answers.len()).sum::<usize>();
        let turns = legs.iter().enumerate().rev().filter(|(at, leg)| leg.is_turn() && count(*at) > 0).map(|(at, _)| at);
        let tail = self.expectations(game);
        turns.take(TRIES).find_map(|at| {
            let case = Case::from_phase(self, legs.get(at..)?, 0, count(at))?;
            let text = case.text(&[], title, &tail);
            let source = Arc::new(Source::new("turn.scenario", text.clone()));
            let suite = plan_text(loader, Path::new(""), source, Vec::new(), &Reading::default());
            (judge(loader, &suite, 0).status == Status::Passed).then_some(text)
        })
    }
}
