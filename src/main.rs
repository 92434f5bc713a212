//! The `referee` command.

/// Rules allocate many small lists and sets on several threads, which is slow with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    referee::cli::main()
}
