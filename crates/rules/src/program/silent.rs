//! The error for phases that follow each other without end and ask nothing.

use rhai::Position;

use super::{End, Program, SILENT_PHASES};
use crate::host::{Keep, Nobody};
use crate::layers::{author_name, rules_place};
use crate::natives::Named;
use crate::script::Node;
use referee_diagnostic::{Code, Diagnostic, Label, one_of};
use referee_table::State;

/// The number of further phases that are run to find those that repeat.
const MORE: usize = 64;
/// The maximum number of phases that a message names and shows.
const SHOWN: usize = 4;

impl Program {
    /// Returns the error for too many consecutive phases without an ask. `state` is that after the last of them.
    #[must_use]
    pub fn too_silent(&self, state: State) -> Diagnostic {
        let phases = self.phases_from(state);
        let names: Vec<String> = phases.iter().map(|(name, _)| author_name(name)).collect();
        let named = match names.as_slice() {
            [] => String::new(),
            [one] => format!(": `{one}` again and again"),
            several => format!(": {} again and again", one_of(several.iter().map(String::as_str), SHOWN)),
        };
        let message = format!("{SILENT_PHASES} phases ran without asking anything{named}");
        let mut labels: Vec<Label> = Vec::new();
        for (at, phase) in phases.iter().enumerate() {
            let next = phases.get(at + 1).or_else(|| phases.first());
            let label = next.and_then(|next| self.leads_on(phase, next));
            labels.extend(label.filter(|label| labels.iter().all(|other| other.span != label.span)));
        }
        labels.truncate(SHOWN);
        // Only a turn follows a phase that adds none.
        let help = if phases.iter().any(|(name, _)| name == "turn") {
            "let each turn ask for a roll or a choice, or end the game"
        } else {
            "call `then` only under a condition that becomes false, ask for a roll or a choice, or end the game"
        };
        Diagnostic::general(Code::TooLong, message).labelled(labels).help(help)
    }

    /// Returns the phases that follow, each once, with their numbers of arguments.
    fn phases_from(&self, mut state: State) -> Vec<(String, usize)> {
        let mut phases: Vec<(String, usize)> = Vec::new();
        self.begin(state.weight());
        for _ in 0..MORE {
            let phase = state.due();
            let key = (phase.name.to_string(), phase.args.len());
            if !phases.contains(&key) {
                phases.push(key);
            }
            let run = self.run(state, &phase, Box::new(Nobody), Keep::default());
            if !matches!(run.end, End::Returned) {
                break;
            }
            state = run.state;
        }
        phases
    }

    /// Returns the place where a phase adds the next one: the call of `then` in it, or in any function that names the
    /// next one; otherwise its name.
    fn leads_on(&self, phase: &(String, usize), next: &(String, usize)) -> Option<Label> {
        let adds = |key: &(String, usize), computed: bool| {
            let mut found = None;
            if let Some(function) = self.script.function(&key.0, key.1) {
                function.body.walk(&mut |node| found = found.or_else(|| adds_phase(node, &next.0, computed)));
            }
            found
        };
        let keys = || self.layers.functions.keys();
        let elsewhere = || keys().find_map(|key| adds(key, false));
        // A turn also follows if nothing is added.
        let added = || adds(phase, true).or_else(elsewhere).filter(|_| next.0 != "turn");
        match adds(phase, false).or_else(added) {
            Some(position) => self.label(rules_place(position)).map(|label| Label {
                text: format!("runs `{}` after `{}`", author_name(&next.0), author_name(&phase.0)),
                ..label
            }),
            None => self.function_label(&phase.0, phase.1),
        }
    }
}

/// Returns the position of a call that adds a phase with this name, or with a computed name.
fn adds_phase(node: &Node, name: &str, computed: bool) -> Option<Position> {
    let (called, args) = node.function_call()?;
    let named = Named::of(called).phase_argument().and_then(|at| args.get(at));
    let fits = named?.text().map_or(computed, |text| text == name);
    fits.then_some(node.at)
}
