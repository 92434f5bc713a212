//! What rules ask, and what comes next: actions, phases, dice and choices, and the end of the game.

use rhai::{ImmutableString, Position};
use wasm_encoder::{Instruction as I, ValType};

use super::asks;
use super::body::{Label, long, word};
use super::compiler::{Emit, Refused};
use super::layout::{self};
use super::of_amounts::OfAmounts;
use super::of_board::{OfBoard, Wide};
use super::outline::Given;
use super::phases;
use super::runtime::{self, Helper};
use super::unit::Unit;
use super::value::{NO_ID, TAG_BITS, Tag, Ty};
use crate::natives::{Asking, Special};
use crate::script::{Call, Node, What};
use crate::values::{Kind, Sort};
use referee_table::{AskId, Die, DieFace, Part, Sight, Value, text_weight};

/// The number of faces of all dice of a throw up to which it is written in place.
const MOST_FACES: usize = 32;

/// The number of players up to which rules say themselves who wins: each is a bit.
const MOST_ENDED: usize = 32;

/// The size of what the rules get for a chosen word: a map of three pairs, and an empty list.
const CHOSEN_WORD: u32 = 2 * runtime::HEAD + 3 * runtime::PAIR.cast_unsigned();

/// What a value of an action is.
enum Fit<'s> {
    /// A value of a type.
    Of(Ty),
    /// An amount of resources.
    Amount,
    /// One of these words.
    Word(&'s [String]),
}

impl Unit<'_, '_> {
    /// Returns what values of an action are that certainly have its form; `None` if that is not known before the rules run.
    fn fitting<'s>(&self, parts: &'s [Part], values: &[Node]) -> Option<Vec<Fit<'s>>> {
        let mut kinds = Vec::new();
        for part in parts {
            match part {
                part if part.is_wording() => {}
                Part::Value(kind) => kinds.push(kind),
                Part::Word(_) | Part::Optional(_) => return None,
            }
        }
        if kinds.len() != values.len() {
            return None;
        }
        let shapes = self.with.layout.shapes;
        let mut types = Vec::new();
        for (kind, value) in kinds.iter().zip(values) {
            let ty = match kind {
                referee_table::Kind::Cell
                | referee_table::Kind::Player
                | referee_table::Kind::Piece
                | referee_table::Kind::Number => Ty::of(&Kind::of_answer(kind), shapes),
                referee_table::Kind::Move if shapes.moves => Ty::id(Tag::Move),
                referee_table::Kind::Amount if shapes.amounts && Ty::id(Tag::Map).takes(self.with.ty(&value.kind)) => {
                    types.push(Fit::Amount);
                    continue;
                }
                referee_table::Kind::Word(words) if words.iter().all(|word| text_weight(word) == 1) => {
                    if !Ty::id(Tag::Text).takes(self.with.ty(&value.kind)) {
                        return None;
                    }
                    types.push(Fit::Word(words));
                    continue;
                }
                _ => return None,
            };
            if !ty.takes(self.with.ty(&value.kind)) {
                return None;
            }
            types.push(Fit::Of(ty));
        }
        Some(types)
    }

    /// Puts a value of an action on the stack, wrapped. One that is not what it must be gives the rules up.
    fn fitted(&mut self, value: &Node, fit: &Fit<'_>) -> Emit {
        match fit {
            Fit::Of(ty) => {
                self.to(value, *ty)?;
                self.convert(*ty, Ty::Any);
            }
            Fit::Amount => self.amount_of_action(value)?,
            Fit::Word(words) => {
                self.to(value, Ty::id(Tag::Text))?;
                self.convert(Ty::id(Tag::Text), Ty::Any);
                if value.text().is_some_and(|text| words.iter().any(|word| text == word.as_str())) {
                    return Ok(());
                }
                let text = self.body.local(ValType::I64);
                self.body.set(text);
                self.body.word(0);
                for word in *words {
                    let number = self.with.strings.number(&word.as_str().into());
                    self.body.get(text);
                    self.body.all([I::I64Const(Tag::Text.wrap(number)), I::I64Eq, I::I32Or]);
                }
                self.body.add(I::I32Eqz);
                self.body.give_up_if();
                self.body.get(text);
                self.body.done(ValType::I64, text);
            }
        }
        Ok(())
    }

    /// Returns whether one of the values is a move that may not be packed.
    fn are_wrapped(&self, types: &[Fit<'_>]) -> bool {
        !self.with.layout.shapes.plain && types.iter().any(|fit| matches!(fit, Fit::Of(Ty::Id { tag: Tag::Move, .. })))
    }

    /// Makes an action whose values are of the kinds of its form. Returns `None`, with nothing done, if the host does it.
    pub(super) fn may(&mut self, args: &[Node]) -> Emit<Option<Ty>> {
        let schema = self.with.with.schema;
        let Some((verb, values)) = args.split_first() else { return Ok(None) };
        let Some(ask) = verb.text().and_then(|verb| schema.ask(verb)) else { return Ok(None) };
        let Some(form) = schema.asks.get(ask.index()) else { return Ok(None) };
        let Some(types) = self.fitting(&form.parts, values).filter(|types| !types.is_empty()) else {
            return Ok(None);
        };
        if self.are_wrapped(&types) {
            return Ok(None);
        }
        let action = self.body.local(ValType::I32);
        let size = i32::try_from(8 + 8 * values.len()).unwrap_or(i32::MAX);
        let mut wrapped = Vec::new();
        for (value, fit) in values.iter().zip(&types) {
            let local = self.body.local(ValType::I64);
            self.fitted(value, fit)?;
            self.body.set(local);
            wrapped.push(local);
        }
        runtime::allocated(&mut self.body, size.cast_unsigned());
        self.body.tee(action);
        let head = u64::try_from(ask.index()).unwrap_or(u64::MAX) | (values.len() as u64) << 32;
        self.body.long(head.cast_signed());
        self.body.add(I::I64Store(long(0)));
        for (at, local) in (1..).zip(wrapped) {
            self.body.get(action);
            self.body.get(local);
            self.body.add(I::I64Store(long(8 * at)));
            self.body.done(ValType::I64, local);
        }
        self.body.get(action);
        self.body.done(ValType::I32, action);
        Ok(Some(Ty::id(Tag::Action)))
    }

    /// Ends the game. Returns `None`, with nothing done, if the host does it.
    pub(super) fn ending(&mut self, call: &Call, node: &Node) -> Emit<Option<Ty>> {
        let (state, schema) = (self.with.with.state, self.with.with.schema);
        let kinds: Vec<&Kind> = call.args.iter().map(|arg| &arg.kind).collect();
        let Some(ending) = crate::natives::ending(&call.name, &kinds) else { return Ok(None) };
        if !call.args.is_empty() && schema.players.len() > MOST_ENDED {
            return Ok(None);
        }
        let number = i32::try_from(self.with.endings.len() + 1).unwrap_or_default();
        self.with.endings.push((ending, node.at));
        if let [who] = call.args.as_slice() {
            self.body.word(0);
            if who.kind.is(Sort::List) {
                self.bits_of(who)?;
            } else {
                self.body.word(1);
                self.to(who, Ty::id(Tag::Player))?;
                self.body.add(I::I32Shl);
            }
            // It is an error for somebody who does not play.
            if state.table.players.len() < schema.players.len() {
                let bits = self.body.local(ValType::I32);
                let playing = state.table.players.iter().fold(0, |bits, player| bits | 1_u32 << player.0);
                self.body.tee(bits);
                self.body.all([I::I32Const(!playing.cast_signed()), I::I32And]);
                self.body.give_up_if();
                self.body.get(bits);
                self.body.done(ValType::I32, bits);
            }
            self.body.add(I::I32Store(word(layout::ENDED_FOR)));
        }
        self.body.store(layout::ENDED_AT, number);
        self.body.store(layout::OVER, 1);
        self.over();
        Ok(Some(Ty::Never))
    }

    /// Puts a bit for each player of a list on the stack, and gives up if there is none.
    fn bits_of(&mut self, list: &Node) -> Emit {
        let [place, left, bits] = std::array::from_fn(|_| self.body.local(ValType::I32));
        self.to(list, Ty::id(Tag::List))?;
        self.body.tee(place);
        self.body.add(I::I32Load(word(runtime::LENGTH)));
        self.body.tee(left);
        self.body.add(I::I32Eqz);
        self.body.give_up_if();
        self.body.get(place);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.set(place);
        self.body.word(0);
        self.body.set(bits);
        self.body.rounds(left, |b| {
            b.word(1);
            b.get(place);
            b.add(I::I64Load(long(0)));
            runtime::unwrap(b, Ty::id(Tag::Player));
            b.add(I::I32Shl);
            b.get(bits);
            b.add(I::I32Or);
            b.set(bits);
            b.step(place, runtime::ITEM);
        });
        self.body.get(bits);
        for local in [place, left, bits] {
            self.body.done(ValType::I32, local);
        }
        Ok(())
    }

    /// Adds a phase that the rules run themselves. Returns `false`, with nothing done, for any other call.
    pub(super) fn then(&mut self, call: &Call) -> Emit<bool> {
        let Some((_, room)) = self.with.targets else { return Ok(false) };
        let Some((name, rest)) = call.args.split_first().filter(|_| call.natives.add_a_phase()) else {
            return Ok(false);
        };
        let number = self.body.local(ValType::I64);
        self.for_string(name, &mut |unit, name| {
            let targets = unit.with.targets.as_ref().map(|(targets, _)| targets);
            let target = targets.and_then(|targets| targets.get(&(name.to_string(), rest.len())));
            let target = target.copied().ok_or(Refused("a phase that is named otherwise"))?;
            unit.body.long(target.into());
            unit.body.set(number);
            Ok(())
        })?;
        let mut args = Vec::new();
        for arg in rest {
            let local = self.body.local(ValType::I64);
            self.to(arg, Ty::Any)?;
            self.body.set(local);
            if self.with.ty(&arg.kind) == Ty::Any {
                phases::is_id_or_give_up(&mut self.body, local);
            }
            args.push(local);
        }
        phases::add(&mut self.body, room, number, &args);
        args.into_iter().chain([number]).for_each(|local| self.body.done(ValType::I64, local));
        Ok(true)
    }

    /// Answers an ask here, if the host has said so. Returns `None`, with nothing done, for any other call.
    pub(super) fn ask(&mut self, node: &Node, call: &Call) -> Emit<Option<Ty>> {
        match call.natives.asked() {
            Some(Asking::Roll) => self.roll(node, (call, node.at), false),
            Some(Asking::Choose) => {
                let [player, verb, options] = call.args.as_slice() else { return Ok(None) };
                let Some(verb) = verb.text().filter(|_| player.kind.may_be(Sort::Player)) else { return Ok(None) };
                if matches!(self.with.ty(&options.kind), Ty::Set | Ty::Id { tag: Tag::Cells, maybe: false }) {
                    return self.ask_for_cell(node, verb, player, options);
                }
                if let Some(ty) = self.ask_for_number(node, verb, player, options)? {
                    return Ok(Some(ty));
                }
                if !options.kind.is(Sort::List) {
                    return self.ask_for_move(node, verb, player, options);
                }
                if matches!(player.what, What::Name(_))
                    && let Some(asks) = self.words(options)
                {
                    return self.ask_for_word(node, player, &asks);
                }
                if let Some(texts) = self.texts(verb, options) {
                    return self.ask_for_text(node, player, &texts);
                }
                self.ask_among(node, verb, player, options)
            }
            None => Ok(None),
        }
    }

    /// Rolls dice; with `sum`, their sum is wanted, which is the node. Returns `None`, with nothing done, if the host rolls them.
    pub(super) fn roll(&mut self, node: &Node, (call, at): (&Call, Position), sum: bool) -> Emit<Option<Ty>> {
        let schema = self.with.with.schema;
        let die = match call.args.first().and_then(Node::text) {
            Some(name) => schema.die(name),
            None if call.args.is_empty() => schema.only_die(),
            None => None,
        };
        let Some((id, die)) = die.and_then(|id| Some((id, schema.dice.get(id.index())?))) else { return Ok(None) };
        if die.sight != Sight::Open || die.sides() != die.faces.len() as u64 || die.count * die.faces.len() > MOST_FACES
        {
            return Ok(None);
        }
        let Some(shown) = self.shown(die) else { return Ok(None) };
        let Some(first) = self.with.layout.first_faces.get(id.index()).copied() else { return Ok(None) };
        // Their sum must not be too large, either.
        let is_number = |shown: &i64| Tag::of(*shown) == Some(Tag::Number) && i32::try_from(shown >> TAG_BITS).is_ok();
        if sum && (die.count == 1 || !shown.iter().all(is_number)) {
            return Ok(None);
        }
        let result = self.body.local(ValType::I64);
        self.body.load(layout::ANSWERS);
        self.body.when(None);
        self.pausing(at, &[])?;
        asks::asked(&mut self.body, |b| b.word(layout::DICE + i32::from(id.0)));
        match die.count {
            1 => self.roll_one(first, &shown, result),
            count if sum => self.roll_sum(count, first, &shown, result),
            count => self.roll_several(count, first, &shown, result),
        }
        asks::answered(&mut self.body, 1);
        self.or_by_host(node, result).map(Some)
    }

    /// Ends what is done here under a condition, with the wrapped result in a variable: otherwise the host does it. Puts the
    /// result on the stack.
    pub(super) fn or_by_host(&mut self, node: &Node, result: u32) -> Emit<Ty> {
        self.body.otherwise();
        let (site, given) = self.with.out(node, self.function, false)?;
        self.call_host(site, &given)?;
        self.body.set(result);
        self.body.end();
        self.body.get(result);
        self.body.done(ValType::I64, result);
        Ok(self.narrowed(node))
    }

    /// Lets a player choose among options of a type, which `here` gets in a variable: it jumps to the label with the wrapped
    /// chosen one. Otherwise the host asks. Returns `None`, with nothing done, for options that have other parts.
    fn ask_here(
        &mut self,
        node: &Node,
        player: &Node,
        (options, ty): (&Node, Ty),
        here: impl FnOnce(&mut Self, u32, Label),
    ) -> Emit<Option<Ty>> {
        let (site, given) = self.with.out(node, self.function, false)?;
        let [Given::Node(_), Given::Node(_)] = given.as_slice() else { return Ok(None) };
        let wasm = ty.wasm().unwrap_or(ValType::I64);
        let (of, all) = (self.body.local(ValType::I32), self.body.local(wasm));
        self.to(player, Ty::id(Tag::Player))?;
        self.body.set(of);
        self.to(options, ty)?;
        self.body.set(all);
        self.pausing(node.at, &[(0, of, Ty::id(Tag::Player)), (2, all, ty)])?;
        asks::asked(&mut self.body, |b| b.get(of));
        let end = self.body.block(Some(ValType::I64));
        here(self, all, end);
        self.body.word(site.cast_signed());
        self.body.get(of);
        self.convert(Ty::id(Tag::Player), Ty::Any);
        self.body.get(all);
        self.convert(ty, Ty::Any);
        self.body.call(layout::out(2));
        self.body.end();
        self.body.done(ValType::I32, of);
        self.body.done(wasm, all);
        Ok(Some(self.narrowed(node)))
    }

    /// Lets a function choose, whose argument is on the stack, and jumps with what it has chosen: a value with a tag, or `()`
    /// if the host is to ask.
    fn choose_by(&mut self, function: u32, tag: Tag, end: Label) {
        let chosen = self.body.local(ValType::I32);
        self.body.call(function);
        self.body.tee(chosen);
        self.body.all([I::I32Const(NO_ID), I::I32Ne]);
        self.body.when(None);
        self.body.get(chosen);
        self.convert(Ty::id(tag), Ty::Any);
        self.body.jump(end);
        self.body.end();
        self.body.done(ValType::I32, chosen);
    }

    /// Lets a player choose an item of a list: actions, or values of the only kind of the ask.
    fn ask_among(&mut self, node: &Node, verb: &str, player: &Node, options: &Node) -> Emit<Option<Ty>> {
        let Some(actions) = self.with.of_board(OfBoard::Choose) else { return Ok(None) };
        let values = self.tag_of_values(verb).and_then(|tag| self.with.of_board(OfBoard::ChooseValue(tag)));
        let amounts = self
            .takes_amounts(verb)
            .and_then(|ask| self.with.of_board(OfBoard::Amounts(OfAmounts::Offered)).map(|offered| (ask, offered)));
        self.ask_here(node, player, (options, Ty::id(Tag::List)), |unit, list, end| {
            if let Some((ask, offered)) = amounts {
                unit.choose_amount((ask, offered, actions), list, end);
            }
            if let Some(values) = values {
                let value = unit.body.local(ValType::I64);
                unit.body.get(list);
                unit.body.call(values);
                unit.body.tee(value);
                unit.body.all([I::I64Eqz, I::I32Eqz]);
                unit.body.when(None);
                unit.body.get(value);
                unit.body.jump(end);
                unit.body.end();
                unit.body.done(ValType::I64, value);
            }
            unit.body.get(list);
            unit.choose_by(actions, Tag::Map, end);
        })
    }

    /// Returns an ask that takes one amount.
    fn takes_amounts(&self, verb: &str) -> Option<AskId> {
        let schema = self.with.with.schema;
        let ask = schema.ask(verb)?;
        let [(referee_table::Kind::Amount, _)] = schema.asks.get(ask.index())?.kinds()[..] else { return None };
        Some(ask)
    }

    /// Lets a player choose one of the amounts in a list, if that is what it has.
    fn choose_amount(&mut self, (ask, offered, choose): (AskId, u32, u32), list: u32, end: Label) {
        let (first, chosen) = (self.body.local(ValType::I64), self.body.local(ValType::I32));
        self.body.get(list);
        self.body.add(I::I32Load(word(runtime::LENGTH)));
        self.body.when(None);
        self.item(list, 0);
        self.body.set(first);
        self.is_tagged(first, Tag::Map);
        self.body.when(None);
        self.body.get(list);
        self.body.word(i32::from(ask.0));
        self.body.call(offered);
        self.body.call(choose);
        self.body.tee(chosen);
        self.body.all([I::I32Const(NO_ID), I::I32Ne]);
        self.body.when(None);
        // Of the action that was chosen the rules get the amount.
        self.body.get(chosen);
        self.body.add(I::I32Load(word(runtime::ITEMS)));
        self.body.add(I::I64Load(long(8)));
        self.body.jump(end);
        self.body.end();
        self.body.end();
        self.body.end();
        self.body.done(ValType::I64, first);
        self.body.done(ValType::I32, chosen);
    }

    /// Returns the tag of the values of an ask, if it takes one value of a kind that any such value has.
    pub(super) fn tag_of_values(&self, verb: &str) -> Option<Tag> {
        let schema = self.with.with.schema;
        let form = schema.ask(verb).and_then(|ask| schema.asks.get(ask.index()))?;
        let [(kind, _)] = form.kinds()[..] else { return None };
        Some(match kind {
            referee_table::Kind::Cell => Tag::Cell,
            referee_table::Kind::Player => Tag::Player,
            referee_table::Kind::Piece => Tag::Piece,
            referee_table::Kind::Number => Tag::Number,
            _ => return None,
        })
    }

    /// Lets a player choose a cell of a set. Returns `None`, with nothing done, for an ask of something else.
    fn ask_for_cell(&mut self, node: &Node, verb: &str, player: &Node, options: &Node) -> Emit<Option<Ty>> {
        if self.tag_of_values(verb) != Some(Tag::Cell) {
            return Ok(None);
        }
        let ty = self.with.ty(&options.kind);
        let function = if ty == Ty::Set { OfBoard::ChooseCell } else { OfBoard::Wide(Wide::Choose) };
        let Some(number) = self.with.of_board(function) else { return Ok(None) };
        self.ask_here(node, player, (options, ty), |unit, set, end| {
            unit.body.get(set);
            unit.choose_by(number, Tag::Cell, end);
        })
    }

    /// Returns the asks of options that are actions without values, each another one; `None` for other options.
    fn words(&self, options: &Node) -> Option<Vec<AskId>> {
        let What::List(items) = &options.what else { return None };
        let mut asks = Vec::new();
        for item in items {
            let call = item.call().filter(|call| call.natives.special() == Some(Special::May))?;
            let [verb] = call.args.as_slice() else { return None };
            let ask = self.with.with.schema.ask(verb.text()?)?;
            let takes_nothing = self.with.with.schema.asks.get(ask.index())?.kinds().is_empty();
            if !takes_nothing || asks.contains(&ask) {
                return None;
            }
            asks.push(ask);
        }
        (1..=MOST_FACES).contains(&asks.len()).then_some(asks)
    }

    /// Lets a player choose one of several words. What the rules get for each is at a place of its own, and always the same.
    fn ask_for_word(&mut self, node: &Node, player: &Node, words: &[AskId]) -> Emit<Option<Ty>> {
        let place = self.with.room(CHOSEN_WORD * u32::try_from(words.len()).unwrap_or(u32::MAX));
        self.choose_number(node, player, (words.len(), 1), |unit, number| {
            unit.body.load(place);
            unit.body.add(I::I32Eqz);
            unit.body.when(None);
            for (at, ask) in (0..).zip(words) {
                unit.chosen_word(place + CHOSEN_WORD * at, *ask);
            }
            unit.body.end();
            unit.body.get(number);
            unit.body.all([I::I32Const(CHOSEN_WORD.cast_signed()), I::I32Mul]);
            unit.body.all([I::I32Const(place.cast_signed()), I::I32Add]);
            unit.convert(Ty::id(Tag::Map), Ty::Any);
        })
    }

    /// Lets a player choose one of so many options of a weight each. `chosen` puts what the rules get for that with the number in a
    /// variable on the stack, wrapped.
    fn choose_number(
        &mut self,
        node: &Node,
        player: &Node,
        (options, weight): (usize, i32),
        chosen: impl FnOnce(&mut Self, u32),
    ) -> Emit<Option<Ty>> {
        let number = self.body.local(ValType::I32);
        let result = self.body.local(ValType::I64);
        let count = i32::try_from(options).unwrap_or(i32::MAX);
        self.to(player, Ty::id(Tag::Player))?;
        self.body.set(number);
        self.pausing(node.at, &[(0, number, Ty::id(Tag::Player))])?;
        asks::asked(&mut self.body, |b| b.get(number));
        self.body.load(layout::ANSWERS);
        self.body.when(None);
        asks::answered(&mut self.body, 1 + weight * count);
        self.body.raise_both(layout::DECISIONS, 1, count);
        asks::below_constant(&mut self.body, count.cast_unsigned());
        self.body.add(I::I32WrapI64);
        self.body.set(number);
        chosen(self, number);
        self.body.set(result);
        self.body.done(ValType::I32, number);
        self.or_by_host(node, result).map(Some)
    }

    /// Returns the words of options that are those of an ask, each another one; `None` for other options.
    fn texts<'n>(&self, verb: &str, options: &'n Node) -> Option<Vec<&'n ImmutableString>> {
        let What::List(items) = &options.what else { return None };
        let schema = self.with.with.schema;
        let form = schema.ask(verb).and_then(|ask| schema.asks.get(ask.index()))?;
        let [(referee_table::Kind::Word(words), _)] = form.kinds()[..] else { return None };
        let mut texts = Vec::new();
        for item in items {
            let text = item.text()?;
            if text_weight(text) != 1 || texts.contains(&text) || !words.iter().any(|word| text == word.as_str()) {
                return None;
            }
            texts.push(text);
        }
        (1..=MOST_FACES).contains(&texts.len()).then_some(texts)
    }

    /// Lets a player choose one of several words, which the rules get as it is.
    fn ask_for_text(&mut self, node: &Node, player: &Node, texts: &[&ImmutableString]) -> Emit<Option<Ty>> {
        let wrapped: Vec<i64> = texts.iter().map(|text| Tag::Text.wrap(self.with.strings.number(text))).collect();
        self.choose_number(node, player, (texts.len(), 2), |unit, number| {
            let other = I::I64Const(super::value::NOTHING);
            unit.body.pick(number, other, wrapped.into_iter().map(I::I64Const));
        })
    }

    /// Writes what the rules get for a chosen word to its place: a map of its first value, all its values, and its verb. Both
    /// are shared, so that nobody changes them.
    fn chosen_word(&mut self, place: u32, ask: AskId) {
        let (items, list) = (place + runtime::HEAD, place + runtime::HEAD + 3 * runtime::PAIR.cast_unsigned());
        for (head, count, items) in [(place, 3, items), (list, 0, list + runtime::HEAD)] {
            for (at, word) in [
                (runtime::LENGTH, count),
                (runtime::ROOM, count),
                (runtime::ITEMS, items.cast_signed()),
                (runtime::SHARED, 1),
            ] {
                self.body.store(head + at, word);
            }
        }
        let verb = self.with.with.schema.asks.get(ask.index()).map(|ask| ask.verb.as_str().into()).unwrap_or_default();
        let verb = Tag::Text.wrap(self.with.strings.number(&verb));
        let values = [super::value::NOTHING, Tag::List.wrap(list), verb];
        for (at, (key, value)) in (0..).zip(asks::CHOSEN.into_iter().zip(values)) {
            let key = Tag::Text.wrap(self.with.strings.number(&key.into()));
            for (at, long) in [(items + 16 * at, key), (items + 16 * at + 8, value)] {
                self.body.all([I::I32Const(0), I::I64Const(long), I::I64Store(super::body::long(at))]);
            }
        }
    }

    /// Lets a player choose one of several moves. Returns `None`, with nothing done, if the options may be others.
    fn ask_for_move(&mut self, node: &Node, verb: &str, player: &Node, options: &Node) -> Emit<Option<Ty>> {
        let schema = self.with.with.schema;
        let form = schema.ask(verb).and_then(|ask| schema.asks.get(ask.index()));
        let may_be_moves = options.kind.is_any() || options.kind.is(Sort::Moves);
        if !may_be_moves || !form.is_some_and(crate::host::takes_a_move) {
            return Ok(None);
        }
        if self.with.layout.shapes.plain
            && self.may_be_apart(options)
            && self.tried(|unit| unit.choose_apart(node, player, options)).is_some()
        {
            return Ok(Some(self.narrowed(node)));
        }
        let Some(number) = self.with.of_board(OfBoard::ChooseMove) else { return Ok(None) };
        self.ask_here(node, player, (options, Ty::Any), |unit, all, end| {
            unit.is_tagged(all, Tag::Moves);
            unit.body.when(None);
            unit.body.get(all);
            unit.convert(Ty::Any, Ty::id(Tag::Moves));
            unit.choose_by(number, Tag::Move, end);
            // Where no number comes, nothing runs on.
            unit.after_end(unit.with.layout.one_by_one);
            unit.body.end();
        })
    }

    /// Returns what the faces of a die show, wrapped; `None` if one shows more than a number or a word.
    fn shown(&mut self, die: &Die) -> Option<Vec<i64>> {
        let wrapped = |face: &DieFace| match &face.shows {
            Value::Int(number) => super::value::number(*number),
            Value::Text(text) => Some(Tag::Text.wrap(self.with.strings.number(&(&**text).into()))),
            _ => None,
        };
        die.faces.iter().map(wrapped).collect()
    }

    /// Leaves the number of a random face on the stack, and counts it.
    fn face(&mut self, first: u32, faces: usize) {
        let face = self.body.local(ValType::I32);
        asks::below_constant(&mut self.body, u32::try_from(faces).unwrap_or(1));
        self.body.add(I::I32WrapI64);
        self.body.tee(face);
        self.body.all([I::I32Const(2), I::I32Shl]);
        self.body.get(face);
        self.body.all([I::I32Const(2), I::I32Shl, I::I32Load(word(first)), I::I32Const(1), I::I32Add]);
        self.body.add(I::I32Store(word(first)));
        self.body.get(face);
        self.body.done(ValType::I32, face);
    }

    fn roll_one(&mut self, first: u32, shown: &[i64], result: u32) {
        let face = self.body.local(ValType::I32);
        self.face(first, shown.len());
        self.body.set(face);
        self.pick_shown(face, shown);
        self.body.set(result);
        self.body.done(ValType::I32, face);
    }

    /// Puts what a face shows on the stack.
    fn pick_shown(&mut self, face: u32, shown: &[i64]) {
        // Numbers that follow one another are computed.
        let step = 1 << TAG_BITS;
        if let Some(least) = shown.first()
            && shown.iter().zip(0..).all(|(one, at)| *one == least + at * step)
        {
            self.body.get(face);
            self.body.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(*least), I::I64Add]);
            return;
        }
        let other = I::I64Const(super::value::NOTHING);
        self.body.pick(face, other, shown.iter().map(|one| I::I64Const(*one)));
    }

    /// Leaves the sum of several dice in a variable, wrapped.
    fn roll_sum(&mut self, count: usize, first: u32, shown: &[i64], result: u32) {
        let (face, sum) = (self.body.local(ValType::I32), self.body.local(ValType::I64));
        self.body.long(0);
        self.body.set(sum);
        for _ in 0..count {
            self.face(first, shown.len());
            self.body.set(face);
            self.pick_shown(face, shown);
            self.body.all([I::I64Const(TAG_BITS), I::I64ShrS]);
            self.body.get(sum);
            self.body.add(I::I64Add);
            self.body.set(sum);
        }
        self.body.get(sum);
        self.convert(Ty::Number, Ty::Any);
        self.body.set(result);
        self.body.done(ValType::I32, face);
        self.body.done(ValType::I64, sum);
    }

    /// Leaves the list of what several dice show in a variable, wrapped: their faces are in ascending order.
    fn roll_several(&mut self, count: usize, first: u32, shown: &[i64], result: u32) {
        let counts: Vec<u32> = shown.iter().map(|_| self.body.local(ValType::I32)).collect();
        let (face, list) = (self.body.local(ValType::I32), self.body.local(ValType::I32));
        for local in &counts {
            self.body.word(0);
            self.body.set(*local);
        }
        for _ in 0..count {
            self.face(first, shown.len());
            self.body.set(face);
            for (at, local) in (0..).zip(&counts) {
                self.body.get(*local);
                self.body.get(face);
                self.body.all([I::I32Const(at), I::I32Eq, I::I32Add]);
                self.body.set(*local);
            }
        }
        self.body.word(i32::try_from(count).unwrap_or(i32::MAX));
        self.body.call(Helper::List.number());
        self.body.set(list);
        for (local, one) in counts.iter().zip(shown) {
            self.body.rounds(*local, |b| {
                b.get(list);
                b.long(*one);
                b.call(Helper::Push.number());
            });
        }
        self.body.get(list);
        self.convert(Ty::id(Tag::List), Ty::Any);
        self.body.set(result);
        for local in counts.into_iter().chain([face, list]) {
            self.body.done(ValType::I32, local);
        }
    }
}
