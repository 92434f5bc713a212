//! Who takes part in a scenario.

use std::collections::BTreeSet;

use super::blocks::whole;
use super::resolver::Resolver;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::syntax::ast::{Line, LineKind};
use crate::table::{PlayerId, Schema};

/// Who takes part: those that a `players` line names; else all where their number is fixed; else those whose names
/// stand in the scenario, filled up in the game's order to the least number.
pub(super) fn players(resolver: &mut Resolver<'_>, schema: &Schema, lines: &[&Line], all: &[&Line]) -> Vec<PlayerId> {
    let everybody: Vec<PlayerId> = (0..schema.players.len()).map(PlayerId::at).collect();
    let second = lines.iter().filter(|line| matches!(line.kind, LineKind::Players { .. })).nth(1);
    if let Some(line) = second {
        let wrong = Diagnostic::new("duplicate_line", resolver.source, line.span, "a line says already who plays");
        resolver.say(wrong.help("name everybody in one line: `players red green`"));
    }
    let said = lines.iter().find_map(|line| match &line.kind {
        LineKind::Players { names, count } => Some((names, *count)),
        _ => None,
    });
    if let Some((spans, count)) = said {
        if let Some(count) = count {
            let message = "a player's name was expected here: in a scenario this line names those who play";
            let wrong = Diagnostic::new("misplaced_line", resolver.source, count.span, message);
            let names: Vec<&str> = spans.iter().map(|span| resolver.source.slice(*span)).collect();
            let names = if names.is_empty() {
                schema.players.iter().take(schema.player_count.0).map(String::as_str).collect()
            } else {
                names
            };
            resolver.say(wrong.help(format!("leave the number out: `players {}`", names.join(" "))));
        }
        let mut named = Vec::new();
        for word in resolver.words(spans) {
            match schema.player(word.text) {
                Some(player) if named.contains(&player) => resolver.say(Diagnostic::new(
                    "duplicate_name",
                    resolver.source,
                    word.span,
                    format!("`{}` is named twice", word.text),
                )),
                Some(player) => named.push(player),
                None => {
                    let names = || schema.players.iter().map(String::as_str);
                    let help = did_you_mean(word.text, names())
                        .unwrap_or_else(|| format!("the players are {}", one_of(names(), 9)));
                    resolver.say(
                        Diagnostic::new(
                            "unknown_player",
                            resolver.source,
                            word.span,
                            format!("there is no player `{}`", word.text),
                        )
                        .help(help),
                    );
                }
            }
        }
        return named;
    }
    let (least, most) = schema.player_count;
    if least == most {
        return everybody;
    }
    let source = resolver.source;
    let symbols = diagram_tokens(source, all);
    // Of a table only the present row counts, which also keeps a long table from being read again for each row.
    let own = all.iter().filter(|line| !matches!(line.kind, LineKind::Examples(_))).map(|line| whole(line));
    let row = resolver.row.iter().map(|row| row.span);
    let letter = |letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-';
    let words: BTreeSet<&str> = own.chain(row).flat_map(|span| source.slice(span).split(letter)).collect();
    let stands = |name: &str| words.contains(name);
    let drawn = |player: PlayerId| {
        schema.pieces.iter().any(|piece| piece.owner == Some(player) && symbols.contains(&piece.symbol.as_str()))
    };
    let mut taking: Vec<bool> =
        everybody.iter().map(|player| stands(schema.player_name(*player)) || drawn(*player)).collect();
    let mut missing = least.saturating_sub(taking.iter().filter(|takes| **takes).count());
    for takes in &mut taking {
        if missing > 0 && !*takes {
            *takes = true;
            missing -= 1;
        }
    }
    everybody.into_iter().zip(taking).filter(|(_, takes)| *takes).map(|(player, _)| player).collect()
}

/// The tokens of all position diagrams.
fn diagram_tokens<'s>(source: &'s crate::source::Source, lines: &[&Line]) -> Vec<&'s str> {
    let rows = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Board { rows, .. } => Some(rows),
        _ => None,
    });
    rows.flatten().flat_map(|row| source.slice(*row).split_whitespace()).collect()
}
