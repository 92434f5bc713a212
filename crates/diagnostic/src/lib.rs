//! The one type for all errors in files, and its rendering.

mod alike;
mod code;
mod counted;
mod escape;
mod missing;
mod model;
mod render;
mod suggest;

pub use alike::{difference, strange_character};
pub use code::Code;
pub use counted::counted;
pub use escape::{as_lines, in_markdown, inert, is_printable, one_line, printable};
pub use missing::{MustBe, note_missing, noted_missing};
pub use model::{Diagnostic, Label, MAX_PROBLEMS, first_of, share_of};
pub use render::Renderer;
pub use suggest::{closest, did_you_mean, meant, nearest, nearest_within, one_of};
