//! Flags, counters and properties in the words of lines: `red.score`, `red captured`.

use super::resolver::{Resolver, names};
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::{Span, Word};
use crate::table::{Misread, Owner, PropertyEach, PropertyId, PropertyKind, Schema, Table, Value};

/// The owner and the property of a word like `red.score`; nothing if it has no dot. A part that does not exist is noted.
pub(super) fn dotted(
    resolver: &mut Resolver<'_>,
    table: &Table,
    word: &Word<'_>,
) -> Option<(Option<Owner>, Option<PropertyId>)> {
    let (left, right) = word.text.split_once('.').filter(|_| !word.quoted)?;
    let schema = &table.schema;
    let split = word.span.start + Span::new(0..left.len()).end;
    let (left_span, right_span) =
        (Span { start: word.span.start, end: split }, Span { start: split + 1, end: word.span.end });
    let property = schema.property(right);
    let Some(property) = property else {
        let all = || schema.properties.iter().map(|property| property.name.as_str());
        let help = did_you_mean(right, all()).unwrap_or_else(|| match one_of(all(), 12) {
            _ if schema.is_zone(right) => {
                format!("cards are expected in a zone like this: `expect {right} {left} = CARD …`")
            }
            list if list.is_empty() => "the game declares none".to_owned(),
            list => format!("the game declares {list}"),
        });
        let message = format!("there is no flag, counter or property `{right}`");
        resolver.say(Diagnostic::new("unknown_property", resolver.source, right_span, message).help(help));
        return Some((None, None));
    };
    let Some(declared) = schema.properties.get(property.index()) else { return Some((None, None)) };
    let owner = match declared.each {
        PropertyEach::Game => (left == "game").then_some(Owner::Game),
        PropertyEach::Player => schema.player(left).map(Owner::Player),
        PropertyEach::Kind(kind) => {
            let named = schema.piece(left).map(Owner::Piece);
            let of_player = || schema.player(left).and_then(|player| schema.piece_of(kind, player)).map(Owner::Piece);
            named.filter(|owner| schema.owners(declared.each).contains(owner)).or_else(of_player)
        }
    };
    if owner.is_none() {
        let who = schema.owner_words(declared.each);
        let owners: Vec<String> = schema.owners(declared.each).iter().map(|owner| owner_name(schema, *owner)).collect();
        let help = did_you_mean(left, owners.iter().map(String::as_str))
            .unwrap_or_else(|| format!("each {who} has it: {}", one_of(owners.iter().map(String::as_str), 9)));
        resolver.say(
            Diagnostic::new("unknown_owner", resolver.source, left_span, format!("`{left}` has no `{right}`"))
                .help(help),
        );
    }
    Some((owner, Some(property)))
}

/// What lines call an owner.
pub(super) fn owner_name(schema: &Schema, owner: Owner) -> String {
    match owner {
        Owner::Game => "game".to_owned(),
        Owner::Player(player) => schema.player_name(player).to_owned(),
        Owner::Piece(piece) => schema.piece_name(piece).to_owned(),
    }
}

/// A value for a property from the words behind it.
pub(super) fn value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    property: PropertyId,
    words: &[Word<'_>],
    end: Span,
) -> Option<Value> {
    let kind = table.schema.properties.get(property.index())?.kind.clone();
    let words: Vec<Word<'_>> = words.iter().copied().filter(|word| word.text != "=").collect();
    let names = names(table);
    let read = match &kind {
        PropertyKind::Flag => match words.first().map(|word| word.text) {
            Some("true") => Ok((Value::Bool(true), 1)),
            Some("false") => Ok((Value::Bool(false), 1)),
            _ => Err(Misread::new(
                "not_a_flag_value",
                words.first().map_or(end, |word| word.span),
                "a flag is `true` or `false`",
            )),
        },
        PropertyKind::Counter { .. } => names.value(&crate::table::Kind::Number, &words, end),
        PropertyKind::Value(_)
            if words.first().is_some_and(|word| word.text == "none")
                && !matches!(kind, PropertyKind::Value(crate::table::Kind::Many(_))) =>
        {
            Ok((Value::Nothing, 1))
        }
        PropertyKind::Value(kind) => names.value(kind, &words, end),
    };
    let (value, taken) = resolver.get(read)?;
    if let Some(extra) = words.get(taken) {
        return resolver.misread(Misread::new(
            "wrong_form",
            extra.span,
            format!("`{}` does not belong here", extra.text),
        ));
    }
    Some(value)
}

/// `red squished`, `red not squished`, `block 1 moved`: who, which flag, and whether it is set.
pub(super) fn flag(table: &Table, words: &[Word<'_>]) -> Result<(Owner, PropertyId, bool), Misread> {
    let schema = &table.schema;
    let (Some(last), Some(first)) = (words.last(), words.first()) else {
        return Err(Misread::new("missing_value", Span::default(), "something is missing here"));
    };
    let truth = !words.iter().any(|word| word.text == "not" && !word.quoted);
    let subject: Vec<Word<'_>> =
        words.iter().copied().take(words.len() - 1).filter(|word| word.text != "not").collect();
    let found =
        schema.property(last.text).and_then(|property| Some((property, schema.properties.get(property.index())?)));
    let flag = found.filter(|(_, declared)| declared.kind == PropertyKind::Flag);
    let Some((property, declared)) = flag else {
        let flags = || {
            schema
                .properties
                .iter()
                .filter(|property| property.kind == PropertyKind::Flag)
                .map(|property| property.name.as_str())
        };
        let misread = Misread::new("unknown_flag", last.span, format!("there is no flag `{}`", last.text));
        let all = || match one_of(flags(), 9) {
            list if list.is_empty() => None,
            list => Some(format!("the flags are {list}")),
        };
        let wins = last.text == "wins" && schema.player(first.text).is_some();
        let wins = wins.then(|| format!("write `winner {}`", first.text));
        return Err(misread.maybe_help(did_you_mean(last.text, flags()).or(wins).or_else(all)));
    };
    let name = subject.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let owners = schema.owners(declared.each);
    let owner = owners.iter().find(|owner| match owner {
        Owner::Game => subject.is_empty() || name == "game",
        other => owner_name(schema, **other) == name,
    });
    let of_player = || match declared.each {
        PropertyEach::Kind(kind) => {
            schema.player(&name).and_then(|player| schema.piece_of(kind, player)).map(Owner::Piece)
        }
        _ => None,
    };
    owner.copied().or_else(of_player).map(|owner| (owner, property, truth)).ok_or_else(|| {
        let names: Vec<String> = owners.iter().map(|owner| owner_name(schema, *owner)).collect();
        let span = subject.first().zip(subject.last()).map_or(first.span, |(first, last)| first.span.to(last.span));
        let message = match name.as_str() {
            "" => format!("this does not say whose `{}` it is", last.text),
            name => format!("`{name}` has no flag `{}`", last.text),
        };
        Misread::new("unknown_owner", span, message).maybe_help(did_you_mean(&name, names.iter().map(String::as_str)))
    })
}
