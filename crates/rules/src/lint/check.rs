//! What a check is: the codes that it finds with what is said of them, its walk, and rules on both sides of what it judges.

pub use super::entry::Entry;
use super::linter::Linter;
use super::used::Used;
use crate::layers::Layers;
use crate::script::{Node, Script};
use referee_diagnostic::Diagnostic;
use referee_table::Schema;

/// A check of rules. Each is in a file of its own.
#[derive(Debug)]
pub struct Check {
    /// The name of its file.
    pub(super) name: &'static str,
    /// The codes of its messages. Several checks may have one code: its entry is in the file of one of them.
    pub(super) finds: &'static [&'static Entry],
    pub(super) walks: &'static [Walk],
    /// Rules with one mistake each, and its code. The text that is underlined is between `«` and `»`.
    pub(super) wrong: &'static [(&'static Entry, Snippet)],
    /// Rules that look like the wrong ones, and run.
    pub(super) right: &'static [Snippet],
}

/// Rules, or a part of them, for the small game in which tests try them.
#[derive(Clone, Copy, Debug)]
pub enum Snippet {
    /// Statements of the function `turn(me)`.
    Turn(&'static str),
    /// Whole rules.
    Rules(&'static str),
    /// A house rule.
    House(&'static str),
    /// The condition of a scenario, without its braces.
    Condition(&'static str),
    /// Lines of a game file, and the whole rules.
    Game(&'static str, &'static str),
    /// A data file of cards, and the whole rules.
    Cards(&'static str, &'static str),
}

/// How a check goes through rules.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walk {
    /// Looks for something without which nothing else is looked for.
    First(fn(&Layers, &Script, &Schema) -> Option<Diagnostic>),
    /// Looks at each function, and at each expression outside of scripts, before its nodes.
    Bodies(fn(&mut Linter<'_>)),
    /// Looks at each node of functions, and of expressions outside of scripts.
    Nodes(fn(&mut Linter<'_>, &Node)),
    /// Looks at each function of the scripts, after its nodes.
    Functions(fn(&mut Linter<'_>)),
    /// Looks at each expression outside of scripts in which nothing else is wrong.
    Expressions(fn(&mut Linter<'_>)),
    /// Looks at the scripts as a whole.
    Scripts(fn(&mut Linter<'_>)),
    /// Looks at the scripts as a whole for what is wrong and does not keep anybody from playing.
    Playable(fn(&mut Linter<'_>)),
    /// Looks at the scripts as a whole for what may be meant. It knows what all house rules use.
    Notes(fn(&mut Linter<'_>, &Used)),
}

impl Check {
    /// Returns the name of its file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the codes of its messages.
    #[must_use]
    pub const fn finds(&self) -> &'static [&'static Entry] {
        self.finds
    }

    /// Returns rules with one mistake each, between `«` and `»`, and its code.
    #[must_use]
    pub const fn wrong(&self) -> &'static [(&'static Entry, Snippet)] {
        self.wrong
    }

    /// Returns rules that look like the wrong ones, and run.
    #[must_use]
    pub const fn right(&self) -> &'static [Snippet] {
        self.right
    }
}
