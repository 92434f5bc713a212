//! Any text as a game file and as a scenario file: it is parsed, every mistake is rendered, every place fits the text.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use referee_diagnostic::Renderer;
use referee_source::{Source, Span};
use referee_syntax::{FileKind, parse, parse_words};

fuzz_target!(|text: &str| {
    for kind in [FileKind::Game, FileKind::House, FileKind::Scenario] {
        let source = Arc::new(Source::new("a", text));
        let (file, mistakes) = parse(&source, kind);
        let fits = |span: Span| assert!(text.get(span.range()).is_some(), "{span:?}");
        for line in &file.lines {
            fits(line.span);
        }
        file.trivia.comments.iter().for_each(|span| fits(*span));
        for mistake in &mistakes {
            mistake.labels.iter().for_each(|label| fits(label.span));
        }
        // To render is slow: a few of the mistakes, from everywhere in the file.
        for mistake in mistakes.iter().step_by(mistakes.len() / 8 + 1) {
            for colour in [false, true] {
                let shown = Renderer { colour }.render(mistake);
                assert!(
                    colour || !shown.chars().any(|letter| letter.is_control() && !['\n', '\t'].contains(&letter)),
                    "{shown:?}"
                );
            }
        }
        parse_words(&source, Span::new(0..text.len())).into_iter().for_each(fits);
    }
});
