//! The answers to the requests of the protocol.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::Request;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLens, Command, CompletionItem,
    CompletionItemKind, CompletionTextEdit, DocumentSymbol, FoldingRange, FoldingRangeKind, Hover, HoverContents,
    InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip, Location, MarkupContent, MarkupKind, Position,
    PrepareRenameResponse, Range, RenameParams, SemanticToken, SymbolKind, TextDocumentIdentifier,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use serde::Deserialize;
use serde_json::{Value, to_value};

use super::convert::{diagnostic, uri_of};
use super::messages::{Answer, RECORD, RUN, SHOW, done, path, read};
use super::session::Session;
use referee_format::format;
use referee_ide::{CompletionKind, Edit, Fix, NameKind, Place};
use referee_source::{Host, HostError, Source, Span};

/// The parameters of requests about a whole file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfFile {
    text_document: TextDocumentIdentifier,
}

impl Session<'_> {
    /// Answers a request.
    pub(super) fn answer(&mut self, request: Request) -> Answer {
        let parameters = request.params;
        match request.method.as_str() {
            "textDocument/hover" => self.hover(&read(parameters)?),
            "textDocument/completion" => self.completion(&read(parameters)?),
            "textDocument/definition" => self.places(&read(parameters)?, referee_ide::definitions),
            "textDocument/references" => self.places(&read(parameters)?, referee_ide::references),
            "textDocument/prepareRename" => self.prepare_rename(&read(parameters)?),
            "textDocument/rename" => self.rename(&read(parameters)?),
            "textDocument/documentSymbol" => self.symbols(&read::<OfFile>(parameters)?.text_document.uri),
            "textDocument/foldingRange" => self.folds(&read::<OfFile>(parameters)?.text_document.uri),
            "textDocument/semanticTokens/full" => self.tokens(&read::<OfFile>(parameters)?.text_document.uri),
            "textDocument/formatting" => self.format(&read::<OfFile>(parameters)?.text_document.uri),
            "textDocument/codeAction" => self.actions(&read(parameters)?),
            "textDocument/codeLens" => self.lenses(&read::<OfFile>(parameters)?.text_document.uri),
            "textDocument/inlayHint" => self.inlays(&read(parameters)?),
            "workspace/executeCommand" => self.command(&read(parameters)?),
            "referee/position" => {
                let at: TextDocumentPositionParams = read(parameters)?;
                Ok(Some(self.position(&path(&at.text_document.uri)?, at.position.line as usize + 1)))
            }
            "referee/results" => self.results(&path(&read::<OfFile>(parameters)?.text_document.uri)?),
            "referee/tests" => self.tests(&path(&read::<OfFile>(parameters)?.text_document.uri)?),
            _ => Ok(None),
        }
    }

    /// Returns the text of a file as it is now.
    pub(super) fn source(&self, path: &Path) -> Result<Source, String> {
        let text = self.documents.overlay.read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Source::new(path.to_string_lossy(), text))
    }

    /// Returns the file and the byte that a request is about.
    fn at(&self, at: &TextDocumentPositionParams) -> Result<(PathBuf, Source, u32), String> {
        let path = path(&at.text_document.uri)?;
        let source = self.source(&path)?;
        let byte = self.documents.encoding.offset(&source, at.position);
        Ok((path, source, byte))
    }

    fn range(&self, source: &Source, span: Span) -> Range {
        self.documents.encoding.range(source, span)
    }

    fn hover(&mut self, at: &TextDocumentPositionParams) -> Answer {
        let (path, source, byte) = self.at(at)?;
        let found = referee_ide::hover(&mut self.project, &path, byte);
        let hover = found.map(|found| Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: found.text }),
            range: Some(self.range(&source, found.span)),
        });
        done(hover)
    }

    fn completion(&mut self, at: &TextDocumentPositionParams) -> Answer {
        let (path, source, byte) = self.at(at)?;
        let found = referee_ide::complete(&mut self.project, &path, byte);
        let items = found.into_iter().enumerate().map(|(number, found)| CompletionItem {
            kind: Some(item_kind(found.kind)),
            detail: (!found.detail.is_empty()).then_some(found.detail),
            // In our order: answers to the rules come first.
            sort_text: Some(format!("{number:05}")),
            filter_text: Some(found.label.clone()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: self.range(&source, found.span),
                new_text: found.label.clone(),
            })),
            label: found.label,
            ..CompletionItem::default()
        });
        done(items.collect::<Vec<_>>())
    }

    fn places(
        &mut self,
        at: &TextDocumentPositionParams,
        find: impl Fn(&mut referee_ide::Project<'_>, &Path, u32) -> Vec<Place>,
    ) -> Answer {
        let (path, _, byte) = self.at(at)?;
        let places = find(&mut self.project, &path, byte);
        let locations = places.into_iter().filter_map(|place| self.location(&place));
        done(locations.collect::<Vec<Location>>())
    }

    fn location(&self, place: &Place) -> Option<Location> {
        let uri = uri_of(&self.documents.overlay.absolute(Path::new(place.source.name())))?;
        Some(Location { uri, range: self.range(&place.source, place.span) })
    }

    fn prepare_rename(&mut self, at: &TextDocumentPositionParams) -> Answer {
        let (path, source, byte) = self.at(at)?;
        let (span, key) = referee_ide::renamable(&mut self.project, &path, byte).map_err(|error| error.0)?;
        let range = self.range(&source, span);
        done(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: key.name })
    }

    fn rename(&mut self, rename: &RenameParams) -> Answer {
        let (path, _, byte) = self.at(&rename.text_document_position)?;
        let edits = referee_ide::rename(&mut self.project, &path, byte, &rename.new_name).map_err(|error| error.0)?;
        done(self.edit(&edits)?)
    }

    /// Returns edits for the protocol.
    pub(super) fn edit(&self, edits: &[Edit]) -> Result<WorkspaceEdit, String> {
        // The protocol's own type has URIs as keys, whose hashes may change.
        let mut changes: Vec<(Uri, Vec<TextEdit>)> = Vec::new();
        for edit in edits {
            let absolute = self.documents.overlay.absolute(&edit.path);
            if self.documents.overlay.read(&absolute) == Err(HostError::NotFound) {
                return new_file(&absolute, &edit.text);
            }
            let source = self.source(&absolute)?;
            let uri = uri_of(&absolute).ok_or_else(|| format!("{} has no URI", absolute.display()))?;
            let change = TextEdit { range: self.range(&source, edit.span), new_text: edit.text.clone() };
            match changes.iter_mut().find(|(other, _)| *other == uri) {
                Some((_, list)) => list.push(change),
                None => changes.push((uri, vec![change])),
            }
        }
        let by_uri: serde_json::Map<String, Value> = changes
            .into_iter()
            .map(|(uri, list)| Ok((uri.as_str().to_owned(), to_value(list).map_err(|error| error.to_string())?)))
            .collect::<Result<_, String>>()?;
        serde_json::from_value(serde_json::json!({ "changes": by_uri })).map_err(|error| error.to_string())
    }

    fn symbols(&mut self, uri: &Uri) -> Answer {
        let path = path(uri)?;
        let symbols = referee_ide::symbols(&mut self.project, &path);
        done(symbols.iter().map(|symbol| self.symbol(symbol)).collect::<Vec<_>>())
    }

    #[expect(deprecated, reason = "the type has the field")]
    fn symbol(&self, symbol: &referee_ide::Symbol) -> DocumentSymbol {
        let inside: Vec<DocumentSymbol> = symbol.inside.iter().map(|symbol| self.symbol(symbol)).collect();
        let (kind, detail) = match symbol.kind {
            referee_ide::SymbolKind::Scenario => (SymbolKind::METHOD, "scenario"),
            referee_ide::SymbolKind::Branch => (SymbolKind::METHOD, "branch"),
            referee_ide::SymbolKind::Name(kind) => (symbol_kind(kind), kind.words()),
        };
        DocumentSymbol {
            name: if symbol.name.is_empty() { "(no title)".to_owned() } else { symbol.name.clone() },
            detail: Some(detail.to_owned()),
            kind,
            tags: None,
            deprecated: None,
            range: self.range(&symbol.source, symbol.whole.to(symbol.span)),
            selection_range: self.range(&symbol.source, symbol.span),
            children: (!inside.is_empty()).then_some(inside),
        }
    }

    fn folds(&mut self, uri: &Uri) -> Answer {
        let path = path(uri)?;
        let line = |line: usize| u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX);
        let folds = referee_ide::folds(&mut self.project, &path).into_iter().map(|fold| FoldingRange {
            start_line: line(fold.first),
            end_line: line(fold.last),
            kind: fold.comment.then_some(FoldingRangeKind::Comment),
            ..FoldingRange::default()
        });
        done(folds.collect::<Vec<_>>())
    }

    fn tokens(&mut self, uri: &Uri) -> Answer {
        let path = path(uri)?;
        let source = self.source(&path)?;
        let mut before = Position::default();
        let mut data = Vec::new();
        for token in referee_ide::semantic_tokens(&mut self.project, &path) {
            let at = self.documents.encoding.position(&source, token.span.start);
            let kind = referee_ide::TOKEN_KINDS.iter().position(|(kind, _)| *kind == token.kind);
            let same_line = at.line == before.line;
            data.push(SemanticToken {
                delta_line: at.line - before.line,
                delta_start: if same_line { at.character - before.character } else { at.character },
                length: self.documents.encoding.length(source.slice(token.span)),
                token_type: kind.and_then(|kind| u32::try_from(kind).ok()).unwrap_or(0),
                token_modifiers_bitset: 0,
            });
            before = at;
        }
        done(lsp_types::SemanticTokens { result_id: None, data })
    }

    fn format(&mut self, uri: &Uri) -> Answer {
        let path = path(uri)?;
        let source = self.source(&path)?;
        let is_ours = path
            .extension()
            .is_some_and(|extension| ["game", "house", "scenario", "md"].iter().any(|ours| extension == *ours));
        if !is_ours {
            return done(Value::Null);
        }
        let name = self.documents.overlay.shown(&path).to_string_lossy().replace('\\', "/");
        // A text with errors is not formatted; the errors are shown anyway.
        let Ok(formatted) = format(&name, source.text()) else { return done(Value::Null) };
        let whole = Span::new(0..source.text().len());
        let edits = match formatted == source.text() {
            true => Vec::new(),
            false => vec![TextEdit { range: self.range(&source, whole), new_text: formatted }],
        };
        done(edits)
    }

    fn actions(&mut self, wanted: &CodeActionParams) -> Answer {
        let path = path(&wanted.text_document.uri)?;
        let source = self.source(&path)?;
        let first = source.line(self.documents.encoding.offset(&source, wanted.range.start));
        let last = source.line(self.documents.encoding.offset(&source, wanted.range.end));
        let shown = self.documents.overlay.shown(&path);
        let here = |wrong: &referee_diagnostic::Diagnostic| {
            wrong.labels.first().is_some_and(|label| {
                let name = Path::new(label.source.name());
                let (begin, end) = (label.source.line(label.span.start), label.source.line(label.span.end));
                name == shown && begin <= last && first <= end
            })
        };
        let mut fixes: Vec<(Fix, lsp_types::Diagnostic)> = Vec::new();
        let (encoding, overlay) = (self.documents.encoding, &self.documents.overlay);
        for wrong in referee_ide::problems(&mut self.project, &path).iter().filter(|wrong| here(wrong)) {
            let (_, shown) = diagnostic(encoding, overlay, wrong);
            fixes.extend(referee_ide::suggested(wrong).into_iter().map(|fix| (fix, shown.clone())));
        }
        let runs = self.documents.runs(&path, |runs| runs.unwrap_or_default().to_vec());
        let failures = runs.iter().flat_map(|run| run.result.failures.iter().map(move |failure| (run, failure)));
        for (run, failure) in failures.filter(|(_, failure)| here(&failure.diagnostic)) {
            let fix = referee_ide::accepted(&mut self.project, &path, run, failure);
            let (_, shown) = diagnostic(encoding, overlay, &failure.diagnostic);
            fixes.extend(fix.filter(|fix| !fixes.iter().any(|(other, _)| other == fix)).map(|fix| (fix, shown)));
        }
        let mut actions = Vec::new();
        for (fix, shown) in fixes {
            let is_solved = |found: &&lsp_types::Diagnostic| found.code == shown.code && found.range == shown.range;
            let solved = wanted.context.diagnostics.iter().filter(is_solved);
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(solved.cloned().collect()),
                edit: Some(self.edit(&fix.edits)?),
                is_preferred: Some(true),
                ..CodeAction::default()
            }));
        }
        done(actions)
    }

    fn lenses(&mut self, uri: &Uri) -> Answer {
        let path = path(uri)?;
        let symbols = referee_ide::symbols(&mut self.project, &path);
        let played = symbols.iter().filter(|symbol| symbol.kind == referee_ide::SymbolKind::Scenario);
        let all = played.flat_map(|symbol| std::iter::once(symbol).chain(&symbol.inside));
        let mut lenses = Vec::new();
        for symbol in all {
            let range = self.range(&symbol.source, symbol.span);
            let line = range.start.line + 1;
            let last = symbol.source.line(symbol.whole.end);
            let named =
                [("run", RUN, line as usize), ("show position", SHOW, last), ("record from here", RECORD, last)];
            lenses.extend(named.into_iter().map(|(title, command, line)| CodeLens {
                range,
                command: Some(Command {
                    title: title.to_owned(),
                    command: command.to_owned(),
                    arguments: Some(vec![uri.as_str().into(), line.into()]),
                }),
                data: None,
            }));
        }
        done(lenses)
    }

    fn inlays(&mut self, wanted: &InlayHintParams) -> Answer {
        let path = path(&wanted.text_document.uri)?;
        let source = Arc::new(self.source(&path)?);
        let visible = |line: usize| (wanted.range.start.line..=wanted.range.end.line).contains(&line_of(line));
        let encoding = self.documents.encoding;
        let hints = self.documents.runs(&path, |runs| {
            let mut hints: Vec<(usize, InlayHint)> = Vec::new();
            for scene in runs.unwrap_or_default().iter().flat_map(|run| &run.scenes) {
                let Some(line) = scene.line.filter(|line| visible(*line)) else { continue };
                let position = encoding.position(&source, source.line_span(line).end);
                let hint = InlayHint {
                    position,
                    label: InlayHintLabel::String(scene.stands()),
                    kind: None,
                    text_edits: None,
                    tooltip: Some(InlayHintTooltip::MarkupContent(MarkupContent {
                        kind: MarkupKind::Markdown,
                        value: format!("```text\n{}\n```", scene.text()),
                    })),
                    padding_left: Some(true),
                    padding_right: None,
                    data: None,
                };
                // The tests of a table share their lines: the first is shown.
                if !hints.iter().any(|(other, _)| *other == line) {
                    hints.push((line, hint));
                }
            }
            hints.sort_by_key(|(line, _)| *line);
            hints.into_iter().map(|(_, hint)| hint).collect::<Vec<_>>()
        });
        done(hints)
    }

    /// Returns the tests of a file, for a list of tests.
    fn tests(&mut self, path: &Path) -> Answer {
        self.project.refresh();
        let shown = self.documents.overlay.shown(path);
        let suite = self.project.suite(&shown);
        let tests = suite.tests.iter().map(|test| {
            serde_json::json!({
                "title": test.title(), "scenario": test.scenario, "row": test.row, "branch": test.branch,
                "line": test.line,
            })
        });
        done(serde_json::json!({ "errors": suite.problems.len(), "tests": tests.collect::<Vec<_>>() }))
    }
}

/// Returns an edit that makes a file.
fn new_file(path: &Path, text: &str) -> Result<WorkspaceEdit, String> {
    let uri = uri_of(path).ok_or_else(|| format!("{} has no URI", path.display()))?;
    let nowhere = Range::default();
    serde_json::from_value(serde_json::json!({ "documentChanges": [
        { "kind": "create", "uri": uri },
        { "textDocument": { "uri": uri, "version": null }, "edits": [{ "range": nowhere, "newText": text }] },
    ]}))
    .map_err(|error| error.to_string())
}

fn line_of(line: usize) -> u32 {
    u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX)
}

const fn item_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Answer => CompletionItemKind::SNIPPET,
        CompletionKind::Native => CompletionItemKind::FUNCTION,
        CompletionKind::Name(kind) => match kind {
            NameKind::Game => CompletionItemKind::MODULE,
            NameKind::Player | NameKind::Variable => CompletionItemKind::VARIABLE,
            NameKind::Piece | NameKind::Card | NameKind::Die | NameKind::Zone => CompletionItemKind::CLASS,
            NameKind::Property | NameKind::Printed => CompletionItemKind::PROPERTY,
            NameKind::Ask => CompletionItemKind::METHOD,
            NameKind::Event => CompletionItemKind::EVENT,
            NameKind::Option | NameKind::Value => CompletionItemKind::ENUM_MEMBER,
            NameKind::Variant | NameKind::Clause | NameKind::Position | NameKind::House => {
                CompletionItemKind::REFERENCE
            }
            NameKind::Function => CompletionItemKind::FUNCTION,
            NameKind::Constant => CompletionItemKind::CONSTANT,
        },
    }
}

const fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Game => SymbolKind::MODULE,
        NameKind::Player | NameKind::Variable => SymbolKind::VARIABLE,
        NameKind::Piece | NameKind::Card | NameKind::Die | NameKind::Zone => SymbolKind::CLASS,
        NameKind::Property | NameKind::Printed => SymbolKind::PROPERTY,
        NameKind::Ask => SymbolKind::METHOD,
        NameKind::Event => SymbolKind::EVENT,
        NameKind::Option | NameKind::Value => SymbolKind::ENUM_MEMBER,
        NameKind::Variant | NameKind::Clause | NameKind::House => SymbolKind::KEY,
        NameKind::Position => SymbolKind::OBJECT,
        NameKind::Function => SymbolKind::FUNCTION,
        NameKind::Constant => SymbolKind::CONSTANT,
    }
}
