//! Reads scenario files and resolves their lines against a game. A plan contains ids instead of names.

pub(crate) mod actions;
pub(crate) mod blocks;
pub(crate) mod builder;
pub(crate) mod cards;
pub(crate) mod chance;
pub(crate) mod dice;
pub(crate) mod expect;
pub(crate) mod facts;
pub(crate) mod file;
pub(crate) mod idle;
pub(crate) mod markdown;
pub(crate) mod model;
pub(crate) mod players;
pub(crate) mod policy;
pub(crate) mod position;
pub(crate) mod prefixes;
pub(crate) mod properties;
pub(crate) mod question;
pub(crate) mod reading;
pub(crate) mod resolver;
pub(crate) mod settings;
pub(crate) mod steps;
pub(crate) mod strategy;
pub(crate) mod suite;
pub(crate) mod tables;
pub(crate) mod unread;
