//! `referee completions` and `referee man`: for the shell and for `man`.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;

use super::Exit;
use super::disk::write_all;
use super::output::{print, print_data, print_error};

/// The name of the program.
const NAME: &str = "referee";

#[derive(Debug, Args)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArguments {
    /// Folder for the pages: `referee.1`, and one for each command
    folder: PathBuf,
}

/// Prints the script with which a shell completes the command line.
pub(super) fn completions(arguments: &CompletionsArguments, mut command: Command) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, NAME, &mut script);
    print_data(&String::from_utf8_lossy(&script));
    Exit::Passed
}

/// Writes the manual pages, all or none.
pub(super) fn man(arguments: &ManArguments, command: Command) -> Exit {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let commands = command.get_subcommands().map(|one| (format!("{NAME}-{}", one.get_name()), one.clone()));
    let all = std::iter::once((NAME.to_owned(), command.clone())).chain(commands);
    let mut pages = Vec::new();
    for (name, command) in all {
        let mut page = Vec::new();
        if let Err(error) = clap_mangen::Man::new(command).render(&mut page) {
            print_error(&format!("cannot write the page {name}: {error}"));
            return Exit::Usage;
        }
        pages.push((arguments.folder.join(format!("{name}.1")), String::from_utf8_lossy(&page).into_owned()));
    }
    let files: Vec<(PathBuf, &str)> = pages.iter().map(|(file, text)| (file.clone(), text.as_str())).collect();
    match write_all(&arguments.folder, &files) {
        Ok(()) => {
            print(&format!("{} pages in {}\n", files.len(), arguments.folder.display()));
            Exit::Passed
        }
        Err(message) => {
            print_error(&message);
            Exit::Usage
        }
    }
}
