//! The games that newcomers wrote, which benchmarks measure: their files are right, their scenarios hold, and compiled rules
//! play them as the machine does.

use std::path::Path;

use crate::program::referee;

#[test]
fn games_of_newcomers_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/games");
    for (command, says) in [("check", "no errors"), ("test", "83 passed")] {
        let ran =
            referee().current_dir(std::env::temp_dir()).arg(command).arg(&folder).arg("--games").arg(&folder).output();
        let ran = ran.unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && said.contains(says), "{command}: {said}");
    }
}

#[test]
fn games_of_newcomers_are_played_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/games");
    let mut all: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert_eq!(all.len(), 11);
    for path in all {
        let game = path.join(path.file_name().unwrap()).with_extension("game");
        // A named engine fails if the machine has to play.
        let played = |engine: &str| {
            let words = ["-n", "3", "--max-plies", "60", "--format", "json", "--engine", engine];
            let ran = referee().arg("simulate").arg(&game).args(words).output().unwrap();
            assert!(ran.status.success(), "{game:?}: {}", String::from_utf8_lossy(&ran.stderr));
            String::from_utf8(ran.stdout).unwrap()
        };
        assert_eq!(played("wasmi"), played("machine"), "{game:?}");
    }
}
