//! What a game declares: players, board, dice, pieces, properties, asks, events, options and variants.

use std::sync::Arc;

use crate::source::{Source, Span};

use super::{
    AskId, Board, BoardError, Cell, ClauseId, Dealing, Die, DieId, EventId, Form, Heading, Kind, KindId, Laid,
    OptionId, PieceId, PlayerId, PropertyId, Value, ZoneDef, ZoneId,
};

/// Everything that a game declares. Lists are in the order of the declarations; ids are places in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The identifier: the name of its folder.
    pub id: String,
    /// The title, for people.
    pub title: String,
    /// The players' names.
    pub players: Vec<String>,
    /// The least and the largest number of players.
    pub player_count: (usize, usize),
    /// The board's shape.
    pub board: BoardSpec,
    /// The arrows of that board: from a cell to another.
    pub arrows: Vec<(Cell, Cell)>,
    /// The directions.
    pub headings: Vec<Heading>,
    /// The dice.
    pub dice: Vec<Die>,
    /// The kinds of pieces.
    pub kinds: Vec<PieceKind>,
    /// The pieces, cards among them.
    pub pieces: Vec<PieceDef>,
    /// The zones of cards.
    pub zones: Vec<ZoneDef>,
    /// The names of what is printed on cards.
    pub printed: Vec<String>,
    /// The functions of the rules that cards name.
    pub functions: Vec<CardFunction>,
    /// The scripts beside the data files of cards.
    pub scripts: Vec<Arc<Source>>,
    /// Flags, counters and properties.
    pub properties: Vec<Property>,
    /// The asks.
    pub asks: Vec<Form>,
    /// The events.
    pub events: Vec<Form>,
    /// The options.
    pub options: Vec<GameOption>,
    /// The variants; the first is the default. A game without any has one without a name.
    pub variants: Vec<Variant>,
    /// The clauses of the rulebook.
    pub clauses: Vec<Clause>,
}

/// A board's shape, before it is built; a scenario may have a size of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoardSpec {
    /// Squares: columns, rows.
    Grid(i64, i64),
    /// Squares with places around them: columns and rows of the square inside, and how many places wide the margin is.
    Framed(i64, i64, i64),
    /// Squares without an edge.
    Open,
    /// A hexagon of hexagons: cells on a side.
    Hex(i64),
    /// A track: its cells.
    Track(i64),
    /// None: a game of dice or cards alone.
    None,
}

/// How many pieces a kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Each {
    /// One.
    One,
    /// One for each player.
    Player,
    /// One for each of these numbers.
    Number(i64, i64),
    /// The cards of a data file.
    Card,
}

/// A kind of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// Its name.
    pub name: String,
    /// How many it has.
    pub each: Each,
    /// Columns, rows.
    pub size: (u8, u8),
    /// The zone in which its cards begin.
    pub home: Option<ZoneId>,
}

/// What makes a piece a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// How many equal ones there are.
    pub copies: u32,
    /// What is printed on it, by name.
    pub printed: Vec<(String, Value)>,
}

impl Card {
    /// Returns what is printed on it under a name; [`Value::Nothing`] for what it leaves out.
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
    /// Its name in lines: `large`, `block 1`, `red`.
    pub name: String,
    /// Its symbol in diagrams.
    pub symbol: String,
    /// The player whose piece it is, for a kind `for each player`.
    pub owner: Option<PlayerId>,
    /// Its number, for a numbered kind.
    pub number: Option<i64>,
    /// Whether any number of them may lie on the board, none told from another.
    pub many: bool,
    /// The card that it is, if it is one.
    pub card: Option<Card>,
}

/// The names of the parameters of a function.
pub type Parameters = Arc<[String]>;

/// A function of the rules that a card names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFunction {
    /// Its name.
    pub name: String,
    /// What it is called with, where the data file says that.
    pub parameters: Option<Parameters>,
    /// The data file, and where it names the function.
    pub source: Arc<Source>,
    /// The name's location there.
    pub span: Span,
}

/// Who or what has a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The game itself.
    Game,
    /// A player.
    Player(PlayerId),
    /// A piece.
    Piece(PieceId),
}

/// What a property holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// True or false.
    Flag,
    /// A number; one that is only recorded is written by the rules and never read.
    Counter {
        /// Whether it is only recorded.
        record: bool,
    },
    /// A value of a kind, or nothing.
    Value(Kind),
}

/// A flag, counter or property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Who has it: the game (nothing), each player, or each piece of a kind.
    pub each: PropertyEach,
    /// What it holds.
    pub kind: PropertyKind,
    /// What it holds at first.
    pub initial: Value,
    /// Whether drawings write it before the piece: `ann:Pooga`.
    pub in_drawings: bool,
}

/// Who has a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyEach {
    /// The game has one.
    Game,
    /// Each player has one.
    Player,
    /// Each piece of the kind has one.
    Kind(KindId),
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// Its values.
    pub choice: Choice,
    /// What it decides.
    pub title: String,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Words, the default first.
    Words(Vec<Arc<str>>),
    /// Numbers from the first to the second, and the default.
    Numbers(i64, i64, i64),
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Setting {
    /// A word.
    Word(Arc<str>),
    /// A number.
    Number(i64),
}

impl std::fmt::Display for Setting {
    /// As lines write it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => write!(f, "{word}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A variant: a set-up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// How few and how many play it, if it is not as many as play the game.
    pub player_count: Option<(usize, usize)>,
    /// The board, if it is not the game's.
    pub board: Option<BoardSpec>,
    /// The pieces that stand on the board at the start.
    pub places: Vec<Placement>,
    /// What lies in zones at the start, where a line says it.
    pub laid: Vec<Laid>,
    /// What is done with cards before play, in this order.
    pub dealings: Vec<Dealing>,
    /// The options that it sets.
    pub settings: Vec<(OptionId, Setting)>,
    /// The flags, counters and properties that it sets.
    pub values: Vec<SetValue>,
    /// The clauses of the rulebook that the set-up applies.
    pub clauses: Vec<ClauseId>,
}

impl Variant {
    /// Returns whether its set-up names cells of the game's board.
    #[must_use]
    pub fn is_for_one_board(&self) -> bool {
        !self.places.is_empty() || self.values.iter().any(|set| set.names_cells)
    }
}

/// What a set-up sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetValue {
    /// The flag, counter or property.
    pub property: PropertyId,
    /// Who has it.
    pub owner: Owner,
    /// Its value.
    pub value: Value,
    /// Whether it is for the game's own board: its value may name cells of it, or a drawing of it shows the value.
    pub names_cells: bool,
}

/// A piece and the cell nearest `a1` that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The piece.
    pub piece: PieceId,
    /// The cell's name, for the board may be of another size.
    pub cell: String,
    /// Whether it is a card that lies face down.
    pub face_down: bool,
}

/// A clause of the rulebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its id: `B4`.
    pub id: String,
}

impl Choice {
    /// Returns the value that holds where nothing else is said.
    #[must_use]
    pub fn default(&self) -> Setting {
        match self {
            Self::Words(words) => Setting::Word(words.first().cloned().unwrap_or_else(|| Arc::from(""))),
            Self::Numbers(_, _, default) => Setting::Number(*default),
        }
    }

    /// Returns the setting written `text`, if it is one of the values.
    #[must_use]
    pub fn setting(&self, text: &str) -> Option<Setting> {
        match self {
            Self::Words(words) => words.iter().find(|word| &***word == text).cloned().map(Setting::Word),
            Self::Numbers(low, high, _) => {
                text.parse().ok().filter(|number| (low..=high).contains(&number)).map(Setting::Number)
            }
        }
    }

    /// Returns the values in words: `ignored`, `moves`; `1..9`.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Words(words) => words.iter().map(ToString::to_string).collect(),
            Self::Numbers(low, high, _) => vec![format!("{low}..{high}")],
        }
    }
}

impl PieceDef {
    /// Returns whether it is the one piece of its kind, so that rules have a name for it.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.owner.is_none() && self.number.is_none() && self.card.is_none() && !self.is_back()
    }
}

fn find<T>(list: &[T], wanted: impl Fn(&T) -> bool) -> Option<usize> {
    list.iter().position(wanted)
}

impl Schema {
    /// Returns the board as the game declares it.
    ///
    /// # Errors
    /// The shape is out of range.
    pub fn build_board(&self, shape: BoardSpec) -> Result<Board, BoardError> {
        match shape {
            BoardSpec::Grid(columns, rows) => Board::grid(columns, rows, self.headings.clone()),
            BoardSpec::Framed(columns, rows, margin) => Board::framed((columns, rows), margin, self.headings.clone()),
            BoardSpec::Open => Ok(Board::open(self.headings.clone())),
            BoardSpec::Hex(side) => Board::hex(side, self.headings.clone()),
            BoardSpec::Track(cells) => Board::track(cells),
            BoardSpec::None => Ok(Board::none()),
        }
    }

    /// Returns the board of a variant: its own, or the game's.
    #[must_use]
    pub fn board_of(&self, variant: usize) -> BoardSpec {
        self.variants.get(variant).and_then(|variant| variant.board).unwrap_or(self.board)
    }

    /// What each option is set to in a variant, where nothing else is said.
    #[must_use]
    pub fn settled(&self, variant: usize) -> Vec<Setting> {
        let mut settled: Vec<Setting> = self.options.iter().map(|option| option.choice.default()).collect();
        for (option, setting) in self.variants.get(variant).into_iter().flat_map(|variant| &variant.settings) {
            if let Some(slot) = settled.get_mut(option.index()) {
                slot.clone_from(setting);
            }
        }
        settled
    }

    /// Returns how few and how many play a variant.
    #[must_use]
    pub fn player_count_of(&self, variant: usize) -> (usize, usize) {
        self.variants.get(variant).and_then(|variant| variant.player_count).unwrap_or(self.player_count)
    }

    /// What is wrong with this number of players; `None` if the variant is for as many.
    #[must_use]
    pub fn wrong_number_of_players(&self, variant: usize, count: usize) -> Option<String> {
        let (least, most) = self.player_count_of(variant);
        let plays = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let played = match self.variants.get(variant) {
            Some(Variant { name, player_count: Some(_), .. }) => format!("`{name}`"),
            _ => "the game".to_owned(),
        };
        let wrong = !(least..=most).contains(&count);
        wrong.then(|| format!("{played} is for {plays} players, not for {count}"))
    }

    /// Returns the player called `name`.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<PlayerId> {
        find(&self.players, |player| player == name).map(PlayerId::at)
    }

    /// Returns the die called `name`.
    #[must_use]
    pub fn die(&self, name: &str) -> Option<DieId> {
        find(&self.dice, |die| die.name == name).map(DieId::at)
    }

    /// Returns the kind called `name`.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<KindId> {
        find(&self.kinds, |kind| kind.name == name).map(KindId::at)
    }

    /// Returns the piece called `name`, words separated by one blank.
    #[must_use]
    pub fn piece(&self, name: &str) -> Option<PieceId> {
        find(&self.pieces, |piece| piece.name == name).map(PieceId::at)
    }

    /// Returns the ask with this verb.
    #[must_use]
    pub fn ask(&self, verb: &str) -> Option<AskId> {
        find(&self.asks, |ask| ask.verb == verb).map(AskId::at)
    }

    /// Returns the event with this verb.
    #[must_use]
    pub fn event(&self, verb: &str) -> Option<EventId> {
        find(&self.events, |event| event.verb == verb).map(EventId::at)
    }

    /// Returns the option called `name`.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<OptionId> {
        find(&self.options, |option| option.name == name).map(OptionId::at)
    }

    /// Returns the property called `name`.
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
        // They follow one another, in the order of their kinds.
        let first = self.pieces.partition_point(|piece| piece.kind < kind);
        let mine = self.pieces.iter().skip(first).take_while(move |piece| piece.kind == kind);
        mine.enumerate().map(move |(at, _)| PieceId::at(first + at))
    }

    /// Returns the piece of a kind that belongs to a player.
    #[must_use]
    pub fn piece_of(&self, kind: KindId, player: PlayerId) -> Option<PieceId> {
        find(&self.pieces, |piece| piece.kind == kind && piece.owner == Some(player)).map(PieceId::at)
    }

    /// Those who have a property, in order.
    #[must_use]
    pub fn owners(&self, each: PropertyEach) -> Vec<Owner> {
        match each {
            PropertyEach::Game => vec![Owner::Game],
            PropertyEach::Player => (0..self.players.len()).map(|at| Owner::Player(PlayerId::at(at))).collect(),
            PropertyEach::Kind(kind) => self.pieces_of(kind).map(Owner::Piece).collect(),
        }
    }

    /// Returns the counters that statistics of many games are made of, each with its owner: those that are only
    /// recorded, and those of players.
    pub fn statistics(&self) -> impl Iterator<Item = (PropertyId, Owner)> + '_ {
        let counters = self.properties.iter().enumerate().filter(|(_, property)| match property.kind {
            PropertyKind::Counter { record } => record || property.each == PropertyEach::Player,
            PropertyKind::Flag | PropertyKind::Value(_) => false,
        });
        counters.flat_map(|(at, property)| {
            self.owners(property.each).into_iter().map(move |owner| (PropertyId::at(at), owner))
        })
    }

    /// What people call those who have a property: `player`, `marker`.
    #[must_use]
    pub fn owner_words(&self, each: PropertyEach) -> &str {
        match each {
            PropertyEach::Game => "game",
            PropertyEach::Player => "player",
            PropertyEach::Kind(kind) => self.kinds.get(kind.index()).map_or("", |kind| &kind.name),
        }
    }

    /// Returns whether a piece stands for any number of them.
    #[must_use]
    pub fn is_many(&self, piece: PieceId) -> bool {
        self.pieces.get(piece.index()).is_some_and(|piece| piece.many)
    }

    /// Returns the card that a piece is, if it is one.
    #[must_use]
    pub fn card(&self, piece: PieceId) -> Option<&Card> {
        self.pieces.get(piece.index()).and_then(|piece| piece.card.as_ref())
    }

    /// Returns a player's name.
    #[must_use]
    pub fn player_name(&self, player: PlayerId) -> &str {
        self.players.get(player.index()).map_or("", String::as_str)
    }

    /// Returns the first players of the game, for examples in messages; the same one twice if there is only one.
    #[must_use]
    pub fn example_players(&self) -> [&str; 2] {
        let first = self.players.first().map_or("", String::as_str);
        [first, self.players.get(1).map_or(first, String::as_str)]
    }

    /// Returns a piece's name.
    #[must_use]
    pub fn piece_name(&self, piece: PieceId) -> &str {
        self.pieces.get(piece.index()).map_or("", |piece| &piece.name)
    }
}

impl Schema {
    /// Returns a game that declares nothing, without a board.
    #[must_use]
    pub const fn empty() -> Self {
        Self {
            id: String::new(),
            title: String::new(),
            players: Vec::new(),
            player_count: (0, 0),
            board: BoardSpec::None,
            arrows: Vec::new(),
            headings: Vec::new(),
            dice: Vec::new(),
            kinds: Vec::new(),
            pieces: Vec::new(),
            zones: Vec::new(),
            printed: Vec::new(),
            functions: Vec::new(),
            scripts: Vec::new(),
            properties: Vec::new(),
            asks: Vec::new(),
            events: Vec::new(),
            options: Vec::new(),
            variants: Vec::new(),
            clauses: Vec::new(),
        }
    }
}
