//! Boards: cells, their names and neighbours, and the grid that holds them.
//!
//! A board is a list of cells with integer coordinates, and a list of directions as steps between them. Code outside
//! this module does not depend on the shape of the cells.

mod distances;
mod graphs;
mod lines;
mod places;
mod second;
mod shapes;

pub use second::PlaceKind;

use referee_diagnostic::MustBe as _;

use referee_source::quoted;
use smallvec::SmallVec;

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::Step;
use super::{Cell, Cells, Direction, Graph, NameMap, Shape, Stacking};

/// The maximum number of slots of a board whose steps are computed once.
const FEW_SLOTS: usize = 1024;

/// The maximum number of columns or rows.
pub(crate) const MAX_SIDE: i64 = 64;

/// A direction: its name and its step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heading {
    /// `NE`
    pub name: &'static str,
    /// `north-east`
    pub long: &'static str,
    /// Columns to the right.
    pub dx: i32,
    /// Rows up.
    pub dy: i32,
}

/// An error in the description of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// The size is out of range.
    Size,
    /// The board's cells do not have this number of directions.
    DirectionCount,
    /// The first direction is not a direction of the board.
    From,
}

/// A board. Its cells are slots of a grid of rows and columns, so that a step in a direction is the same number of slots
/// everywhere. Where it would wrap round the edge, it leads nowhere.
/// What follows from its cells is computed once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The names of the slots; empty for slots that are not cells.
    names: Vec<String>,
    by_name: NameMap<Cell>,
    /// The coordinates of the first slot.
    origin: (i32, i32),
    /// The number of slots in a row.
    stride: i32,
    all: Cells,
    /// The cells inside its margin; all cells if there is no margin.
    inside: Cells,
    headings: Vec<Heading>,
    /// The step of each direction.
    steps: Vec<Step>,
    /// On rings, the step of each direction between the last and the first cell of a ring.
    wraps: Vec<Option<Step>>,
    /// The steps between neighbours, if they are others than those of the directions: on graphs, on rings, and between places
    /// of a second kind.
    ways: Option<Vec<Step>>,
    /// The places of a second kind.
    second: second::Second,
    /// The places, links and lines of a graph.
    graph: Option<Arc<Graph>>,
    /// The directions, sorted by the slot that they lead to.
    rising: Vec<Direction>,
    rows: Vec<Row>,
    /// The index of each slot in reading order.
    ranks: Vec<usize>,
    columns: Vec<String>,
    words: String,
    /// Whether its cells have numbers as names; a diagram shows them for empty cells.
    numbered: bool,
    is_open: bool,
    /// Which cells are dark; see `Schema::dark`.
    dark: Option<bool>,
    /// The cells on which several pieces may stand.
    stacks: Cells,
    shape: Shape,
    lines: lines::Lines,
}

/// One row of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) label: String,
    pub(crate) indent: usize,
    pub(crate) cells: Vec<Cell>,
}

/// A row while a board is built: its name, its indentation, and the coordinates and names of its cells.
struct Laid {
    label: String,
    indent: usize,
    cells: Vec<((i32, i32), String)>,
}

/// Returns the headings in order from the one named `from`; `all` are in clockwise order.
fn turned(mut all: Vec<Heading>, clockwise: bool, from: &str) -> Result<Vec<Heading>, BoardError> {
    if !clockwise {
        all.reverse();
    }
    let first = all.iter().position(|heading| heading.long == from || heading.name == from);
    all.rotate_left(first.ok_or(BoardError::From)?);
    Ok(all)
}

pub(crate) use shapes::REACH;

impl Board {
    /// Returns a board with these rows, the bottom one first.
    fn build(words: String, headings: Vec<Heading>, rows: Vec<Laid>, columns: Vec<String>) -> Self {
        let spots = || rows.iter().flat_map(|row| &row.cells).map(|(spot, _)| *spot);
        let (left, right) = (spots().map(|(x, _)| x).min().unwrap_or(0), spots().map(|(x, _)| x).max().unwrap_or(0));
        let (bottom, top) = (spots().map(|(_, y)| y).min().unwrap_or(0), spots().map(|(_, y)| y).max().unwrap_or(0));
        let stride = right - left + 1;
        let places = usize::try_from(stride * (top - bottom + 1)).unwrap_or(0);
        let place = |(x, y): (i32, i32)| Cell::at(usize::try_from((y - bottom) * stride + x - left).unwrap_or(0));
        let mut names = vec![String::new(); places];
        let mut by_name = NameMap::with_capacity_and_hasher(places, Default::default());
        let mut laid: Vec<Row> = Vec::with_capacity(rows.len());
        for row in rows {
            let cells = row.cells.iter().map(|(spot, _)| place(*spot)).collect();
            // A hole has no name.
            for (spot, name) in row.cells.into_iter().filter(|(_, name)| !name.is_empty()) {
                by_name.insert(name.clone(), place(spot));
                if let Some(slot) = names.get_mut(place(spot).index()) {
                    *slot = name;
                }
            }
            laid.push(Row { label: row.label, indent: row.indent, cells });
        }
        laid.reverse();
        let mut ranks = vec![0; places];
        for (rank, cell) in laid.iter().flat_map(|row| &row.cells).enumerate() {
            ranks.get_mut(cell.index()).into_iter().for_each(|slot| *slot = rank);
        }
        let all = Cells::of(places, by_name_sorted(&by_name));
        let column = |wanted: i32| Cells::of(places, (bottom..=top).map(|y| place((wanted, y))));
        let (first, last) = (column(left), column(right));
        let steps: Vec<Step> = headings.iter().map(|heading| step(heading, stride, &all, [&first, &last])).collect();
        let rises = |(heading, number): (&Heading, usize)| ((heading.dy, heading.dx), Direction::at(number));
        let mut rising: Vec<((i32, i32), Direction)> = headings.iter().zip(1..).map(rises).collect();
        rising.sort_unstable();
        let rising = rising.into_iter().map(|(_, direction)| direction).collect();
        Self {
            names,
            by_name,
            origin: (left, bottom),
            stride,
            inside: all.clone(),
            all,
            headings,
            steps,
            wraps: Vec::new(),
            ways: None,
            second: second::Second::default(),
            graph: None,
            rising,
            rows: laid,
            ranks,
            columns,
            words,
            numbered: false,
            is_open: false,
            dark: None,
            stacks: Cells::none(places),
            shape: Shape::default(),
            lines: lines::Lines::default(),
        }
    }

    /// Returns the board of a game without one: it has no cells and no directions.
    #[must_use]
    pub fn none() -> Self {
        Self::build(String::new(), Vec::new(), Vec::new(), Vec::new())
    }

    /// Returns the shape of its cells.
    #[must_use]
    pub const fn shape(&self) -> Shape {
        if self.numbered { Shape::Track } else { self.shape }
    }

    /// Returns whether it has any cells.
    #[must_use]
    pub fn has_cells(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Returns the same board with numbers as the names of its cells.
    fn numbered(self) -> Self {
        Self { numbered: true, ..self }
    }

    /// Returns whether its cells have numbers as names.
    #[must_use]
    pub const fn is_numbered(&self) -> bool {
        self.numbered
    }

    /// Returns the cell with this number in the order of the board, counted from 1; `None` if there is none.
    #[must_use]
    pub fn nth(&self, number: i64) -> Option<Cell> {
        self.cells().nth(usize::try_from(number.checked_sub(1)?).ok()?)
    }

    /// Returns the number of a cell in the order of the board, counted from 1.
    #[must_use]
    pub fn number(&self, cell: Cell) -> Option<usize> {
        self.all.contains(cell).then(|| self.cells().take_while(|other| *other < cell).count() + 1)
    }

    /// Returns the number of slots in its grid: the width of its sets of cells.
    #[must_use]
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Returns every cell; not the places of a second kind.
    #[must_use]
    pub const fn all(&self) -> &Cells {
        &self.all
    }

    /// Returns the coordinates of a cell: on a grid the steps right and up from `a1`, on hexagons the steps east and
    /// north-east from the centre.
    #[must_use]
    pub fn spot(&self, cell: Cell) -> (i32, i32) {
        let at = i32::try_from(cell.index()).unwrap_or(i32::MAX);
        (self.origin.0 + at % self.stride, self.origin.1 + at / self.stride)
    }

    /// Returns the board with dark cells: see [`Schema::dark`](super::Schema::dark).
    #[must_use]
    pub(super) fn chequered(self, dark: Option<bool>) -> Self {
        Self { dark, ..self }
    }

    /// Returns the board with cells on which several pieces may stand.
    #[must_use]
    pub(super) fn stacking(mut self, stacking: &Stacking) -> Self {
        self.stacks = match stacking {
            Stacking::Nowhere => Cells::none(self.size()),
            Stacking::Everywhere => self.all.clone(),
            Stacking::On(names) => Cells::of(self.size(), names.iter().filter_map(|name| self.cell(name))),
        };
        self
    }

    /// Returns whether several pieces may stand on a cell.
    #[must_use]
    pub fn stacks(&self, cell: Cell) -> bool {
        self.stacks.contains(cell)
    }

    /// Returns whether it has cells on which several pieces may stand.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        !self.stacks.is_empty()
    }

    /// Returns whether a cell of a chequered board is dark.
    #[must_use]
    pub fn is_dark(&self, cell: Cell) -> bool {
        self.dark == Some(self.is_odd(cell))
    }

    /// Returns whether the column and the row of a cell, counted from 0, add up to an odd number.
    #[must_use]
    pub fn is_odd(&self, cell: Cell) -> bool {
        let (column, row) = self.spot(cell);
        (column + row) % 2 != 0
    }

    /// Returns the cell with these coordinates.
    pub(super) fn at(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let (column, row) = (x - self.origin.0, y - self.origin.1);
        if column < 0 || column >= self.stride || row < 0 {
            return None;
        }
        let cell = Cell::at(usize::try_from(row * self.stride + column).ok()?);
        self.all.contains(cell).then_some(cell)
    }

    /// Returns the step of a direction; on rings without that between the last and the first cell of a ring.
    fn way(&self, direction: Direction) -> Option<&Step> {
        self.steps.get(direction.index().checked_sub(1)?)
    }

    /// Returns the step of a direction between the last and the first cell of a ring.
    fn wrap(&self, direction: Direction) -> Option<&Step> {
        self.wraps.get(direction.index().checked_sub(1)?)?.as_ref()
    }

    /// Returns the steps between neighbours.
    fn neighbours(&self) -> &[Step] {
        self.ways.as_deref().unwrap_or(&self.steps)
    }

    /// Returns how many times a set is moved to find the neighbours of its cells.
    #[must_use]
    pub fn ways(&self) -> usize {
        self.neighbours().len()
    }

    /// Returns whether all its steps are those of its directions, each the same number of slots everywhere.
    pub(crate) const fn is_even(&self) -> bool {
        self.ways.is_none() && self.graph.is_none()
    }

    /// Returns whether the step of a direction is another number of slots at some cells, as on rings, where it leads from the last
    /// cell to the first one.
    #[must_use]
    pub const fn turns_round(&self) -> bool {
        !self.wraps.is_empty()
    }

    /// Returns how the steps to neighbours move all cells of a set at once: each by how many places, and onto which cells.
    pub fn steps_to_neighbours(&self) -> impl Iterator<Item = (i32, &Cells)> {
        self.neighbours().iter().map(|Step { by, onto, .. }| (*by, onto))
    }

    /// Returns the directions, sorted by the cells that they lead to from any cell.
    #[must_use]
    pub fn rising(&self) -> &[Direction] {
        &self.rising
    }

    /// Returns all cells of a set, moved one step in a direction; drops those that leave the board.
    #[must_use]
    pub fn shift(&self, cells: &Cells, direction: Direction) -> Cells {
        let Some(Step { by, onto, .. }) = self.way(direction) else { return Cells::none(self.size()) };
        let moved = cells.moved(*by, onto);
        match self.wrap(direction) {
            Some(Step { by, onto, .. }) => moved.union(&cells.moved(*by, onto)),
            None => moved,
        }
    }

    /// Returns how a step in a direction moves all cells of a set at once: by how many places, and onto which cells.
    #[must_use]
    pub fn step_of_all(&self, direction: Direction) -> Option<(i32, &Cells)> {
        self.way(direction).map(|Step { by, onto, .. }| (*by, onto))
    }

    /// Returns how a step back from a direction moves all cells of a set at once, in the same way.
    #[must_use]
    pub fn step_back_of_all(&self, direction: Direction) -> Option<(i32, &Cells)> {
        self.way(direction).map(|Step { by, from, .. }| (-by, from))
    }

    /// Returns the cells whose next cell in a direction is in the set.
    #[must_use]
    pub fn shift_back(&self, cells: &Cells, direction: Direction) -> Cells {
        let Some(Step { by, from, .. }) = self.way(direction) else { return Cells::none(self.size()) };
        let moved = cells.moved(-by, from);
        match self.wrap(direction) {
            Some(Step { by, from, .. }) => moved.union(&cells.moved(-by, from)),
            None => moved,
        }
    }

    /// Returns the cells one step from these in any direction, or by any link; includes a cell of the set only if it is next
    /// to another. From a place of a second kind steps lead to others of its kind.
    #[must_use]
    pub fn beside(&self, cells: &Cells) -> Cells {
        let mut all = Cells::none(self.size());
        all.add_moved(cells, self.neighbours());
        all
    }

    /// Returns the cells that can be reached from `from` by steps inside `within`, and how many rounds of steps it took.
    #[must_use]
    pub fn flood(&self, from: &Cells, within: &Cells) -> (Cells, usize) {
        let mut reached = from.intersection(within);
        let rounds = reached.spread(self.neighbours(), within);
        (reached, rounds)
    }

    /// Returns whether its rows have no holes.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.cells).all(|cell| self.all.contains(*cell))
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns the cells inside the margin; all cells if there is no margin.
    #[must_use]
    pub const fn inside(&self) -> &Cells {
        &self.inside
    }

    /// Returns the cells of the margin.
    #[must_use]
    pub fn margin(&self) -> Cells {
        self.all.difference(&self.inside)
    }

    /// Returns the cells from which a step in a direction leads off the board.
    #[must_use]
    pub fn leaving(&self, direction: Direction) -> Cells {
        let staying = [self.way(direction), self.wrap(direction)].into_iter().flatten();
        staying.fold(self.all.clone(), |leaving, way| leaving.difference(&way.from))
    }

    /// Returns whether a step in a direction leads off the board from one of these cells.
    #[must_use]
    pub fn leaves(&self, cells: &Cells, direction: Direction) -> bool {
        match self.wrap(direction) {
            Some(_) => !cells.intersection(&self.leaving(direction)).is_empty(),
            None => !cells.is_empty() && self.way(direction).is_none_or(|way| !cells.is_subset(&way.from)),
        }
    }

    /// Returns its size in words: `16x16`.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the cell named `name`.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<Cell> {
        let is_space = |letter: char| letter.is_whitespace();
        // `(0, 1)` is `(0,1)`.
        let spaced = || (self.is_open && name.contains(is_space)).then(|| name.replace(is_space, ""));
        self.by_name.get(name).copied().or_else(|| self.by_name.get(&spaced()?).copied())
    }

    /// Returns the name of a cell; empty for a cell outside the board.
    #[must_use]
    pub fn name(&self, cell: Cell) -> &str {
        self.names.get(cell.index()).map_or("", String::as_str)
    }

    /// Returns the name of a place as lines have it: in quotes if it has several words.
    #[must_use]
    pub fn written(&self, place: Cell) -> Cow<'_, str> {
        let name = self.name(place);
        if name.contains(' ') { Cow::Owned(quoted(name)) } else { Cow::Borrowed(name) }
    }

    /// Returns every cell, rows from the bottom, each from the left.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.all.iter()
    }

    /// Returns the names of all cells, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.cells().map(|cell| self.name(cell))
    }

    /// Returns the directions; the first is direction 1.
    #[must_use]
    pub fn headings(&self) -> &[Heading] {
        &self.headings
    }

    /// Returns the heading of a direction.
    #[must_use]
    pub fn heading(&self, direction: Direction) -> Option<&Heading> {
        self.headings.get(direction.index().checked_sub(1)?)
    }

    /// Returns the direction with this step.
    #[must_use]
    pub fn direction_of(&self, dx: i32, dy: i32) -> Option<Direction> {
        let place = self.headings.iter().position(|heading| (heading.dx, heading.dy) == (dx, dy))?;
        Some(Direction::at(place + 1))
    }

    /// Returns the direction named `name`: `NE`, `north-east`.
    #[must_use]
    pub fn direction(&self, name: &str) -> Option<Direction> {
        let named = |heading: &Heading| heading.name == name || heading.long == name;
        Some(Direction::at(self.headings.iter().position(named)? + 1))
    }

    /// Returns the cell one step from `cell` in a direction; `None` beyond the edge.
    #[must_use]
    #[inline]
    pub fn step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        if self.names.len() > FEW_SLOTS {
            return self.find_step(cell, direction);
        }
        let ways = self.headings.len();
        let at = direction.index().checked_sub(1).filter(|at| *at < ways)?;
        self.lines.next.get_or_init(|| self.find_steps()).get(cell.index() * ways + at).copied().flatten()
    }

    fn find_steps(&self) -> Vec<Option<Cell>> {
        let directions = || (1..=self.headings.len()).map(Direction::at);
        let of_slot = |slot| directions().map(move |direction| self.find_step(Cell::at(slot), direction));
        (0..self.names.len()).flat_map(of_slot).collect()
    }

    fn find_step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let of = |step: &Step| step.from.contains(cell).then(|| Cell(cell.0.wrapping_add_signed(step.by)));
        of(self.way(direction)?).or_else(|| of(self.wrap(direction)?))
    }

    /// Returns the direction of the step from one cell to another; `None` if no step leads there.
    #[must_use]
    pub fn direction_between(&self, from: Cell, to: Cell) -> Option<Direction> {
        let leads = |step: &Step| step.from.contains(from) && from.0.wrapping_add_signed(step.by) == to.0;
        let wraps = || self.wraps.iter().position(|step| step.as_ref().is_some_and(leads));
        let place = self.steps.iter().position(leads).or_else(wraps)?;
        Some(Direction::at(place + 1))
    }

    /// Returns the cells of a set from which a step in a direction stays on the board, and a function that makes the
    /// step.
    pub fn steps(&self, cells: &Cells, direction: Direction) -> (Cells, impl Fn(Cell) -> Cell + use<>) {
        let way = self.way(direction).noted("a direction of the board");
        let mut staying = way.map_or_else(|| Cells::none(self.size()), |way| cells.intersection(&way.from));
        let by = way.map_or(0, |way| way.by);
        let wrap = self.wrap(direction).map(|wrap| (wrap.by, wrap.from.clone()));
        wrap.iter().for_each(|(_, from)| staying.add(&cells.intersection(from)));
        (staying, move |cell| {
            let by = wrap.as_ref().filter(|(_, from)| from.contains(cell)).map_or(by, |(by, _)| *by);
            Cell(cell.0.wrapping_add_signed(by))
        })
    }

    /// Returns the cells that a piece of this size covers if its cell nearest `a1` is `anchor`; `None` if it does not
    /// fit.
    #[must_use]
    pub fn footprint(&self, anchor: Cell, (columns, rows): (u8, u8)) -> Option<Cells> {
        let mut cells = Cells::none(self.size());
        // A place of a second kind has room for one piece of one cell.
        if self.is_second(anchor) {
            cells.insert(anchor);
            return ((columns, rows) == (1, 1)).then_some(cells);
        }
        // It must not wrap round the edge.
        if self.spot(anchor).0 - self.origin.0 + i32::from(columns) > self.stride {
            return None;
        }
        self.add_footprint(anchor, (columns, rows), &mut cells);
        let all_there = cells.len() == usize::from(columns) * usize::from(rows);
        (all_there && cells.is_subset(&self.all)).then_some(cells)
    }

    /// Adds the slots under a piece of this size, as far as the board has them.
    pub(super) fn add_footprint(&self, anchor: Cell, (columns, rows): (u8, u8), cells: &mut Cells) {
        let stride = usize::try_from(self.stride).unwrap_or(0);
        (0..usize::from(rows)).for_each(|row| cells.insert_run(Cell::at(anchor.index() + row * stride), columns));
    }

    /// Returns the rows, the top one first.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the names of the columns, from the left.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the cells of a set in reading order: rows from the top, each from the left. Places of a second kind come last.
    pub fn reading_order(&self, set: &Cells) -> impl Iterator<Item = Cell> + use<> {
        if self.graph.is_some() {
            // Places have any order.
            let mut ordered: SmallVec<[Cell; 16]> = set.iter().collect();
            ordered.sort_by_key(|cell| (self.is_second(*cell), self.ranks.get(cell.index())));
            return ordered.into_iter();
        }
        // They are in the order of the board, row by row from the bottom: only the order of the rows is another one.
        let (mut ordered, mut rows): (SmallVec<[Cell; 16]>, SmallVec<[usize; 16]>) = Default::default();
        let mut last = None;
        for cell in set.iter().filter(|cell| self.all.contains(*cell)) {
            let rank = self.ranks.get(cell.index());
            if ordered.is_empty() || rank < last {
                rows.push(ordered.len());
            }
            last = rank;
            ordered.push(cell);
        }
        ordered.reverse();
        let mut begin = 0;
        let mut end = ordered.len();
        for first in rows.iter().rev() {
            let count = end - first;
            ordered.get_mut(begin..begin + count).unwrap_or_default().reverse();
            (begin, end) = (begin + count, *first);
        }
        debug_assert!(ordered.is_sorted_by_key(|cell| self.ranks.get(cell.index())), "rows are from the bottom");
        if self.second.is_some() {
            ordered.extend(set.iter().filter(|place| self.is_second(*place)));
        }
        ordered.into_iter()
    }
}

/// Returns the step of a direction on a board with these cells, and with these first and last columns of its grid.
fn step(heading: &Heading, stride: i32, all: &Cells, [first, last]: [&Cells; 2]) -> Step {
    let by = heading.dx + heading.dy * stride;
    let none = Cells::default();
    let (before, after) = match heading.dx {
        0 => (&none, &none),
        1.. => (first, last),
        _ => (last, first),
    };
    let onto = all.moved(by, all).difference(before);
    Step { by, onto, from: all.moved(-by, all).difference(after) }
}

/// Returns the letters of column `x`, counted from 0: a … z, aa, ab …
fn letters(x: i32) -> String {
    let letter = |n: i32| char::from(b'a' + u8::try_from(n % 26).unwrap_or(0));
    if x < 26 { letter(x).to_string() } else { format!("{}{}", letter(x / 26 - 1), letter(x)) }
}

/// Returns the cells of a board, sorted.
fn by_name_sorted(by_name: &NameMap<Cell>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = by_name.values().copied().collect();
    cells.sort_unstable();
    cells
}
