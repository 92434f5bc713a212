//! The constants with which a house rule overrides settings of the game file.

use rhai::Dynamic;

use referee_diagnostic::did_you_mean;

/// A constant with which a house rule overrides a setting of the game file.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// A description of the required kind of value.
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
    Setting { name: "BOARD", kind: "a string", fits: Dynamic::is_string, example: "const BOARD = \"hex 7\";" },
];

/// Returns the setting with this name.
pub(crate) fn setting(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

/// Returns whether house rules override a setting of the game file by a constant with this name.
#[must_use]
pub fn is_setting(name: &str) -> bool {
    setting(name).is_some()
}

/// Returns the setting of which a constant's name may be a misspelling.
pub(crate) fn typo(name: &str, value: &Dynamic) -> Option<&'static str> {
    let near = |setting: &&Setting| {
        did_you_mean(&name.to_uppercase(), [setting.name]).is_some() || name.eq_ignore_ascii_case(setting.name)
    };
    SETTINGS.iter().filter(near).find(|setting| (setting.fits)(value)).map(|setting| setting.name)
}
