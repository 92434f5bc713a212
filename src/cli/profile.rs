//! The flags `--profile` and `--profile-stacks`: where rules spend work and time.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Instant;

use clap::Args;

use super::disk::{Disk, whole};
use referee_diagnostic::one_line;
use referee_report::{are_stacks, profile_stacks};
use referee_rules::{Clock, Profile};
use referee_source::{Host as _, HostError};

// The flags. (A doc comment would be their help text.)
#[derive(Debug, Args)]
pub(super) struct ProfileArguments {
    /// Also show which functions and lines of the rules do how much work; runs on one thread
    #[arg(long)]
    pub(super) profile: bool,
    /// With `--profile`: also write the work by calls to this file, for tools that draw flame graphs
    #[arg(long, value_name = "FILE", requires = "profile", value_parser = new_file)]
    profile_stacks: Option<PathBuf>,
}

/// Parses a file to write to, which need not exist.
fn new_file(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.is_dir() {
        true => Err(format!("this is a folder; name a file in it, such as `{}`", path.join("stacks.txt").display())),
        false => Ok(path),
    }
}

/// The nanoseconds since the clock was first asked.
fn clock() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    u64::try_from(BEGAN.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

impl ProfileArguments {
    /// Returns the clock of the profile, if there is one.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.profile.then_some(clock)
    }

    /// Returns the number of threads: one with a profile, because which results are remembered depends on what a thread
    /// has run before.
    pub(super) fn jobs(&self, jobs: Option<NonZeroUsize>) -> Option<NonZeroUsize> {
        if self.profile { Some(NonZeroUsize::MIN) } else { jobs }
    }

    /// Returns an error message if the file for stacks cannot be written, or has other content.
    pub(super) fn replaces(&self) -> Option<String> {
        let path = self.profile_stacks.as_ref()?;
        let shown = one_line(&path.to_string_lossy());
        match Disk.read(path) {
            Ok(text) if are_stacks(&text) => None,
            Err(HostError::NotFound) => None,
            Ok(_) => Some(format!(
                "`{shown}` has no stacks of an earlier profile, so nothing was run\nname another file, or delete this one"
            )),
            Err(error) => Some(format!("cannot write `{shown}`: {error}\nname another file")),
        }
    }

    /// Writes the stacks of a profile, if a file is named.
    ///
    /// # Errors
    /// Returns an error message if the file cannot be written.
    pub(super) fn write(&self, profile: Option<&Profile>) -> Result<(), String> {
        let (Some(path), Some(profile)) = (&self.profile_stacks, profile) else { return Ok(()) };
        let written = whole(path, &profile_stacks(profile));
        written.map_err(|why| format!("cannot write `{}`: {why}", one_line(&path.to_string_lossy())))
    }
}
