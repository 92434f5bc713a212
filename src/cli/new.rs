//! `referee new`: creates a game that can be played, tested and changed.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rust_embed::Embed;

use super::Exit;
use super::output::{print, print_error};
use referee_diagnostic::{did_you_mean, one_of};
use referee_game::{built_in_files, built_in_games, is_built_in};
use referee_syntax::is_keyword;

/// The templates: for each kind of game a folder `game` and a folder `scenarios`.
#[derive(Embed)]
#[folder = "templates/"]
struct Templates;

/// The examples of the bundled games, which `--from` copies with them.
#[derive(Embed)]
#[folder = "scenarios/"]
struct Examples;

/// The game's name in the templates.
const TEMPLATE_NAME: &str = "my-game";
/// The game's title in the templates.
const TEMPLATE_TITLE: &str = "My game";
/// The maximum length of a name, in characters.
const MAX_NAME: usize = 60;
/// Reserved names: in commands they mean the folders of all games.
const TAKEN: [&str; 2] = ["games", "scenarios"];

#[derive(Debug, Args)]
pub(super) struct NewArguments {
    /// Name of the game, such as `goat-path`: lower-case letters, digits and `-`
    name: String,
    /// Kind of game
    #[arg(long, value_enum, default_value_t = GameKind::Grid, conflicts_with = "from")]
    kind: GameKind,
    /// Copy a bundled game with its examples instead
    #[arg(long, value_name = "GAME")]
    from: Option<String>,
}

/// The kind of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GameKind {
    /// Pawns on a board of squares
    Grid,
    /// Stones on a board of hexagons
    #[value(alias = "hexes", alias = "hexagons")]
    Hex,
    /// A race along a track, with a die
    Track,
    /// Cards in secret hands
    Cards,
}

impl GameKind {
    /// Returns the folder of the templates for this kind.
    const fn folder(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Hex => "hex",
            Self::Track => "track",
            Self::Cards => "cards",
        }
    }
}

/// Creates a game.
pub(super) fn run(arguments: &NewArguments) -> Exit {
    let name = &arguments.name;
    let files = usable(name).and_then(|()| match &arguments.from {
        Some(game) => copied(game, name),
        None => Ok(files(arguments.kind, name)),
    });
    let written = files.and_then(|files| write(Path::new(""), name, &files));
    match written {
        Ok(files) => {
            print(&printed(name, &files));
            Exit::Passed
        }
        Err(message) => {
            print_error(&message);
            Exit::Usage
        }
    }
}

/// Checks that a game can have this name, in a file's path and in a `use` line.
fn usable(name: &str) -> Result<(), String> {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    let begins = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    if !begins || !name.chars().all(plain) || name.ends_with('-') || name.len() > MAX_NAME {
        let near = slug(name);
        let help = if near.is_empty() {
            "for example `referee new goat-path`".to_owned()
        } else {
            format!("did you mean `{near}`?")
        };
        return Err(format!(
            "`{name}` is not a valid game name: use lower-case letters, digits and `-`, at most {MAX_NAME}\n{help}"
        ));
    }
    if is_keyword(name) || TAKEN.contains(&name) {
        return Err(format!("the name `{name}` is reserved\nuse another name, such as `my-{name}`"));
    }
    if is_built_in(name) {
        return Err(format!("a bundled game has the name `{name}`\nuse another name, such as `my-{name}`"));
    }
    Ok(())
}

/// Returns the valid game name nearest to `text`; empty if there is none.
fn slug(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join("-");
    let begun = joined.trim_start_matches(|letter: char| !letter.is_ascii_lowercase());
    begun.chars().take(MAX_NAME).collect::<String>().trim_end_matches('-').to_owned()
}

/// A file to write: its path from the working folder, and its text.
type Text = (PathBuf, String);

/// Returns the files of a game of this kind, with the rulebook first.
fn files(kind: GameKind, name: &str) -> Vec<Text> {
    let title = title(name);
    let mut files: Vec<Text> = Vec::new();
    for (folder, target) in [("game", "games"), ("scenarios", "scenarios")] {
        let below = format!("{}/{folder}/", kind.folder());
        let mut names: Vec<String> =
            Templates::iter().filter(|path| path.starts_with(&below)).map(String::from).collect();
        names.sort();
        for path in names {
            let Some(file) = Templates::get(&path) else { continue };
            let text = String::from_utf8_lossy(&file.data).replace(TEMPLATE_NAME, name).replace(TEMPLATE_TITLE, &title);
            let own = path.trim_start_matches(&below).replace(TEMPLATE_NAME, name);
            files.push((Path::new(target).join(name).join(own), text));
        }
    }
    files
}

/// Returns the files of a bundled game and its examples under another name.
fn copied(game: &str, name: &str) -> Result<Vec<Text>, String> {
    if !is_built_in(game) {
        let games = built_in_games();
        let names = || games.iter().map(String::as_str);
        let help =
            did_you_mean(game, names()).unwrap_or_else(|| format!("the bundled games are {}", one_of(names(), 20)));
        return Err(format!("unknown bundled game `{game}`\n{help}"));
    }
    let own = built_in_files(game).map_err(|error| format!("cannot read the bundled game: {error}"))?;
    let below = format!("{game}/");
    let mut examples: Vec<(String, String)> = Vec::new();
    for path in Examples::iter() {
        let Some((file, own)) = Examples::get(&path).zip(path.strip_prefix(&below)) else { continue };
        examples.push((own.to_owned(), String::from_utf8_lossy(&file.data).into_owned()));
    }
    examples.sort();
    let game_file = format!("{game}.game");
    let all = own.into_iter().map(|file| ("games", file)).chain(examples.into_iter().map(|file| ("scenarios", file)));
    let renamed = all.map(|(folder, (path, text))| {
        let path = if path == game_file { format!("{name}.game") } else { path };
        (Path::new(folder).join(name).join(path), renamed(&text, game, name))
    });
    Ok(renamed.collect())
}

/// Replaces a game's name in `game` and `use` lines, paths and commands.
fn renamed(text: &str, game: &str, name: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (indent, rest) = line.split_at(line.len() - line.trim_start().len());
        let named = ["game", "use"].iter().find_map(|word| {
            let after = rest.strip_prefix(&format!("{word} {game}"))?;
            after.starts_with(char::is_whitespace).then(|| format!("{indent}{word} {name}{after}"))
        });
        let renamed = named.unwrap_or_else(|| line.to_owned());
        let renamed = renamed.replace(&format!("games/{game}/"), &format!("games/{name}/"));
        let renamed = renamed.replace(&format!("scenarios/{game}/"), &format!("scenarios/{name}/"));
        out.push_str(&renamed.replace(&format!("referee simulate {game}"), &format!("referee simulate {name}")));
    }
    out
}

/// Returns the title for a name: `Goat path` for `goat-path`.
fn title(name: &str) -> String {
    let spaced = name.replace('-', " ");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

/// Writes all files below `root`, or none: writes them to a temporary folder, which is moved into place when it is
/// complete.
fn write(root: &Path, name: &str, files: &[Text]) -> Result<Vec<PathBuf>, String> {
    let folders = ["games", "scenarios"].map(|folder| Path::new(folder).join(name));
    if let Some(there) = folders.iter().find(|folder| root.join(folder).symlink_metadata().is_ok()) {
        let there = there.display();
        return Err(format!("`{there}` exists already; nothing was written\nuse another name, or remove it first"));
    }
    let failed = |error: std::io::Error| format!("cannot write the game: {error}; nothing was written");
    let here = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let staging = tempfile::Builder::new().prefix(".referee-new-").tempdir_in(here).map_err(failed)?;
    for (path, text) in files {
        let path = staging.path().join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        fs::write(path, text).map_err(failed)?;
    }
    for (at, folder) in folders.iter().enumerate() {
        let target = root.join(folder);
        let moved = target
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::rename(staging.path().join(folder), &target));
        if let Err(error) = moved {
            // Undo: folders moved back to the staging folder are deleted with it.
            for done in folders.iter().take(at) {
                let _ = fs::rename(root.join(done), staging.path().join(done));
            }
            return Err(failed(error));
        }
    }
    Ok(files.iter().map(|(path, _)| path.clone()).collect())
}

/// Returns the list of the files, and the commands to run next.
fn printed(name: &str, files: &[PathBuf]) -> String {
    let paths: Vec<String> = files.iter().map(|path| path.to_string_lossy().replace('\\', "/")).collect();
    let width = paths.iter().map(String::len).max().unwrap_or_default();
    let lines: String = paths.iter().map(|path| format!("  {path:width$}  {}\n", about(path))).collect();
    format!(
        "created the game `{name}`:\n{lines}\nnext: `referee test scenarios/{name}` runs its examples; `referee simulate {name}` plays it at random\n"
    )
}

/// Returns the purpose of a file.
fn about(path: &str) -> &'static str {
    let ends = |extension: &str| path.ends_with(extension);
    if path.contains("/house/") && !ends(".scenario") {
        "a house rule"
    } else if ends("RULES.md") {
        "the rulebook, with numbered clauses"
    } else if ends(".game") {
        "the components of the game"
    } else if ends("rules.rhai") {
        "the rules, as a script"
    } else if ends(".rhai") {
        "the abilities of its cards"
    } else if ends(".yaml") {
        "its cards"
    } else if ends(".snap") {
        "accepted snapshots"
    } else if ends("yours.scenario") {
        "an example for you to fill in"
    } else {
        "examples that pass"
    }
}
