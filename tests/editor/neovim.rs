//! A real client: Neovim without a window attaches, sees an error, applies its fix, completes and formats.

use std::path::Path;
use std::process::Command;

use crate::commands::{INVALID, Project};

#[test]
#[ignore = "needs Neovim"]
fn neovim_sees_mends_completes_and_formats() {
    let project = Project::hop().file("a.scenario", INVALID.replace("  turn red", "     turn red"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(std::env::var("NEOVIM").unwrap_or_else(|_| "nvim".to_owned()));
    command.args(["--headless", "--clean", "-n", "-u", "NONE", "--cmd"]);
    command.arg(format!("set runtimepath^={}", here.join("editors/neovim").display()));
    command.args(["-c"]).arg(format!("luafile {}", here.join("tests/editor/neovim.lua").display()));
    command.args(["-c", "cquit 3", "a.scenario"]);
    command.current_dir(project.path()).env("REFEREE", env!("CARGO_BIN_EXE_referee"));
    command.env("XDG_STATE_HOME", project.path().join("state")).env("XDG_CACHE_HOME", project.path().join("cache"));
    let output = command.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    let expected = "use hop short\n\nscenario \"A die that the game has not\"\n  turn red\n  roll distance 2\n";
    assert_eq!(std::fs::read_to_string(project.path().join("a.scenario")).unwrap(), expected, "{said}");
}
