//! The fixes that an editor offers: each makes its error go away.

use std::path::{Path, PathBuf};

use referee_diagnostic::Diagnostic;
use referee_ide::{Edit, Overlay, Project, Run, accepted, problems, run, suggested};
use referee_scenario::LoaderOptions;
use referee_source::{Host, MemoryHost};

use super::project;

/// The mistakes and the names of their files.
fn mistakes() -> Vec<(String, MemoryHost, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/mistakes");
    let mut names: Vec<String> = std::fs::read_dir(folder.clone())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_some_and(|ending| ending != "rs"))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let read = |name: String| {
        let (host, file) = project(&name, &std::fs::read_to_string(folder.join(&name)).unwrap());
        (name, host, file)
    };
    names.into_iter().map(read).collect()
}

/// Returns the files with these edits.
fn edited<'h>(files: &'h Overlay<'h>, edits: &[Edit]) -> Overlay<'h> {
    let changed = Overlay::new(PathBuf::new(), files);
    for edit in edits {
        let text = changed.read(&edit.path).unwrap();
        let text = format!("{}{}{}", &text[..edit.span.range().start], edit.text, &text[edit.span.range().end..]);
        changed.set(&edit.path, text);
    }
    changed
}

fn same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.code == other.code && one.message == other.message && one.place() == other.place()
}

#[test]
fn a_suggested_word_mends_its_error() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, host, file) in mistakes() {
        let files = Overlay::new(PathBuf::new(), &host);
        let found = problems(&mut Project::new(&files, LoaderOptions::default()), &file);
        for problem in &found {
            // Of several suggestions, each is one.
            for fix in suggested(problem) {
                count += 1;
                let changed = edited(&files, &fix.edits);
                let after = problems(&mut Project::new(&changed, LoaderOptions::default()), &file);
                if after.iter().any(|other| same(other, problem)) {
                    wrong.push(format!("{name}: {}: {:?} leaves `{}`", fix.title, fix.edits, problem.message));
                }
            }
        }
    }
    assert!(count > 50, "only {count} fixes were offered");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_was_reached_can_be_accepted() {
    let mut offered = 0;
    let mut refused = Vec::new();
    for (name, host, file) in mistakes() {
        let files = Overlay::new(PathBuf::new(), &host);
        let mut before = Project::new(&files, LoaderOptions::default());
        let runs = run(&mut before, &file, &|_, _| true, &|| true);
        for (at, failure) in
            runs.iter().enumerate().flat_map(|(at, run)| run.result.failures.iter().map(move |f| (at, f)))
        {
            let Some(fix) = accepted(&mut before, &file, &runs[at], failure) else {
                refused.push(format!("{name}: {}", failure.diagnostic.message));
                continue;
            };
            offered += 1;
            let changed = edited(&files, &fix.edits);
            let after = run(&mut Project::new(&changed, LoaderOptions::default()), &file, &|_, _| true, &|| true);
            let place = failure.diagnostic.place();
            let failed = |run: &Run| run.result.failures.iter().any(|other| other.diagnostic.place() == place);
            assert!(!failed(&after[at]), "{name}: {fix:?}");
        }
    }
    println!("{offered} accepted, not: {}", refused.join("\n"));
    assert!(offered > 20, "only {offered} could be accepted; not these:\n{}", refused.join("\n"));
}
