//! `referee show`: the position at each step of a scenario; `referee moves`: what may be done at its end.

use std::path::PathBuf;

use clap::Args;

use super::disk::Disk;
use super::output::{colour, complain, print};
use super::set_up::{SetUpArguments, game_at};
use super::workers::spread;
use super::{Exit, Format, discover};
use crate::diagnostic::{Diagnostic, Renderer, printable};
use crate::report::{scenes_human, scenes_json};
use crate::scenario::{self, End, Loader, Standing, Suite};

#[derive(Clone, Debug, Args)]
pub(super) struct Chosen {
    /// A scenario file, a Markdown file with scenarios, or the name or file of a game, which stands for its set-up
    file: PathBuf,
    #[command(flatten)]
    set_up: SetUpArguments,
    /// The scenario whose title contains this text [default: the first]
    #[arg(long, value_name = "NAME")]
    scenario: Option<String>,
    /// Look for games in this folder before anywhere else
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// How it is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Only the position after this many steps; 0 is the start [default: the last]
    #[arg(long, value_name = "N", conflicts_with = "all")]
    step: Option<usize>,
    /// The position at every step
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Args)]
pub(super) struct MovesArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// A move: says whether the rules allow it, and if not, why
    #[arg(value_name = "MOVE")]
    action: Vec<String>,
}

/// Works on one test of the chosen file, on a thread with the stack that scripts need.
pub(super) fn with_test<R: Send>(
    chosen: &Chosen,
    work: impl Fn(&mut Loader<'_>, &Suite, usize) -> R + Sync,
) -> Result<R, Exit> {
    let game = game_of(chosen);
    if game.is_none() && !chosen.set_up.is_empty() {
        complain(
            "`--variant`, `--players`, `--with` and `--house` go with the name of a game; a scenario says it in its own lines",
        );
        return Err(Exit::Usage);
    }
    let beside = game_at(&chosen.file).map(|(_, folder)| folder);
    let near = if chosen.file.exists() { None } else { discover::near(&chosen.file) };
    let options = super::options(beside.as_ref().or(chosen.games.as_ref()));
    let done = spread(
        1,
        1,
        || Loader::new(&Disk, options.clone()),
        |loader, _| {
            let suite = match &game {
                Some(game) => {
                    scenario::plan_set_up(loader, &chosen.set_up.of(game)).map_err(|wrong| (Exit::Invalid, wrong))?
                }
                None => scenario::plan(loader, &chosen.file),
            };
            if let (true, Some(near)) = (suite.is_unread(), near.as_deref()) {
                let advised = suite.problems.into_iter().map(|problem| problem.help(near)).collect();
                return Err((Exit::Invalid, advised));
            };
            if !suite.problems.is_empty() {
                return Err((Exit::Invalid, suite.problems));
            }
            let fits = |title: &str| chosen.scenario.as_ref().is_none_or(|wanted| title.contains(wanted.as_str()));
            match suite.tests.iter().position(|test| fits(&test.title())) {
                Some(index) => Ok(work(loader, &suite, index)),
                None => Err((Exit::Nothing, Vec::new())),
            }
        },
    );
    match done.into_iter().next() {
        Some(Ok(done)) => Ok(done),
        Some(Err((exit, problems))) => {
            complain_about(&problems);
            if exit == Exit::Nothing {
                complain("no scenario of this file has such a title");
            }
            Err(exit)
        }
        None => Err(Exit::Invalid),
    }
}

/// Returns the game that is meant: by the path of its file, or by a word that is no file and has no ending.
fn game_of(chosen: &Chosen) -> Option<String> {
    if let Some((game, _)) = game_at(&chosen.file).filter(|_| chosen.file.exists()) {
        return Some(game);
    }
    let plain = chosen.file.extension().is_none() && chosen.file.components().count() == 1 && !chosen.file.exists();
    plain.then(|| chosen.file.to_string_lossy().into_owned())
}

/// Reports what is wrong with a file.
pub(super) fn complain_about(problems: &[Diagnostic]) {
    let renderer = Renderer { colour: false };
    for problem in problems {
        complain(renderer.render(problem).trim_end());
    }
}

/// Reports what did not come out as written before the position at hand, and how that ends the run.
pub(super) fn judged(end: &End) -> Option<Exit> {
    if end.failures.is_empty() {
        return None;
    }
    let problems: Vec<Diagnostic> = end.failures.iter().map(|failure| failure.diagnostic.clone()).collect();
    complain_about(&problems);
    complain(if end.broken { "play stops here, before the end of the scenario" } else { "this scenario fails" });
    Some(if end.faulty { Exit::Invalid } else { Exit::Failed })
}

/// Shows the positions of a scenario.
pub(super) fn show(arguments: &ShowArguments) -> Exit {
    let scenes = with_test(&arguments.chosen, |loader, suite, index| {
        let title = suite.tests.get(index).map(|test| test.title()).unwrap_or_default();
        (title, scenario::scenes(loader, suite, index))
    });
    let (title, (scenes, end)) = match scenes {
        Ok(scenes) => scenes,
        Err(exit) => return exit,
    };
    let last = scenes.len().saturating_sub(1);
    let wanted = arguments.step.unwrap_or(last);
    if !arguments.all && wanted > last {
        let _ = judged(&end);
        complain(&format!("the scenario has the steps 0 to {last}, and no step {wanted}"));
        return Exit::Usage;
    }
    let shown: Vec<_> = scenes.iter().enumerate().filter(|(at, _)| arguments.all || *at == wanted).collect();
    print(&match arguments.chosen.format {
        Format::Human => scenes_human(&title, &shown, colour()),
        Format::Json => scenes_json(&title, &shown),
    });
    judged(&end).unwrap_or(Exit::Passed)
}

/// List what may be done at the end of a scenario, or say why something may not.
pub(super) fn moves(arguments: &MovesArguments) -> Exit {
    let words = arguments.action.join(" ");
    let standing = with_test(&arguments.chosen, |loader, suite, index| scenario::moves(loader, suite, index, &words));
    match standing {
        Err(exit) => exit,
        Ok(Err(problem)) => {
            complain_about(&[*problem]);
            Exit::Usage
        }
        Ok(Ok(standing)) => {
            print(&match arguments.chosen.format {
                Format::Human => printable(&human(&standing)),
                Format::Json => crate::report::moves_json(&standing),
            });
            let failed = judged(&standing.end);
            let refused = standing.refused.is_some().then_some(Exit::Failed);
            failed.or(refused).unwrap_or(Exit::Passed)
        }
    }
}

fn human(standing: &Standing) -> String {
    if let Some(refused) = &standing.refused {
        let reason = refused.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        return format!("refused: {}{reason}\n", refused.action);
    }
    if let Some(allowed) = &standing.allowed {
        return format!("allowed: {allowed}\n");
    }
    let mut text = format!("{}\n", standing.asks);
    for option in &standing.options {
        text.push_str(&format!("  {option}\n"));
    }
    text
}
