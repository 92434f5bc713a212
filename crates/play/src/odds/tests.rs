//! Graphs with chances that are known in another way.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that finds something missing should stop there"
)]

use num_rational::BigRational;
use num_traits::Zero;
use proptest::prelude::*;

use super::bounds::{bounds, fraction};
use super::exact::exact;
use super::graph::{Graph, Node};
use super::{Chance, Rounding, decimal};

fn ratio(upper: i64, lower: i64) -> BigRational {
    BigRational::new(upper.into(), lower.into())
}

fn mix(to: &[(usize, u64)]) -> Node {
    Node::Mix { to: to.to_vec(), total: to.iter().map(|(_, weight)| weight).sum() }
}

/// Returns the chance to reach an end of class 1 from the first node. Checks that it is between the bounds.
fn chance(nodes: &[Node]) -> Chance {
    let graph = Graph::new(nodes.to_vec(), 0, nodes.len());
    let chance = graph.chance(|class| class == 1);
    let (lows, highs) = bounds(&graph, &|class| class == 1);
    assert!(fraction(lows[0]) <= chance.low && chance.high <= fraction(highs[0]), "{nodes:?}");
    chance
}

/// A gambler with 3 of 10 coins wins each coin with a chance of 2/5. The closed form is known from textbooks.
#[test]
fn a_gambler_is_ruined_as_often_as_known() {
    let mut nodes = vec![mix(&[(3, 1)])];
    nodes.extend((1..10).map(|coins: usize| mix(&[(coins - 1 + 12 * usize::from(coins == 1), 3), (coins + 1, 2)])));
    nodes.push(Node::End(1));
    nodes.extend([Node::End(7), Node::End(0)]);
    let r = ratio(3, 2);
    let known = (r.pow(3) - ratio(1, 1)) / (r.pow(10) - ratio(1, 1));
    let found = chance(&nodes);
    assert_eq!(found, Chance { low: known.clone(), high: known.clone() });
    let graph = Graph::new(nodes, 0, 1);
    let (lows, highs) = bounds(&graph, &|class| class == 1);
    assert!(fraction(highs[0]) - fraction(lows[0]) < ratio(1, 1 << 40), "the bounds have not closed in");
    assert_eq!(graph.endless(), 0);
}

#[test]
fn what_never_ends_comes_to_no_end() {
    let nodes = [mix(&[(1, 2), (2, 1)]), mix(&[(3, 1)]), Node::End(1), mix(&[(1, 1), (3, 4)])];
    assert_eq!(chance(&nodes).low, ratio(1, 3));
    assert_eq!(Graph::new(nodes.to_vec(), 0, 4).endless(), 2);
}

/// A player who can delay the end forever neither gains nor loses by that.
#[test]
fn staying_forever_is_no_end() {
    let gamble = [mix(&[(3, 1), (4, 2)]), Node::End(1), Node::End(0)];
    let with = |first: Node| [vec![first, mix(&[(0, 1)])], gamble.to_vec()].concat();
    assert_eq!(chance(&with(Node::Most(vec![1, 2]))).low, ratio(1, 3));
    assert_eq!(chance(&with(Node::Least(vec![1, 2]))).low, BigRational::zero());
    assert_eq!(chance(&with(Node::Least(vec![2]))).low, ratio(1, 3));
}

/// Generates a node with successors among eight nodes, of which the last two are ends.
fn any_node() -> impl Strategy<Value = Node> {
    let places = || prop::collection::btree_set(0..8usize, 2);
    prop_oneof![
        3 => prop::collection::btree_map(0..8usize, 1..4u64, 1..4).prop_map(|to| mix(&to.into_iter().collect::<Vec<_>>())),
        1 => places().prop_map(|to| Node::Most(to.into_iter().collect())),
        1 => places().prop_map(|to| Node::Least(to.into_iter().collect())),
    ]
}

/// Generates play in which only chance decides: rounds that go on, come back, and end.
fn any_chances() -> impl Strategy<Value = Vec<Node>> {
    let to = |count: usize| prop::collection::btree_map(0..count + 2, 1..40u64, 1..5);
    (4..24usize).prop_flat_map(move |count| prop::collection::vec(to(count), count)).prop_map(|nodes| {
        let mut nodes: Vec<Node> = nodes.into_iter().map(|to| mix(&to.into_iter().collect::<Vec<_>>())).collect();
        nodes.extend([Node::End(0), Node::End(1)]);
        nodes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Bounds that begin with a guess are proven, for every node.
    #[test]
    fn bounds_of_chance_have_closed_in_on_it(nodes in any_chances()) {
        let graph = Graph::new(nodes.clone(), 0, nodes.len());
        let is_wanted = |class: usize| class == 1;
        let (lows, highs) = bounds(&graph, &is_wanted);
        let exact = exact(&graph, &is_wanted, None).unwrap();
        for (at, exact) in exact.into_iter().enumerate() {
            let (low, high, exact) = (fraction(lows[at]), fraction(highs[at]), exact.unwrap());
            prop_assert!(low <= exact && exact <= high, "{at} of {nodes:?}");
            prop_assert!(high - low <= ratio(1, 1 << 40), "{at} of {nodes:?}");
        }
    }
}

/// Play that ends seldom: two positions lead to each other, and one in so many rounds to an end.
#[test]
fn bounds_of_play_that_ends_seldom_are_proven() {
    for seldom in [10_u64, 1_000, 100_000, 10_000_000] {
        let nodes = [mix(&[(1, seldom), (2, 1)]), mix(&[(0, 2 * seldom), (3, 1)]), Node::End(1), Node::End(0)];
        let (lows, highs) = bounds(&Graph::new(nodes.to_vec(), 0, nodes.len()), &|class| class == 1);
        // From the first one: an end of class 1, or the other, and if not that, again.
        let (one, other) =
            (ratio(1, i64::try_from(seldom).unwrap() + 1), ratio(1, 2 * i64::try_from(seldom).unwrap() + 1));
        let whole = ratio(1, 1);
        let known = &one / (&whole - (&whole - &one) * (&whole - &other));
        let (low, high) = (fraction(lows[0]), fraction(highs[0]));
        assert!(low <= known && known <= high, "{seldom}: {low} to {high}");
        assert!(high - low < ratio(1, 1 << 20), "{seldom}");
    }
}

/// Returns the graphs of all strategies: each decision of one side is replaced by one of its options.
fn decided(nodes: &[Node], most: bool) -> Vec<Vec<Node>> {
    let at = nodes.iter().position(|node| match node {
        Node::Most(_) => most,
        Node::Least(_) => !most,
        _ => false,
    });
    let Some(at) = at else { return vec![nodes.to_vec()] };
    let (Node::Most(to) | Node::Least(to)) = nodes[at].clone() else { unreachable!() };
    let one = |next: usize| {
        let mut nodes = nodes.to_vec();
        nodes[at] = mix(&[(next, 1)]);
        decided(&nodes, most)
    };
    to.into_iter().flat_map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Optimal play is the best of all strategies, each against the worst of all strategies of the other side.
    #[test]
    fn best_play_is_the_best_of_all_ways(mut nodes in prop::collection::vec(any_node(), 6)) {
        nodes.extend([Node::End(0), Node::End(1)]);
        let worst = |nodes: &Vec<Node>| decided(nodes, false).iter().map(|nodes| chance(nodes).low).min().unwrap();
        let known = decided(&nodes, true).iter().map(worst).max().unwrap();
        prop_assert_eq!(chance(&nodes).low, known);
    }
}

#[test]
fn decimals_are_rounded_as_asked() {
    let third = ratio(2, 3);
    assert_eq!(decimal(&third, 3, Rounding::Nearest), "0.667");
    assert_eq!(decimal(&third, 3, Rounding::Down), "0.666");
    assert_eq!(decimal(&ratio(1, 300), 4, Rounding::Up), "0.0034");
    assert_eq!(decimal(&ratio(1, 1), 2, Rounding::Nearest), "1.00");
}
