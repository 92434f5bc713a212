//! What lines in ordinary English probably mean: `then omer wait`, `ulla has 1 pearl`, two answers on one line.

use crate::plan::resolver::names;
use referee_diagnostic::nearest;
use referee_source::{Source, Word};
use referee_syntax::is_keyword;
use referee_table::{Property, PropertyKind, Schema, Table, Value};

/// Words between two sentences.
const BETWEEN: [&str; 10] = ["then", "and", "next", "now", "afterwards", "finally", "but", "also", "so", "given"];

/// Words for what a player or a piece has.
const HAVING: [&str; 7] = ["has", "have", "with", "is", "gets", "get", "holds"];

/// Returns help for a line that begins with a word between sentences, before a player or a keyword.
pub(super) fn after_another(source: &Source, schema: &Schema, words: &[Word<'_>]) -> Option<String> {
    let before = words.iter().take_while(|word| word.is_any(&BETWEEN)).count();
    let (rest, first) = (words.get(before..)?, words.first().filter(|_| before > 0)?);
    let begins = rest.first().filter(|word| schema.player(word.text).is_some() || is_keyword(word.text))?;
    let line = source.slice(begins.span.to(rest.last()?.span));
    Some(format!("lines follow one another: leave out `{}`, and write `{line}`", first.text))
}

/// Returns help for a second answer on the line of another: `wait then omer wait`, without the player of the first.
pub(super) fn second_answer(source: &Source, schema: &Schema, words: &[Word<'_>]) -> Option<String> {
    let is_player = |at: usize| words.get(at).is_some_and(|word| !word.quoted && schema.player(word.text).is_some());
    let is_verb = |at: usize| words.get(at).is_some_and(|word| schema.ask(word.text).is_some());
    let at = (1..words.len()).find(|at| is_player(*at) && is_verb(at + 1))?;
    let line = source.slice(words.get(at)?.span.to(words.last()?.span));
    Some(format!("write the next answer on a line of its own: `{line}`"))
}

/// The most words of an owner's name.
const LONGEST: usize = 4;

/// Returns help for a line that says what an owner has: `ulla has 1 pearl`, `omer with deep yes`, `ulla pearls 1`.
pub(super) fn had(table: &Table, words: &[Word<'_>]) -> Option<String> {
    let schema = &table.schema;
    let owns = |property: &Property, owner: &str| table.names().owner_called(property, owner).is_some();
    let owner_of = |count: usize| {
        let name = words.get(..count)?.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
        schema.properties.iter().any(|property| owns(property, &name)).then_some((name, count))
    };
    let (owner, taken) = (1..=LONGEST.min(words.len())).rev().find_map(owner_of)?;
    let rest = words.get(taken..)?;
    let having = rest.iter().take_while(|word| HAVING.contains(&word.text)).count();
    let rest = rest.get(having..)?;
    let near = |word: &Word<'_>| {
        let own = schema.properties.iter().filter(|property| owns(property, &owner));
        let names = own.map(|property| property.name.as_str());
        let same = names.clone().find(|name| *name == word.text);
        // Without a word such as `has`, only the name itself says what is meant.
        same.or_else(|| nearest(word.text, names).filter(|_| having > 0))
    };
    let (at, name) = rest.iter().enumerate().find_map(|(at, word)| Some((at, near(word)?)))?;
    let property = schema.properties.iter().find(|property| property.name == name)?;
    let others = || rest.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, word)| word.text);
    let right = match &property.kind {
        PropertyKind::Flag => {
            let is_not = others().any(|word| ["no", "not", "false", "off"].contains(&word));
            format!("{owner} {}{name}", if is_not { "not " } else { "" })
        }
        PropertyKind::Counter { .. } => {
            let number =
                others().find_map(|word| word.parse::<i64>().ok()).map_or("NUMBER".to_owned(), |n| n.to_string());
            format!("{owner}.{name} {number}")
        }
        PropertyKind::Value(kind) => {
            let value = others().filter(|word| *word != "=").collect::<Vec<_>>().join(" ");
            let value = if value.is_empty() { names(table).write(Some(kind), &Value::Nothing) } else { value };
            format!("{owner}.{name} = {value}")
        }
    };
    let expected = match &property.kind {
        PropertyKind::Counter { .. } => right.replacen(&format!("{name} "), &format!("{name} = "), 1),
        _ => right.clone(),
    };
    Some(format!("write `set {right}` in a position, or `expect {expected}` to check it"))
}
