//! `referee explain`: explains the code of a message, and its correction.

use std::collections::BTreeMap;

use clap::Args;

use super::Exit;
use super::output::{print, print_error};
use referee_diagnostic::did_you_mean;
use referee_rules::explained;
use referee_source::fences;

/// The documentation page with one section for each code. What is said of the codes of checks of rules stands there, too,
/// but is made from their entries.
const PAGE: &str = include_str!("../../docs/mistakes.md");

/// The prefix of codes in messages.
const PREFIX: &str = "referee::";

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// Code of a message, such as `unknown_piece` [default: list all codes]
    code: Option<String>,
}

/// Explains a code, or lists all codes.
pub(super) fn run(arguments: &ExplainArguments) -> Exit {
    let Some(code) = &arguments.code else {
        let list: Vec<&str> = sections().into_keys().collect();
        print(&format!("{}\n", list.join("\n")));
        return Exit::Passed;
    };
    let code = code.strip_prefix(PREFIX).unwrap_or(code);
    match sections().get(code) {
        Some(text) => {
            print(&format!("{PREFIX}{code}\n\n{}", plain(text)));
            Exit::Passed
        }
        None => {
            let near = did_you_mean(code, sections().into_keys());
            let help = near.unwrap_or_else(|| "run `referee explain` to list all codes".to_owned());
            print_error(&format!("unknown code `{code}`: {help}"));
            Exit::Usage
        }
    }
}

/// Returns each code with its section.
fn sections() -> BTreeMap<&'static str, &'static str> {
    let page = PAGE.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    page.chain(explained().into_iter().map(|entry| (entry.code().name(), entry.text()))).collect()
}

/// Formats a section for a terminal: indents examples and drops their fences.
fn plain(section: &str) -> String {
    let section = section.trim();
    let mut text = String::new();
    let mut end = 0;
    for fence in fences(section) {
        text.push_str(section.get(end..fence.range.start).unwrap_or_default());
        let content: String = fence.content.iter().filter_map(|part| section.get(part.clone())).collect();
        let lines = content.lines().map(|line| format!("    {line}").trim_end().to_owned());
        text.push_str(&lines.collect::<Vec<_>>().join("\n"));
        end = fence.range.end;
    }
    text.push_str(section.get(end..).unwrap_or_default());
    text.push('\n');
    text
}
