//! Asks and their answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Array, Dynamic, ImmutableString, Map};
use smallvec::{SmallVec, smallvec};

use super::listing::unambiguous;
use super::names::{Role, unknown_resource};
use super::open::{Opened, stands_for_any};
use super::options::listed;
use super::plural::{copy_in_form, settled};
use super::quick::{is_plainly, small_value};
use super::session::{Halt, Link, Reply, Session};
use crate::values::{Arena, Moves, Native, Val, failure, kind_of, no_moves, no_options, of_kind, to_script};
use referee_table::{
    AskId, DEFERRED, DieId, Form, Kind, Lost, Move, Part, Phase, PlayerId, Schema, Throw, Value, with_sorted_options,
};
use referee_trace::{Action, Answer, Ask, Decision, OpenAsk, Question, RulesPlace};

/// Asks a question and returns it with the answer. Without an answer the run stops here. A native function may ask only
/// once, before it changes anything, because it is called again after a pause.
pub(crate) fn put(link: &Link, ask: Ask) -> Native<(Question, Answer)> {
    link.with(|session| {
        session.plays(link, ASKED)?;
        answered(link, session, ask)
    })
}

/// What cannot be done in a position that is only looked at.
const ASKED: &str = "nobody can be asked";

/// Asks a question as [`put`] does.
fn answered(link: &Link, session: &mut Session, ask: Ask) -> Native<(Question, Answer)> {
    match session.answers.answer(&ask, &session.state) {
        Reply::Answer(answer) => {
            count_answer(link, session, weight(&ask.question))?;
            if session.keep.asks {
                session.pass(link)?;
            }
            if session.keep.answers {
                session.answered.push((ask.clone(), answer.clone()));
            }
            Ok((ask.question, answer))
        }
        Reply::Pause => link.halt(session, Halt::Pause(ask)),
        Reply::Refuse => link.halt(session, Halt::Refused(ask)),
    }
}

/// Counts an answer to a question of this weight.
fn count_answer(link: &Link, session: &mut Session, weight: u64) -> Native<()> {
    link.meter.asked();
    session.asked = true;
    session.reported += 1;
    session.given += 1;
    link.meter.keep(weight)
}

/// Rolls a die without a full question. Returns `None` if the answers are kept, or if the full question is needed.
pub(crate) fn thrown(link: &Link, die: DieId) -> Native<Option<Throw>> {
    link.with(|session| {
        if session.keep.answers || session.is_looking() {
            return Ok(None);
        }
        let Some(throw) = session.answers.throw(die, &session.state) else { return Ok(None) };
        count_answer(link, session, weight(&Question::Roll(die)))?;
        Ok(Some(throw))
    })
}

/// Rolls a die like [`thrown`]. Returns what it shows.
pub(crate) fn rolled(link: &Link, die: DieId, arena: &mut Arena) -> Native<Option<Val>> {
    link.with(|session| {
        if session.keep.answers || session.is_looking() {
            return Ok(None);
        }
        if let Some(face) = session.answers.face(die, &session.state) {
            count_answer(link, session, 1)?;
            let face = session.state.schema().dice.get(die.index()).and_then(|die| die.faces.get(face));
            return Ok(Some(match face.map(|face| &face.shows) {
                Some(Value::Int(number)) => Val::Number(*number),
                shown => shown.map_or(Val::Nothing, |shown| arena.of_value(shown)),
            }));
        }
        let Some(throw) = session.answers.throw(die, &session.state) else { return Ok(None) };
        count_answer(link, session, 1)?;
        let Some(die) = session.state.schema().dice.get(die.index()) else { return Ok(None) };
        let mut shown = die.shown(&throw);
        Ok(Some(match die.count {
            1 => shown.next().map_or(Val::Nothing, |value| arena.of_value(value)),
            _ => {
                let items = shown.map(|value| arena.of_value(value)).collect();
                arena.list(items)
            }
        }))
    })
}

/// Returns the weight of a question.
fn weight(question: &Question) -> u64 {
    let decision = |decision: &Decision| {
        let values = decision.options.iter().flat_map(|option| &option.values);
        weight_of_options(decision.options.len(), values)
    };
    match question {
        Question::Roll(_) | Question::Draw(_) => 1,
        Question::Choose(one) => decision(one),
        Question::ChooseAll(all) => all.iter().map(decision).fold(1, u64::saturating_add),
    }
}

/// Returns the weight of a decision among `count` options with these values.
fn weight_of_options<'v>(count: usize, values: impl Iterator<Item = &'v Value>) -> u64 {
    values.fold(1 + count as u64, |sum, value| sum.saturating_add(value.weight()))
}

/// Returns a player's choice among the options of a script.
pub(crate) fn choose_of(
    link: &Link,
    place: RulesPlace,
    player: PlayerId,
    ask: &str,
    options: &Dynamic,
) -> Native<Dynamic> {
    if let Some(moves) = options.read_lock::<Moves>()
        && let Some(ask) = link.with(|session| Ok(session.state.schema().ask(ask)))?
        && let Some(made) = pick(link, player, ask, &moves)?
    {
        return Ok(Dynamic::from(made));
    }
    let (decision, bare) = link.with(|session| decision(link, session, player, ask, options))?;
    let action = choose(link, place, decision)?;
    chosen(link, &action, bare)
}

/// Returns a player's choice among single values, without a full question. The options are the same as in the full
/// question: without duplicates, and of the kind of the ask's form. Returns `None` if an option may not be of this
/// kind, if the answers are kept, or if the full question is needed.
pub(crate) fn pick_plain(link: &Link, player: PlayerId, ask: AskId, options: &[Val]) -> Native<Option<Val>> {
    link.with(|session| {
        let schema = session.state.schema();
        let Some(form) = schema.asks.get(ask.index()) else { return Ok(None) };
        let directions = session.state.board().headings().len();
        let [(kind, _)] = form.kinds()[..] else { return Ok(None) };
        // Moves need the check for equal notation.
        let plain = |value: &Val| *kind != Kind::Move && is_plainly(kind, *value, directions);
        if session.keep.answers
            || session.is_looking()
            || options.is_empty()
            || options.len() > MOST
            || !options.iter().all(plain)
        {
            return Ok(None);
        }
        let known = distinct(options, |option| small_value(*option).map_or(0, |value| sketch(&value)));
        let Some(at) = session.answers.pick_of(player, known.len()) else { return Ok(None) };
        count_answer(link, session, 1 + 2 * known.len() as u64)?;
        let chosen = known.get(at).and_then(|at| options.get(*at)).copied();
        chosen.map(Some).ok_or_else(|| failure("the chosen option is not among the options"))
    })
}

/// Returns whether there are some options, but not too many for this comparison, and all are different.
pub(crate) fn are_distinct(options: &[Val]) -> bool {
    let twice = |(at, option)| options.get(..at).is_some_and(|before| before.contains(option));
    (1..=MAX_PLAIN).contains(&options.len()) && !options.iter().enumerate().any(twice)
}

/// Returns the index of a player's choice among this number of different options without values, in the same way.
pub(crate) fn pick_known(link: &Link, player: PlayerId, options: usize) -> Native<Option<usize>> {
    link.with(|session| {
        if session.keep.answers || session.is_looking() {
            return Ok(None);
        }
        let Some(at) = session.answers.pick_of(player, options) else { return Ok(None) };
        count_answer(link, session, 1 + options as u64)?;
        Ok(Some(at))
    })
}

/// Returns the index of a player's choice among options made by `may`, in the same way.
pub(crate) fn pick_action(link: &Link, player: PlayerId, options: &[&Action]) -> Native<Option<usize>> {
    // Moves need the check for equal notation, and lists are put into the order of a set or a bag, or hold values of any kind.
    let moves = |option: &&Action| option.values.iter().any(|value| matches!(value, Value::Move(_) | Value::List(_)));
    link.with(|session| {
        if session.keep.answers
            || session.is_looking()
            || options.is_empty()
            || options.len() > MOST
            || options.iter().any(moves)
        {
            return Ok(None);
        }
        let mixed = |sum: u32, value: &Value| sum.wrapping_mul(31).wrapping_add(sketch(value));
        let known = distinct(options, |option| option.values.iter().fold(option.ask.0.into(), mixed));
        let Some(at) = session.answers.pick_of(player, known.len()) else { return Ok(None) };
        let values = known.iter().filter_map(|at| options.get(*at)).flat_map(|option| &option.values);
        count_answer(link, session, weight_of_options(known.len(), values))?;
        known.get(at).copied().map(Some).ok_or_else(|| failure("the chosen option is not among the options"))
    })
}

/// Returns the indices of the options without duplicates. Equal options have equal sketches.
fn distinct<T: PartialEq>(options: &[T], sketch: impl Fn(&T) -> u32) -> SmallVec<[usize; 32]> {
    let mut sketches: SmallVec<[u32; 32]> = SmallVec::new();
    let mut known: SmallVec<[usize; 32]> = SmallVec::new();
    // A bit for each group of sketches that there are: most options are the first of their group.
    let mut groups = [0_u64; 4];
    for (at, option) in options.iter().enumerate() {
        let sketch = sketch(option);
        let group = (sketch.wrapping_mul(0x9E37_79B1) >> 24) as usize;
        let (place, bit) = (group / 64, 1 << (group % 64));
        let is_first = groups.get(place).is_some_and(|bits| bits & bit == 0);
        let is_same = |(other, before): (&usize, &u32)| *before == sketch && options.get(*other) == Some(option);
        if is_first || !known.iter().zip(&sketches).any(is_same) {
            groups.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
            sketches.push(sketch);
            known.push(at);
        }
    }
    known
}

/// Returns a number that is the same for equal values.
fn sketch(value: &Value) -> u32 {
    match value {
        Value::Int(number) => *number as u32,
        Value::Player(player) => player.index() as u32,
        Value::Piece(piece) => piece.index() as u32,
        Value::Cell(cell) => cell.0,
        _ => 0,
    }
}

/// The maximum number of options of a full question that are compared pairwise to find duplicates.
const MAX_PLAIN: usize = 64;
/// The maximum number of options without a full question, whose sketches are compared pairwise.
const MOST: usize = 256;

/// Returns the move that a player chooses, without a full question; `None` as for [`pick_plain`].
pub(crate) fn pick(link: &Link, player: PlayerId, ask: AskId, moves: &Moves) -> Native<Option<Move>> {
    link.with(|session| {
        let form = session.state.schema().asks.get(ask.index());
        if session.keep.answers || session.is_looking() || moves.all().is_empty() || !form.is_some_and(takes_a_move) {
            return Ok(None);
        }
        let moves = moves.distinct();
        unambiguous(&session.state, moves.iter())?;
        let Some(at) = session.answers.pick(player, &moves, &session.state) else { return Ok(None) };
        count_answer(link, session, weight_of_moves(moves.len()))?;
        moves.get(at).cloned().map(Some).ok_or_else(|| failure("the chosen move is not among the moves"))
    })
}

/// Returns the weight of a choice among moves.
const fn weight_of_moves(moves: usize) -> u64 {
    1 + 2 * moves as u64
}

/// Counts the choice of one of these moves as [`pick`] does.
pub(crate) fn count_move(link: &Link, moves: usize) -> Native<()> {
    link.with(|session| count_answer(link, session, weight_of_moves(moves)))
}

/// Returns the action that a player chooses.
pub(crate) fn choose(link: &Link, place: RulesPlace, decision: Decision) -> Native<Action> {
    match put(link, Ask::new(Question::Choose(decision), place))? {
        (Question::Choose(decision), Answer::Chosen(at)) => option_at(&decision, at),
        (Question::Choose(decision), Answer::Said(action)) if decision.takes(action.ask) => Ok(action),
        (_, other) => Err(failure(format!("unexpected answer to a choice: {other:?}"))),
    }
}

fn option_at(decision: &Decision, at: usize) -> Native<Action> {
    decision.options.get(at).cloned().ok_or_else(|| failure("the chosen option is not among the options"))
}

/// Returns the choices of several players at once, each among their own options.
pub(crate) fn choose_among(
    link: &Link,
    place: RulesPlace,
    players: &[Dynamic],
    ask: &str,
    offers: Array,
) -> Native<Array> {
    let mut decisions = Vec::new();
    let mut all_bare = true;
    for (player, offered) in players.iter().zip(offers) {
        let Some(id) = player.clone().try_cast::<PlayerId>() else {
            return Err(failure(format!("`choose_all` takes a list of players, found {}", kind_of(player))));
        };
        let (decision, bare) = link.with(|session| decision(link, session, id, ask, &offered))?;
        // Also of a single player: the same rules are right or wrong at every table.
        if let Some(open) = decision.open.first() {
            let verb = link.with(|session| Ok(session.state.schema().verb(open.ask).to_owned()))?;
            return Err(failure(format!(
                "`choose_all` takes options that are listed, and `may_any(\"{verb}\")` lists none: ask the players one after the \
                 other, with `choose`"
            )));
        }
        all_bare &= bare;
        decisions.push(decision);
    }
    if decisions.len() < 2 {
        // One player decides alone, as everywhere else.
        let alone = decisions.pop().map(|decision| chosen(link, &choose(link, place, decision)?, all_bare));
        return alone.into_iter().collect();
    }
    match put(link, Ask::new(Question::ChooseAll(decisions), place))? {
        (Question::ChooseAll(decisions), Answer::AllChosen(all)) => {
            let pairs = decisions.iter().zip(all);
            pairs.map(|(decision, at)| chosen(link, &option_at(decision, at)?, all_bare)).collect()
        }
        (_, other) => Err(failure(format!("unexpected answer to choices: {other:?}"))),
    }
}

/// Returns the value that a script gets for a chosen action.
pub(crate) fn chosen(link: &Link, action: &Action, bare: bool) -> Native<Dynamic> {
    let first = action.values.first().map_or(Dynamic::UNIT, to_script);
    if bare {
        return Ok(first);
    }
    let verb = link.with(|session| {
        let form = session.state.schema().asks.get(action.ask.index());
        Ok(form.map(|form| form.verb.clone()).unwrap_or_default())
    })?;
    let mut map = Map::new();
    map.insert("verb".into(), verb.into());
    map.insert("value".into(), first);
    map.insert("values".into(), action.values.iter().map(to_script).collect::<Array>().into());
    Ok(map.into())
}

/// Returns the decision that a script describes, and whether its options are bare values.
pub(crate) fn decision(
    link: &Link,
    session: &Session,
    player: PlayerId,
    ask: &str,
    options: &Dynamic,
) -> Native<(Decision, bool)> {
    let schema = session.state.schema();
    let verb = schema.ask(ask).ok_or_else(|| link.unknown(schema, Role::Ask, ask))?;
    if let Some(moves) = options.read_lock::<Moves>() {
        return Ok((moves_decision(session, player, verb, &moves)?, true));
    }
    let offered = listed(options)?;
    link.meter.charge(offered.len() as u64)?;
    let mut actions: Vec<Action> = Vec::with_capacity(offered.len());
    let mut known = BTreeSet::new();
    let few = offered.len() <= MAX_PLAIN;
    let mut bare = true;
    let mut opened = Opened::default();
    for option in &offered {
        let action = match option.read_lock::<Action>() {
            Some(action) if stands_for_any(session, &action) => {
                bare = false;
                opened.add(&action);
                continue;
            }
            Some(action) => {
                bare = false;
                action.clone()
            }
            None => {
                if let Some(text) = option.read_lock::<ImmutableString>()
                    && let schema = session.state.schema()
                    && let Some(form) = schema.ask(&text).and_then(|ask| schema.asks.get(ask.index()))
                    && form.kinds().is_empty()
                {
                    return Err(failure(format!(
                        "write `may(\"{}\")` instead of a string for an option without values",
                        *text
                    )));
                }
                action(link, session, verb, std::slice::from_ref(option))?
            }
        };
        let action = settled(session, action);
        // A few are compared pairwise, which needs no allocation.
        if if few { !actions.contains(&action) } else { known.insert(action.clone()) } {
            actions.push(action);
        }
    }
    opened.are_apart(session, &actions)?;
    let mut suggested = BTreeSet::new();
    for action in std::mem::take(&mut opened.suggested) {
        let action = settled(session, action);
        if suggested.insert(action.clone()) {
            actions.push(action);
        }
    }
    if actions.is_empty() && opened.asks.is_empty() {
        let who = session.state.schema().player_name(player).to_owned();
        return Err(no_options(&who, ask));
    }
    let moves = actions.iter().flat_map(|action| &action.values).filter_map(|value| match value {
        Value::Move(made) => Some(made),
        _ => None,
    });
    unambiguous(&session.state, moves)?;
    Ok((Decision { player, ask: verb, options: actions, open: opened.asks }, bare))
}

/// Returns a decision among moves, without duplicates.
fn moves_decision(session: &Session, player: PlayerId, ask: AskId, moves: &Moves) -> Native<Decision> {
    let form = session.state.schema().asks.get(ask.index());
    if !form.is_some_and(takes_a_move) {
        return Err(failure("an ask that offers moves needs the form of one MOVE: `ask move MOVE`"));
    }
    if moves.all().is_empty() {
        let who = session.state.schema().player_name(player);
        return Err(no_moves(who));
    }
    unambiguous(&session.state, moves.all().iter())?;
    let option = |made: &Move| Action { ask, values: smallvec![Value::Move(made.clone())] };
    Ok(Decision { player, ask, options: moves.distinct().iter().map(option).collect(), open: Vec::new() })
}

/// Returns whether the form of an ask is one move.
pub(crate) fn takes_a_move(form: &Form) -> bool {
    let mut kinds = form.parts.iter().filter(|part| !matches!(part, Part::Word(_)));
    matches!((kinds.next(), kinds.next()), (Some(Part::Value(Kind::Move)), None))
        || matches!(form.kinds().as_slice(), [(Kind::Move, _)])
}

/// Returns the action of an ask with these values, each checked against the form. The values of a plural kind are a list
/// if they are not in the order of a set or a bag.
pub(crate) fn action(link: &Link, session: &Session, ask: AskId, values: &[Dynamic]) -> Native<Action> {
    let Some(form) = session.state.schema().asks.get(ask.index()) else { return Err(failure("unknown ask")) };
    fill(link, session, form, values).map(|values| Action { ask, values: values.into() })
}

/// Returns the values for the kinds of a form. An optional value can be `()`, or missing at the end. The values of a
/// plural kind are a list if they are not in the order of a set or a bag.
///
/// # Errors
/// Returns an error if the values do not fit the form, or if a value of a set is repeated.
pub(crate) fn fill(link: &Link, session: &Session, form: &Form, values: &[Dynamic]) -> Native<Vec<Value>> {
    let directions = session.state.board().headings().len();
    let (verb, kinds) = (&form.verb, form.kinds());
    if values.len() > kinds.len() {
        return Err(failure(format!("`{verb}` takes {} values, got {}", kinds.len(), values.len())));
    }
    let mut filled = Vec::with_capacity(kinds.len());
    for (at, (kind, optional)) in kinds.iter().enumerate() {
        filled.push(match values.get(at) {
            Some(value) if !(value.is_unit() && *optional) => match of_kind(value, kind, directions)? {
                (_, Some(Lost::Copy(copy))) => return Err(link.explain(copy_in_form(session, form, (kind, &copy)))),
                (value, _) => known(link, session, kind, value)?,
            },
            _ if *optional => Value::Nothing,
            _ => return Err(failure(format!("`{verb}` needs {kind} as value {}", at + 1))),
        });
    }
    Ok(filled)
}

/// Returns a value of a form, if it is no amount of something that is no resource.
fn known(link: &Link, session: &Session, kind: &Kind, value: Value) -> Native<Value> {
    let schema = session.state.schema();
    if let (Kind::Amount, Value::Map(amount)) = (kind, &value)
        && let Some((name, _)) = amount.iter().find(|(name, _)| schema.resource(name).is_none())
    {
        return Err(link.explain(unknown_resource(schema, name)));
    }
    Ok(value)
}

/// Returns a decision as a phase of plain values.
pub(crate) fn deferred(schema: &Schema, decision: &Decision, bare: bool, phase: &str) -> Phase {
    let ask = |ask: AskId| Value::Int(i64::from(ask.0));
    let action = |action: &Action| Value::List(vec![ask(action.ask), Value::List(action.values.to_vec())]);
    let options = decision.options.iter().map(action).collect();
    let mut args = vec![
        Value::Player(decision.player),
        ask(decision.ask),
        Value::List(options),
        Value::Bool(bare),
        Value::text(phase),
    ];
    if !decision.open.is_empty() {
        let open = |open: &OpenAsk| Value::List(vec![ask(open.ask), Value::Bool(open.suggests)]);
        args.push(Value::List(decision.open.iter().map(open).collect()));
    }
    with_sorted_options(Phase { name: Arc::from(DEFERRED), args }, schema)
}

/// Reads a deferred decision back: the decision, whether its options are bare, and the phase that gets the choice.
pub(crate) fn undeferred(phase: &Phase) -> Option<(Decision, bool, Arc<str>)> {
    let ask = |value: &Value| match value {
        Value::Int(number) => u16::try_from(*number).ok().map(AskId),
        _ => None,
    };
    let action = |value: &Value| match value {
        Value::List(parts) => match parts.as_slice() {
            [verb, Value::List(values)] => Some(Action { ask: ask(verb)?, values: values.as_slice().into() }),
            _ => None,
        },
        _ => None,
    };
    let open = |value: &Value| match value {
        Value::List(parts) => match parts.as_slice() {
            [verb, Value::Bool(suggests)] => Some(OpenAsk { ask: ask(verb)?, suggests: *suggests }),
            _ => None,
        },
        _ => None,
    };
    match phase.args.as_slice() {
        [Value::Player(player), verb, Value::List(options), Value::Bool(bare), Value::Text(next), more @ ..] => {
            let options = options.iter().map(action).collect::<Option<Vec<_>>>()?;
            let open = match more {
                [] => Vec::new(),
                [Value::List(all)] => all.iter().map(open).collect::<Option<_>>()?,
                _ => return None,
            };
            Some((Decision { player: *player, ask: ask(verb)?, options, open }, *bare, Arc::clone(next)))
        }
        _ => None,
    }
}

/// Returns the options of a deferred decision as a script lists them; `bare` is whether they are values.
pub(crate) fn offered_again(schema: &Schema, decision: &Decision, bare: bool) -> Array {
    let option = |action: &Action| match action.values.first() {
        _ if !bare => Dynamic::from(action.clone()),
        first => first.map_or(Dynamic::UNIT, to_script),
    };
    let any = |open: &OpenAsk| {
        let kinds = schema.asks.get(open.ask.index()).map_or(0, |form| form.kinds().len());
        let own = decision.options.iter().filter(|option| option.ask == open.ask);
        let suggested = open.suggests.then(|| own.map(|option| option.values.clone()).collect());
        Dynamic::from(Action::any(open.ask, kinds, suggested))
    };
    decision.listed().map(option).chain(decision.open.iter().map(any)).collect()
}
