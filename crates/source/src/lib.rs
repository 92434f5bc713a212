//! Source texts, spans and lines; `Host`, the only interface to files.

mod changes;
mod columns;
mod host;
mod markdown;
mod quotes;
mod span;
mod text;
mod word;

pub use changes::{all_changes, unified_changes};
pub use columns::{display_width, is_invisible, padded, padded_left};
pub use host::{Host, HostError, MemoryHost, decoded};
pub use markdown::{Fence, Markup, fences, html_blocks, within};
pub use quotes::{closing_quote, quotations, quoted, shell_word, unescaped, unwritable, worded};
pub use span::{Span, Spanned};
pub use text::{Position, Source};
pub use word::{Mark, PathPart, Word, keyword_at, span_of, texts};
