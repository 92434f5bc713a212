//! The interchangeable words of a game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee_diagnostic::{Code, Diagnostic};
use referee_game::{Game, SearchPath};
use referee_source::Host;
use referee_table::{Form, Kind, PropertyKind, Schema};

const DIRECTIONS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The names of a game, in groups of interchangeable words.
pub(crate) struct Vocabulary {
    groups: Vec<Vec<String>>,
    pub(crate) players: Vec<String>,
    pub(crate) flags: Vec<String>,
    pub(crate) dice: Vec<String>,
    pub(crate) symbols: Vec<String>,
    /// Pieces of which many may be on the board.
    pub(crate) many: Vec<String>,
    /// Clauses that no script names, so that no scenario can apply them.
    pub(crate) never_applied: Vec<String>,
    /// A piece and a cell, for expectations that need one.
    pub(crate) piece: String,
    pub(crate) cell: String,
    /// A card, in a game that has cards.
    pub(crate) card: Option<String>,
}

impl Vocabulary {
    /// The words of the game that a line `use GAME …` names.
    pub(crate) fn of(host: &(dyn Host + Sync), folder: &Path, used: &str) -> Self {
        let file = &folder.join("any.scenario");
        let id = used.split_whitespace().nth(1).unwrap();
        let asked = Diagnostic::general(Code::UnknownGame, "the game of an example is not there");
        let game = Game::find(&SearchPath::new(host, None, "".into()), file, id, &asked).unwrap();
        let schema = &game.schema;
        let alone = |piece: &&referee_table::PieceDef| piece.card.is_none() && !piece.name.contains(' ');
        let pieces: Vec<String> = schema.pieces.iter().filter(alone).map(|piece| piece.name.clone()).collect();
        let cards = schema.pieces.iter().filter(|piece| piece.card.is_some()).map(|piece| piece.name.clone());
        let cards: Vec<String> = cards.collect();
        let card = cards.first().cloned();
        let flag = |property: &&referee_table::Property| property.kind == PropertyKind::Flag;
        let flags: Vec<String> = schema.properties.iter().filter(flag).map(|flag| flag.name.clone()).collect();
        let dice: Vec<String> = schema.dice.iter().map(|die| die.name.clone()).collect();
        let verbs = |forms: &[Form]| forms.iter().map(|form| form.verb.clone()).collect();
        let mut groups = vec![schema.players.clone(), pieces.clone(), cards, flags.clone(), dice.clone()];
        groups.extend([verbs(&schema.asks), verbs(&schema.events), DIRECTIONS.map(str::to_owned).to_vec()]);
        groups.extend(alternatives(schema));
        let named = format!("{}{}", game.rules.text(), houses(host, file, id));
        let clauses = schema.clauses.iter().map(|clause| clause.id.clone());
        Self {
            groups,
            players: schema.players.clone(),
            flags,
            dice,
            symbols: symbols(schema),
            many: schema.pieces.iter().filter(|piece| piece.many).map(|piece| piece.name.clone()).collect(),
            never_applied: clauses.filter(|clause| !named.contains(&format!("\"{clause}\""))).collect(),
            piece: pieces.first().cloned().unwrap_or_default(),
            card,
            cell: schema.build_board(&schema.board).unwrap().names().next().unwrap_or_default().to_owned(),
        }
    }

    /// Returns words that could replace `word` with another meaning.
    pub(crate) fn others(&self, word: &str) -> Vec<String> {
        let mut others: Vec<String> = Vec::new();
        for group in self.groups.iter().filter(|group| group.len() > 1) {
            if let Some(at) = group.iter().position(|other| other == word) {
                others.push(group[(at + 1) % group.len()].clone());
                others.push(group[(at + group.len() - 1) % group.len()].clone());
            }
        }
        if let Some((owner, property)) =
            word.split_once('.').filter(|(owner, _)| self.players.contains(&(*owner).to_owned()))
        {
            others.extend(self.others(owner).into_iter().map(|owner| format!("{owner}.{property}")));
        }
        others.extend(numbers(word));
        others.extend(cells(word));
        others.extend(moves(word));
        // How often a value is in a bag.
        if let Some(count) = word.strip_prefix('x').and_then(|digits| digits.parse::<usize>().ok()) {
            others.push(format!("x{}", count + 1));
        }
        if let Some(text) = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')) {
            others.push(format!("\"{text}!\""));
        }
        others.sort();
        others.dedup();
        others.retain(|other| other != word);
        others
    }
}

/// The words of `queued|added|ignored` in the forms of a game.
fn alternatives(schema: &Schema) -> Vec<Vec<String>> {
    let forms = schema.asks.iter().chain(&schema.events);
    let kinds = forms.flat_map(|form| form.kinds().into_iter().map(|(kind, _)| kind.clone()).collect::<Vec<Kind>>());
    kinds.filter_map(|kind| if let Kind::Word(words) = kind.one() { Some(words.clone()) } else { None }).collect()
}

fn symbols(schema: &Schema) -> Vec<String> {
    if schema.counted_piece().is_some() {
        // Its symbol is another word for 1.
        return vec!["1".to_owned(), "2".to_owned()];
    }
    let mut symbols: Vec<String> = schema.pieces.iter().map(|piece| piece.symbol.clone()).collect();
    symbols.retain(|symbol| !symbol.is_empty());
    symbols.dedup();
    symbols
}

/// The texts of a game's house rules.
fn houses(host: &(dyn Host + Sync), file: &Path, id: &str) -> String {
    let folders = file.ancestors().map(|above| above.join("games").join(id).join("house"));
    let files = folders.filter_map(|folder| host.list(&folder).ok()).flatten();
    files.filter_map(|file| host.read(&file).ok()).collect()
}

/// One more and one less; another numerator, another decimal.
fn numbers(word: &str) -> Vec<String> {
    if let Ok(number) = word.parse::<i64>() {
        let less = (number > 0).then(|| number - 1);
        return [Some(number + 1), less].into_iter().flatten().map(|number| number.to_string()).collect();
    }
    if let Some((above, below)) = word.split_once('/') {
        let above = above.parse::<i64>().map(|above| format!("{}/{below}", above + 1));
        let below =
            below.parse::<i64>().map(|below| format!("{}/{}", word.split('/').next().unwrap_or_default(), below + 1));
        return above.into_iter().chain(below).collect();
    }
    let (number, percent) = word.strip_suffix('%').map_or((word, ""), |number| (number, "%"));
    match number.split_once('.') {
        Some((whole, part)) if [whole, part].iter().all(|digits| digits.parse::<u64>().is_ok()) => {
            let first = if part.starts_with('9') { "8" } else { "9" };
            vec![format!("{whole}.{first}{}{percent}", &part[1..])]
        }
        _ => Vec::new(),
    }
}

fn is_cell(word: &str) -> bool {
    let letters = word.chars().take_while(char::is_ascii_lowercase).count();
    (1..=2).contains(&letters) && word.len() > letters && word[letters..].bytes().all(|byte| byte.is_ascii_digit())
}

/// The cell beside, and the cell above or below.
fn cells(word: &str) -> Vec<String> {
    if !is_cell(word) {
        return Vec::new();
    }
    let letters = word.chars().take_while(char::is_ascii_lowercase).count();
    let (column, row) = word.split_at(letters);
    let row_before: i64 = row.parse().unwrap();
    let other_row = if row_before > 1 { row_before - 1 } else { 2 };
    let mut letters: Vec<char> = column.chars().collect();
    let last = letters.last_mut().unwrap();
    *last = if *last == 'a' { 'b' } else { char::from(*last as u8 - 1) };
    vec![format!("{column}{other_row}"), format!("{}{row}", letters.into_iter().collect::<String>())]
}

/// The cells of a move, with the signs between them.
fn steps(word: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let signs: Vec<&str> = word.matches(['-', 'x']).collect();
    let cells: Vec<&str> = word.split(['-', 'x']).collect();
    (cells.len() > 1 && cells.iter().all(|cell| is_cell(cell))).then_some((cells, signs))
}

/// Another cell for each of a move's, and `x` for `-` and the reverse.
fn moves(word: &str) -> Vec<String> {
    let Some((at, signs)) = steps(word) else { return Vec::new() };
    let write = |at: &[String], signs: &[String]| {
        let rest: String = signs.iter().zip(&at[1..]).flat_map(|(sign, cell)| [sign.as_str(), cell.as_str()]).collect();
        format!("{}{rest}", at[0])
    };
    let owned = |list: &[&str]| list.iter().map(|part| (*part).to_owned()).collect::<Vec<String>>();
    let (at, signs) = (owned(&at), owned(&signs));
    let mut others = Vec::new();
    for place in 0..at.len() {
        for other in cells(&at[place]) {
            let mut changed = at.clone();
            changed[place] = other;
            others.push(write(&changed, &signs));
        }
    }
    for place in 0..signs.len() {
        let mut changed = signs.clone();
        changed[place] = if signs[place] == "x" { "-".to_owned() } else { "x".to_owned() };
        others.push(write(&at, &changed));
    }
    others
}

/// The vocabularies of games, read once.
#[derive(Default)]
pub(crate) struct Vocabularies(BTreeMap<(PathBuf, String), Arc<Vocabulary>>);

impl Vocabularies {
    pub(crate) fn of(&mut self, host: &(dyn Host + Sync), folder: &Path, used: &str) -> Arc<Vocabulary> {
        let id = used.split_whitespace().nth(1).unwrap().to_owned();
        Arc::clone(
            self.0.entry((folder.to_path_buf(), id)).or_insert_with(|| Arc::new(Vocabulary::of(host, folder, used))),
        )
    }
}
