//! The completions at a location.

use std::path::Path;
use std::sync::Arc;

use super::names::{NameKind, Names};
use super::project::{self, Opened, Project};
use referee_game::game_board_spec;
use referee_rules::{Offered, OfferedKind, Place, Role, reference};
use referee_scenario::AnswerLine;
use referee_source::{Host, Source, Span, quoted};
use referee_syntax::ast::{FormPart, LineKind};
use referee_syntax::{FileKind, forms};
use referee_table::{Board, Kind, PlaceKind, Schema, Several, times, written_name};

/// The most numbers of pieces that are offered.
const MAX_NUMBERS: usize = 100;

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A word of the language.
    Keyword,
    /// A name.
    Name(NameKind),
    /// A whole line that answers the question of the rules.
    Answer,
    /// A function of the API.
    Native,
}

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text that is shown and inserted.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// A short note; may be empty.
    pub detail: String,
    /// The part of the file that it replaces.
    pub span: Span,
}

/// The most answers that are offered.
const MAX_ANSWERS: usize = 200;

/// The names that can follow most words of a scenario.
const ANYWHERE: [NameKind; 7] = [
    NameKind::Player,
    NameKind::Piece,
    NameKind::Card,
    NameKind::Zone,
    NameKind::Die,
    NameKind::Property,
    NameKind::Ask,
];

/// Returns the completions at a byte.
pub fn complete(project: &mut Project<'_>, path: &Path, at: u32) -> Vec<Completion> {
    project.refresh();
    let Some(opened) = project.open(path) else { return Vec::new() };
    let source = &opened.source;
    let number = source.line(at);
    let line = Span { end: at, ..source.line_span(number) };
    let line = Span { start: line.start.min(at), ..line };
    let written = source.slice(line).to_owned();
    let spot = Spot { opened: &opened, written: &written, at };
    match opened.role {
        project::Role::Script => spot.in_script(),
        project::Role::Data => Vec::new(),
        project::Role::Game => spot.in_game(FileKind::Game),
        project::Role::House => spot.in_game(FileKind::House),
        project::Role::Scenario | project::Role::Markdown => {
            let mut found = spot.in_scenario(project);
            let text = written.trim_start();
            // An answer is a whole line; it replaces its written part.
            if !spot.follows_keyword() && !spot.is_expression() {
                let span = Span { start: at - Span::new(0..text.len()).end, end: at };
                let lines = answers(project, path, number, MAX_ANSWERS).into_iter();
                let fits: Vec<AnswerLine> = lines.filter(|answer| answer.text.starts_with(text)).collect();
                // Nothing else can follow the verb of an answer that the rules ask for, unless they take any values.
                if spot.words().len() > 1 && !fits.is_empty() && !fits.iter().any(|answer| answer.is_form) {
                    found.clear();
                }
                let fits = fits.into_iter();
                let detail = "answers the rules".to_owned();
                let kind = CompletionKind::Answer;
                found.splice(
                    0..0,
                    fits.map(|answer| Completion { label: answer.text, kind, detail: detail.clone(), span }),
                );
            }
            found
        }
    }
}

/// The place where something is to be written.
struct Spot<'s> {
    opened: &'s Opened,
    /// The line up to there.
    written: &'s str,
    at: u32,
}

impl Spot<'_> {
    /// Returns the words before the one that is being written.
    fn words(&self) -> Vec<&str> {
        let ends = self.written.ends_with([' ', '\t', ',', '=', '"', '{', '(', '.']);
        let mut words: Vec<&str> = self.written.split_whitespace().collect();
        if !ends && !words.is_empty() {
            words.pop();
        }
        words
    }

    /// Returns the part of a word that is written already.
    fn begun(&self) -> Span {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let length = self.written.len() - self.written.trim_end_matches(is_part).len();
        Span { start: self.at - Span::new(0..length).end, end: self.at }
    }

    fn names(&self) -> Option<&Names> {
        self.opened.game_at(self.at).map(|known| &known.names)
    }

    /// Returns whether the line begins with a word of the language and a space.
    fn follows_keyword(&self) -> bool {
        let text = self.written.trim_start();
        let first = text.split([' ', '\t']).next().unwrap_or_default();
        let is_answer = matches!(first, "roll" | "draw" | "turn");
        text.len() > first.len() && referee_syntax::is_keyword(first) && !is_answer
    }

    fn keywords(&self, kind: FileKind, after_expect: bool) -> Vec<Completion> {
        let span = self.begun();
        let all = forms(kind, after_expect);
        all.map(|(word, form)| Completion {
            label: word.to_owned(),
            kind: CompletionKind::Keyword,
            detail: form.to_owned(),
            span,
        })
        .collect()
    }

    /// Returns the names of these kinds, in the order of the kinds.
    fn of_kinds(&self, kinds: &[NameKind]) -> Vec<Completion> {
        let span = self.begun();
        let Some(names) = self.names() else { return Vec::new() };
        let mut found: Vec<Completion> = Vec::new();
        for kind in kinds {
            for definition in names.of_kind(*kind) {
                let declared = definition.source.slice(definition.whole).lines().next().unwrap_or_default().trim();
                let detail = match kind {
                    NameKind::Clause => definition.about.lines().next().unwrap_or_default().to_owned(),
                    _ => declared.to_owned(),
                };
                let label = match kind {
                    NameKind::Card => self.card(&definition.key.name, span),
                    _ => definition.key.name.clone(),
                };
                if !found.iter().any(|other| other.label == label) {
                    found.push(Completion { label, kind: CompletionKind::Name(*kind), detail, span });
                }
            }
        }
        found
    }

    /// Returns the name of a card as it is written here: in quotes if it needs them, unless they are open already.
    fn card(&self, name: &str, begun: Span) -> String {
        let before = self.written.len().checked_sub((begun.end - begun.start) as usize);
        match before.and_then(|before| self.written.get(..before)).is_some_and(|before| before.ends_with('"')) {
            true => {
                let quoted = quoted(name);
                quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
            }
            false => written_name(name),
        }
    }

    /// Returns the values of an option.
    fn values(&self, option: &str) -> Vec<Completion> {
        let found = self.of_kinds(&[NameKind::Value]);
        let Some(names) = self.names() else { return Vec::new() };
        let of = |label: &str| {
            names.called(label).any(|definition| definition.key.kind == NameKind::Value && definition.key.of == option)
        };
        found.into_iter().filter(|completion| of(&completion.label)).collect()
    }

    /// Returns plain words as completions.
    fn plain(&self, words: impl Iterator<Item = String>, kind: NameKind) -> Vec<Completion> {
        let span = self.begun();
        let kind = CompletionKind::Name(kind);
        words.map(|label| Completion { label, kind, detail: String::new(), span }).collect()
    }

    fn in_scenario(&self, project: &Project<'_>) -> Vec<Completion> {
        if self.written.trim_start().starts_with('>') {
            return self.of_kinds(&[NameKind::Event, NameKind::Player, NameKind::Piece, NameKind::Card]);
        }
        if self.is_expression() {
            return self.in_expression();
        }
        let words = self.words();
        if let Some(numbers) = self.numbers(&words) {
            return self.plain(numbers.map(|number| number.to_string()), NameKind::Piece);
        }
        if let Some(found) = self.within_line(&words) {
            return found;
        }
        match words.as_slice() {
            [] => {
                let mut found = self.of_kinds(&[NameKind::Player]);
                found.extend(self.keywords(FileKind::Scenario, false));
                found
            }
            ["use"] => self.plain(project.game_ids(&self.opened.path).into_iter(), NameKind::Game),
            ["use", _] => self.of_kinds(&[NameKind::Variant]),
            ["covers", ..] => self.of_kinds(&[NameKind::Clause]),
            ["with", "house", ..] => self.of_kinds(&[NameKind::House]),
            ["with"] => self.of_kinds(&[NameKind::Option]),
            ["with", option, ..] => self.values(option),
            ["from", ..] => {
                let mut found = self.positions();
                found.extend(self.words_of_line(&["setup"]));
                found
            }
            ["roll"] => self.of_kinds(&[NameKind::Die]),
            ["roll", die] => self.values(die),
            ["turn"] | ["agree"] => self.of_kinds(&[NameKind::Player]),
            ["expect"] => {
                let mut found = self.keywords(FileKind::Scenario, true);
                found.extend(self.of_kinds(&ANYWHERE));
                found
            }
            ["expect", "turn" | "winner" | "winners", ..] => self.of_kinds(&[NameKind::Player]),
            ["expect", "asks"] => {
                let mut found = self.of_kinds(&[NameKind::Player]);
                found.extend(self.plain(["roll", "draw"].into_iter().map(str::to_owned), NameKind::Ask));
                found
            }
            ["expect", "asks", ..] => self.of_kinds(&[NameKind::Ask, NameKind::Die]),
            _ => {
                let mut found = self.of_kinds(&ANYWHERE);
                found.extend(self.of_kinds(&[NameKind::Value]));
                found
            }
        }
    }

    /// Returns the completions within a line whose first words allow only some words; `None` for other lines.
    fn within_line(&self, words: &[&str]) -> Option<Vec<Completion>> {
        const TURNS: [&str; 9] = ["order", "next order", "had", "extra", "skip", "after", "round", "number", "last"];
        const HELD: [&str; 3] = ["=", "count", "empty"];
        let begun = self.begun();
        let before = self.written.get(..self.written.len() - (begun.end - begun.start) as usize).unwrap_or_default();
        if before.ends_with('.') && !before.ends_with("..") {
            return Some(self.of_kinds(&[NameKind::Property]));
        }
        let is =
            |word: &str, kind: NameKind| self.names().is_some_and(|names| names.first(word, &[kind], "").is_some());
        Some(match words {
            // A text of the author's own.
            ["scenario" | "branch" | "position" | "cites", ..] => Vec::new(),
            [.., "because"] => Vec::new(),
            [.., "because", quote] if quote.starts_with('"') => Vec::new(),
            ["at"] => self.words_of_line(&["best", "worst"]),
            ["always"] => self.words_of_line(&["each event", "at the end of a turn", "at the end of a round"]),
            ["set", "turns"] => self.words_of_line(&TURNS),
            ["set", "turns", "round" | "number"] => Vec::new(),
            ["set", "turns", ..] => self.of_kinds(&[NameKind::Player]),
            ["expect", "last"] => self.words_of_line(&["turn"]),
            ["expect", "last", "turn", ..] => self.of_kinds(&[NameKind::Player]),
            [_, .., "at"] => self.cells(),
            ["set" | "expect", owner @ .., "has"] if !owner.is_empty() => self.resources(&[]),
            ["set" | "expect", _, "has", amount @ ..] => self.resources(amount),
            ["expect", "choices", rest @ ..] => self.of_choices(rest),
            ["expect", zone] if is(zone, NameKind::Zone) => {
                let mut found = self.words_of_line(&HELD);
                found.extend(self.of_kinds(&[NameKind::Player]));
                found
            }
            ["expect", zone, "of"] if is(zone, NameKind::Zone) => self.of_kinds(&[NameKind::Player]),
            ["expect", zone, rest @ ..] if is(zone, NameKind::Zone) => match rest {
                [.., "count" | "empty"] => Vec::new(),
                rest if rest.contains(&"=") => self.of_kinds(&[NameKind::Card]),
                _ => self.words_of_line(&HELD),
            },
            [player, verb, values @ ..] | ["refuse" | "when", player, verb, values @ ..]
                if is(player, NameKind::Player) && is(verb, NameKind::Ask) =>
            {
                self.form(verb, values)
            }
            [player] if is(player, NameKind::Player) => {
                let mut found = self.of_kinds(&[NameKind::Ask]);
                found.extend(self.words_of_line(&["resigns"]));
                found
            }
            ["refuse" | "when", player] if is(player, NameKind::Player) => self.of_kinds(&[NameKind::Ask]),
            _ => return None,
        })
    }

    /// Returns the completions after `expect choices` and these words: the player, the verb, the comparison, options.
    fn of_choices(&self, words: &[&str]) -> Vec<Completion> {
        const COMPARED: [&str; 4] = ["=", "includes", "excludes", "count"];
        let is =
            |word: &str, kind: NameKind| self.names().is_some_and(|names| names.first(word, &[kind], "").is_some());
        let player = words.first().filter(|word| is(word, NameKind::Player) && !is(word, NameKind::Ask));
        let rest = words.get(usize::from(player.is_some())..).unwrap_or_default();
        let verb = rest.first().filter(|word| is(word, NameKind::Ask));
        if rest.len() == usize::from(verb.is_some()) {
            let mut found = self.words_of_line(&COMPARED);
            found.extend(self.of_kinds(match (player, verb) {
                (_, Some(_)) => &[],
                (Some(_), None) => &[NameKind::Ask],
                (None, None) => &[NameKind::Player, NameKind::Ask],
            }));
            return found;
        }
        if rest.contains(&"count") {
            return Vec::new();
        }
        let sign = |word: &&str| COMPARED.contains(word) || word.ends_with(',');
        let option = rest.iter().rposition(sign).map_or(0, |at| at + 1);
        match (verb, rest.get(option..).unwrap_or_default()) {
            (Some(verb), option) => self.form(verb, option),
            (None, []) => self.of_kinds(&[NameKind::Ask]),
            (None, [verb, values @ ..]) => self.form(verb, values),
        }
    }

    /// Returns words of the language that can follow within a line.
    fn words_of_line(&self, words: &[&str]) -> Vec<Completion> {
        let span = self.begun();
        let word = |word: &&str| Completion {
            label: (*word).to_owned(),
            kind: CompletionKind::Keyword,
            detail: String::new(),
            span,
        };
        words.iter().map(word).collect()
    }

    /// Returns the numbers of the pieces whose kind is the last word: `white man `, `place block `.
    fn numbers(&self, words: &[&str]) -> Option<impl Iterator<Item = i64>> {
        let kind = words.last().filter(|_| words.len() > 1)?;
        let declared = &self.opened.game_at(self.at)?.files.declared;
        let (low, high) = declared.lines.iter().find_map(|line| match &line.kind {
            LineKind::Piece(piece) => {
                let is_it = piece.name.first().is_some_and(|name| declared.source.slice(*name) == *kind);
                piece.numbers.filter(|_| is_it).map(|numbers| numbers.node)
            }
            _ => None,
        })?;
        Some((low..=high).take(MAX_NUMBERS))
    }

    /// Returns the resources of the game that are not among the words of an amount, and `none` where it begins.
    fn resources(&self, written: &[&str]) -> Vec<Completion> {
        let Some(known) = self.opened.game_at(self.at) else { return Vec::new() };
        let schema = &known.files.schema;
        let is_part = |word: &&&str| schema.resource(word).is_some() || times(word).is_some();
        let begun: Vec<&str> = written.iter().rev().take_while(is_part).copied().collect();
        let all = schema.resources.iter().map(|resource| resource.name.as_str());
        let left: Vec<&str> = all.filter(|name| !begun.contains(name)).collect();
        let none: &[&str] = if begun.is_empty() && !left.is_empty() { &["none"] } else { &[] };
        self.words_of_line(&[&left, none].concat())
    }

    /// Returns the cells of the game's board.
    fn cells(&self) -> Vec<Completion> {
        let known = self.opened.game_at(self.at);
        let board = known.and_then(|known| {
            let (declared, schema) = (&known.files.declared, &known.files.schema);
            let shape = declared.lines.iter().find_map(|line| match &line.kind {
                LineKind::Board { shape, .. } => shape.as_ref(),
                _ => None,
            })?;
            let plain = Schema { second: schema.second, ..Schema::empty() };
            plain.build_board(game_board_spec(&declared.source, shape, &schema.graphs).ok()?).ok()
        });
        let named = |board: &Board| {
            let places = board.cells().chain(board.seconds()).map(|place| board.written(place).into_owned());
            places.collect::<Vec<_>>()
        };
        let names = board.iter().flat_map(named);
        self.plain(names.collect::<Vec<_>>().into_iter(), NameKind::Value)
    }

    /// Returns the completions after some values of an ask.
    fn form(&self, verb: &str, written: &[&str]) -> Vec<Completion> {
        let Some(known) = self.opened.game_at(self.at) else { return Vec::new() };
        let source = &known.files.declared.source;
        let form = known.files.declared.lines.iter().find_map(|line| match &line.kind {
            LineKind::Ask { form, .. } => match form.split_first() {
                Some((FormPart::Word(first), rest)) if source.slice(*first) == verb => Some(rest),
                _ => None,
            },
            _ => None,
        });
        let mut parts = Vec::new();
        flatten(form.unwrap_or_default(), source, false, &mut parts);
        let mut found = Vec::new();
        for place in reached(&parts, written) {
            let Some((what, is_word, _)) = parts.get(place) else { continue };
            let one = Kind::several_in(what).map(|(_, one)| one).or_else(|| what.strip_suffix('S'));
            found.extend(match one.unwrap_or(what) {
                _ if *is_word => self.words_of_line(&[what]),
                "CELL" | "MOVE" => self.cells(),
                "PLAYER" => self.of_kinds(&[NameKind::Player]),
                "PIECE" => self.of_kinds(&[NameKind::Piece, NameKind::Player, NameKind::Card]),
                "AMOUNT" => self.resources(written),
                "NUMBER" | "TEXT" | "DIRECTION" => Vec::new(),
                words => self.words_of_line(&words.split('|').collect::<Vec<_>>()),
            });
        }
        found
    }

    fn is_expression(&self) -> bool {
        self.written.rsplit_once('{').is_some_and(|(_, after)| !after.contains('}'))
    }

    fn positions(&self) -> Vec<Completion> {
        let source = &self.opened.source;
        let lines = self.opened.lines.iter().flat_map(|file| &file.lines);
        let names = lines.filter_map(|line| match line.kind {
            LineKind::Position(name) => Some(source.word(name).text.to_owned()),
            _ => None,
        });
        self.plain(names, NameKind::Position)
    }

    fn in_game(&self, kind: FileKind) -> Vec<Completion> {
        match self.words().as_slice() {
            [] => self.keywords(kind, false),
            ["with"] => self.of_kinds(&[NameKind::Option]),
            ["with", option, ..] => self.values(option),
            ["clause", ..] => self.of_kinds(&[NameKind::Clause]),
            ["board", rest @ ..] => self.board(rest),
            ["property" | "flag" | "counter" | "record" | "clock" | "resource", .., "for", "each"] => {
                let mut found = self.words_of_line(&["player", PlaceKind::Cell.word()]);
                found.extend(self.of_kinds(&[NameKind::Piece]));
                found
            }
            ["property" | "flag" | "counter" | "record" | "clock" | "resource", _, .., "for"] => {
                self.words_of_line(&["each"])
            }
            ["property", _] => {
                let mut found = self.kinds();
                found.extend(self.words_of_line(&["for each player"]));
                found
            }
            ["property" | "ask" | "event", .., "BAG" | "SET" | "LIST"] => self.words_of_line(&["of"]),
            ["property" | "ask" | "event", .., "BAG" | "SET" | "LIST", "of"] => self.kinds_of_one(),
            // A title in quotes may follow.
            ["ask" | "event", ..] if self.written.contains('"') => Vec::new(),
            ["property", _, "for", "each", _] | ["ask", _, ..] | ["event", ..] => self.kinds(),
            ["property" | "flag" | "counter" | "record" | "clock" | "ask"] => Vec::new(),
            _ => self.of_kinds(&ANYWHERE),
        }
    }

    /// Returns the kinds of values, with what a line writes for each.
    fn kinds(&self) -> Vec<Completion> {
        let mut found = self.named_kinds(Kind::all_names());
        found.extend(Several::ALL.into_iter().map(|several| Completion {
            label: format!("{} of", several.word()),
            kind: CompletionKind::Keyword,
            detail: format!("{} of values", several.words()),
            span: self.begun(),
        }));
        found
    }

    /// Returns the kinds of which there may be several.
    fn kinds_of_one(&self) -> Vec<Completion> {
        self.named_kinds(Kind::names_of_one())
    }

    fn named_kinds(&self, names: impl Iterator<Item = String>) -> Vec<Completion> {
        let span = self.begun();
        let completion = |label: String| {
            let detail = Kind::named(&label).map_or_else(String::new, |kind| kind.to_string());
            Completion { label, kind: CompletionKind::Keyword, detail, span }
        };
        names.map(completion).collect()
    }

    /// Returns the completions after some words of a `board` line of a game file.
    fn board(&self, written: &[&str]) -> Vec<Completion> {
        let is_size = |word: &str| word.split_once('x').is_some_and(|(_, rows)| rows.parse::<u8>().is_ok());
        // Only the game's own board says that it is chequered; the lines of a variant are indented.
        let own = self.written.starts_with("board");
        let chequered: &[&str] = if own { &["chequered"] } else { &[] };
        let stacks: &[&str] = if own { &["stacks"] } else { &[] };
        let cut: &[&str] = if own { &["without", "with", "stacks"] } else { &["without"] };
        match written {
            [] => self.words_of_line(&["grid", "hex", "rhombus", "triangle", "rings", "graph", "track", "open"]),
            ["graph"] => self.words_of_line(&["from"]),
            ["graph", _, _] => self.words_of_line(stacks),
            ["graph", _] => Vec::new(),
            several if several.windows(2).any(|pair| pair == ["stacks", "on"]) => self.cells(),
            [.., "stacks"] => self.words_of_line(&["on"]),
            [.., "with"] | [.., "with", "corners" | "sides"] => self.words_of_line(&["corners", "sides"]),
            [.., "without"] => self.cells(),
            [.., "chequered"] => self.words_of_line(&["dark", "stacks"]),
            [.., "chequered", "dark"] => self.cells(),
            ["grid", size] | [size] if is_size(size) => self.words_of_line(&[&["margin"], chequered, cut].concat()),
            [.., "margin", _] => self.words_of_line(&[chequered, cut].concat()),
            ["hex" | "triangle" | "rhombus", _] => self.words_of_line(cut),
            [.., "chequered", "dark", _] | ["track" | "rings", _] | ["open"] => self.words_of_line(stacks),
            [.., "without", _] if own => self.words_of_line(&["with", "stacks"]),
            _ => Vec::new(),
        }
    }

    /// Returns the functions and names for a script. In a string: the names that its call takes.
    fn in_script(&self) -> Vec<Completion> {
        let Some(known) = self.opened.game_at(self.at) else { return Vec::new() };
        let scripts = known.scripts_of(self.opened.source.name());
        let begun = self.begun();
        let file = self.opened.source.name();
        match scripts.role_at(file, begun.start) {
            Some(role) => self.in_string(role),
            None => self.fitting(scripts.offered(file, begun.start)),
        }
    }

    /// Returns the functions and names for an expectation: those that neither ask nor change the position.
    fn in_expression(&self) -> Vec<Completion> {
        let Some(known) = self.opened.game_at(self.at) else { return Vec::new() };
        let source = &self.opened.source;
        let begun = self.begun();
        let Some(opens) = self.written.rfind('{') else { return Vec::new() };
        let line = source.line_span(source.line(self.at));
        let start = self.at - Span::new(0..self.written.len() - opens).end;
        let span = Span { start, end: line.end.max(self.at) };
        let scripts = known.scripts();
        let mut found = match scripts.role_in_expression(source, span, begun.start) {
            Some(role) => self.in_string(role),
            None => self.fitting(scripts.offered_in_expression(source, span, begun.start)),
        };
        let changes: Vec<String> =
            reference().iter().filter(|entry| !entry.only_tells()).map(|entry| entry.written()).collect();
        found.retain(|offered| offered.kind != CompletionKind::Native || !changes.contains(&offered.detail));
        found
    }

    /// Returns the names that a string can have as an argument with a role.
    fn in_string(&self, role: Role) -> Vec<Completion> {
        match role {
            Role::CellName => self.cells(),
            Role::Plain | Role::Options => self.of_kinds(&[NameKind::Ask, NameKind::Value, NameKind::Card]),
            role => self.of_kinds(NameKind::of_role(role)),
        }
    }

    /// Returns what fits at the place of a script: what a value has after its dot; elsewhere the variables, the names of the
    /// game and all functions.
    fn fitting(&self, place: Option<Place>) -> Vec<Completion> {
        const NAMES: [NameKind; 5] =
            [NameKind::Function, NameKind::Constant, NameKind::Player, NameKind::Piece, NameKind::Zone];
        let span = self.begun();
        let completion = |offered: Offered| Completion {
            label: offered.name,
            kind: match offered.kind {
                OfferedKind::Variable => CompletionKind::Name(NameKind::Variable),
                OfferedKind::Property | OfferedKind::Key => CompletionKind::Name(NameKind::Property),
                OfferedKind::Function => CompletionKind::Name(NameKind::Function),
                OfferedKind::Native => CompletionKind::Native,
            },
            detail: offered.note,
            span,
        };
        let offered = match place {
            Some(Place::AfterDot(offered)) => return offered.into_iter().map(completion).collect(),
            Some(Place::Anywhere(offered)) => offered,
            None => Vec::new(),
        };
        let mut found: Vec<Completion> = offered.into_iter().map(completion).collect();
        // A variable hides what has its name.
        let of_game = self.of_kinds(&NAMES);
        let hidden = |name: &str| found.iter().any(|variable| variable.label == name);
        let of_game: Vec<Completion> = of_game.into_iter().filter(|name| !hidden(&name.label)).collect();
        found.extend(of_game);
        let functions = reference().into_iter().filter(|entry| entry.name().starts_with(char::is_alphabetic));
        found.extend(functions.map(|entry| Completion {
            label: entry.name().to_owned(),
            kind: CompletionKind::Native,
            detail: entry.written(),
            span,
        }));
        found.dedup_by(|one, other| one.label == other.label && one.detail == other.detail);
        found
    }
}

/// A part of a form: the word or the kind, whether it is a word, and whether it may be left out.
type Part<'f> = (&'f str, bool, bool);

/// Lists the parts of a form in order.
fn flatten<'f>(form: &[FormPart], source: &'f Source, optional: bool, parts: &mut Vec<Part<'f>>) {
    for part in form {
        match part {
            FormPart::Word(span) => parts.push((source.slice(*span), true, optional)),
            FormPart::Kind(span) => parts.push((source.slice(*span), false, optional)),
            FormPart::Optional(inner, _) => flatten(inner, source, true, parts),
        }
    }
}

/// Returns the parts of a form that can follow some words.
fn reached(parts: &[Part<'_>], written: &[&str]) -> Vec<usize> {
    let skipped = |places: Vec<usize>| {
        let mut all = Vec::new();
        for place in places {
            let optional = parts.iter().skip(place).take_while(|(_, _, optional)| *optional).count();
            all.extend(place..=place + optional);
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut places = skipped(vec![0]);
    for word in written {
        let mut next = Vec::new();
        for (place, (what, is_word, _)) in places.iter().filter_map(|place| Some((*place, parts.get(*place)?))) {
            let ends = || parts.get(place + 1).is_some_and(|(what, is_word, _)| *is_word && what == word);
            // The word after an amount is no resource.
            if *what == "AMOUNT" && !*is_word && ends() {
                continue;
            }
            if !*is_word || what == word {
                next.push(place + 1);
            }
            // Pieces have names of several words, amounts name several resources, and there may be several values.
            let is_long = matches!(*what, "PIECE" | "AMOUNT") || matches!(Kind::named(what), Some(Kind::Many(..)));
            if !*is_word && is_long {
                next.push(place);
            }
        }
        places = skipped(next);
    }
    places
}

/// Returns the lines that can be written below a line, counted from 1: the answers to the question that the rules ask
/// there, at most so many as are offered in a line.
pub fn answers_below(project: &mut Project<'_>, path: &Path, line: usize) -> Vec<String> {
    project.refresh();
    answers(project, path, line + 1, MAX_ANSWERS).into_iter().map(|answer| answer.text).collect()
}

/// Returns the lines that can be written at a line, counted from 1: the answers to the question that the rules ask
/// there.
fn answers(project: &mut Project<'_>, path: &Path, line: usize, most: usize) -> Vec<AnswerLine> {
    let path = project.overlay.shown(path);
    let Ok(text) = project.overlay.read(&path) else { return Vec::new() };
    let name = path.to_string_lossy().replace('\\', "/");
    let whole = Source::new(name.clone(), text.clone());
    let begin = whole.line_span(line).range().start;
    let mut before = text;
    before.truncate(begin);
    let source = match project::Role::of(&path) {
        Some(project::Role::Markdown) => {
            before.push_str("```\n");
            referee_scenario::markdown_source(&name, before).0
        }
        Some(project::Role::Scenario) => Arc::new(Source::new(name, before)),
        _ => return Vec::new(),
    };
    let suite = referee_scenario::plan_text(
        &mut project.loader,
        &path,
        source,
        Vec::new(),
        &referee_scenario::Reading::default(),
    );
    let Some(last) = suite.tests.iter().enumerate().max_by_key(|(_, test)| test.line).map(|(at, _)| at) else {
        return Vec::new();
    };
    referee_scenario::answers(&mut project.loader, &suite, last, most)
}
