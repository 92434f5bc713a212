//! Reads a file line by line: the keyword picks the rule, rows go to the line above, and reading continues after
//! errors.

use std::sync::Arc;

use pest::Parser;
use pest::iterators::Pairs;

use super::ast::{Expect, File, Line, LineKind, Question, Row, Tail, Trivia, Words};
use super::braces::in_one_expression;
use super::cut::{Cutter, Piece, Statement};
use super::expression::DEEPEST;
use super::grammar::{Grammar, Rule};
use super::keywords::{
    BuildLine, FileKind, HOUSE, KEYWORDS, Keyword, NO_WINNER, Reading, expectation, first_word, is_of_houses, keyword,
    keyword_in, near_keyword, nearest,
};
use super::mistakes::Mistakes;
use super::parts::RowKind;
use super::tokens::{Token, Tokens};
use super::visible::LONGEST;
use super::{meant, scenario_lines, when, wording};
use referee_diagnostic::{Code, Diagnostic};
use referee_source::{Source, Span, Spanned};

/// How the next row is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// It is attached to the last line, if that takes rows.
    Attached,
    /// The same; a row that does not belong there has been reported.
    Noted,
    /// The same; a row without its mark has been reported.
    Bare,
    /// It is skipped: the line above it could not be read.
    Dropped,
}

/// What is between the words of a line.
const BLANK: [char; 2] = [' ', '\t'];

/// Words that begin lines of their own, and that authors write after `expect`.
const LINES_ALONE: [&str; 7] = ["always", "refuse", "roll", "do", "agree", "covers", "cites"];

/// Reads one file.
pub(super) struct Reader<'s> {
    source: &'s Arc<Source>,
    kind: FileKind,
    lines: Vec<Line>,
    rows: Rows,
    mistakes: Mistakes,
    /// The tokens of the current line; kept to reuse the allocation.
    tokens: Vec<Token>,
}

impl<'s> Reader<'s> {
    /// Returns a reader of `source`.
    pub(super) fn new(source: &'s Arc<Source>, kind: FileKind) -> Self {
        let mistakes = Mistakes::new(source);
        Self { source, kind, lines: Vec::new(), rows: Rows::Attached, mistakes, tokens: Vec::new() }
    }

    /// Reads the whole file.
    pub(super) fn read(mut self) -> (File, Vec<Diagnostic>) {
        let mut cutter = Cutter::new(self.source.text());
        self.pieces(&mut cutter);
        let file = File { source: Arc::clone(self.source), lines: self.lines, trivia: cutter.trivia };
        (file, self.mistakes.into_list())
    }

    /// Reads these parts of the file, in this order; each begins with a line of words.
    pub(super) fn read_parts(mut self, parts: &[Span]) -> (File, Vec<Diagnostic>) {
        for part in parts {
            self.pieces(&mut Cutter::within(self.source.text(), part.range()));
        }
        let file = File { source: Arc::clone(self.source), lines: self.lines, trivia: Trivia::default() };
        (file, self.mistakes.into_list())
    }

    fn pieces(&mut self, cutter: &mut Cutter<'_>) {
        while let Some(piece) = cutter.next(&mut self.mistakes) {
            match piece {
                Piece::Statement(statement) => self.line(statement),
                Piece::Bar(row) => self.row('|', row),
                Piece::Arrow(row) => self.row('>', row),
                Piece::Bad => self.rows = Rows::Dropped,
                Piece::BadRow => {}
            }
            if self.mistakes.full() {
                break;
            }
        }
    }

    /// Reads a row of a diagram whose `|` is missing, and returns whether there is one. Reports it once per diagram.
    fn bare_row(&mut self, span: Span) -> bool {
        let Some(last) = self.lines.last_mut() else { return false };
        let Some((RowKind::Diagram, rows)) = last.kind.rows_mut() else { return false };
        let text = self.source.slice(span);
        let mut words = text.split_whitespace();
        let empty = words.clone().any(|word| matches!(word, "." | "?"));
        let follows = self.rows == Rows::Bare && words.all(|word| word.chars().count() <= 2);
        if self.rows == Rows::Dropped || keyword(first_word(text)).is_some() || !(empty || follows) {
            return false;
        }
        rows.push(span);
        if self.rows != Rows::Bare {
            self.rows = Rows::Bare;
            let help = format!("write: | {text}");
            self.mistakes.add(Code::MisplacedRow, span, "the rows of a diagram begin with `|`", "", help);
        }
        true
    }

    fn line(&mut self, statement: Statement) {
        let span = statement.span;
        if self.bare_row(span) {
            return;
        }
        let before = self.mistakes.count();
        self.rows = Rows::Attached;
        if let Some(kind) = self.statement(statement) {
            self.lines.push(Line { span, kind });
            return;
        }
        self.rows = Rows::Dropped;
        if self.mistakes.count() == before {
            self.mistakes.add(Code::Syntax, span, "this line cannot be read", "", "rewrite this line");
        }
    }

    fn statement(&mut self, statement: Statement) -> Option<LineKind> {
        let text = self.source.slice(statement.span);
        let first = first_word(text);
        let Some(keyword) = keyword_in(first, self.kind) else { return self.without_keyword(first, statement) };
        if let Some(only) = keyword.only_in
            && !self.kind.has_lines_of(only)
        {
            let message = format!("`{first}` belongs in a {}, and this is a {}", only.name(), self.kind.name());
            let help = match (first, second_word(text)) {
                ("game", game) if !game.is_empty() => {
                    format!("write `use {game}`: this is how a scenario file names its game")
                }
                ("variant", variant) if !variant.is_empty() => {
                    let game = self.lines.iter().rev().find_map(|line| match &line.kind {
                        LineKind::Use { game, .. } => Some(self.source.slice(*game)),
                        _ => None,
                    });
                    format!("name it after the game: `use {} {variant}`", game.unwrap_or("GAME"))
                }
                _ => format!("move this line to a {}", only.name()),
            };
            self.mistakes.add(Code::WrongFile, word_span(first, statement), message, "", help);
            return None;
        }
        let rest = text.get(first.len()..).unwrap_or_default();
        // `shuffle: ace two` lacks the zone before its colon.
        if let Some(after) = rest.trim_start().strip_prefix(':').filter(|_| first != "shuffle") {
            let colon = statement.span.range().end - after.len() - 1;
            // A number after `players` is a mistake of its own, whose help has the names.
            if let Some(line) = self.numbered_players(first, Span::new(colon + 1..colon + 1 + after.len())) {
                return Some(line);
            }
            let message = format!("a colon does not belong after `{first}`");
            let right = format!("{first} {}", after.trim_start());
            let help = format!("write `{}`", right.lines().next().unwrap_or_default().trim_end());
            self.mistakes.add(Code::Syntax, Span::new(colon..colon + 1), message, "remove this", help);
            return None;
        }
        match keyword.reading {
            Reading::Expect => self.expectation(keyword, statement),
            Reading::Line(Rule::counter_line, _) if first == "record" && second_word(text) != "counter" => {
                let help = "only counters can be records: `record counter NAME`";
                self.mistakes.add(Code::NotSupported, statement.span, "records: not supported yet", "", help);
                None
            }
            Reading::Line(Rule::counter_line, _) if first == "clock" && second_word(text) != "counter" => {
                let help = "only a counter can be a clock: `clock counter NAME`";
                self.mistakes.add(Code::Syntax, statement.span, "expected `counter` after `clock`", "", help);
                None
            }
            Reading::Line(rule @ Rule::always_line, build) => {
                let line = self.parse((rule, build), Some(keyword), statement)?;
                self.whole_expression(statement)?;
                Some(line)
            }
            Reading::Line(rule @ Rule::when_line, build) => match self.when(statement) {
                Some(line) => {
                    self.whole_condition(&line, statement)?;
                    Some(line)
                }
                None => self.parse((rule, build), Some(keyword), statement),
            },
            Reading::Line(rule, build) => self.parse((rule, build), Some(keyword), statement),
        }
    }

    /// Returns the line `players: 2` of a scenario with its number.
    fn numbered_players(&mut self, first: &str, after: Span) -> Option<LineKind> {
        if first != "players" || self.kind != FileKind::Scenario {
            return None;
        }
        let words = words(self.source, after);
        let count = *words.first()?;
        let text = self.source.slice(count);
        let number: i64 = text.split_once("..").map_or(text, |(least, _)| least).parse().ok()?;
        let count = Spanned::new((number, number), count);
        Some(LineKind::Players { count: Some(count), names: words.into_iter().skip(1).collect() })
    }

    /// Returns a `when` line with a condition or an expression; `None` for one of words alone.
    fn when(&self, statement: Statement) -> Option<LineKind> {
        let text = self.source.slice(statement.span);
        let after = text.strip_prefix("when")?.trim_start_matches([' ', '\t']);
        let start = statement.span.range().end - after.len();
        let (before, tail) = when::tail(after, start)?;
        let words = words(self.source, before);
        (!words.is_empty()).then_some(LineKind::When { words, tail: Some(tail) })
    }

    /// Checks that the line ends after its condition.
    fn whole_condition(&mut self, line: &LineKind, statement: Statement) -> Option<()> {
        match line {
            LineKind::When { tail: Some(Tail::If(_)), .. } => self.whole_expression(statement),
            _ => Some(()),
        }
    }

    /// Returns a line without a keyword: an answer in a scenario, an error in a game.
    fn without_keyword(&mut self, first: &str, statement: Statement) -> Option<LineKind> {
        let span = word_span(first, statement);
        if self.kind == FileKind::Scenario {
            if let Some(expected) = expectation(first) {
                let message = format!("`{first}` needs `expect` before it");
                let help = wording::form(expected);
                self.mistakes.add(Code::MissingExpect, span, message, "`expect` is missing before this", help);
                return None;
            }
            return self.parse((Rule::answer_line, scenario_lines::answer), None, statement);
        }
        // The cards in a zone: `deck: bounce squash …`.
        if words(self.source, statement.span).iter().any(|word| self.source.slice(*word).ends_with(':')) {
            return self.parse((Rule::answer_line, scenario_lines::answer), None, statement);
        }
        let is_house = self.kind == FileKind::House;
        let known = || {
            let first = is_house.then_some(&HOUSE);
            let all = KEYWORDS.iter().filter(|keyword| keyword.only_in != Some(FileKind::Scenario));
            first.into_iter().chain(all.filter(move |keyword| !is_house || is_of_houses(keyword)))
        };
        let help = if let Some(near) = nearest(first, known()) {
            format!("did you mean `{near}`?")
        } else if let Some(near) = near_keyword(first) {
            format!("did you mean `{near}`? It belongs in a scenario file")
        } else {
            format!("begin the line with one of: {}", known().map(|known| known.word).collect::<Vec<_>>().join(", "))
        };
        let help = match (self.kind, first, second_word(self.source.slice(statement.span))) {
            (FileKind::Game, "house", name) => {
                format!("a house rule declares in a file of its own: write this line in `house/{name}/{name}.house`")
            }
            _ => help,
        };
        let message = match first {
            "" => "expected a keyword at the beginning of this line".to_owned(),
            first => format!("unknown keyword `{first}`"),
        };
        self.mistakes.add(Code::UnknownLine, span, message, "", help);
        None
    }

    fn expectation(&mut self, keyword: &'static Keyword, statement: Statement) -> Option<LineKind> {
        let text = self.source.slice(statement.span);
        let rest = text.strip_prefix(keyword.word).unwrap_or_default().trim_start_matches([' ', '\t']);
        if rest.starts_with('{') && !self.begins_with_placeholder(statement) {
            self.whole_expression(statement)?;
            return self.parse((Rule::expect_expression, scenario_lines::expect_expression), Some(keyword), statement);
        }
        let Some(special) = expectation(first_word(rest)) else {
            let own = LINES_ALONE.into_iter().find(|own| *own == first_word(rest));
            if let Some(own) = own {
                let start = statement.span.range().end - rest.len();
                let message = format!("`{}` begins a line of its own, without `expect`", own);
                let help = format!("write: {rest}");
                self.mistakes.add(Code::Syntax, Span::new(start..start + own.len()), message, "", help);
                return None;
            }
            return self.parse((Rule::expect_line, scenario_lines::expect), Some(keyword), statement);
        };
        let after = rest.strip_prefix(special.word).unwrap_or_default().trim_start_matches([' ', '\t']);
        let last = after.split_whitespace().next_back().filter(|last| meant::is_cell(last));
        if let Some(cell) = last.filter(|_| ["no", "nobody"].contains(&special.word)) {
            let start = statement.span.range().end - rest.len();
            let message = format!("`{}` cannot say what is on a cell", special.word);
            let word = Span::new(start..start + special.word.len());
            self.mistakes.add(Code::Syntax, word, message, "", meant::what_is_there(cell));
            return None;
        }
        let about = match special.reading {
            Reading::Line(Rule::expect_chance, _) => Some(None),
            Reading::Line(Rule::expect_reachable, _) => Some(Some(Question::Reachable)),
            Reading::Line(Rule::expect_never, _) => Some(Some(Question::Never)),
            _ => None,
        };
        if let Some(question) = about.filter(|_| after.starts_with('{') && !self.begins_with_placeholder(statement)) {
            return statement.expression.map(|expression| {
                let tail = self.source.slice(Span { start: expression.end, end: statement.span.end });
                let length = Span::new(0..tail.trim_start().len()).end;
                let tail = Span { start: statement.span.end - length, end: statement.span.end };
                let (expression, words) = (Some(expression), words(self.source, tail));
                LineKind::Expect(match question {
                    None => Expect::Chance { expression, words },
                    Some(question) => Expect::Question { question, expression, words },
                })
            });
        }
        // `no` also begins a question.
        let is_no_winner =
            matches!(special.reading, Reading::Line(Rule::expect_no_cycle, _)) && first_word(after) == "winner";
        let special = if is_no_winner { &NO_WINNER } else { special };
        match special.reading {
            Reading::Line(rule, build) => self.parse((rule, build), Some(special), statement),
            Reading::Expect => None,
        }
    }

    /// Returns whether the braces of `expect {who} squished` are a placeholder with words after it.
    fn begins_with_placeholder(&self, statement: Statement) -> bool {
        let Some(expression) = statement.expression else { return false };
        let inner = self.source.slice(expression).trim_matches(['{', '}', ' ', '\t']);
        expression.end != statement.span.end && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    /// Checks that this line ends after its embedded expression.
    fn whole_expression(&mut self, statement: Statement) -> Option<()> {
        let expression = statement.expression?;
        if expression.end == statement.span.end {
            return Some(());
        }
        let after = Span { start: expression.end, end: statement.span.end };
        let start = after.end - Span::new(0..self.source.slice(after).trim_start().len()).end;
        let message = "unexpected words after the closing brace";
        let written = self.source.slice(Span { start: expression.start, end: statement.span.end });
        let help = in_one_expression(written).map_or_else(
            || "end the line after the expression `{ … }`; check whether a brace is closed too early".to_owned(),
            |whole| format!("write one expression: `{whole}`"),
        );
        self.mistakes.add(Code::Syntax, Span { start, ..after }, message, "expected the end of the line", help);
        None
    }

    /// Parses a line by a rule, and builds it.
    fn parse(
        &mut self,
        (rule, build): (Rule, BuildLine),
        keyword: Option<&Keyword>,
        statement: Statement,
    ) -> Option<LineKind> {
        let text = self.source.slice(statement.span);
        match Grammar::parse(rule, text) {
            Ok(pairs) => collect(pairs, statement.span, &mut self.tokens),
            Err(error) => {
                wording::explain(&error, text, statement.span, keyword, &mut self.mistakes);
                return None;
            }
        }
        let mut tokens = Tokens::new(&self.tokens, self.source, &mut self.mistakes);
        let line = build(&mut tokens)?;
        tokens.finish()?;
        Some(line)
    }

    fn row(&mut self, mark: char, row: Row) {
        if self.rows == Rows::Dropped {
            return;
        }
        match self.lines.last_mut().and_then(|line| line.kind.rows_mut()) {
            Some((kind, rows)) if kind.mark() == mark => rows.push(row),
            _ if self.rows == Rows::Noted => {}
            _ => {
                self.rows = Rows::Noted;
                let help = match mark {
                    '>' => "`>` rows follow `expect events` or `expect events exactly`",
                    _ => {
                        "`|` rows follow `board`, `expect board` or `examples`; the rows of `expect events` begin with `>`"
                    }
                };
                self.mistakes.add(Code::MisplacedRow, row, "this row does not follow a line that takes it", "", help);
            }
        }
    }
}

/// Returns the words at `span`; splits malformed words at spaces.
pub(super) fn words(source: &Source, span: Span) -> Words {
    let text = source.slice(span);
    let at = |word: &str| Span::of_part(span.range().start, text, word);
    if is_plain(text) {
        return text.split(BLANK).filter(|word| !word.is_empty()).map(at).collect();
    }
    let sane = text.len() <= LONGEST && text.bytes().filter(|byte| *byte == b'(').count() <= DEEPEST;
    let read = if sane { by_grammar(text, span) } else { None };
    read.unwrap_or_else(|| text.split_whitespace().map(at).collect())
}

/// Returns the words of the text at `span` as the grammar cuts it; `None` if it does not read it.
pub(super) fn by_grammar(text: &str, span: Span) -> Option<Words> {
    let pairs = Grammar::parse(Rule::answer_line, text).ok()?;
    let mut tokens = Vec::new();
    collect(pairs, span, &mut tokens);
    Some(tokens.into_iter().map(|(_, span)| span).collect())
}

/// Returns whether the grammar cuts a text into words at blanks alone. That is so for most rows, of which a file may have very
/// many.
pub(super) fn is_plain(text: &str) -> bool {
    !text.starts_with(BLANK) && !text.ends_with(BLANK) && !text.contains([',', '=', '"', '(', ')', '{', '}'])
}

/// Puts the tokens of the line at `span` into `tokens`.
fn collect(pairs: Pairs<'_, Rule>, span: Span, tokens: &mut Vec<Token>) {
    tokens.clear();
    let base = span.range().start;
    let inner = pairs.flat_map(pest::iterators::Pair::into_inner).filter(|pair| pair.as_rule() != Rule::EOI);
    tokens.extend(inner.map(|pair| {
        let place = pair.as_span();
        (pair.as_rule(), Span::new(base + place.start()..base + place.end()))
    }));
}

/// Returns the location of the first word of a line; of the whole line if it does not begin with a word.
fn word_span(first: &str, statement: Statement) -> Span {
    let start = statement.span.range().start;
    if first.is_empty() { statement.span } else { Span::new(start..start + first.len()) }
}

fn second_word(text: &str) -> &str {
    let first = first_word(text);
    first_word(text.get(first.len()..).unwrap_or_default().trim_start_matches([' ', '\t']))
}
