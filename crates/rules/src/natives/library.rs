//! The functions of Rhai's library that the machine implements itself: those that rules call most, and those that the
//! prelude needs. Rhai runs all others.

use rhai::{EvalAltResult, ImmutableString};

use crate::values::Wrong;
use crate::values::{Arena, COLLECTION, DEPTH, Moves, Span, TEXT, Val, failure, too_large};
use referee_diagnostic::MustBe as _;

/// A function of the library. It returns `None` for values that it does not accept.
pub(crate) type Library = fn(&mut Arena, &mut [Val]) -> Result<Option<Val>, Wrong>;

/// The kinds of values besides lists that a function of Rhai's library changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedKinds {
    pub(crate) maps: bool,
    pub(crate) texts: bool,
}

/// Returns the cost of a string that grows to this many bytes in Rhai's library: character by character, each time without
/// room for more.
pub(crate) const fn growing(bytes: usize) -> usize {
    bytes.saturating_mul(bytes) / (1 << 10)
}

/// Returns the index for a number in a list with `count` elements. Negative numbers count from the end.
pub(crate) fn place(count: usize, at: i64) -> Option<usize> {
    let at = if at < 0 { i64::try_from(count).ok()?.checked_add(at)? } else { at };
    usize::try_from(at).ok().filter(|at| *at < count)
}

/// The function that makes a string of a value, for strings between backticks.
pub(crate) const TO_TEXT: &str = "to_string";

/// The function that adds a value to a list, for loops that the compiler writes in place.
pub(crate) const PUSH: &str = "push";

/// Functions that only the prelude calls, each with its number of parameters.
static INTERNAL: [(&str, usize, Library); 6] = [
    ("_vm_is_map", 1, |_, values| Ok(Some(Val::Truth(matches!(values, [Val::Map(_)]))))),
    ("_vm_is_moves", 1, |_, values| Ok(Some(Val::Truth(matches!(values, [Val::Moves(_)]))))),
    ("_vm_moves", 1, moves),
    ("_vm_start", 2, start),
    ("_vm_before", 1, |_, values| {
        Ok(Some(Val::Truth(match values {
            [Val::Number(order)] => *order < 0,
            [Val::Truth(before)] => *before,
            _ => return Err(failure("the function that compares two values must return a number or a boolean")),
        })))
    }),
    ("_vm_player", 1, |arena, values| match values {
        [player @ Val::Player(_)] => Ok(Some(*player)),
        [other] => {
            let kind = crate::values::kind_of(&arena.to_dynamic(*other)?);
            Err(failure(format!("`choose_all` takes a list of players, found {kind}")))
        }
        _ => Ok(None),
    }),
];

/// Returns the function with this name and number of parameters that only the prelude calls.
pub(super) fn internal(name: &str, count: usize) -> Option<Library> {
    let known = INTERNAL.iter().find(|(known, takes, _)| *known == name && *takes == count);
    known.map(|(.., library)| *library)
}

pub(super) fn is_even(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(number(values).map(|number| Val::Truth(number % 2 == 0)))
}

pub(super) fn is_odd(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(number(values).map(|number| Val::Truth(number % 2 != 0)))
}

pub(super) fn sign(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(number(values).map(|number| Val::Number(number.signum())))
}

/// Converts a count to a value.
fn counted(count: usize) -> Val {
    Val::Number(i64::try_from(count).unwrap_or(i64::MAX))
}

fn number(values: &[Val]) -> Option<i64> {
    match values {
        [Val::Number(number)] => Some(*number),
        _ => None,
    }
}

type Done = Result<Option<Val>, Wrong>;

pub(super) fn length(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of] = values else { return Ok(None) };
    Ok(match *of {
        Val::List(_) => arena.items(*of).map(|items| counted(items.len())),
        Val::Map(_) => arena.fields(*of).map(|map| counted(map.items.len())),
        Val::Text(_) => arena.text_of(*of).map(|text| {
            arena.work().of_bytes(text.len());
            counted(text.chars().count())
        }),
        _ => None,
    })
}

pub(super) fn is_empty(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of] = values else { return Ok(None) };
    Ok(match *of {
        Val::List(_) => arena.items(*of).map(|items| Val::Truth(items.is_empty())),
        Val::Map(_) => arena.fields(*of).map(|map| Val::Truth(map.items.is_empty())),
        Val::Text(_) => arena.text_of(*of).map(|text| Val::Truth(text.is_empty())),
        _ => None,
    })
}

pub(super) fn push(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_), item] = values else { return Ok(None) };
    arena.share(*item);
    arena.lay_behind(of, *item)?;
    Ok(Some(Val::Nothing))
}

pub(super) fn pop(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_)] = values else { return Ok(None) };
    Ok(arena.own_items(of).map(|items| items.pop().unwrap_or_default()))
}

pub(super) fn shift(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_)] = values else { return Ok(None) };
    moves_all(arena, *of);
    Ok(arena.own_items(of).map(|items| if items.is_empty() { Val::Nothing } else { items.remove(0) }))
}

pub(super) fn insert(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_), Val::Number(at), item] = values else { return Ok(None) };
    arena.share(*item);
    moves_all(arena, *of);
    let Some(items) = arena.own_items(of) else { return Ok(None) };
    // As in Rhai, an index before the first element inserts at the front, one beyond the last at the end.
    let count = items.len();
    let at = if *at < 0 {
        count.saturating_sub(usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX))
    } else {
        usize::try_from(*at).unwrap_or(usize::MAX).min(count)
    };
    items.insert(at, *item);
    arena.grown(size_of::<Val>());
    arena.fits(*of)?;
    Ok(Some(Val::Nothing))
}

pub(super) fn remove(arena: &mut Arena, values: &mut [Val]) -> Done {
    match values {
        [of @ Val::List(_), Val::Number(at)] => {
            moves_all(arena, *of);
            let Some(items) = arena.own_items(of) else { return Ok(None) };
            Ok(Some(place(items.len(), *at).map_or(Val::Nothing, |at| items.remove(at))))
        }
        [of @ Val::Map(_), name @ Val::Text(_)] => {
            let Some(name) = arena.text_of(*name).cloned() else { return Ok(None) };
            moves_all(arena, *of);
            Ok(arena.own_fields(of).map(|map| map.remove(&name).unwrap_or_default()))
        }
        _ => Ok(None),
    }
}

/// Counts the work of a function that moves elements of a list or a map from their places.
fn moves_all(arena: &Arena, of: Val) {
    let count = arena.items(of).map(Vec::len).or_else(|| Some(arena.fields(of)?.items.len()));
    arena.work().of_values(count.unwrap_or(0) / 4);
}

pub(super) fn clear(arena: &mut Arena, values: &mut [Val]) -> Done {
    match values {
        [of @ Val::List(_)] => *of = arena.list(Vec::new()),
        [of @ Val::Map(_)] => *of = arena.map(Vec::new()),
        _ => return Ok(None),
    }
    Ok(Some(Val::Nothing))
}

pub(super) fn reverse(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_)] = values else { return Ok(None) };
    moves_all(arena, *of);
    Ok(arena.own_items(of).map(|items| {
        items.reverse();
        Val::Nothing
    }))
}

/// Returns whether a list contains a value; `None` for kinds without a fast comparison.
pub(super) fn contains(arena: &mut Arena, values: &mut [Val]) -> Done {
    match values {
        [of @ Val::List(_), wanted] => {
            let Some(items) = arena.items(*of) else { return Ok(None) };
            arena.work().of_values(items.len());
            let wanted_text = arena.text_of(*wanted);
            for item in items {
                let same = match (*item, *wanted) {
                    (Val::Number(one), Val::Number(other)) => one == other,
                    (Val::Truth(one), Val::Truth(other)) => one == other,
                    (Val::Player(one), Val::Player(other)) => one == other,
                    (Val::Piece(one), Val::Piece(other)) => one == other,
                    (Val::Cell(one), Val::Cell(other)) => one == other,
                    (Val::Zone(one), Val::Zone(other)) => one == other,
                    (Val::Text(_), Val::Text(_)) => {
                        let text = arena.text_of(*item);
                        let bytes = text.zip(wanted_text).map_or(0, |(one, other)| one.len().min(other.len()));
                        arena.work().of_bytes(bytes);
                        text == wanted_text
                    }
                    _ => return Ok(None),
                };
                if same {
                    return Ok(Some(Val::Truth(true)));
                }
            }
            Ok(Some(Val::Truth(false)))
        }
        [of @ Val::Map(_), name @ Val::Text(_)] => {
            let name = arena.text_of(*name);
            Ok(name.and_then(|name| Some(Val::Truth(arena.fields(*of)?.get(name).is_some()))))
        }
        [Val::Range(at), Val::Number(number)] => {
            Ok(arena.ranges.get(*at as usize).map(|span| Val::Truth(span.contains(*number))))
        }
        _ => Ok(None),
    }
}

pub(super) fn get(arena: &mut Arena, values: &mut [Val]) -> Done {
    let found = match values {
        // As in Rhai, an index before the first element returns the first.
        [of @ Val::List(_), Val::Number(at)] => arena.items(*of).map(|items| {
            let first = items.first().filter(|_| *at < 0).copied();
            place(items.len(), *at).and_then(|at| items.get(at)).copied().or(first)
        }),
        [of @ Val::Map(_), name @ Val::Text(_)] => {
            arena.text_of(*name).and_then(|name| arena.fields(*of).map(|map| map.get(name)))
        }
        _ => return Ok(None),
    };
    let found = found.map(Option::unwrap_or_default);
    found.into_iter().for_each(|found| arena.share(found));
    Ok(found)
}

pub(super) fn keys(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::Map(_)] = values else { return Ok(None) };
    let names = arena.fields(*of).map(|map| map.items.iter().map(|(name, _)| name.clone()).collect());
    let names: Vec<ImmutableString> = names.or_missing("a map", Vec::new());
    arena.work().add(names.len());
    let names = names.into_iter().map(|name| arena.text(name)).collect();
    Ok(Some(arena.list(names)))
}

pub(super) fn values(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::Map(_)] = values else { return Ok(None) };
    let items = arena.fields(*of).map(|map| map.items.iter().map(|(_, value)| *value).collect());
    let items: Vec<Val> = items.or_missing("a map", Vec::new());
    items.iter().for_each(|item| arena.share(*item));
    Ok(Some(arena.list(items)))
}

pub(super) fn min(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(match values {
        [Val::Number(one), Val::Number(other)] => Some(Val::Number(*one.min(other))),
        _ => None,
    })
}

pub(super) fn max(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(match values {
        [Val::Number(one), Val::Number(other)] => Some(Val::Number(*one.max(other))),
        _ => None,
    })
}

pub(super) fn abs(_: &mut Arena, values: &mut [Val]) -> Done {
    Ok(number(values).and_then(i64::checked_abs).map(Val::Number))
}

pub(super) fn to_string(arena: &mut Arena, values: &mut [Val]) -> Done {
    Ok(match values {
        [text @ Val::Text(_)] => Some(*text),
        [Val::Number(number)] => Some(arena.text(number.to_string().into())),
        [Val::Truth(truth)] => Some(arena.text(truth.to_string().into())),
        [Val::Letter(letter)] => Some(arena.text(letter.to_string().into())),
        _ => None,
    })
}

pub(super) fn type_of(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of] = values else { return Ok(None) };
    let name = arena.type_name(*of);
    Ok(Some(arena.text(name.into())))
}

/// Returns the range of numbers up to before another.
pub(super) fn between(arena: &mut Arena, values: &mut [Val]) -> Done {
    Ok(span(arena, values, false))
}

/// Returns the range of numbers up to another.
pub(super) fn through(arena: &mut Arena, values: &mut [Val]) -> Done {
    Ok(span(arena, values, true))
}

fn span(arena: &mut Arena, values: &[Val], inclusive: bool) -> Option<Val> {
    match values {
        [Val::Number(from), Val::Number(to)] => Some(arena.ranges(Span { from: *from, to: *to, inclusive, step: 1 })),
        _ => None,
    }
}

/// Returns a range of numbers, with an optional step.
pub(super) fn range(arena: &mut Arena, values: &mut [Val]) -> Done {
    let span = match values {
        [Val::Number(from), Val::Number(to)] => Span { from: *from, to: *to, inclusive: false, step: 1 },
        [Val::Number(from), Val::Number(to), Val::Number(step)] => stepped(*from, *to, *step),
        [of @ Val::Range(_), Val::Number(step)] => match plain_span(arena, *of) {
            Some(Span { from, to, inclusive: false, .. }) => stepped(from, to, *step),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    if span.step == 0 {
        let message = "step value cannot be zero";
        return Err(Box::new(EvalAltResult::ErrorInFunctionCall(
            "range".to_owned(),
            String::new(),
            Box::new(EvalAltResult::ErrorArithmetic(message.to_owned(), rhai::Position::NONE)),
            rhai::Position::NONE,
        )));
    }
    Ok(Some(arena.ranges(span)))
}

/// Returns the numbers from one to before another, in steps. As in Rhai, a number does not belong to them if the one after
/// it would be too large.
fn stepped(from: i64, to: i64, step: i64) -> Span {
    let to = match step {
        0 => to,
        1.. => to.min((i64::MAX - step).saturating_add(1)),
        _ => to.max((i64::MIN - step).saturating_sub(1)),
    };
    Span { from, to, inclusive: false, step }
}

/// Returns a range without steps.
fn plain_span(arena: &Arena, range: Val) -> Option<Span> {
    match range {
        Val::Range(at) => arena.ranges.get(at as usize).copied().filter(|span| span.step == 1),
        _ => None,
    }
}

/// Returns where the part of a string or a number begins that these values tell, and how long it is; `None` if they are no
/// part.
fn part(arena: &Arena, values: &[Val]) -> Option<(i64, i64)> {
    match *values {
        [] => Some((0, i64::MAX)),
        [Val::Number(from)] => Some((from, i64::MAX)),
        [Val::Number(from), Val::Number(count)] => Some((from, count)),
        [range @ Val::Range(_)] => {
            let Span { from, to, inclusive, .. } = plain_span(arena, range)?;
            let (from, to) = (from.max(0), to.saturating_add(i64::from(inclusive)));
            Some((from, to.saturating_sub(from).max(0)))
        }
        _ => None,
    }
}

pub(super) fn chars(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::Text(_), part_of @ ..] = &*values else { return Ok(None) };
    let Some((from, count)) = part(arena, part_of) else { return Ok(None) };
    arena.work().of_bytes(arena.text_of(*of).map_or(0, |text| text.len()));
    let text = arena.text_of(*of).cloned().unwrap_or_default();
    let from = match usize::try_from(from) {
        Ok(from) => from,
        // It counts from the end.
        Err(_) => text.chars().count().saturating_sub(usize::try_from(from.unsigned_abs()).unwrap_or(usize::MAX)),
    };
    let letters = text.chars().skip(from).take(usize::try_from(count).unwrap_or(0));
    let letters = letters.map(Val::Letter).collect();
    Ok(Some(arena.list(letters)))
}

/// Returns bits of a number, the lowest first.
pub(super) fn bits(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [Val::Number(number), part_of @ ..] = &*values else { return Ok(None) };
    let Some((from, count)) = part(arena, part_of) else { return Ok(None) };
    // Rhai has the error for a bit that no number has.
    let first = if from < 0 { from.saturating_add(BITS) } else { from };
    if !(0..BITS).contains(&first) {
        return Ok(None);
    }
    let until = first.saturating_add(count.max(0)).min(BITS);
    let bits = (first..until).map(|at| Val::Truth(number >> at & 1 == 1)).collect();
    Ok(Some(arena.list(bits)))
}

/// The number of bits of a number.
const BITS: i64 = 64;

pub(super) fn is_anonymous(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [Val::Function(at)] = *values else { return Ok(None) };
    let name = arena.functions.get(at as usize).map(|function| &function.name);
    Ok(Some(Val::Truth(name.is_some_and(|name| name.starts_with(ANONYMOUS)))))
}

/// What the names of functions begin with that Rhai makes of closures.
const ANONYMOUS: &str = "anon$";

fn moves(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_)] = values else { return Ok(None) };
    let items = arena.items(*of).map(Vec::as_slice).or_missing("a list", &[]);
    arena.work().of_values(items.len() * 4);
    let made = items.iter().filter_map(|item| match item {
        Val::Move(at) => arena.single.get(*at as usize).cloned(),
        _ => None,
    });
    let made = Moves::new(made.collect());
    Ok(Some(arena.several(made)))
}

/// Returns the index at which a search with this start begins.
fn start(arena: &mut Arena, values: &mut [Val]) -> Done {
    let [of @ Val::List(_), Val::Number(at)] = values else { return Ok(None) };
    let count = arena.items(*of).map_or(0, Vec::len);
    let before = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    let at = if *at < 0 { count.saturating_sub(before) } else { before.min(count) };
    Ok(Some(counted(at)))
}

impl Arena {
    /// Appends a value to a list.
    pub(crate) fn lay_behind(&mut self, of: &mut Val, item: Val) -> Result<(), Wrong> {
        self.own(of);
        let list = match *of {
            Val::List(at) => self.lists.get_mut(at as usize),
            _ => None,
        };
        let Some(list) = list else { return Err(failure("internal error: unknown list")) };
        let items = &mut list.items;
        items.push(item);
        let full = items.len() > COLLECTION;
        self.grown(size_of::<Val>());
        if full || matches!(item, Val::List(_) | Val::Map(_)) { self.fits(*of) } else { Ok(()) }
    }

    /// Returns whether two values have the same kind and value, as the cases of a `switch` are compared.
    pub(crate) fn same(&self, one: Val, other: Val) -> bool {
        self.same_within(one, other, DEPTH)
    }

    /// Compares like [`Self::same`], but returns `false` for values nested deeper than `depth`.
    fn same_within(&self, one: Val, other: Val, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match (one, other) {
            (Val::Text(_), Val::Text(_)) => {
                self.work().add(self.width(one).min(self.width(other)));
                self.text_of(one) == self.text_of(other)
            }
            (Val::List(_), Val::List(_)) => match (self.items(one), self.items(other)) {
                (Some(one), Some(other)) => {
                    self.work().of_values(one.len().min(other.len()));
                    one.len() == other.len()
                        && one.iter().zip(other).all(|(one, other)| self.same_within(*one, *other, depth))
                }
                _ => false,
            },
            (Val::Map(_), Val::Map(_)) => match (self.fields(one), self.fields(other)) {
                (Some(one), Some(other)) => {
                    self.work().of_values(one.items.len().min(other.items.len()));
                    let same = |((one, value), (other, with)): (&(ImmutableString, Val), &(ImmutableString, Val))| {
                        one == other && self.same_within(*value, *with, depth)
                    };
                    one.items.len() == other.items.len() && one.items.iter().zip(&other.items).all(same)
                }
                _ => false,
            },
            (Val::Range(one), Val::Range(other)) => {
                let of = |at: u32| self.ranges.get(at as usize);
                of(one) == of(other)
            }
            (one, other) => one == other,
        }
    }

    /// Runs `list += value` and `string += string` in place. Returns `false` without effect for other values.
    pub(crate) fn add_to(&mut self, of: &mut Val, by: Val) -> Result<bool, Wrong> {
        match (*of, by) {
            (Val::List(_), Val::List(_)) => {
                let more = self.items(by).cloned().unwrap_or_default();
                more.iter().for_each(|item| self.share(*item));
                self.grown(size_of_val(more.as_slice()));
                self.work().of_values(more.len());
                if let Some(items) = self.own_items(of) {
                    items.extend(more);
                }
                self.fits(*of)?;
                Ok(true)
            }
            (Val::List(_), item) => {
                self.share(item);
                self.lay_behind(of, item)?;
                Ok(true)
            }
            (Val::Text(_), Val::Text(_)) => {
                let (Some(one), Some(other)) = (self.text_of(*of), self.text_of(by)) else { return Ok(false) };
                if one.len() + other.len() > TEXT {
                    return Err(too_large("Length of string"));
                }
                let both = [one.as_str(), other.as_str()].concat();
                *of = self.text(both.into());
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
