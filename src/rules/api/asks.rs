//! Asking chance and players; what comes next.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map, NativeCallContext};

use smallvec::SmallVec;

use super::moves::unambiguous;
use super::{Api, MORE, Moves};
use crate::rules::convert::{from_script, kind_of, of_kind, to_script};
use crate::rules::session::{Latch, Link, Native, Reply, Session, failure};
use crate::rules::vm::Val;
use crate::table::{AskId, Cells, DieId, Form, Kind, Move, Part, Phase, PlayerId, Value};
use crate::trace::{Action, Answer, Ask, Decision, Question, RulesPlace};

pub(super) fn register(api: &mut Api<'_>) {
    let link = api.link();
    api.add(
        "roll(die: die) -> value",
        "Throw a die and give what it shows: a number, or a word in quotes. Several dice (`die cast 4 of 0..1`) are thrown at \
         once and give a list of what they show, the lowest first. A game with one die needs no name: `roll()`.",
        move |ctx: NativeCallContext<'_>, die: ImmutableString| roll(&link, &ctx, &die),
    );
    let link = api.link();
    api.also(move |ctx: NativeCallContext<'_>| {
        let name = link.with(|session| match session.state.schema().dice.as_slice() {
            [one] => Ok(one.name.clone()),
            dice => Err(failure(format!("the game has {} dice: name the one to roll", dice.len()))),
        })?;
        roll(&link, &ctx, &name)
    });
    api.add(
        "sum(numbers: list) -> number",
        "The sum of a list of numbers, as of dice: `sum(roll(\"cast\"))`.",
        |numbers: Array| {
            numbers.iter().try_fold(0_i64, |sum, number| {
                let number = number.as_int().map_err(|_| {
                    failure(format!("{} cannot be added up: `sum` takes a list of numbers", kind_of(number)))
                })?;
                sum.checked_add(number).ok_or_else(|| failure("the sum is too large"))
            })
        },
    );
    let link = api.link();
    api.add(
        "choose(player: player, ask: ask, options: options) -> value",
        "Ask a player to choose one of the options: a list or a set of values, a range of numbers, or a list of actions made \
         by `may`. Gives the chosen value; for actions a map with `verb`, `value` (the first) and `values`. One option is still asked; none is an error.",
        move |ctx: NativeCallContext<'_>, player: PlayerId, ask: ImmutableString, options: Dynamic| {
            choose_of(&link, place(&ctx), player, &ask, &options)
        },
    );
    let link = api.link();
    api.add(
        "choose_all(players: list, ask: ask, options: function) -> list",
        "Ask several players at once; `options` is a function that gives each player's options. Nobody's choice is known before \
         all have chosen. Gives the choices in the order of the players.",
        move |ctx: NativeCallContext<'_>, players: Array, ask: ImmutableString, options: FnPtr| {
            choose_all(&link, &ctx, &players, &ask, &options)
        },
    );
    let link = api.link();
    api.native(
        "_vm_choose_all",
        move |ctx: NativeCallContext<'_>, players: Array, ask: ImmutableString, offers: Array| {
            choose_among(&link, &ctx, &players, &ask, offers)
        },
    );
    let link = api.link();
    api.add(
        "may(verb: verb, …) -> action",
        "Something that a player may do: an ask's verb and its values. A value that the form may leave out can be `()`.",
        move |verb: ImmutableString| may(&link, &verb, &[]),
    );
    variadic!(api, may, MORE);
    let link = api.link();
    api.add(
        "then(phase: phase, …)",
        "Run a function of the rules with these values when the present one has returned. Several are run in the order in \
         which they were asked for. No variable outlives a phase, so values must be plain.",
        move |phase: ImmutableString| then(&link, &phase, &[]),
    );
    variadic!(api, then, MORE);
    let link = api.link();
    api.add(
        "choose_then(player: player, ask: ask, options: options, phase: phase)",
        "Ask a player once the present function has returned, and run a function of the rules with the player and the choice.",
        move |player: PlayerId, ask: ImmutableString, options: Dynamic, phase: ImmutableString| {
            link.with(|session| {
                let (decision, bare) = decision(session, player, &ask, &options)?;
                let phase = deferred(&decision, bare, &phase);
                link.meter.keep_values(&phase.args)?;
                session.then.push(phase);
                Ok(())
            })
        },
    );
}

/// Registers a native with one up to eight more values behind its first argument.
macro_rules! variadic {
    ($api:ident, $function:ident, $most:ident) => {{
        let _ = $most;
        variadic!(@ $api, $function, a);
        variadic!(@ $api, $function, a, b);
        variadic!(@ $api, $function, a, b, c);
        variadic!(@ $api, $function, a, b, c, d);
        variadic!(@ $api, $function, a, b, c, d, e);
        variadic!(@ $api, $function, a, b, c, d, e, f);
        variadic!(@ $api, $function, a, b, c, d, e, f, g);
        variadic!(@ $api, $function, a, b, c, d, e, f, g, h);
    }};
    (@ $api:ident, $function:ident, $($arg:ident),+) => {{
        let link = $api.link();
        $api.also(move |first: rhai::ImmutableString, $($arg: rhai::Dynamic),+| $function(&link, &first, &[$($arg),+]));
    }};
}
pub(super) use variadic;

/// The place of the rules from which a native is called.
pub(crate) fn place(ctx: &NativeCallContext<'_>) -> RulesPlace {
    let position = ctx.call_position();
    if position.is_none() {
        return RulesPlace::default();
    }
    RulesPlace { line: position.line().unwrap_or(0), column: position.position().unwrap_or(1) }
}

fn roll(link: &Link, ctx: &NativeCallContext<'_>, name: &str) -> Native<Dynamic> {
    let die = link.with(|session| {
        let found = session.state.schema().die(name);
        found.ok_or_else(|| failure(format!("the game has no die `{name}`")))
    })?;
    roll_die(link, place(ctx), die)
}

fn roll_die(link: &Link, place: RulesPlace, die: DieId) -> Native<Dynamic> {
    match put(link, Ask { question: Question::Roll(die), place })?.1 {
        Answer::Rolled(throw) => link.with(|session| {
            let die = session.state.schema().dice.get(die.index());
            Ok(die.map_or(Dynamic::UNIT, |die| to_script(&die.value(&throw))))
        }),
        other => Err(failure(format!("a die was answered by {other:?}"))),
    }
}

/// Puts a question to whoever answers, and gives it back with the answer; without one the run stops here. A native function
/// asks once only, before it changes anything: after a pause it is called again.
pub(super) fn put(link: &Link, ask: Ask) -> Native<(Question, Answer)> {
    link.with(|session| match session.answers.answer(&ask, &session.state) {
        Reply::Answer(answer) => {
            link.meter.asked();
            session.told += 1;
            link.meter.keep(weight(&ask.question))?;
            if session.keep.answers {
                session.answered.push((ask.clone(), answer.clone()));
            }
            Ok((ask.question, answer))
        }
        Reply::Pause => link.latch(session, Latch::Pause(ask)),
        Reply::Refuse => link.latch(session, Latch::Refused(ask)),
    })
}

/// How much room a question takes.
fn weight(question: &Question) -> u64 {
    let decision = |decision: &Decision| {
        let values = decision.options.iter().flat_map(|option| &option.values);
        values.fold(1 + decision.options.len() as u64, |sum, value| sum.saturating_add(value.weight()))
    };
    match question {
        Question::Roll(_) | Question::Draw(_) => 1,
        Question::Choose(one) => decision(one),
        Question::ChooseAll(all) => all.iter().map(decision).fold(1, u64::saturating_add),
    }
}

/// What a player chooses of the options that a script gives.
pub(crate) fn choose_of(
    link: &Link,
    place: RulesPlace,
    player: PlayerId,
    ask: &str,
    options: &Dynamic,
) -> Native<Dynamic> {
    if let Some(moves) = options.read_lock::<Moves>()
        && let Some(made) = pick(link, player, ask, &moves)?
    {
        return Ok(Dynamic::from(made));
    }
    let (decision, bare) = link.with(|session| decision(session, player, ask, options))?;
    let action = choose(link, place, decision)?;
    chosen(link, &action, bare)
}

/// What a player chooses of a list of single values, where whoever answers needs to know no more than how many there are. The
/// options are what they would be in full: each once, of the kind that the ask's form wants. Nothing where that is not plain.
pub(crate) fn pick_plain(link: &Link, player: PlayerId, ask: &str, options: &[Val]) -> Native<Option<Val>> {
    link.with(|session| {
        let schema = session.state.schema();
        let Some(form) = schema.ask(ask).and_then(|ask| schema.asks.get(ask.index())) else { return Ok(None) };
        let directions = session.state.board().headings().len();
        let [(kind, _)] = form.kinds()[..] else { return Ok(None) };
        let plain = |value: &Val| match (kind, value) {
            (Kind::Number, Val::Number(_))
            | (Kind::Cell, Val::Cell(_))
            | (Kind::Player, Val::Player(_))
            | (Kind::Piece, Val::Piece(_)) => true,
            (Kind::Direction, Val::Number(number)) => {
                usize::try_from(*number).is_ok_and(|number| (1..=directions).contains(&number))
            }
            _ => false,
        };
        if session.keep.answers || options.is_empty() || options.len() > MOST_PLAIN || !options.iter().all(plain) {
            return Ok(None);
        }
        let mut known: SmallVec<[Val; 16]> = SmallVec::new();
        for option in options {
            if !known.contains(option) {
                known.push(*option);
            }
        }
        let Some(at) = session.answers.pick_of(player, known.len()) else { return Ok(None) };
        link.meter.asked();
        session.told += 1;
        link.meter.keep(1 + 2 * known.len() as u64)?;
        known.get(at).copied().map(Some).ok_or_else(|| failure("the chosen option is not among the options"))
    })
}

/// The same for options that are made by `may`: the place of the one that is chosen.
pub(crate) fn pick_action(link: &Link, player: PlayerId, ask: &str, options: &[&Action]) -> Native<Option<usize>> {
    let moves = |option: &&Action| option.values.iter().any(|value| matches!(value, Value::Move(_)));
    link.with(|session| {
        let known = session.state.schema().ask(ask).is_some();
        if !known || session.keep.answers || options.len() > MOST_PLAIN || options.iter().any(moves) {
            return Ok(None);
        }
        let mut distinct: SmallVec<[usize; 16]> = SmallVec::new();
        for (at, option) in options.iter().enumerate() {
            if !distinct.iter().any(|other| options.get(*other) == Some(option)) {
                distinct.push(at);
            }
        }
        if distinct.is_empty() {
            return Ok(None);
        }
        let Some(at) = session.answers.pick_of(player, distinct.len()) else { return Ok(None) };
        link.meter.asked();
        session.told += 1;
        let values = options.iter().flat_map(|option| &option.values);
        link.meter.keep(values.fold(1 + options.len() as u64, |sum, value| sum.saturating_add(value.weight())))?;
        distinct.get(at).copied().map(Some).ok_or_else(|| failure("the chosen option is not among the options"))
    })
}

/// The longest list of options that are told apart one by one.
const MOST_PLAIN: usize = 64;

/// The move that a player makes, where whoever answers needs to know no more than the moves.
pub(crate) fn pick(link: &Link, player: PlayerId, ask: &str, moves: &Moves) -> Native<Option<Move>> {
    link.with(|session| {
        let schema = session.state.schema();
        let form = schema.ask(ask).and_then(|ask| schema.asks.get(ask.index()));
        if session.keep.answers || moves.all().is_empty() || !form.is_some_and(takes_a_move) {
            return Ok(None);
        }
        let moves = moves.distinct();
        unambiguous(&session.state, moves.iter())?;
        let Some(at) = session.answers.pick(player, &moves, &session.state) else { return Ok(None) };
        link.meter.asked();
        session.told += 1;
        link.meter.keep(1 + 2 * moves.len() as u64)?;
        moves.get(at).cloned().map(Some).ok_or_else(|| failure("the chosen move is not among the moves"))
    })
}

/// The action that a player chooses.
pub(crate) fn choose(link: &Link, place: RulesPlace, decision: Decision) -> Native<Action> {
    match put(link, Ask { question: Question::Choose(decision), place })? {
        (Question::Choose(decision), Answer::Chosen(at)) => option_at(&decision, at),
        (_, other) => Err(failure(format!("a choice was answered by {other:?}"))),
    }
}

fn option_at(decision: &Decision, at: usize) -> Native<Action> {
    decision.options.get(at).cloned().ok_or_else(|| failure("the chosen option is not among the options"))
}

fn choose_all(
    link: &Link,
    ctx: &NativeCallContext<'_>,
    players: &[Dynamic],
    ask: &str,
    options: &FnPtr,
) -> Native<Array> {
    let mut offers = Array::new();
    for player in players {
        let Some(id) = player.clone().try_cast::<PlayerId>() else {
            return Err(failure(format!("choose_all asks players, not {}", kind_of(player))));
        };
        offers.push(options.call_within_context(ctx, (id,))?);
    }
    choose_among(link, ctx, players, ask, offers)
}

/// What players choose at once, each of their own options.
fn choose_among(
    link: &Link,
    ctx: &NativeCallContext<'_>,
    players: &[Dynamic],
    ask: &str,
    offers: Array,
) -> Native<Array> {
    let mut decisions = Vec::new();
    let mut all_bare = true;
    for (player, offered) in players.iter().zip(offers) {
        let Some(id) = player.clone().try_cast::<PlayerId>() else {
            return Err(failure(format!("choose_all asks players, not {}", kind_of(player))));
        };
        let (decision, bare) = link.with(|session| decision(session, id, ask, &offered))?;
        all_bare &= bare;
        decisions.push(decision);
    }
    if decisions.is_empty() {
        return Ok(Array::new());
    }
    match put(link, Ask { question: Question::ChooseAll(decisions), place: place(ctx) })? {
        (Question::ChooseAll(decisions), Answer::AllChosen(all)) => {
            let pairs = decisions.iter().zip(all);
            pairs.map(|(decision, at)| chosen(link, &option_at(decision, at)?, all_bare)).collect()
        }
        (_, other) => Err(failure(format!("choices were answered by {other:?}"))),
    }
}

/// What a script gets for a chosen action.
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

/// The decision that a script describes, and whether its options are bare values.
fn decision(session: &Session, player: PlayerId, ask: &str, options: &Dynamic) -> Native<(Decision, bool)> {
    let verb = session.state.schema().ask(ask).ok_or_else(|| failure(format!("the game has no ask `{ask}`")))?;
    if let Some(moves) = options.read_lock::<Moves>() {
        return Ok((moves_decision(session, player, verb, &moves)?, true));
    }
    let offered = listed(options)?;
    let mut actions: Vec<Action> = Vec::with_capacity(offered.len());
    let mut known = BTreeSet::new();
    let few = offered.len() <= MOST_PLAIN;
    let mut bare = true;
    for option in &offered {
        let action = match option.read_lock::<Action>() {
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
                        "an option without values is made by `may(\"{}\")`, not by a text",
                        *text
                    )));
                }
                action(session, verb, std::slice::from_ref(option))?
            }
        };
        // A few are compared with one another, which takes no room.
        if if few { !actions.contains(&action) } else { known.insert(action.clone()) } {
            actions.push(action);
        }
    }
    if actions.is_empty() {
        let who = session.state.schema().player_name(player).to_owned();
        return Err(failure(format!("{who} is asked `{ask}` without any option")));
    }
    let moves = actions.iter().flat_map(|action| &action.values).filter_map(|value| match value {
        Value::Move(made) => Some(made),
        _ => None,
    });
    unambiguous(&session.state, moves)?;
    Ok((Decision { player, ask: verb, options: actions }, bare))
}

/// A decision among moves; no two of them are alike.
fn moves_decision(session: &Session, player: PlayerId, ask: AskId, moves: &Moves) -> Native<Decision> {
    let form = session.state.schema().asks.get(ask.index());
    if !form.is_some_and(takes_a_move) {
        return Err(failure("moves are offered by an ask whose form is one MOVE: `ask move MOVE`"));
    }
    if moves.all().is_empty() {
        let who = session.state.schema().player_name(player);
        return Err(failure(format!("{who} is asked for a move without having any")));
    }
    unambiguous(&session.state, moves.all().iter())?;
    let option = |made: &Move| Action { ask, values: vec![Value::Move(made.clone())] };
    Ok(Decision { player, ask, options: moves.distinct().iter().map(option).collect() })
}

/// Whether the form of an ask is one move.
fn takes_a_move(form: &Form) -> bool {
    let mut kinds = form.parts.iter().filter(|part| !matches!(part, Part::Word(_)));
    matches!((kinds.next(), kinds.next()), (Some(Part::Value(Kind::Move)), None))
        || matches!(form.kinds().as_slice(), [(Kind::Move, _)])
}

/// The options one by one.
fn listed(options: &Dynamic) -> Native<Vec<Dynamic>> {
    if let Some(cells) = options.read_lock::<Cells>() {
        return Ok(cells.iter().map(Dynamic::from).collect());
    }
    if let Some(list) = options.read_lock::<Array>() {
        return Ok(list.clone());
    }
    if let Some(range) = options.read_lock::<std::ops::RangeInclusive<i64>>() {
        return numbers(*range.start(), *range.end());
    }
    if let Some(range) = options.read_lock::<std::ops::Range<i64>>() {
        return numbers(range.start, range.end.saturating_sub(1));
    }
    Err(failure(format!("options are a list, a set of cells or a range of numbers, not {}", kind_of(options))))
}

/// Whether there is any option.
pub(crate) fn any(options: &Dynamic) -> Native<bool> {
    if let Some(moves) = options.read_lock::<Moves>() {
        return Ok(!moves.all().is_empty());
    }
    Ok(!listed(options)?.is_empty())
}

/// The most numbers that a range of options may hold.
const MOST_OPTIONS: i64 = 10_000;

fn numbers(low: i64, high: i64) -> Native<Vec<Dynamic>> {
    if high.saturating_sub(low) >= MOST_OPTIONS {
        return Err(failure(format!("a range of options may hold {MOST_OPTIONS} numbers")));
    }
    Ok((low..=high).map(Dynamic::from).collect())
}

/// The action of an ask with these values, each checked against the form.
fn action(session: &Session, ask: AskId, values: &[Dynamic]) -> Native<Action> {
    let directions = session.state.board().headings().len();
    let Some(form) = session.state.schema().asks.get(ask.index()) else { return Err(failure("no such ask")) };
    fill(&form.verb, &form.kinds(), values, directions).map(|values| Action { ask, values })
}

/// Values for the kinds of a form; what may be left out can be `()` or missing at the end.
pub(super) fn fill(verb: &str, kinds: &[(&Kind, bool)], values: &[Dynamic], directions: usize) -> Native<Vec<Value>> {
    if values.len() > kinds.len() {
        return Err(failure(format!("`{verb}` takes {} values, not {}", kinds.len(), values.len())));
    }
    let mut filled = Vec::with_capacity(kinds.len());
    for (at, (kind, optional)) in kinds.iter().enumerate() {
        filled.push(match values.get(at) {
            Some(value) if !(value.is_unit() && *optional) => of_kind(value, kind, directions)?,
            _ if *optional => Value::Nothing,
            _ => return Err(failure(format!("`{verb}` needs {kind} as value {}", at + 1))),
        });
    }
    Ok(filled)
}

fn may(link: &Link, verb: &str, values: &[Dynamic]) -> Native<Action> {
    link.with(|session| {
        let ask = session.state.schema().ask(verb).ok_or_else(|| failure(format!("the game has no ask `{verb}`")))?;
        action(session, ask, values)
    })
}

fn then(link: &Link, phase: &str, values: &[Dynamic]) -> Native<()> {
    let args = values.iter().map(from_script).collect::<Native<Vec<Value>>>()?;
    link.meter.keep_values(&args)?;
    link.with(|session| {
        session.then.push(Phase { name: Arc::from(phase), args });
        Ok(())
    })
}

/// The name of the phase that asks before it runs another; no function of a script can be called so.
pub(crate) const DEFERRED: &str = "choose then";

/// A decision as a phase of plain values.
fn deferred(decision: &Decision, bare: bool, phase: &str) -> Phase {
    let ask = |ask: AskId| Value::Int(i64::from(ask.0));
    let action = |action: &Action| Value::List(vec![ask(action.ask), Value::List(action.values.clone())]);
    let options = decision.options.iter().map(action).collect();
    let args = vec![
        Value::Player(decision.player),
        ask(decision.ask),
        Value::List(options),
        Value::Bool(bare),
        Value::text(phase),
    ];
    Phase { name: Arc::from(DEFERRED), args }
}

/// A deferred decision read back: the decision, whether its options are bare, and the phase that gets the choice.
pub(crate) fn undeferred(phase: &Phase) -> Option<(Decision, bool, Arc<str>)> {
    let ask = |value: &Value| match value {
        Value::Int(number) => u16::try_from(*number).ok().map(AskId),
        _ => None,
    };
    let action = |value: &Value| match value {
        Value::List(parts) => match parts.as_slice() {
            [verb, Value::List(values)] => Some(Action { ask: ask(verb)?, values: values.clone() }),
            _ => None,
        },
        _ => None,
    };
    match phase.args.as_slice() {
        [Value::Player(player), verb, Value::List(options), Value::Bool(bare), Value::Text(next)] => {
            let options = options.iter().map(action).collect::<Option<Vec<_>>>()?;
            Some((Decision { player: *player, ask: ask(verb)?, options }, *bare, Arc::clone(next)))
        }
        _ => None,
    }
}
