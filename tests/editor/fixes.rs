//! What the fixes of the editor change, and what they leave.

use super::client::{Client, edited};
use crate::commands::Project;

/// What happens is told in two parts: play goes on with each answer.
const EVENTS: &str = r#"use evil-squash

scenario "A bounce"
  players red blue
  place red at 22, blue at 24
  turn red
  roll 2
  red squash bounce
  roll 3
  WRONG
  expect red at 27
"#;

/// Returns a text after the fix with this title for the failure in a line, counted from 0.
fn accepted(text: &str, line: usize) -> Option<String> {
    let mut client = Client::start(Project::hop());
    client.open("a.scenario", text);
    client.diagnostics("a.scenario", 1, |found| !found.is_empty());
    let fixes = client.fixes("a.scenario", line);
    let uri = client.uri("a.scenario");
    let fix = fixes.iter().find(|fix| fix["title"] == "Accept what was reached");
    let mended = fix.map(|fix| edited(text, &fix["edit"]["changes"][uri]));
    client.stop();
    mended
}

#[test]
fn true_events_stay() {
    let all = ["expect events exactly", "  > red bounces on blue", "  > red moves to 27"];
    let some = ["expect events", "  > red bounces on blue", "  > red moves to 27"];
    let cases: [(&[&str], usize, &[&str]); 6] = [
        (&["expect events", "  > red bounces on blue", "  > red moves to 26"], 2, &some),
        (&["expect events", "  > red moves to 26"], 1, &["expect events", "  > red moves to 27"]),
        (&["expect events", "  > red bounces on blue", "  > red moves to 27", "  > red moves to 28"], 3, &some),
        (&["expect events exactly", "  > red bounces on blue", "  > red moves to 26"], 2, &all),
        (&["expect events exactly", "  > red bounces on blue"], 0, &all),
        (&["expect events exactly", "  > red moves to 27"], 1, &all),
    ];
    for (wrong, line, right) in cases {
        let text = |lines: &[&str]| EVENTS.replace("WRONG", &lines.join("\n  "));
        assert_eq!(accepted(&text(wrong), 9 + line), Some(text(right)), "{wrong:?}");
    }
}

#[test]
fn the_marks_of_a_fence_stay() {
    let scenario = "use evil-squash\nscenario \"One\"\n  turn red\n  expect turn red\n```\n";
    for (head, mended) in
        [("```scenaro", "```scenario"), ("~~~ Scenarios", "~~~scenario"), ("``` {.scenario}", "``` scenario")]
    {
        let fence: String = head.chars().take(3).collect();
        let text = format!("# Rules\n\n{head}\n{}", scenario.replace("```", &fence));
        let mut client = Client::start(Project::hop());
        client.open("rules.md", &text);
        client.diagnostics("rules.md", 1, |found| !found.is_empty());
        let fixes = client.fixes("rules.md", 2);
        let uri = client.uri("rules.md");
        let fix = fixes.iter().find(|fix| fix["title"] == "Change to `scenario`").unwrap();
        assert_eq!(edited(&text, &fix["edit"]["changes"][uri]), text.replace(head, mended));
        client.stop();
    }
}
