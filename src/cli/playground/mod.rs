//! `referee playground`: serves the page of the playground for a project on disk, on this machine alone.

mod access;
mod answers;
mod changes;
mod pages;
mod project;
mod server;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Exit;
use super::output::{print, print_error, remark};
use access::Access;
use changes::Changes;
use pages::{BUILD, Pages};
use project::Project;
use referee_diagnostic::{one_line, printable};

#[derive(Debug, Args)]
pub(super) struct PlaygroundArguments {
    /// The project: the folder with `games` and `scenarios`
    #[arg(default_value = ".", value_parser = super::arguments::folder)]
    project: PathBuf,
    /// The folder of the page [default: the one beside the program, or `target/playground`]
    #[arg(long, value_name = "DIR", value_parser = super::arguments::folder)]
    files: Option<PathBuf>,
    /// The port on this machine [default: any that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
}

/// Serves until the process is ended. Returns only if it cannot.
pub(super) fn run(arguments: &PlaygroundArguments) -> Exit {
    match serve(arguments) {
        Ok(()) => Exit::Passed,
        Err(message) => {
            print_error(&message);
            Exit::Usage
        }
    }
}

fn serve(arguments: &PlaygroundArguments) -> Result<(), String> {
    let pages = Pages::open(&page_folder(arguments.files.as_deref())?)?;
    let project = Project::open(&arguments.project)?;
    let server = tiny_http::Server::http(("127.0.0.1", arguments.port))
        .map_err(|error| format!("cannot serve on port {}: {error}", arguments.port))?;
    let port = server.server_addr().to_ip().map(|address| address.port()).ok_or("the server has no port")?;
    let access = Access::new(port)?;
    let changes = Arc::new(Changes::default());
    // Dropped when the server ends: without it nothing is watched.
    let _watcher = match changes::watch(project.root(), &changes) {
        Ok(watcher) => Some(watcher),
        Err(error) => {
            remark(&format!("changes made by other programs are not shown: {error}"));
            None
        }
    };
    let shown = one_line(&arguments.project.to_string_lossy().replace('\\', "/"));
    print(&printable(&format!("{}\nthe playground of `{shown}`; Ctrl-C ends it\n", access.address())));
    server::serve(&server, &access, &pages, &project, &changes)
}

/// Returns the folder of the page: the one that is named, that which was installed beside the program, or the one that
/// was built here.
fn page_folder(named: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(named) = named {
        return Ok(named.to_path_buf());
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    let beside = program.as_deref().and_then(Path::parent);
    let installed = beside
        .into_iter()
        .flat_map(|folder| [folder.join("../share/referee/playground"), folder.join("../playground")]);
    let mut places = installed.chain([PathBuf::from("target/playground")]);
    places.find(|folder| folder.join("index.html").is_file()).ok_or_else(|| {
        format!(
            "the page of the playground is not here: it is neither beside the program nor in `target/playground`\n\
             build it with `{BUILD}` in the repository of the program, and name its folder with `--files`"
        )
    })
}
