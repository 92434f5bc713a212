//! Tree search by playouts: UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006), one tree for each
//! decision. At a decision the player who is asked takes the option of the highest upper bound of what it brought *him*;
//! dice, and decisions of several players at once, are drawn anew each time.

use super::feed::once;
use super::machine::{Machine, Stop};
use super::playout::{Ending, Playouts, Start};
use super::random::Random;
use crate::diagnostic::Diagnostic;
use crate::table::{Outcome, PlayerId, Table};
use crate::trace::{Answer, Decision, Question};

/// The deepest that the tree is followed; dice can go on for ever.
const DEEPEST: usize = 1000;

/// A question that was come to, and what became of it. Without the rules' state, which the machine has.
#[derive(Default)]
struct Node {
    visits: u32,
    /// For each player of the game file the sum of what the visits brought, each between 0 and 1.
    scores: Vec<f64>,
    /// Where the answers lead that were tried.
    children: Vec<(Answer, usize)>,
}

/// The place of the option that was tried most often in `tries` playouts.
pub(super) fn search(
    playouts: &Playouts<'_>,
    machine: &Machine<'_>,
    decision: &Decision,
    random: &mut Random,
    tries: u32,
) -> Result<usize, Box<Diagnostic>> {
    if decision.options.len() < 2 {
        return Ok(0);
    }
    let mut tree = vec![Node::default()];
    for _ in 0..tries {
        attempt(playouts, machine.clone(), &mut tree, random)?;
    }
    let visits = |(answer, child): &(Answer, usize)| match answer {
        Answer::Chosen(at) => tree.get(*child).map(|node| (node.visits, *at)),
        _ => None,
    };
    let tried: Vec<(u32, usize)> =
        tree.first().into_iter().flat_map(|root| &root.children).filter_map(visits).collect();
    let most = tried.iter().map(|(visits, _)| *visits).max();
    let best: Vec<usize> = tried.iter().filter(|(visits, _)| Some(*visits) == most).map(|(_, at)| *at).collect();
    Ok(best.get(random.place(best.len())).copied().unwrap_or(0))
}

/// Go down the tree to an option that was not tried yet, try it by a playout, and note what it brought.
fn attempt(
    playouts: &Playouts<'_>,
    mut machine: Machine<'_>,
    tree: &mut Vec<Node>,
    random: &mut Random,
) -> Result<(), Box<Diagnostic>> {
    let mut path = vec![0];
    let mut here = 0;
    while path.len() < DEEPEST {
        let Stop::Paused(ask) = machine.stop() else { break };
        let (answer, is_new) = match &ask.question {
            Question::Choose(decision) => select(tree, here, decision, random),
            chance => (draw(chance, machine.state(), random), false),
        };
        machine.go_on(&once(answer.clone()));
        here = child(tree, here, answer);
        path.push(here);
        if is_new {
            break;
        }
    }
    let table = std::sync::Arc::clone(&machine.state().table);
    let outcome = match machine.stop() {
        Stop::Fault(wrong) => return Err(wrong.clone()),
        Stop::Over => machine.state().outcome.clone(),
        _ => match Start::of(&machine) {
            None => None,
            Some(start) => {
                let rollout = Playouts { start: &start, policies: &[], ..*playouts };
                match rollout.play_with(random.fork(), false).ending {
                    Ending::Over(outcome) => Some(outcome),
                    Ending::Stopped => None,
                    Ending::Fault(wrong) => return Err(wrong),
                }
            }
        },
    };
    let scores = scores(&table, outcome.as_ref());
    for place in path {
        let Some(node) = tree.get_mut(place) else { continue };
        node.visits += 1;
        node.scores.resize(scores.len(), 0.0);
        node.scores.iter_mut().zip(&scores).for_each(|(sum, score)| *sum += score);
    }
    Ok(())
}

/// The option to follow: one that was not tried yet (which is told), else that of the highest upper bound.
fn select(tree: &[Node], here: usize, decision: &Decision, random: &mut Random) -> (Answer, bool) {
    let Some(node) = tree.get(here) else { return (Answer::Chosen(0), false) };
    let tried = |at: &usize| node.children.iter().any(|(answer, _)| *answer == Answer::Chosen(*at));
    let untried: Vec<usize> = (0..decision.options.len()).filter(|at| !tried(at)).collect();
    if !untried.is_empty() {
        return (Answer::Chosen(untried.get(random.place(untried.len())).copied().unwrap_or(0)), true);
    }
    let log = libm::log(f64::from(node.visits));
    let bound = |child: usize| {
        let Some(child) = tree.get(child) else { return 0.0 };
        let visits = f64::from(child.visits.max(1));
        let score = child.scores.get(decision.player.index()).copied().unwrap_or(0.0);
        score / visits + (2.0 * log / visits).sqrt()
    };
    let bounds = node.children.iter().map(|(answer, child)| (bound(*child), answer));
    let best = bounds.reduce(|best, other| if other.0 > best.0 { other } else { best });
    (best.map_or(Answer::Chosen(0), |(_, answer)| answer.clone()), false)
}

/// An answer at random.
fn draw(question: &Question, state: &crate::table::State, random: &mut Random) -> Answer {
    match question {
        Question::Roll(die) => Answer::Rolled(random.face(state.schema(), *die)),
        Question::Choose(one) => Answer::Chosen(random.place(one.options.len())),
        Question::ChooseAll(all) => Answer::AllChosen(all.iter().map(|one| random.place(one.options.len())).collect()),
    }
}

/// The node behind an answer; a new one if it was not tried yet.
fn child(tree: &mut Vec<Node>, here: usize, answer: Answer) -> usize {
    let known = tree.get(here).and_then(|node| node.children.iter().find(|(other, _)| *other == answer));
    if let Some((_, child)) = known {
        return *child;
    }
    let place = tree.len();
    tree.push(Node::default());
    if let Some(node) = tree.get_mut(here) {
        node.children.push((answer, place));
    }
    place
}

/// What an outcome is worth to each player of the game file: 1 for a win, a half for a draw or a game without an end.
fn scores(table: &Table, outcome: Option<&Outcome>) -> Vec<f64> {
    let score = |player: PlayerId| match outcome {
        Some(Outcome::Won(winners)) => f64::from(u8::from(winners.contains(&player))),
        Some(Outcome::Nobody) => 0.0,
        Some(Outcome::Draw) | None => 0.5,
    };
    (0..table.schema.players.len()).map(PlayerId::at).map(score).collect()
}
