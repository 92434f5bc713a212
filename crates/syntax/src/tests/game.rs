//! Every line of a game file.

use super::game;

#[test]
fn the_game_and_its_files() {
    insta::assert_snapshot!(game("game squish-board \"Squish!\"\ngame plain\nrules \"rules.rhai\"\nrulebook \"RULES.md\""), @r#"
    Game { id: «squish-board», title: Some(«"Squish!"») }
    Game { id: «plain», title: None }
    Rules(«"rules.rhai"»)
    Rulebook(«"RULES.md"»)
    "#);
}

#[test]
fn players() {
    insta::assert_snapshot!(game("players 2..8 red blue\nplayers 2 ann bob\nplayers red green\nplayers 1..4"), @r#"
    Players { count: Some(Spanned { node: (2, 8), span: «2..8» }), names: [«red», «blue»] }
    Players { count: Some(Spanned { node: (2, 2), span: «2» }), names: [«ann», «bob»] }
    Players { count: None, names: [«red», «green»] }
    Players { count: Some(Spanned { node: (1, 4), span: «1..4» }), names: [] }
    "#);
}

#[test]
fn boards() {
    let text = "board grid 16x16\nboard hex 4\nboard hex 4x5\nboard track 64\nboard grid 3x3 margin 1\nboard 8x8 chequered\nboard grid 5x4 margin 1 chequered dark b1\nboard open\nboard 9x8\nboard\n  | . r\n  | g .";
    insta::assert_snapshot!(game(text), @r#"
    Board { shape: Some(BoardShape { span: «grid 16x16», kind: Some(«grid»), size: Some((16, Some(16))), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «hex 4», kind: Some(«hex»), size: Some((4, None)), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «hex 4x5», kind: Some(«hex»), size: Some((4, Some(5))), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «track 64», kind: Some(«track»), size: Some((64, None)), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «grid 3x3 margin 1», kind: Some(«grid»), size: Some((3, Some(3))), margin: Some(1), chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «8x8 chequered», kind: None, size: Some((8, Some(8))), margin: None, chequered: Some(Chequered { span: «chequered», dark: None }), stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «grid 5x4 margin 1 chequered dark b1», kind: Some(«grid»), size: Some((5, Some(4))), margin: Some(1), chequered: Some(Chequered { span: «chequered dark b1», dark: Some(«b1») }), stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «open», kind: Some(«open»), size: None, margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: Some(BoardShape { span: «9x8», kind: None, size: Some((9, Some(8))), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [] }
    Board { shape: None, rows: [«. r», «g .»] }
    "#);
}

#[test]
fn dice_and_directions() {
    insta::assert_snapshot!(game("directions 8 clockwise from north\ndie direction 0..9\ndie -1..6\ndie cast 4 of 0..1\ndie 2 of 1 | 1 | 2\ndie sky sun|rain\ndie cup 1..6 secret\ndie fate 3 of sun | rain  hidden"), @r#"
    Directions { count: Spanned { node: 8, span: «8» }, sense: «clockwise», from: «north» }
    Die { name: Some(«direction»), count: None, faces: Range(Spanned { node: (0, 9), span: «0..9» }), sight: None }
    Die { name: None, count: None, faces: Range(Spanned { node: (-1, 6), span: «-1..6» }), sight: None }
    Die { name: Some(«cast»), count: Some(Spanned { node: 4, span: «4» }), faces: Range(Spanned { node: (0, 1), span: «0..1» }), sight: None }
    Die { name: None, count: Some(Spanned { node: 2, span: «2» }), faces: Listed([«1», «1», «2»]), sight: None }
    Die { name: Some(«sky»), count: None, faces: Listed([«sun», «rain»]), sight: None }
    Die { name: Some(«cup»), count: None, faces: Range(Spanned { node: (1, 6), span: «1..6» }), sight: Some(«secret») }
    Die { name: Some(«fate»), count: Some(Spanned { node: 3, span: «3» }), faces: Listed([«sun», «rain»]), sight: Some(«hidden») }
    "#);
}

#[test]
fn pieces() {
    let text = "piece marker for each player symbols r b g\npiece block 1..4 size 4x4\npiece large size 8x8 symbol L\n\
                piece block 1 size 3x3\npiece a size 1x2 for each player symbol x\npiece \"big one\" symbols \"x\", y";
    insta::assert_snapshot!(game(text), @r#"
    Piece(Piece { name: [«marker»], numbers: None, each: Some(«player»), size: None, symbols: [«r», «b», «g»] })
    Piece(Piece { name: [«block»], numbers: Some(Spanned { node: (1, 4), span: «1..4» }), each: None, size: Some(Spanned { node: (4, 4), span: «4x4» }), symbols: [] })
    Piece(Piece { name: [«large»], numbers: None, each: None, size: Some(Spanned { node: (8, 8), span: «8x8» }), symbols: [«L»] })
    Piece(Piece { name: [«block», «1»], numbers: None, each: None, size: Some(Spanned { node: (3, 3), span: «3x3» }), symbols: [] })
    Piece(Piece { name: [«a»], numbers: None, each: Some(«player»), size: Some(Spanned { node: (1, 2), span: «1x2» }), symbols: [«x»] })
    Piece(Piece { name: [«"big one"»], numbers: None, each: None, size: None, symbols: [«"x"», «y»] })
    "#);
}

#[test]
fn values_that_change() {
    let text = "flag squished for each marker\nflag done\nflag wet for each player , cell,man\ncounter score for each player = 0\ncounter hits=-1\n\
                record counter squishes for each player\nproperty home for each player CELL\nproperty shards NUMBERS\n\
                property controller for each fighter PLAYER in  drawings";
    insta::assert_snapshot!(game(text), @r#"
    Flag { name: «squished», each: [«marker»], sight: None }
    Flag { name: «done», each: [], sight: None }
    Flag { name: «wet», each: [«player», «cell», «man»], sight: None }
    Counter { name: «score», each: [«player»], initial: Some(Spanned { node: 0, span: «0» }), record: false, clock: false, sight: None }
    Counter { name: «hits», each: [], initial: Some(Spanned { node: -1, span: «-1» }), record: false, clock: false, sight: None }
    Counter { name: «squishes», each: [«player»], initial: None, record: true, clock: false, sight: None }
    Property { name: «home», each: [«player»], kind: «CELL», in_drawings: None, sight: None }
    Property { name: «shards», each: [], kind: «NUMBERS», in_drawings: None, sight: None }
    Property { name: «controller», each: [«fighter»], kind: «PLAYER», in_drawings: Some(«in  drawings»), sight: None }
    "#);
}

#[test]
fn asks_and_events() {
    let text = "ask walk [to] CELL \"Move your marker\"\nask stop\nask put [the [big] PIECE] at CELL\n\
                ask hide NUMBER secret\nask tell NUMBER, secret  \"Tell\"\nask secret\nask keep secret PIECE\nask put PIECE hidden\n\
                event PIECE moves DIRECTION to CELL [with NUMBER left] \"It moves\"\nevent PIECE queued|ignored";
    insta::assert_snapshot!(game(text), @r#"
    Ask { form: [Word(«walk»), Optional([Word(«to»)], «[to]»), Kind(«CELL»)], sight: None, title: Some(«"Move your marker"») }
    Ask { form: [Word(«stop»)], sight: None, title: None }
    Ask { form: [Word(«put»), Optional([Word(«the»), Optional([Word(«big»)], «[big]»), Kind(«PIECE»)], «[the [big] PIECE]»), Word(«at»), Kind(«CELL»)], sight: None, title: None }
    Ask { form: [Word(«hide»), Kind(«NUMBER»)], sight: Some(«secret»), title: None }
    Ask { form: [Word(«tell»), Kind(«NUMBER»)], sight: Some(«secret»), title: Some(«"Tell"») }
    Ask { form: [Word(«secret»)], sight: None, title: None }
    Ask { form: [Word(«keep»), Word(«secret»), Kind(«PIECE»)], sight: None, title: None }
    Ask { form: [Word(«put»), Kind(«PIECE»)], sight: Some(«hidden»), title: None }
    Event { form: [Kind(«PIECE»), Word(«moves»), Kind(«DIRECTION»), Word(«to»), Kind(«CELL»), Optional([Word(«with»), Kind(«NUMBER»), Word(«left»)], «[with NUMBER left]»)], title: Some(«"It moves"») }
    Event { form: [Kind(«PIECE»), Word(«queued|ignored»)], title: None }
    "#);
}

#[test]
fn options_and_variants() {
    let text = "option rehit = ignored | moves \"A block\"\noption victory = 3 in 1..9\noption size=3|4\noption x = on\n\
                variant simple \"Simple game\"\n  place large at e5\n  set red.score 3\nvariant bare";
    insta::assert_snapshot!(game(text), @r#"
    Option { name: «rehit», values: [«ignored», «moves»], range: None, title: Some(«"A block"») }
    Option { name: «victory», values: [«3»], range: Some(Spanned { node: (1, 9), span: «1..9» }), title: None }
    Option { name: «size», values: [«3», «4»], range: None, title: None }
    Option { name: «x», values: [«on»], range: None, title: None }
    Variant { name: «simple», title: Some(«"Simple game"») }
    Place([Placement { piece: [«large»], at: Some([«e5»]), face_down: false }])
    Set([«red.score», «3»])
    Variant { name: «bare», title: None }
    "#);
}

#[test]
fn placements() {
    let text = "place block 1 at d10, block 2 at j10\nplace \"at\" at (0,-1) face down\nplace red off , blue at e5";
    insta::assert_snapshot!(game(text), @r#"
    Place([Placement { piece: [«block», «1»], at: Some([«d10»]), face_down: false }, Placement { piece: [«block», «2»], at: Some([«j10»]), face_down: false }])
    Place([Placement { piece: [«"at"»], at: Some([«(0,-1)»]), face_down: true }])
    Place([Placement { piece: [«red»], at: None, face_down: false }, Placement { piece: [«blue»], at: Some([«e5»]), face_down: false }])
    "#);
}

#[test]
fn cards_and_zones() {
    let text = "card fighter from \"cards.yaml\"\ncard trick from \"tricks.yaml\" in deck\nzone deck hidden\n\
                zone hand for each player secret\nzone discard\nwith cards = yes";
    insta::assert_snapshot!(game(text), @r#"
    Card { name: «fighter», file: «"cards.yaml"», zone: None }
    Card { name: «trick», file: «"tricks.yaml"», zone: Some(«deck») }
    Zone { name: «deck», each: None, visibility: Some(«hidden») }
    Zone { name: «hand», each: Some(«player»), visibility: Some(«secret») }
    Zone { name: «discard», each: None, visibility: None }
    With { name: «cards», value: «yes» }
    "#);
}
