//! Settings of a whole scenario: options, claimed clauses, and the values of its table's row.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::plan::reading::{Reading, Settled};
use crate::plan::resolver::{Resolver, names};
use crate::plan::steps;
use referee_diagnostic::{Code, Diagnostic, did_you_mean, one_of};
use referee_game::Game;
use referee_rules::{Placeholders, Program};
use referee_source::{Source, Span, Word, texts};
use referee_syntax::ast::{Line, LineKind};
use referee_syntax::{FileKind, parse};
use referee_table::{BoardSpec, ClauseId, OptionId, Schema, Setting, Table, Value};

/// Returns the values of the table's row: the named values, or strings if the words name none.
pub(crate) fn placeholders(resolver: &Resolver<'_>, table: &Table) -> Placeholders {
    let Some(row) = &resolver.row else { return Vec::new() };
    let value = |spans: &[Span]| {
        let words: Vec<Word<'_>> = spans.iter().map(|span| resolver.source.word(*span)).collect();
        if let [Word { text: text @ ("true" | "false"), quoted: false, .. }] = words.as_slice() {
            return Value::Bool(*text == "true");
        }
        let mut rest = resolver.phrase(&words, Span::default());
        match steps::any_value(names(table), &mut rest) {
            Ok(value) if rest.is_empty() => value,
            _ => Value::text(&texts(&words)),
        }
    };
    row.values.iter().map(|(name, _, spans)| ((*name).to_owned(), value(spans))).collect()
}

/// Returns the values of the options. In increasing priority they come from the defaults, the variant, the house rules,
/// the reading and the scenario's lines; a reading sets no option that the scenario sets itself.
///
/// `program` has all house rules, `own` those of the scenario alone.
pub(crate) fn options(
    resolver: &mut Resolver<'_>,
    (game, variant): (&Game, usize),
    (program, own): (&Program, &Program),
    lines: &[&Line],
    reading: &Reading,
) -> Settled {
    let schema = &game.schema;
    let mut options = schema.option_values(variant);
    let of_variant = schema.variants.get(variant).into_iter().flat_map(|variant| &variant.settings);
    let mut set: BTreeSet<OptionId> = of_variant.map(|(option, _)| *option).collect();
    // The errors of these settings are reported below, with those of all house rules.
    set.extend(own.settings().into_iter().flatten().map(|(option, _)| option));
    match program.settings() {
        Ok(settings) => {
            for (option, setting) in settings {
                if let Some(slot) = options.get_mut(option.index()) {
                    *slot = setting;
                }
            }
        }
        Err(wrong) => resolver.report_all(wrong),
    }
    let set_by_lines = set_by_lines(resolver, schema, lines, &mut options);
    set.extend(set_by_lines);
    // The options of house rules have other ids in each scenario.
    let of_houses = reading.of_houses.iter().filter_map(|(name, value)| {
        let id = schema.option(name)?;
        Some((id, schema.options.get(id.index())?.choice.setting(value)?))
    });
    let of_reading = reading.settings.iter().cloned().chain(of_houses);
    for (option, setting) in of_reading.filter(|(option, _)| !set.contains(option)) {
        if let Some(slot) = options.get_mut(option.index()) {
            *slot = setting;
        }
    }
    Settled { values: options, own: set }
}

/// Sets the options of the lines `with OPTION = VALUE`; returns which they are.
fn set_by_lines(
    resolver: &mut Resolver<'_>,
    schema: &Schema,
    lines: &[&Line],
    options: &mut [Setting],
) -> BTreeSet<OptionId> {
    let mut seen: BTreeSet<OptionId> = BTreeSet::new();
    for line in lines {
        let LineKind::With { name, value } = line.kind else { continue };
        let words = resolver.words(&[name, value]);
        let [name, value] = words.as_slice() else {
            let wrong =
                Diagnostic::new(Code::WrongForm, resolver.source, line.span, "expected one option and one value");
            resolver.report(wrong.help("write `with OPTION = VALUE`: each placeholder must be one word here"));
            continue;
        };
        let Some(id) = schema.option(name.text) else {
            unknown_option(resolver, schema, name);
            continue;
        };
        let Some(option) = schema.options.get(id.index()) else { continue };
        if !seen.insert(id) {
            let message = format!("the option `{}` is already set", name.text);
            let wrong = Diagnostic::new(Code::DuplicateLine, resolver.source, name.span, message);
            resolver.report(
                wrong.help("set an option once in a scenario; use a table or another scenario for another value"),
            );
        }
        match (option.choice.setting(value.text), options.get_mut(id.index())) {
            (Some(setting), Some(slot)) => *slot = setting,
            _ => unknown_value(resolver, &option.choice.words(), name, value),
        }
    }
    seen
}

/// Reports an option that the game does not have.
fn unknown_option(resolver: &mut Resolver<'_>, schema: &Schema, name: &Word<'_>) {
    let all = || schema.options.iter().map(|option| option.name.as_str());
    let help = did_you_mean(name.text, all()).unwrap_or_else(|| match one_of(all(), 12) {
        list if list.is_empty() => "this game has no options".to_owned(),
        list => format!("the options are {list}"),
    });
    let message = format!("unknown option `{}`", name.text);
    resolver.report(Diagnostic::new(Code::UnknownOption, resolver.source, name.span, message).help(help));
}

/// Reports a value that an option does not have.
fn unknown_value(resolver: &mut Resolver<'_>, values: &[String], name: &Word<'_>, value: &Word<'_>) {
    let help = did_you_mean(value.text, values.iter().map(String::as_str))
        .unwrap_or_else(|| format!("its values are {}", one_of(values.iter().map(String::as_str), 9)));
    let message = format!("unknown value `{}` of the option `{}`", value.text, name.text);
    resolver.report(Diagnostic::new(Code::UnknownValue, resolver.source, value.span, message).help(help));
}

/// Returns the board that a house rule sets in its constant `BOARD`.
///
/// # Errors
/// Returns an error if the board cannot be read, or is not of the same kind as the game's.
pub(crate) fn house_board(game: &Game, program: &Program) -> Result<Option<BoardSpec>, Box<Diagnostic>> {
    let Some((words, label)) = program.board() else { return Ok(None) };
    let board = read_board(game, &words).map_err(|help| {
        let wrong = Diagnostic::general(Code::WrongBoard, format!("the house rule's board `{words}` cannot be used"));
        Box::new(wrong.help(help).labelled(label))
    })?;
    Ok(Some(board))
}

/// Reads a board in the words of a `board` line; returns help if it is wrong.
fn read_board(game: &Game, words: &str) -> Result<BoardSpec, String> {
    let example = || {
        let board = match game.schema.board.whole() {
            BoardSpec::Grid(columns, rows) => format!("grid {columns}x{rows}"),
            BoardSpec::Track(cells) => format!("track {cells}"),
            BoardSpec::Hex(side) => format!("hex {side}"),
            BoardSpec::Rhombus(columns, rows) => format!("rhombus {columns}x{rows}"),
            BoardSpec::Triangle(side) => format!("triangle {side}"),
            BoardSpec::Rings(rings, cells) => format!("rings {rings}x{cells}"),
            BoardSpec::Graph(graph) => format!("graph from \\\"{}\\\"", graph.file),
            _ => "hex 7".to_owned(),
        };
        format!("write for example `const BOARD = \"{board}\";`")
    };
    let source = Arc::new(Source::built_in("(board)", format!("board {words}")));
    let (file, wrong) = parse(&source, FileKind::Game);
    let shape = match file.lines.as_slice() {
        [Line { kind: LineKind::Board { shape: Some(shape), .. }, .. }] if wrong.is_empty() => shape,
        _ => return Err(example()),
    };
    let board = referee_game::board_spec(&source, shape, &game.schema.graphs)
        .map_err(|wrong| wrong.help.unwrap_or_else(example))?;
    let alike = board.is_like(&game.schema.board);
    if alike { Ok(board) } else { Err("write a board of the same kind as the game's board".to_owned()) }
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
                        list if list.is_empty() => "add clauses to the game's rulebook, which has none: \
                             begin paragraphs with labels such as `[B4]`"
                            .to_owned(),
                        list => format!("the clauses are {list}"),
                    });
                    resolver.report(
                        Diagnostic::new(
                            Code::UnknownClause,
                            resolver.source,
                            word.span,
                            format!("unknown clause `{}`", word.text),
                        )
                        .help(help),
                    );
                }
            }
        }
    }
    covers
}
