//! Tree search by playouts: UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), with one tree for
//! each decision. At a decision, the player who is asked takes the option with the highest upper confidence bound of
//! *their* reward. Random outcomes, and decisions of several players at once, are drawn again in each playout.
//!
//! If cards are hidden from the searching player, every playout begins with another deal of them, and all share the
//! tree: information set MCTS with a single observer (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
//! Search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). Nodes are distinguished by
//! what the searching player sees, and an option counts as often as it was available. Therefore the other players
//! decide in the tree as if they knew no more than the searching player.

use std::rc::Rc;
use std::sync::Arc;

use super::blind::Blind;
use super::feed::once;
use super::machine::{Machine, Stop};
use super::random::Random;
use referee_diagnostic::Diagnostic;
use referee_diagnostic::MustBe as _;
use referee_table::{Outcome, PlayerId, State, Table};
use referee_trace::{Action, Answer, Decision, Question};

/// The maximum depth in the tree; without it, dice could continue for ever.
const DEEPEST: usize = 1000;

/// How many bytes of positions a search keeps, about.
const MOST_KEPT: u64 = 64 << 20;

/// A question that was reached, with its statistics.
#[derive(Default)]
struct Node<'p> {
    /// The position, if it is always the same and there is room: play need not come here again from the root.
    machine: Option<Rc<Machine<'p>>>,
    visits: u32,
    /// The total reward of each player of the game file; each visit adds 0 to 1.
    scores: Vec<f64>,
    /// The options that were available.
    options: Vec<Offered>,
    /// The nodes after other happenings.
    others: Vec<(Happening, usize)>,
}

/// An option of a player.
struct Offered {
    player: PlayerId,
    action: Action,
    /// The number of times the option was available.
    times: u32,
    /// The node after the option, once it was tried.
    leads: Option<usize>,
}

/// Anything but a decision of a single player, as the searching player sees it.
#[derive(PartialEq)]
enum Happening {
    /// Chance, or decisions of several players at once.
    Seen(Answer),
    /// A card is drawn that the searching player does not see.
    Unseen,
}

/// A function that plays a game to its end with random decisions; it returns `None` if the game does not end.
pub(super) type Rollout<'r> = dyn Fn(&Machine<'_>, &mut Random) -> Result<Option<Outcome>, Box<Diagnostic>> + 'r;

/// The searching player.
struct Searcher {
    player: PlayerId,
    /// Whether cards are hidden from them.
    blind: bool,
}

/// Returns the index of the option that was tried most often in `tries` playouts.
pub(super) fn search(
    rollout: &Rollout<'_>,
    machine: &Machine<'_>,
    decision: &Decision,
    random: &mut Random,
    tries: u32,
) -> Result<usize, Box<Diagnostic>> {
    if decision.options.len() < 2 {
        return Ok(0);
    }
    let mut known = Blind::of(machine, decision);
    let searcher = Searcher { player: decision.player, blind: known.is_some() };
    let mut tree = Tree { nodes: vec![Node::default()], kept: 0 };
    let root = Rc::new(machine.silent_clone());
    for _ in 0..tries {
        let start = match &mut known {
            None => Rc::clone(&root),
            Some(known) => Rc::new(known.deal("mcts", random)?),
        };
        attempt(rollout, start, &searcher, &mut tree, random)?;
    }
    let tree = tree.nodes;
    let visits = |option: &Offered| {
        let at = decision.options.iter().position(|action| *action == option.action)?;
        Some((tree.get(option.leads?)?.visits, at))
    };
    let tried: Vec<(u32, usize)> = tree.first().into_iter().flat_map(|root| &root.options).filter_map(visits).collect();
    let most = tried.iter().map(|(visits, _)| *visits).max();
    let best: Vec<usize> = tried.iter().filter(|(visits, _)| Some(*visits) == most).map(|(_, at)| *at).collect();
    Ok(best.get(random.place(best.len())).copied().or_missing("a best option", 0))
}

/// The nodes of a search; the first one is its root.
struct Tree<'p> {
    nodes: Vec<Node<'p>>,
    /// How many bytes of positions are kept, about.
    kept: u64,
}

impl<'p> Tree<'p> {
    /// Keeps the position of a node if there is room, and returns it.
    fn keep(&mut self, place: usize, machine: Machine<'p>) -> Rc<Machine<'p>> {
        let machine = Rc::new(machine);
        let paused = machine.paused().map_or(0, |paused| paused.bytes() as u64);
        let bytes = machine.state().bytes() + paused;
        if let Some(node) = self.nodes.get_mut(place).filter(|_| self.kept + bytes <= MOST_KEPT) {
            self.kept += bytes;
            node.machine = Some(Rc::clone(&machine));
        }
        machine
    }

    /// Returns the kept position of a node.
    fn kept(&self, place: usize) -> Option<Rc<Machine<'p>>> {
        self.nodes.get(place)?.machine.clone()
    }
}

/// Descends the tree from the position of its root to an untried option, tries it in a playout, and adds the rewards to the path.
/// Where the searching player sees everything, the position of each node is always the same.
fn attempt<'p>(
    rollout: &Rollout<'_>,
    mut machine: Rc<Machine<'p>>,
    searcher: &Searcher,
    tree: &mut Tree<'p>,
    random: &mut Random,
) -> Result<(), Box<Diagnostic>> {
    let mut path = vec![0];
    let mut here = 0;
    while path.len() < DEEPEST {
        let Stop::Paused(ask) = machine.stop() else { break };
        let (answer, next, is_new) = match &ask.question {
            Question::Choose(decision) => {
                let (at, next, is_new) = select(&mut tree.nodes, here, decision, random);
                (Answer::Chosen(at), Some(next), is_new)
            }
            question => (draw(question, machine.state(), random), None, false),
        };
        let before = searcher.unseen(machine.state(), &answer);
        // What is not seen leads to other positions.
        let next = match next {
            None if before.is_none() => Some(other(&mut tree.nodes, here, Happening::Seen(answer.clone()))),
            next => next,
        };
        let kept = next.filter(|_| !searcher.blind).and_then(|next| tree.kept(next));
        machine = match kept {
            Some(kept) => kept,
            None => {
                // A position of this attempt alone goes on as it is.
                let mut own = Rc::try_unwrap(machine).unwrap_or_else(|kept| kept.silent_clone());
                own.go_on(&once(answer.clone()));
                match next.filter(|_| !searcher.blind) {
                    Some(next) => tree.keep(next, own),
                    None => Rc::new(own),
                }
            }
        };
        here = next.unwrap_or_else(|| {
            let hidden = before == searcher.unseen(machine.state(), &answer);
            other(&mut tree.nodes, here, if hidden { Happening::Unseen } else { Happening::Seen(answer) })
        });
        path.push(here);
        if is_new {
            break;
        }
    }
    let table = Arc::clone(&machine.state().table);
    let outcome = match machine.stop() {
        Stop::Fault(wrong) => return Err(wrong.clone()),
        Stop::Over => machine.state().outcome.clone(),
        _ => rollout(&machine, random)?,
    };
    let scores = scores(&table, outcome.as_ref());
    for place in path {
        let Some(node) = tree.nodes.get_mut(place).noted("a node of the search") else { continue };
        node.visits += 1;
        node.scores.resize(scores.len(), 0.0);
        node.scores.iter_mut().zip(&scores).for_each(|(sum, score)| *sum += score);
    }
    Ok(())
}

impl Searcher {
    /// Returns how many copies of a drawn card the searching player cannot see. The number does not change with the
    /// draw if they do not see the card. Returns `None` for other answers, and if they see everything.
    fn unseen(&self, state: &State, answer: &Answer) -> Option<u32> {
        match answer {
            Answer::Drawn(card) if self.blind => Some(state.unseen(self.player).get(card).copied().unwrap_or(0)),
            _ => None,
        }
    }
}

/// Returns the index of the option to follow, the node after it, and whether it is new. Selects an untried option if
/// there is one, otherwise the one with the highest upper confidence bound.
fn select(tree: &mut Vec<Node<'_>>, here: usize, decision: &Decision, random: &mut Random) -> (usize, usize, bool) {
    let fresh = tree.len();
    let Some(node) = tree.get_mut(here) else { return (0, here, true) };
    let places: Vec<usize> =
        (decision.options.iter().enumerate()).map(|(at, action)| node.offer(at, decision.player, action)).collect();
    let is_untried = |place: &usize| node.options.get(*place).is_some_and(|option| option.leads.is_none());
    let untried: Vec<usize> = (0..places.len()).filter(|at| places.get(*at).is_some_and(is_untried)).collect();
    if !untried.is_empty() {
        let at = untried.get(random.place(untried.len())).copied().or_missing("an untried option", 0);
        if let Some(option) = places.get(at).and_then(|place| node.options.get_mut(*place)) {
            option.leads = Some(fresh);
        }
        tree.push(Node::default());
        return (at, fresh, true);
    }
    let Some(node) = tree.get(here) else { return (0, here, true) };
    let bound = |place: &usize| {
        let option = node.options.get(*place)?;
        let next = option.leads?;
        let child = tree.get(next)?;
        let visits = f64::from(child.visits.max(1));
        let score = child.scores.get(decision.player.index()).copied().or_missing("the score of a player", 0.0);
        let log = libm::log(f64::from(option.times));
        Some((score / visits + (2.0 * log / visits).sqrt(), next))
    };
    let bounds = places.iter().enumerate().filter_map(|(at, place)| Some((at, bound(place)?)));
    let best = bounds.reduce(|best, other| if other.1.0 > best.1.0 { other } else { best });
    best.map_or((0, here, true), |(at, (_, next))| (at, next, false))
}

impl Node<'_> {
    /// Counts an available option, and returns its index in this node. `at` is its index among the available options,
    /// and a good guess for the result.
    fn offer(&mut self, at: usize, player: PlayerId, action: &Action) -> usize {
        let is = |option: &Offered| option.player == player && option.action == *action;
        let known = match self.options.get(at) {
            Some(option) if is(option) => Some(at),
            _ => self.options.iter().position(is),
        };
        let place = known.unwrap_or(self.options.len());
        match self.options.get_mut(place) {
            Some(option) => option.times += 1,
            None => self.options.push(Offered { player, action: action.clone(), times: 1, leads: None }),
        }
        place
    }
}

/// Returns an answer at random.
fn draw(question: &Question, state: &State, random: &mut Random) -> Answer {
    match question {
        Question::Roll(die) => Answer::Rolled(random.throw(state.schema(), *die)),
        Question::Draw(zone) => random.card(state, *zone),
        Question::Choose(one) => Answer::Chosen(random.place(one.options.len())),
        Question::ChooseAll(all) => Answer::AllChosen(all.iter().map(|one| random.place(one.options.len())).collect()),
    }
}

/// Returns the node after a happening; a new one if it did not happen here before.
fn other(tree: &mut Vec<Node<'_>>, here: usize, happening: Happening) -> usize {
    let known = tree.get(here).and_then(|node| node.others.iter().find(|(other, _)| *other == happening));
    if let Some((_, place)) = known {
        return *place;
    }
    let place = tree.len();
    tree.push(Node::default());
    if let Some(node) = tree.get_mut(here) {
        node.others.push((happening, place));
    }
    place
}

/// Returns the reward of each player of the game file for an outcome: 1 for a win, 0.5 for a draw or an unfinished
/// game, 0 for a loss.
fn scores(table: &Table, outcome: Option<&Outcome>) -> Vec<f64> {
    let score = |player: PlayerId| match outcome {
        Some(Outcome::Won(winners)) => f64::from(u8::from(winners.contains(&player))),
        Some(Outcome::Nobody) => 0.0,
        Some(Outcome::Draw) | None => 0.5,
    };
    (0..table.schema.players.len()).map(PlayerId::at).map(score).collect()
}
