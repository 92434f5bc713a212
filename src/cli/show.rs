//! `referee show`: prints the position at each step of a scenario; `referee moves`: lists the legal actions at its end.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::arguments::Format;
use super::disk::Disk;
use super::output::{colour, print, print_error, print_errors};
use super::set_up::{SetUpArguments, file_of, game_at};
use super::stage::exit_of;
use super::workers::spread;
use super::{Exit, discover};
use referee_diagnostic::{Diagnostic, printable};
use referee_report::{scene_picture, scenes_human, scenes_json};
use referee_scenario::{End, EndOfScenario, Loader, Suite};

#[derive(Clone, Debug, Args)]
pub(super) struct Chosen {
    /// Scenario file, Markdown file with scenarios, or a game's name or file (for its set-up)
    file: PathBuf,
    #[command(flatten)]
    set_up: SetUpArguments,
    /// Use the scenario whose title contains this text [default: the first]
    #[arg(long, value_name = "TEXT")]
    scenario: Option<String>,
    /// Look for games in this folder first
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
}

/// The formats of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    /// Human-readable
    Human,
    /// For programs: one JSON object on standard output, and nothing else there
    Json,
    /// A picture of one position
    Svg,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Show the position after N lines of play; 0 is the start [default: the last]
    #[arg(long, value_name = "N", conflicts_with = "all")]
    step: Option<usize>,
    /// Show the position after every line of play
    #[arg(long)]
    all: bool,
    /// Show what this player may know [default: the whole position]
    #[arg(long, value_name = "PLAYER")]
    view: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = ShowFormat::Human)]
    format: ShowFormat,
}

#[derive(Debug, Args)]
pub(super) struct MovesArguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Check this move: print whether the rules allow it, and if not, why
    #[arg(value_name = "MOVE")]
    action: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Works on one test of the chosen file, on a thread with the stack that scripts need.
pub(super) fn with_test<R: Send>(
    chosen: &Chosen,
    work: impl Fn(&mut Loader<'_>, &Suite, usize) -> R + Sync,
) -> Result<R, Exit> {
    let game = game_of(chosen);
    if game.is_none() && !chosen.set_up.is_empty() {
        print_error(
            "`--variant`, `--players`, `--with` and `--house` need the name of a game; a scenario has a `use` line",
        );
        return Err(Exit::Usage);
    }
    let beside = game_at(&file_of(&chosen.file)).map(|(_, folder)| folder);
    let near = match chosen.file.exists() {
        true => None,
        false => without_line(&chosen.file).or_else(|| discover::near(&chosen.file)),
    };
    let options = super::arguments::options(beside.as_ref().or(chosen.games.as_ref()));
    let done = spread(
        1,
        1,
        || Loader::new(&Disk, options.clone()),
        |loader, _| {
            let suite = match &game {
                Some(game) => referee_scenario::plan_set_up(loader, &chosen.set_up.of(game))
                    .map_err(|wrong| (exit_of(&wrong), wrong))?,
                None => referee_scenario::plan(loader, &chosen.file),
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
            print_errors(&problems);
            if exit == Exit::Nothing {
                print_error("no scenario with this title here");
            }
            Err(exit)
        }
        None => Err(Exit::Invalid),
    }
}

/// Returns help for `FILE:LINE`, which other commands take.
fn without_line(path: &Path) -> Option<String> {
    let written = path.to_string_lossy();
    let (file, _) = discover::numbered(&written).filter(|(file, _)| Path::new(file).exists())?;
    Some(format!("name the file alone, `{file}`, and choose the scenario with `--scenario TITLE`"))
}

/// Returns the chosen game: by the path of its file or folder, or by a word that is not a file and has no extension.
fn game_of(chosen: &Chosen) -> Option<String> {
    let file = file_of(&chosen.file);
    if let Some((game, _)) = game_at(&file).filter(|_| file.exists()) {
        return Some(game);
    }
    // A folder is no scenario, so a word that names one is the name of a game, too.
    let plain = chosen.file.extension().is_none() && chosen.file.components().count() == 1 && !chosen.file.is_file();
    plain.then(|| chosen.file.to_string_lossy().into_owned())
}

/// Prints the failures before the end of a run; returns the exit code if there are any.
pub(super) fn judged(end: &End) -> Option<Exit> {
    if end.failures.is_empty() {
        return None;
    }
    let problems: Vec<Diagnostic> = end.failures.iter().map(|failure| failure.diagnostic.clone()).collect();
    print_errors(&problems);
    print_error(if end.broken { "play stops here, before the end of the scenario" } else { "this scenario fails" });
    Some(if end.faulty { Exit::Invalid } else { Exit::Failed })
}

/// Shows the positions of a scenario.
pub(super) fn show(arguments: &ShowArguments) -> Exit {
    if arguments.all && arguments.format == ShowFormat::Svg {
        print_error(
            "`--format svg` draws one position, so it cannot be combined with `--all`\n\
             choose a position with `--step N`, or draw them all with `referee test --report html=DIR`",
        );
        return Exit::Usage;
    }
    let scenes = with_test(&arguments.chosen, |loader, suite, index| {
        let title = suite.tests.get(index).map(|test| test.title()).unwrap_or_default();
        (title, referee_scenario::steps(loader, suite, index, arguments.view.as_deref()))
    });
    let (title, (scenes, end)) = match scenes {
        Ok((title, Ok(scenes))) => (title, scenes),
        Ok((_, Err(wrong))) => {
            print_errors(&[*wrong]);
            return Exit::Usage;
        }
        Err(exit) => return exit,
    };
    let last = scenes.len().saturating_sub(1);
    let wanted = arguments.step.unwrap_or(last);
    if !arguments.all && wanted > last {
        let _ = judged(&end);
        print_error(&format!("expected a step from 0 to {last}, found {wanted}"));
        return Exit::Usage;
    }
    let shown: Vec<_> = scenes.iter().enumerate().filter(|(at, _)| arguments.all || *at == wanted).collect();
    print(&match arguments.format {
        ShowFormat::Human => scenes_human(&title, &shown, colour()),
        ShowFormat::Json => scenes_json(&title, &shown),
        ShowFormat::Svg => shown.iter().map(|(step, scene)| scene_picture(&title, *step, scene)).collect(),
    });
    judged(&end).unwrap_or(Exit::Passed)
}

/// Lists the legal actions at the end of a scenario, or explains why an action is refused.
pub(super) fn moves(arguments: &MovesArguments) -> Exit {
    let words = arguments.action.join(" ");
    let found =
        with_test(&arguments.chosen, |loader, suite, index| referee_scenario::moves(loader, suite, index, &words));
    match found {
        Err(exit) => exit,
        Ok(Err(problem)) => {
            print_errors(&[*problem]);
            Exit::Usage
        }
        Ok(Ok(found)) => {
            print(&match arguments.format {
                Format::Human => printable(&human(&found)),
                Format::Json => referee_report::moves_json(&found),
            });
            let failed = judged(&found.end);
            let refused = found.refused.is_some().then_some(Exit::Failed);
            failed.or(refused).unwrap_or(Exit::Passed)
        }
    }
}

fn human(found: &EndOfScenario) -> String {
    if let Some(refused) = &found.refused {
        let reason = refused.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        return format!("refused: {}{reason}\n", refused.action);
    }
    if let Some(allowed) = &found.allowed {
        return format!("allowed: {allowed}\n");
    }
    let mut text = match &found.ended {
        Some(ended) => format!("over: {ended}\n"),
        None => format!("{}\n", found.asks),
    };
    for option in &found.options {
        text.push_str(&format!("  {option}\n"));
    }
    for form in &found.open {
        text.push_str(&format!("  {form}, whatever the rules do not refuse\n"));
    }
    for option in &found.suggested {
        text.push_str(&format!("    suggested: {option}\n"));
    }
    text
}
