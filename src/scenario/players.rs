//! Who takes part in a scenario.

use super::resolver::Resolver;
use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::source::Span;
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
            let wrong =
                Diagnostic::new("misplaced_line", resolver.source, count.span, "in a scenario this line has no number");
            resolver.say(wrong.help("name those who play: `players red green`"));
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
    let extent = all.iter().map(|line| line.span).reduce(Span::to).unwrap_or_default();
    let text = source.slice(extent);
    let symbols = diagram_tokens(source, all);
    let stands = |name: &str| {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '-').any(|word| word == name)
    };
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
