//! Typed lines: with completion at a terminal, without it elsewhere.

use std::borrow::Cow;
use std::io::{BufRead, IsTerminal, Write};

use reedline::{
    ColumnarMenu, Completer, Emacs, KeyCode, KeyModifiers, MenuBuilder, Prompt, PromptEditMode, PromptHistorySearch,
    Reedline, ReedlineEvent, ReedlineMenu, Signal, Span, Suggestion, default_emacs_keybindings,
};

/// The name of the menu of completions.
const MENU: &str = "options";

/// Where lines come from.
pub(super) enum Input {
    Terminal,
    Plain,
}

/// A prompt, and the completions of its line.
pub(super) struct Prompted {
    /// The text before the line.
    pub(super) prompt: String,
    /// The possible lines.
    pub(super) words: Vec<String>,
}

impl Input {
    pub(super) fn new() -> Self {
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() { Self::Terminal } else { Self::Plain }
    }

    /// Returns the next line; `None` at the end of the input, or if the person stops.
    pub(super) fn line(&self, prompted: &Prompted) -> Option<String> {
        match self {
            Self::Terminal => typed(prompted),
            Self::Plain => {
                let mut out = std::io::stdout().lock();
                // If standard output is gone, the next report says so.
                let _ = out.write_all(prompted.prompt.as_bytes()).and_then(|()| out.flush());
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_until(b'\n', &mut bytes).ok()?;
                // Invalid UTF-8 becomes characters that no answer has, so that the line is refused.
                let line = String::from_utf8_lossy(&bytes).into_owned();
                // A terminal already shows the typed line; elsewhere this makes the output complete.
                let _ = out.write_all(format!("{}\n", line.trim_end()).as_bytes());
                (read > 0).then_some(line)
            }
        }
    }

    /// Clears the screen.
    pub(super) fn clear(&self) {
        if matches!(self, Self::Terminal) {
            crate::cli::output::print("\u{1b}[2J\u{1b}[3J\u{1b}[H");
        }
    }
}

/// Returns a line that was typed at the terminal.
fn typed(prompted: &Prompted) -> Option<String> {
    let mut keys = default_emacs_keybindings();
    keys.add_binding(
        KeyModifiers::NONE,
        KeyCode::Tab,
        ReedlineEvent::UntilFound(vec![ReedlineEvent::Menu(MENU.to_owned()), ReedlineEvent::MenuNext]),
    );
    let mut editor = Reedline::create()
        .with_completer(Box::new(Known(prompted.words.clone())))
        .with_menu(ReedlineMenu::EngineCompleter(Box::new(ColumnarMenu::default().with_name(MENU))))
        .with_edit_mode(Box::new(Emacs::new(keys)));
    match editor.read_line(&Before(&prompted.prompt)) {
        Ok(Signal::Success(line)) => Some(line),
        _ => None,
    }
}

/// Completes a line to one of these.
struct Known(Vec<String>);

impl Completer for Known {
    fn complete(&mut self, line: &str, at: usize) -> Vec<Suggestion> {
        let begun = line.get(..at).unwrap_or(line);
        let fits = self.0.iter().filter(|word| word.starts_with(begun));
        fits.map(|word| Suggestion { value: word.clone(), span: Span::new(0, at), ..Suggestion::default() }).collect()
    }
}

/// The text before a line.
struct Before<'p>(&'p str);

impl Prompt for Before<'_> {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_indicator(&self, _: PromptEditMode) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        Cow::Borrowed("")
    }

    fn render_prompt_history_search_indicator(&self, _: PromptHistorySearch) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
}
