//! Declares dice: their number and faces.

use referee_diagnostic::Code;
use std::sync::Arc;

use super::declaring::Declaring;
use referee_source::Span;
use referee_syntax::ast::{Faces, LineKind};
use referee_table::{DeclaredKind, Die, DieFace, Sight, Value};

/// The maximum number of dice thrown at once.
const MAX_AT_ONCE: i64 = 100;

impl Declaring<'_> {
    pub(super) fn dice(&mut self) {
        let file = self.file;
        for line in &file.lines {
            let LineKind::Die { name, count, faces, sight } = &line.kind else { continue };
            if !self.has_room(self.schema.dice.len(), super::declaring::MAX_DICE, "dice", line.span) {
                return;
            }
            let title = self.title(*name);
            self.die_name(&title, name.unwrap_or(line.span), line.span);
            let declaration = self.declares(DeclaredKind::Die, name.unwrap_or(line.span), line.span);
            declaration.name.clone_from(&title);
            if let (Some(_), Faces::Listed(values)) = (name, faces) {
                self.declares_values(&title, values, line.span);
            }
            let count = match count {
                Some(count) if !(1..=MAX_AT_ONCE).contains(&count.node) => {
                    let message = format!("{} dice cannot be thrown at once", count.node);
                    self.advise(Code::WrongDie, count.span, message, format!("throw 1 to {MAX_AT_ONCE} dice"));
                    1
                }
                Some(count) => usize::try_from(count.node).unwrap_or(1),
                None => 1,
            };
            let faces = match faces {
                Faces::Range(range) => {
                    let (low, high) = range.node;
                    if high.saturating_sub(low) >= 10_000 {
                        self.advise(
                            Code::WrongDie,
                            range.span,
                            "a die has at most 10000 faces",
                            "write for example `1..6`",
                        );
                    }
                    let high = high.min(low.saturating_add(9_999));
                    (low..=high).map(|face| DieFace { shows: Value::Int(face), sides: 1 }).collect()
                }
                Faces::Listed(words) => self.listed(words),
            };
            let sight = self.sight_of_throws(*sight, &title);
            if title.is_empty() && sight == Sight::Secret {
                let message = "a secret die needs a name: rules say for whom it is thrown, `roll(me, \"cup\")`";
                self.advise(Code::WrongDie, line.span, message, "name it: `die cup 1..6 secret`");
            }
            let die = Die::new(title, count, faces).seen_by(sight);
            if !die.is_countable() {
                let message = "these dice have too many different throws";
                let help = "throw fewer dice at once, or declare them in several `die` lines: at most 10000 different throws are possible";
                self.advise(Code::WrongDie, line.span, message, help);
            }
            self.schema.dice.push(die);
            self.schema.dice_of_game += usize::from(self.is_of_game(line.span));
        }
        self.faces_named_like_dice();
    }

    /// Returns who sees the throws of a die. Reports an unknown word.
    fn sight_of_throws(&mut self, sight: Option<Span>, name: &str) -> Sight {
        let what = if name.is_empty() { "the throws".to_owned() } else { format!("the throws of `{name}`") };
        let help =
            "write `secret` for what the player sees for whom it is thrown, `hidden` for what nobody sees, or nothing";
        sight.map_or(Sight::Open, |span| self.sight_word(span, &what, help))
    }

    fn die_name(&mut self, name: &str, span: Span, line: Span) {
        let is_of_game = self.is_of_game(line);
        // The one die of the game keeps its place beside those of house rules.
        let nameless = name.is_empty() || is_of_game && self.schema.dice.iter().any(|other| other.name.is_empty());
        if name.parse::<i64>().is_ok() {
            let message = format!("expected the name of a die, found the number `{name}`");
            self.advise(
                Code::WrongDie,
                span,
                message,
                format!("write `{name} of …` for {name} dice, or choose a name"),
            );
        } else if name.is_empty() && !is_of_game {
            let message = "the die of a house rule needs a name";
            self.advise(Code::WrongDie, line, message, "name it: `die luck 1..6`");
        } else if nameless && !self.schema.dice.is_empty() {
            self.advise(
                Code::DuplicateName,
                line,
                "a die without a name must be the only die of the game",
                "name each die: `die distance 1..6`",
            );
        } else if self.schema.die(name).is_some() {
            self.advise(
                Code::DuplicateName,
                span,
                format!("there are two dice `{name}`"),
                "give each die a different name",
            );
        }
    }

    /// Returns the faces of a list, one for each side: all numbers, or all words.
    fn listed(&mut self, words: &[Span]) -> Vec<DieFace> {
        let texts: Vec<String> = words.iter().map(|word| self.text(*word)).collect();
        let numbers: Vec<Option<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
        let all_numbers = numbers.iter().all(Option::is_some);
        let mut faces: Vec<DieFace> = Vec::new();
        for ((text, number), span) in texts.iter().zip(&numbers).zip(words) {
            let shows = match number {
                Some(number) if all_numbers => Value::Int(*number),
                Some(number) => {
                    let message = format!("expected a word, found the number {number}");
                    self.advise(
                        Code::WrongDie,
                        *span,
                        message,
                        "write only numbers or only words as the faces of a die",
                    );
                    continue;
                }
                None => Value::Text(Arc::from(text.as_str())),
            };
            match faces.iter_mut().find(|face| face.shows == shows) {
                Some(face) => face.sides += 1,
                None => faces.push(DieFace { shows, sides: 1 }),
            }
        }
        if all_numbers {
            faces.sort_by(|one, other| one.shows.cmp(&other.shows));
        }
        faces
    }

    /// Reports faces that are also names of dice: `roll sun` would be ambiguous.
    fn faces_named_like_dice(&mut self) {
        let file = self.file;
        for line in &file.lines {
            let LineKind::Die { faces: Faces::Listed(words), .. } = &line.kind else { continue };
            for word in words {
                let text = self.text(*word);
                if self.schema.die(&text).is_some() {
                    let message = format!("`{text}` is both a die and a face");
                    self.advise(Code::WrongDie, *word, message, "choose another name for one of them");
                }
            }
        }
    }
}
