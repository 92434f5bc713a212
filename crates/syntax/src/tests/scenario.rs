//! Every line of a scenario file.

use super::scenario;

#[test]
fn heads() {
    let text = "use squish-board simple\nuse plain\nposition \"corner\"\nscenario \"A # in a title\"\n  cites \"Examples, 5\"\n\
                covers B4 M2, M3 # clauses\nfrom \"corner\"\nbranch \"a harder roll\"\nsetup";
    insta::assert_snapshot!(scenario(text), @r#"
    Use { game: «squish-board», variant: Some(«simple») }
    Use { game: «plain», variant: None }
    Position(«"corner"»)
    Scenario(«"A # in a title"»)
    Cites(«"Examples, 5"»)
    Covers([«B4», «M2», «M3»])
    From(«"corner"»)
    Branch(«"a harder roll"»)
    Setup
    "#);
}

#[test]
fn options() {
    insta::assert_snapshot!(scenario("with rehit = moves\nwith rehit=moves\nwith house \"soft-walls\"\nwith house = 3"), @r#"
    With { name: «rehit», value: «moves» }
    With { name: «rehit», value: «moves» }
    WithHouse(«"soft-walls"»)
    With { name: «house», value: «3» }
    "#);
}

#[test]
fn positions() {
    let text = "players red green\nboard 9x8 # as small as can be\n\n# the corner\n| . . r   # top\n|  g # bottom\n\
                piece large size 3x3\nplace red at e5, green off\nset red.score 3\nset red.score=3";
    insta::assert_snapshot!(scenario(text), @r#"
    Players { count: None, names: [«red», «green»] }
    Board { shape: Some(BoardShape { span: «9x8», kind: None, size: Some((9, Some(8))), margin: None, chequered: None, stacks: None, file: None, without: [], with: [] }), rows: [«. . r», «g»] }
    Piece(Piece { name: [«large»], numbers: None, each: None, size: Some(Spanned { node: (3, 3), span: «3x3» }), symbols: [] })
    Place([Placement { piece: [«red»], at: Some([«e5»]), face_down: false }, Placement { piece: [«green»], at: None, face_down: false }])
    Set([«red.score», «3»])
    Set([«red.score», «=», «3»])
    "#);
}

#[test]
fn play() {
    let text = "turn green\nresume walk red 3\ndo push_block large 5 6\nroll direction 2, distance 5\nroll 5\nroll block 1,{n}\nroll cast 1 1 0 0\n\
                red walk to e5\nwhite move d4-e5\nbob attack \"Pooga\" on Pompaduck\nred choose (0,0), (1, 2)\n\"roll\" walk\nagree draw";
    insta::assert_snapshot!(scenario(text), @r#"
    Turn([«green»])
    Resume([«walk», «red», «3»])
    Do([«push_block», «large», «5», «6»])
    Roll([[«direction», «2»], [«distance», «5»]])
    Roll([[«5»]])
    Roll([[«block», «1»], [«{n}»]])
    Roll([[«cast», «1», «1», «0», «0»]])
    Answer([«red», «walk», «to», «e5»])
    Answer([«white», «move», «d4-e5»])
    Answer([«bob», «attack», «"Pooga"», «on», «Pompaduck»])
    Answer([«red», «choose», «(0,0)», «(1, 2)»])
    Answer([«"roll"», «walk»])
    Agree(«draw»)
    "#);
}

#[test]
fn refusals() {
    insta::assert_snapshot!(scenario("refuse red walk to h8\nrefuse red walk to h8 because \"too far\"\nrefuse {who} walk because {why}"), @r#"
    Refuse { answer: [«red», «walk», «to», «h8»], because: None }
    Refuse { answer: [«red», «walk», «to», «h8»], because: Some(«"too far"») }
    Refuse { answer: [«{who}», «walk»], because: Some(«{why}») }
    "#);
}

#[test]
fn expectations() {
    let text = "expect red squished\nexpect large at c4\nexpect red.score = 3\nexpect {who} at {cell}\nexpect turn blue\n\
                expect asks red walk\nexpect winner red\nexpect winners ann bob\nexpect winners ann, bob\nexpect nobody wins\n\
                expect draw\nexpect over\nexpect not over\nexpect snapshot\nexpect b2 face down\nexpect overlook empty";
    insta::assert_snapshot!(scenario(text), @r#"
    Expect(Words([«red», «squished»]))
    Expect(Words([«large», «at», «c4»]))
    Expect(Words([«red.score», «=», «3»]))
    Expect(Words([«{who}», «at», «{cell}»]))
    Expect(Condition { condition: Turn, words: [«blue»] })
    Expect(Asks([«red», «walk»]))
    Expect(Condition { condition: Winners, words: [«red»] })
    Expect(Condition { condition: Winners, words: [«ann», «bob»] })
    Expect(Condition { condition: Winners, words: [«ann», «bob»] })
    Expect(Condition { condition: NobodyWins, words: [] })
    Expect(Condition { condition: Draw, words: [] })
    Expect(Condition { condition: Over, words: [] })
    Expect(Condition { condition: NotOver, words: [] })
    Expect(Snapshot)
    Expect(Words([«b2», «face», «down»]))
    Expect(Words([«overlook», «empty»]))
    "#);
}

#[test]
fn choices() {
    let text = "expect choices move = d4-e5, d4-d5\nexpect choices = to e5 , to e6\nexpect choices includes stop\n\
                expect choices walk excludes h8 h7\nexpect choices move count 12\nexpect choices count 1";
    insta::assert_snapshot!(scenario(text), @r#"
    Expect(Choices { of: [«move»], how: Equal, list: [[«d4-e5»], [«d4-d5»]] })
    Expect(Choices { of: [], how: Equal, list: [[«to», «e5»], [«to», «e6»]] })
    Expect(Choices { of: [], how: Includes, list: [[«stop»]] })
    Expect(Choices { of: [«walk»], how: Excludes, list: [[«h8», «h7»]] })
    Expect(ChoicesCount { of: [«move»], count: «12» })
    Expect(ChoicesCount { of: [], count: «1» })
    "#);
}

#[test]
fn rows() {
    let text = "expect board\n  | . ? (R3)\n\n  # between\n  |ann:Pooga a#b #c\n expect events\n  > large moves NE to g4 # first\n\
                > red says \"# no\"\nexpect events exactly\nexamples\n  | a | b |\n  | 1 | \"x # y\" | # last";
    insta::assert_snapshot!(scenario(text), @r##"
    Expect(Board([«. ? (R3)», «ann:Pooga a#b»]))
    Expect(Events { exactly: false, rows: [«large moves NE to g4», «red says "# no"»] })
    Expect(Events { exactly: true, rows: [] })
    Examples([«a | b |», «1 | "x # y" |»])
    "##);
}

#[test]
fn expressions() {
    let text = "expect { a == 1 } # yes\nexpect{x}\nalways { count(\"}\") < 4 }\nalways each event {\n  // a } brace\n  let s = `{${ #{a: '}'} }`;\n\
                \"\\\"}\" != s /* } */\n}   # end\nred stop";
    insta::assert_snapshot!(scenario(text), @r#"
    Expect(Expression(«{ a == 1 }»))
    Expect(Expression(«{x}»))
    Always { each_event: false, at_end: None, expression: «{ count("}") < 4 }» }
    Always { each_event: true, at_end: None, expression: «{
      // a } brace
      let s = `{${ #{a: '}'} }`;
    "\"}" != s /* } */
    }» }
    Answer([«red», «stop»])
    "#);
}

#[test]
fn chances() {
    let text = "expect chance red squished <= 7/60 within 3 turns\nwhen red squash bounce\nat best for red\n\
                expect chance { a > 1 } = 0.5 ± 0.1\nat worst for blue";
    insta::assert_snapshot!(scenario(text), @r#"
    Expect(Chance { expression: None, words: [«red», «squished», «<», «=», «7/60», «within», «3», «turns»] })
    When { words: [«red», «squash», «bounce»], tail: None }
    At { best: true, player: «red» }
    Expect(Chance { expression: Some(«{ a > 1 }»), words: [«=», «0.5», «±», «0.1»] })
    At { best: false, player: «blue» }
    "#);
}

#[test]
fn questions() {
    let text = "expect reachable winner white within 6 turns\n\
                expect never { a }\nexpect never { a\n } within 4 turns\nexpect no cycle\nexpect cycle up to 100 states\n\
                expect every line ends or undecided\nexpect no winner";
    insta::assert_snapshot!(scenario(text), @r#"
    Expect(Question { question: Reachable, expression: None, words: [«winner», «white», «within», «6», «turns»] })
    Expect(Question { question: Never, expression: Some(«{ a }»), words: [] })
    Expect(Question { question: Never, expression: Some(«{ a
     }»), words: [«within», «4», «turns»] })
    Expect(Question { question: NoCycle, expression: None, words: [] })
    Expect(Question { question: Cycle, expression: None, words: [«up», «to», «100», «states»] })
    Expect(Question { question: EveryLineEnds, expression: None, words: [«or», «undecided»] })
    Expect(Condition { condition: NoWinner, words: [] })
    "#);
}

#[test]
fn cards() {
    let text = "hand ann: R3, B2\ndeck: R1 G2 …\nhand bob : none\ndraw deck R1 G2\nexpect hand ann = R3 B2\n\
                expect Pooga in victory of ann\nann says \"hand: \"\nshuffle deck: R1 …\nshuffle hand ann\n\
                deal {n} from deck to hand of ann\ndeal 2 from hand of bob to hand of each player";
    insta::assert_snapshot!(scenario(text), @r#"
    Cards { zone: [«hand», «ann»], cards: [«R3», «B2»] }
    Cards { zone: [«deck»], cards: [«R1», «G2», «…»] }
    Cards { zone: [«hand», «bob»], cards: [«none»] }
    Draw([«deck», «R1», «G2»])
    Expect(Words([«hand», «ann», «=», «R3», «B2»]))
    Expect(Words([«Pooga», «in», «victory», «of», «ann»]))
    Answer([«ann», «says», «"hand: "»])
    Shuffle { zone: [«deck»], order: Some([«R1», «…»]) }
    Shuffle { zone: [«hand», «ann»], order: None }
    Deal { number: «{n}», from: [«deck»], to: [«hand», «of», «ann»] }
    Deal { number: «2», from: [«hand», «of», «bob»], to: [«hand», «of», «each», «player»] }
    "#);
}

#[test]
fn trivia_is_kept_aside() {
    let text = "# one\n\n \t\nuse a # two\nexpect { # }\n} # three\n  # four";
    let (file, _) = super::read(super::FileKind::Scenario, text);
    let comments: Vec<&str> = file.trivia.comments.iter().map(|span| file.source.slice(*span)).collect();
    assert_eq!(comments, ["# one", "# two", "# three", "# four"]);
    assert_eq!(file.trivia.blanks, [6, 7]);
}
