//! A rulebook in Markdown as a page or as chapters of an mdBook: its examples are drawn where they are written, and each
//! clause names the examples that show it.

mod chapter;
mod content;
mod events;
mod example;
mod mdbook;
mod page;
mod render;

pub use chapter::book_chapter;
pub use content::{BookText, ShownClause, ShownExample, clauses_of, example_id};
pub use example::Example;
pub use mdbook::{ChapterText, MdBook, MdBookSettings};
pub use page::{BookPage, book_page, clauses_without_example};
pub use render::{Embedded, picture_files};
