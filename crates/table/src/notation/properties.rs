//! Flags, counters and properties in the words of lines: `red.score 3`, `red captured`.

use super::names::Names;
use super::phrase::Phrase;
use crate::{Kind, Owner, PieceId, Property, PropertyEach, PropertyId, PropertyKind, PropertyOwners, Schema, Value};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Word, span_of, texts};

/// A counter or property in words that lack the dot after its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undotted<'w> {
    /// The owner; the first one that has it if the words do not name one.
    pub owner: String,
    /// The name of the counter or property.
    pub name: &'w str,
    /// The words after it.
    pub value: Option<String>,
}

impl Names<'_> {
    /// Returns the property, owner and value of a `set` line from the words after `set`.
    ///
    /// # Errors
    /// Returns an error if the property or the owner is unknown, the value does not fit, or a word is left over.
    pub fn setting(&self, mut words: Phrase<'_>) -> Result<(PropertyId, Owner, Value), Diagnostic> {
        let Some(first) = words.first() else {
            return Err(words.missing("the flag, counter or property to set is missing"));
        };
        if !first.quoted && self.schema.is_zone(first.text) {
            let message = format!("`{}` is a zone, which `set` does not change", first.text);
            let of = words.get(1).map_or("", |word| word.text.trim_end_matches(':'));
            let of = self.schema.player(of).map_or("…", |player| self.schema.player_name(player));
            let help = format!("write its cards in the position, without `set`: `{} {of}: CARD …`", first.text);
            return Err(Diagnostic::on(Code::WrongForm, first, message).help(help));
        }
        let after_dot = first.dotted().map(|(player, zone)| (player.text, zone.text));
        if let Some((player, zone)) = after_dot.filter(|(_, zone)| self.schema.is_zone(zone)) {
            let misread =
                Diagnostic::on(Code::WrongForm, first, format!("`{zone}` is a zone, which `set` does not change"));
            return Err(
                misread.help(format!("write its cards in the position, without `set`: `{zone} {player}: CARD …`"))
            );
        }
        if let Some((owner, property)) = self.dotted(&mut words)? {
            words.takes("=");
            if let Some(second) = words.first().filter(|word| word.is("=")) {
                let misread = Diagnostic::on(Code::WrongForm, second, "there is one `=` too many");
                return Err(misread.help("write `set OWNER.NAME = VALUE`"));
            }
            return Ok((property, owner, self.property_value(property, words)?));
        }
        let (owner, property, truth) = self.flag(words).map_err(|misread| {
            let near =
                misread.help.clone().filter(|help| help.starts_with("did you mean") || help.contains(" has it: "));
            let near = near.map(|near| near.replace(" has it: write `", " has it: write `set "));
            let help = self.meant_setting(words.words()).or(near).unwrap_or_else(|| self.setting_help());
            misread.help(help)
        })?;
        Ok((property, owner, Value::Bool(truth)))
    }

    /// Returns the help for `set red score 10`, which lacks a dot, for a flag with a value, and for `set up`.
    fn meant_setting(&self, words: &[Word<'_>]) -> Option<String> {
        if matches!(words, [only] if only.text == "up") {
            return Some("write `setup` to set up the game".to_owned());
        }
        if let Some(Undotted { owner, name, value }) = self.undotted(words) {
            return Some(format!("write `set {owner}.{name} {}`", value.as_deref().unwrap_or("…")));
        }
        let owns = |words: &[Word<'_>]| {
            self.schema.player(words.first()?.text).map(|_| ()).or(self.longest(words).map(|_| ()))
        };
        let first = words.first().filter(|first| !first.quoted && self.schema.property(first.text).is_some());
        if let (Some(flag), Some(rest)) = (first, words.get(1..).filter(|rest| owns(rest).is_some())) {
            let owner = texts(rest);
            return Some(format!("write `set {owner} {}`", flag.text));
        }
        let (last, flagged) = words.split_last()?;
        let flagged =
            flagged.split_last().filter(|(equals, _)| equals.text == "=").map_or(flagged, |(_, flagged)| flagged);
        let (flag, owner) = flagged.split_last().filter(|(flag, _)| self.schema.property(flag.text).is_some())?;
        let owner: String = owner.iter().map(|word| format!("{} ", word.text)).collect();
        let not = if matches!(last.text, "no" | "false" | "off" | "0") { "not " } else { "" };
        Some(format!("write `set {owner}{not}{}`", flag.text))
    }

    /// Returns the parts of words such as `red score 3`, which lack a dot, if they have the name of a counter or property.
    #[must_use]
    pub fn undotted<'w>(&self, words: &[Word<'w>]) -> Option<Undotted<'w>> {
        let valued = |word: &Word<'_>| {
            let property = self.schema.property(word.text);
            let declared = property.and_then(|property| self.schema.properties.get(property.index()));
            !word.quoted && declared.is_some_and(|declared| declared.kind != PropertyKind::Flag)
        };
        let at = words.iter().position(valued)?;
        let text = |words: &[Word<'_>]| {
            let words = words.iter().map(|word| word.text).filter(|word| !matches!(*word, "=" | "is" | "not"));
            Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
        };
        let name = words.get(at)?.text;
        let declared = self.schema.properties.iter().find(|property| property.name == name)?;
        let first = self.owners(&declared.owners).first().map(|owner| self.owner_name(*owner).into_owned());
        let rest = words.get(at + 1..)?;
        // `score ann = 6`, `score of ann = 6`
        let rest = match rest.split_first() {
            Some((of, rest)) if of.is("of") => rest,
            _ => rest,
        };
        let is_owner = |word: &&Word<'_>| self.schema.player(word.text).is_some() || word.text == "game";
        if let (None, Some(owner)) = (text(words.get(..at)?), rest.first().filter(is_owner)) {
            return Some(Undotted { owner: owner.text.to_owned(), name, value: text(rest.get(1..)?) });
        }
        let owner = text(words.get(..at)?).or(first)?;
        Some(Undotted { owner, name, value: text(rest) })
    }

    /// Returns a help text that shows how to set values and flags, with examples from this game.
    fn setting_help(&self) -> String {
        let schema = self.schema;
        let example = |is_flag: bool| {
            let wanted = |kind: &PropertyKind| (*kind == PropertyKind::Flag) == is_flag;
            let property = schema.properties.iter().find(|property| wanted(&property.kind))?;
            let owner = self.owners(&property.owners).first().map(|owner| self.owner_name(*owner))?;
            Some((owner, property.name.as_str()))
        };
        let value = example(false).map(|(owner, name)| format!("`set {owner}.{name} …` for a value"));
        let flag = example(true).map(|(owner, name)| format!("`set {owner} {name}` for a flag"));
        match value.into_iter().chain(flag).collect::<Vec<_>>() {
            none if none.is_empty() => "this game declares no flags, counters or properties".to_owned(),
            forms => format!("write {}", forms.join(", ")),
        }
    }

    /// Takes the owner and the property of words like `red.score` or `block 1.hits`; `None` if the first word has no dot, and
    /// the words up to the first dot do not name a piece.
    ///
    /// # Errors
    /// Returns an error if there is no such property, or its owner does not have it.
    pub fn dotted(&self, words: &mut Phrase<'_>) -> Result<Option<(Owner, PropertyId)>, Diagnostic> {
        let Some((before, left, right)) = self.around_dot(words.words()) else {
            let at = words.words().iter().position(|word| word.dotted().is_some());
            let owner = at.filter(|at| *at > 0).and_then(|at| {
                let left = words.get(at)?.dotted()?.0;
                Some(words.words().get(..at)?.iter().copied().chain([left]).collect::<Vec<_>>())
            });
            let misread = owner.and_then(|owner| self.misnumbered(words.with(&owner)));
            return misread.map_or(Ok(None), Err);
        };
        let name: Vec<&str> = before.iter().map(|word| word.text).chain([left.text]).collect();
        let owner = Word { span: before.first().map_or(left.span, |first| first.span.to(left.span)), ..left };
        words.skip(before.len() + 1);
        self.owned(&name.join(" "), &owner, &right).map(Some)
    }

    /// Returns the words before the first one with a dot, and what is before and after its dot.
    fn around_dot<'w>(&self, words: &'w [Word<'w>]) -> Option<(&'w [Word<'w>], Word<'w>, Word<'w>)> {
        let (at, (left, right)) = words.iter().enumerate().find_map(|(at, word)| Some((at, word.dotted()?)))?;
        let before = words.get(..at)?;
        let name: Vec<&str> = before.iter().map(|word| word.text).chain([left.text]).collect();
        let name = name.join(" ");
        let is_owner = || self.schema.piece(&name).is_some() || self.board.cell(&name).is_some();
        if at > 0 && (before.iter().any(|word| word.quoted) || !is_owner()) {
            return None;
        }
        Some((before, left, right))
    }

    /// Returns the owner called `left` at `place`, and its property.
    pub(super) fn owned(
        &self,
        left: &str,
        place: &Word<'_>,
        property: &Word<'_>,
    ) -> Result<(Owner, PropertyId), Diagnostic> {
        let (schema, word, right) = (self.schema, property, property.text);
        let property = schema.property(right);
        let declared = property.and_then(|property| Some((property, schema.properties.get(property.index())?)));
        let Some((property, declared)) = declared else {
            let all = || schema.properties.iter().map(|property| property.name.as_str());
            let counts = schema.is_zone(left) && ["count", "len", "length", "size", "cards"].contains(&right);
            let near = did_you_mean(right, all()).filter(|_| !counts && !schema.is_zone(right));
            let help = near.unwrap_or_else(|| match one_of(all(), 12) {
                _ if counts => format!("write `expect {left} count 3` for the number of its cards"),
                _ if schema.printed(right).is_some() => {
                    format!("it is printed on cards: write `expect {{ piece(\"{left}\").{right} == … }}`")
                }
                _ if schema.is_zone(right) => {
                    format!("to expect cards in a zone write `expect {right} {left} = CARD …`")
                }
                list if list.is_empty() => "this game declares none".to_owned(),
                list => format!("this game declares {list}"),
            });
            let message = format!("unknown flag, counter or property `{right}`");
            return Err(Diagnostic::on(Code::UnknownProperty, word, message).help(help));
        };
        let owner = self.owner_called(declared, left);
        owner.map(|owner| (owner, property)).ok_or_else(|| {
            let who = each_words(schema, &declared.owners);
            let names: Vec<_> = self.owners(&declared.owners).into_iter().map(|owner| self.owner_name(owner)).collect();
            let names = || names.iter().map(AsRef::as_ref);
            let help = did_you_mean(left, names()).unwrap_or_else(|| match declared.owners.only() {
                Some(PropertyEach::Game) => format!("{who} has it: write `game.{right}`"),
                _ => format!("{who} has it: {}", one_of(names(), 9)),
            });
            Diagnostic::on(Code::UnknownOwner, place, format!("`{left}` has no `{right}`")).help(help)
        })
    }

    /// Returns the owner of a property that is called so in lines: by its name, a player's piece also by the name of the player.
    #[must_use]
    pub fn owner_called(&self, declared: &Property, name: &str) -> Option<Owner> {
        let schema = self.schema;
        let mut found = declared.owners.sorts().iter().filter_map(|each| match *each {
            PropertyEach::Game => (name == "game").then_some(Owner::Game),
            PropertyEach::Player => schema.player(name).map(Owner::Player),
            PropertyEach::Kind(kind) => {
                let of_kind =
                    |piece: &PieceId| schema.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind);
                let of_player = || schema.player(name).and_then(|player| schema.piece_of(kind, player));
                schema.piece(name).filter(of_kind).or_else(of_player).map(Owner::Piece)
            }
            PropertyEach::Place(kind) => {
                let place = self.board.cell(name)?;
                (self.board.place_kind(place) == kind).then_some(Owner::Place(place))
            }
        });
        found.next()
    }

    /// Returns a value for a property from all words that are left.
    ///
    /// # Errors
    /// Returns an error if the words do not name such a value, or one of them is left over.
    pub fn property_value(&self, property: PropertyId, mut words: Phrase<'_>) -> Result<Value, Diagnostic> {
        let Some(declared) = self.schema.properties.get(property.index()) else { return Ok(Value::Nothing) };
        let value = match &declared.kind {
            PropertyKind::Flag if words.takes("true") => Value::Bool(true),
            PropertyKind::Flag if words.takes("false") => Value::Bool(false),
            PropertyKind::Flag => {
                let message = "expected `true` or `false` for a flag";
                let misread = words.wrong(Code::NotAFlagValue, words.next_span(), message);
                return Err(misread.help("write `= true` or `= false`"));
            }
            PropertyKind::Counter { .. } => self.value(&Kind::Number, &mut words)?,
            PropertyKind::Value(kind) if !matches!(kind, Kind::Many(..)) && words.takes("none") => Value::Nothing,
            PropertyKind::Value(kind) => self.value(kind, &mut words)?,
        };
        let Some(extra) = words.extra() else { return Ok(value) };
        let more = words.first().filter(|word| word.text.contains('.')).map(|_| words.texts());
        let on_its_own =
            |more: String| format!("write each value on a line of its own: `set {}`", more.trim_end_matches(','));
        Err(extra.maybe_help(more.map(on_its_own)))
    }

    /// Returns the owner, the flag and whether it is set from all words that are left, like `red squished`, `red not squished`
    /// or `block 1 moved`.
    ///
    /// # Errors
    /// Returns an error if the flag or its owner is unknown.
    pub fn flag(&self, words: Phrase<'_>) -> Result<(Owner, PropertyId, bool), Diagnostic> {
        let schema = self.schema;
        let Some(((last, before), first)) = words.words().split_last().zip(words.first()) else {
            return Err(words.missing("something is missing here"));
        };
        let (subject, truth) = match before.split_last() {
            Some((not, subject)) if not.is("not") => (subject, false),
            _ => (before, true),
        };
        let found =
            schema.property(last.text).and_then(|property| Some((property, schema.properties.get(property.index())?)));
        let Some((property, declared)) = found.filter(|(_, declared)| declared.kind == PropertyKind::Flag) else {
            return Err(self.no_flag(last, first));
        };
        let name = texts(subject);
        let owner = match name.as_str() {
            "" => declared.owners.include(PropertyEach::Game).then_some(Owner::Game),
            name => self.owner_called(declared, name),
        };
        owner.map(|owner| (owner, property, truth)).ok_or_else(|| {
            let names: Vec<_> = self.owners(&declared.owners).into_iter().map(|owner| self.owner_name(owner)).collect();
            let names = names.iter().map(AsRef::as_ref);
            let span = span_of(subject).unwrap_or(first.span);
            let message = match name.as_str() {
                "" => format!("the owner of `{}` is missing", last.text),
                name => format!("`{name}` has no flag `{}`", last.text),
            };
            let help = did_you_mean(&name, names).or_else(|| {
                let owner = self.owners(&declared.owners).first().map(|owner| self.owner_name(*owner))?;
                let not = if truth { "" } else { "not " };
                let who = each_words(schema, &declared.owners);
                Some(format!("{who} has it: write `{owner} {not}{}`", last.text))
            });
            words.wrong(Code::UnknownOwner, span, message).maybe_help(help)
        })
    }

    fn no_flag(&self, last: &Word<'_>, first: &Word<'_>) -> Diagnostic {
        let flags = || {
            let flags = self.schema.properties.iter().filter(|property| property.kind == PropertyKind::Flag);
            flags.map(|property| property.name.as_str())
        };
        let all = || match one_of(flags(), 9) {
            list if list.is_empty() => None,
            list => Some(format!("the flags are {list}")),
        };
        let ends = match (first.text, last.text) {
            ("game", "over") => Some("write `over`".to_owned()),
            (player, "wins") if self.schema.player(player).is_some() => Some(format!("write `winner {player}`")),
            _ => None,
        };
        let misread = Diagnostic::on(Code::UnknownFlag, last, format!("unknown flag `{}`", last.text));
        misread.maybe_help(ends.or_else(|| did_you_mean(last.text, flags())).or_else(all))
    }
}

/// Returns words for all owners of a property.
fn each_words(schema: &Schema, owners: &PropertyOwners) -> String {
    match owners.only() {
        Some(PropertyEach::Game) => "the game".to_owned(),
        _ => format!("each {}", schema.owner_words(owners)),
    }
}
