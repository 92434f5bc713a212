//! Writes the last turn of a game as a scenario of its own.

use std::path::Path;
use std::sync::Arc;

use super::case::Case;
use crate::judge::judge;
use crate::loader::Loader;
use crate::plan::file::plan_text;
use crate::plan::reading::Reading;
use crate::stage::Stage;
use referee_play::{Ending, Leg, Played, retrace};
use referee_source::Source;
use referee_trace::{Answer, Question, Status};

/// The most turns at the end of a game that are tried.
const TRIES: usize = 4;

impl Stage {
    /// Returns the last turn of a game that was played from here, with the position before it, as a scenario that passes;
    /// some turns more if what happens in the last one depends on those before, or the whole game if no such scenario
    /// passes or it is the first turn. A turn for which only dice were thrown or cards drawn so far is not the last one.
    /// Returns `None` if nothing was answered.
    #[must_use]
    pub fn record_turn(&self, loader: &mut Loader<'_>, title: &str, game: &Played) -> Option<String> {
        let answers: Vec<Answer> = game.answers.iter().flatten().map(|(_, answer)| answer.clone()).collect();
        if answers.is_empty() {
            return None;
        }
        let legs = retrace(&self.program, &self.start, answers);
        let count = |at: usize| legs.iter().skip(at).map(|leg| leg.answers.len()).sum::<usize>();
        let turns = legs.iter().enumerate().rev().filter(|(at, leg)| leg.is_turn() && count(*at) > 0).map(|(at, _)| at);
        let mut turns: Vec<usize> = turns.take(TRIES + 1).collect();
        let begun = turns.first().copied().filter(|at| is_only_begun(game, legs.get(*at..)));
        // What was thrown or drawn for the next turn is left out.
        let extra = begun.map_or(0, &count);
        if begun.is_some() {
            turns.remove(0);
        }
        let all = game.answers.iter().flatten();
        let kept = all.clone().take(all.count().saturating_sub(extra)).cloned().collect();
        let tail = self.expectations(&[kept], &game.ending);
        let found = turns.into_iter().take(TRIES).find_map(|at| {
            let case = Case::from_phase(self, legs.get(at..)?, 0, count(at) - extra)?;
            let text = case.text(&[], title, &tail);
            let source = Arc::new(Source::new("turn.scenario", text.clone()));
            let suite = plan_text(loader, Path::new(""), source, Vec::new(), &Reading::default());
            (judge(loader, &suite, 0).status == Status::Passed).then_some(text)
        });
        Some(found.unwrap_or_else(|| self.record(title, &[], game)))
    }
}

/// Returns whether these last phases of a game are those of a turn that waits for its first decision.
fn is_only_begun(game: &Played, legs: Option<&[Leg]>) -> bool {
    let legs = legs.unwrap_or_default();
    let waits = matches!(game.ending, Ending::Stopped) && legs.last().is_some_and(|leg| !leg.answers.is_empty());
    let is_chance = |question: &Question| matches!(question, Question::Roll(_) | Question::Draw(_));
    waits && legs.iter().flat_map(|leg| &leg.answers).all(|(ask, _)| is_chance(&ask.question))
}
