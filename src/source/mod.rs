//! Source texts, spans and lines; `Host`, the only interface to files.

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
