//! Reads what an owner has: `red has ore x3 wool`.

use crate::plan::actions::taking_part;
use crate::plan::model::Fact;
use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::Code;
use referee_table::{Owner, Phrase, Table, Value, amount_in};

/// Reads a fact about all resources of an owner; after `…` there may be others. Returns `None` for other words.
pub(crate) fn expect(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Option<Fact>> {
    let Some((owner, rest)) = names(table).holder(words) else {
        return names(table).no_holder(words).map(|wrong| resolver.misread(wrong));
    };
    Some(read(resolver, table, owner, (words, rest)))
}

fn read(
    resolver: &mut Resolver<'_>,
    table: &Table,
    owner: Owner,
    (words, mut rest): (Phrase<'_>, Phrase<'_>),
) -> Option<Fact> {
    if let (Owner::Player(player), Some(first)) = (owner, words.first()) {
        taking_part(resolver, table, player, first.span)?;
    }
    if rest.is_empty() {
        let missing = words.missing("an amount is missing here");
        return resolver.misread(missing.help("write for example `has ore x3 wool`, or `has none`"));
    }
    let Value::Map(amount) = resolver.get(names(table).amount(&mut rest))? else { return None };
    let more = rest.first().is_some_and(|word| word.is_any(&["…", "..."]));
    rest.skip(usize::from(more));
    let schema = &table.schema;
    let held = |name: &str| schema.resource(name).is_some_and(|resource| names(table).holds(owner, resource));
    if let Some((name, _)) = amount.iter().find(|(name, _)| !held(name)) {
        let message = format!("{} cannot have `{name}`", names(table).owner_name(owner));
        let wrong = words.wrong(Code::UnknownOwner, words.span(), message);
        return resolver.misread(wrong.help("name what the game file declares for it: `resource NAME for each …`"));
    }
    let amount = amount_in(&amount);
    resolver.finish(rest, Fact::Has(owner, amount, more))
}
