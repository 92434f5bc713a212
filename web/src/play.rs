//! A game at a table. The page keeps the answers in words and passes all of them with each request, so the module keeps
//! no game, and an answer can be taken back by leaving it out.

use referee_diagnostic::Diagnostic;
use referee_play::{Deals, StrategyProfile};
use referee_report::{scene_cells, scene_picture};
use referee_scenario::{Loader, NoAnswer, RESIGNS, Refused, Sitting, Stage, sit, stage};
use referee_trace::{Answer, Decision, Question};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::requests::wrong;
use crate::set_up::{DEALS, Given, STRATEGY};

/// The number of playouts of a hint.
const HINT: u32 = 400;

/// A game so far, and what the page wants to know about it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    set_up: Given,
    /// Who does not play by hand, in the words of the command line: `blue=random`.
    #[serde(default)]
    policies: Vec<String>,
    #[serde(default = "one")]
    seed: u64,
    /// The answers so far.
    answers: Vec<Said>,
    /// Whether people answer for chance.
    #[serde(default)]
    by_hand: bool,
    /// The player who looks at the page; without one, it shows what all may see and the hands of nobody.
    #[serde(default)]
    viewer: Option<String>,
    /// What the viewer wants to know about their decision.
    #[serde(default)]
    about: Option<About>,
    /// What is to be written as a scenario.
    #[serde(default)]
    record: Option<Recording>,
}

/// A scenario to be made of a game.
#[derive(Debug, Deserialize)]
struct Recording {
    title: String,
    /// Whether it is the whole game, or else its last turn and the position before it.
    whole: bool,
}

const fn one() -> u64 {
    1
}

/// An answer in words.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Said {
    /// To chance, or to one decision.
    One(String),
    /// To decisions at once, in their order. The last answer of a game may lack some.
    AtOnce(Vec<String>),
}

/// A question about a decision.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum About {
    /// Why these words are no option.
    Why(String),
    /// An option that does well in playouts.
    Hint,
}

/// Where a game stands: what the page still has to answer.
struct Course {
    /// All answers, also those of chance and of policies, each with whether a person gave it.
    answers: Vec<(Said, bool)>,
    /// The first decision that a person has to make now, of those that are asked at once.
    open: Option<Decision>,
    /// The answers to the decisions before it.
    given: Vec<String>,
    /// Why the last words are no answer.
    refused: Option<String>,
    /// The throws since the last decision that whoever looks may see.
    rolled: Vec<String>,
}

impl Course {
    /// Notes that a person has resigned.
    fn resigned(&mut self, said: Said) {
        self.rolled.clear();
        self.answers.push((said, true));
    }
}

/// Answers a request about a game.
pub(crate) fn table(loader: &mut Loader<'_>, table: Table) -> Value {
    let Table { set_up, policies, .. } = &table;
    let stage = match stage(loader, &set_up.origin()) {
        Ok(stage) => stage,
        Err(why) => return wrong(why.problems()),
    };
    match stage.strategy(STRATEGY, policies) {
        Ok(strategy) => {
            let strategy = StrategyProfile { deals: Deals::of(DEALS), ..strategy };
            sit(&stage, |sitting| seen(loader, sitting, (&stage, &strategy, &table)))
        }
        Err(problems) => wrong(&problems),
    }
}

fn seen(
    loader: &mut Loader<'_>,
    sitting: &mut Sitting<'_>,
    (stage, strategy, table): (&Stage, &StrategyProfile, &Table),
) -> Value {
    let course = match play(sitting, strategy, table) {
        Ok(course) => course,
        Err(problem) => return wrong(&[*problem]),
    };
    let schema = stage.schema();
    let viewer = table.viewer.as_deref().and_then(|name| schema.player(name));
    let person = |player| strategy.policy(player).is_none();
    let several = stage.players.iter().filter(|player| person(**player)).count() > 1;
    // What one of several people holds or throws, the others must not see.
    let private = several && schema.is_private();
    let events = sitting.events();
    let scene = if private && viewer.is_none() { sitting.public_scene() } else { sitting.scene(viewer) };
    let decision = course.open.as_ref().map(|decision| {
        let shown = !private || viewer == Some(decision.player);
        json!({
            "player": schema.player_name(decision.player),
            "verb": schema.verb(decision.ask),
            "options": shown.then(|| sitting.options(decision)),
            "open": decision.open_forms(sitting.names()),
            "resigns": sitting.may_resign(),
        })
    });
    let chance = sitting.ask().map(|ask| &ask.question).filter(|question| is_chance(question)).map(|question| {
        let names = sitting.names();
        let words = question.chances(sitting.state()).into_iter();
        let words: Vec<String> = words.filter_map(|(answer, _)| question.write_chance(names, &answer)).collect();
        // A list of the cards that are left would show what others hold.
        let known = matches!(question, Question::Roll(_)) || !private;
        json!({ "asks": question.write(names), "words": known.then_some(words) })
    });
    json!({
        "svg": scene_picture(&schema.title, sitting.answers(), &scene),
        "cells": scene_cells(&scene),
        "over": sitting.ask().is_none(),
        "players": stage.players.iter().map(|player| json!({
            "name": schema.player_name(*player), "person": person(*player),
        })).collect::<Vec<_>>(),
        "private": private,
        "turn": scene.turn,
        "standing": scene.standing,
        "values": scene.values.iter().chain(&scene.cards).collect::<Vec<_>>(),
        "events": events,
        "answers": course.answers.iter().map(|(said, person)| json!({ "said": said, "person": person })).collect::<Vec<_>>(),
        "given": course.given,
        "rolled": course.rolled,
        "decision": decision,
        "chance": chance,
        "refused": course.refused,
        "about": table.about.as_ref().zip(course.open.as_ref()).map(|(about, decision)| {
            asked(sitting, decision, about, table.seed)
        }),
        "fault": sitting.fault().map(|fault| wrong(std::slice::from_ref(fault))),
        "record": table.record.as_ref().and_then(|record| match record.whole {
            true => (sitting.answers() > 0).then(|| sitting.record(&record.title, &[])),
            false => sitting.record_turn(loader, &record.title),
        }),
    })
}

const fn is_chance(question: &Question) -> bool {
    matches!(question, Question::Roll(_) | Question::Draw(_))
}

/// Gives the answers of the page, then those of chance and of policies, up to one that is missing.
fn play(sitting: &mut Sitting<'_>, strategy: &StrategyProfile, table: &Table) -> Result<Course, Box<Diagnostic>> {
    let mut given = table.answers.iter();
    let viewer = table.viewer.as_deref().and_then(|name| sitting.names().schema.player(name));
    let players = sitting.state().table.players.iter();
    let people: Vec<_> = players.copied().filter(|player| strategy.policy(*player).is_none()).collect();
    // A throw under a cup is typed in only by the player who plays alone against policies.
    let only = if let [only] = people.as_slice() { Some(*only) } else { None };
    let mut course = Course { answers: Vec::new(), open: None, given: Vec::new(), refused: None, rolled: Vec::new() };
    while let Some(ask) = sitting.ask().cloned() {
        let (answer, person) = match &ask.question {
            Question::Choose(decision) => {
                let said = given.next().map(words).unwrap_or_default();
                if resigns(sitting, decision, said.first()) {
                    course.resigned(Said::One(RESIGNS.to_owned()));
                    continue;
                }
                match one_decision(sitting, strategy, table, decision, said.first())? {
                    Settled::Taken(answer, person) => (answer, person),
                    Settled::Open(refused) => {
                        course.open = Some(decision.clone());
                        course.refused = refused;
                        break;
                    }
                }
            }
            Question::ChooseAll(all) => {
                let said = given.next().map(words).unwrap_or_default();
                if let Some(place) =
                    all.iter().zip(&said).position(|(decision, said)| resigns(sitting, decision, Some(said)))
                {
                    course.resigned(Said::AtOnce(said.into_iter().take(place + 1).collect()));
                    continue;
                }
                match at_once(sitting, strategy, table, all, &said, &mut course)? {
                    Some(answer) => answer,
                    None => break,
                }
            }
            chance => {
                let is_own = only.is_some() && ask.by == only;
                let by_hand = table.by_hand && (is_own || !ask.is_secret_throw(sitting.names().schema));
                let said = given.next().map(words).unwrap_or_default();
                let drawn = match said.first() {
                    Some(said) => chance_in_words(sitting, chance, said, &mut course),
                    None if by_hand => None,
                    None => sitting.chance(table.seed),
                };
                match drawn {
                    Some(answer) => (answer, by_hand),
                    None => break,
                }
            }
        };
        match (&ask.question, written(sitting, &ask.question, &answer)) {
            (Question::Roll(_), _)
                if sitting.hides_throw(&ask, viewer.or(only), viewer.is_none() && people.len() > 1) => {}
            (Question::Roll(_), Said::One(roll)) => course.rolled.push(roll),
            (Question::Draw(_), _) => {}
            _ => course.rolled.clear(),
        }
        course.answers.push((written(sitting, &ask.question, &answer), person));
        sitting.give(answer, person);
    }
    Ok(course)
}

/// Lets the player of a decision resign, if these are the words for it and the rules say what follows.
fn resigns(sitting: &mut Sitting<'_>, decision: &Decision, said: Option<&String>) -> bool {
    said.is_some_and(|said| sitting.is_resigning(decision.player, said)) && sitting.resign(decision.player)
}

/// A decision of a person is open until the page has its answer.
enum Settled {
    /// The answer, and whether a person gave it.
    Taken(Answer, bool),
    /// With the reason why the words are no answer.
    Open(Option<String>),
}

fn one_decision(
    sitting: &Sitting<'_>,
    strategy: &StrategyProfile,
    table: &Table,
    decision: &Decision,
    said: Option<&String>,
) -> Result<Settled, Box<Diagnostic>> {
    let person = strategy.policy(decision.player).is_none();
    Ok(match said.map(|said| sitting.read(decision, said)) {
        Some(Ok(answer)) => Settled::Taken(answer, person),
        Some(Err(why)) => Settled::Open(Some(reason(&why))),
        None => match sitting.decided(strategy, decision, table.seed)? {
            Some(answer) => Settled::Taken(answer, person),
            None => Settled::Open(None),
        },
    })
}

fn at_once(
    sitting: &Sitting<'_>,
    strategy: &StrategyProfile,
    table: &Table,
    all: &[Decision],
    said: &[String],
    course: &mut Course,
) -> Result<Option<(Answer, bool)>, Box<Diagnostic>> {
    let (mut chosen, mut by_person) = (Vec::with_capacity(all.len()), false);
    for (place, decision) in all.iter().enumerate() {
        match one_decision(sitting, strategy, table, decision, said.get(place))? {
            // Of several who are asked at once, all choose among options that are listed.
            Settled::Taken(answer, person) => {
                let Answer::Chosen(at) = answer else { continue };
                course.given.extend(decision.options.get(at).map(|option| option.write(sitting.names())));
                chosen.push(at);
                by_person |= person;
            }
            Settled::Open(refused) => {
                course.open = Some(decision.clone());
                course.refused = refused;
                return Ok(None);
            }
        }
    }
    course.given.clear();
    Ok(Some((Answer::AllChosen(chosen), by_person)))
}

fn words(said: &Said) -> Vec<String> {
    match said {
        Said::One(words) => vec![words.clone()],
        Said::AtOnce(all) => all.clone(),
    }
}

fn chance_in_words(sitting: &Sitting<'_>, question: &Question, said: &str, course: &mut Course) -> Option<Answer> {
    let names = sitting.names();
    let found = question.chances(sitting.state()).into_iter().map(|(answer, _)| answer);
    let found = found.into_iter().find(|answer| question.write_chance(names, answer).as_deref() == Some(said));
    if found.is_none() {
        course.refused = Some(format!("`{said}` is not possible"));
    }
    found
}

/// Returns an answer in words that [`Sitting::read`] and [`chance_in_words`] understand.
fn written(sitting: &Sitting<'_>, question: &Question, answer: &Answer) -> Said {
    let names = sitting.names();
    let option =
        |decision: &Decision, at: usize| decision.options.get(at).map(|option| option.write(names)).unwrap_or_default();
    match (question, answer) {
        (Question::Choose(decision), Answer::Chosen(at)) => Said::One(option(decision, *at)),
        (_, Answer::Said(action)) => Said::One(action.write(names)),
        (Question::ChooseAll(all), Answer::AllChosen(chosen)) => {
            Said::AtOnce(all.iter().zip(chosen).map(|(decision, at)| option(decision, *at)).collect())
        }
        (question, answer) => Said::One(question.write_chance(names, answer).unwrap_or_default()),
    }
}

fn asked(sitting: &Sitting<'_>, decision: &Decision, about: &About, seed: u64) -> Value {
    let told = match about {
        About::Hint => sitting.hint(decision, HINT, seed),
        About::Why(words) => sitting.why(decision, words).map(|refused| match refused {
            Some(refused) => refusal(&refused),
            None => "it is an option".to_owned(),
        }),
    };
    json!(told.unwrap_or_else(|wrong| wrong.message))
}

fn reason(why: &NoAnswer) -> String {
    match why {
        NoAnswer::Wrong(wrong) => {
            let help = wrong.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
            format!("{}{help}", wrong.message)
        }
        NoAnswer::Refused(refused) => refusal(refused),
        NoAnswer::Several(several) => format!("this may mean: {}", several.join(", ")),
    }
}

fn refusal(refused: &Refused) -> String {
    let reason = refused.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("refused: {}{reason}", refused.action)
}
