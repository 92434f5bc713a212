//! The findings of an exploration, as text and as JSON.

use serde::Serialize;

use super::object::{Fields, Object, full_code, line, object};
use referee_diagnostic::{Diagnostic, Renderer, counted, printable};
use referee_scenario::{Extent, MAX_MEGABYTES, MEGABYTE, Unreached};
use referee_table::Schema;

/// The most lines that are shown of a game that could not be shrunk.
const SHOWN: usize = 40;

/// The findings of an exploration. Its report is made from this alone.
#[derive(Debug)]
pub struct Exploration<'e> {
    /// The game.
    pub schema: &'e Schema,
    /// The seed of the random games.
    pub seed: u64,
    /// The number of the first random game.
    pub first: u64,
    /// The number of random games.
    pub games: u64,
    /// The number of turns after which a game was stopped.
    pub max_turns: u64,
    /// The holes, sorted.
    pub holes: Vec<FoundHole>,
    /// The other numbers of players with whom the same number of games was played.
    pub other_players: Vec<usize>,
    /// How far all play was followed: for the players of the first games, and for each other number of players.
    pub extents: Vec<(Option<usize>, Extent)>,
    /// The hints, sorted.
    pub hints: Vec<Hint>,
    /// The parts of the rules that were not run, by script.
    pub unreached: Vec<Unreached>,
    /// The flag for the folder to which scenarios are written.
    pub write_flag: &'static str,
    /// The flag for the memory for states.
    pub memory_flag: &'static str,
}

/// A hole in the rules, with the shortest scenario that shows it.
#[derive(Debug)]
pub struct FoundHole {
    /// The message.
    pub diagnostic: Diagnostic,
    /// The number of random games in which it was found.
    pub games: u64,
    /// The number of the shortest random game with it, if there is one.
    pub game: Option<u64>,
    /// The least number of answers that lead to it, if it was found by following all play.
    pub answers: Option<usize>,
    /// The command that finds it again.
    pub again: String,
    /// The scenario.
    pub scenario: String,
    /// Whether the scenario shows the hole when it is played.
    pub shows: bool,
    /// The file to which the scenario was written.
    pub file: Option<String>,
    /// The value of an option with which it was found, if it is not that of the other games.
    pub with: Option<WithSetting>,
    /// The number of players with whom it was found, if it is not that of the first games.
    pub players: Option<usize>,
}

/// Games with another value of an option.
#[derive(Debug)]
pub struct WithSetting {
    /// The option and the value, as `--with` takes them.
    pub setting: String,
    /// The number of these games.
    pub games: u64,
}

/// Something that may be a hole.
#[derive(Debug)]
pub struct Hint {
    /// The message, with its place in the rules.
    pub diagnostic: Diagnostic,
}

impl Exploration<'_> {
    /// Returns the report as text.
    #[must_use]
    pub fn human(&self, colour: bool) -> String {
        let last = self.first + self.games - 1;
        let games = if self.games == 1 { format!("game {last}") } else { format!("games {} to {last}", self.first) };
        let mut text = printable(&format!("{}: {games} of seed {}\n", self.schema.title, self.seed));
        if !self.other_players.is_empty() {
            let others: Vec<String> = self.other_players.iter().map(usize::to_string).collect();
            text.push_str(&format!(
                "the same number of games with each other number of players: {}\n",
                others.join(", ")
            ));
        }
        for (players, extent) in &self.extents {
            let with = players.filter(|_| *extent != Extent::Unasked);
            text.push_str(&with.map_or_else(String::new, |players| format!("with {players} players: ")));
            text.push_str(&followed(extent, self.memory_flag));
        }
        for hole in &self.holes {
            text.push_str(&format!("\n{}", Renderer { colour }.render(&hole.diagnostic)));
            text.push_str(&format!("\n{}", printable(&hole.human(self.games, self.write_flag))));
        }
        if !self.hints.is_empty() {
            text.push('\n');
        }
        self.hints.iter().for_each(|hint| text.push_str(&printable(&hint.human())));
        text.push_str(&printable(&not_reached(&self.unreached)));
        text.push_str(&format!("\n{}, {}\n", counted(self.holes.len(), "hole"), counted(self.hints.len(), "hint")));
        text
    }

    /// Returns the report as JSON: `{"version":1,"game":…,"seed":…,"holes":[…],"hints":[…],"unreached":[…]}`.
    #[must_use]
    pub fn json(&self) -> String {
        let all = object()
            .with("version", 1)
            .with("game", &self.schema.id)
            .with("seed", self.seed)
            .with("first_game", self.first)
            .with("games", self.games)
            .with("max_turns", self.max_turns)
            .filled("other_players", &self.other_players)
            .some("followed", self.extents.first().and_then(|(_, extent)| followed_json(extent)))
            .list("holes", self.holes.iter().map(FoundHole::json))
            .list("hints", self.hints.iter().map(|hint| message(&hint.diagnostic)))
            .list("unreached", self.unreached.iter().map(unreached));
        line(&all)
    }
}

impl FoundHole {
    fn human(&self, games: u64, write_flag: &str) -> String {
        let of = |games: u64| format!("of {}", counted(games, "game"));
        let of_all = match &self.with {
            Some(with) => format!("{} with `{}`", of(with.games), with.setting),
            None => of(games),
        };
        let of_all = match self.players {
            Some(players) => format!("{of_all} with {players} players"),
            None => of_all,
        };
        let mut text = match (self.games, self.answers) {
            (random, None) => format!("found in {random} {of_all}; explore the shortest again: `{}`\n", self.again),
            (random, Some(answers)) => {
                let random = if random > 0 { format!(", and in {random} {of_all}") } else { String::new() };
                format!("found after {}{random}; again: `{}`\n", counted(answers, "answer"), self.again)
            }
        };
        match &self.file {
            Some(file) => text.push_str(&format!("written to {file}\n")),
            None if self.shows => text.push_str("the shortest scenario that shows it:\n\n"),
            None => text.push_str("no scenario shows it; this is the whole game:\n\n"),
        }
        let lines = self.scenario.lines().count();
        let shown = if self.shows { lines } else { lines.min(SHOWN) };
        if self.file.is_none() {
            self.scenario
                .lines()
                .take(shown)
                .for_each(|line| text.push_str(&format!("{}\n", format!("    {line}").trim_end())));
        }
        if self.file.is_none() && shown < lines {
            let more = lines - shown;
            text.push_str(&format!("    … ({more} more lines; `{write_flag} DIR` writes them all)\n"));
        }
        text
    }

    fn json(&self) -> impl Serialize {
        message(&self.diagnostic)
            .with("games", self.games)
            .with("game", self.game)
            .some("players", self.players)
            .some("with", self.with.as_ref().map(|with| &with.setting))
            .some("games_with", self.with.as_ref().map(|with| with.games))
            .some("answers", self.answers)
            .with("again", &self.again)
            .with("scenario", &self.scenario)
            .with("shows", self.shows)
            .some("written", self.file.as_ref())
    }
}

impl Hint {
    fn human(&self) -> String {
        let place = self.diagnostic.labels.first().map(|label| {
            let at = label.source.position(label.span.start);
            format!(" ({}:{}:{})", label.source.name(), at.line, at.column)
        });
        format!("hint: {}{}\n", self.diagnostic.message, place.unwrap_or_default())
    }
}

fn message(diagnostic: &Diagnostic) -> Object<impl Fields> {
    object()
        .with("code", full_code(diagnostic))
        .with("message", &diagnostic.message)
        .with("help", diagnostic.help.as_deref())
        .place(diagnostic)
}

/// Returns the line that says how far all play was followed; none if that was not asked for.
fn followed(extent: &Extent, memory_flag: &str) -> String {
    match extent {
        Extent::Unasked => String::new(),
        Extent::Whole(states) => format!("all play followed: {}\n", counted(*states, "state")),
        Extent::First(states) => format!("play followed to the first {}, not to all\n", counted(*states, "state")),
        Extent::Filled(states, bytes) => {
            let megabytes = bytes / MEGABYTE;
            let larger = megabytes.saturating_mul(4).clamp(2000, MAX_MEGABYTES);
            let more = match larger > megabytes {
                true => format!("; allow more memory, `{memory_flag} {larger}`"),
                false => String::new(),
            };
            let states = counted(*states, "state");
            format!("play followed to the first {states}, which fill {megabytes} MB, the limit on memory{more}\n")
        }
        Extent::Stuck(states) => {
            format!("play followed to {}, then a turn has too many answers\n", counted(*states, "state"))
        }
        Extent::Impossible(why) => format!("play cannot be followed: {why}\n"),
    }
}

fn followed_json(extent: &Extent) -> Option<impl Serialize + use<>> {
    let (states, all, why) = match extent {
        Extent::Unasked => return None,
        Extent::Whole(states) => (*states, true, None),
        Extent::First(states) => (*states, false, None),
        Extent::Filled(states, _) => (*states, false, Some("they fill the memory for states")),
        Extent::Stuck(states) => (*states, false, Some("a turn has too many answers")),
        Extent::Impossible(why) => (0, false, Some(*why)),
    };
    Some(object().with("states", states).with("all", all).some("why", why))
}

/// Returns the lines about the parts that were not run; none if everything was run.
fn not_reached(unreached: &[Unreached]) -> String {
    let mut text = if unreached.is_empty() { String::new() } else { "\nnot reached:\n".to_owned() };
    for Unreached { file, functions, lines } in unreached {
        for (line, name) in functions {
            text.push_str(&format!("  {file}:{line}  function `{name}`\n"));
        }
        for range in lines {
            let (first, last) = (range.start(), range.end());
            let lines = if first == last { format!("line {first}") } else { format!("lines {first} to {last}") };
            text.push_str(&format!("  {file}:{first}  {lines}\n"));
        }
    }
    text
}

fn unreached(unreached: &Unreached) -> impl Serialize {
    let functions = unreached.functions.iter().map(|(line, name)| object().with("name", name).with("line", line));
    let lines = unreached.lines.iter().map(|range| [*range.start(), *range.end()]);
    object().with("file", &unreached.file).list("functions", functions).list("lines", lines)
}
