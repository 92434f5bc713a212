//! The constants by which a house rule sets what the game file says otherwise.

use rhai::Dynamic;

use crate::diagnostic::did_you_mean;

/// A constant by which a house rule sets what a game file says otherwise.
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// What it must be.
    pub(super) kind: &'static str,
    pub(super) fits: fn(&Dynamic) -> bool,
    pub(super) example: &'static str,
}

const SETTINGS: [Setting; 2] = [
    Setting {
        name: "OPTIONS",
        kind: "a map of options and their values",
        fits: Dynamic::is_map,
        example: "const OPTIONS = #{ goal: 3 };",
    },
    Setting { name: "BOARD", kind: "a text", fits: Dynamic::is_string, example: "const BOARD = \"hex 7\";" },
];

/// The setting of this name.
pub(super) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// The setting that a constant of another name may be a slip of.
pub(super) fn slip(name: &str, value: &Dynamic) -> Option<&'static str> {
    let near = |setting: &&Setting| {
        did_you_mean(&name.to_uppercase(), [setting.name]).is_some() || name.eq_ignore_ascii_case(setting.name)
    };
    SETTINGS.iter().filter(near).find(|setting| (setting.fits)(value)).map(|setting| setting.name)
}
