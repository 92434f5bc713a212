//! Runs the examples of the documentation and checks the output that it shows.
//!
//! Every page (`README.md`, `docs/*.md`) has its own project: an empty folder, or one with the games of `docs/games` in
//! `games/` if the page has no game of its own. The fenced blocks of the page are processed from top to bottom, by the
//! first word of their info string:
//!
//! | block | what happens |
//! |---|---|
//! | ` ```file PATH ` | is written to PATH in the project; so is any block with a path as its second word |
//! | ` ```append PATH ` | is added at the end of PATH |
//! | ` ```scenario ` | whole scenarios: `referee test` of this block alone must pass |
//! | ` ```lines ` | lines of one scenario of the game `race`: `referee check` must find nothing wrong with them |
//! | ` ```game ` | lines of a game file, put into a small whole one: `referee check` must find nothing |
//! | ` ```rhai ` | the rules of the game `race`, or with a path of another: `referee check` must find nothing |
//! | ` ```console ` | each `$ referee …` is run in the project, and must print the lines below it |
//! | ` ```text `, ` ```lua `, ` ```toml ` | nothing: forms, layouts, configurations of editors |
//! | ` ```python ` | nothing here: `packaging/python/tests` runs it with the module of the wheel |
//!
//! A line `<!-- in PATH: OLD -> NEW -->`, which is invisible to readers, changes a file of the project.
//!
//! In a console block `…` alone on a line stands for any number of lines. `; echo $?` after a command prints its exit
//! code, `$ cat FILE` a file of the project. `$ cargo run -- …` runs the program in the repository; other
//! commands are not run. In blocks marked `console about`, numbers may differ. Blocks marked `console slow` take seconds
//! in the dev build; only the ignored test tries them, and `REFEREE_WRITE`. `docs/mistakes.md` is an exception: each block
//! there must fail with the code of its section.
//!
//! `REFEREE_WRITE=1 cargo test docs` writes what is generated: the reference of the rules API, the sections of
//! `docs/mistakes.md` on checks of rules, and what the commands of
//! console blocks print.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::games::every_game::games;
use crate::games::playing::Playable;
use crate::program::referee;
use referee_diagnostic::Code;
use referee_rules::explained;

/// The game into which the lines of a ` ```game ` block are put: each line gives way to lines of the block that begin
/// with the same word.
const DEMO: [&str; 4] = ["game demo", "players 2 red blue", "rules \"rules.rhai\"", "board grid 8x8"];

/// A fenced block of a page.
struct Block {
    /// The line of its opening fence, from 1.
    line: usize,
    /// The words behind the fence.
    info: Vec<String>,
    /// Its lines.
    text: String,
}

impl Block {
    fn first(&self) -> &str {
        self.info.first().map_or("", String::as_str)
    }

    /// The file that the block is.
    fn path(&self) -> Option<&str> {
        self.info.get(1).map(String::as_str).filter(|word| word.contains('.'))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The file of the documentation that a project has as `path`.
fn shown(path: &str) -> PathBuf {
    root().join("docs").join(path)
}

/// Whether pages are to be written instead of compared.
fn writing() -> bool {
    std::env::var_os("REFEREE_WRITE").is_some_and(|value| !value.is_empty())
}

/// `README.md` and the pages in `docs`, the names relative to the repository.
fn pages() -> Vec<PathBuf> {
    let inside = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = inside.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    // Whether the open fence has four marks, so that three of them are a part of its text.
    let mut long = false;
    for (at, line) in text.lines().enumerate() {
        let fence = line.strip_prefix("````").or_else(|| line.strip_prefix("```").filter(|_| !long));
        match (&mut open, fence) {
            (None, Some(info)) => {
                long = line.starts_with("````");
                let info = info.split_whitespace().map(str::to_owned).collect();
                open = Some(Block { line: at + 1, info, text: String::new() });
            }
            (Some(_), Some("")) => {
                long = false;
                blocks.extend(open.take());
            }
            (Some(block), _) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => blocks.extend(change(line, at + 1)),
        }
    }
    assert!(open.is_none(), "a fenced block is not closed");
    blocks
}

/// A change to a file of the project, which readers do not see: `<!-- in PATH: OLD -> NEW -->`.
fn change(line: &str, at: usize) -> Option<Block> {
    let (path, change) = line.strip_prefix("<!-- in ")?.strip_suffix(" -->")?.split_once(": ")?;
    Some(Block { line: at, info: vec!["change".to_owned(), path.to_owned()], text: change.to_owned() })
}

/// A folder in which the blocks of a page are tried.
struct Project(tempfile::TempDir);

impl Project {
    /// A project for these blocks: with the games of `docs/games`, unless the page brings a game of its own.
    fn new(blocks: &[Block]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let own = |block: &Block| block.first() == "game" && block.path().is_some_and(|path| !shown(path).exists());
        if !blocks.iter().any(own) {
            copy(&shown("games"), &folder.path().join("games"));
        }
        Self(folder)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Returns the output of `referee` in the project, and its exit code.
    fn referee(&self, arguments: &[&str]) -> (String, i32) {
        run(referee().current_dir(self.0.path()).args(arguments))
    }

    /// Returns the output of a command of a console block; `None` for a command that is not run.
    fn command(&self, line: &str) -> Option<String> {
        let (line, asked) = line.strip_suffix("; echo $?").map_or((line, false), |line| (line, true));
        let words = split(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["referee", arguments @ ..] => {
                let (said, code) = self.referee(arguments);
                Some(if asked { format!("{said}{code}\n") } else { said })
            }
            ["cat", file] => Some(fs::read_to_string(self.0.path().join(file)).unwrap()),
            ["cargo", "run", "--", arguments @ ..] => {
                let mut command = referee();
                Some(run(command.current_dir(root()).args(arguments).env("CI", "1")).0)
            }
            _ => None,
        }
    }
}

fn run(command: &mut Command) -> (String, i32) {
    // Runs without other options write new snapshots.
    if !command.get_envs().any(|(name, _)| name == "CI") {
        command.env_remove("CI");
    }
    let output = command.env("NO_COLOR", "1").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8(said).unwrap(), output.status.code().unwrap())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The words of a command line; quotes hold words together.
fn split(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.push(String::new()),
            (letter, _) => words.last_mut().unwrap().push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether `shown` matches the output: `…` stands for any lines; with `about`, numbers may differ.
fn says(shown: &[&str], printed: &[&str], about: bool) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|skip| says(rest, &printed[skip..], about)),
        [line, rest @ ..] => printed
            .split_first()
            .is_some_and(|(first, others)| same_line(line, first, about) && says(rest, others, about)),
    }
}

fn same_line(one: &str, other: &str, about: bool) -> bool {
    let plain = |line: &str| {
        let shape: String = line.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
        // A column is as wide as its numbers.
        shape.replace("00", "0").replace("00", "0").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let trimmed = (one.trim_end(), other.trim_end());
    trimmed.0 == trimmed.1 || about && plain(trimmed.0) == plain(trimmed.1)
}

/// Returns a console block with the output of its commands; unchanged if the output matches.
fn console(project: &Project, block: &Block) -> String {
    let about = block.info.iter().any(|word| word == "about");
    let mut written = String::new();
    let lines: Vec<&str> = block.text.lines().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let end = lines.iter().skip(at + 1).position(|line| line.starts_with("$ ")).map_or(lines.len(), |n| at + 1 + n);
        let shown = &lines[at + 1..end];
        written.push_str(&format!("{line}\n"));
        let printed = line.strip_prefix("$ ").and_then(|command| project.command(command));
        let fits = printed.as_ref().is_none_or(|printed| {
            let printed = printed.trim_end().lines().collect::<Vec<_>>();
            says(shown, &printed, about)
        });
        match printed {
            Some(printed) if !fits => written.push_str(&format!("{}\n", printed.trim_end())),
            _ => shown.iter().for_each(|line| written.push_str(&format!("{line}\n"))),
        }
        at = end;
    }
    written.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// The game file that a fragment belongs to.
fn whole_game(fragment: &str) -> String {
    let begins = |word: &str| fragment.lines().any(|line| line.split_whitespace().next() == Some(word));
    let kept = DEMO.iter().filter(|line| !begins(line.split_whitespace().next().unwrap()));
    kept.map(|line| format!("{line}\n")).chain([fragment.to_owned()]).collect()
}

/// A scenario of these lines.
fn whole_scenario(lines: &str) -> String {
    format!("use race short\n\nscenario \"Lines\"\n{lines}")
}

/// Tries a block of a page; returns the correct block if it is a console block with other output.
fn try_block(project: &Project, page: &str, block: &Block) -> Option<String> {
    let place = format!("{page}:{}", block.line);
    let passes = |arguments: &[&str]| {
        let (said, code) = project.referee(arguments);
        assert!(code == 0, "{place}: this block does not pass\n{said}");
    };
    if let ("change", Some(path)) = (block.first(), block.path()) {
        let (old, new) = block.text.split_once(" -> ").unwrap();
        let text = fs::read_to_string(project.0.path().join(path)).unwrap();
        assert!(text.contains(old), "{place}: {path} does not hold `{old}`");
        project.write(path, &text.replace(old, new));
    } else if let ("append", Some(path)) = (block.first(), block.path()) {
        let text = fs::read_to_string(project.0.path().join(path)).unwrap();
        project.write(path, &format!("{text}{}", block.text));
    } else if let Some(path) = block.path() {
        project.write(path, &block.text);
        if let Ok(original) = fs::read_to_string(shown(path)) {
            assert_eq!(original, block.text, "{place}: docs/{path} is shown otherwise than it is");
        }
    }
    match (block.first(), block.path()) {
        ("scenario", Some(path)) => passes(&["test", path]),
        ("scenario", None) => {
            project.write("alone.scenario", &block.text);
            passes(&["test", "alone.scenario"]);
        }
        ("lines", None) => {
            project.write("alone.scenario", &whole_scenario(&block.text));
            passes(&["check", "alone.scenario"]);
        }
        ("game", None) => {
            project.write("alone/demo/demo.game", &whole_game(&block.text));
            for (file, text) in
                [("rules.rhai", "fn turn(me) { roll_no_die(); }\nfn roll_no_die() {}\n"), ("RULES.md", "")]
            {
                project.write(&format!("alone/demo/{file}"), text);
            }
            passes(&["check", "alone/demo/demo.game"]);
        }
        ("rhai", Some(_)) => passes(&["check", "games"]),
        ("rhai", None) => {
            let rules = project.0.path().join("games/race/rules.rhai");
            let kept = fs::read_to_string(&rules).unwrap();
            // House rules go over the rules of the whole game, not over a fragment.
            let (houses, aside) = (project.0.path().join("games/race/house"), project.0.path().join("house"));
            fs::rename(&houses, &aside).unwrap();
            fs::write(&rules, &block.text).unwrap();
            passes(&["check", "games/race"]);
            fs::write(&rules, kept).unwrap();
            fs::rename(&aside, &houses).unwrap();
        }
        ("console", _) => {
            let should_be = console(project, block);
            return (should_be != block.text).then_some(should_be);
        }
        ("game" | "file" | "append" | "change", Some(_)) => {}
        ("text" | "python" | "lua" | "toml", _) => {}
        (other, _) => unreachable!("{place}: nobody knows what to do with a block `{other}`"),
    }
    None
}

/// Tries the blocks of all pages, or all but the slow ones.
fn examples_come_out_as_shown(slow: bool) {
    for path in pages() {
        let page = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        if page == "docs/mistakes.md" {
            continue;
        }
        let mut text = fs::read_to_string(&path).unwrap();
        let blocks = blocks(&text);
        let project = Project::new(&blocks);
        for block in blocks.into_iter().filter(|block| slow || !block.info.iter().any(|word| word == "slow")) {
            let Some(should_be) = try_block(&project, &page, &block) else { continue };
            assert!(
                writing(),
                "{page}:{}: stale: run `REFEREE_WRITE=1 cargo test docs`\nshown:\n{}\nprinted:\n{should_be}",
                block.line,
                block.text
            );
            let open = format!("```{}\n", block.info.join(" "));
            text = text.replacen(&format!("{open}{}```", block.text), &format!("{open}{should_be}```"), 1);
            fs::write(&path, &text).unwrap();
        }
    }
}

#[test]
fn every_example_of_the_documentation_comes_out_as_shown() {
    examples_come_out_as_shown(writing());
}

#[test]
#[ignore = "some commands take seconds in the dev build"]
fn every_example_of_the_documentation_comes_out_as_shown_in_full() {
    examples_come_out_as_shown(true);
}

/// The most lines of the picture in the README.
const PICTURED: usize = 32;

/// The picture shows what the first console block of the README prints, in colour.
#[test]
fn the_picture_of_the_readme_is_what_the_program_prints() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let blocks = blocks(&text);
    let project = Project::new(&blocks);
    for block in blocks.iter().take_while(|block| block.first() != "console") {
        assert!(try_block(&project, "README.md", block).is_none());
    }
    let mut command = referee();
    command
        .current_dir(project.0.path())
        .arg("test")
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .env_remove("CI");
    let printed = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(printed.contains('\u{1b}'), "no colours:\n{printed}");
    let shown: Vec<&str> = std::iter::once("$ referee test").chain(printed.lines()).take(PICTURED).collect();
    let picture = anstyle_svg::Term::new().render_svg(&shown.join("\n"));
    let page = root().join("docs/failing.svg");
    if fs::read_to_string(&page).is_ok_and(|known| known == picture) {
        return;
    }
    assert!(writing(), "docs/failing.svg is stale: run `REFEREE_WRITE=1 cargo test docs`");
    fs::write(&page, picture).unwrap();
}

/// The reference of the rules API: its introduction, and every function as it is registered.
fn rules_api() -> String {
    let mut page = fs::read_to_string(shown("rules-api.intro.md")).unwrap();
    let mut subject = "";
    for entry in referee_rules::reference() {
        if entry.subject() != subject {
            subject = entry.subject();
            page.push_str(&format!("\n### {subject}\n\n| function | | for example |\n|---|---|---|\n"));
        }
        let cell = |text: &str| text.replace('|', "\\|");
        let example = entry.example();
        let example = cell(&format!("`{}` → `{}`", example.code, example.gives));
        page.push_str(&format!("| `{}` | {} | {example} |\n", cell(&entry.written()), cell(entry.doc())));
    }
    page
}

#[test]
fn the_reference_of_the_rules_api_is_what_the_program_has() {
    let page = shown("rules-api.md");
    let should_be = rules_api();
    if fs::read_to_string(&page).is_ok_and(|text| text == should_be) {
        return;
    }
    assert!(writing(), "docs/rules-api.md is stale: run `REFEREE_WRITE=1 cargo test docs`");
    fs::write(&page, should_be).unwrap();
}

/// For each bundled game, the functions of the rules API that its rules and house rules use.
fn used() -> Vec<(String, BTreeSet<String>)> {
    let of_game = |id: String| {
        let folder = root().join("games").join(&id).join("house");
        let files = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut houses: Vec<String> =
            files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        houses.sort();
        let over = houses.iter().map(|house| vec![house.as_str()]);
        let all = std::iter::once(Vec::new()).chain(over);
        let used = all.flat_map(|houses| Playable::load(&id, &houses).program.natives_used()).collect();
        (id, used)
    };
    games().into_iter().map(of_game).collect()
}

/// The part of docs/performance.md that says which games use which function.
fn table_of_uses() -> String {
    let used = used();
    let mut table = String::from("| function | games |\n|---|---|\n");
    for form in referee_rules::reference() {
        let form = form.written();
        let games = used.iter().filter(|(_, used)| used.contains(&form)).map(|(id, _)| id.as_str());
        let games = games.collect::<Vec<_>>().join(", ");
        let row = format!("| `{}` | {games} |\n", form.replace('|', "\\|"));
        table.push_str(&row.replace("|  |", "| |"));
    }
    table
}

#[test]
fn the_table_of_uses_is_what_games_use() {
    let page = shown("performance.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once("| function | ").unwrap();
    let after: String = rest.split_inclusive('\n').skip_while(|line| line.starts_with(['|', 'S', 'g'])).collect();
    let should_be = format!("{before}{}{after}", table_of_uses());
    if text != should_be {
        assert!(writing(), "docs/performance.md is stale: run `REFEREE_WRITE=1 cargo test docs`");
        fs::write(&page, should_be).unwrap();
    }
}

/// Returns the number of lines of a file of a game that say something.
fn lines_of_code(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let says = |line: &&str| !line.is_empty() && !line.starts_with("//") && !line.starts_with("# ");
    text.lines().map(str::trim).filter(says).count()
}

#[test]
fn the_tutorial_lists_all_bundled_games_with_their_lines() {
    let of_game = |id: String| {
        let files = fs::read_dir(root().join("games").join(&id)).unwrap().map(|entry| entry.unwrap().path());
        let counted = files.filter(|path| path.extension().is_some_and(|kind| kind == "game" || kind == "rhai"));
        (counted.map(|path| lines_of_code(&path)).sum::<usize>(), id)
    };
    let text = fs::read_to_string(shown("tutorial.md")).unwrap();
    let list = text.split("## The bundled games").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = list.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let id = cells.next().unwrap().trim_matches('`').to_owned();
        (cells.next().unwrap().parse().unwrap(), id)
    };
    assert_eq!(rows.map(row).collect::<Vec<(usize, String)>>(), games().into_iter().map(of_game).collect::<Vec<_>>());
}

/// The sections of the page of mistakes: code and text.
fn sections() -> Vec<(String, String)> {
    let text = fs::read_to_string(shown("mistakes.md")).unwrap();
    let parts = text.split("\n## ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).map(|(code, text)| (code.to_owned(), text.to_owned())).collect()
}

/// What is said of the codes of checks of rules is written with the check, and nowhere else.
#[test]
fn the_page_says_of_checks_what_their_entries_say() {
    let page = shown("mistakes.md");
    let text = fs::read_to_string(&page).unwrap();
    let (head, _) = text.split_once("\n## ").unwrap();
    let mut all: BTreeMap<String, String> =
        sections().into_iter().map(|(code, text)| (code, text.trim().to_owned())).collect();
    all.extend(explained().iter().map(|entry| (entry.code().to_string(), entry.text().to_owned())));
    let mut should_be = format!("{}\n", head.trim_end());
    for (code, text) in all {
        should_be.push_str(&format!("\n## {code}\n\n{text}\n"));
    }
    if text != should_be {
        assert!(writing(), "docs/mistakes.md is stale: run `REFEREE_WRITE=1 cargo test docs`");
        fs::write(&page, should_be).unwrap();
    }
}

#[test]
fn every_mistake_of_the_page_is_answered_by_its_code() {
    let mut wrong = Vec::new();
    for (code, text) in sections() {
        for block in blocks(&text) {
            let said = mistake(&block);
            if !said.lines().any(|line| line == format!("referee::{code}")) {
                wrong.push(format!("## {code}: this block is answered by\n{said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the output of `referee` for a block of the page of mistakes.
fn mistake(block: &Block) -> String {
    let project = Project::new(&[]);
    let play = "turn red\nroll stride 3\n";
    let house = block.path().is_some_and(|path| path.contains("/house/"));
    match (block.first(), block.path()) {
        ("game", None) => {
            project.write("games/demo/rules.rhai", "fn turn(me) { }\n");
            project.write("games/demo/demo.game", &whole_game(&block.text));
            return project.referee(&["check", "games/demo"]).0;
        }
        ("lines", None) => project.write("scenarios/wrong.scenario", &whole_scenario(&block.text)),
        ("rhai", None) => project.write("games/race/rules.rhai", &block.text),
        (_, Some(path)) => project.write(path, &block.text),
        (other, None) => unreachable!("line {}: nobody knows what to do with a block of `{other}`", block.line),
    }
    if !project.0.path().join("scenarios/wrong.scenario").exists() {
        let house = if house { "with house \"wrong\"\n" } else { "" };
        project.write("scenarios/wrong.scenario", &whole_scenario(&format!("{house}{play}")));
    }
    project.referee(&["test"]).0
}

#[test]
fn every_code_is_explained_and_every_explained_code_exists() {
    let codes: Vec<&str> = Code::all().iter().map(|code| code.name()).collect();
    let explained: Vec<String> = sections().into_iter().map(|(code, _)| code).collect();
    assert!(codes.is_sorted(), "the codes are not in the order of the alphabet");
    assert_eq!(explained, codes, "docs/mistakes.md does not have one section for each code, in the same order");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut named = BTreeSet::new();
    let mut inside = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[workspace.dependencies]";
        } else if let Some((name, _)) =
            line.split_once(" = ").filter(|(name, _)| inside && !name.starts_with("referee-"))
        {
            named.insert(name.to_owned());
        }
    }
    let page = fs::read_to_string(shown("dependencies.md")).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let explained: BTreeSet<String> = cells
        .flat_map(|cell| cell.split(", "))
        .map(|name| name.split('`').find(|part| !part.is_empty()).unwrap().to_owned())
        .collect();
    assert_eq!(named, explained, "docs/dependencies.md names other dependencies than Cargo.toml");
}
