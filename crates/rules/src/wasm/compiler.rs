//! What is common to all functions of a module while they are compiled.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rhai::{Dynamic, ImmutableString, Module, Position};

use super::callee::{Callee, Callees, ends};
use super::computing::{self, Keys, Ready};
use super::fixed::{Compute, Computed, Fixed, Results};
use super::layout::{self, Layout};
use super::module::{self, Binary};
use super::of_board::OfBoard;
use super::outline::{Given, Outline, outline};
use super::phases::Targets;
use super::resource_places::{self, Amounts};
use super::value::{COMPONENTS, Tag, Ty};
use crate::layers::Layers;
use crate::natives::{self, Ending, Named};
use crate::script::{Assign, Call, Declared, For, Function, Local, LocalId, Name, Node, Script, Target, What};
use crate::values::Kind;
use crate::vm::Pausing;
use referee_table::{Phase, Schema, State, text_weight};

/// Why a function is left to the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused(pub(super) &'static str);

pub(super) type Emit<T = ()> = Result<T, Refused>;

/// Finds out where the function with a name and a number of parameters pauses in a call with this place.
pub(crate) type Pauses<'s> = dyn Fn((&str, usize), Position) -> Option<Pausing> + 's;

/// What compiling starts from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'s> {
    /// Whether the module is to work on the memory of this program.
    pub(crate) within: bool,
    pub(crate) script: &'s Script,
    /// The number of points at which it counts its runs.
    pub(crate) points: usize,
    /// Those of its functions that are called on a value: see [`super::with_receivers`].
    pub(crate) with_receivers: &'s [Function],
    /// Those that call any function by its name: see [`super::callers`].
    pub(crate) callers: &'s [Function],
    pub(crate) layers: &'s Layers,
    pub(crate) schema: &'s Schema,
    pub(crate) components: &'s Module,
    /// A state of the games that are to be played, for what is the same in all of them.
    pub(crate) state: &'s State,
    /// Whether phases are to run one at a time, too.
    pub(crate) steps: bool,
    /// Whether the compiled rules begin the turns of the players themselves.
    pub(crate) begins_turns: bool,
    /// An expression that is to be evaluated in positions, if there is one.
    pub(crate) expression: Option<&'s Function>,
    /// The rest of a built-in turn, from the choice among its moves on.
    pub(crate) rest: Option<&'s Function>,
    /// Returns where the machine pauses in a call of a function of the rules, and what it keeps there.
    pub(crate) pauses: &'s Pauses<'s>,
    /// Calls a native function in that state.
    pub(crate) evaluate: &'s dyn Fn(&ImmutableString, &[Fixed]) -> Option<Fixed>,
    /// Calls a function of the rules that only computes, and counts its operations.
    pub(crate) compute: &'s Compute<'s>,
}

/// A part of the rules that the host carries out.
pub(super) struct Out {
    pub(super) function: Function,
    /// Whether it uses what only the prelude may.
    pub(super) prelude: bool,
    /// Whether it ends the game.
    pub(super) ends: bool,
    /// Whether its result is kept as long as the table is the same.
    pub(super) keeps: bool,
}

/// The strings of the rules, by their numbers.
#[derive(Default)]
pub(super) struct Strings {
    pub(super) all: Vec<ImmutableString>,
    numbers: HashMap<ImmutableString, u32>,
}

impl Strings {
    /// Returns the number of a string.
    pub(super) fn number(&mut self, text: &ImmutableString) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(text.clone());
        self.numbers.insert(text.clone(), number);
        number
    }

    /// Forgets all strings from this number on.
    pub(super) fn forget(&mut self, from: usize) {
        for text in self.all.drain(from.min(self.all.len())..) {
            self.numbers.remove(&text);
        }
    }
}

/// What is common to all functions while they are compiled.
pub(super) struct Compiler<'s> {
    pub(super) with: Sources<'s>,
    pub(super) layout: Layout,
    /// The functions of the rules by name and number of parameters.
    pub(super) callees: Callees,
    /// How many functions that do not call themselves may be nested.
    pub(super) longest: usize,
    pub(super) outs: Vec<Out>,
    /// The places that end the game without the host.
    pub(super) endings: Vec<(Ending, Position)>,
    pub(super) strings: Strings,
    /// The end of the places for remembered values.
    pub(super) memos: u32,
    /// The functions of the phases that the rules run themselves, and where those to come are; none if the host runs them.
    pub(super) targets: Option<(Targets, u32)>,
    /// The functions that look at the board.
    pub(super) of_board: Vec<OfBoard>,
    /// The functions that are compiled, and the variables that each changes.
    pub(super) functions: BTreeMap<(&'s str, usize), &'s Function>,
    pub(super) changed: BTreeMap<(&'s str, usize), BTreeSet<LocalId>>,
    /// The functions in which the order of operands makes a difference.
    pub(super) disordered: Keys<'s>,
    /// The functions of the module that something calls, in the order of their numbers.
    pub(super) wanted: Vec<Wanted<'s>>,
    /// The most that functions may do in a row.
    pub(super) costs: BTreeMap<(&'s str, usize), i64>,
    /// How many nodes are written more than once.
    again: usize,
    /// How many nodes were looked at for what is fixed or apart.
    tried: Cell<usize>,
    /// What is in the memory from the beginning, each with its address.
    pub(super) constants: Vec<(u32, Vec<u8>)>,
    /// What natives return for fixed arguments.
    pub(super) results: RefCell<Results>,
    /// The same for functions of the rules that only compute, each with what is counted for it.
    pub(super) computed: RefCell<Computed>,
    /// What is to be counted for such results that were found, and do not run again.
    pub(super) uncounted: Cell<i64>,
    /// The functions of the rules that only compute.
    pub(super) computing: Keys<'s>,
    /// The names of the functions that may look at the positions before, and whether one is called.
    pub(super) looking_back: BTreeSet<ImmutableString>,
    pub(super) reads_history: bool,
    /// Whether rules look at positions that are not played.
    pub(super) looks: bool,
    /// The tables of results that stay the same for equal arguments, by the call without them.
    tables: HashMap<String, u32>,
    /// How many results there is room for in large ones.
    large: u32,
    /// The tables that are there from the beginning; `None` where there is none. And how many calls these have taken.
    pub(super) ready: HashMap<String, Option<Ready>>,
    pub(super) ready_calls: u32,
    /// Where runs are counted: a word for each point.
    pub(super) runs: u32,
    /// The functions that may ask, and where functions pause.
    pub(super) asking: Keys<'s>,
    pub(super) pauses: Vec<Pausing>,
}

/// A module of compiled rules, and what its host needs.
pub(crate) struct Compiled {
    /// The phases that the rules run themselves, by their numbers, and where those are that a phase adds.
    pub(crate) phases: Option<(Vec<(String, usize)>, u32)>,
    /// The phases of the set-up that the function [`super::SET_UP`] runs; none if there is no such function.
    pub(crate) set_up: Vec<Phase>,
    pub(super) binary: Binary,
    pub(super) layout: Layout,
    pub(super) outs: Vec<Out>,
    pub(super) endings: Vec<(Ending, Position)>,
    pub(super) strings: Strings,
    /// The end of what is in the memory before a phase begins.
    pub(super) heap: u32,
    /// Where runs are counted, and at how many points.
    pub(super) runs: (u32, usize),
    /// Where functions pause.
    pub(super) pauses: Vec<Pausing>,
    /// How many functions that do not call themselves may be nested.
    pub(super) longest: usize,
    /// Whether a function looks at the positions before.
    pub(crate) reads_history: bool,
    /// Whether the function that lists the moves of a built-in turn changes nothing.
    pub(crate) lists_only: bool,
    /// The functions that the machine runs instead, with the reason.
    pub(crate) refused: Vec<(String, &'static str)>,
}

/// The site where the host compares two values.
pub(super) const EQUAL: u32 = 0;

/// Returns the site where two values are compared.
fn equal() -> Out {
    let given = |number| node(What::Name(Name::Local(number)));
    let body = node(What::Operator("==".into(), vec![given(0), given(1)]));
    let locals = vec![local("one", Declared::Parameter), local("other", Declared::Parameter)];
    Out { function: outlined(out_name(0), body, locals, 2, 0), prelude: false, ends: false, keeps: false }
}

/// Returns a function of a site.
fn outlined(name: ImmutableString, body: Node, locals: Vec<Local>, parameters: usize, layer: usize) -> Function {
    Function {
        name,
        parameters,
        locals,
        body,
        result: Kind::ANY,
        layer,
        this: false,
        receiver: Kind::ANY,
        is_for_one_type: false,
    }
}

/// Returns whether a script makes moves of several steps, or that capture elsewhere.
fn makes_long_moves(script: &Script) -> bool {
    let mut found = false;
    for function in &script.functions {
        function.body.walk(&mut |node| {
            found |= node.call().is_some_and(|call| {
                let is_own = script.function(&call.name, call.args.len()).is_some();
                natives::makes_long_moves(&call.name) && !is_own
            });
        });
    }
    found
}

fn node(what: What) -> Node {
    Node::new(what, Position::NONE)
}

fn local(name: &str, how: Declared) -> Local {
    Local { name: name.into(), at: Position::NONE, how, captured: false, kind: Kind::ANY, from: None }
}

/// Returns the name of the function of a site.
fn out_name(number: usize) -> ImmutableString {
    format!("out${number}").into()
}

/// A function of the rules in the module.
#[derive(Clone)]
pub(super) struct Wanted<'s> {
    pub(super) function: &'s Function,
    /// The arguments that it is written for.
    pub(super) fixed: Vec<Option<Fixed>>,
}

/// How often a function may be written for fixed arguments.
const MOST_TIMES: usize = 12;
/// How many nodes may be written more than once: the code for all of them takes some milliseconds to make.
const MOST_AGAIN: usize = 5_000;

/// How many nodes are looked at for what is fixed or apart.
const MOST_TRIED: usize = 1_000_000;

/// Returns the number of nodes in a node.
pub(super) fn size(node: &Node) -> usize {
    let mut size = 0;
    node.walk(&mut |_| size += 1);
    size
}

/// The size in bytes of the place of a remembered value: the value, and whether it is there.
const MEMO: u32 = 16;

/// The largest number for which results are remembered.
const NUMBERS: usize = 255;
/// The number of strings for which results are remembered.
const TEXTS: usize = 256;
/// The maximum number of results in a table, and that of all results in tables with more.
const MOST_RESULTS: u32 = 1 << 13;
const MOST_OF_LARGE: u32 = 1 << 18;

/// What the names of functions begin with that only the prelude may use.
const OF_PRELUDE: &str = "_vm_";

impl<'s> Compiler<'s> {
    /// Returns one that has compiled nothing yet.
    pub(super) fn of(with: Sources<'s>) -> Self {
        let mut compiler = Self {
            layout: Layout::of(with.state),
            with,
            callees: Callees::new(),
            longest: 0,
            outs: vec![equal()],
            endings: Vec::new(),
            strings: Strings::default(),
            memos: 0,
            tables: HashMap::new(),
            large: 0,
            ready: HashMap::new(),
            ready_calls: 0,
            runs: 0,
            asking: Keys::new(),
            pauses: Vec::new(),
            of_board: Vec::new(),
            functions: BTreeMap::new(),
            changed: BTreeMap::new(),
            wanted: Vec::new(),
            costs: BTreeMap::new(),
            again: 0,
            tried: Cell::new(0),
            constants: Vec::new(),
            results: RefCell::default(),
            computed: RefCell::default(),
            uncounted: Cell::new(0),
            computing: Keys::new(),
            disordered: Keys::new(),
            targets: None,
            looking_back: super::callee::looking_back(with.script),
            reads_history: false,
            looks: super::callee::looks(with.script),
        };
        compiler.layout.one_by_one = with.steps;
        let shapes = &mut compiler.layout.shapes;
        shapes.moves = shapes.small && !with.state.board().is_open() && !with.state.board().turns_round();
        shapes.plain = shapes.moves && !makes_long_moves(with.script);
        compiler.memos = compiler.layout.memos;
        compiler.runs = compiler.room(u32::try_from(4 * with.points.next_multiple_of(2)).unwrap_or(u32::MAX));
        compiler.intern_asks();
        compiler.intern_pointers();
        compiler
    }

    /// Returns the compiled function with this name and number of parameters.
    pub(super) fn function(&self, key: (&str, usize)) -> Option<&'s Function> {
        self.functions.get(&key).copied()
    }

    /// Returns the number of a function of the rules in the module, which is written for these arguments, as far as they are
    /// fixed, and which of them it is written for.
    pub(super) fn number(
        &mut self,
        key: (&str, usize),
        mut fixed: Vec<Option<Fixed>>,
    ) -> Emit<(u32, Vec<Option<Fixed>>)> {
        let Some((key, function)) = self.functions.get_key_value(&key).map(|(key, function)| (*key, *function)) else {
            return Err(Refused("a call of a function with `this`"));
        };
        let changed = self.changed.get(&key);
        for (at, fixed) in fixed.iter_mut().enumerate() {
            fixed.take_if(|_| changed.is_some_and(|changed| changed.contains(&at)));
        }
        let place =
            |wanted: &Wanted<'_>, fixed: &[Option<Fixed>]| wanted.function.key() == key && wanted.fixed == fixed;
        let known = |all: &[Wanted<'_>], fixed: &[Option<Fixed>]| all.iter().position(|wanted| place(wanted, fixed));
        let mut found = known(&self.wanted, &fixed);
        if found.is_none() && fixed.iter().any(Option::is_some) {
            let same = self.wanted.iter().filter(|wanted| wanted.function.key() == key).count();
            let size = size(&function.body);
            if same >= MOST_TIMES || same > 0 && !self.writes_again(size) {
                fixed.fill(None);
                found = known(&self.wanted, &fixed);
            }
        }
        let at = found.unwrap_or_else(|| {
            self.wanted.push(Wanted { function, fixed: fixed.clone() });
            self.wanted.len() - 1
        });
        Ok((module::of_rules(at), fixed))
    }

    /// Returns whether one more node may be looked at: functions within functions may be very many.
    pub(super) fn tries(&self) -> bool {
        self.tried.set(self.tried.get() + 1);
        self.tried.get() <= MOST_TRIED
    }

    /// Returns whether so many nodes may be written once more, and counts them.
    pub(super) const fn writes_again(&mut self, nodes: usize) -> bool {
        let may = self.again + nodes <= MOST_AGAIN;
        if may {
            self.again += nodes;
        }
        may
    }

    pub(super) fn callee(&self, (name, count): (&str, usize)) -> Option<&Callee> {
        self.callees.get(name)?.get(count)?.as_ref()
    }

    /// Returns the function that lists the moves of a player, if its result is moves in the memory: then nothing need be
    /// remembered of it.
    pub(super) fn lists_moves(&self) -> Option<&Callee> {
        let is_listing = |callee: &&Callee| callee.result == Ty::id(Tag::Moves) && callee.parameters.len() == 1;
        self.callee((super::callee::MOVES, 1)).filter(is_listing)
    }

    pub(super) fn ty(&self, kind: &Kind) -> Ty {
        Ty::of(kind, self.layout.shapes)
    }

    /// Returns a constant of the scripts.
    pub(super) fn constant(&self, name: &str) -> Option<&'s Dynamic> {
        self.with.layers.constants.get(name).map(|constant| &constant.value)
    }

    /// Returns a new place for a remembered value: where the value is; whether it is there is 8 bytes behind it.
    pub(super) fn memo(&mut self) -> u32 {
        self.room(MEMO)
    }

    pub(super) fn room(&mut self, size: u32) -> u32 {
        self.memos += size;
        self.memos - size
    }

    /// Returns a table for this many results of calls that are alike but for the arguments that decide; `None` if there is no room.
    pub(super) fn table(&mut self, call: String, size: u32) -> Option<u32> {
        if let Some(known) = self.tables.get(&call) {
            return Some(*known);
        }
        if size > MOST_RESULTS {
            self.large = self.large.checked_add(size).filter(|large| *large <= MOST_OF_LARGE)?;
        }
        let table = self.room(size * 8);
        self.tables.insert(call, table);
        Some(table)
    }

    /// Gives the strings of asks their numbers, and puts the verbs into their table.
    fn intern_asks(&mut self) {
        for name in super::asks::CHOSEN {
            self.strings.number(&name.into());
        }
        self.intern_resources();
        let place = (self.layout.verbs - self.layout.tables) as usize;
        for (at, ask) in self.with.schema.asks.iter().enumerate() {
            let wrapped = Tag::Text.wrap(self.strings.number(&ask.verb.as_str().into()));
            let entry = self.layout.contents.get_mut(place + 8 * at..place + 8 * at + 8);
            entry.into_iter().for_each(|entry| entry.copy_from_slice(&wrapped.to_le_bytes()));
        }
        for (kind, _) in self.with.schema.asks.iter().flat_map(referee_table::Form::kinds) {
            if let referee_table::Kind::Word(words) = kind {
                words.iter().for_each(|word| _ = self.strings.number(&word.as_str().into()));
            }
        }
        if self.strings.all.iter().all(|text| text_weight(text) == 1) {
            self.layout.light_texts = u32::try_from(self.strings.all.len()).unwrap_or_default();
        }
    }

    /// Gives the names of resources numbers that follow each other, if their amounts are packed.
    fn intern_resources(&mut self) {
        let Some(names) = resource_places::names(self.with.schema) else { return };
        let numbers: Vec<u32> = names.iter().map(|name| self.strings.number(&(*name).into())).collect();
        let Some(first) =
            numbers.first().copied().filter(|first| numbers.iter().copied().eq((*first..).take(numbers.len())))
        else {
            return;
        };
        self.layout.amounts =
            Amounts::of(self.with.schema, &names, first, |property| Some(self.layout.value(property, 0)?.0));
        self.layout.shapes.amounts = self.layout.amounts.is_some();
    }

    /// Returns the number of a function that looks at the board; `None` if the board does not allow it.
    pub(super) fn of_board(&mut self, function: OfBoard) -> Option<u32> {
        if !function.is_possible(self.with.state, &self.layout) {
            return None;
        }
        if !self.of_board.contains(&function) {
            self.of_board.push(function);
            for other in function.uses(&self.layout) {
                self.of_board(*other)?;
            }
        }
        let place = self.of_board.iter().position(|known| *known == function)?;
        u32::try_from(place).ok().map(|place| module::OF_BOARD + place)
    }

    /// Returns whether a native returns the same for the same arguments in all games of a table.
    pub(super) fn is_pure(&self, name: &str, count: usize) -> bool {
        computing::is_pure(self.with.schema, name, count)
    }

    /// Returns how many different values of a type there may be; `None` if there are too many.
    pub(super) fn count_of(&self, ty: Ty) -> Option<u32> {
        let schema = self.with.schema;
        let count = match ty {
            Ty::Truth => 2,
            // Directions, numbers of cells and other small numbers.
            Ty::Number => usize::try_from(self.layout.cells.max(self.layout.directions)).ok()?.min(NUMBERS) + 1,
            Ty::Id { tag: Tag::Player, .. } => schema.players.len(),
            Ty::Id { tag: Tag::Piece, .. } => schema.pieces.len(),
            Ty::Id { tag: Tag::Zone, .. } => schema.zones.len(),
            Ty::Id { tag: Tag::Cell, .. } => usize::try_from(self.layout.cells).ok()?,
            Ty::Id { tag: Tag::Text, .. } => TEXTS,
            Ty::Any => {
                let counts = COMPONENTS.iter().filter_map(|tag| self.count_of(Ty::id(*tag)));
                return Some(counts.fold(0, u32::saturating_add)).filter(|count| *count > 0);
            }
            _ => return None,
        };
        u32::try_from(count).ok().filter(|count| *count > 0)
    }

    /// Returns a node as a site of the host, and what its parameters are. With `first`, it returns the value of its first
    /// part, too.
    pub(super) fn out<'n>(&mut self, node: &'n Node, around: &Function, first: bool) -> Emit<(u32, Vec<Given<'n>>)> {
        let number = self.outs.len();
        let Some(Outline { function, given }) = outline(node, around, out_name(number), first) else {
            return Err(Refused("a closure changes a variable around it"));
        };
        if given.len() > layout::MOST_HANDED {
            return Err(Refused("a call of the host with too many values"));
        }
        let call = node.call();
        self.looks_back(&function);
        let prelude = call.is_some_and(|call| call.name.starts_with(OF_PRELUDE));
        let ends = call.is_some_and(|call| ends(&call.name, call.args.len()));
        self.outs.push(Out { function, prelude, ends, keeps: false });
        Ok((u32::try_from(number).unwrap_or(u32::MAX), given))
    }

    /// Returns the site where the host makes a list of what a loop goes through.
    pub(super) fn list_of<'n>(&mut self, over: &'n Node, around: &Function) -> Emit<(u32, Vec<Given<'n>>)> {
        let [list, item] = [1, 2];
        let name = |number| node(What::Name(Name::Local(number)));
        let push = Call {
            name: natives::PUSH.into(),
            args: vec![name(list), name(item)],
            method: true,
            maybe: false,
            target: Target::Native,
            with_scope: false,
            natives: Named::of(natives::PUSH),
        };
        let parts = For { local: item, counter: None, over: name(0), body: node(What::Call(push)), ends: None };
        let body = vec![
            node(What::Let { local: list, value: Box::new(node(What::List(Vec::new()))) }),
            Node { what: What::For(Box::new(parts)), at: over.at, kind: Kind::NOTHING },
            name(list),
        ];
        let locals =
            vec![local("over", Declared::Parameter), local("list", Declared::Let), local("item", Declared::Loop)];
        let site = self.site(node(What::Block(body)), locals, 1, around.layer);
        Ok((site, vec![Given::Node(over)]))
    }

    /// Returns the site where the host changes a variable by an operator, and returns it.
    pub(super) fn changed<'n>(
        &mut self,
        at: &Node,
        assign: &'n Assign,
        around: &Function,
    ) -> Emit<(u32, Vec<Given<'n>>)> {
        let Some(changed) = assign.to.local() else { return Err(Refused("a change of this")) };
        Ok((self.changed_part(at, assign, around), vec![Given::Node(&assign.value), Given::Local(changed)]))
    }

    /// Returns the site where the host changes its second argument by an operator with its first one, and returns it.
    pub(super) fn changed_part(&mut self, at: &Node, assign: &Assign, around: &Function) -> u32 {
        let name = |number| node(What::Name(Name::Local(number)));
        let assigned = Assign { to: name(1), sign: assign.sign, value: name(0) };
        let body = vec![Node { what: What::Assign(Box::new(assigned)), at: at.at, kind: Kind::NOTHING }, name(1)];
        let locals = vec![local("by", Declared::Parameter), local("changed", Declared::Parameter)];
        self.site(node(What::Block(body)), locals, 2, around.layer)
    }

    /// Returns the site where the host changes a property of its first argument, to or by its second one.
    pub(super) fn changed_field(&mut self, at: &Node, assign: &Assign, around: &Function) -> u32 {
        let name = |number| node(What::Name(Name::Local(number)));
        let to = match &assign.to.what {
            What::Field { name: field, .. } => {
                let what = What::Field { of: Box::new(name(0)), name: field.clone(), maybe: false };
                Node { what, at: assign.to.at, kind: Kind::ANY }
            }
            _ => name(0),
        };
        let assigned = Assign { to, sign: assign.sign, value: name(1) };
        let locals = vec![local("of", Declared::Parameter), local("value", Declared::Parameter)];
        self.site(
            Node { what: What::Assign(Box::new(assigned)), at: at.at, kind: Kind::NOTHING },
            locals,
            2,
            around.layer,
        )
    }

    /// Adds a site with a function of its own.
    fn site(&mut self, body: Node, locals: Vec<Local>, parameters: usize, layer: usize) -> u32 {
        let number = self.outs.len();
        let function = outlined(out_name(number), body, locals, parameters, layer);
        self.outs.push(Out { function, prelude: false, ends: false, keeps: false });
        u32::try_from(number).unwrap_or(u32::MAX)
    }
}
