//! An independent reading of Squish and Flowish on hexagons: piece by piece and step by step, without sets.

use std::collections::{BTreeMap, BTreeSet};

/// Axial coordinates, the centre being (0, 0): east is (1, 0), north-east (0, 1).
pub(crate) type Hex = (i32, i32);
/// From and to.
pub(crate) type Step = (Hex, Hex);

/// East, north-east, north-west, and the same reversed in this order.
pub(crate) const DIRECTIONS: [Hex; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// How the rules are read: the variant, and what options are set to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) flowish: bool,
    pub(crate) options: BTreeMap<String, String>,
}

impl Reading {
    fn is(&self, option: &str, value: &str) -> bool {
        self.options.get(option).is_some_and(|set| set == value)
    }
}

/// How a game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Won(usize),
    Tie,
}

/// A position: players are 0, white, and 1, black.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) side: i32,
    pub(crate) pieces: BTreeMap<Hex, usize>,
}

fn on(hex: Hex, direction: Hex, steps: i32) -> Hex {
    (hex.0 + direction.0 * steps, hex.1 + direction.1 * steps)
}

fn distance(one: Hex, other: Hex) -> i32 {
    let (q, r) = (one.0 - other.0, one.1 - other.1);
    q.abs().max(r.abs()).max((q + r).abs())
}

impl Position {
    /// The published set-up.
    pub(crate) fn start(side: i32) -> Self {
        let mut position = Self { side, pieces: BTreeMap::new() };
        for hex in position.board() {
            match (hex.0 - hex.1).rem_euclid(3) {
                1 => position.pieces.insert(hex, 0),
                2 => position.pieces.insert(hex, 1),
                _ => None,
            };
        }
        position
    }

    /// All hexagons, row by row from the bottom.
    pub(crate) fn board(&self) -> Vec<Hex> {
        let most = self.side - 1;
        let row = |r: i32| (-most..=most).map(move |q| (q, r));
        (-most..=most).flat_map(row).filter(|hex| self.has(*hex)).collect()
    }

    pub(crate) fn has(&self, hex: Hex) -> bool {
        distance(hex, (0, 0)) < self.side
    }

    /// `a1` is the left end of the bottom row.
    pub(crate) fn name(&self, (q, r): Hex) -> String {
        let most = self.side - 1;
        let letter = char::from(b'a' + u8::try_from(r + most).unwrap());
        format!("{letter}{}", q - (-most).max(-most - r) + 1)
    }

    fn own(&self, player: usize) -> Vec<Hex> {
        self.pieces.iter().filter(|(_, owner)| **owner == player).map(|(hex, _)| *hex).collect()
    }

    fn is_own(&self, hex: Hex, player: usize) -> bool {
        self.pieces.get(&hex) == Some(&player)
    }

    fn groups(&self, player: usize) -> Vec<BTreeSet<Hex>> {
        let mut groups: Vec<BTreeSet<Hex>> = Vec::new();
        for hex in self.own(player) {
            if groups.iter().any(|group| group.contains(&hex)) {
                continue;
            }
            let mut group = BTreeSet::from([hex]);
            let mut fresh = vec![hex];
            while let Some(hex) = fresh.pop() {
                let near = DIRECTIONS.map(|direction| on(hex, direction, 1));
                fresh.extend(near.into_iter().filter(|hex| self.is_own(*hex, player) && group.insert(*hex)));
            }
            groups.push(group);
        }
        groups
    }

    /// How far away the first hexagon of this sort is in a direction; sight ends where `blocked`.
    fn first(&self, from: Hex, direction: Hex, is: impl Fn(Hex) -> bool, blocked: impl Fn(Hex) -> bool) -> Option<i32> {
        for steps in 1.. {
            let hex = on(from, direction, steps);
            if !self.has(hex) {
                return None;
            }
            if is(hex) {
                return Some(steps);
            }
            if blocked(hex) {
                return None;
            }
        }
        None
    }

    pub(crate) fn moves(&self, player: usize, reading: &Reading) -> BTreeSet<Step> {
        if !reading.flowish {
            return self.squish(player, reading);
        }
        let groups = self.groups(player);
        let most = groups.iter().map(BTreeSet::len).max().unwrap_or(0);
        let largest: Vec<BTreeSet<Hex>> = groups.iter().filter(|group| group.len() == most).cloned().collect();
        if reading.is("largest_ties", "choose") {
            largest.iter().flat_map(|one| self.flow(player, reading, std::slice::from_ref(one))).collect()
        } else {
            self.flow(player, reading, &largest)
        }
    }

    fn squish(&self, player: usize, reading: &Reading) -> BTreeSet<Step> {
        let enemy = |hex: Hex| reading.is("line_blocking", "enemy") && self.is_own(hex, 1 - player);
        let friend = |hex, direction| self.first(hex, direction, |hex| self.is_own(hex, player), enemy);
        let mut moves = BTreeSet::new();
        for hex in self.own(player) {
            for direction in DIRECTIONS {
                let Some(ahead) = friend(hex, direction) else { continue };
                let nearer = friend(hex, (-direction.0, -direction.1)).is_some_and(|behind| behind < ahead);
                if ahead > 1 && !(nearer && reading.is("approach", "nearest")) {
                    moves.insert((hex, on(hex, direction, 1)));
                }
            }
        }
        moves
    }

    /// The targets of a piece.
    fn targets(hex: Hex, reading: &Reading, chosen: &[BTreeSet<Hex>]) -> BTreeSet<Hex> {
        let included = reading.is("own_group", "included");
        let others = chosen.iter().filter(|group| included || !group.contains(&hex));
        others.flatten().copied().filter(|target| *target != hex).collect()
    }

    /// The directions in which a piece is to go, and whether a friendly piece is there.
    fn ways(&self, hex: Hex, player: usize, reading: &Reading, chosen: &[BTreeSet<Hex>]) -> Vec<(Hex, bool)> {
        let targets = Self::targets(hex, reading, chosen);
        let far = |direction| self.first(hex, direction, |hex| targets.contains(&hex), |_| false);
        let seen = DIRECTIONS.map(far);
        let lines = (0..3).filter(|axis| seen[*axis].is_some() || seen[axis + 3].is_some()).count();
        let nearest = seen.iter().flatten().min();
        let either = reading.is("two_sided_line", "either") && lines == 1;
        let ways = DIRECTIONS.iter().zip(&seen);
        let ways = ways.filter(|(_, far)| far.is_some() && (either || far.as_ref() == nearest));
        ways.map(|(direction, _)| (*direction, self.is_own(on(hex, *direction, 1), player))).collect()
    }

    fn flow(&self, player: usize, reading: &Reading, chosen: &[BTreeSet<Hex>]) -> BTreeSet<Step> {
        let mut moves = BTreeSet::new();
        let mut on_flowline = false;
        for hex in self.own(player) {
            let ways = self.ways(hex, player, reading, chosen);
            on_flowline |= !ways.is_empty();
            if reading.is("nearest_tie", "all_or_nothing") && ways.iter().any(|(_, blocked)| *blocked) {
                continue;
            }
            let open = ways.iter().filter(|(_, blocked)| !blocked);
            moves.extend(open.map(|(direction, _)| (hex, on(hex, *direction, 1))));
        }
        if on_flowline && reading.is("no_flow_trigger", "no_piece_on_flowline") || !moves.is_empty() {
            return moves;
        }
        self.no_flow(player, reading, chosen)
    }

    fn no_flow(&self, player: usize, reading: &Reading, chosen: &[BTreeSet<Hex>]) -> BTreeSet<Step> {
        let mut moves: Vec<(i32, Option<Step>)> = Vec::new();
        for hex in self.own(player) {
            let targets = Self::targets(hex, reading, chosen);
            let on_a_line = |hex: Hex, target: Hex| {
                let (q, r) = (hex.0 - target.0, hex.1 - target.1);
                q == 0 || r == 0 || q + r == 0
            };
            let is_line = |hex: &Hex| targets.iter().any(|target| on_a_line(*hex, *target));
            let lines: Vec<Hex> = self.board().into_iter().filter(is_line).collect();
            let far = |hex: Hex| lines.iter().map(|line| distance(hex, *line)).min();
            let Some(here) = far(hex).filter(|far| *far > 0) else { continue };
            moves.push((here, None));
            for direction in DIRECTIONS {
                let to = on(hex, direction, 1);
                if self.has(to) && far(to) == Some(here - 1) && !self.is_own(to, player) {
                    moves.push((here, Some((hex, to))));
                }
            }
        }
        let nearest = moves.iter().map(|(far, _)| *far).min();
        let globally = reading.is("no_flow_piece", "globally_nearest");
        moves.iter().filter(|(far, _)| !globally || Some(*far) == nearest).filter_map(|(_, step)| *step).collect()
    }

    /// Make a move, and say how the game ends by it; repetitions are not looked at.
    pub(crate) fn make(&mut self, (from, to): Step, player: usize, reading: &Reading) -> Option<End> {
        self.pieces.remove(&from);
        self.pieces.insert(to, player);
        if self.groups(player).len() == 1 {
            return Some(End::Won(player));
        }
        if self.groups(1 - player).len() == 1 {
            return Some(End::Won(1 - player));
        }
        self.moves(1 - player, reading).is_empty().then_some(End::Won(player))
    }
}
