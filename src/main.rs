//! The `referee` command: replay the worked examples of a rulebook against its rules, and judge them.
//!
//! What it does is in the crates of `crates/`, a crate for each layer; here are its arguments, its exit codes, files and
//! threads. `docs/architecture.md` describes the layers.

mod cli;

/// Rules allocate many small lists and sets on several threads, which is slow with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::main()
}
