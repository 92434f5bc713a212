//! Parts that several kinds of lines have: rows below them, and embedded expressions. The matches here have no arm `_`, so
//! the compiler reports a kind of line that is left out.

use super::ast::{Expect, LineKind, Row, Tail, game_line, position_line};
use referee_source::Span;

/// The kinds of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// A row of a board.
    Diagram,
    /// A row of a table of examples.
    Table,
    /// An event.
    Events,
}

impl RowKind {
    /// Returns the mark before the row.
    #[must_use]
    pub const fn mark(self) -> char {
        match self {
            Self::Diagram | Self::Table => '|',
            Self::Events => '>',
        }
    }
}

/// The kinds of lines of play without rows and expressions.
macro_rules! plain_play_line {
    () => {
        LineKind::Shuffle { .. }
            | LineKind::Deal { .. }
            | LineKind::Setup
            | LineKind::Turn(_)
            | LineKind::Resume(_)
            | LineKind::Do(_)
            | LineKind::Roll(_)
            | LineKind::Draw(_)
            | LineKind::Answer(_)
            | LineKind::Agree(_)
            | LineKind::Refuse { .. }
    };
}

/// The rows of a line, by reference or by mutable reference as the line is.
macro_rules! rows_of {
    ($line:expr) => {
        match $line {
            LineKind::Board { rows, .. } | LineKind::Expect(Expect::Board(rows)) => Some((RowKind::Diagram, rows)),
            LineKind::Examples(rows) => Some((RowKind::Table, rows)),
            LineKind::Expect(Expect::Events { rows, .. }) => Some((RowKind::Events, rows)),
            LineKind::Expect(
                Expect::Words(_)
                | Expect::Condition { .. }
                | Expect::Asks(_)
                | Expect::Choices { .. }
                | Expect::ChoicesCount { .. }
                | Expect::Snapshot
                | Expect::Perft(_)
                | Expect::Chance { .. }
                | Expect::Expression(_)
                | Expect::Question { .. },
            )
            | LineKind::Piece(_)
            | LineKind::Place(_)
            | LineKind::Set(_)
            | LineKind::Cards { .. }
            | LineKind::Arrow(_)
            | LineKind::Players { .. }
            | LineKind::From(_)
            | LineKind::FromSetup
            | LineKind::Use { .. }
            | LineKind::Scenario(_)
            | LineKind::Position(_)
            | LineKind::Branch(_)
            | LineKind::Cites(_)
            | LineKind::Covers(_)
            | LineKind::With { .. }
            | LineKind::WithHouse(_)
            | LineKind::Always { .. }
            | LineKind::When { .. }
            | LineKind::At { .. }
            | plain_play_line!()
            | game_line!() => None,
        }
    };
}

impl LineKind {
    /// Returns the rows below the line and their kind; `None` if no rows may follow it.
    #[must_use]
    pub fn rows(&self) -> Option<(RowKind, &Vec<Row>)> {
        rows_of!(self)
    }

    /// The same, to add rows.
    pub(super) fn rows_mut(&mut self) -> Option<(RowKind, &mut Vec<Row>)> {
        rows_of!(self)
    }

    /// Returns the embedded expression of the line; `None` if it has none. A line has at most one.
    #[must_use]
    pub const fn expression(&self) -> Option<Span> {
        match self {
            Self::Always { expression, .. } => Some(*expression),
            Self::When { tail: Some(Tail::If(expression) | Tail::Greedy(_, expression)), .. } => Some(*expression),
            Self::Expect(expect) => expect.expression(),
            Self::When { tail: None, .. }
            | Self::At { .. }
            | Self::Use { .. }
            | Self::Scenario(_)
            | Self::Position(_)
            | Self::Branch(_)
            | Self::Cites(_)
            | Self::Covers(_)
            | Self::With { .. }
            | Self::WithHouse(_)
            | Self::Examples(_)
            | plain_play_line!()
            | position_line!()
            | game_line!() => None,
        }
    }
}

impl Expect {
    const fn expression(&self) -> Option<Span> {
        match self {
            Self::Expression(expression) => Some(*expression),
            Self::Chance { expression, .. } | Self::Question { expression, .. } => *expression,
            Self::Words(_)
            | Self::Condition { .. }
            | Self::Asks(_)
            | Self::Choices { .. }
            | Self::ChoicesCount { .. }
            | Self::Board(_)
            | Self::Events { .. }
            | Self::Snapshot
            | Self::Perft(_) => None,
        }
    }
}
