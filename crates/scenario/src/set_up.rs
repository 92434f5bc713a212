//! The set-up of a game, as the command line names it, and the plan that it becomes.

use std::path::Path;
use std::sync::Arc;

use crate::loader::Loader;
use crate::plan::file::plan_file;
use crate::plan::reading::Reading;
use crate::plan::steps;
use crate::plan::suite::Suite;
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span};
use referee_syntax::ast::{File, Line, LineKind, Trivia};
use referee_table::{Choice, Schema};

/// The words by which messages name the parts of a set-up: flags of the command line, or by default the words of
/// scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetUpFlags {
    /// The flag for the variant; empty if it follows the game.
    pub variant: &'static str,
    /// The flag for the players.
    pub players: &'static str,
    /// The flag for a house rule.
    pub house: &'static str,
    /// The flag for an option.
    pub option: &'static str,
}

impl Default for SetUpFlags {
    fn default() -> Self {
        Self { variant: "", players: "players", house: "with house", option: "with" }
    }
}

/// The set-up of a game.
#[derive(Clone, Debug, Default)]
pub struct SetUp {
    /// The game.
    pub game: String,
    /// The variant; `None` for the first.
    pub variant: Option<String>,
    /// The players.
    pub players: Players,
    /// The house rules, in order.
    pub houses: Vec<String>,
    /// Options and their values.
    pub options: Vec<(String, String)>,
    /// The words that name its parts in messages.
    pub flags: SetUpFlags,
}

/// The players of a set-up.
#[derive(Clone, Debug, Default)]
pub enum Players {
    /// The least number of players, from the beginning of the game's list.
    #[default]
    Fewest,
    /// The first N players of the game's list.
    First(usize),
    /// The players with these names.
    Named(Vec<String>),
}

/// The beginning of play.
#[derive(Clone, Copy)]
enum Begin {
    /// The game's set-up phase.
    SetUp,
    /// The first player's turn.
    Turn,
}

/// Returns the plan of a game's set-up and of the first player's turn, as if a scenario contained these lines.
///
/// # Errors
/// Returns an error if the game is unknown, or if its variant, players, house rules or options are wrong.
pub fn plan_set_up(loader: &mut Loader<'_>, set_up: &SetUp) -> Result<Suite, Vec<Diagnostic>> {
    plan_set_up_as(loader, set_up, &Reading::default())
}

/// The same under a reading of the rules.
pub(super) fn plan_set_up_as(
    loader: &mut Loader<'_>,
    set_up: &SetUp,
    reading: &Reading,
) -> Result<Suite, Vec<Diagnostic>> {
    let first = plan_lines(loader, Lines::of(set_up), reading);
    let Some(plan) = first.tests.first().and_then(|test| test.plan.as_ref()) else { return Err(first.problems) };
    let schema = Arc::clone(&plan.game.schema);
    let variant = plan.start.table.variant;
    let wanted = match &set_up.players {
        Players::Fewest => schema.player_count_of(variant).0,
        Players::First(count) => *count,
        Players::Named(names) => names.len(),
    };
    if let Some(message) = schema.wrong_number_of_players(variant, wanted) {
        let choice = match set_up.flags.variant {
            "" => format!("{} NAME", set_up.game),
            flag => format!("{flag} NAME"),
        };
        let help = schema.help_for_players(variant, wanted, &choice);
        let help = help.unwrap_or_else(|| format!("the players are {}", schema.players.join(", ")));
        let written = match &set_up.players {
            Players::Named(names) => names.join(" "),
            _ => wanted.to_string(),
        };
        let source = Arc::new(Source::command_line(format!("{} {written}", set_up.flags.players)));
        let end = source.text().len();
        let span = Span::new(end - written.len()..end);
        return Err(vec![Diagnostic::new(Code::WrongPlayers, &source, span, message).help(help)]);
    }
    let names = match &set_up.players {
        Players::Named(names) => names.clone(),
        _ => schema.players.iter().take(wanted).cloned().collect(),
    };
    let program = loader.program(&plan.game, &plan.houses)?;
    let begin = if steps::has_set_up(&plan.start.table, &program) { Begin::SetUp } else { Begin::Turn };
    let mut lines = Lines::of(set_up);
    lines.begin(set_up.flags.players, &names, begin);
    Ok(plan_lines(loader, lines, reading))
}

fn plan_lines(loader: &mut Loader<'_>, lines: Lines, reading: &Reading) -> Suite {
    let source = Arc::new(Source::command_line(lines.text));
    let file = File { source, lines: lines.lines, trivia: Trivia::default() };
    plan_file(loader, Path::new(""), &file, Vec::new(), (reading, Some(lines.house_flag)))
}

/// The lines of a scenario, whose words are those of the command line.
#[derive(Default)]
struct Lines {
    text: String,
    lines: Vec<Line>,
    /// The flag for a house rule.
    house_flag: &'static str,
}

impl Lines {
    /// Returns the lines before the players.
    fn of(set_up: &SetUp) -> Self {
        let mut lines = Self { house_flag: set_up.flags.house, ..Self::default() };
        lines.add("", |text| {
            let game = word(text, &set_up.game);
            let variant = set_up.variant.as_ref().map(|variant| {
                let flag = set_up.flags.variant;
                text.push_str(&if flag.is_empty() { " ".to_owned() } else { format!(" {flag} ") });
                word(text, variant)
            });
            LineKind::Use { game, variant }
        });
        // A scenario needs a title; this one is nowhere shown.
        let title = Span::new(0..0);
        lines.lines.push(Line { span: title, kind: LineKind::Scenario(title) });
        for house in &set_up.houses {
            lines.add(&format!("{} ", set_up.flags.house), |text| LineKind::WithHouse(word(text, house)));
        }
        for (name, value) in &set_up.options {
            lines.add(&format!("{} ", set_up.flags.option), |text| {
                let name = word(text, name);
                text.push_str(" = ");
                LineKind::With { name, value: word(text, value) }
            });
        }
        lines
    }

    /// Adds the players and the beginning of play.
    fn begin(&mut self, flag: &str, players: &[String], begin: Begin) {
        let mut first = None;
        self.add(flag, |text| {
            let names: Vec<Span> = players
                .iter()
                .map(|player| {
                    text.push(' ');
                    word(text, player)
                })
                .collect();
            first = names.first().copied();
            LineKind::Players { count: None, names }
        });
        let end = Span::new(self.text.len()..self.text.len());
        let kind = match begin {
            Begin::SetUp => LineKind::Setup,
            Begin::Turn => LineKind::Turn(first.into_iter().collect()),
        };
        self.lines.push(Line { span: first.unwrap_or(end), kind });
    }

    /// Adds a line that begins with `flag`; `words` appends its words to the text.
    fn add(&mut self, flag: &str, words: impl FnOnce(&mut String) -> LineKind) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(flag);
        let kind = words(&mut self.text);
        self.lines.push(Line { span: Span::new(start..self.text.len()), kind });
    }
}

/// Appends a word to the text, and returns its span. A line break in it does not begin a line.
fn word(text: &mut String, word: &str) -> Span {
    let start = text.len();
    text.push_str(&word.replace(['\n', '\r'], " "));
    Span::new(start..text.len())
}

/// Returns each value of each option that is not its default; of a range of numbers, the lowest and the highest.
pub(crate) fn settings_of(schema: &Schema) -> impl Iterator<Item = (String, String)> + '_ {
    schema.options.iter().flat_map(|option| {
        let values = match &option.choice {
            Choice::Words(words) => words.iter().skip(1).map(ToString::to_string).collect(),
            Choice::Numbers(low, high, default) => {
                [low, high].into_iter().filter(|number| *number != default).map(ToString::to_string).collect::<Vec<_>>()
            }
        };
        let values = values.into_iter();
        values.map(|value| (option.name.clone(), value))
    })
}
