//! Reads facts about a position: pieces, properties, the turn, and the outcome.

use crate::plan::actions::taking_part;
use crate::plan::amounts;
use crate::plan::cards;
use crate::plan::model::Fact;
use crate::plan::resolver::{Resolver, names};
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_source::{Spanned, Word, texts};
use referee_syntax::{near_expectation, what_is_there};
use referee_table::{
    Cell, Owner, Phrase, PieceId, PlayerId, PropertyId, PropertyKind, Table, Undotted, Value, ZoneId, likely_name,
    no_board,
};

/// Words for what is on an empty cell.
const NOTHING: [&str; 4] = ["empty", "free", "none", "nothing"];

/// Reads all words that are left as players.
pub(crate) fn players(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Vec<PlayerId>> {
    if words.is_empty() {
        return resolver.misread(words.missing("a player is missing here"));
    }
    if let Some(equals) = words.first().filter(|word| word.is("=")) {
        let misread = Diagnostic::on(Code::WrongForm, equals, "`=` does not belong here");
        let rest = words.get(1).map_or("PLAYER", |word| word.text);
        return resolver.misread(misread.help(format!("name the player alone: `winner {rest}`")));
    }
    words.words().iter().map(|word| resolver.get(names(table).player(word))).collect()
}

/// Reads a fact that begins with a name.
pub(crate) fn plain(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Fact> {
    let names = names(table);
    let Some(first) = words.first() else {
        return resolver.misread(words.missing("this line does not say what is expected"));
    };
    if let Some(fact) = of_turns(resolver, table, words) {
        return fact;
    }
    let mut rest = words;
    if let Some(named) = resolver.get(names.dotted(&mut rest))? {
        return property_value(resolver, table, named, (words, rest));
    }
    if let Some(check) = cards::expect(resolver, table, words) {
        return check;
    }
    if let Some(check) = amounts::expect(resolver, table, words) {
        return check;
    }
    let after = words.from(1);
    if after.keyword(0) == "face" || after.keyword(0) == "not" && after.keyword(1) == "face" {
        return face_down(resolver, table, first, after);
    }
    if let Some(check) = ending(resolver, table, words) {
        return check;
    }
    let counts = after.keyword(0) == "count" && table.board.cell(first.text).is_some();
    if counts || matches!(after.keyword(0), "empty" | "holds") {
        return cell_content(resolver, table, first, after);
    }
    let piece = names.known_piece(words);
    if let Some((piece, place)) = piece.filter(|(_, rest)| matches!(rest.keyword(0), "off" | "at")) {
        return piece_place(resolver, table, piece, place);
    }
    if let Some(misread) = names.misnumbered(words).or_else(|| no_place(table, words.words())) {
        return resolver.misread(misread);
    }
    let of_place = table.schema.has_values_of_places() && names.begins_with_place(words);
    let owner = piece.is_some() || of_place || table.schema.player(first.text).is_some() || first.is("game");
    if words.len() > 1 && owner || table.schema.property(first.text).is_some() {
        return flag_value(resolver, table, words);
    }
    if let Some(misread) = lies_on(table, words) {
        return resolver.misread(misread);
    }
    unknown(resolver, table, words, first)
}

/// Reads `round 3` and `last turn red`; `None` for other lines.
fn of_turns(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Option<Fact>> {
    match words.words() {
        [round, number] if round.is("round") => {
            let number = number.text.parse().ok()?;
            Some(Some(Fact::Round(number)))
        }
        [last, turn, ..] if last.is("last") && turn.is("turn") => {
            let Some(player) = words.words().get(2) else {
                let [first, _] = table.schema.example_players();
                let misread = words.from(2).missing("a player is missing here");
                return Some(resolver.misread(misread.help(format!("write for example `expect last turn {first}`"))));
            };
            let read = resolver
                .get(names(table).player(player))
                .and_then(|read| taking_part(resolver, table, read, player.span));
            Some(read.and_then(|player| resolver.finish(words.from(3), Fact::LastTurn(player))))
        }
        _ => None,
    }
}

/// Returns the sign of a comparison that is written as in rules, or in words, and the value after it.
fn compared(words: &str) -> Option<(&'static str, &str)> {
    const SIGNS: [(&str, &str); 14] = [
        ("> =", ">="),
        ("< =", "<="),
        ("! =", "!="),
        (">=", ">="),
        ("<=", "<="),
        ("!=", "!="),
        ("==", "=="),
        (">", ">"),
        ("<", "<"),
        ("at least ", ">="),
        ("at most ", "<="),
        ("more than ", ">"),
        ("less than ", "<"),
        ("is not ", "!="),
    ];
    SIGNS.iter().find_map(|(written, sign)| Some((*sign, words.strip_prefix(written)?.trim_start())))
}

/// Reads the value of a property: `red.score = 3`, of which `words` are all and `rest` those after the property.
fn property_value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (owner, property): (Owner, PropertyId),
    (words, mut rest): (Phrase<'_>, Phrase<'_>),
) -> Option<Fact> {
    if let (Owner::Player(player), Some(first)) = (owner, words.first()) {
        taking_part(resolver, table, player, first.span.of_start(table.schema.player_name(player)))?;
    }
    let of = words.before(rest).texts();
    if !rest.takes("=") {
        // What follows a name with a dot is another claim.
        let claim = rest.words().iter().take_while(|word| word.dotted().is_none()).map(|word| word.text);
        let claim = claim.collect::<Vec<_>>().join(" ");
        let help = match compared(&claim) {
            Some((sign, value)) => format!("compare in braces: `{{ {of} {sign} {value} }}`"),
            None => {
                let value = claim.strip_prefix("is ").unwrap_or(&claim);
                let value = match value {
                    "" => "3",
                    "empty" | "nothing" | "unset" | "()" => "none",
                    value => value,
                };
                format!("write `expect {of} = {value}`")
            }
        };
        return resolver.misread(rest.wrong(Code::WrongForm, rest.next_span(), "`=` is missing here").help(help));
    }
    if let Some(second) = rest.first().filter(|second| second.is("=")) {
        let help = format!("write `expect {of} = {}`", rest.from(1).texts());
        let misread = Diagnostic::on(Code::WrongForm, second, "there is one `=` too many");
        return resolver.misread(misread.help(help));
    }
    let value = resolver.get(names(table).property_value(property, rest))?;
    Some(Fact::Property(property, owner, value))
}

/// Reads `d4 face down` or `d4 not face down`, of which `words` are those after the cell.
fn face_down(resolver: &mut Resolver<'_>, table: &Table, cell: &Word<'_>, mut words: Phrase<'_>) -> Option<Fact> {
    let is_down = !words.takes("not");
    words.skip(1);
    let help =
        || format!("write `expect {0} face down`, or `expect {0} holds CARD` for a card that is face up", cell.text);
    let cell = resolver.get(names(table).cell(cell))?;
    if words.takes("down") {
        return resolver.finish(words, Fact::FaceDown(cell, is_down));
    }
    resolver.misread(words.wrong(Code::WrongForm, words.next_span(), "`down` is missing here").help(help()))
}

/// Reads `d4 empty` or `d4 holds black king`, of which `words` are those after the cell.
fn cell_content(resolver: &mut Resolver<'_>, table: &Table, first: &Word<'_>, mut words: Phrase<'_>) -> Option<Fact> {
    let names = names(table);
    let cell = resolver.get(names.cell(first))?;
    if words.takes("empty") {
        return resolver.finish(words, Fact::Empty(cell));
    }
    if words.takes("count") {
        return height(resolver, table, cell, words);
    }
    words.takes("holds");
    let all = words;
    let counted = table.board.stacks(cell) && table.schema.counted_piece().is_some();
    if counted && words.first().is_some_and(|word| word.text.parse::<usize>().is_ok()) {
        return height(resolver, table, cell, words);
    }
    let nothing = words.first().filter(|word| matches!(word.text, "none" | "nothing" | "nobody") && words.len() == 1);
    let read = if let Some(nothing) = nothing.filter(|word| table.schema.piece(word.text).is_none()) {
        let message = format!("`{}` is no piece", nothing.text);
        Err(Diagnostic::on(Code::UnknownPiece, nothing, message).help(format!("write `expect {} empty`", first.text)))
    } else {
        names.prefixed_piece(&mut words)
    };
    if table.board.stacks(cell) && read.is_ok() {
        return stack(resolver, table, cell, all);
    }
    let (piece, player) = resolver.get(read)?;
    let player = match player {
        Some(Spanned { node, span }) => Some(taking_part(resolver, table, node, span)?),
        None => None,
    };
    if let Some((word, extra)) = words.first().zip(words.extra()) {
        return resolver.misread(extra.maybe_help(names.continued(piece, word)));
    }
    Some(Fact::Holds(cell, piece, player))
}

/// Reads the number of pieces on a cell: `count 3`, of which `words` are those after `count`.
fn height(resolver: &mut Resolver<'_>, table: &Table, cell: Cell, mut words: Phrase<'_>) -> Option<Fact> {
    let Some(word) = words.take() else { return resolver.misread(words.missing("a number is missing here")) };
    let name = table.board.written(cell);
    let Ok(count) = word.text.parse() else {
        let message = format!("expected a number, found `{}`", word.text);
        let help = format!("write how many pieces are on {name}: `expect {name} count 2`");
        return resolver.misread(Diagnostic::on(Code::WrongForm, word, message).help(help));
    };
    if count > 1 && !table.board.stacks(cell) {
        let message = format!("at most one piece can be on {name}");
        let help = format!(
            "write `expect {name} holds PIECE`, or declare in the game file that pieces stack: `board … stacks`"
        );
        return resolver.misread(Diagnostic::on(Code::WrongForm, word, message).help(help));
    }
    resolver.finish(words, Fact::Height(cell, count))
}

/// Reads what is on a cell on which pieces stack, from the top: `white black x2 …`, of which `words` are those after `holds`.
fn stack(resolver: &mut Resolver<'_>, table: &Table, cell: Cell, mut words: Phrase<'_>) -> Option<Fact> {
    let (names, mut pieces) = (names(table), Vec::new());
    while let Some(word) = words.first() {
        if word.is_any(&["…", "..."]) {
            words.skip(1);
            return resolver.finish(words, Fact::Stack(cell, pieces, true));
        }
        let piece = resolver.get(names.piece(&mut words))?;
        let count = resolver.get(names.times(&mut words, piece))?;
        pieces.extend(std::iter::repeat_n(piece, count));
    }
    Some(Fact::Stack(cell, pieces, false))
}

/// Reads `black king at d4`, or `black king off`, of which `words` are those after the piece.
fn piece_place(resolver: &mut Resolver<'_>, table: &Table, piece: PieceId, mut words: Phrase<'_>) -> Option<Fact> {
    if !table.board.has_cells()
        && let Some(misread) = in_a_zone(table, piece, words)
    {
        return resolver.misread(misread);
    }
    if words.takes("off") {
        return resolver.finish(words, Fact::Off(piece));
    }
    words.takes("at");
    if table.board.is_numbered() && words.takes("start") {
        return resolver.finish(words, Fact::Off(piece));
    }
    let Some(word) = words.take() else { return resolver.misread(words.missing("a cell is missing here")) };
    let cell = names(table).cell(word).map_err(|misread| {
        let start = if table.board.is_numbered() { Some("start") } else { None };
        misread.maybe_help(did_you_mean(word.text, start))
    });
    let cell = resolver.get(cell)?;
    resolver.finish(words, Fact::At(piece, cell))
}

/// Returns the error for a place of a card in a game with zones and without a board.
fn in_a_zone(table: &Table, piece: PieceId, words: Phrase<'_>) -> Option<Diagnostic> {
    let schema = &table.schema;
    let card = schema.piece_name(piece);
    let (at, rest) = words.words().split_first()?;
    let zone = match rest.first().filter(|word| schema.is_zone(word.text)) {
        Some(_) => texts(rest),
        None => {
            let owned = schema.zones.iter().position(|zone| zone.owner.is_some()).unwrap_or(0);
            schema.zones.get(owned).map(|_| schema.zone_name(ZoneId::at(owned)))?
        }
    };
    let message = format!("a card cannot be `{}` here: this game has no board", at.text);
    Some(Diagnostic::on(Code::NoBoard, at, message).help(format!("name a zone: `expect {card} in {zone}`")))
}

/// Reads a flag; reports the actual kind of another name.
fn flag_value(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Fact> {
    if let [player, asks, ..] = words.words()
        && asks.is_any(&["asks", "asked"])
        && table.schema.player(player.text).is_some()
    {
        let help = format!("write `expect asks {} {}`", player.text, words.from(2).texts());
        let misread = Diagnostic::on(Code::WrongForm, asks, format!("`{}` does not belong here", asks.text));
        return resolver.misread(misread.help(help));
    }
    if let Some(Undotted { owner, name, value }) = names(table).undotted(words.words()) {
        let message = format!("`{name}` is a number or another value, not a flag");
        let help = format!("write `expect {owner}.{name} = {}`", value.as_deref().unwrap_or("3"));
        let whole = words.next_span().to(words.end());
        return resolver.misread(words.wrong(Code::WrongForm, whole, message).help(help));
    }
    if let [subject, is, at, ..] = words.words()
        && is.is("is")
        && at.is_any(&["at", "off"])
    {
        let misread = Diagnostic::on(Code::WrongForm, is, "`is` does not belong here");
        return resolver.misread(misread.help(format!("write `expect {} {}`", subject.text, words.from(2).texts())));
    }
    // A flag may have the name of an event.
    let is_event = |word: &&Word<'_>| {
        let schema = &table.schema;
        !word.quoted
            && schema.events.iter().any(|event| event.verb == word.text)
            && !schema.properties.iter().any(|property| property.name == word.text)
    };
    let named = names(table).known_piece(words).map_or(1, |(_, rest)| words.len() - rest.len());
    if let Some(verb) = words.words().iter().skip(named).find(is_event) {
        let misread = Diagnostic::on(Code::WrongForm, verb, format!("`{}` is an event, not a flag", verb.text));
        return resolver
            .misread(misread.help(format!("write it in a row below `expect events`: `> {}`", words.texts())));
    }
    if let Some(misread) = neither(table, words) {
        return resolver.misread(misread);
    }
    let (owner, property, truth) = resolver.get(names(table).flag(words).map_err(|misread| {
        let help = match (table.board.names().next(), table.schema.pieces.iter().find(|piece| !piece.is_back())) {
            (Some(cell), Some(piece)) => {
                format!("write for example `expect {0} at {cell}`, or `expect {0} off`", piece.name)
            }
            _ => {
                let [player, _] = table.schema.example_players();
                format!("write for example `expect turn {player}`, or `expect winner {player}`")
            }
        };
        let own = misread.help.as_deref().map(|own| own.replace(" has it: write `", " has it: write `expect "));
        misread.help(own.unwrap_or(help))
    }))?;
    if let (Owner::Player(player), Some(first)) = (owner, words.first()) {
        taking_part(resolver, table, player, first.span)?;
    }
    Some(Fact::Property(property, owner, Value::Bool(truth)))
}

/// Returns the error for `ann at d4` and `ann off`, if this player has no piece or the game has no board.
fn no_place(table: &Table, words: &[Word<'_>]) -> Option<Diagnostic> {
    let (first, second) = words.first().zip(words.get(1))?;
    if !matches!(second.text, "at" | "off") || second.quoted || table.schema.player(first.text).is_none() {
        return None;
    }
    if !table.board.has_cells() {
        let last = words.last().map_or(second.span, |last| last.span);
        let message = format!("`{}` cannot be anywhere: this game has no board", first.text);
        return Some(no_board(second.source, second.span.to(last), message));
    }
    let pieces = table.schema.pieces.iter().filter(|piece| !piece.is_back());
    let help = match one_of(pieces.map(|piece| piece.name.as_str()), 9) {
        none if none.is_empty() => "declare pieces in the game file: `piece marker for each player`".to_owned(),
        list => format!("name a piece: {list}"),
    };
    Some(Diagnostic::on(Code::UnknownPiece, first, format!("the player `{}` is no piece", first.text)).help(help))
}

/// Returns the error for `d4 is black king`, which means `d4 holds black king`.
fn lies_on(table: &Table, words: Phrase<'_>) -> Option<Diagnostic> {
    let (cell, word) = words.first().zip(words.get(1)).filter(|(cell, _)| !cell.quoted)?;
    table.board.cell(cell.text)?;
    let rest = words.from(2);
    let message = format!("`{}` does not belong here", word.text);
    let empty = matches!(rest.words(), [only] if NOTHING.contains(&only.text));
    if word.is("not") {
        let help = match names(table).known_piece(rest) {
            _ if empty => format!("write `expect {} not empty`", cell.text),
            Some((piece, _)) => {
                format!("write `expect {} not holds {}`", cell.text, table.schema.written_piece(piece))
            }
            None => what_is_there(cell.text),
        };
        return Some(Diagnostic::on(Code::WrongForm, word, message).help(help));
    }
    if rest.is_empty()
        && let Some(near) = did_you_mean(word.text, ["empty"])
    {
        return Some(Diagnostic::on(Code::WrongForm, word, message).help(near));
    }
    let what = match names(table).known_piece(rest).or_else(|| names(table).known_piece(words.from(1))) {
        _ if empty => "empty".to_owned(),
        Some((piece, _)) => format!("holds {}", table.schema.piece_name(piece)),
        None => "holds PIECE".to_owned(),
    };
    Some(Diagnostic::on(Code::WrongForm, word, message).help(format!("write `expect {} {what}`", cell.text)))
}

/// Reads `white loses`, and reports other words for it and for `winner white`: `white wins`, `win white`. Returns
/// `None` for other lines.
fn ending(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>) -> Option<Option<Fact>> {
    let [first, second, ..] = words.words() else { return None };
    let bare = |word: &Word<'_>, all: &[&str]| word.is_any(all) && table.schema.property(word.text).is_none();
    let player = |word: &Word<'_>| table.schema.player(word.text);
    if let Some(loser) = player(first).filter(|_| bare(second, &["loses"])) {
        // A player who does not play has never won.
        let Some(loser) = taking_part(resolver, table, loser, first.span) else { return Some(None) };
        return Some(resolver.finish(words.from(2), Fact::Loses(loser)));
    }
    let lost = ["lose", "loser", "lost", "loses"];
    let (who, verb, right) = match (player(first), player(second)) {
        (Some(_), _) if bare(second, &["wins", "win", "won"]) => (first, second, "winner"),
        (_, Some(_)) if bare(first, &["wins", "win", "won"]) => (second, first, "winner"),
        (Some(_), _) if bare(second, &lost) => (first, second, "loses"),
        (_, Some(_)) if bare(first, &lost) => (second, first, "loses"),
        _ => return None,
    };
    let right = if right == "winner" { format!("winner {}", who.text) } else { format!("{} loses", who.text) };
    let misread = Diagnostic::on(Code::WrongForm, verb, format!("`{}` cannot describe the end of a game", verb.text));
    Some(resolver.misread(misread.help(format!("write `{right}`"))))
}

/// Returns the error for `red on e5`, which needs `at`, and for `red = 3`, which names no property.
fn neither(table: &Table, words: Phrase<'_>) -> Option<Diagnostic> {
    let (first, last) = words.first().zip(words.words().last())?;
    if let Some(equals) = words.words().iter().find(|word| word.is("=")) {
        let span = first.span.to(equals.span);
        let misread = words.wrong(Code::WrongForm, span, "the counter or property before `=` is missing");
        let named = |kind: &PropertyKind| *kind != PropertyKind::Flag;
        let known = table.schema.properties.iter().filter(|property| named(&property.kind));
        let help = match one_of(known.map(|property| property.name.as_str()), 9) {
            list if list.is_empty() => "this game declares no counters and no properties".to_owned(),
            list => format!("write `{}.NAME = …`; the names are {list}", first.text),
        };
        return Some(misread.help(help));
    }
    let (piece, rest) = names(table).known_piece(words)?;
    let word = rest.first()?;
    let message = format!("`{}` does not belong here", word.text);
    if let Some(near) = names(table).continued(piece, word).filter(|_| last.is("off") || rest.len() > 2) {
        return Some(Diagnostic::on(Code::WrongForm, word, message).help(near));
    }
    table.board.cell(last.text)?;
    if word.is("not") {
        return Some(Diagnostic::on(Code::WrongForm, word, message).help(what_is_there(last.text)));
    }
    if rest.len() != 2 {
        return None;
    }
    Some(Diagnostic::on(Code::WrongForm, word, message).help(format!("did you mean `at {}`?", last.text)))
}

/// Returns the error for `nothing at e5` and `empty e5`, which mean `e5 empty`.
fn nothing_there(table: &Table, words: Phrase<'_>) -> Option<Diagnostic> {
    let [first, .., cell] = words.words() else { return None };
    table.board.cell(cell.text).filter(|_| first.is_any(&NOTHING))?;
    let message = format!("`{}` does not belong here", first.text);
    Some(Diagnostic::on(Code::WrongForm, first, message).help(format!("write `expect {} empty`", cell.text)))
}

fn unknown(resolver: &mut Resolver<'_>, table: &Table, words: Phrase<'_>, first: &Word<'_>) -> Option<Fact> {
    if let Some(misread) = nothing_there(table, words) {
        return resolver.misread(misread);
    }
    let about_piece = words.words().iter().any(|word| matches!(word.text, "at" | "off"));
    if about_piece {
        return resolver.misread(names(table).unknown_piece(words));
    }
    let keyword = near_expectation(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
    let schema = &table.schema;
    if let ([only], Some(player)) = (words.words(), schema.player(first.text)) {
        let player = schema.player_name(player);
        let message = format!("this line does not say what is expected of {player}");
        let help = format!("write for example `expect turn {player}`, or `expect winner {player}`");
        return resolver.misread(Diagnostic::on(Code::MissingValue, only, message).help(help));
    }
    let all = schema.pieces.iter().map(|piece| piece.name.as_str()).chain(schema.players.iter().map(String::as_str));
    let all = all.chain(schema.zones.iter().map(|zone| zone.name.as_str()));
    let help = likely_name(words.words(), all).or(keyword).unwrap_or_else(|| {
        let kinds = ["a player", "a piece", "a cell", "a zone"];
        let has = [true, !schema.pieces.is_empty(), table.board.has_cells(), !schema.zones.is_empty()];
        let kinds: Vec<&str> = kinds.into_iter().zip(has).filter_map(|(kind, has)| has.then_some(kind)).collect();
        let words = "a word such as `board`, `events`, `turn`, `winner`";
        format!("begin the expectation with {}, or {words}", kinds.join(", "))
    });
    resolver
        .misread(Diagnostic::on(Code::UnknownExpectation, first, format!("unknown name `{}`", first.text)).help(help))
}
