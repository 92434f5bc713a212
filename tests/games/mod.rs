//! The games that come along, compared with independent readings of their rulebooks.

mod squish_examples;
mod squish_oracle;
mod squish_random_play;
