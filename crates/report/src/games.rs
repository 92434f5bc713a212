//! The list of games as text and as JSON.

use serde::Serialize;

use super::object::{line, object};
use super::tables::columns;
use referee_scenario::Listed;
use referee_table::{Choice, GameOption};

/// Returns the games, one paragraph each.
#[must_use]
pub fn games_human(games: &[Listed]) -> String {
    games.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}

fn paragraph(game: &Listed) -> String {
    let schema = &game.schema;
    let bundled = if game.bundled { " (bundled)" } else { "" };
    let title = Some(&schema.title).filter(|title| **title != schema.id).map(|title| format!("  {title}"));
    let mut text = format!("{}{}{bundled}\n", schema.id, title.unwrap_or_default());
    let count = counted(schema.player_count);
    text.push_str(&format!("  players  {count}: {}\n", schema.players.join(", ")));
    let mut rows = Vec::new();
    let variants = schema.variants.iter().enumerate().filter(|(_, variant)| !variant.name.is_empty());
    let variants = variants.map(|(at, variant)| {
        let own = variant.player_count.map(|_| format!("{} players", counted(schema.player_count_of(at))));
        let title = Some(variant.title.clone()).filter(|title| *title != variant.name && !title.is_empty());
        (variant.name.clone(), title.into_iter().chain(own).collect::<Vec<_>>().join(", "))
    });
    rows.extend(variants.map(|(name, title)| ["variant".to_owned(), name, title]));
    let options = schema.options.iter().map(|option| (format!("{} = {}", option.name, values(option)), about(option)));
    rows.extend(options.map(|(name, title)| ["option ".to_owned(), name, title]));
    for house in &game.houses {
        rows.push(["house  ".to_owned(), house.name.clone(), house.title.clone()]);
        let own = house.options.iter();
        let own = own.map(|option| (format!("  {} = {}", option.name, values(option)), about(option)));
        rows.extend(own.map(|(name, title)| ["  option".to_owned(), name, title]));
    }
    text.extend(columns(rows).lines().map(|line| format!("  {line}\n")));
    text
}

/// Returns a range as `2` or `2 to 4`.
fn counted((least, most): (usize, usize)) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn values(option: &GameOption) -> String {
    option.choice.words().join(" | ")
}

/// Returns the title, and the default if it is not the first of the values.
fn about(option: &GameOption) -> String {
    let default = matches!(option.choice, Choice::Numbers(..)).then(|| format!("default {}", option.choice.default()));
    let title = Some(option.title.clone()).filter(|title| !title.is_empty() && *title != option.name);
    title.into_iter().chain(default).collect::<Vec<_>>().join(", ")
}

/// Returns the games as JSON: `{"version":1,"games":[…]}`
#[must_use]
pub fn games_json(games: &[Listed]) -> String {
    line(&object().with("version", 1).list("games", games.iter().map(game)))
}

fn option(option: &GameOption) -> impl Serialize {
    object()
        .with("option", &option.name)
        .with("title", &option.title)
        .with("values", option.choice.words())
        .with("default", option.choice.default().to_string())
}

fn game(listed: &Listed) -> impl Serialize {
    let schema = &*listed.schema;
    let (fewest, most) = schema.player_count;
    let variants = schema.variants.iter().enumerate().filter(|(_, variant)| !variant.name.is_empty());
    let variants = variants.map(|(at, variant)| {
        let (fewest, most) = schema.player_count_of(at);
        object().with("variant", &variant.name).with("title", &variant.title).with("fewest", fewest).with("most", most)
    });
    let options = schema.options.iter().map(option);
    let houses = listed.houses.iter().map(|house| {
        let options = house.options.iter().map(option);
        object().with("house", &house.name).with("title", &house.title).list("options", options)
    });
    object()
        .with("game", &schema.id)
        .with("title", &schema.title)
        .with("bundled", listed.bundled)
        .with("players", &schema.players)
        .with("fewest", fewest)
        .with("most", most)
        .list("variants", variants)
        .list("options", options)
        .list("houses", houses)
}
