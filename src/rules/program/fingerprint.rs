//! The operations of a program without their locations, to compare programs.

use std::fmt::Write;

use super::Program;

impl Program {
    /// Returns a text that is the same for rules that are compiled to the same operations.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let code = self.code.borrow();
        let mut memory = self.memory.borrow_mut();
        let mut text = String::new();
        for function in &code.functions {
            let _ = write!(text, "{}:{:?}{:?}", function.name, function.ops, function.names);
            for constant in &function.constants {
                let _ = write!(text, "{:?};", memory.arena_mut().to_dynamic(*constant));
            }
            for site in &function.sites {
                let _ = write!(text, "{}{:?}{:?}{};", site.name, site.args, site.callee, site.method);
            }
            let _ = writeln!(text, "{:?}", function.faults);
        }
        text
    }
}
