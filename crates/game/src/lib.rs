//! A game: reads and checks its `.game` file, its rules and its rulebook.

mod boards;
mod built_in;
mod data;
mod declare;
mod files;
mod house;
mod house_rules;
mod joined;
mod lines;
mod load;
mod names;
mod position;
mod prefixes;
mod reading;
mod rulebook;
mod search_path;

pub use built_in::{built_in_files, built_in_games, is_built_in};
pub use data::{NameInData, OfData, names_in_data, upgraded_data};
pub use declare::{arrows, board_spec, game_board_spec};
pub use files::GameFiles;
pub use house::{Declared, House, HouseFiles};
pub use joined::report_joined;
pub use lines::Lines;
pub use load::{Game, Unavailable};
pub use names::misplaced;
pub use position::{Kind, Position, SetUpOf, dealing, drawn_take_part, refused, shuffled};
pub use rulebook::clause_places;
pub use search_path::SearchPath;
