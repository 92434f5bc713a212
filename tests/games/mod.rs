//! The games that come along, compared with independent readings of their rulebooks.

mod blocks_oracle;
mod blocks_play;
mod cases;
mod every_game;
mod evil_oracle;
mod evil_play;
mod hex_cycles;
mod hex_oracle;
mod hex_play;
mod lines_of_action;
mod moves;
mod odds;
mod perft;
mod pig;
mod playing;
mod playouts;
mod snippets;
mod squish_deal;
mod squish_engine;
mod squish_examples;
mod squish_oracle;
mod squish_properties;
mod squish_random_play;
mod squish_states;
mod squish_symmetry;
mod ur;
