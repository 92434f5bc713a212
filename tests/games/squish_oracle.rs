//! An independent implementation of Squish! block movement in plain Rust, written from the clauses, to test the engine.
//!
//! Squares are (column, row), counted from the top left corner; a block is at its top left square. Events are strings in
//! the words of `squish-board.game`, with all optional parts.

use std::collections::VecDeque;

/// A square of the board, or a step: (columns to the right, rows down).
pub(crate) type Square = (i32, i32);

/// The steps of the directions 1..=8, clockwise from up; 0 is none.
const STEPS: [Square; 9] = [(0, 0), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
const WORDS: [&str; 9] = ["", "N", "NE", "E", "SE", "S", "SW", "W", "NW"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) at: Square,
    pub(crate) size: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) name: String,
    /// `None` while off the board.
    pub(crate) at: Option<Square>,
    /// Where it starts again; `None` in the simple game, where a squished marker is out.
    pub(crate) home: Option<Square>,
    pub(crate) shards: Vec<u8>,
}

/// The readings, each `false` for the default of its option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// `diagonal = destination`
    pub(crate) destination: bool,
    /// `rehit = moves`
    pub(crate) rehit_moves: bool,
    /// `hits = cumulative`
    pub(crate) cumulative: bool,
    /// `resolution = simultaneous`
    pub(crate) simultaneous: bool,
    /// `order = lowest`
    pub(crate) lowest: bool,
    /// `transmit = unresolved`
    pub(crate) unresolved: bool,
    /// `respawn = immediate`
    pub(crate) immediate: bool,
}

/// A board with everything on it. Blocks are listed by ascending number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) blocks: Vec<Block>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) options: Options,
}

impl Table {
    /// One complete roll for the block with this index: its movement, the hits that follow, the markers that return.
    /// Leaves the final position in the table and gives the events.
    pub(crate) fn roll(&mut self, block: usize, direction: usize, distance: u32) -> Vec<String> {
        let mut waiting: Vec<usize> = (0..self.markers.len()).filter(|&m| self.markers[m].at.is_none()).collect();
        waiting.sort_by_key(|&m| self.markers[m].name.clone());
        let motion = vec![Motion::default(); self.blocks.len()];
        let mut roll = Roll { table: self, motion, queue: VecDeque::new(), waiting, events: Vec::new() };
        roll.run(block, direction, distance);
        roll.events
    }

    /// The name of a square: letters for columns, rows from the bottom.
    pub(crate) fn cell(&self, (col, row): Square) -> String {
        let letter = char::from(b'a' + u8::try_from(col).unwrap());
        format!("{letter}{}", self.height - row)
    }

    /// The square of a name.
    pub(crate) fn square(&self, cell: &str) -> Square {
        let (letter, row) = cell.split_at(1);
        (i32::from(letter.as_bytes()[0] - b'a'), self.height - row.parse::<i32>().unwrap())
    }

    /// The name of the bottom left square of a block.
    pub(crate) fn block_cell(&self, block: &Block) -> String {
        self.cell((block.at.0, block.at.1 + block.size - 1))
    }

    /// Where a block of this size stands whose bottom left square has this name.
    pub(crate) fn block_square(&self, cell: &str, size: i32) -> Square {
        let (col, row) = self.square(cell);
        (col, row - size + 1)
    }

    fn on_board(&self, (col, row): Square) -> bool {
        (0..self.width).contains(&col) && (0..self.height).contains(&row)
    }

    fn covered(&self, square: Square) -> bool {
        self.blocks.iter().any(|block| block.covers(square))
    }

    fn marker_at(&self, square: Square) -> Option<usize> {
        self.markers.iter().position(|marker| marker.at == Some(square))
    }

    /// What a block would meet if it were displaced by this much: the edge, and which other blocks.
    fn meets(&self, block: usize, by: Square) -> (bool, Vec<usize>) {
        let moved = Block { at: plus(self.blocks[block].at, by), ..self.blocks[block].clone() };
        let wall = moved.squares().any(|square| !self.on_board(square));
        let others = (0..self.blocks.len()).filter(|&other| other != block);
        (wall, others.filter(|&other| moved.squares().any(|square| self.blocks[other].covers(square))).collect())
    }

    /// Whether and how the next step of a block is obstructed (exact readings 4, 5 and 9).
    fn obstacle(&self, block: usize, direction: usize) -> Option<Obstacle> {
        let (dx, dy) = STEPS[direction];
        let diagonal = dx != 0 && dy != 0;
        let all = [(dx, 0), (0, dy), (dx, dy)];
        let displacements = if diagonal && !self.options.destination { &all[..] } else { &all[2..] };
        let met: Vec<_> = displacements.iter().map(|&by| self.meets(block, by)).collect();
        let wall = met.iter().any(|(wall, _)| *wall);
        let mut blocks: Vec<usize> = met.into_iter().flat_map(|(_, blocks)| blocks).collect();
        blocks.sort_unstable();
        blocks.dedup();
        if !wall && blocks.is_empty() {
            return None;
        }
        let obstructed = |by| {
            let (wall, blocks) = self.meets(block, by);
            wall || !blocks.is_empty()
        };
        let bounced = match (diagonal, diagonal && obstructed((dx, 0)), diagonal && obstructed((0, dy))) {
            (true, true, false) => (-dx, dy),
            (true, false, true) => (dx, -dy),
            _ => (-dx, -dy),
        };
        let bounced = STEPS.iter().position(|&step| step == bounced).unwrap();
        Some(Obstacle { wall, blocks, bounced })
    }
}

impl Block {
    /// Its squares, row by row, left to right.
    fn squares(&self) -> impl Iterator<Item = Square> {
        let ((col, row), size) = (self.at, self.size);
        (0..size).flat_map(move |down| (0..size).map(move |right| (col + right, row + down)))
    }

    fn covers(&self, (col, row): Square) -> bool {
        (self.at.0..self.at.0 + self.size).contains(&col) && (self.at.1..self.at.1 + self.size).contains(&row)
    }
}

fn plus(a: Square, b: Square) -> Square {
    (a.0 + b.0, a.1 + b.1)
}

/// What obstructs a step, and the direction after the bounce.
struct Obstacle {
    wall: bool,
    blocks: Vec<usize>,
    bounced: usize,
}

/// How a block stands in this roll.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Untouched,
    Pending,
    Resolved,
}

#[derive(Clone, Default)]
struct Motion {
    state: State,
    direction: usize,
    /// What it has left, or will have when its turn comes.
    points: u32,
    /// What it last set out with; 0 before the first time.
    started: u32,
}

struct Roll<'t> {
    table: &'t mut Table,
    motion: Vec<Motion>,
    /// The blocks that are to move, the next one in front.
    queue: VecDeque<usize>,
    /// The markers off the board, in the order in which they are tried at the end.
    waiting: Vec<usize>,
    events: Vec<String>,
}

impl Roll<'_> {
    fn run(&mut self, block: usize, direction: usize, distance: u32) {
        let word = if direction == 0 { String::new() } else { format!("{} ", WORDS[direction]) };
        self.say(format!("{} rolled {word}for {distance}", self.name(block)));
        if direction != 0 {
            self.motion[block] = Motion { state: State::Resolved, direction, points: distance, started: distance };
            if self.table.options.simultaneous { self.rotate(block) } else { self.one_by_one(block) }
        }
        for marker in self.waiting.clone() {
            self.come_back(marker);
        }
    }

    /// Every block uses up its movement before the next one starts (11).
    fn one_by_one(&mut self, rolled: usize) {
        let mut next = Some(rolled);
        while let Some(block) = next {
            self.begin(block);
            while self.motion[block].points > 0 {
                self.step(block);
            }
            let lowest = (0..self.queue.len()).min_by_key(|&i| self.queue[i]);
            next = if self.table.options.lowest {
                lowest.and_then(|i| self.queue.remove(i))
            } else {
                self.queue.pop_front()
            };
        }
    }

    /// One square each in turn; who joins moves in the same round, at its end (14).
    fn rotate(&mut self, rolled: usize) {
        self.queue.push_back(rolled);
        let mut next_round = VecDeque::new();
        while !self.queue.is_empty() {
            while let Some(block) = self.queue.pop_front() {
                self.begin(block);
                if self.motion[block].points > 0 {
                    self.step(block);
                }
                if self.motion[block].points > 0 {
                    next_round.push_back(block);
                }
            }
            std::mem::swap(&mut self.queue, &mut next_round);
        }
    }

    /// If the block was hit and is pending, its resolution begins, and may pass the force on (12).
    fn begin(&mut self, block: usize) {
        let Motion { state, direction, points, .. } = self.motion[block];
        if state != State::Pending {
            return;
        }
        self.motion[block].state = State::Resolved;
        self.motion[block].started = points;
        self.say(format!("{} resolves {} with {points}", self.name(block), WORDS[direction]));
        let blocks = self.table.obstacle(block, direction).map_or(Vec::new(), |obstacle| obstacle.blocks);
        let takers = blocks.iter().filter(|&&other| self.takes(other, points)).count();
        if blocks.is_empty() || (self.table.options.unresolved && takers == 0) {
            return;
        }
        self.motion[block].points = 0;
        let names: Vec<&str> = blocks.iter().map(|&other| self.name(other)).collect();
        let names = names.join(", ");
        self.say(format!("{} transmits {} with {points} to {names}", self.name(block), WORDS[direction]));
        for other in blocks {
            self.hit(block, other, direction, points);
        }
    }

    /// Bounces as long as the way is obstructed, then one step, unless the block is stuck (3 to 7).
    fn step(&mut self, block: usize) {
        let mut tried = Vec::new();
        loop {
            let Motion { direction, points, .. } = self.motion[block];
            let Some(obstacle) = self.table.obstacle(block, direction) else {
                return self.advance(block, direction);
            };
            tried.push(direction);
            for &other in &obstacle.blocks {
                self.hit(block, other, direction, points);
            }
            if tried.contains(&obstacle.bounced) {
                self.motion[block].points = 0;
                return self.say(format!("{} stuck with {points} lost", self.name(block)));
            }
            self.motion[block].direction = obstacle.bounced;
            let off = match (obstacle.wall, obstacle.blocks.is_empty()) {
                (true, true) => "wall",
                (true, false) => "both",
                (false, _) => "blocks",
            };
            let word = WORDS[obstacle.bounced];
            self.say(format!("{} bounces {word} with {points} left off {off}", self.name(block)));
        }
    }

    /// Whether a block can take a hit of this force at all (12, `transmit = unresolved`; 13).
    fn takes(&self, block: usize, force: u32) -> bool {
        self.motion[block].state != State::Resolved || self.takes_again(block, force)
    }

    /// Whether a resolved block moves a second time (13): only at rest, and only for less than last time.
    fn takes_again(&self, block: usize, force: u32) -> bool {
        let motion = &self.motion[block];
        self.table.options.rehit_moves && motion.points == 0 && force < motion.started
    }

    /// One block is hit by another (10).
    fn hit(&mut self, by: usize, block: usize, direction: usize, force: u32) {
        let anew = match self.motion[block].state {
            State::Untouched => true,
            State::Pending => false,
            State::Resolved => self.takes_again(block, force),
        };
        let pending = self.motion[block].state == State::Pending;
        let effect = if anew {
            let motion = &mut self.motion[block];
            (motion.state, motion.direction, motion.points) = (State::Pending, direction, force);
            self.queue.push_back(block);
            "queued"
        } else if pending && self.table.options.cumulative && self.motion[block].started == 0 {
            self.motion[block].points += force;
            "added"
        } else {
            "ignored"
        };
        let (by, name) = (self.name(by), self.name(block));
        self.say(format!("{by} hits {name} going {} with {force} {effect}", WORDS[direction]));
    }

    /// A step that nothing obstructs, and the markers in its way (15).
    fn advance(&mut self, block: usize, direction: usize) {
        let before = self.table.blocks[block].clone();
        self.table.blocks[block].at = plus(before.at, STEPS[direction]);
        self.motion[block].points -= 1;
        let after = self.table.blocks[block].clone();
        let (cell, left) = (self.table.block_cell(&after), self.motion[block].points);
        self.say(format!("{} moves {} to {cell} with {left} left", after.name, WORDS[direction]));
        let mut squished = Vec::new();
        for square in after.squares().filter(|&square| !before.covers(square)) {
            squished.extend(self.push_line(square, direction));
        }
        self.waiting.extend(&squished);
        if self.table.options.immediate {
            squished.into_iter().for_each(|marker| self.come_back(marker));
        }
    }

    /// Pushes the marker on this square and all directly behind it; gives the one that is squished (16).
    fn push_line(&mut self, head: Square, direction: usize) -> Option<usize> {
        let mut line = Vec::new();
        let mut ahead = head;
        while let Some(marker) = self.table.marker_at(ahead) {
            line.push(marker);
            ahead = plus(ahead, STEPS[direction]);
        }
        let word = WORDS[direction];
        let against = match (self.table.on_board(ahead), self.table.covered(ahead)) {
            (false, _) => Some("wall"),
            (true, true) => Some("block"),
            (true, false) => None,
        };
        let last = if against.is_some() { line.pop() } else { None };
        if let (Some(last), Some(against)) = (last, against) {
            let marker = &mut self.table.markers[last];
            let (at, name) = (marker.at.take().unwrap(), marker.name.clone());
            marker.shards.clear();
            let cell = self.table.cell(at);
            self.say(format!("{name} squished at {cell} going {word} against {against}"));
        }
        for marker in line.into_iter().rev() {
            let to = plus(self.table.markers[marker].at.unwrap(), STEPS[direction]);
            self.table.markers[marker].at = Some(to);
            let (name, cell) = (&self.table.markers[marker].name, self.table.cell(to));
            self.say(format!("{name} pushed {word} to {cell}"));
        }
        last
    }

    /// A marker off the board returns to its start square, if it has one and it is free (17).
    fn come_back(&mut self, marker: usize) {
        let Some(home) = self.table.markers[marker].home else { return };
        if self.table.covered(home) || self.table.marker_at(home).is_some() {
            return;
        }
        self.table.markers[marker].at = Some(home);
        self.waiting.retain(|&other| other != marker);
        self.say(format!("{} returns to {}", self.table.markers[marker].name, self.table.cell(home)));
    }

    fn name(&self, block: usize) -> &str {
        &self.table.blocks[block].name
    }

    fn say(&mut self, event: String) {
        self.events.push(event);
    }
}
