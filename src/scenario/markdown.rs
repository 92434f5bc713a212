//! Scenarios in Markdown: the fenced blocks marked `scenario`, read together as one file.

use crate::source::Source;

/// A Markdown file as a source of which only its scenario blocks are read: everything else is blanked, line by line,
/// so that every place is the place in the Markdown file.
pub(super) fn source(name: &str, text: String) -> Source {
    let mut read = String::with_capacity(text.len());
    let mut fence: Option<(String, bool)> = None;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let mark: String = bare.chars().take_while(|letter| *letter == '`' || *letter == '~').collect();
        let is_fence = mark.len() >= 3;
        match &fence {
            Some((open, _)) if is_fence && bare.len() == mark.len() && mark.starts_with(open.as_str()) => {
                fence = None;
                blank(line, &mut read);
            }
            Some((_, true)) => read.push_str(line),
            Some((_, false)) => blank(line, &mut read),
            None => {
                if is_fence && !(mark.starts_with('`') && bare.get(mark.len()..).is_some_and(|info| info.contains('`')))
                {
                    let info = bare.get(mark.len()..).unwrap_or_default().trim();
                    fence = Some((mark, info.split_whitespace().next() == Some("scenario")));
                }
                blank(line, &mut read);
            }
        }
    }
    Source::masked(name, read, text)
}

/// Whether a Markdown text has scenario blocks.
pub(crate) fn has_scenarios(text: &str) -> bool {
    text.lines().any(|line| {
        let bare = line.trim();
        let info = bare.trim_start_matches(['`', '~']);
        bare.len() - info.len() >= 3 && info.split_whitespace().next() == Some("scenario")
    })
}

/// As many blanks as the line has bytes, and its line end.
fn blank(line: &str, read: &mut String) {
    let content = line.trim_end_matches(['\n', '\r']);
    read.extend(std::iter::repeat_n(' ', content.len()));
    read.push_str(line.get(content.len()..).unwrap_or_default());
}
