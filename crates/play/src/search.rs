//! Tree search by playouts: UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), with one tree for
//! each decision. At a decision, the player who is asked takes the option with the highest upper confidence bound of
//! *their* reward. Random outcomes, and decisions of several players at once, are drawn again in each playout.
//!
//! If cards are hidden from the searching player, every playout begins with another deal of them, and all share the
//! tree: information set MCTS with a single observer (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree
//! Search", IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). Nodes are distinguished by
//! what the searching player sees, and an option counts as often as it was available. Therefore the other players
//! decide in the tree as if they knew no more than the searching player.

use std::cell::RefMut;
use std::rc::Rc;
use std::sync::Arc;

use super::blind::Blind;
use super::feed::once;
use super::machine::{Machine, Stop};
use super::open::judged;
use super::policy::Rates;
use super::random::Random;
use super::stepped::{AskedAt, Came, option, throw};
use super::visibility::can_throw_again;
use referee_diagnostic::Diagnostic;
use referee_diagnostic::MustBe as _;
use referee_rules::{Asked, Steps};
use referee_table::{Outcome, PlayerId, State, Table};
use referee_trace::{Action, Answer, Decision, Question};
use smallvec::SmallVec;

/// The maximum depth in the tree; without it, dice could continue for ever.
const DEEPEST: usize = 1000;

/// How many bytes of positions a search keeps, about.
const MOST_KEPT: u64 = 64 << 20;

/// A question that was reached, with its statistics.
#[derive(Default)]
struct Node<'p> {
    /// The position, if it is always the same and there is room: play need not come here again from the root.
    spot: Option<Spot<'p>>,
    visits: u32,
    /// The total reward of each player of the game file; each visit adds 0 to 1.
    scores: Vec<f64>,
    /// The options that were available.
    options: Vec<Offered>,
    /// The nodes after other happenings.
    others: Vec<(Happening, usize)>,
}

/// A position.
#[derive(Clone)]
enum Spot<'p> {
    Machine(Rc<Machine<'p>>),
    /// An ask to which compiled rules have come.
    Asked(Rc<AskedAt>),
    /// The end of the game, to which compiled rules have come.
    Over(Outcome),
}

/// An option of a player.
struct Offered {
    player: PlayerId,
    /// The action; `None` where compiled rules offer it, which offer the same ones whenever play comes there.
    action: Option<Action>,
    /// The number of times the option was available.
    times: u32,
    /// The node after the option, once it was tried.
    leads: Option<usize>,
}

/// Options of a player.
#[derive(Clone, Copy)]
enum Options<'o> {
    Of(&'o Decision),
    /// So many.
    Count(PlayerId, u32),
}

/// Anything but a decision of a single player, as the searching player sees it.
#[derive(PartialEq)]
enum Happening {
    /// Chance, or decisions of several players at once.
    Seen(Answer),
    /// A card is drawn that the searching player does not see.
    Unseen,
}

/// How games are tried, and options rated.
pub(super) trait Tries: Rates {
    /// Plays a game to its end with random decisions; returns `None` if the game does not end.
    fn rollout(&self, machine: &Machine<'_>, random: &mut Random) -> Result<Option<Outcome>, Box<Diagnostic>>;

    /// Returns compiled rules that follow play from a machine on, if they are to.
    fn steps(&self, machine: &Machine<'_>) -> Option<RefMut<'_, Steps>>;

    /// Gives compiled rules up for the searches to come.
    fn give_up(&self);

    /// Returns the number of turns after which a game does not end.
    fn turns(&self) -> u64;
}

/// The searching player.
struct Searcher {
    player: PlayerId,
    /// Whether cards are hidden from them.
    blind: bool,
}

/// Why a search has found nothing.
enum Broken {
    Fault(Box<Diagnostic>),
    /// Compiled rules were given up: the machine is to search.
    GaveUp,
}

impl From<Box<Diagnostic>> for Broken {
    fn from(wrong: Box<Diagnostic>) -> Self {
        Self::Fault(wrong)
    }
}

/// Returns the index of the option that was tried most often in this number of playouts.
pub(super) fn search(
    tries: &dyn Tries,
    machine: &Machine<'_>,
    decision: &Decision,
    random: &mut Random,
    count: u32,
) -> Result<usize, Box<Diagnostic>> {
    if decision.options.len() < 2 {
        return Ok(0);
    }
    can_throw_again(machine, decision.player, "mcts")?;
    let mut known = Blind::of(machine, decision);
    let mut given_up = false;
    let mut steps = if known.is_none() { tries.steps(machine) } else { None };
    if let Some(steps) = &mut steps {
        let mut own = random.clone();
        let rules = Rules { tries, steps: Some(steps) };
        if let Ok(found) = search_by(rules, machine, decision, (&mut None, &mut own), count) {
            *random = own;
            return Ok(found);
        }
        given_up = true;
    }
    drop(steps);
    if given_up {
        tries.give_up();
    }
    let by_machine = Rules { tries, steps: None };
    search_by(by_machine, machine, decision, (&mut known, random), count).map_err(|broken| match broken {
        Broken::Fault(wrong) => wrong,
        Broken::GaveUp => Box::new(Diagnostic::internal("the machine has given up a search")),
    })
}

/// What follows play in a search.
struct Rules<'r> {
    tries: &'r dyn Tries,
    /// Compiled rules, for asks that begin a phase, and those after them.
    steps: Option<&'r mut Steps>,
}

fn search_by(
    mut rules: Rules<'_>,
    machine: &Machine<'_>,
    decision: &Decision,
    (known, random): (&mut Option<Blind<'_, '_>>, &mut Random),
    count: u32,
) -> Result<usize, Broken> {
    let searcher = Searcher { player: decision.player, blind: known.is_some() };
    let table = Arc::clone(&machine.state().table);
    let mut tree = Tree { nodes: vec![Node::default()], kept: 0, table };
    let root = Rc::new(machine.silent_clone());
    for _ in 0..count {
        let start = match known {
            None => Rc::clone(&root),
            Some(known) => Rc::new(known.deal("mcts", random)?),
        };
        attempt(&mut rules, Spot::Machine(start), &searcher, &mut tree, random)?;
    }
    let tree = tree.nodes;
    let visits = |option: &Offered| {
        let at = decision.options.iter().position(|action| option.action.as_ref() == Some(action))?;
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
    table: Arc<Table>,
}

impl<'p> Tree<'p> {
    /// Keeps the position of a node if there is room.
    fn keep(&mut self, place: usize, spot: &Spot<'p>) {
        let bytes = match spot {
            Spot::Machine(machine) => {
                machine.state().bytes() + machine.paused().map_or(0, |paused| paused.bytes() as u64)
            }
            Spot::Asked(asked) => asked.bytes(),
            Spot::Over(_) => size_of::<Spot<'_>>() as u64,
        };
        if let Some(node) = self.nodes.get_mut(place).filter(|_| self.kept + bytes <= MOST_KEPT) {
            self.kept += bytes;
            node.spot = Some(spot.clone());
        }
    }

    /// Returns the kept position of a node.
    fn kept(&self, place: usize) -> Option<Spot<'p>> {
        self.nodes.get(place)?.spot.clone()
    }
}

/// An answer in a search.
enum Next {
    /// The option with this index, and the node after it.
    Option(usize, usize),
    /// Anything else.
    Other(Answer),
}

/// Descends the tree from the position of its root to an untried option, tries it in a playout, and adds the rewards to the path.
/// Where the searching player sees everything, the position of each node is always the same.
fn attempt<'p>(
    rules: &mut Rules<'_>,
    mut spot: Spot<'p>,
    searcher: &Searcher,
    tree: &mut Tree<'p>,
    random: &mut Random,
) -> Result<(), Broken> {
    let mut path = vec![0];
    let mut here = 0;
    while path.len() < DEEPEST {
        let mut is_new = false;
        let mut decided = |tree: &mut Tree<'_>, options: Options<'_>, random: &mut Random| {
            let (at, next, new) = select(&mut tree.nodes, here, options, random);
            is_new = new;
            Next::Option(at, next)
        };
        let answer = match &spot {
            Spot::Machine(machine) => match machine.stop() {
                Stop::Paused(ask) => match &ask.question {
                    Question::Choose(decision) => {
                        judged(machine.program(), machine.state(), (decision, ask.place), None)?;
                        decided(tree, Options::Of(decision), random)
                    }
                    question => Next::Other(draw(question, machine.state(), random)),
                },
                _ => break,
            },
            Spot::Asked(at) => match at.asked {
                Asked::Player(player) => decided(tree, Options::Count(player, at.of), random),
                Asked::Die(die) => Next::Other(Answer::Rolled(random.throw(&tree.table.schema, die))),
            },
            Spot::Over(_) => break,
        };
        let before = searcher.unseen(&spot, &answer);
        // What is not seen leads to other positions.
        let next = match &answer {
            Next::Option(_, next) => Some(*next),
            Next::Other(answer) if before.is_none() => {
                Some(other(&mut tree.nodes, here, Happening::Seen(answer.clone())))
            }
            Next::Other(_) => None,
        };
        let kept = next.filter(|_| !searcher.blind).and_then(|next| tree.kept(next));
        spot = match kept {
            Some(kept) => kept,
            None => {
                let after = rules.go_on(spot, &answer, &tree.table)?;
                next.filter(|_| !searcher.blind).into_iter().for_each(|next| tree.keep(next, &after));
                after
            }
        };
        here = match (next, answer) {
            (Some(next), _) => next,
            (None, answer) => {
                let hidden = before == searcher.unseen(&spot, &answer);
                let Next::Other(answer) = answer else { break };
                other(&mut tree.nodes, here, if hidden { Happening::Unseen } else { Happening::Seen(answer) })
            }
        };
        path.push(here);
        if is_new {
            break;
        }
    }
    let outcome = rules.rollout(&spot, random)?;
    let scores = scores(&tree.table, outcome.as_ref());
    for place in path {
        let Some(node) = tree.nodes.get_mut(place).noted("a node of the search") else { continue };
        node.visits += 1;
        node.scores.resize(scores.len(), 0.0);
        node.scores.iter_mut().zip(&scores).for_each(|(sum, score)| *sum += score);
    }
    Ok(())
}

impl Rules<'_> {
    /// Returns the position after an answer.
    fn go_on<'p>(&mut self, spot: Spot<'p>, answer: &Next, table: &Table) -> Result<Spot<'p>, Broken> {
        match spot {
            Spot::Machine(machine) => {
                // A position of this attempt alone goes on as it is.
                let mut own = Rc::try_unwrap(machine).unwrap_or_else(|kept| kept.silent_clone());
                let answer = match answer {
                    Next::Option(at, _) => Answer::Chosen(*at),
                    Next::Other(answer) => answer.clone(),
                };
                own.go_on(&once(answer));
                let asked = self.steps.as_mut().and_then(|steps| AskedAt::of(steps, &own));
                Ok(match asked {
                    Some(asked) => Spot::Asked(Rc::new(asked)),
                    None => Spot::Machine(Rc::new(own)),
                })
            }
            Spot::Asked(at) => {
                let steps = self.steps.as_mut().ok_or(Broken::GaveUp)?;
                let came = match (answer, at.asked) {
                    (Next::Option(chosen, _), _) => option(*chosen, at.of).and_then(|way| at.go_on(steps, &way)),
                    (Next::Other(Answer::Rolled(thrown)), Asked::Die(die)) => {
                        throw(table, die, thrown, at.of).and_then(|way| at.go_on(steps, &way))
                    }
                    (Next::Other(_), _) => None,
                };
                match came {
                    Some(Came::Ask(asked)) => Ok(Spot::Asked(Rc::new(asked))),
                    Some(Came::Over(outcome)) => Ok(Spot::Over(outcome)),
                    None => Err(Broken::GaveUp),
                }
            }
            Spot::Over(outcome) => Ok(Spot::Over(outcome)),
        }
    }

    /// Returns the outcome of a game that is played on at random.
    fn rollout(&mut self, spot: &Spot<'_>, random: &mut Random) -> Result<Option<Outcome>, Broken> {
        match spot {
            Spot::Machine(machine) => match machine.stop() {
                Stop::Fault(wrong) => Err(Broken::Fault(wrong.clone())),
                Stop::Over => Ok(machine.state().outcome.clone()),
                _ => Ok(self.tries.rollout(machine, random)?),
            },
            Spot::Asked(at) => {
                let steps = self.steps.as_mut().ok_or(Broken::GaveUp)?;
                at.play_on(steps, self.tries.turns(), random.fork()).ok_or(Broken::GaveUp)
            }
            Spot::Over(outcome) => Ok(Some(outcome.clone())),
        }
    }
}

impl Searcher {
    /// Returns how many copies of a drawn card the searching player cannot see. The number does not change with the
    /// draw if they do not see the card. Returns `None` for other answers, and if they see everything.
    fn unseen(&self, spot: &Spot<'_>, answer: &Next) -> Option<u32> {
        match (spot, answer) {
            (Spot::Machine(machine), Next::Other(Answer::Drawn(card))) if self.blind => {
                Some(machine.state().unseen(self.player).get(card).copied().unwrap_or(0))
            }
            _ => None,
        }
    }
}

/// Returns the index of the option to follow, the node after it, and whether it is new. Selects an untried option if
/// there is one, otherwise the one with the highest upper confidence bound.
fn select(tree: &mut Vec<Node<'_>>, here: usize, options: Options<'_>, random: &mut Random) -> (usize, usize, bool) {
    let fresh = tree.len();
    let Some(node) = tree.get_mut(here) else { return (0, here, true) };
    let (player, places): (PlayerId, SmallVec<[usize; 32]>) = match options {
        Options::Of(decision) => {
            let offered = decision.options.iter().enumerate();
            (decision.player, offered.map(|(at, action)| node.offer(at, decision.player, Some(action))).collect())
        }
        Options::Count(player, count) => (player, (0..count as usize).map(|at| node.offer(at, player, None)).collect()),
    };
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
        let score = child.scores.get(player.index()).copied().or_missing("the score of a player", 0.0);
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
    fn offer(&mut self, at: usize, player: PlayerId, action: Option<&Action>) -> usize {
        let is = |option: &Offered| option.player == player && option.action.as_ref() == action;
        let known = match self.options.get(at) {
            Some(option) if is(option) => Some(at),
            _ if action.is_none() => None,
            _ => self.options.iter().position(is),
        };
        let place = known.unwrap_or(self.options.len());
        match self.options.get_mut(place) {
            Some(option) => option.times += 1,
            None => self.options.push(Offered { player, action: action.cloned(), times: 1, leads: None }),
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
