//! Source texts, spans and lines; the one door through which files are listed, read and written.

mod host;
mod markdown;
mod span;
mod text;
mod word;

pub use host::{Host, HostError, MemoryHost};
pub use markdown::{Fence, fences};
pub use span::{Span, Spanned};
pub use text::{Position, Source};
pub use word::Word;
