//! The constants by which a house rule sets what the game file says otherwise.

use rhai::Dynamic;

use crate::diagnostic::did_you_mean;

/// A constant by which a house rule sets what a game file says otherwise.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// What it must be.
    pub(crate) kind: &'static str,
    pub(crate) fits: fn(&Dynamic) -> bool,
    pub(crate) example: &'static str,
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

/// Returns the setting of this name.
pub(crate) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Returns the setting that a constant of another name may be a slip of.
pub(crate) fn slip(name: &str, value: &Dynamic) -> Option<&'static str> {
    let near = |setting: &&Setting| {
        did_you_mean(&name.to_uppercase(), [setting.name]).is_some() || name.eq_ignore_ascii_case(setting.name)
    };
    SETTINGS.iter().filter(near).find(|setting| (setting.fits)(value)).map(|setting| setting.name)
}
