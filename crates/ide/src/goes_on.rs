//! Where an example goes on: below which line an answer belongs, and what follows it.

use super::edit::indentation;
use referee_source::Source;
use referee_syntax::ast::{Line, LineKind, game_line, play_line, position_line, scenario_line};

/// Where an example goes on below one of its lines. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoesOn {
    /// The line below which an answer belongs: lines such as `with` and `covers` come before play.
    pub below: usize,
    /// The spaces before a line there.
    pub indent: String,
    /// The next line that plays or sets the position, without its rows.
    pub next: Option<String>,
    /// Whether that line sets the position, so that play before it would be another.
    pub sets_position: bool,
    /// The line with the title of the example, or of the shared position.
    pub title: usize,
    /// The spaces before a line below the title.
    pub title_indent: String,
    /// The line of the diagram with which the example begins.
    pub diagram: Option<usize>,
}

/// The part that a line has in an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// It begins an example, or ends the one above.
    Begins,
    /// It begins a part of an example.
    Branches,
    /// It comes before play and does not change the position.
    Heads,
    /// It sets the position.
    Sets,
    Plays,
    /// It judges what was played.
    Judges,
    /// It is no line of an example.
    Other,
}

const fn part(kind: &LineKind) -> Part {
    match kind {
        LineKind::Scenario(_) | LineKind::Position(_) | LineKind::Use { .. } => Part::Begins,
        LineKind::Branch(_) | LineKind::Examples(_) => Part::Branches,
        LineKind::Players { .. } => Part::Heads,
        LineKind::Setup => Part::Sets,
        LineKind::Expect(_) | LineKind::Refuse { .. } | LineKind::When { .. } | LineKind::At { .. } => Part::Judges,
        position_line!() => Part::Sets,
        play_line!() => Part::Plays,
        scenario_line!() => Part::Heads,
        game_line!() => Part::Other,
    }
}

/// Returns where an example goes on below line `number`; `None` outside all examples.
pub(super) fn goes_on(source: &Source, lines: &[Line], number: usize) -> Option<GoesOn> {
    let is_above = |line: &Line| source.line(line.span.start) <= number;
    let is_title = |line: &Line| matches!(line.kind, LineKind::Scenario(_) | LineKind::Position(_));
    let first = lines.iter().rposition(|line| is_above(line) && is_title(line))?;
    let (title, below) = lines.get(first..)?.split_first()?;
    let rest = below.split(|line| part(&line.kind) == Part::Begins).next()?;
    let (above, after) = rest.split_at_checked(rest.partition_point(is_above))?;
    let own = above.last().unwrap_or(title);
    let heads = match part(&own.kind) {
        Part::Begins | Part::Heads => after.iter().take_while(|line| part(&line.kind) == Part::Heads).count(),
        _ => 0,
    };
    let (heads, after) = after.split_at_checked(heads)?;
    let next = after
        .iter()
        .find(|line| !matches!(part(&line.kind), Part::Judges | Part::Heads))
        .filter(|line| matches!(part(&line.kind), Part::Sets | Part::Plays));
    let diagram = rest.iter().find(|line| matches!(&line.kind, LineKind::Board { rows, .. } if !rows.is_empty()));
    Some(GoesOn {
        below: heads.last().map_or_else(|| below_comments(source, own, number), |last| last_line(source, last)),
        indent: indent_below(source, own),
        next: next.map(|line| source.slice(line.span).to_owned()),
        sets_position: next.is_some_and(|line| part(&line.kind) == Part::Sets),
        title: source.line(title.span.start),
        title_indent: indent_below(source, title),
        diagram: diagram.map(|line| source.line(line.span.start)),
    })
}

/// Returns line `number` if only comments and empty lines are between it and the line above; otherwise the last line of
/// that one.
fn below_comments(source: &Source, above: &Line, number: usize) -> usize {
    let last = last_line(source, above);
    let is_bare = |number: usize| {
        let text = source.shown().get(source.line_span(number).range()).unwrap_or_default().trim_start();
        text.is_empty() || text.starts_with('#')
    };
    if (last + 1..=number).all(is_bare) { number.max(last) } else { last }
}

/// Returns the number of the last line of a line with its rows.
pub(super) fn last_line(source: &Source, line: &Line) -> usize {
    let row = line.kind.rows().and_then(|(_, rows)| rows.last());
    source.line(row.map_or(line.span.end, |row| row.end))
}

/// Returns the spaces before a line that follows another.
pub(super) fn indent_below(source: &Source, line: &Line) -> String {
    let own = indentation(source, line.span);
    match line.kind {
        LineKind::Scenario(_) | LineKind::Position(_) | LineKind::Branch(_) => format!("{own}  "),
        _ => own,
    }
}
