//! Reads the dice and faces of `roll` lines.

use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Span, Word};
use referee_syntax::ast::Rolled;
use referee_table::{Die, DieId, Names, Phrase, Schema, Table, Throw, Value};

/// Reads the throws of a line; `None` if one of them cannot be read.
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
        let span = item.first().copied().unwrap_or(line);
        let phrase = resolver.phrase(&words, line);
        if words.is_empty() {
            whole = false;
            let misread = phrase.wrong(Code::MissingValue, span, "this line does not say what the die shows");
            let help = table.schema.dice.first().map_or_else(no_dice, |die| example(names(table), die));
            let _: Option<()> = resolver.misread(misread.help(help));
            continue;
        }
        match resolver.get(throw(table, phrase)) {
            Some((die, throw)) => throws.push((die, throw, span)),
            None => whole = false,
        }
    }
    whole.then_some(throws)
}

/// Reads one throw: the name of the die, if there is one, then the face of each of its dice.
fn throw(table: &Table, words: Phrase<'_>) -> Result<(DieId, Throw), Diagnostic> {
    let mut shown = words;
    let (id, die) = die(&table.schema, &mut shown)?;
    let names = names(table);
    if shown.len() != die.count {
        return Err(miscounted(names, die, words, shown));
    }
    let faces: Vec<usize> = shown.words().iter().map(|word| face(names, die, word)).collect::<Result<_, _>>()?;
    Ok((id, Throw::of(faces)))
}

/// Takes the name of a die, if there is one, and returns the die.
fn die<'s>(schema: &'s Schema, words: &mut Phrase<'_>) -> Result<(DieId, &'s Die), Diagnostic> {
    let Some(first) = words.first() else { return Err(words.missing("this line does not say what the die shows")) };
    let rest = words.from(1);
    if let Some((id, die)) = schema.die(first.text).and_then(|id| Some((id, schema.dice.get(id.index())?))) {
        *words = rest;
        return Ok((id, die));
    }
    let all = || schema.dice.iter().map(|die| die.name.as_str());
    let only = schema.only_die().and_then(|id| Some((id, schema.dice.get(id.index())?)));
    let has_face = |die: &Die| die.faces.iter().any(|face| face.shows == Value::text(first.text));
    if let Some((id, die)) = only.filter(|(_, die)| is_number(first) || has_face(die)) {
        return Ok((id, die));
    }
    match schema.dice.as_slice() {
        [] => Err(Diagnostic::on(Code::UnknownDie, first, "this game has no dice").help(no_dice())),
        // A word before the right number of faces is a misspelt name.
        [one] if rest.len() != one.count || is_number(first) => Ok((DieId(0), one)),
        dice if is_number(first) => {
            let message = format!("the name of the die is missing: the game has {} dice", dice.len());
            Err(Diagnostic::on(Code::UnknownDie, first, message).help(format!("name it: {}", one_of(all(), 9))))
        }
        _ => {
            let nameless = all().next().is_some_and(str::is_empty);
            let faces = || rest.texts();
            // `roll six: 3` has one character too many, not another die.
            let bare = first.text.trim_end_matches([':', '=']);
            let help = if !bare.is_empty() && all().any(|name| name == bare) {
                format!("write `roll {bare} {}`", faces())
            } else {
                did_you_mean(first.text, all()).unwrap_or_else(|| match one_of(all(), 9) {
                    _ if nameless => format!("write `roll {}`: the game's one die has no name", faces()),
                    list => format!("the dice are {list}"),
                })
            };
            let message = format!("unknown die `{}`", first.text);
            Err(Diagnostic::on(Code::UnknownDie, first, message).help(help))
        }
    }
}

fn is_number(word: &Word<'_>) -> bool {
    word.text.parse::<i64>().is_ok()
}

fn no_dice() -> String {
    "declare one in the game file: `die 1..6`".to_owned()
}

/// Returns the index of the face that a word names.
fn face(names: Names<'_>, die: &Die, word: &Word<'_>) -> Result<usize, Diagnostic> {
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
        Diagnostic::on(Code::WrongRoll, word, message).help(shown)
    })
}

/// Returns the error for more or fewer faces than dice.
fn miscounted(names: Names<'_>, die: &Die, words: Phrase<'_>, shown: Phrase<'_>) -> Diagnostic {
    let comma = die.count > 1 && shown.len() < die.count;
    let help = match example(names, die) {
        example if comma => format!("write the faces of one throw without commas, as in `{example}`"),
        example => format!("write for example `{example}`"),
    };
    match shown.get(die.count) {
        Some(extra) if die.count == 1 => {
            let throws = shown.words().iter().map(|word| word.text).collect::<Vec<_>>();
            let is_face = |word: &&str| die.faces.iter().any(|face| names.write(None, &face.shows) == **word);
            let all = shown.len() > 2 && throws.iter().all(is_face);
            let help = match format!("roll {}", die.name).trim_end() {
                roll if all => format!("write commas between throws: `{roll} {}`", throws.join(", ")),
                _ => help,
            };
            let message = if names.schema.dice.len() > 1 || shown.len() == 2 && die.name.is_empty() {
                "expected one number for the die, or commas between throws".to_owned()
            } else {
                "expected one face: one die is thrown".to_owned()
            };
            Diagnostic::on(Code::WrongForm, extra, message).help(help)
        }
        _ if shown.is_empty() => {
            let message = format!("this does not say what the die {}shows", quoted(&die.name));
            words.wrong(Code::MissingValue, words.next_span(), message).help(help)
        }
        _ => {
            let written = match shown.len() {
                1 => "1 face is written".to_owned(),
                more => format!("{more} faces are written"),
            };
            let message = format!("{} dice {}are thrown at once, but {written}", die.count, quoted(&die.name));
            words.wrong(Code::WrongForm, words.span(), message).help(help)
        }
    }
}

/// Returns an example of a `roll` line for a die.
fn example(names: Names<'_>, die: &Die) -> String {
    let faces = (0..die.count).map(|at| at % die.faces.len().max(1));
    format!("roll {} {}", die.name, die.write(names, &Throw::of(faces))).replace("  ", " ")
}

/// Returns a name in backticks and a space; an empty string if there is no name.
fn quoted(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("`{name}` ") }
}
