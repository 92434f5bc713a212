//! Sorts the lines of a file into its scenarios and shared positions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic, MAX_PROBLEMS, did_you_mean, nearest};
use referee_source::{Source, Span};
use referee_syntax::ast::{File, Line, LineKind, game_line, play_line, position_line, scenario_line};

/// The `use` line that applies to a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) game: Span,
    pub(crate) variant: Option<Span>,
}

/// One scenario: its own lines before the first branch, and its branches.
#[derive(Debug)]
pub(crate) struct Block<'f> {
    pub(crate) used: Option<Use>,
    pub(crate) head: &'f Line,
    pub(crate) title: Span,
    pub(crate) lines: Vec<&'f Line>,
    pub(crate) branches: Vec<Branch<'f>>,
    branch_titles: BTreeSet<&'f str>,
    pub(crate) extent: Span,
}

/// One branch of a scenario.
#[derive(Debug)]
pub(crate) struct Branch<'f> {
    pub(crate) head: &'f Line,
    pub(crate) title: Span,
    pub(crate) lines: Vec<&'f Line>,
}

/// A shared position.
#[derive(Debug)]
pub(crate) struct Shared<'f> {
    /// The `use` line that applies to it.
    pub(crate) used: Option<Use>,
    pub(crate) head: &'f Line,
    pub(crate) title: Span,
    pub(crate) lines: Vec<&'f Line>,
}

/// The scenarios of a file, and its shared positions by title.
#[derive(Debug, Default)]
pub(crate) struct Blocks<'f> {
    pub(crate) scenarios: Vec<Block<'f>>,
    /// Every `use` line.
    pub(crate) uses: Vec<Use>,
    pub(crate) positions: BTreeMap<&'f str, Shared<'f>>,
    /// The columns that the lines of shared positions use, with other words of their expressions.
    pub(crate) columns: BTreeSet<&'f str>,
    pub(crate) wrong: Vec<Diagnostic>,
    /// Whether some lines could not be read.
    pub(crate) unread: bool,
    /// Whether one of these is a `use` line: scenarios after it play an unknown game.
    pub(crate) use_unread: bool,
}

impl<'f> Blocks<'f> {
    /// Records an error; those after so many that the file is not this language are dropped.
    fn report(&mut self, wrong: Diagnostic) {
        if self.wrong.len() < MAX_PROBLEMS {
            self.wrong.push(wrong);
        }
    }

    /// Returns the shared positions that no scenario of the file uses, directly or in a table.
    pub(crate) fn unused<'b>(&'b self, source: &'b Arc<Source>) -> impl Iterator<Item = &'b Shared<'f>> {
        let lines = self
            .scenarios
            .iter()
            .flat_map(|block| block.lines.iter().chain(block.branches.iter().flat_map(|branch| &branch.lines)));
        let mut named: BTreeSet<&str> = BTreeSet::new();
        let mut listed: BTreeSet<&str> = BTreeSet::new();
        let mut placeholders = false;
        for line in lines {
            match &line.kind {
                LineKind::From(title) => {
                    let word = source.word(*title);
                    placeholders |= !word.quoted;
                    named.insert(word.text);
                }
                LineKind::Examples(table) => listed.extend(table.iter().flat_map(|row| in_row(source, *row))),
                _ => {}
            }
        }
        let used = move |name: &str| named.contains(name) || placeholders && listed.contains(name);
        self.positions.iter().filter(move |(name, _)| !used(name)).map(|(_, shared)| shared)
    }
}

/// Returns the words of the cells of a table's row.
pub(crate) fn in_row(source: &Source, row: Span) -> impl Iterator<Item = &str> {
    let quoted = source.slice(row).split('"').skip(1).step_by(2);
    quoted.chain(source.slice(row).split(['|', ' ', '\t']))
}

/// The block that takes the next line.
enum Open<'f> {
    Nothing,
    Scenario,
    Position(&'f str),
    /// One whose first line could not be read. Its lines belong to no other.
    Unread,
}

/// The words that begin a block of lines.
const HEADS: [&str; 4] = ["scenario", "position", "branch", "use"];

/// Returns the places of the lines that begin a block and could not be read, in order.
fn unread_heads(source: &Arc<Source>, unread: &[Diagnostic]) -> Vec<(u32, &'static str)> {
    let labels = unread.iter().filter_map(|wrong| wrong.labels.first());
    let head = |span: Span| {
        let line = source.slice(source.line_span(source.line(span.start))).trim_start();
        HEADS.into_iter().find(|head| line.strip_prefix(head).is_some_and(|rest| rest.starts_with([' ', '"'])))
    };
    let of_file = labels.filter(|label| Arc::ptr_eq(&label.source, source));
    let mut heads: Vec<_> = of_file.filter_map(|label| Some((label.span.start, head(label.span)?))).collect();
    heads.sort_unstable();
    heads
}

/// Returns the word that a line was meant to begin with: `scenaro "A walk"` is read as a player's answer.
fn misspelt_head(source: &Arc<Source>, kind: &LineKind) -> Option<&'static str> {
    let LineKind::Answer(words) = kind else { return None };
    let (first, rest) = words.split_first()?;
    let head = nearest(source.word(*first).text, HEADS)?;
    let titled = matches!(rest, [title] if source.word(*title).quoted);
    (titled && head != "use").then_some(head)
}

/// Sorts the lines of a file; `unread` are the errors of lines of the file that could not be read.
pub(crate) fn sort<'f>(file: &'f File, unread: &[Diagnostic]) -> Blocks<'f> {
    let mut blocks = Blocks { unread: !unread.is_empty(), ..Blocks::default() };
    let mut heads = unread_heads(&file.source, unread).into_iter().peekable();
    let mut used = None;
    let mut open = Open::Nothing;
    let mut titles: BTreeMap<&str, Span> = BTreeMap::new();
    let source = &file.source;
    for line in &file.lines {
        while let Some((_, head)) = heads.next_if(|(at, _)| *at < line.span.start) {
            open = Open::Unread;
            if head == "use" {
                blocks.use_unread = true;
                used = None;
            }
        }
        match &line.kind {
            LineKind::Use { game, variant } => {
                used = Some(Use { game: *game, variant: *variant });
                blocks.uses.extend(used);
                open = Open::Nothing;
            }
            LineKind::Scenario(title) => {
                if let Some(first) = titles.get(source.word(*title).text) {
                    blocks.report(same_title(source, *title, *first));
                }
                titles.entry(source.word(*title).text).or_insert(*title);
                blocks.scenarios.push(Block {
                    used,
                    head: line,
                    title: *title,
                    lines: Vec::new(),
                    branches: Vec::new(),
                    branch_titles: BTreeSet::new(),
                    extent: line.span,
                });
                open = Open::Scenario;
            }
            LineKind::Position(title) => {
                begin_position(&mut blocks, used, (line, *title), source);
                open = Open::Position(source.word(*title).text);
            }
            kind => {
                if let Some(head) = misspelt_head(source, kind) {
                    blocks.report(misspelt(source, line, head));
                    blocks.unread = true;
                    open = Open::Unread;
                } else {
                    place(&mut blocks, &open, line, source);
                }
            }
        }
    }
    blocks.columns =
        blocks.positions.values().flat_map(|shared| &shared.lines).flat_map(|line| used_in(source, line)).collect();
    blocks
}

/// Returns the error for the second scenario with a title.
fn same_title(source: &Arc<Source>, second: Span, first: Span) -> Diagnostic {
    let wrong = Diagnostic::new(Code::DuplicateName, source, second, "there are two scenarios with this title");
    wrong.also(source, first, "the first one").help("give each scenario its own title")
}

/// Returns the error for a line that was meant to begin with `head`.
fn misspelt(source: &Arc<Source>, line: &Line, head: &str) -> Diagnostic {
    let length = source.slice(line.span).split([' ', '\t']).next().map_or(0, str::len);
    let word = Span { end: line.span.start + Span::new(0..length).end, ..line.span };
    let message = format!("unknown keyword or player `{}`", source.slice(word));
    Diagnostic::unread(Code::UnknownLine, source, word, message).help(format!("did you mean `{head}`?"))
}

/// Adds a shared position.
fn begin_position<'f>(
    blocks: &mut Blocks<'f>,
    used: Option<Use>,
    (head, title): (&'f Line, Span),
    source: &'f Arc<Source>,
) {
    let name = source.word(title).text;
    let shared = Shared { used, head, title, lines: Vec::new() };
    if blocks.positions.insert(name, shared).is_some() {
        let message = format!("there are two positions \"{name}\"");
        blocks.report(Diagnostic::new(Code::DuplicateName, source, title, message));
    }
}

fn place<'f>(blocks: &mut Blocks<'f>, open: &Open<'f>, line: &'f Line, source: &'f Arc<Source>) {
    match (open, blocks.scenarios.last_mut()) {
        (Open::Scenario, Some(block)) => {
            block.extent = block.extent.to(whole(line));
            let mut twice = None;
            match (&line.kind, block.branches.last_mut()) {
                (LineKind::Branch(title), _) => {
                    let name = source.word(*title).text;
                    if !block.branch_titles.insert(name) {
                        let wrong = Diagnostic::new(
                            Code::DuplicateName,
                            source,
                            *title,
                            "there are two branches with this title",
                        );
                        twice = Some(wrong.help("give each branch of a scenario its own title"));
                    }
                    block.branches.push(Branch { head: line, title: *title, lines: Vec::new() })
                }
                (_, Some(branch)) => branch.lines.push(line),
                (_, None) => block.lines.push(line),
            }
            twice.into_iter().for_each(|wrong| blocks.report(wrong));
        }
        (Open::Position(name), _) => {
            if matches!(line.kind, LineKind::From(_)) {
                let wrong = Diagnostic::unread(
                    Code::MisplacedLine,
                    source,
                    line.span,
                    "a shared position cannot begin with another",
                );
                blocks.report(wrong.help("copy its lines to this position"));
            } else if is_position(&line.kind) {
                blocks.positions.entry(name).and_modify(|shared| shared.lines.push(line));
            } else {
                let message = "a shared position can contain only position lines";
                blocks.report(
                    Diagnostic::unread(Code::MisplacedLine, source, line.span, message)
                        .help("use lines such as `board`, `piece`, `place`, `set` and `players`"),
                );
            }
        }
        (Open::Unread, _) => {}
        _ => {
            // Reported once; and not at all if the first line of the scenario may be one that could not be read.
            let message = "this line is outside any scenario";
            if blocks.unread || blocks.wrong.iter().any(|wrong| wrong.message == message) {
                return;
            }
            let wrong = Diagnostic::unread(Code::MisplacedLine, source, line.span, message);
            let help = match line.kind {
                LineKind::Answer(ref words) => {
                    let first = words.first().map_or("", |span| source.word(*span).text);
                    blocks.use_unread |= nearest(first, HEADS) == Some("use");
                    did_you_mean(first, ["scenario", "use", "position"])
                }
                LineKind::WithHouse(_) | LineKind::With { .. } => {
                    Some(format!("write it in each scenario, below its title: `{}`", source.slice(line.span)))
                }
                _ => None,
            };
            blocks.report(wrong.help(help.unwrap_or_else(|| "begin with a line `scenario \"Its title\"`".to_owned())));
        }
    }
}

/// Returns the span of a line and the rows below it.
pub(crate) fn whole(line: &Line) -> Span {
    let last = line.kind.rows().and_then(|(_, rows)| rows.last());
    last.map_or(line.span, |row| line.span.to(*row))
}

/// Returns whether a line is part of a position.
pub(crate) const fn is_position(kind: &LineKind) -> bool {
    match kind {
        position_line!() => true,
        play_line!() | scenario_line!() | game_line!() | LineKind::When { .. } | LineKind::At { .. } => false,
    }
}

/// Returns the columns that a line uses, and other words of its expressions.
pub(crate) fn used_in<'f>(source: &'f Source, line: &'f Line) -> impl Iterator<Item = &'f str> {
    let letter = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
    let is_table = matches!(line.kind, LineKind::Examples(_));
    let expression = line.kind.expression().filter(|_| !is_table).map_or("", |expression| source.slice(expression));
    let text = if is_table { "" } else { source.slice(whole(line)) };
    let placeholders = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.trim()));
    expression.split(letter).chain(placeholders)
}
