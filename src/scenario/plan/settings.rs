//! What holds for a whole scenario: the options, the clauses that it claims, the values of its table's row.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, did_you_mean, one_of};
use crate::game::Game;
use crate::rules::{Holes, Program};
use crate::scenario::plan::resolver::{Resolver, names};
use crate::scenario::plan::steps;
use crate::source::{Source, Span, Word};
use crate::syntax::ast::{Line, LineKind};
use crate::syntax::{FileKind, parse};
use crate::table::{BoardSpec, ClauseId, OptionId, Setting, Table, Value};

/// Returns the values of the table's row as values: what they name, else texts.
pub(crate) fn holes(resolver: &Resolver<'_>, table: &Table) -> Holes {
    let Some(row) = &resolver.row else { return Vec::new() };
    let value = |spans: &[Span]| {
        let words: Vec<Word<'_>> = spans.iter().map(|span| resolver.source.word(*span)).collect();
        if let [Word { text: text @ ("true" | "false"), quoted: false, .. }] = words.as_slice() {
            return Value::Bool(*text == "true");
        }
        match steps::any_value(names(table), &words, Span::default()) {
            Ok((value, taken)) if taken == words.len() => value,
            _ => Value::text(&words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ")),
        }
    };
    row.values.iter().map(|(name, _, spans)| ((*name).to_owned(), value(spans))).collect()
}

/// What the options are set to: the defaults, then the variant, then the house rules, then the scenario's lines.
pub(crate) fn options(
    resolver: &mut Resolver<'_>,
    (game, variant): (&Game, usize),
    program: &Program,
    lines: &[&Line],
) -> Vec<Setting> {
    let schema = &game.schema;
    let mut options = schema.settled(variant);
    match program.settings() {
        Ok(settings) => {
            for (option, setting) in settings {
                if let Some(slot) = options.get_mut(option.index()) {
                    *slot = setting;
                }
            }
        }
        Err(wrong) => resolver.wrong.extend(wrong),
    }
    let mut said: BTreeSet<OptionId> = BTreeSet::new();
    for line in lines {
        let LineKind::With { name, value } = line.kind else { continue };
        let words = resolver.words(&[name, value]);
        let [name, value] = words.as_slice() else {
            let wrong =
                Diagnostic::new("wrong_form", resolver.source, line.span, "this line sets one option to one value");
            resolver.say(wrong.help("each hole stands for one word here: `with OPTION = VALUE`"));
            continue;
        };
        let Some(id) = schema.option(name.text) else {
            let all = || schema.options.iter().map(|option| option.name.as_str());
            let help = did_you_mean(name.text, all()).unwrap_or_else(|| match one_of(all(), 12) {
                list if list.is_empty() => "this game has no options".to_owned(),
                list => format!("the options are {list}"),
            });
            resolver.say(
                Diagnostic::new(
                    "unknown_option",
                    resolver.source,
                    name.span,
                    format!("the game has no option `{}`", name.text),
                )
                .help(help),
            );
            continue;
        };
        let Some(option) = schema.options.get(id.index()) else { continue };
        if !said.insert(id) {
            let message = format!("the option `{}` is set already", name.text);
            let wrong = Diagnostic::new("duplicate_line", resolver.source, name.span, message);
            resolver.say(wrong.help("a scenario sets an option once; a table or another scenario tries another value"));
        }
        match (option.choice.setting(value.text), options.get_mut(id.index())) {
            (Some(setting), Some(slot)) => *slot = setting,
            _ => {
                let values = option.choice.words();
                let help = did_you_mean(value.text, values.iter().map(String::as_str))
                    .unwrap_or_else(|| format!("its values are {}", one_of(values.iter().map(String::as_str), 9)));
                resolver.say(
                    Diagnostic::new(
                        "unknown_value",
                        resolver.source,
                        value.span,
                        format!("the option `{}` has no value `{}`", name.text, value.text),
                    )
                    .help(help),
                );
            }
        }
    }
    options
}

/// Returns the board that a house rule gives in its constant `BOARD`.
///
/// # Errors
/// It cannot be read, or is of another sort.
pub(crate) fn house_board(game: &Game, program: &Program) -> Result<Option<BoardSpec>, Box<Diagnostic>> {
    let Some((words, label)) = program.board() else { return Ok(None) };
    let board = read_board(game, &words).map_err(|help| {
        let wrong = Diagnostic::general("wrong_board", format!("the house rule's board `{words}` cannot be used"));
        Box::new(Diagnostic { labels: label.into_iter().collect(), ..wrong.help(help) })
    })?;
    Ok(Some(board))
}

/// Returns a board in the words of a `board` line; what is wrong with it otherwise.
fn read_board(game: &Game, words: &str) -> Result<BoardSpec, String> {
    let example = || "write for example `const BOARD = \"hex 7\";`".to_owned();
    let source = Arc::new(Source::new("(board)", format!("board {words}")));
    let (file, wrong) = parse(&source, FileKind::Game);
    let shape = match file.lines.as_slice() {
        [Line { kind: LineKind::Board { shape: Some(shape), .. }, .. }] if wrong.is_empty() => *shape,
        _ => return Err(example()),
    };
    let board = crate::game::board_spec(&source, shape).map_err(|wrong| wrong.help.unwrap_or_else(example))?;
    let alike = std::mem::discriminant(&board) == std::mem::discriminant(&game.schema.board);
    if alike { Ok(board) } else { Err("it must be of the same sort as the game's board".to_owned()) }
}

/// Returns the clauses that the scenario claims to apply.
pub(crate) fn covers(resolver: &mut Resolver<'_>, game: &Game, lines: &[&Line]) -> Vec<(ClauseId, Span)> {
    let mut covers = Vec::new();
    for line in lines {
        let LineKind::Covers(spans) = &line.kind else { continue };
        for word in resolver.words(spans) {
            match game.schema.clause(word.text) {
                Some(clause) => covers.push((clause, word.span)),
                None => {
                    let all = || game.schema.clauses.iter().map(|clause| clause.id.as_str());
                    let help = did_you_mean(word.text, all()).unwrap_or_else(|| match one_of(all(), 30) {
                        list if list.is_empty() => {
                            "the game's rulebook has no clauses: they are paragraphs that begin with `[B4]`".to_owned()
                        }
                        list => format!("the clauses are {list}"),
                    });
                    resolver.say(
                        Diagnostic::new(
                            "unknown_clause",
                            resolver.source,
                            word.span,
                            format!("the rulebook has no clause `{}`", word.text),
                        )
                        .help(help),
                    );
                }
            }
        }
    }
    covers
}
