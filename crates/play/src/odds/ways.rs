//! The ways through a phase that compiled rules follow.

use smallvec::smallvec;

use super::course::Stuck;
use super::explore::{EDGE, Explorer, NODE};
use super::fold::{Part, mixed};
use super::graph::Node;
use super::stepwise::{Lead, Stepwise};
use crate::points::{Turns, turns_left};
use crate::policy::Policy;
use crate::stepped::{Answers, Way};
use referee_rules::{Asked, Reached};
use referee_trace::{Action, Answer};

/// The number of asks in a row from which the rules are given up.
const DEEPEST: usize = 60;
/// What a pause takes for the machine besides its state, in bytes, at most: for itself, for each answer, and for each byte of
/// the values that compiled rules have made in its phase.
const PAUSE: u64 = 1 << 13;
const ANSWER: u64 = (size_of::<Action>() + size_of::<(Answer, u64)>()) as u64;
const VALUE: u64 = 8;

/// Where a way through a phase has come to.
enum Met {
    /// A node between phases, or an end.
    Node(usize),
    /// An ask with several answers.
    Fork(Asks),
}

/// An ask with several answers.
struct Asks {
    way: Way,
    answers: Answers,
    /// Where each leads, as far as it is known; none if nothing is.
    leads: Vec<Option<Lead>>,
    /// What it takes for the machine as long as it waits.
    bytes: u64,
}

/// What an answer leads to: a node, or a further ask of the phase.
enum Leads {
    Node(usize),
    Fork(usize),
}

/// Returns the chance of what the first ask of a phase leads to, as [`super::fold`] makes it of the nodes of its asks; `None`
/// if weights are too large.
fn folded(forks: Vec<Vec<(Leads, u64)>>) -> Option<Node> {
    let mut mixes: Vec<Option<Node>> = forks.iter().map(|_| None).collect();
    for (at, leads) in forks.iter().enumerate().rev() {
        let part = |(to, weight): &(Leads, u64)| match to {
            Leads::Node(id) => Some(Part { weight: *weight, to: smallvec![(*id, 1)], total: 1 }),
            Leads::Fork(fork) => match mixes.get_mut(*fork)?.take()? {
                Node::Mix { to, total } => Some(Part { weight: *weight, to: to.into(), total }),
                Node::Most(_) | Node::Least(_) | Node::End(_) => None,
            },
        };
        let mixed = mixed(&leads.iter().map(part).collect::<Option<Vec<_>>>()?)?;
        *mixes.get_mut(at)? = Some(mixed);
    }
    mixes.into_iter().next()?
}

impl Explorer<'_, '_> {
    fn steps(&mut self) -> Result<&mut Stepwise, Stuck> {
        self.steps.as_deref_mut().ok_or(Stuck::GaveUp)
    }

    /// Counts a run in which compiled rules have done so much, at least as high as the machine would.
    fn charge(&mut self, spent: u64) -> Result<(), Stuck> {
        self.course.budget.work(2 * spent).map_err(|_| Stuck::GaveUp)
    }

    /// Fills in the node of a position, and those within its phase.
    pub(super) fn expand_position(&mut self, id: usize, position: &[u8], turns: Turns) -> Result<(), Stuck> {
        let steps = self.steps()?;
        let waited = steps.waiting_bytes(position);
        steps.runs = 0;
        self.course.budget.free(waited);
        let first = match self.follow(position, Way::new(), turns)? {
            Met::Node(target) => return self.fill(id, Node::Mix { to: vec![(target, 1)], total: 1 }),
            Met::Fork(asks) => asks,
        };
        // The asks of the phase, each after the one that leads to it.
        let mut forks: Vec<Vec<(Leads, u64)>> = vec![Vec::new()];
        self.course.budget.keep(first.bytes).map_err(|_| Stuck::GaveUp)?;
        let mut within = vec![(0, first)];
        while let Some((fork, Asks { way, answers, leads: known, bytes })) = within.pop() {
            self.course.budget.free(bytes);
            self.course.budget.keep(answers.len() as u64 * EDGE).map_err(|_| Stuck::GaveUp)?;
            let mut leads = Vec::with_capacity(answers.len());
            for (at, (numbers, weight)) in answers.iter().enumerate() {
                let met = match self.led(known.get(at), turns)? {
                    Some(node) => Met::Node(node),
                    None => {
                        let mut longer = way.clone();
                        longer.extend_from_slice(numbers);
                        self.follow(position, longer, turns)?
                    }
                };
                let to = match met {
                    Met::Node(target) => Leads::Node(target),
                    Met::Fork(asks) => {
                        self.course.budget.keep(asks.bytes).map_err(|_| Stuck::GaveUp)?;
                        within.push((forks.len(), asks));
                        forks.push(Vec::new());
                        Leads::Fork(forks.len() - 1)
                    }
                };
                leads.push((to, *weight));
            }
            forks.get_mut(fork).into_iter().for_each(|place| *place = std::mem::take(&mut leads));
        }
        let node = folded(forks).ok_or(Stuck::GaveUp)?;
        self.fill(id, node)
    }

    /// Follows a way through the phase of a position, and then asks with a single answer.
    fn follow(&mut self, position: &[u8], mut way: Way, turns: Turns) -> Result<Met, Stuck> {
        for _ in 0..DEEPEST {
            let steps = self.steps()?;
            let before = steps.steps.spent();
            let reached = steps.run(position, &way).ok_or(Stuck::GaveUp)?;
            let spent = steps.steps.spent() - before;
            self.charge(spent)?;
            let (asked, of) = match reached {
                Reached::Over => {
                    let state = self.steps()?.steps.state().ok_or(Stuck::GaveUp)?;
                    return self.end(&state).map(Met::Node);
                }
                Reached::End => {
                    let Stepwise { steps, room, .. } = self.steps()?;
                    let mut next = std::mem::take(room);
                    next.clear();
                    let ends_turn = steps.after(position, &mut next).ok_or(Stuck::GaveUp)?;
                    let turns = turns_left(ends_turn, turns);
                    if turns == Some(0) {
                        let state = steps.state().ok_or(Stuck::GaveUp)?;
                        return self.end(&state).map(Met::Node);
                    }
                    let node = self.between(&next, turns)?;
                    self.steps()?.room = next;
                    return Ok(Met::Node(node));
                }
                Reached::Ask(asked, of) => (asked, of),
            };
            let steps = self.steps()?;
            let bytes = steps.state_bytes + PAUSE + u64::from(of) * ANSWER + steps.steps.kept().1 * VALUE;
            let key = steps.key_bytes;
            self.course.budget.keep(key + NODE).map_err(|_| Stuck::GaveUp)?;
            let (answers, leads) = self.answers(position, &way, (asked, of))?;
            match &*answers {
                [] => return Err(Stuck::GaveUp),
                [(numbers, _)] => match self.led(leads.first(), turns)? {
                    Some(node) => return Ok(Met::Node(node)),
                    None => way.extend_from_slice(numbers),
                },
                _ => return Ok(Met::Fork(Asks { way, answers, leads, bytes })),
            }
        }
        Err(Stuck::GaveUp)
    }

    /// Returns the node to which an option leads that was rated; `None` if it is to be run. What running it takes counts.
    fn led(&mut self, lead: Option<&Option<Lead>>, turns: Turns) -> Result<Option<usize>, Stuck> {
        let Some(Some(Lead { number, ends_turn, spent })) = lead.copied() else { return Ok(None) };
        let turns = turns_left(ends_turn, turns);
        if turns == Some(0) {
            return Ok(None);
        }
        self.charge(spent)?;
        self.between_phases(number, turns).map(Some)
    }

    /// Returns the answers to follow at an ask with so many, and where they lead, if some of that is known.
    fn answers(
        &mut self,
        position: &[u8],
        way: &Way,
        (asked, of): (Asked, u32),
    ) -> Result<(Answers, Vec<Option<Lead>>), Stuck> {
        let player = match asked {
            Asked::Die(_) => {
                self.charge(0)?;
                return self.steps()?.all(asked, of).map(|all| (all, Vec::new())).ok_or(Stuck::GaveUp);
            }
            Asked::Player(player) => player,
        };
        let steps = self.steps.as_mut().ok_or(Stuck::GaveUp)?;
        let (at, policy) = steps.strategy.policy(player).ok_or(Stuck::GaveUp)?;
        let rates = matches!(policy, Policy::Greedy(..)) && of > 1;
        self.course.met.policies.insert(at);
        if !rates {
            self.charge(0)?;
            return self.steps()?.all(asked, of).map(|all| (all, Vec::new())).ok_or(Stuck::GaveUp);
        }
        let (best, spent) = steps.rated(position, way, player, of).ok_or(Stuck::GaveUp)?;
        let all = steps.all(asked, of).ok_or(Stuck::GaveUp)?;
        self.charge(spent)?;
        let (mut chosen, mut leads) = (Vec::with_capacity(best.len()), Vec::with_capacity(best.len()));
        for (option, lead) in &*best {
            chosen.push(all.get(*option).cloned().ok_or(Stuck::GaveUp)?);
            leads.push(*lead);
        }
        Ok((chosen.into(), leads))
    }
}
