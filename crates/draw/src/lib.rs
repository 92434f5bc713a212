//! Draws positions as pictures (SVG): the board, the cards beside it, and the pieces that have moved.
//!
//! A picture holds no scripts and no fonts, and fetches nothing. Pieces are distinguished by their symbols, and colours only
//! help. Cards that not all players see are drawn as backs. The same position gives the same bytes.

mod cards;
mod colours;
mod description;
mod layout;
mod picture;
mod svg;

pub use colours::STYLE;
pub use description::description;
pub use layout::{Spot, spots};
pub use picture::Picture;
pub use svg::{picture, picture_file};
