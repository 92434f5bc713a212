//! `referee explain`: what a message means, and what to write instead.

use clap::Args;

use super::Exit;
use super::output::{complain, print};
use crate::diagnostic::did_you_mean;

/// The page that explains every code; one section for each.
const PAGE: &str = include_str!("../../docs/mistakes.md");

/// What codes begin with in messages.
const PREFIX: &str = "referee::";

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The code of a message, such as `unknown_piece`; without one, all codes are listed
    code: Option<String>,
}

/// Explain a code, or list all codes.
pub(super) fn run(arguments: &ExplainArguments) -> Exit {
    let Some(code) = &arguments.code else {
        let list: Vec<&str> = sections().map(|(code, _)| code).collect();
        print(&format!("{}\n", list.join("\n")));
        return Exit::Passed;
    };
    let code = code.strip_prefix(PREFIX).unwrap_or(code);
    match sections().find(|(name, _)| *name == code) {
        Some((_, text)) => {
            print(&format!("{PREFIX}{code}\n\n{}", plain(text)));
            Exit::Passed
        }
        None => {
            let near = did_you_mean(code, sections().map(|(name, _)| name));
            let help = near.unwrap_or_else(|| "`referee explain` lists all codes".to_owned());
            complain(&format!("there is no code `{code}`: {help}"));
            Exit::Usage
        }
    }
}

/// Each code with its section.
fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'))
}

/// Returns a section as it reads at a terminal: examples set in, and no fences.
fn plain(section: &str) -> String {
    let mut text = String::new();
    let mut fenced = false;
    for line in section.trim().lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.is_empty() {
            text.push_str(&format!("    {line}\n"));
        } else {
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}
