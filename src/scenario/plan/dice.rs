//! Lines `roll`: which dice, and what they show.

use crate::diagnostic::{did_you_mean, one_of};
use crate::scenario::plan::resolver::{Resolver, names};
use crate::source::{Span, Word};
use crate::syntax::ast::Rolled;
use crate::table::{Die, DieId, Misread, Names, Schema, Table, Throw, Value};

/// Returns the throws of a line; `None` if one of them cannot be read.
pub(crate) fn roll(
    resolver: &mut Resolver<'_>,
    table: &Table,
    thrown: &[Rolled],
    line: Span,
) -> Option<Vec<(DieId, Throw, Span)>> {
    let mut whole = true;
    let mut throws = Vec::new();
    for item in thrown {
        let before = resolver.wrong.len();
        let words = resolver.words(item);
        if resolver.wrong.len() > before {
            whole = false;
            continue;
        }
        if words.is_empty() {
            whole = false;
            let span = item.first().copied().unwrap_or(line);
            let misread = Misread::new("missing_value", span, "this line does not say what the die shows");
            let help = table.schema.dice.first().map_or_else(no_dice, |die| example(names(table), die));
            let _: Option<()> = resolver.misread(misread.help(help));
            continue;
        }
        match resolver.get(throw(table, &words)) {
            Some((die, throw)) => throws.push((die, throw, item.first().copied().unwrap_or(line))),
            None => whole = false,
        }
    }
    whole.then_some(throws)
}

/// One throw: the name of the die, where there is one, then what each of its dice shows.
fn throw(table: &Table, words: &[Word<'_>]) -> Result<(DieId, Throw), Misread> {
    let (id, die, shown) = die(&table.schema, words)?;
    let names = names(table);
    if shown.len() != die.count {
        return Err(miscounted(names, die, words, shown));
    }
    let faces: Vec<usize> = shown.iter().map(|word| face(names, die, word)).collect::<Result<_, _>>()?;
    Ok((id, Throw::of(faces)))
}

/// Returns the die that words name, and the words behind its name.
fn die<'s, 'w, 't>(schema: &'s Schema, words: &'w [Word<'t>]) -> Result<(DieId, &'s Die, &'w [Word<'t>]), Misread> {
    let Some((first, rest)) = words.split_first() else {
        return Err(Misread::new("missing_value", Span::default(), "this line does not say what the die shows"));
    };
    if let Some((id, die)) = schema.die(first.text).and_then(|id| Some((id, schema.dice.get(id.index())?))) {
        return Ok((id, die, rest));
    }
    let all = || schema.dice.iter().map(|die| die.name.as_str());
    match schema.dice.as_slice() {
        [] => Err(Misread::new("unknown_die", first.span, "this game has no dice").help(no_dice())),
        // A word before as many as there are dice is a name.
        [one] if rest.len() != one.count || is_number(first) => Ok((DieId(0), one, words)),
        dice if is_number(first) => {
            let message = format!("the game has {} dice: which one?", dice.len());
            Err(Misread::new("unknown_die", first.span, message).help(format!("name it: {}", one_of(all(), 9))))
        }
        _ => {
            let nameless = all().next().is_some_and(str::is_empty);
            let help = did_you_mean(first.text, all()).unwrap_or_else(|| match one_of(all(), 9) {
                _ if nameless => {
                    let faces: Vec<&str> = rest.iter().map(|word| word.text).collect();
                    format!("the game's one die has no name: write `roll {}`", faces.join(" "))
                }
                list => format!("the dice are {list}"),
            });
            let message = format!("there is no die `{}`", first.text);
            Err(Misread::new("unknown_die", first.span, message).help(help))
        }
    }
}

fn is_number(word: &Word<'_>) -> bool {
    word.text.parse::<i64>().is_ok()
}

fn no_dice() -> String {
    "declare one in the game file: `die 1..6`".to_owned()
}

/// Returns the index of the face that a word means.
fn face(names: Names<'_>, die: &Die, word: &Word<'_>) -> Result<usize, Misread> {
    let numbers = die.faces.iter().all(|face| matches!(face.shows, Value::Int(_)));
    let shows = if numbers { Value::Int(names.number(word)?) } else { Value::text(word.text) };
    die.faces.iter().position(|face| face.shows == shows).ok_or_else(|| {
        let faces: Vec<String> = die.faces.iter().map(|face| names.write(None, &face.shows)).collect();
        let faces = || faces.iter().map(String::as_str);
        let shown = match die.range() {
            Some((low, high)) => format!("it shows {low} to {high}"),
            None => did_you_mean(word.text, faces()).unwrap_or_else(|| format!("it shows {}", one_of(faces(), 12))),
        };
        let message = format!("the die {}does not show {}", quoted(&die.name), names.write(None, &shows));
        Misread::new("wrong_roll", word.span, message).help(shown)
    })
}

/// More or fewer faces than dice.
fn miscounted(names: Names<'_>, die: &Die, words: &[Word<'_>], shown: &[Word<'_>]) -> Misread {
    let help = format!("write for example `{}`", example(names, die));
    let first = words.first().map_or_else(Span::default, |word| word.span);
    let last = words.last().map_or(first, |word| word.span);
    match shown.get(die.count) {
        Some(extra) if die.count == 1 => {
            let message = if names.schema.dice.len() > 1 || shown.len() == 2 && die.name.is_empty() {
                "a die shows one number; throws are separated by commas".to_owned()
            } else {
                "one die is thrown, and it shows one face".to_owned()
            };
            Misread::new("wrong_form", extra.span, message).help(help)
        }
        _ if shown.is_empty() => {
            let message = format!("this does not say what the die {}shows", quoted(&die.name));
            Misread::new("missing_value", first, message).help(help)
        }
        _ => {
            let written = match shown.len() {
                1 => "1 face is written".to_owned(),
                more => format!("{more} faces are written"),
            };
            let message = format!("{} dice {}are thrown at once, and {written}", die.count, quoted(&die.name));
            Misread::new("wrong_form", Span { start: first.start, end: last.end }, message).help(help)
        }
    }
}

/// Returns a throw of a die, as a line writes it.
fn example(names: Names<'_>, die: &Die) -> String {
    let faces = (0..die.count).map(|at| at % die.faces.len().max(1));
    format!("roll {} {}", die.name, die.write(names, &Throw::of(faces))).replace("  ", " ")
}

/// Returns a name in quotes and a blank; empty for what has no name.
fn quoted(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("`{name}` ") }
}
