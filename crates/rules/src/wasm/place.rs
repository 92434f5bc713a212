//! Where the memory of a module is.

/// Where the memory of a module is.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Own,
    /// In that of another module: where it begins there, and its size in bytes.
    Within {
        base: u32,
        size: u32,
    },
}

impl Place {
    /// Returns that of a part of the memory of this program, which is a module itself.
    pub(super) fn within(part: &[u8]) -> Self {
        let number = |number: usize| u32::try_from(number).unwrap_or_default();
        Self::Within { base: number(part.as_ptr().addr()), size: number(part.len()) }
    }

    /// Returns the address at which it begins.
    pub(super) const fn base(self) -> u32 {
        match self {
            Self::Own => 0,
            Self::Within { base, .. } => base,
        }
    }
}
