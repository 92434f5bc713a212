//! Searches for cycles in play. The rulebook of Flowish says "theoretically prevent Squish from falling into a cycle".
//! The independent implementation explores all reachable positions on a small board.

use std::collections::BTreeMap;

use super::hex_oracle::{Position, Reading};

/// A position and whose turn it is.
type Node = (Position, usize);

/// What can be reached when White begins: how many positions, and whether some line of play comes back to one. It ends
/// with the first that does.
fn explore(start: Position, reading: &Reading) -> (usize, bool) {
    let follow = |(position, player): &Node| -> Vec<Node> {
        let moves = position.moves(*player, reading);
        let made = moves.into_iter().filter_map(|step| {
            let mut next = position.clone();
            next.make(step, *player, reading).is_none().then_some((next, 1 - player))
        });
        made.collect()
    };
    // Whether a position is still on the line that is being followed.
    let start = (start, 0);
    let mut open: BTreeMap<Node, bool> = BTreeMap::from([(start.clone(), true)]);
    let mut line = vec![(start.clone(), follow(&start))];
    while let Some((node, rest)) = line.last_mut() {
        let Some(next) = rest.pop() else {
            open.insert(node.clone(), false);
            line.pop();
            continue;
        };
        match open.get(&next) {
            Some(true) => return (open.len(), true),
            Some(false) => {}
            None => {
                open.insert(next.clone(), true);
                let after = follow(&next);
                line.push((next, after));
            }
        }
    }
    (open.len(), false)
}

fn reading(flowish: bool, set: &[(&str, &str)]) -> Reading {
    let first = [("own_group", "excluded"), ("no_flow_trigger", "no_piece_on_flowline"), ("cycle", "agreement")];
    let options = first.iter().chain(set).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Reading { flowish, options }
}

#[test]
fn from_the_set_up_of_three_hexagons_a_side_nothing_comes_back() {
    assert_eq!(explore(Position::start(3), &reading(false, &[])), (3115, false));
    assert_eq!(explore(Position::start(3), &reading(true, &[])), (25115, false));
    assert_eq!(explore(Position::start(3), &reading(true, &[("two_sided_line", "either")])), (25115, false));
}

/// Three pieces of each side, in two rows.
fn two_rows() -> Position {
    let pieces = [(-3, 2), (-1, 2), (1, 2)].map(|hex| (hex, 1)).into_iter();
    let pieces = pieces.chain([(-1, -2), (1, -2), (3, -2)].map(|hex| (hex, 0)));
    Position { side: 4, pieces: pieces.collect() }
}

#[test]
fn squish_goes_in_circles_where_flowish_does_not() {
    assert!(explore(two_rows(), &reading(false, &[])).1);
    assert!(!explore(two_rows(), &reading(true, &[])).1);
}

#[test]
fn flowish_goes_in_circles_if_a_piece_may_go_either_way_between_two_targets() {
    // Each side has a single piece between two pairs.
    let own = [(-4, 1), (-4, 2), (3, 1), (2, 2), (0, 1)];
    let pieces = own.into_iter().flat_map(|(q, r)| [((q, r), 0), ((-q, -r), 1)]);
    let start = Position { side: 5, pieces: pieces.collect() };
    assert!(explore(start, &reading(true, &[("two_sided_line", "either")])).1);
}
