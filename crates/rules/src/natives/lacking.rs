//! The error for a flag, counter or property that its owner does not have.

use referee_diagnostic::{Code, Diagnostic, nearest, one_of};
use referee_table::{Each, KindId, Names, Owner, PieceId, PlaceKind, PropertyEach, PropertyOwners, Schema};

/// Returns the error, with help on how to write it.
#[cold]
pub(super) fn lacking(names: Names<'_>, owner: Owner, name: &str) -> Diagnostic {
    let schema = names.schema;
    let owners = owners_of(schema, name);
    let whose = owners.map(|owners| whose(schema, owners, name)).unwrap_or_default();
    let message = format!("{} has no flag, counter or property `{name}`{whose}", owner_words(names, owner));
    let help = match owners {
        Some(owners) => format!("write {}", written(schema, Asked::of(schema, owner), owners, name)),
        None => in_place_of(names, owner, name),
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
    Place,
}

impl Asked {
    fn of(schema: &Schema, owner: Owner) -> Self {
        match owner {
            Owner::Game => Self::Game,
            Owner::Player(_) => Self::Player,
            Owner::Place(_) => Self::Place,
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
            Self::Place => "a cell",
        }
    }
}

/// Returns the error for a declared property that no owner of this kind has; `None` if one has it, or if nothing does.
pub(crate) fn lacking_of_kind(schema: &Schema, asked: Asked, name: &str) -> Option<Diagnostic> {
    let owners = owners_of(schema, name)?;
    let is_asked = |each: &PropertyEach| {
        matches!(
            (each, asked),
            (PropertyEach::Game, Asked::Game)
                | (PropertyEach::Player, Asked::Player)
                | (PropertyEach::Kind(_), Asked::Piece(_))
                | (PropertyEach::Place(_), Asked::Place)
        )
    };
    if owners.sorts().iter().any(is_asked) {
        return None;
    }
    let (who, whose) = (asked.words(), whose(schema, owners, name));
    let message = format!("{who} has no flag, counter or property `{name}`{whose}");
    let help = format!("write {}", written(schema, asked, owners, name));
    Some(Diagnostic::general(Code::UnknownProperty, message).help(help))
}

/// Returns the error for a property that pieces of another kind have than this one.
pub(crate) fn lacking_of_piece(schema: &Schema, kind: KindId, name: &str) -> Option<Diagnostic> {
    let owners = owners_of(schema, name)?;
    if !owners.include_pieces() || owners.include(PropertyEach::Kind(kind)) {
        return None;
    }
    let (kind, whose) = (schema.kind_name(kind), whose(schema, owners, name));
    let message = format!("a {kind} has no flag, counter or property `{name}`{whose}");
    let help = format!("write {}", written(schema, Asked::Piece(false), owners, name));
    Some(Diagnostic::general(Code::UnknownProperty, message).help(help))
}

/// Returns who has a property, as the end of a message.
fn whose(schema: &Schema, owners: &PropertyOwners, name: &str) -> String {
    match owners.only() {
        Some(PropertyEach::Game) => format!(": the game has one, `game.{name}`"),
        _ => format!(": each {} has one", schema.owner_words(owners)),
    }
}

fn owners_of<'s>(schema: &'s Schema, name: &str) -> Option<&'s PropertyOwners> {
    schema.properties.iter().find(|property| property.name == name).map(|property| &property.owners)
}

/// Returns the name of an owner. A player and their piece may have the same name.
fn owner_words(names: Names<'_>, owner: Owner) -> String {
    let schema = names.schema;
    match owner {
        Owner::Game => "the game".to_owned(),
        Owner::Place(_) => names.owner_name(owner).into_owned(),
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
fn written(schema: &Schema, asked: Asked, owners: &PropertyOwners, name: &str) -> String {
    let each = owners.sorts().first().copied().unwrap_or(PropertyEach::Game);
    match (each, asked) {
        (PropertyEach::Game, _) => format!("`game.{name}`"),
        (PropertyEach::Player, Asked::Piece(true)) => {
            format!("`owner(piece).{name}` for the player who owns the piece")
        }
        (PropertyEach::Player, _) => format!("`me.{name}` for that of a player `me`"),
        (PropertyEach::Place(PlaceKind::Cell), Asked::Piece(_)) => {
            format!("`cell(piece).{name}` for that of the cell on which the piece stands")
        }
        (PropertyEach::Place(kind), _) => format!("`cell.{name}` for that of a {} `cell`", kind.word()),
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
fn in_place_of(names: Names<'_>, owner: Owner, name: &str) -> String {
    let schema = names.schema;
    let own = || {
        let own = schema.properties.iter().filter(|property| names.has(property, owner));
        own.map(|property| property.name.as_str())
    };
    if let Some(near) = nearest(name, own()) {
        return format!("did you mean `{near}`?");
    }
    if let Some(near) = nearest(name, schema.properties.iter().map(|property| property.name.as_str()))
        && let Some(owners) = owners_of(schema, near)
    {
        return format!("did you mean {}?", written(schema, Asked::of(schema, owner), owners, near));
    }
    match (one_of(own(), 12), owner) {
        (_, Owner::Piece(piece)) if schema.is_back(piece) => {
            "a face-down card has none: see which card it is with `turn_up` or `look_at`".to_owned()
        }
        (list, Owner::Game) if list.is_empty() => format!("declare it in the game file: `flag {name}`"),
        (list, Owner::Player(_)) if list.is_empty() => {
            format!("declare it in the game file: `flag {name} for each player`")
        }
        (list, Owner::Place(place)) if list.is_empty() => {
            let kind = names.board.place_kind(place).word();
            format!("declare it in the game file: `flag {name} for each {kind}`")
        }
        (list, Owner::Piece(piece)) if list.is_empty() => {
            format!("declare it in the game file: `flag {name} for each {}`", kind_of(schema, piece).unwrap_or("piece"))
        }
        (list, _) => format!("use one of {list}"),
    }
}
