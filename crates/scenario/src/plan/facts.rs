//! Reads facts about a position: pieces, properties, the turn, and the outcome.

use crate::plan::actions::taking_part;
use crate::plan::cards;
use crate::plan::model::Fact;
use crate::plan::properties::{dotted, flag, value};
use crate::plan::resolver::{Resolver, end_of, names};
use referee_diagnostic::{did_you_mean, one_of};
use referee_source::{Span, Spanned, Word, keyword_at, texts};
use referee_syntax::near_expectation;
use referee_table::{
    Owner, PieceId, PlayerId, PropertyId, PropertyKind, Table, Undotted, Value, WordError, ZoneId, likely_name,
    no_board,
};

pub(crate) fn players(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    line: Span,
) -> Option<Vec<PlayerId>> {
    if words.is_empty() {
        let end = end_of(words, line);
        return resolver.misread(WordError::new("missing_value", end, "a player is missing here"));
    }
    if let Some(equals) = words.first().filter(|word| word.is("=")) {
        let misread = WordError::new("wrong_form", equals.span, "`=` does not belong here");
        let rest = words.get(1).map_or("PLAYER", |word| word.text);
        return resolver.misread(misread.help(format!("name the player alone: `winner {rest}`")));
    }
    words.iter().map(|word| resolver.get(names(table).player(word))).collect()
}

/// Reads a fact that begins with a name.
pub(crate) fn plain(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], line: Span) -> Option<Fact> {
    let names = names(table);
    let end = end_of(words, line);
    let Some(first) = words.first() else {
        return resolver.misread(WordError::new("missing_value", end, "this line does not say what is expected"));
    };
    let text = |at: usize| text(words, at);
    if let Some(read) = dotted(resolver, table, words) {
        return property_value(resolver, table, read?, words, end);
    }
    if let Some(check) = cards::expect(resolver, table, words, line) {
        return check;
    }
    if text(1) == "face" || text(1) == "not" && text(2) == "face" {
        return face_down(resolver, table, words, first, end);
    }
    if let Some(check) = ending(resolver, table, words) {
        return check;
    }
    if matches!(text(1), "empty" | "holds") {
        return cell_content(resolver, table, words, first, end);
    }
    if let Ok((piece, taken)) = names.piece(words)
        && matches!(text(taken), "off" | "at")
    {
        return piece_place(resolver, table, (piece, taken), words, end);
    }
    if let Some(misread) = no_place(table, words) {
        return resolver.misread(misread);
    }
    let owner = || names.piece(words).is_ok() || names.player(first).is_ok() || text(0) == "game";
    if words.len() > 1 && owner() || table.schema.property(first.text).is_some() {
        return flag_value(resolver, table, words, first.span.to(end));
    }
    if let Some(misread) = lies_on(table, words) {
        return resolver.misread(misread);
    }
    unknown(resolver, table, words, first)
}

/// Returns the text of a word without quotes; an empty text for other words, or if there is no such word.
fn text<'w>(words: &[Word<'w>], at: usize) -> &'w str {
    keyword_at(words, at)
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

/// Reads the value of a property: `red.score = 3`.
fn property_value(
    resolver: &mut Resolver<'_>,
    table: &Table,
    ((owner, property), taken): ((Owner, PropertyId), usize),
    words: &[Word<'_>],
    end: Span,
) -> Option<Fact> {
    if let (Owner::Player(player), Some(first)) = (owner, words.first()) {
        let name = table.schema.player_name(player);
        let end = first.span.start + Span::new(0..name.len()).end;
        let word = Word { text: name, span: Span { end, ..first.span }, quoted: false };
        taking_part(resolver, table, player, &word)?;
    }
    let of = texts(words.get(..taken).unwrap_or_default());
    if text(words, taken) != "=" {
        let span = words.get(taken).map_or(end, |word| word.span);
        let rest = words.get(taken..).unwrap_or_default();
        // What follows a name with a dot is another claim.
        let claim = rest.iter().position(|word| word.dotted().is_some()).unwrap_or(rest.len());
        let rest = texts(rest.get(..claim).unwrap_or_default());
        let help = match compared(&rest) {
            Some((sign, value)) => format!("compare in braces: `{{ {of} {sign} {value} }}`"),
            None => {
                let value = rest.strip_prefix("is ").unwrap_or(&rest);
                let value = match value {
                    "" => "3",
                    "empty" | "nothing" | "unset" | "()" => "none",
                    value => value,
                };
                format!("write `expect {of} = {value}`")
            }
        };
        return resolver.misread(WordError::new("wrong_form", span, "`=` is missing here").help(help));
    }
    if let Some(second) = words.get(taken + 1).filter(|_| text(words, taken + 1) == "=") {
        let value = texts(words.get(taken + 2..).unwrap_or_default());
        let help = format!("write `expect {of} = {value}`");
        let misread = WordError::new("wrong_form", second.span, "there is one `=` too many");
        return resolver.misread(misread.help(help));
    }
    let value = value(resolver, table, property, words.get(taken + 1..).unwrap_or_default(), end)?;
    Some(Fact::Property(property, owner, value))
}

/// Reads `d4 face down` or `d4 not face down`.
fn face_down(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    first: &Word<'_>,
    end: Span,
) -> Option<Fact> {
    let not = usize::from(text(words, 1) == "not");
    let cell = resolver.get(names(table).cell(first))?;
    if text(words, 2 + not) == "down" {
        return nothing_more(resolver, words, 3 + not, Fact::FaceDown(cell, not == 0));
    }
    let span = words.get(2 + not).map_or(end, |word| word.span);
    let misread = WordError::new("wrong_form", span, "`down` is missing here");
    let help =
        format!("write `expect {0} face down`, or `expect {0} holds CARD` for a card that is face up", first.text);
    resolver.misread(misread.help(help))
}

/// Reads `d4 empty` or `d4 holds black king`.
fn cell_content(
    resolver: &mut Resolver<'_>,
    table: &Table,
    words: &[Word<'_>],
    first: &Word<'_>,
    end: Span,
) -> Option<Fact> {
    let names = names(table);
    let cell = resolver.get(names.cell(first))?;
    if text(words, 1) == "empty" {
        return nothing_more(resolver, words, 2, Fact::Empty(cell));
    }
    let rest = words.get(2..).unwrap_or_default();
    let nothing = rest.first().filter(|word| matches!(word.text, "none" | "nothing" | "nobody") && rest.len() == 1);
    let read = if let Some(nothing) = nothing.filter(|word| table.schema.piece(word.text).is_none()) {
        let message = format!("`{}` is no piece", nothing.text);
        Err(WordError::new("unknown_piece", nothing.span, message).help(format!("write `expect {} empty`", first.text)))
    } else if rest.is_empty() {
        Err(WordError::new("missing_value", end, "a piece is missing here"))
    } else {
        names.prefixed_piece(rest)
    };
    let ((piece, player), taken) = resolver.get(read)?;
    let player = match player {
        Some(Spanned { node, span }) => {
            let word = Word::plain(table.schema.player_name(node), span);
            Some(taking_part(resolver, table, node, &word)?)
        }
        None => None,
    };
    nothing_more(resolver, words, 2 + taken, Fact::Holds(cell, piece, player))
}

/// Reads `black king at d4`, or `black king off`, after the name of the piece.
fn piece_place(
    resolver: &mut Resolver<'_>,
    table: &Table,
    (piece, taken): (PieceId, usize),
    words: &[Word<'_>],
    end: Span,
) -> Option<Fact> {
    if !table.board.has_cells()
        && let Some(misread) = in_a_zone(table, piece, taken, words)
    {
        return resolver.misread(misread);
    }
    if text(words, taken) == "off" {
        return nothing_more(resolver, words, taken + 1, Fact::Off(piece));
    }
    if table.board.is_numbered() && text(words, taken + 1) == "start" {
        return nothing_more(resolver, words, taken + 2, Fact::Off(piece));
    }
    let read = words.get(taken + 1).map_or_else(
        || Err(WordError::new("missing_value", end, "a cell is missing here")),
        |word| {
            let start = if table.board.is_numbered() { Some("start") } else { None };
            let near = did_you_mean(word.text, start);
            names(table).cell(word).map_err(|misread| near.into_iter().fold(misread, WordError::help))
        },
    );
    let cell = resolver.get(read)?;
    nothing_more(resolver, words, taken + 2, Fact::At(piece, cell))
}

/// Returns the error for a place of a card in a game with zones and without a board.
fn in_a_zone(table: &Table, piece: PieceId, taken: usize, words: &[Word<'_>]) -> Option<WordError> {
    let schema = &table.schema;
    let card = schema.piece_name(piece);
    let (at, rest) = (words.get(taken)?, words.get(taken + 1..)?);
    let zone = match rest.first().filter(|word| schema.is_zone(word.text)) {
        Some(_) => texts(rest),
        None => {
            let owned = schema.zones.iter().position(|zone| zone.owner.is_some()).unwrap_or(0);
            schema.zones.get(owned).map(|_| schema.zone_name(ZoneId::at(owned)))?
        }
    };
    let message = format!("a card cannot be `{}` here: this game has no board", at.text);
    Some(WordError::new("no_board", at.span, message).help(format!("name a zone: `expect {card} in {zone}`")))
}

/// Reads a flag; reports the actual kind of another name.
fn flag_value(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], whole: Span) -> Option<Fact> {
    if let ([player, ..], "asks" | "asked") = (words, text(words, 1))
        && names(table).player(player).is_ok()
    {
        let rest = texts(words.get(2..).unwrap_or_default());
        let message = format!("`{}` does not belong here", text(words, 1));
        let misread = WordError::new("wrong_form", words.get(1).map_or(whole, |word| word.span), message);
        return resolver.misread(misread.help(format!("write `expect asks {} {rest}`", player.text)));
    }
    if let Some(Undotted { owner, name, value }) = names(table).undotted(words) {
        let message = format!("`{name}` is a number or another value, not a flag");
        let help = format!("write `expect {owner}.{name} = {}`", value.as_deref().unwrap_or("3"));
        return resolver.misread(WordError::new("wrong_form", whole, message).help(help));
    }
    let joined = |from: usize| {
        let words = words.get(from..).unwrap_or_default().iter().map(|word| word.text);
        words.collect::<Vec<_>>().join(" ")
    };
    if let ([subject, is, ..], "at" | "off") = (words, text(words, 2))
        && is.is("is")
    {
        let misread = WordError::new("wrong_form", is.span, "`is` does not belong here");
        return resolver.misread(misread.help(format!("write `expect {} {}`", subject.text, joined(2))));
    }
    // A flag may have the name of an event.
    let is_event = |word: &&Word<'_>| {
        let schema = &table.schema;
        !word.quoted
            && schema.events.iter().any(|event| event.verb == word.text)
            && !schema.properties.iter().any(|property| property.name == word.text)
    };
    if let Some(verb) = words.iter().skip(1).find(is_event) {
        let misread = WordError::new("wrong_form", verb.span, format!("`{}` is an event, not a flag", verb.text));
        return resolver.misread(misread.help(format!("write it in a row below `expect events`: `> {}`", joined(0))));
    }
    if let Some(misread) = neither(table, words) {
        return resolver.misread(misread);
    }
    let (owner, property, truth) = resolver.get(flag(table, words).map_err(|misread| {
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
        taking_part(resolver, table, player, first)?;
    }
    Some(Fact::Property(property, owner, Value::Bool(truth)))
}

/// Returns the error for `ann at d4` and `ann off`, if this player has no piece or the game has no board.
fn no_place(table: &Table, words: &[Word<'_>]) -> Option<WordError> {
    let (first, second) = words.first().zip(words.get(1))?;
    if !matches!(second.text, "at" | "off") || second.quoted || table.schema.player(first.text).is_none() {
        return None;
    }
    if !table.board.has_cells() {
        let last = words.last().map_or(second.span, |last| last.span);
        let message = format!("`{}` cannot be anywhere: this game has no board", first.text);
        return Some(no_board(second.span.to(last), message));
    }
    let pieces = table.schema.pieces.iter().filter(|piece| !piece.is_back());
    let help = match one_of(pieces.map(|piece| piece.name.as_str()), 9) {
        none if none.is_empty() => "declare pieces in the game file: `piece marker for each player`".to_owned(),
        list => format!("name a piece: {list}"),
    };
    Some(WordError::new("unknown_piece", first.span, format!("the player `{}` is no piece", first.text)).help(help))
}

/// Returns the error for `d4 is black king`, which means `d4 holds black king`.
fn lies_on(table: &Table, words: &[Word<'_>]) -> Option<WordError> {
    let (cell, word) = words.first().zip(words.get(1)).filter(|(cell, _)| !cell.quoted)?;
    names(table).cell(cell).ok()?;
    let rest = words.get(2..).unwrap_or_default();
    let message = format!("`{}` does not belong here", word.text);
    if word.is("not") {
        let help = format!("say which piece is there: `expect {} holds PIECE`", cell.text);
        return Some(WordError::new("wrong_form", word.span, message).help(help));
    }
    if rest.is_empty()
        && let Some(near) = did_you_mean(word.text, ["empty"])
    {
        return Some(WordError::new("wrong_form", word.span, message).help(near));
    }
    let empty = matches!(rest, [only] if matches!(only.text, "empty" | "free" | "nothing" | "none"));
    let what = match names(table).piece(rest).or_else(|_| names(table).piece(words.get(1..).unwrap_or_default())) {
        _ if empty => "empty".to_owned(),
        Ok((piece, _)) => format!("holds {}", table.schema.piece_name(piece)),
        Err(_) => "holds PIECE".to_owned(),
    };
    Some(WordError::new("wrong_form", word.span, message).help(format!("write `expect {} {what}`", cell.text)))
}

/// Reads `white loses`, and reports other words for it and for `winner white`: `white wins`, `win white`. Returns
/// `None` for other lines.
fn ending(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>]) -> Option<Option<Fact>> {
    let [first, second, ..] = words else { return None };
    let bare = |word: &Word<'_>, all: &[&str]| word.is_any(all) && table.schema.property(word.text).is_none();
    let player = |word: &Word<'_>| names(table).player(word).ok();
    if let Some(loser) = player(first).filter(|_| bare(second, &["loses"])) {
        // A player who does not play has never won.
        let Some(loser) = taking_part(resolver, table, loser, first) else { return Some(None) };
        return Some(nothing_more(resolver, words, 2, Fact::Loses(loser)));
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
    let misread = WordError::new("wrong_form", verb.span, format!("`{}` cannot describe the end of a game", verb.text));
    Some(resolver.misread(misread.help(format!("write `{right}`"))))
}

/// Returns the error for `red on e5`, which needs `at`, and for `red = 3`, which names no property.
fn neither(table: &Table, words: &[Word<'_>]) -> Option<WordError> {
    let (first, last) = words.first().zip(words.last())?;
    let names = names(table);
    if let Some(equals) = words.iter().find(|word| word.is("=")) {
        let span = first.span.to(equals.span);
        let misread = WordError::new("wrong_form", span, "the counter or property before `=` is missing");
        let named = |kind: &PropertyKind| *kind != PropertyKind::Flag;
        let known = table.schema.properties.iter().filter(|property| named(&property.kind));
        let help = match one_of(known.map(|property| property.name.as_str()), 9) {
            list if list.is_empty() => "this game declares no counters and no properties".to_owned(),
            list => format!("write `{}.NAME = …`; the names are {list}", first.text),
        };
        return Some(misread.help(help));
    }
    let (_, taken) = names.piece(words).ok()?;
    let word = words.get(taken).filter(|_| words.len() == taken + 2)?;
    names.cell(last).ok()?;
    let message = format!("`{}` does not belong here", word.text);
    Some(WordError::new("wrong_form", word.span, message).help(format!("did you mean `at {}`?", last.text)))
}

/// Returns `read` if the words end before the one at this index; reports the extra word.
pub(crate) fn nothing_more<T>(resolver: &mut Resolver<'_>, words: &[Word<'_>], at: usize, read: T) -> Option<T> {
    match words.get(at) {
        None => Some(read),
        Some(extra) => {
            let misread = WordError::new("wrong_form", extra.span, format!("`{}` does not belong here", extra.text));
            resolver.misread(misread)
        }
    }
}

fn unknown(resolver: &mut Resolver<'_>, table: &Table, words: &[Word<'_>], first: &Word<'_>) -> Option<Fact> {
    let names = names(table);
    let about_piece = words.iter().any(|word| matches!(word.text, "at" | "off"));
    if about_piece {
        return resolver.get(names.piece(words).map(|_| None::<Fact>)).flatten();
    }
    let keyword = near_expectation(first.text).map(|keyword| format!("did you mean `{keyword}`?"));
    let schema = &table.schema;
    if let ([only], Some(player)) = (words, schema.player(first.text)) {
        let player = schema.player_name(player);
        let message = format!("this line does not say what is expected of {player}");
        let help = format!("write for example `expect turn {player}`, or `expect winner {player}`");
        return resolver.misread(WordError::new("missing_value", only.span, message).help(help));
    }
    let all = schema.pieces.iter().map(|piece| piece.name.as_str()).chain(schema.players.iter().map(String::as_str));
    let all = all.chain(schema.zones.iter().map(|zone| zone.name.as_str()));
    let help = likely_name(words, all).or(keyword).unwrap_or_else(|| {
        let kinds = ["a player", "a piece", "a cell", "a zone"];
        let has = [true, !schema.pieces.is_empty(), table.board.has_cells(), !schema.zones.is_empty()];
        let kinds: Vec<&str> = kinds.into_iter().zip(has).filter_map(|(kind, has)| has.then_some(kind)).collect();
        let words = "a word such as `board`, `events`, `turn`, `winner`";
        format!("begin the expectation with {}, or {words}", kinds.join(", "))
    });
    resolver
        .misread(WordError::new("unknown_expectation", first.span, format!("unknown name `{}`", first.text)).help(help))
}
