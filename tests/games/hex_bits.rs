//! The reading of `hex_oracle` on sets of bits, for searches of millions of positions. A position is seen by the player
//! to move: their pieces, and those of the other side.

use super::hex_oracle::{DIRECTIONS, Hex, Position, Reading};

/// A set of hexagons; bit `n` is hexagon `n` of the board.
pub(super) type Set = u128;

/// The pieces of the player to move, and those of the other player.
pub(super) type Seen = (Set, Set);

/// From and to, by the numbers of the hexagons.
pub(super) type Made = (usize, usize);

/// A board, and how the rules are read.
pub(super) struct Bits {
    pub(super) board: Vec<Hex>,
    /// For each hexagon and direction: the hexagons that way, nearest first, and their set.
    rays: Vec<[(Vec<usize>, Set); 6]>,
    near: Vec<Set>,
    /// The hexagons on the three lines through a hexagon.
    lines: Vec<Set>,
    flowish: bool,
    is: Values,
}

/// Which options have their second value.
#[derive(Clone, Copy, Default)]
struct Values {
    blocking: bool,
    nearest: bool,
    choose: bool,
    included: bool,
    either: bool,
    all_or_nothing: bool,
    no_flow_move: bool,
    globally: bool,
}

/// Returns the numbers of the hexagons of a set.
pub(super) fn each(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        usize::try_from(at).ok()
    })
}

impl Bits {
    pub(super) fn new(side: i32, reading: &Reading) -> Self {
        let empty = Position { side, pieces: std::collections::BTreeMap::new() };
        let board = empty.board();
        let number = |hex: Hex| board.iter().position(|other| *other == hex);
        let ray = |from: Hex, (q, r): Hex| {
            let cells: Vec<usize> = (1..).map_while(|n| number((from.0 + q * n, from.1 + r * n))).collect();
            let set = cells.iter().fold(0, |set, at| set | 1 << at);
            (cells, set)
        };
        let rays: Vec<_> = board.iter().map(|hex| DIRECTIONS.map(|direction| ray(*hex, direction))).collect();
        let near = rays.iter().map(|rays| rays.iter().filter_map(|ray| ray.0.first()).fold(0, |set, at| set | 1 << at));
        let lines = rays.iter().enumerate().map(|(at, rays)| rays.iter().fold(1 << at, |set, ray| set | ray.1));
        let (near, lines) = (near.collect(), lines.collect());
        let is = |option: &str, value: &str| reading.options.get(option).is_some_and(|set| set == value);
        let is = Values {
            blocking: is("line_blocking", "enemy"),
            nearest: is("approach", "nearest"),
            choose: is("largest_ties", "choose"),
            included: is("own_group", "included"),
            either: is("two_sided_line", "either"),
            all_or_nothing: is("nearest_tie", "all_or_nothing"),
            no_flow_move: is("no_flow_trigger", "no_flow_move"),
            globally: is("no_flow_piece", "globally_nearest"),
        };
        Self { board, rays, near, lines, flowish: reading.flowish, is }
    }

    /// Returns a position as the player to move sees it.
    pub(super) fn seen(&self, position: &Position, player: usize) -> Seen {
        let of = |owner: usize| {
            let cells = self.board.iter().enumerate().filter(|(_, hex)| position.pieces.get(*hex) == Some(&owner));
            cells.fold(0, |set, (at, _)| set | 1 << at)
        };
        (of(player), of(1 - player))
    }

    /// Returns the hexagons next to those of a set, and the set.
    fn around(&self, set: Set) -> Set {
        each(set).fold(set, |all, at| all | self.near[at])
    }

    fn group(&self, own: Set, first: usize) -> Set {
        let (mut group, mut fresh) = (1 << first, 1 << first);
        while fresh != 0 {
            fresh = each(fresh).fold(0, |all, at| all | self.near[at]) & own & !group;
            group |= fresh;
        }
        group
    }

    /// Returns whether pieces are one group.
    pub(super) fn is_one(&self, own: Set) -> bool {
        each(own).next().is_some_and(|first| self.group(own, first) == own)
    }

    /// Appends the moves of the player to move.
    pub(super) fn moves(&self, (own, other): Seen, made: &mut Vec<Made>) {
        if !self.flowish {
            return self.squish(own, other, made);
        }
        let (mut left, mut groups) = (own, Vec::new());
        while let Some(first) = each(left).next() {
            let group = self.group(own, first);
            left &= !group;
            groups.push(group);
        }
        let most = groups.iter().map(|group| group.count_ones()).max();
        groups.retain(|group| Some(group.count_ones()) == most);
        if self.is.choose && groups.len() > 1 {
            let start = made.len();
            groups.iter().for_each(|group| self.flow(own, std::slice::from_ref(group), made));
            let mut all = made.split_off(start);
            all.sort_unstable();
            all.dedup();
            made.append(&mut all);
        } else {
            self.flow(own, &groups, made);
        }
    }

    /// How many steps away the first hexagon of `wanted` is.
    fn first(&self, from: usize, direction: usize, wanted: Set, blocked: Set) -> Option<usize> {
        let (cells, set) = &self.rays[from][direction];
        if set & wanted == 0 {
            return None;
        }
        let stops = |at: &usize| (wanted | blocked) >> at & 1 == 1;
        let steps = cells.iter().position(stops)?;
        (wanted >> cells[steps] & 1 == 1).then_some(steps + 1)
    }

    fn squish(&self, own: Set, other: Set, made: &mut Vec<Made>) {
        let blocked = if self.is.blocking { other } else { 0 };
        for from in each(own) {
            let friend = |direction| self.first(from, direction, own, blocked);
            for direction in 0..6 {
                let Some(ahead) = friend(direction).filter(|ahead| *ahead > 1) else { continue };
                let behind = if self.is.nearest { friend((direction + 3) % 6) } else { None };
                if behind.is_none_or(|behind| behind >= ahead) {
                    made.push((from, self.rays[from][direction].0[0]));
                }
            }
        }
    }

    fn targets(&self, from: usize, chosen: &[Set]) -> Set {
        let others = chosen.iter().filter(|group| self.is.included || **group >> from & 1 == 0);
        others.fold(0, |all, group| all | group) & !(1 << from)
    }

    fn flow(&self, own: Set, chosen: &[Set], made: &mut Vec<Made>) {
        let (start, mut on_flowline) = (made.len(), false);
        for from in each(own) {
            let targets = self.targets(from, chosen);
            if self.lines[from] & targets == 0 {
                continue;
            }
            on_flowline = true;
            let far: [Option<usize>; 6] = std::array::from_fn(|direction| self.first(from, direction, targets, 0));
            let lines = (0..3).filter(|axis| far[*axis].is_some() || far[axis + 3].is_some()).count();
            let nearest = far.iter().flatten().min();
            let is_way =
                |far: &Option<usize>| far.is_some() && (self.is.either && lines == 1 || far.as_ref() == nearest);
            let ways = (0..6).filter(|direction| is_way(&far[*direction])).map(|way| self.rays[from][way].0[0]);
            if self.is.all_or_nothing && ways.clone().any(|to| own >> to & 1 == 1) {
                continue;
            }
            made.extend(ways.filter(|to| own >> to & 1 == 0).map(|to| (from, to)));
        }
        if made.len() == start && (!on_flowline || self.is.no_flow_move) {
            self.no_flow(own, chosen, made);
        }
    }

    fn no_flow(&self, own: Set, chosen: &[Set], made: &mut Vec<Made>) {
        let mut steps: Vec<(usize, Option<Made>)> = Vec::new();
        for from in each(own) {
            let lines = each(self.targets(from, chosen)).fold(0, |all, at| all | self.lines[at]);
            if lines == 0 || lines >> from & 1 == 1 {
                continue;
            }
            // The hexagons that are nearer to the lines than the piece.
            let (mut inner, mut far) = (lines, 1);
            while self.around(inner) >> from & 1 == 0 {
                inner = self.around(inner);
                far += 1;
            }
            steps.push((far, None));
            steps.extend(each(self.near[from] & inner & !own).map(|to| (far, Some((from, to)))));
        }
        let nearest = steps.iter().map(|(far, _)| *far).min();
        let may = steps.iter().filter(|(far, _)| !self.is.globally || Some(*far) == nearest);
        made.extend(may.filter_map(|(_, step)| *step));
    }

    /// Returns what the other player sees after a move. Returns `None` if the move makes one group of either side.
    pub(super) fn after(&self, (own, other): Seen, (from, to): Made) -> Option<Seen> {
        let own = own & !(1 << from) | 1 << to;
        let left = other & !(1 << to);
        (!self.is_one(own) && !self.is_one(left)).then_some((left, own))
    }
}

/// Returns whether play can come back to a position in four moves. Each side then makes a move and takes it back.
pub(super) fn is_on_four(bits: &Bits, seen: Seen) -> bool {
    let steps = |seen: Seen| {
        let mut made = Vec::new();
        bits.moves(seen, &mut made);
        made.retain(|(_, to)| seen.1 >> to & 1 == 0);
        made
    };
    let back = |seen: Seen, (from, to): Made| {
        steps(seen).contains(&(to, from)).then(|| bits.after(seen, (to, from))).flatten()
    };
    steps(seen).into_iter().any(|first| {
        let Some(second) = bits.after(seen, first) else { return false };
        steps(second).into_iter().any(|answer| {
            let third = bits.after(second, answer);
            let fourth = third.and_then(|third| back(third, first));
            fourth.and_then(|fourth| back(fourth, answer)) == Some(seen)
        })
    })
}
