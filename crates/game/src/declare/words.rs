//! Declares flags, counters and properties, the forms of asks and events, and the clauses of set-ups.

use std::collections::{BTreeMap, BTreeSet};

use super::declaring::{Declaring, MOST};
use crate::boards::Boards;
use referee_diagnostic::{Code, did_you_mean, one_of, strange_character};
use referee_source::Span;
use referee_syntax::ast::{FormPart, LineKind};
use referee_table::{
    Board, BoardSpec, ClauseId, DeclaredKind, Each, Form, Kind, Part, PlaceKind, Property, PropertyEach, PropertyId,
    PropertyKind, PropertyOwners, Resource, SUPPLY, Schema, Several, Sight, Value, opening_words, times,
};

/// The word after a property that all copies of a piece share on purpose.
const SHARED: &str = "shared";

/// What to write at the end of the line of a property, and of a resource.
const OF_PROPERTY: &str = "write `secret` for what its player sees, `hidden` for what nobody sees, or nothing; `shared` after it says that \
                           all copies of a piece have one value";
const OF_RESOURCE: &str = "write `secret` for what its player sees, `hidden` for what nobody sees, or nothing";

/// The number of values so far, and the board that the game begins with, if it can be built.
struct Room<'b> {
    values: usize,
    board: Option<&'b Board>,
}

impl Declaring<'_> {
    /// Returns the owners that a line names; `None` if one of them is unknown.
    fn owners(&mut self, each: &[Span]) -> Option<PropertyOwners> {
        let mut sorts: Vec<PropertyEach> = Vec::new();
        let mut all_known = true;
        for span in each {
            let Some(sort) = self.each(*span) else {
                all_known = false;
                continue;
            };
            if sorts.contains(&sort) {
                let message = format!("`{}` is here twice", self.text(*span));
                self.advise(Code::ListedTwice, *span, message, "write it once");
            } else {
                sorts.push(sort);
            }
        }
        all_known.then(|| PropertyOwners::of(sorts))
    }

    fn each(&mut self, span: Span) -> Option<PropertyEach> {
        let name = self.text(span);
        if name == "player" {
            return Some(PropertyEach::Player);
        }
        if let Some(kind) = self.schema.kind(&name) {
            return Some(PropertyEach::Kind(kind));
        }
        if let Some(kind) = PlaceKind::ALL.into_iter().find(|kind| kind.word() == name) {
            return self.has_places(kind, span).then_some(PropertyEach::Place(kind));
        }
        let places = PlaceKind::ALL.into_iter().filter(|kind| self.schema.may_have(*kind)).map(PlaceKind::word);
        let mut kinds = vec!["player".to_owned()];
        kinds.extend(self.schema.kinds.iter().map(|kind| kind.name.clone()));
        kinds.extend(places.map(str::to_owned));
        let kinds = || kinds.iter().map(String::as_str);
        let help = did_you_mean(&name, kinds()).unwrap_or_else(|| format!("write {}", one_of(kinds(), 9)));
        self.advise(Code::UnknownKind, span, format!("unknown kind of pieces `{name}`"), help);
        None
    }

    /// Returns whether boards of the game have places of a kind; reports it otherwise.
    fn has_places(&mut self, kind: PlaceKind, span: Span) -> bool {
        if self.schema.may_have(kind) {
            return true;
        }
        let word = kind.word();
        let help = match kind {
            PlaceKind::Cell => "declare a board before, `board grid 8x8`",
            PlaceKind::Link => "links are those of a graph: `board graph from \"map.yaml\"`",
            PlaceKind::Side => "declare a board with sides: `board grid 8x8 with sides`",
            PlaceKind::Corner => "declare a board with corners: `board grid 8x8 with corners`",
        };
        let message = match kind {
            PlaceKind::Cell => "this game has no board".to_owned(),
            _ => format!("the board has no {word}s"),
        };
        self.missing(Code::UnknownKind, span, message, help);
        false
    }

    pub(super) fn properties(&mut self, boards: &Boards) {
        let board = boards.get(&self.schema, &self.schema.board).ok();
        let mut room = Room { values: 0, board: board.as_deref() };
        for line in &self.file.lines {
            if let LineKind::Resource { names, each, initial, supply, sight } = &line.kind {
                let numbers = [*initial, *supply].map(|number| number.map(|number| (number.node, number.span)));
                if !self.resources(names, (each, *sight), numbers, (line.span, &mut room)) {
                    return;
                }
                continue;
            }
            let (name, each, kind, initial, in_drawings, sight) = match &line.kind {
                LineKind::Flag { name, each, sight } => {
                    (*name, each, PropertyKind::Flag, Value::Bool(false), None, *sight)
                }
                LineKind::Counter { name, each, initial, record, clock: _, sight } => {
                    let initial = initial.map_or(0, |initial| initial.node);
                    (*name, each, PropertyKind::Counter { record: *record }, Value::Int(initial), None, *sight)
                }
                LineKind::Property { name, each, kind: span, in_drawings, sight } => {
                    let Some(kind) = self.kind(*span) else {
                        self.declares(DeclaredKind::Property, *name, line.span);
                        continue;
                    };
                    let shown = in_drawings.map(|shown| (shown, *span));
                    let initial = kind.initial();
                    (*name, each, PropertyKind::Value(kind), initial, shown, *sight)
                }
                _ => continue,
            };
            if !self.has_room(self.schema.properties.len(), MOST, "flags, counters and properties", line.span) {
                return;
            }
            let text = self.text(name);
            self.declares(DeclaredKind::Property, name, line.span);
            self.name(&text, name);
            if let Some(owners) = self.owners(each) {
                if !self.has_room_for_values(&owners, (line.span, &mut room)) {
                    return;
                }
                let in_drawings =
                    in_drawings.is_some_and(|(shown, value)| self.is_drawn(shown, (&kind, value), &owners));
                let place = self.file.source.of_part(name);
                let (sight, shared) = sight.map_or((None, None), |span| self.sight_and_shared(span));
                let shared = shared.is_some_and(|span| self.is_shared(&owners, (&text, span)));
                let sight = self.sight((sight, OF_PROPERTY), &owners, (&text, in_drawings));
                let resource = false;
                let clock = matches!(line.kind, LineKind::Counter { clock: true, .. });
                let property =
                    Property { name: text, owners, kind, initial, clock, in_drawings, sight, shared, resource, place };
                self.schema.properties.push(property);
            }
        }
    }

    /// Splits the end of a line, `hidden shared`, into the word for who sees the values and the one that says that copies
    /// share them.
    fn sight_and_shared(&self, span: Span) -> (Option<Span>, Option<Span>) {
        let text = self.file.source.slice(span);
        let Some(rest) = text.strip_suffix(SHARED).filter(|rest| rest.is_empty() || rest.ends_with([' ', '\t'])) else {
            return (Some(span), None);
        };
        let sight = rest.trim_end();
        let shared = Span { start: span.end - Span::new(0..SHARED.len()).end, end: span.end };
        ((!sight.is_empty()).then(|| span.of_start(sight)), Some(shared))
    }

    /// Returns whether copies can share a property of these owners; reports it otherwise.
    fn is_shared(&mut self, owners: &PropertyOwners, (name, span): (&str, Span)) -> bool {
        // Cards are read later: whether they have copies is not known yet.
        let has_copies = |kind: referee_table::KindId| {
            let mut pieces = self.schema.pieces_of(kind).filter_map(|piece| self.schema.pieces.get(piece.index()));
            let is_card = self.schema.kinds.get(kind.index()).is_some_and(|kind| kind.each == Each::Card);
            is_card || pieces.any(|piece| piece.many)
        };
        if owners.sorts().iter().any(|each| matches!(each, PropertyEach::Kind(kind) if has_copies(*kind))) {
            return true;
        }
        let message = format!("no copies share `{name}`: each owner is a single one");
        self.advise(Code::WrongProperty, span, message, "remove this word");
        false
    }

    /// Returns who sees a property of these owners. Reports an unknown word, and a secret that nobody would see.
    fn sight(
        &mut self,
        (sight, help): (Option<Span>, &str),
        owners: &PropertyOwners,
        (name, in_drawings): (&str, bool),
    ) -> Sight {
        let Some(span) = sight else { return Sight::Open };
        let before = self.wrong.len();
        let sight = self.sight_word(span, &format!("`{name}`"), help);
        if self.wrong.len() > before {
            return sight;
        }
        let has_player = |each: &PropertyEach| match *each {
            PropertyEach::Game | PropertyEach::Place(_) => false,
            PropertyEach::Player => true,
            PropertyEach::Kind(kind) => self
                .schema
                .kinds
                .get(kind.index())
                .is_some_and(|kind| matches!(kind.each, Each::Player | Each::PlayerNumber(..))),
        };
        // What some owners have, nobody sees: a cell belongs to no player.
        if sight == Sight::Secret && !owners.sorts().iter().any(has_player) {
            let message = format!("a secret needs a player who sees it, and no player has `{name}`");
            self.advise(
                Code::WrongProperty,
                span,
                message,
                "write `hidden` for what nobody sees, or `for each player`",
            );
        } else if sight != Sight::Open && in_drawings {
            let message = "what diagrams show cannot be secret";
            self.advise(Code::WrongProperty, span, message, "remove `in drawings`, or this word");
        }
        sight
    }

    /// Returns who sees something by the word for it. Reports an unknown word.
    pub(super) fn sight_word(&mut self, span: Span, what: &str, help: &str) -> Sight {
        let text = self.text(span);
        let words = [Sight::Open, Sight::Secret, Sight::Hidden];
        words.into_iter().find(|sight| sight.word() == text).unwrap_or_else(|| {
            let near = did_you_mean(&text, words.into_iter().map(Sight::word));
            let help = near.unwrap_or_else(|| help.to_owned());
            self.advise(Code::UnknownWord, span, format!("`{text}` does not say who sees {what}"), help);
            Sight::Hidden
        })
    }

    /// Returns who sees the answers to an ask. Reports a secret from the player who answers.
    fn sight_of_answers(&mut self, sight: Option<Span>) -> Sight {
        let Some(span) = sight else { return Sight::Open };
        if self.text(span) == Sight::Hidden.word() {
            let message = "an answer cannot be hidden from the player who gives it";
            let help = "write `secret`: only this player sees it; a word of the answer goes before its last value";
            self.advise(Code::UnknownWord, span, message, help);
        }
        Sight::Secret
    }

    /// Counts the values of a property of these owners. Returns whether there is room for them; reports it otherwise.
    fn has_room_for_values(&mut self, owners: &PropertyOwners, (line, room): (Span, &mut Room<'_>)) -> bool {
        room.values += room.board.map_or(1, |board| self.schema.values_of(owners, board.size()));
        let Some(message) = Schema::too_many_values(room.values) else { return true };
        self.advise(Code::TooMany, line, message, "remove some, or let fewer pieces or places have them");
        false
    }

    /// Declares the resources of a line: of each a counter of its owners, and one of the supply if that has a limit. Returns
    /// whether there was room for them.
    fn resources(
        &mut self,
        names: &[Span],
        (each, sight): (&[Span], Option<Span>),
        [initial, supply]: [Option<(i64, Span)>; 2],
        (line, room): (Span, &mut Room<'_>),
    ) -> bool {
        let Some(owners) = self.owners(each) else { return true };
        for (number, span) in [initial, supply].into_iter().flatten().filter(|(number, _)| *number < 0) {
            let message = format!("nobody can have {number} of a resource");
            self.advise(Code::WrongProperty, span, message, "write a number from 0");
        }
        let sight = names
            .first()
            .map(|name| self.text(*name))
            .map(|name| self.sight((sight, OF_RESOURCE), &owners, (&name, false)));
        let sight = sight.unwrap_or_default();
        for name in names {
            if !self.has_room(self.schema.properties.len() + 1, MOST, "flags, counters and properties", line)
                || !self.has_room_for_values(&owners, (line, room))
            {
                return false;
            }
            let text = self.text(*name);
            self.declares(DeclaredKind::Property, *name, line);
            self.name(&text, *name);
            let place = self.file.source.of_part(*name);
            let counter = |name: String, owners, number: i64, sight| Property {
                name,
                owners,
                kind: PropertyKind::Counter { record: false },
                initial: Value::Int(number.max(0)),
                clock: false,
                in_drawings: false,
                sight,
                shared: false,
                resource: true,
                place: place.clone(),
            };
            let held = PropertyId::at(self.schema.properties.len());
            self.schema.properties.push(counter(
                text.clone(),
                owners.clone(),
                initial.map_or(0, |(number, _)| number),
                sight,
            ));
            let supply = supply.map(|(number, _)| {
                let id = PropertyId::at(self.schema.properties.len());
                self.schema.properties.push(counter(
                    format!("{text}{SUPPLY}"),
                    PropertyEach::Game.into(),
                    number,
                    Sight::Open,
                ));
                id
            });
            if supply.is_some() {
                room.values += 1;
                self.name(&format!("{text}{SUPPLY}"), *name);
            }
            self.schema.resources.push(Resource { name: text, held, supply });
        }
        true
    }

    /// Returns whether a property declared `in drawings` can be written before pieces; reports why not.
    fn is_drawn(&mut self, shown: Span, (kind, value): (&PropertyKind, Span), owners: &PropertyOwners) -> bool {
        const FORM: &str = "write for example `property controller for each fighter PLAYER in drawings`";
        let Some(each @ PropertyEach::Kind(of)) = owners.only() else {
            let message = "diagrams can show only properties of a kind of pieces";
            self.advise(Code::WrongProperty, shown, message, FORM);
            return false;
        };
        if *kind != PropertyKind::Value(Kind::Player) {
            let message = format!("expected PLAYER for a property `in drawings`, found {}", self.text(value));
            self.advise(Code::WrongProperty, value, message, FORM);
            return false;
        }
        if self.schema.has_stacks() {
            let message = "a game in which pieces stack cannot show a property before its pieces";
            self.advise(Code::WrongProperty, shown, message, "remove `in drawings`; lines show the property");
            return false;
        }
        let other = self.schema.properties.iter().find(|property| property.in_drawings && property.owners.is(each));
        if let Some(other) = other {
            let of = self.schema.kind_name(of);
            let message = format!("diagrams already show the {} of each {of}", other.name);
            self.advise(Code::WrongProperty, shown, message, "remove `in drawings` from one of the two properties");
            return false;
        }
        true
    }

    fn kind(&mut self, span: Span) -> Option<Kind> {
        let name = self.text(span);
        let (several, one) =
            Kind::several_in(&name).map_or((None, name.as_str()), |(several, one)| (Some(several), one));
        if one.contains('|') {
            self.word_twice(one, span);
            if one.split('|').any(|word| word == "none") {
                let (message, help) = match several {
                    None => (
                        "`none` is no word of a property: it means that there is no value",
                        "leave it out: a property that has no value is `none`",
                    ),
                    Some(_) => ("`none` is no word here: it means that there is no value", "choose another word"),
                };
                self.advise(Code::ReservedWord, span, message, help);
            }
            let kind = Kind::Word(one.split('|').map(str::to_owned).collect());
            return Some(several.map_or(kind.clone(), |several| Kind::Many(several, Box::new(kind))));
        }
        let kind = Kind::named(&name);
        if let (Some(several), None) = (several, &kind) {
            self.unknown_several(several, one, span);
            return None;
        }
        if self.schema.board == BoardSpec::None && kind.as_ref().is_some_and(Kind::names_cells) {
            let message = format!("`{name}` needs a board, and this game has none");
            let help = "declare one such as `board grid 8x8`, or choose another kind";
            self.missing(Code::NoBoard, span, message, help);
        }
        if kind.is_none() {
            let names: Vec<String> = Kind::all_names().collect();
            let names = || names.iter().map(String::as_str);
            let several = Several::ALL.into_iter().find(|several| several.word() == name);
            let several = several.map(|_| format!("name the kind of its values: `{name} of NUMBER`"));
            let help = several
                .or_else(|| did_you_mean(&name, names()))
                .unwrap_or_else(|| format!("the kinds are {}", one_of(names(), 12)));
            self.advise(Code::UnknownKind, span, format!("unknown kind of values `{name}`"), help);
        }
        kind
    }

    /// Reports the kind after `LIST of`, of which there cannot be several.
    fn unknown_several(&mut self, several: Several, one: &str, span: Span) {
        let word = several.word();
        let (message, help) = match Kind::named(one) {
            Some(Kind::Many(_, single)) => {
                let message = format!("`{one}` is already several values");
                (message, format!("write `{word} of {}`", single.name()))
            }
            Some(kind) => (format!("there cannot be several values of the kind `{}`", kind.name()), {
                format!("write `{}`: it is how many there are of each", kind.name())
            }),
            None => {
                let names: Vec<String> = Kind::names_of_one().collect();
                let names = || names.iter().map(String::as_str);
                let help =
                    did_you_mean(one, names()).unwrap_or_else(|| format!("the kinds are {}", one_of(names(), 12)));
                (format!("unknown kind of values `{one}`"), help)
            }
        };
        self.advise(Code::UnknownKind, span, message, help);
    }

    /// Returns the clause of the rulebook that a word names, unless it is one of those before.
    pub(super) fn clause(&mut self, span: Span, before: &[ClauseId]) -> Option<ClauseId> {
        let text = self.text(span);
        let found = self.schema.clause(&text);
        let has_rulebook = self.file.lines.iter().any(|line| matches!(line.kind, LineKind::Rulebook(_)));
        if found.is_none() && !has_rulebook {
            let help = "name the file of the rulebook, in which the clause stands: `rulebook \"RULES.md\"`";
            self.advise(Code::UnknownClause, span, format!("unknown clause `{text}`"), help);
        } else if found.is_none() {
            let all = || self.schema.clauses.iter().map(|clause| clause.id.as_str());
            let help = did_you_mean(&text, all()).unwrap_or_else(|| match one_of(all(), 30) {
                list if list.is_empty() => {
                    "the rulebook has no clauses: begin a paragraph with an id such as `[B4]` to add one".to_owned()
                }
                list => format!("the clauses are {list}"),
            });
            self.advise(Code::UnknownClause, span, format!("unknown clause `{text}`"), help);
        }
        if found.is_some_and(|clause| before.contains(&clause)) {
            self.advise(Code::DuplicateLine, span, format!("the clause `{text}` is here twice"), "remove it here");
            return None;
        }
        found
    }

    pub(super) fn forms(&mut self) {
        let mut events: Vec<Span> = Vec::new();
        for line in &self.file.lines {
            let (form, sight, title, is_ask) = match &line.kind {
                LineKind::Ask { form, sight, title } => (form, *sight, *title, true),
                LineKind::Event { form, title } => (form, None, *title, false),
                _ => continue,
            };
            if let Some(span) = self.verb(form) {
                let kind = if is_ask { DeclaredKind::Ask } else { DeclaredKind::Event };
                self.declares(kind, span, line.span).title = title;
            }
            let (count, what) =
                if is_ask { (self.schema.asks.len(), "asks") } else { (self.schema.events.len(), "events") };
            if !self.has_room(count, MOST, what, line.span) {
                return;
            }
            if title.is_none() {
                self.title_without_quotes(form);
            }
            let parts = self.parts(form);
            self.taken_parts(form);
            let verb = opening_words(&parts).first().map(|word| (*word).to_owned());
            let Some(verb) = verb else {
                self.advise(
                    Code::MissingValue,
                    line.span,
                    "this form needs a word",
                    "write for example `ask walk [to] CELL`",
                );
                continue;
            };
            let title = title.map(|span| self.file.source.word(span).text.to_owned()).unwrap_or_default();
            let twice = is_ask && self.schema.ask(&verb).is_some();
            if twice {
                let message = format!("there are two asks `{verb}`");
                self.advise(Code::DuplicateName, line.span, message, "begin each ask with a different word");
            }
            let place = self.file.source.of_part(line.span);
            let sight = self.sight_of_answers(sight);
            let form = Form { verb, parts, title, sight, place };
            if is_ask {
                self.schema.asks.push(form);
            } else {
                self.schema.events.push(form);
                events.push(line.span);
            }
        }
        self.name_events(&events);
    }

    /// Returns the first literal word of a form.
    fn verb(&self, form: &[FormPart]) -> Option<Span> {
        form.iter().find_map(|part| match part {
            FormPart::Word(span) if !self.text(*span).contains('|') => Some(*span),
            FormPart::Word(_) | FormPart::Kind(_) | FormPart::Optional(..) => None,
        })
    }

    /// Names events that begin with the same word by the first words that distinguish them: `is out`, `is safe`.
    fn name_events(&mut self, lines: &[Span]) {
        let mut shared: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, form) in self.schema.events.iter().enumerate() {
            shared.entry(form.verb.clone()).or_default().push(at);
        }
        for (verb, alike) in shared.into_iter().filter(|(_, alike)| alike.len() > 1) {
            let events = &self.schema.events;
            let openings: Vec<Vec<String>> = alike
                .iter()
                .filter_map(|at| events.get(*at))
                .map(|form| opening_words(&form.parts).into_iter().map(str::to_owned).collect())
                .collect();
            let mut named: BTreeSet<String> = BTreeSet::new();
            for (place, (at, words)) in alike.iter().zip(&openings).enumerate() {
                let others =
                    || openings.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, words)| words);
                let differs = |count: &usize| !others().any(|other| other.get(..*count) == words.get(..*count));
                let count = (1..=words.len()).find(differs).unwrap_or(words.len());
                let name = words.get(..count).unwrap_or_default().join(" ");
                let twice = !named.insert(name.clone());
                if let Some(form) = self.schema.events.get_mut(*at) {
                    form.verb = name;
                }
                if let Some(line) = lines.get(*at).filter(|_| twice) {
                    let message = format!("there are two events `{}`", words.join(" "));
                    let help = format!(
                        "write a different word after each `{verb}`: `PLAYER {verb} out`, `PLAYER {verb} safe`"
                    );
                    self.advise(Code::DuplicateName, *line, message, help);
                }
            }
        }
    }

    /// Reports a word such as `Move` that may be meant as the kind `MOVE`.
    fn kind_in_small_letters(&mut self, text: &str, span: Span) {
        let kind = text.to_uppercase();
        if text.contains("..") {
            let message = format!("`{text}` is a literal word here, not a range of numbers");
            return self.advise(
                Code::UnknownKind,
                span,
                message,
                "for a number write `NUMBER`; the rules list which ones",
            );
        }
        let names: Vec<String> = Kind::all_names().collect();
        if let Some(help) = strange_character(text).and_then(|_| did_you_mean(text, names.iter().map(String::as_str))) {
            let message = format!("`{text}` is a literal word here, not a kind");
            return self.advise(Code::UnknownKind, span, message, help);
        }
        // A form may have the word and the kind: `pick [player] PLAYER`.
        let line = self.file.source.slice(self.file.source.line_span(self.file.source.line(span.start)));
        let has_kind = line.split(|letter: char| !letter.is_ascii_alphabetic()).any(|word| word == kind);
        let is_plain = ["number", "numbers", "player", "players"].contains(&text) && !has_kind;
        if is_plain || text.starts_with(|letter: char| letter.is_ascii_uppercase()) && Kind::named(&kind).is_some() {
            let message = format!("`{text}` is a literal word here, not a kind");
            self.advise(Code::UnknownKind, span, message, format!("for a value of this kind write `{kind}`"));
        }
    }

    /// Reports a word that is twice among words to choose from: `free|tiring|free`.
    fn word_twice(&mut self, text: &str, span: Span) {
        let words: Vec<&str> = text.split('|').collect();
        if words.len() > 1 && words.iter().any(|word| word.is_empty()) {
            let help = "write the words without spaces between them";
            self.advise(Code::MissingValue, span, "a word is missing beside `|`", help);
            return;
        }
        let twice = words.iter().enumerate().find(|(at, word)| words.iter().take(*at).any(|other| other == *word));
        if let Some((_, word)) = twice.filter(|(_, word)| !word.is_empty()) {
            self.advise(Code::DuplicateName, span, format!("`{word}` stands twice"), "write each word once");
        } else if let Some(kind) = words.iter().find(|word| words.len() > 1 && Kind::named(word).is_some()) {
            let message = format!("`{kind}` is a kind of values, and only words can stand beside `|`");
            let help = format!("write `{kind}` alone, or a word in small letters");
            self.advise(Code::UnknownKind, span, message, help);
        }
    }

    /// Reports words at the end of a form that are meant as its title: a capitalised one, and others after it.
    fn title_without_quotes(&mut self, form: &[FormPart]) {
        let is_word = |part: &FormPart| matches!(part, FormPart::Word(_));
        let end = form.iter().rposition(|part| !is_word(part)).map_or(0, |at| at + 1);
        let words: Vec<Span> = form
            .iter()
            .skip(end)
            .filter_map(|part| match part {
                FormPart::Word(span) => Some(*span),
                _ => None,
            })
            .collect();
        let capitalised = |span: &Span| {
            let text = self.text(*span);
            let mut letters = text.chars();
            letters.next().is_some_and(char::is_uppercase)
                && letters.next().is_some_and(char::is_lowercase)
                && Kind::named(&text.to_uppercase()).is_none()
        };
        let Some(first) = words.iter().position(capitalised) else { return };
        let Some([from, .., to]) = words.get(first..) else { return };
        let span = from.to(*to);
        let title = self.file.source.slice(span).to_owned();
        let message = format!("`{}` are literal words here, not a title", title);
        self.advise(Code::WrongForm, span, message, format!("write a title in quotes: `\"{title}\"`"));
    }

    /// Reports a value for which the plural before it leaves nothing: no word stands between them.
    fn taken_parts(&mut self, form: &[FormPart]) {
        let mut flat: Vec<(Span, Option<usize>)> = Vec::new();
        for (at, part) in form.iter().enumerate() {
            match part {
                FormPart::Optional(inner, _) => flat.extend(inner.iter().map(|part| (part.span(), Some(at)))),
                part => flat.push((part.span(), None)),
            }
        }
        let kind = |span: Span| Kind::named(self.file.source.slice(span));
        let mut wrong = None;
        for (at, (span, own)) in flat.iter().enumerate() {
            let Some(Kind::Many(_, one)) = kind(*span) else { continue };
            let mut absent = None;
            for (next, group) in flat.iter().skip(at + 1) {
                if group.is_some() && absent == Some(*group) {
                    continue;
                }
                match kind(*next) {
                    Some(found) if one.may_be_read_as(&found) => {
                        wrong = wrong.or(Some((*span, *next)));
                        break;
                    }
                    None if is_value(&one, self.file.source.slice(*next)) => {
                        wrong = wrong.or(Some((*span, *next)));
                        break;
                    }
                    _ if group.is_some() && group != own => absent = Some(*group),
                    _ => break,
                }
            }
        }
        if let Some((plural, next)) = wrong {
            let is_word = kind(next).is_none();
            let (plural, kind) = (self.text(plural), self.text(next));
            let message = match is_word {
                false => format!("`{plural}` takes every value that follows, and leaves none for this `{kind}`"),
                true => format!("`{kind}` would be read as a part of `{plural}`"),
            };
            self.advise(Code::WrongForm, next, message, format!("write a word between them, such as `and {kind}`"));
        }
    }

    fn parts(&mut self, form: &[FormPart]) -> Vec<Part> {
        let mut parts = Vec::new();
        for part in form {
            match part {
                FormPart::Word(span) => {
                    let text = self.text(*span);
                    if text.contains('|') {
                        self.word_twice(&text, *span);
                        parts.push(Part::Value(Kind::Word(text.split('|').map(str::to_owned).collect())));
                    } else {
                        self.kind_in_small_letters(&text, *span);
                        parts.push(Part::Word(text));
                    }
                }
                FormPart::Kind(span) => parts.extend(self.kind(*span).map(Part::Value)),
                FormPart::Optional(inner, span) => {
                    if matches!(inner.as_slice(), [FormPart::Optional(..)]) {
                        self.advise(Code::WrongForm, *span, "brackets in brackets", "write one pair: `[to]`");
                    }
                    parts.push(Part::Optional(self.parts(inner)));
                }
            }
        }
        parts
    }
}

/// Returns whether a word, or one of several such as `wall|rock`, is read as a value after others of a kind, or as the number of
/// the copies of one: `x2`.
fn is_value(kind: &Kind, text: &str) -> bool {
    text.split('|')
        .any(|word| times(word).is_some() || matches!(kind, Kind::Word(words) if words.iter().any(|one| one == word)))
}
