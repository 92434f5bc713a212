//! How the library calls functions that are passed to it.

/// The arguments with which the library calls a function passed to it. They depend on the number of its parameters: the
/// element may be `this`, and its index may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callback {
    /// An element and its index.
    Each,
    /// The index of an element, which is always `this`.
    This,
    /// The result for the elements before, an element and its index.
    Fold,
    /// An element of each of two lists, and their index.
    Pair,
    /// A key of a map and its value.
    Key,
}

/// A way to hand the values of a callback to a function: the index of `this`, and those of the arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) this: Option<usize>,
    pub(crate) args: &'static [usize],
}

impl Callback {
    /// Returns the number of its values.
    pub(crate) const fn values(self) -> usize {
        match self {
            Self::Each | Self::This | Self::Key => 2,
            Self::Fold | Self::Pair => 3,
        }
    }

    /// Returns the ways to hand its values to a function, in the order in which they are tried.
    pub(crate) const fn ways(self) -> &'static [Way] {
        const fn way(this: Option<usize>, args: &'static [usize]) -> Way {
            Way { this, args }
        }
        match self {
            Self::Each => const { &[way(Some(0), &[]), way(None, &[0]), way(None, &[0, 1])] },
            Self::This => const { &[way(Some(0), &[]), way(Some(0), &[1])] },
            Self::Fold => const { &[way(Some(1), &[0]), way(None, &[0, 1]), way(None, &[0, 1, 2])] },
            Self::Pair => const { &[way(None, &[0, 1]), way(None, &[0, 1, 2])] },
            Self::Key => const { &[way(Some(1), &[0]), way(None, &[0, 1])] },
        }
    }
}
