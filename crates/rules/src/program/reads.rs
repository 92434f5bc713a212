//! Which options the rules have read, by what of them has run.

use super::Program;
use crate::script::{Name, Node, Target, What};

/// The function by which rules read an option.
const READS: &str = "option";

impl Program {
    /// Returns whether the rules may have read an option in play, given how often each of [`Program::points`] has run. It is so
    /// where nobody counts, and where the name of an option is computed. That the name of the function that reads options is
    /// computed is not thought of.
    #[must_use]
    pub fn may_have_read(&self, option: &str, runs: &[u64]) -> bool {
        let Some(counted) = &self.counted else { return true };
        let reading = Reading { option, runs };
        // A constant may be that function, or its name.
        let constants = self.script.constants(&self.layers, &self.schema);
        constants.iter().any(|constant| constant.mentions().contains(READS))
            || counted.script.functions.iter().any(|function| reading.is_in(&function.body, None))
    }
}

struct Reading<'r> {
    option: &'r str,
    runs: &'r [u64],
}

impl Reading<'_> {
    /// Returns whether a node has read the option. It has run only if a point has, if one is known.
    fn is_in(&self, node: &Node, point: Option<u32>) -> bool {
        match &node.what {
            What::Block(nodes) => {
                let mut point = point;
                nodes.iter().any(|node| match node.what {
                    What::Run(run) => {
                        point = Some(run);
                        false
                    }
                    _ => self.is_in(node, point),
                })
            }
            What::And(parts) => self.is_in_any(parts, point, 0),
            What::Or(parts) => self.is_in_any(parts, point, 1),
            What::Call(call) if call.target == Target::Native && call.name == READS => {
                let is_other =
                    call.args.iter().any(|arg| matches!(&arg.what, What::Text(name) if *name != self.option));
                !is_other && self.has_run(point)
            }
            // The function that reads it as a value, or its name.
            What::Name(Name::Function(name)) | What::Text(name) if *name == READS => self.has_run(point),
            _ => {
                let mut found = false;
                node.for_each_part(&mut |part| found = found || self.is_in(part, point));
                found
            }
        }
    }

    /// Does the same for the parts of `&&` or `||`. A part runs only if the one before was true, or was false: its point is so many
    /// further on.
    fn is_in_any(&self, parts: &[Node], point: Option<u32>, further: u32) -> bool {
        let mut point = point;
        parts.iter().any(|part| {
            let found = self.is_in(part, point);
            if let What::Outcome(outcome, _) = part.what {
                point = Some(outcome + further);
            }
            found
        })
    }

    fn has_run(&self, point: Option<u32>) -> bool {
        let runs = point.and_then(|point| self.runs.get(usize::try_from(point).ok()?));
        runs.is_none_or(|runs| *runs > 0)
    }
}
