//! How many ways play can go, counted.
fn main() {}
