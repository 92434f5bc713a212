//! How a client begins: what it says about itself, and what the server can do.

use std::path::PathBuf;

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, CompletionOptions,
    ExecuteCommandOptions, FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams, OneOf,
    RenameOptions, SemanticTokenType, SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
};
use serde_json::{Value, json};

use super::convert::{Encoding, path_of};
use super::messages::{COMMANDS, read};
use referee_ide::TOKEN_KINDS;

/// What a client says about itself in its request `initialize`.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// The folder that the client has opened, if it names one.
    pub root: Option<PathBuf>,
    /// How columns are counted.
    pub(super) encoding: Encoding,
    /// Whether the client shows the results of commands itself.
    pub(super) quiet: bool,
}

impl Greeting {
    /// Reads the parameters of `initialize`.
    ///
    /// # Errors
    /// Returns an error if they are not those of the protocol.
    pub fn read(parameters: Value) -> Result<Self, String> {
        let given: InitializeParams = read(parameters)?;
        let offered = given.capabilities.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        Ok(Self {
            root: root_of(&given),
            encoding: Encoding::of(offered),
            quiet: given.initialization_options.as_ref().is_some_and(|options| options["quiet"] == true),
        })
    }

    /// Returns the answer to `initialize`.
    #[must_use]
    pub fn answer(&self) -> Value {
        json!({
            "capabilities": capabilities(self.encoding),
            "serverInfo": { "name": "referee", "version": env!("CARGO_PKG_VERSION") },
        })
    }
}

/// Returns the folder that the client has opened.
#[expect(deprecated, reason = "clients without workspace folders name their root so")]
fn root_of(initialize: &InitializeParams) -> Option<PathBuf> {
    let folder = initialize.workspace_folders.as_ref().and_then(|folders| folders.first());
    let uri = folder.map(|folder| &folder.uri).or(initialize.root_uri.as_ref());
    uri.and_then(path_of)
}

/// Returns the capabilities of the server.
fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
    let legend = SemanticTokensLegend {
        token_types: TOKEN_KINDS.iter().map(|(_, name)| SemanticTokenType::new(name)).collect(),
        token_modifiers: Vec::new(),
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(lsp_types::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(lsp_types::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp_types::TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&[" ", "\"", ".", "="]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend,
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|command| (*command).to_owned()).collect(),
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
