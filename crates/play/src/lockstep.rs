//! Plays a position and its image under a symmetry side by side; both must behave alike.

use super::points::{self, Broken, Pause, Stand, put_next};
use super::random::Random;
use referee_diagnostic::Diagnostic;
use referee_rules::Program;
use referee_table::{Phase, State, Symmetry};
use referee_trace::{Action, Answer, Ask, Decision, Question};

/// The maximum number of asks in a phase.
const ASKS: usize = 1000;
/// The maximum number of phases in a row.
const PHASES: usize = 10_000;

/// How many games are played to compare, and how long they are.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The number of games.
    pub games: u64,
    /// The maximum number of turns in a game.
    pub turns: usize,
    /// The seed of the games.
    pub seed: u64,
}

/// A difference between play of a position and play of its image.
#[derive(Debug)]
pub struct Difference {
    /// The index of the symmetry.
    pub symmetry: usize,
    /// The position at the beginning of the phase.
    pub state: State,
    /// The actions chosen in the phase, before the difference.
    pub chosen: Vec<Action>,
    /// The difference.
    pub what: Unlike,
}

/// A difference between two games that should be alike.
#[derive(Debug)]
pub enum Unlike {
    /// The options: one that only the first position has, or one that only the other has, as it is in the first.
    Options {
        /// An option that the other position lacks.
        only_here: Option<Box<Action>>,
        /// An option that the first position lacks.
        only_there: Option<Box<Action>>,
    },
    /// What follows: asks of other players or of other kinds, or one game asks and the other does not.
    Course {
        /// What follows in the first position.
        here: Course,
        /// What follows in its image.
        there: Course,
    },
    /// The positions after the phase.
    Positions,
    /// The first position stops with an error, and so does perhaps its image.
    Error(Box<Diagnostic>),
    /// The image stops with an error, but the first position does not.
    ImageError {
        /// What follows in the first position.
        here: Course,
        /// The error.
        wrong: Box<Diagnostic>,
    },
}

/// What follows in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Course {
    /// An ask.
    Asks(Box<Question>),
    /// The end of the phase.
    Ends,
    /// The end of the game.
    Over,
}

impl Course {
    fn of(stand: &Stand) -> Self {
        match stand {
            Stand::Asks(pause) => Self::Asks(Box::new(pause.ask.question.clone())),
            Stand::Between(..) => Self::Ends,
            Stand::Over(_) => Self::Over,
        }
    }
}

/// Plays random games from a position. After each phase, compares them with play of the position's image under one of
/// the symmetries. Returns the first difference, or `None`.
///
/// The rules may ask about history: then nothing is compared from there.
#[must_use]
pub fn difference(
    program: &Program,
    start: &State,
    symmetries: &[Symmetry],
    comparison: Comparison,
) -> Option<Difference> {
    if symmetries.is_empty() {
        return None;
    }
    (0..comparison.games).find_map(|number| {
        let mut random = Random::of_game(comparison.seed, number);
        game(program, start.clone(), symmetries, comparison.turns, &mut random)
    })
}

fn game(
    program: &Program,
    mut state: State,
    symmetries: &[Symmetry],
    turns: usize,
    random: &mut Random,
) -> Option<Difference> {
    state.forget_history();
    let mut begun = 0;
    for _ in 0..PHASES {
        begun += usize::from(state.agenda.is_empty());
        if begun > turns {
            return None;
        }
        put_next(&mut state);
        let at = random.place(symmetries.len());
        let by = symmetries.get(at)?;
        let mut chosen = Vec::new();
        match phase(program, &state, by, random, &mut chosen) {
            Ok(Some(next)) => state = next,
            Ok(None) => return None,
            Err(what) => return Some(Difference { symmetry: at, state, chosen, what }),
        }
    }
    None
}

/// Runs these phases in order, and the turns after them. Returns the position at the beginning of the first phase that
/// asks; `None` if it belongs to the set-up and has changed the position before it asks, and if nothing is asked.
#[must_use]
pub fn first_asking(program: &Program, start: &State, phases: &[Phase]) -> Option<State> {
    let mut state = start.clone();
    state.agenda = phases.iter().rev().cloned().collect();
    state.note_turn_rules(program.turn_rules());
    if program.needs_history() {
        state.keep_history();
    }
    let mut begun = false;
    for _ in 0..PHASES {
        begun |= state.agenda.is_empty();
        put_next(&mut state);
        match points::begin(program, state.clone()) {
            Ok(Stand::Between(next, _)) => state = *next,
            Ok(Stand::Asks(pause)) => return (begun || pause.paused.is_first(&pause.state)).then_some(state),
            Ok(Stand::Over(_)) | Err(_) => return None,
        }
    }
    None
}

/// Runs a phase of a position and of its image. Returns the position after the phase; `None` at the end of the game,
/// and if the rules ask about history.
fn phase(
    program: &Program,
    state: &State,
    by: &Symmetry,
    random: &mut Random,
    chosen: &mut Vec<Action>,
) -> Result<Option<State>, Unlike> {
    let mut here = points::begin(program, state.clone());
    let mut there = points::begin(program, state.turned(by));
    for _ in 0..ASKS {
        let (one, other) = match (here, there) {
            (Err(Broken::History(_)), _) | (_, Err(Broken::History(_))) => return Ok(None),
            (Err(Broken::Fault(wrong)), _) => return Err(Unlike::Error(wrong)),
            (Ok(here), Err(Broken::Fault(wrong))) => {
                return Err(Unlike::ImageError { here: Course::of(&here), wrong });
            }
            (Ok(Stand::Between(one, _)), Ok(Stand::Between(other, _))) if is_image(&one, &other, by) => {
                return Ok(Some(*one));
            }
            (Ok(Stand::Over(one)), Ok(Stand::Over(other))) if is_image(&one, &other, by) => return Ok(None),
            (Ok(Stand::Between(_, _)), Ok(Stand::Between(_, _))) | (Ok(Stand::Over(_)), Ok(Stand::Over(_))) => {
                return Err(Unlike::Positions);
            }
            (Ok(Stand::Asks(one)), Ok(Stand::Asks(other))) => (one, other),
            (Ok(one), Ok(other)) => {
                return Err(Unlike::Course { here: Course::of(&one), there: Course::of(&other) });
            }
        };
        // Random play ends where values are not listed and none is suggested.
        if matches!(&one.ask.question, Question::Choose(decision) if decision.unlisted().is_some()) {
            return Ok(None);
        }
        let (answer, image) = answers(&one, &other, by, random, chosen)?;
        here = points::answer(program, &one, &answer);
        there = points::answer(program, &other, &image);
    }
    Ok(None)
}

/// Returns whether a position is the image of another.
fn is_image(state: &State, image: &State, by: &Symmetry) -> bool {
    state.turned(by).encoded() == image.encoded()
}

/// Returns a random answer to an ask, and its image for the other ask.
fn answers(
    one: &Pause,
    other: &Pause,
    by: &Symmetry,
    random: &mut Random,
    chosen: &mut Vec<Action>,
) -> Result<(Answer, Answer), Unlike> {
    let unlike = || {
        let of = |pause: &Pause| Course::Asks(Box::new(pause.ask.question.clone()));
        Unlike::Course { here: of(one), there: of(other) }
    };
    match (&one.ask.question, &other.ask.question) {
        (Question::Choose(here), Question::Choose(there)) => {
            let (at, image) = choice(here, there, by, random, chosen)?.ok_or_else(unlike)?;
            Ok((Answer::Chosen(at), Answer::Chosen(image)))
        }
        (Question::ChooseAll(here), Question::ChooseAll(there)) if here.len() == there.len() => {
            let mut at = vec![0; here.len()];
            let mut images = vec![0; here.len()];
            for (number, decision) in here.iter().enumerate() {
                let player = by.player(decision.player);
                let place = there.iter().position(|other| other.player == player).ok_or_else(unlike)?;
                let (Some(other), Some(slot), Some(image)) =
                    (there.get(place), at.get_mut(number), images.get_mut(place))
                else {
                    return Err(unlike());
                };
                (*slot, *image) = choice(decision, other, by, random, chosen)?.ok_or_else(unlike)?;
            }
            Ok((Answer::AllChosen(at), Answer::AllChosen(images)))
        }
        (Question::Roll(here), Question::Roll(there)) if here == there => {
            let answer = Answer::Rolled(random.throw(one.state.schema(), *here));
            Ok((answer.clone(), answer))
        }
        (Question::Draw(here), Question::Draw(there)) if by.zone(*here) == *there => {
            let Answer::Drawn(card) = random.card(&one.state, *here) else { return Err(unlike()) };
            let image = Answer::Drawn(by.piece(card));
            let possible = |ask: &Ask| ask.question.chances(&other.state).iter().any(|(answer, _)| *answer == image);
            if possible(&other.ask) { Ok((Answer::Drawn(card), image)) } else { Err(Unlike::Positions) }
        }
        _ => Err(unlike()),
    }
}

/// Chooses an option at random. Returns its index, and the index of its image among the other options; `None` if the asks
/// differ.
fn choice(
    here: &Decision,
    there: &Decision,
    by: &Symmetry,
    random: &mut Random,
    chosen: &mut Vec<Action>,
) -> Result<Option<(usize, usize)>, Unlike> {
    if (by.player(here.player), here.ask) != (there.player, there.ask) || here.open != there.open {
        return Ok(None);
    }
    let image = |action: &Action| Action {
        ask: action.ask,
        values: action.values.iter().map(|value| by.value(value)).collect(),
    };
    let images: Vec<Action> = here.options.iter().map(image).collect();
    let lacking = images.iter().position(|image| !there.options.contains(image));
    let only_here = lacking.and_then(|at| here.options.get(at)).cloned().map(Box::new);
    let back = by.inverse();
    let extra = there.options.iter().find(|option| !images.contains(option));
    let only_there = extra.map(|option| {
        let values = option.values.iter().map(|value| back.value(value)).collect();
        Box::new(Action { ask: option.ask, values })
    });
    if only_here.is_some() || only_there.is_some() {
        return Err(Unlike::Options { only_here, only_there });
    }
    let at = random.place(here.options.len());
    chosen.extend(here.options.get(at).cloned());
    let place = images.get(at).and_then(|wanted| there.options.iter().position(|option| option == wanted));
    Ok(place.map(|place| (at, place)))
}
