//! The error for a flag, counter or property that its owner does not have.

use referee_diagnostic::{Code, Diagnostic, nearest, one_of};
use referee_table::{Each, KindId, Owner, PieceId, PropertyEach, Schema};

/// Returns the error, with help on how to write it.
#[cold]
pub(super) fn lacking(schema: &Schema, owner: Owner, name: &str) -> Diagnostic {
    let each = each_of(schema, name);
    let whose = each.map(|each| whose(schema, each, name)).unwrap_or_default();
    let message = format!("{} has no flag, counter or property `{name}`{whose}", owner_words(schema, owner));
    let help = match each {
        Some(each) => format!("write {}", written(schema, Asked::of(schema, owner), each, name)),
        None => in_place_of(schema, owner, name),
    };
    Diagnostic::general(Code::UnknownProperty, message).help(help)
}

/// The kind of an owner that is asked for a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Game,
    Player,
    /// A piece, and whether it belongs to a player.
    Piece(bool),
}

impl Asked {
    fn of(schema: &Schema, owner: Owner) -> Self {
        match owner {
            Owner::Game => Self::Game,
            Owner::Player(_) => Self::Player,
            Owner::Piece(piece) => {
                Self::Piece(schema.pieces.get(piece.index()).is_some_and(|piece| piece.owner.is_some()))
            }
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Game => "the game",
            Self::Player => "a player",
            Self::Piece(_) => "a piece",
        }
    }
}

/// Returns the error for a declared property that no owner of this kind has; `None` if one has it, or if nothing does.
pub(crate) fn lacking_of_kind(schema: &Schema, asked: Asked, name: &str) -> Option<Diagnostic> {
    let each = each_of(schema, name)?;
    match (each, asked) {
        (PropertyEach::Game, Asked::Game)
        | (PropertyEach::Player, Asked::Player)
        | (PropertyEach::Kind(_), Asked::Piece(_)) => return None,
        _ => {}
    }
    let (who, whose) = (asked.words(), whose(schema, each, name));
    let message = format!("{who} has no flag, counter or property `{name}`{whose}");
    let help = format!("write {}", written(schema, asked, each, name));
    Some(Diagnostic::general(Code::UnknownProperty, message).help(help))
}

/// Returns the error for a property that pieces of another kind have than this one.
pub(crate) fn lacking_of_piece(schema: &Schema, kind: KindId, name: &str) -> Option<Diagnostic> {
    let each = each_of(schema, name)?;
    if !matches!(each, PropertyEach::Kind(other) if other != kind) {
        return None;
    }
    let message =
        format!("a {} has no flag, counter or property `{name}`{}", schema.kind_name(kind), whose(schema, each, name));
    let help = format!("write {}", written(schema, Asked::Piece(false), each, name));
    Some(Diagnostic::general(Code::UnknownProperty, message).help(help))
}

/// Returns who has a property, as the end of a message.
fn whose(schema: &Schema, each: PropertyEach, name: &str) -> String {
    match each {
        PropertyEach::Kind(kind) => format!(": each {} has one", schema.kind_name(kind)),
        PropertyEach::Player => ": each player has one".to_owned(),
        PropertyEach::Game => format!(": the game has one, `game.{name}`"),
    }
}

fn each_of(schema: &Schema, name: &str) -> Option<PropertyEach> {
    schema.properties.iter().find(|property| property.name == name).map(|property| property.each)
}

/// Returns the name of an owner. A player and their piece may have the same name.
fn owner_words(schema: &Schema, owner: Owner) -> String {
    match owner {
        Owner::Game => "the game".to_owned(),
        Owner::Player(player) => {
            let name = schema.player_name(player);
            let is_piece = schema.piece(name).is_some();
            if is_piece { format!("the player `{name}`") } else { name.to_owned() }
        }
        Owner::Piece(piece) => {
            let name = schema.piece_name(piece);
            match kind_of(schema, piece).filter(|_| schema.player(name).is_some()) {
                Some(kind) => format!("the piece `{name}`, a `{kind}`,"),
                None => name.to_owned(),
            }
        }
    }
}

/// Returns the name of the kind of a piece; `None` for a face-down card.
fn kind_of(schema: &Schema, piece: PieceId) -> Option<&str> {
    let kind = schema.pieces.get(piece.index())?.kind;
    schema.kinds.get(kind.index()).map(|kind| kind.name.as_str())
}

/// Returns how rules name a property that the owner does not have.
fn written(schema: &Schema, asked: Asked, each: PropertyEach, name: &str) -> String {
    match (each, asked) {
        (PropertyEach::Game, _) => format!("`game.{name}`"),
        (PropertyEach::Player, Asked::Piece(true)) => {
            format!("`owner(piece).{name}` for the player who owns the piece")
        }
        (PropertyEach::Player, _) => format!("`me.{name}` for that of a player `me`"),
        (PropertyEach::Kind(kind), _) => {
            let for_each = schema.kinds.get(kind.index()).is_some_and(|kind| matches!(kind.each, Each::Player));
            let kind = schema.kind_name(kind);
            match asked {
                Asked::Player if for_each => format!("`{kind}(me).{name}` for that of a player's {kind}"),
                _ => format!("`piece.{name}` for that of a {kind} `piece`"),
            }
        }
    }
}

/// Returns the help for a name that nothing has.
fn in_place_of(schema: &Schema, owner: Owner, name: &str) -> String {
    let has = |each: PropertyEach| match (each, owner) {
        (PropertyEach::Game, Owner::Game) | (PropertyEach::Player, Owner::Player(_)) => true,
        (PropertyEach::Kind(kind), Owner::Piece(piece)) => {
            schema.pieces.get(piece.index()).is_some_and(|piece| piece.kind == kind)
        }
        _ => false,
    };
    let own = || schema.properties.iter().filter(|property| has(property.each)).map(|property| property.name.as_str());
    if let Some(near) = nearest(name, own()) {
        return format!("did you mean `{near}`?");
    }
    if let Some(near) = nearest(name, schema.properties.iter().map(|property| property.name.as_str()))
        && let Some(each) = each_of(schema, near)
    {
        return format!("did you mean {}?", written(schema, Asked::of(schema, owner), each, near));
    }
    match (one_of(own(), 12), owner) {
        (_, Owner::Piece(piece)) if schema.is_back(piece) => {
            "a face-down card has none: see which card it is with `turn_up` or `look_at`".to_owned()
        }
        (list, Owner::Game) if list.is_empty() => format!("declare it in the game file: `flag {name}`"),
        (list, Owner::Player(_)) if list.is_empty() => {
            format!("declare it in the game file: `flag {name} for each player`")
        }
        (list, Owner::Piece(piece)) if list.is_empty() => {
            format!("declare it in the game file: `flag {name} for each {}`", kind_of(schema, piece).unwrap_or("piece"))
        }
        (list, _) => format!("use one of {list}"),
    }
}
