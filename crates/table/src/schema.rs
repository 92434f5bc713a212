//! The declarations of a game: players, board, dice, pieces, properties, asks, events, options and variants.

use std::borrow::Borrow;
use std::sync::Arc;

use referee_diagnostic::MustBe as _;
use referee_source::{Source, Span};

use super::{
    AskId, Board, BoardError, Cell, ClauseId, Dealing, Declaration, DeclaredKind, Die, DieId, EventId, Form, Graph,
    Heading, Kind, KindId, Laid, OptionId, Owner, PieceId, PlayerId, PropertyEach, PropertyId, PropertyOwners, Sight,
    Stacking, Symmetries, Value, ZoneDef, ZoneId,
};

/// All declarations of a game, by the kind of the line that makes them. Lists are in the order of the declarations; ids
/// are indices into them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The identifier: the name of its folder.
    pub id: String,
    /// The title to show to users.
    pub title: String,
    /// The players' names.
    pub players: Vec<String>,
    /// The minimum and maximum number of players.
    pub player_count: (usize, usize),
    /// The board's shape.
    pub board: BoardSpec,
    /// Which cells of its boards are dark, if they are chequered: those whose column and row, counted from 0, add up to
    /// an odd number (`true`) or to an even one.
    pub dark: Option<bool>,
    /// The cells of its boards on which several pieces may stand.
    pub stacks: Stacking,
    /// Whether the sides and the corners of its squares or hexagons are places, too: see [`PlaceKind`](super::PlaceKind).
    pub second: SecondKinds,
    /// The data of its graphs.
    pub graphs: Vec<Arc<Graph>>,
    /// The arrows of that board: base and end.
    pub arrows: Vec<(Cell, Cell)>,
    /// The directions.
    pub headings: Vec<Heading>,
    /// The dice.
    pub dice: Vec<Die>,
    /// How many of these, the first ones, are those of the game itself; the others are declared by house rules.
    pub dice_of_game: usize,
    /// The kinds of pieces.
    pub kinds: Vec<PieceKind>,
    /// The pieces, including cards.
    pub pieces: Vec<PieceDef>,
    /// The zones of cards.
    pub zones: Vec<ZoneDef>,
    /// The values printed on cards.
    pub printed: Vec<PrintedDef>,
    /// The functions of the rules that cards name.
    pub functions: Vec<CardFunction>,
    /// The scripts beside the data files of cards.
    pub scripts: Vec<Arc<Source>>,
    /// Flags, counters and properties.
    pub properties: Vec<Property>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// The asks.
    pub asks: Vec<Form>,
    /// The events.
    pub events: Vec<Form>,
    /// The options.
    pub options: Vec<GameOption>,
    /// The variants; the first is the default. A game that declares none has one without a name.
    pub variants: Vec<Variant>,
    /// The clauses of the rulebook.
    pub clauses: Vec<Clause>,
    /// The names that the game file declares, in its order: also those of lines with errors.
    pub declarations: Vec<Declaration>,
    /// The symmetries.
    pub symmetries: Symmetries,
}

/// The places of a second kind that the boards of a game have besides their cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondKinds {
    /// The sides of squares or hexagons.
    pub sides: bool,
    /// Their corners.
    pub corners: bool,
}

/// The shape of a board before it is built; a scenario may change the size.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardSpec {
    /// Squares: columns and rows.
    Grid(i64, i64),
    /// Squares with a margin: columns and rows inside the margin, and the width of the margin in cells.
    Framed(i64, i64, i64),
    /// Squares without an edge.
    Open,
    /// A hexagon of hexagons: the number of cells on a side.
    Hex(i64),
    /// A rhombus of hexagons: columns and rows.
    Rhombus(i64, i64),
    /// A triangle of hexagons: the number of cells on a side.
    Triangle(i64),
    /// Concentric rings: how many, and the number of cells of each.
    Rings(i64, i64),
    /// Named places and the links between them.
    Graph(Arc<Graph>),
    /// A board of squares or hexagons without these cells.
    Without(Box<Self>, Vec<String>),
    /// A track: the number of cells.
    Track(i64),
    /// No board: a game of only dice or cards.
    None,
}

impl BoardSpec {
    /// Returns the board without its holes.
    #[must_use]
    pub fn whole(&self) -> &Self {
        match self {
            Self::Without(whole, _) => whole.whole(),
            other => other,
        }
    }

    /// Returns whether both are boards of one kind, of which only the size may differ.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self.whole()) == std::mem::discriminant(other.whole())
    }

    /// Returns whether it has no directions: its places are joined by links.
    #[must_use]
    pub fn is_graph(&self) -> bool {
        matches!(self, Self::Graph(_))
    }
}

/// The number of pieces of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// One.
    One,
    /// One for each player.
    Player,
    /// One for each number of this range.
    Number(i64, i64),
    /// One for each player and each number of this range.
    PlayerNumber(i64, i64),
    /// The cards of a data file.
    Card,
}

/// A kind of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// Its name.
    pub name: String,
    /// The number of its pieces.
    pub each: Each,
    /// Its size: columns and rows.
    pub size: (u8, u8),
    /// The zone that holds its cards at the start.
    pub home: Option<ZoneId>,
}

/// The additional data of a piece that is a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The number of equal cards.
    pub copies: u32,
    /// The values printed on it, by name.
    pub printed: Vec<(String, Value)>,
}

impl Card {
    /// Returns the value printed on it under a name; [`Value::Nothing`] if there is none.
    #[must_use]
    pub fn value(&self, name: &str) -> &Value {
        self.printed.iter().find(|(printed, _)| printed == name).map_or(&Value::Nothing, |(_, value)| value)
    }
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceDef {
    /// Its kind.
    pub kind: KindId,
    /// Its name in lines: `large`, `block 1`, `red`, `red king`, `red man 3`.
    pub name: String,
    /// Its symbol in diagrams.
    pub symbol: String,
    /// The player who owns it, for a kind `for each player`.
    pub owner: Option<PlayerId>,
    /// Its number, for a numbered kind.
    pub number: Option<i64>,
    /// Whether any number of them may be on the board, indistinguishable.
    pub many: bool,
    /// The data of a card, if it is one.
    pub card: Option<Card>,
}

/// The names of the parameters of a function.
pub type Parameters = Arc<[String]>;

/// A function of the rules that a card names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFunction {
    /// Its name.
    pub name: String,
    /// The names of its parameters, if the data file gives them.
    pub parameters: Option<Parameters>,
    /// The data file that names the function.
    pub source: Arc<Source>,
    /// The location of the name in that file.
    pub span: Span,
}

/// The kind of value that a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// A boolean.
    Flag,
    /// A number.
    Counter {
        /// Whether it is a record: the rules write it and never read it.
        record: bool,
    },
    /// A value of a kind, or none.
    Value(Kind),
}

/// A flag, counter or property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its owners: the game, each player, each piece of a kind, each place of the board.
    pub owners: PropertyOwners,
    /// The kind of its value.
    pub kind: PropertyKind,
    /// Its initial value.
    pub initial: Value,
    /// Whether it is a clock: a counter that is no part of a position. Rules read it, so it decides how play goes on.
    pub clock: bool,
    /// Whether diagrams write it before the piece: `ann:Pooga`.
    pub in_drawings: bool,
    /// Who sees it.
    pub sight: Sight,
    /// Whether all copies of a piece have one value together on purpose.
    pub shared: bool,
    /// Whether it is a resource, or the supply of one: it changes only as amounts are paid and gained.
    pub resource: bool,
    /// The location of its declaration.
    pub place: (Arc<Source>, Span),
}

impl Property {
    /// Returns whether rules can write it and not read it.
    #[must_use]
    pub const fn is_record(&self) -> bool {
        matches!(self.kind, PropertyKind::Counter { record: true })
    }

    /// Returns whether two positions may differ in it and be the same: a record, or a clock.
    #[must_use]
    pub const fn is_beside_positions(&self) -> bool {
        self.clock || self.is_record()
    }
}

impl Schema {
    /// Returns a piece with copies that have one value of a property together; `None` if there is none, or if that is on purpose.
    #[must_use]
    pub fn copied(&self, property: &Property) -> Option<&PieceDef> {
        let kinds = property.owners.sorts().iter().filter_map(|each| match each {
            PropertyEach::Kind(kind) => Some(*kind),
            _ => None,
        });
        let mut pieces = kinds.flat_map(|kind| self.pieces_of(kind)).filter_map(|piece| self.pieces.get(piece.index()));
        pieces.find(|piece| piece.many && !property.shared)
    }

    /// Returns whose copies rules would set a property of, all at once and not on purpose; `None` if this owner is a single
    /// one. What rules only write, a record, may be that of all copies.
    #[must_use]
    pub fn owner_with_copies(&self, property: &Property, owner: Owner) -> Option<&PieceDef> {
        let Owner::Piece(piece) = owner else { return None };
        let is_one = property.shared || property.resource || property.is_record();
        self.pieces.get(piece.index()).filter(|piece| piece.many && !is_one)
    }
}

/// A resource: something that is only counted, such as coins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// The counter of how much of it each owner has.
    pub held: PropertyId,
    /// The counter of the game of how much is left in the supply; `None` if there is no limit.
    pub supply: Option<PropertyId>,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// Its values.
    pub choice: Choice,
    /// Its title.
    pub title: String,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Words, the default first.
    Words(Vec<Arc<str>>),
    /// Numbers from the first to the second; the third is the default.
    Numbers(i64, i64, i64),
}

/// The value that an option is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Setting {
    /// A word.
    Word(Arc<str>),
    /// A number.
    Number(i64),
}

impl std::fmt::Display for Setting {
    /// Writes the value as lines do.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A value that is printed on cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedDef {
    /// Its name.
    pub name: String,
    /// Its kind, if it is one that a property can have, and the same in all files that declare it.
    pub kind: Option<PropertyKind>,
}

/// A variant: a set-up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The minimum and maximum number of players, if they differ from those of the game.
    pub player_count: Option<(usize, usize)>,
    /// The board, if it differs from that of the game.
    pub board: Option<BoardSpec>,
    /// The pieces on the board at the start.
    pub places: Vec<Placement>,
    /// The contents of zones at the start, as far as lines list them.
    pub laid: Vec<Laid>,
    /// The shuffling and dealing before play, in this order.
    pub dealings: Vec<Dealing>,
    /// The options that it sets.
    pub settings: Vec<(OptionId, Setting)>,
    /// The flags, counters and properties that it sets.
    pub values: Vec<SetValue>,
    /// The clauses of the rulebook that the set-up applies.
    pub clauses: Vec<ClauseId>,
}

impl Variant {
    /// Returns whether its set-up refers to cells of the game's board.
    #[must_use]
    pub fn is_for_one_board(&self) -> bool {
        !self.places.is_empty() || self.values.iter().any(|set| set.names_cells)
    }
}

/// A value that a set-up sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The flag, counter or property.
    pub property: PropertyId,
    /// Its owner.
    pub owner: Owner,
    /// Its value.
    pub value: Value,
    /// Whether it depends on the game's own board: the value may refer to its cells, or a diagram of it shows the
    /// value.
    pub names_cells: bool,
}

/// A piece and the cell nearest `a1` that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The piece.
    pub piece: PieceId,
    /// The name of the cell, because the board may have another size.
    pub cell: String,
    /// Whether it is a face-down card.
    pub face_down: bool,
}

/// A clause of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its id: `B4`.
    pub id: String,
}

impl Choice {
    /// Returns the default value.
    #[must_use]
    pub fn default(&self) -> Setting {
        match self {
            Self::Words(words) => Setting::Word(words.first().cloned().unwrap_or_else(|| Arc::from(""))),
            Self::Numbers(_, _, default) => Setting::Number(*default),
        }
    }

    /// Returns the value written as `text`, if the option has it.
    #[must_use]
    pub fn setting(&self, text: &str) -> Option<Setting> {
        match self {
            Self::Words(words) => words.iter().find(|word| &***word == text).cloned().map(Setting::Word),
            Self::Numbers(low, high, _) => {
                text.parse().ok().filter(|number| (low..=high).contains(&number)).map(Setting::Number)
            }
        }
    }

    /// Returns the values as text: `ignored`, `moves`; `1..9`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Words(words) => words.iter().map(ToString::to_string).collect(),
            Self::Numbers(low, high, _) => vec![format!("{low}..{high}")],
        }
    }
}

impl PieceDef {
    /// Returns whether it is the only piece of its kind, so that rules have a name for it.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.owner.is_none() && self.number.is_none() && self.card.is_none() && !self.is_back()
    }
}

/// Returns the board of a shape, without places of a second kind on squares and hexagons.
fn built(shape: &BoardSpec, headings: Vec<Heading>) -> Result<Board, BoardError> {
    match shape {
        BoardSpec::Grid(columns, rows) => Board::grid(*columns, *rows, headings),
        BoardSpec::Framed(columns, rows, margin) => Board::framed((*columns, *rows), *margin, headings),
        BoardSpec::Open => Ok(Board::open(headings)),
        BoardSpec::Hex(side) => Board::hex(*side, headings),
        BoardSpec::Rhombus(columns, rows) => Board::rhombus((*columns, *rows), headings),
        BoardSpec::Triangle(side) => Board::triangle(*side, headings),
        BoardSpec::Rings(rings, cells) => Board::rings(*rings, *cells),
        BoardSpec::Graph(graph) => Ok(Board::graph(graph)),
        BoardSpec::Without(whole, holes) => built(whole, headings).map(|board| board.without(holes)),
        BoardSpec::Track(cells) => Board::track(*cells),
        BoardSpec::None => Ok(Board::none()),
    }
}

fn find<T>(list: &[T], wanted: impl Fn(&T) -> bool) -> Option<usize> {
    list.iter().position(wanted)
}

impl Schema {
    /// Returns the board as the game declares it.
    ///
    /// # Errors
    /// Returns an error if the shape is out of range.
    pub fn build_board(&self, shape: impl Borrow<BoardSpec>) -> Result<Board, BoardError> {
        let board = built(shape.borrow(), self.headings.clone()).map(|board| board.with_second(self.second));
        board.map(|board| board.chequered(self.dark).stacking(&self.stacks))
    }

    /// Returns the player named `name`.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<PlayerId> {
        find(&self.players, |player| player == name).map(PlayerId::at)
    }

    /// Returns the die named `name`.
    #[must_use]
    pub fn die(&self, name: &str) -> Option<DieId> {
        find(&self.dice, |die| die.name == name).map(DieId::at)
    }

    /// Returns the die that needs no name: the only one, or the only one of the game itself, whose rules and examples do
    /// not change with a house rule that declares further dice.
    #[must_use]
    pub fn only_die(&self) -> Option<DieId> {
        (self.dice.len() == 1 || self.dice_of_game == 1).then_some(DieId::at(0))
    }

    /// Returns the kind named `name`.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<KindId> {
        find(&self.kinds, |kind| kind.name == name).map(KindId::at)
    }

    /// Returns the piece named `name`, with one space between words: also `white king`, if the king of white is named
    /// `white`.
    #[must_use]
    pub fn piece(&self, name: &str) -> Option<PieceId> {
        let with_kind = || {
            let (player, kind) = name.split_once(' ')?;
            self.piece_of(self.kind(kind)?, self.player(player)?)
        };
        find(&self.pieces, |piece| piece.name == name).map(PieceId::at).or_else(with_kind)
    }

    /// Returns the name of a piece with its kind, `white king`, if it is named by its player alone.
    #[must_use]
    pub fn name_with_kind(&self, piece: PieceId) -> Option<String> {
        let def = self.pieces.get(piece.index())?;
        let player = def.owner.map(|owner| self.player_name(owner)).filter(|player| *player == def.name)?;
        Some(format!("{player} {}", self.kind_name(def.kind)))
    }

    /// Returns the ask with this verb.
    #[must_use]
    pub fn ask(&self, verb: &str) -> Option<AskId> {
        find(&self.asks, |ask| ask.verb == verb).map(AskId::at)
    }

    /// Returns the event with this verb, or with more of the words of its form.
    #[must_use]
    pub fn event(&self, verb: &str) -> Option<EventId> {
        let exact = find(&self.events, |event| event.verb == verb);
        exact.or_else(|| find(&self.events, |event| event.is_called(verb))).map(EventId::at)
    }

    /// Returns the option named `name`.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<OptionId> {
        find(&self.options, |option| option.name == name).map(OptionId::at)
    }

    /// Returns the property named `name`.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<PropertyId> {
        find(&self.properties, |property| property.name == name).map(PropertyId::at)
    }

    /// Returns the clause with this id.
    #[must_use]
    pub fn clause(&self, id: &str) -> Option<ClauseId> {
        find(&self.clauses, |clause| clause.id == id).map(ClauseId::at)
    }

    /// Returns the pieces of a kind, in order.
    pub fn pieces_of(&self, kind: KindId) -> impl Iterator<Item = PieceId> + '_ {
        // Pieces are sorted by kind.
        let first = self.pieces.partition_point(|piece| piece.kind < kind);
        let mine = self.pieces.iter().skip(first).take_while(move |piece| piece.kind == kind);
        mine.enumerate().map(move |(at, _)| PieceId::at(first + at))
    }

    /// Returns the piece of a kind that belongs to a player, if each player has only one.
    #[must_use]
    pub fn piece_of(&self, kind: KindId, player: PlayerId) -> Option<PieceId> {
        let is_it = |piece: &PieceDef| piece.kind == kind && piece.owner == Some(player) && piece.number.is_none();
        find(&self.pieces, is_it).map(PieceId::at)
    }

    /// Returns whether any number of this piece may be on the board.
    #[must_use]
    pub fn is_many(&self, piece: PieceId) -> bool {
        self.pieces.get(piece.index()).is_some_and(|piece| piece.many)
    }

    /// Returns the data of a card, if the piece is one.
    #[must_use]
    pub fn card(&self, piece: PieceId) -> Option<&Card> {
        self.pieces.get(piece.index()).and_then(|piece| piece.card.as_ref())
    }

    /// Returns the number of a value that is printed on cards.
    #[must_use]
    pub fn printed(&self, name: &str) -> Option<usize> {
        self.printed.iter().position(|printed| printed.name == name)
    }

    /// Returns a player's name.
    #[must_use]
    pub fn player_name(&self, player: PlayerId) -> &str {
        self.players.get(player.index()).map(String::as_str).or_missing("the name of a player", "")
    }

    /// Returns the verb of an ask.
    #[must_use]
    pub fn verb(&self, ask: AskId) -> &str {
        self.asks.get(ask.index()).map(|form| form.verb.as_str()).or_missing("the verb of an ask", "")
    }

    /// Returns the id of a clause, as the rulebook writes it.
    #[must_use]
    pub fn clause_name(&self, clause: ClauseId) -> &str {
        self.clauses.get(clause.index()).map(|clause| clause.id.as_str()).or_missing("the id of a clause", "")
    }

    /// Returns the name of a property.
    #[must_use]
    pub fn property_name(&self, property: PropertyId) -> &str {
        self.properties.get(property.index()).map(|found| found.name.as_str()).or_missing("the name of a property", "")
    }

    /// Returns the name of a kind of pieces.
    #[must_use]
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.kinds.get(kind.index()).map(|kind| kind.name.as_str()).or_missing("the name of a kind", "")
    }

    /// Returns the name of a die.
    #[must_use]
    pub fn die_name(&self, die: DieId) -> &str {
        self.dice.get(die.index()).map(|die| die.name.as_str()).or_missing("the name of a die", "")
    }

    /// Returns the first two players of the game, for examples in messages; the same one twice if there is only one.
    #[must_use]
    pub fn example_players(&self) -> [&str; 2] {
        let first = self.players.first().map_or("", String::as_str);
        [first, self.players.get(1).map_or(first, String::as_str)]
    }

    /// Returns a piece's name.
    #[must_use]
    pub fn piece_name(&self, piece: PieceId) -> &str {
        self.pieces.get(piece.index()).map(|piece| piece.name.as_str()).or_missing("the name of a piece", "")
    }

    /// Returns a piece's name as lines have it: in quotes if its words would be read otherwise.
    #[must_use]
    pub fn written_piece(&self, piece: PieceId) -> String {
        super::written_name(self.piece_name(piece))
    }
}

impl Schema {
    /// Returns a game without declarations and without a board.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            id: String::new(),
            title: String::new(),
            players: Vec::new(),
            player_count: (0, 0),
            board: BoardSpec::None,
            dark: None,
            stacks: Stacking::Nowhere,
            second: SecondKinds { sides: false, corners: false },
            graphs: Vec::new(),
            arrows: Vec::new(),
            headings: Vec::new(),
            dice: Vec::new(),
            dice_of_game: 0,
            kinds: Vec::new(),
            pieces: Vec::new(),
            zones: Vec::new(),
            printed: Vec::new(),
            functions: Vec::new(),
            scripts: Vec::new(),
            properties: Vec::new(),
            resources: Vec::new(),
            asks: Vec::new(),
            events: Vec::new(),
            options: Vec::new(),
            variants: Vec::new(),
            clauses: Vec::new(),
            symmetries: Symmetries::none(),
            declarations: Vec::new(),
        }
    }

    /// Returns the first declaration of a name.
    #[must_use]
    pub fn declaration(&self, kind: DeclaredKind, name: &str) -> Option<&Declaration> {
        self.declarations.iter().find(|found| found.kind == kind && found.name == name)
    }
}
