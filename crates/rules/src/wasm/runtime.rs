//! The functions that every module of compiled rules has: wrapping, lists and maps.
//!
//! A list or a map is an address of four words: how many items it has, how many there is room for, where they are, and
//! whether it is shared, which means that it is copied before a change. An item of a list is a wrapped value; one of a map
//! the number of its key and a wrapped value, in the order in which they came.

use wasm_encoder::{Instruction as I, ValType};

use super::body::{Body, long, word};
use super::layout;
use super::value::{NO_ID, NOTHING, TAG_BITS, Tag, Ty, truth};
use referee_table::StateBytes;

/// Where the parts of a list or a map are.
pub(super) const LENGTH: u32 = 0;
pub(super) const ROOM: u32 = 4;
pub(super) const ITEMS: u32 = 8;
pub(super) const SHARED: u32 = 12;
/// The size of a list or a map without its items.
pub(super) const HEAD: u32 = 16;
/// The sizes of an item of a list, and of one of a map.
pub(super) const ITEM: i32 = 8;
pub(super) const PAIR: i32 = 16;
/// Returns the four words of a shared list with so many items, which begin at an address.
pub(super) const fn head(count: u32, items: u32) -> [u32; 4] {
    [count, count, items, 1]
}

/// What stands for no set of small numbers.
pub(super) const NO_BITS: i64 = -1;

/// How many items a list or a map has at most.
const MOST_ITEMS: i32 = crate::values::COLLECTION as i32;
/// The room of an empty list or map that grows.
const FIRST_ROOM: i32 = 4;

/// The functions, in the order of their numbers after the imported ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Helper {
    /// `(bytes) -> address`
    Allocate,
    /// `(id or (), tag) -> wrapped`
    Wrap,
    /// `(wrapped)`: the value has another holder.
    Share,
    /// `(wrapped) -> wrapped`: the value, or a copy of it, which may be changed.
    Own,
    /// `(room) -> address`
    List,
    /// `(address, wrapped)`
    Push,
    /// `(address, index) -> address of the item`
    Place,
    /// `(room) -> address`
    Map,
    /// `(address, key) -> wrapped`, which must be there
    Field,
    /// `(address, key) -> wrapped`, `()` if there is nothing
    Key,
    /// `(address, key) -> address of the value`, which must be there
    Slot,
    /// `(address, key, wrapped)`
    SetField,
    /// `(wrapped, wrapped) -> boolean`
    Equal,
    /// `(number, number) -> number`: a product.
    Product,
    /// `(set) -> wrapped`
    WrapSet,
    /// `(bound) -> number`: a random one
    Below,
    /// `(address of a list) -> number`: the sum of its numbers.
    Sum,
    /// `(address of a list, wrapped) -> boolean`: whether the value is in the list.
    Contains,
    /// `(address of a list, wrapped) -> number`: where the value is first in the list; -1 if it is not there.
    IndexOf,
    /// `(address of a list, boolean) -> set of small numbers`, as bits; [`NO_BITS`] if it has something else, or, with the
    /// boolean, if they are not in ascending order.
    Bits,
    /// `(set of small numbers) -> address of a list`
    OfBits,
    /// `(address of a list, that of another one) -> address`: a list of the items of both.
    Concat,
}

/// How many there are.
pub(super) const COUNT: u32 = Helper::Concat as u32 + 1;

impl Helper {
    pub(super) const ALL: [Self; COUNT as usize] = [
        Self::Allocate,
        Self::Wrap,
        Self::Share,
        Self::Own,
        Self::List,
        Self::Push,
        Self::Place,
        Self::Map,
        Self::Field,
        Self::Key,
        Self::Slot,
        Self::SetField,
        Self::Equal,
        Self::Product,
        Self::WrapSet,
        Self::Below,
        Self::Sum,
        Self::Contains,
        Self::IndexOf,
        Self::Bits,
        Self::OfBits,
        Self::Concat,
    ];

    /// Returns the number of the function.
    pub(super) const fn number(self) -> u32 {
        layout::IMPORTS + self as u32
    }

    /// Returns its parameters and its result.
    pub(super) const fn signature(self) -> (&'static [ValType], &'static [ValType]) {
        use ValType::{I32, I64};
        match self {
            Self::Allocate | Self::List | Self::Map => (&[I32], &[I32]),
            Self::Own | Self::Below => (&[I64], &[I64]),
            Self::Sum => (&[I32], &[I64]),
            Self::Contains => (&[I32, I64], &[I32]),
            Self::IndexOf => (&[I32, I64], &[I64]),
            Self::Bits => (&[I32, I32], &[I64]),
            Self::OfBits => (&[I64], &[I32]),
            Self::Concat => (&[I32, I32], &[I32]),
            Self::Wrap => (&[I32, I32], &[I64]),
            Self::Share => (&[I64], &[]),
            Self::Push => (&[I32, I64], &[]),
            Self::Place => (&[I32, I64], &[I32]),
            Self::Field | Self::Key => (&[I32, I32], &[I64]),
            Self::Slot => (&[I32, I32], &[I32]),
            Self::SetField => (&[I32, I32, I64], &[]),
            Self::Equal => (&[I64, I64], &[I32]),
            Self::Product => (&[I64, I64], &[I64]),
            Self::WrapSet => (&[I64], &[I64]),
        }
    }

    /// Returns the function. `equal` is the site where the host compares two values.
    pub(super) fn write(self, equal: u32) -> Body {
        let mut body = Body::new(self.signature().0.len());
        match self {
            Self::Allocate => allocate(&mut body),
            Self::Wrap => wrap_id(&mut body),
            Self::Share => share(&mut body),
            Self::Own => own(&mut body),
            Self::List => new(&mut body, ITEM),
            Self::Map => new(&mut body, PAIR),
            Self::Push => push(&mut body),
            Self::Place => place(&mut body),
            Self::Field => field(&mut body, false),
            Self::Key => field(&mut body, true),
            Self::Slot => slot(&mut body),
            Self::SetField => set_field(&mut body),
            Self::Equal => are_equal(&mut body, equal),
            Self::Product => product(&mut body),
            Self::WrapSet => wrap_set(&mut body),
            Self::Below => super::random::below(&mut body),
            Self::Sum => sum(&mut body),
            Self::Contains => contains(&mut body),
            Self::IndexOf => index_of(&mut body),
            Self::Bits => bits(&mut body),
            Self::OfBits => of_bits(&mut body),
            Self::Concat => concat(&mut body),
        }
        body
    }
}

/// Takes room from the heap, whose end is a word of the memory. The work is counted.
fn allocate(b: &mut Body) {
    let (start, end) = (b.local(ValType::I32), b.local(ValType::I32));
    b.word(0);
    b.add(I::I32Load(word(layout::TOP)));
    b.tee(start);
    b.get(0);
    b.all([I::I32Const(7), I::I32Add, I::I32Const(-8), I::I32And, I::I32Add]);
    b.tee(end);
    b.get(start);
    b.add(I::I32LtU);
    b.give_up_if();
    b.get(end);
    b.all([I::MemorySize(0), I::I32Const(16), I::I32Shl, I::I32GtU]);
    b.when(None);
    b.get(end);
    b.all([I::I32Const(16), I::I32ShrU, I::MemorySize(0), I::I32Sub, I::I32Const(17), I::I32Add, I::MemoryGrow(0)]);
    b.all([I::I32Const(-1), I::I32Eq]);
    b.give_up_if();
    b.end();
    b.word(0);
    b.get(end);
    b.add(I::I32Store(word(layout::TOP)));
    b.spend(|b| {
        b.get(0);
        b.all([I::I32Const(3), I::I32ShrU, I::I64ExtendI32U]);
    });
    b.get(start);
}

/// Puts the address of some bytes on the stack, without a call as long as there is memory.
pub(super) fn allocated(b: &mut Body, bytes: u32) {
    let bytes = bytes.next_multiple_of(8);
    let (start, end, size) = (b.local(ValType::I32), b.local(ValType::I32), bytes.cast_signed());
    b.load(layout::TOP);
    b.tee(start);
    b.all([I::I32Const(size), I::I32Add]);
    b.tee(end);
    b.all([I::MemorySize(0), I::I32Const(16), I::I32Shl, I::I32GtU]);
    b.when(Some(ValType::I32));
    b.word(size);
    b.call(Helper::Allocate.number());
    b.otherwise();
    b.word(0);
    b.get(end);
    b.add(I::I32Store(word(layout::TOP)));
    b.spend(|b| b.long(i64::from(bytes / 8)));
    b.get(start);
    b.end();
    b.done(ValType::I32, start);
    b.done(ValType::I32, end);
}

/// Puts an address on the stack that `make` puts there, or that of the last time if no piece was moved since. That
/// takes so much work, about as much as the first time.
pub(super) fn kept_until_moved(b: &mut Body, place: u32, work: u32, make: impl FnOnce(&mut Body)) {
    let known = b.local(ValType::I32);
    b.load(place);
    b.tee(known);
    b.when(Some(ValType::I32));
    b.spend(|b| b.long(work.into()));
    b.get(known);
    b.otherwise();
    b.word(0);
    make(b);
    b.tee(known);
    b.add(I::I32Store(word(place)));
    b.get(known);
    b.end();
    b.done(ValType::I32, known);
}

/// Forgets what was made of the pieces on the board: two words at once.
pub(super) fn forget_board(body: &mut Body) {
    body.all([I::I32Const(0), I::I64Const(0), I::I64Store(long(layout::OCCUPIED))]);
}

fn wrap_id(b: &mut Body) {
    b.get(0);
    b.all([I::I32Const(NO_ID), I::I32Eq]);
    b.when(Some(ValType::I64));
    b.long(NOTHING);
    b.otherwise();
    b.get(0);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl]);
    b.get(1);
    b.all([I::I64ExtendI32U, I::I64Or]);
    b.end();
}

/// Puts on the stack whether the wrapped value in a variable is a list or a map.
fn is_owned(b: &mut Body, local: u32) {
    b.get(local);
    // 8 and 9 differ in one bit.
    b.all([I::I64Const(14), I::I64And, I::I64Const(Tag::List as i64), I::I64Eq]);
}

/// Puts the address in a wrapped value on the stack.
fn address(b: &mut Body, local: u32) {
    b.get(local);
    b.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
}

fn share(b: &mut Body) {
    b.get(0);
    shared(b);
}

/// Gives the wrapped value on the stack another holder, if it is a list or a map.
pub(super) fn shared(b: &mut Body) {
    let value = b.local(ValType::I64);
    b.set(value);
    is_owned(b, value);
    b.when(None);
    address(b, value);
    b.word(1);
    b.add(I::I32Store(word(SHARED)));
    b.end();
    b.done(ValType::I64, value);
}

/// Copies as many words as one variable says from one place to another. With `share`, what is copied has another holder then.
fn copy(b: &mut Body, [left, from, to]: [u32; 3], share: bool) {
    b.rounds(left, |b| {
        b.get(to);
        b.get(from);
        b.all([I::I64Load(long(0)), I::I64Store(long(0))]);
        if share {
            b.get(from);
            b.add(I::I64Load(long(0)));
            b.call(Helper::Share.number());
        }
        for local in [from, to] {
            b.step(local, ITEM);
        }
    });
}

/// Copies a shared list or map. What is in it has another holder then.
fn own(b: &mut Body) {
    let [old, new, left, from, to] = std::array::from_fn(|_| b.local(ValType::I32));
    let size = b.local(ValType::I32);
    let done = b.block(None);
    is_owned(b, 0);
    b.add(I::I32Eqz);
    b.jump_if(done);
    address(b, 0);
    b.tee(old);
    b.all([I::I32Load(word(SHARED)), I::I32Eqz]);
    b.jump_if(done);
    // The size of an item: 8 in a list, 16 in a map.
    b.get(0);
    b.all([I::I32WrapI64, I::I32Const(1), I::I32And, I::I32Const(3), I::I32Add]);
    b.set(size);
    b.get(old);
    b.add(I::I32Load(word(LENGTH)));
    b.set(left);
    b.get(size);
    b.all([I::I32Const(3), I::I32Eq]);
    b.when(Some(ValType::I32));
    for helper in [Helper::List, Helper::Map] {
        b.get(left);
        b.all([I::I32Const(FIRST_ROOM), I::I32Add]);
        at_most(b, from);
        b.get(from);
        b.call(helper.number());
        if helper == Helper::List {
            b.otherwise();
        }
    }
    b.end();
    b.tee(new);
    b.get(left);
    b.add(I::I32Store(word(LENGTH)));
    b.get(old);
    b.add(I::I32Load(word(ITEMS)));
    b.set(from);
    b.get(new);
    b.add(I::I32Load(word(ITEMS)));
    b.set(to);
    // How many words there are.
    b.get(left);
    b.get(size);
    b.all([I::I32Const(3), I::I32Sub, I::I32Shl]);
    b.set(left);
    copy(b, [left, from, to], true);
    b.get(0);
    b.all([I::I64Const(15), I::I64And]);
    b.get(new);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Or]);
    b.set(0);
    b.end();
    b.get(0);
}

/// Leaves the room on the stack in a variable, but no more than a list may have: what has room is not counted again.
fn at_most(b: &mut Body, room: u32) {
    b.set(room);
    b.get(room);
    b.word(MOST_ITEMS);
    b.get(room);
    b.all([I::I32Const(MOST_ITEMS), I::I32LtU, I::Select]);
    b.set(room);
}

/// Makes an empty list or map with room for this many items of a size.
fn new(b: &mut Body, size: i32) {
    let head = b.local(ValType::I32);
    b.get(0);
    b.all([I::I32Const(size), I::I32Mul, I::I32Const(HEAD.cast_signed()), I::I32Add]);
    b.call(Helper::Allocate.number());
    b.set(head);
    put_head(b, head, |b| b.word(0), |b| b.get(0));
    b.get(head);
}

/// Puts a new list on the stack, without a call as long as there is memory: an empty one with room for so many items.
pub(super) fn new_list(b: &mut Body, room: i32) {
    empty(b, room, ITEM);
}

/// Does the same for a map.
pub(super) fn new_map(b: &mut Body, room: i32) {
    empty(b, room, PAIR);
}

fn empty(b: &mut Body, room: i32, size: i32) {
    let head = b.local(ValType::I32);
    allocated(b, HEAD + size.cast_unsigned() * room.cast_unsigned());
    b.set(head);
    put_head(b, head, |b| b.word(0), |b| b.word(room));
    b.get(head);
    b.done(ValType::I32, head);
}

/// Leaves a new list in a variable, with as many items as the number on the stack says, which are to be written from the address
/// in another variable on. Gives up if they are too many.
pub(super) fn full_list(b: &mut Body, list: u32, items: u32) {
    let count = b.local(ValType::I32);
    b.tee(count);
    b.all([I::I32Const(MOST_ITEMS), I::I32GtU]);
    b.give_up_if();
    b.get(count);
    b.call(Helper::List.number());
    b.tee(list);
    b.get(count);
    b.add(I::I32Store(word(LENGTH)));
    b.get(list);
    b.add(I::I32Load(word(ITEMS)));
    b.set(items);
    b.done(ValType::I32, count);
}

/// Writes the head of a list or a map with one holder, whose items follow it, to the address in a variable. `length` and `room` put
/// the numbers of its items, and of those for which there is room, on the stack.
pub(super) fn put_head(b: &mut Body, head: u32, length: impl FnOnce(&mut Body), room: impl FnOnce(&mut Body)) {
    b.get(head);
    length(b);
    b.add(I::I32Store(word(LENGTH)));
    b.get(head);
    room(b);
    b.add(I::I32Store(word(ROOM)));
    b.get(head);
    b.get(head);
    b.all([I::I32Const(HEAD.cast_signed()), I::I32Add, I::I32Store(word(ITEMS))]);
    b.get(head);
    b.word(0);
    b.add(I::I32Store(word(SHARED)));
}

/// Makes sure that there is room for one more item of a size in the list or map in the variable 0.
fn grow(b: &mut Body, size: i32) {
    let [to, left, from] = std::array::from_fn(|_| b.local(ValType::I32));
    let (room, length) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(0);
    b.add(I::I32Load(word(LENGTH)));
    b.tee(length);
    b.all([I::I32Const(MOST_ITEMS), I::I32GeU]);
    b.give_up_if();
    b.get(length);
    b.get(0);
    b.all([I::I32Load(word(ROOM)), I::I32GeU]);
    b.when(None);
    b.get(0);
    b.all([I::I32Load(word(ROOM)), I::I32Const(1), I::I32Shl, I::I32Const(FIRST_ROOM), I::I32Add]);
    at_most(b, room);
    b.get(room);
    b.all([I::I32Const(size), I::I32Mul]);
    b.call(Helper::Allocate.number());
    b.set(to);
    b.get(0);
    b.get(room);
    b.add(I::I32Store(word(ROOM)));
    b.get(0);
    b.add(I::I32Load(word(ITEMS)));
    b.set(from);
    b.get(0);
    b.get(to);
    b.add(I::I32Store(word(ITEMS)));
    b.get(0);
    b.all([I::I32Load(word(LENGTH)), I::I32Const(size / ITEM), I::I32Mul]);
    b.set(left);
    copy(b, [left, from, to], false);
    b.end();
}

/// Puts the address of the item after the last one on the stack, and counts it.
fn last(b: &mut Body, size: i32) {
    b.get(0);
    b.add(I::I32Load(word(ITEMS)));
    b.get(0);
    b.all([I::I32Load(word(LENGTH)), I::I32Const(size), I::I32Mul, I::I32Add]);
    b.get(0);
    b.get(0);
    b.all([I::I32Load(word(LENGTH)), I::I32Const(1), I::I32Add, I::I32Store(word(LENGTH))]);
}

fn push(b: &mut Body) {
    grow(b, ITEM);
    last(b, ITEM);
    b.get(1);
    b.add(I::I64Store(long(0)));
}

/// An index below 0 counts from the end.
fn place(b: &mut Body) {
    b.get(1);
    b.all([I::I64Const(0), I::I64LtS]);
    b.when(None);
    b.get(1);
    b.get(0);
    b.all([I::I64Load32U(word(LENGTH)), I::I64Add]);
    b.set(1);
    b.end();
    b.get(1);
    b.get(0);
    b.all([I::I64Load32U(word(LENGTH)), I::I64GeU]);
    b.give_up_if();
    b.get(0);
    b.add(I::I32Load(word(ITEMS)));
    b.get(1);
    b.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I32Add]);
}

/// Puts the key in the variable 1 on the stack as a wrapped value.
fn wrapped_key(b: &mut Body) {
    b.get(1);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Text as i64), I::I64Or]);
}

/// Leaves the address of the pair with the key in the variable 1 in the variable that it returns, and 0 if there is none.
fn find(b: &mut Body) -> u32 {
    let [at, left] = std::array::from_fn(|_| b.local(ValType::I32));
    let key = b.local(ValType::I64);
    wrapped_key(b);
    b.set(key);
    b.get(0);
    b.add(I::I32Load(word(LENGTH)));
    b.set(left);
    b.get(0);
    b.add(I::I32Load(word(ITEMS)));
    b.set(at);
    let found = b.block(None);
    let next = b.again();
    b.get(left);
    b.add(I::I32Eqz);
    b.when(None);
    b.word(0);
    b.set(at);
    b.jump(found);
    b.end();
    b.get(at);
    b.add(I::I64Load(long(0)));
    b.get(key);
    b.add(I::I64Eq);
    b.jump_if(found);
    b.step(at, PAIR);
    b.step(left, -1);
    b.jump(next);
    b.end();
    b.end();
    at
}

fn field(b: &mut Body, may_lack: bool) {
    let at = find(b);
    b.get(at);
    b.add(I::I32Eqz);
    b.when(None);
    if may_lack {
        b.all([I::I64Const(NOTHING), I::Return]);
    } else {
        b.give_up();
    }
    b.end();
    b.get(at);
    b.add(I::I64Load(long(8)));
}

fn slot(b: &mut Body) {
    let at = find(b);
    b.get(at);
    b.add(I::I32Eqz);
    b.give_up_if();
    b.get(at);
    b.all([I::I32Const(8), I::I32Add]);
}

fn set_field(b: &mut Body) {
    let at = find(b);
    b.get(at);
    b.add(I::I32Eqz);
    b.when(None);
    grow(b, PAIR);
    last(b, PAIR);
    b.tee(at);
    wrapped_key(b);
    b.add(I::I64Store(long(0)));
    b.end();
    b.get(at);
    b.get(2);
    b.add(I::I64Store(long(8)));
}

/// Equal bits are equal values. If the bits differ, so do ids and numbers; of two others the host says whether they do.
fn are_equal(b: &mut Body, equal: u32) {
    // Sets for each direction, and moves, cannot be compared: 13 and 15 differ in one bit.
    b.get(0);
    b.all([I::I64Const(13), I::I64And, I::I64Const(Tag::Dirs as i64), I::I64Eq]);
    b.give_up_if();
    b.get(0);
    b.get(1);
    b.add(I::I64Eq);
    b.when(None);
    b.word(1);
    b.add(I::Return);
    b.end();
    for local in [0, 1] {
        b.get(local);
        b.add(I::I64Eqz);
        b.when(None);
        b.word(0);
        b.add(I::Return);
        b.end();
    }
    b.get(0);
    b.get(1);
    b.all([I::I64Xor, I::I64Const(15), I::I64And, I::I64Eqz]);
    b.get(0);
    b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Text as i64), I::I64LeU, I::I32And]);
    b.when(None);
    b.word(0);
    b.add(I::Return);
    b.end();
    have_same_items(b);
    b.word(equal.cast_signed());
    b.get(0);
    b.get(1);
    b.call(layout::out(2));
    b.all([I::I64Const(truth(true)), I::I64Eq]);
}

/// Returns from the function where it shows that two lists or two maps are equal, or that they are not: their items are compared one
/// by one up to the first that is more than a number, an id or a string, and up to the first of two keys that differ.
fn have_same_items(b: &mut Body) {
    let [left, length] = std::array::from_fn(|_| b.local(ValType::I32));
    let places: [u32; 2] = std::array::from_fn(|_| b.local(ValType::I32));
    let items: [u32; 2] = std::array::from_fn(|_| b.local(ValType::I64));
    let other = b.block(None);
    is_owned(b, 0);
    b.get(0);
    b.get(1);
    b.all([I::I64Xor, I::I64Const(15), I::I64And, I::I64Eqz, I::I32And, I::I32Eqz]);
    b.jump_if(other);
    for (local, place) in [0, 1].into_iter().zip(places) {
        address(b, local);
        b.set(place);
    }
    let [one, another] = places;
    b.get(one);
    b.add(I::I32Load(word(LENGTH)));
    b.tee(length);
    b.get(another);
    b.all([I::I32Load(word(LENGTH)), I::I32Ne]);
    returned_if(b, 0);
    // A map has two words for each item.
    b.get(length);
    b.get(0);
    b.all([I::I32WrapI64, I::I32Const(1), I::I32And, I::I32Shl]);
    b.set(left);
    b.spend(|b| {
        b.get(left);
        b.add(I::I64ExtendI32U);
    });
    for place in places {
        b.get(place);
        b.add(I::I32Load(word(ITEMS)));
        b.set(place);
    }
    b.rounds(left, |b| {
        for (place, item) in places.into_iter().zip(items) {
            b.get(place);
            b.add(I::I64Load(long(0)));
            b.set(item);
            b.step(place, ITEM);
        }
        let [first, second] = items;
        b.get(first);
        b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Text as i64), I::I64GtU]);
        b.get(first);
        b.get(second);
        b.all([I::I64Xor, I::I64Const(15), I::I64And, I::I64Eqz, I::I32Eqz, I::I32Or]);
        b.jump_if(other);
        b.get(first);
        b.get(second);
        b.add(I::I64Ne);
        b.when(None);
        // The other map may have the key elsewhere.
        b.get(0);
        b.all([I::I32WrapI64, I::I32Const(1), I::I32And]);
        b.get(left);
        b.all([I::I32Const(1), I::I32And, I::I32Eqz, I::I32And]);
        b.get(length);
        b.all([I::I32Const(1), I::I32Ne, I::I32And]);
        b.jump_if(other);
        b.all([I::I32Const(0), I::Return]);
        b.end();
    });
    b.all([I::I32Const(1), I::Return]);
    b.end();
    for local in [left, length].into_iter().chain(places) {
        b.done(ValType::I32, local);
    }
    items.into_iter().for_each(|local| b.done(ValType::I64, local));
}

/// Returns a number from the function if the condition on the stack holds.
fn returned_if(b: &mut Body, number: i32) {
    b.when(None);
    b.all([I::I32Const(number), I::Return]);
    b.end();
}

/// The factors are given up if they have more than 31 bits.
fn product(b: &mut Body) {
    for local in [0, 1] {
        b.get(local);
        b.all([I::I64Const(1 << 30), I::I64Add, I::I64Const(31), I::I64ShrU, I::I64Eqz, I::I32Eqz]);
        b.give_up_if();
    }
    b.get(0);
    b.get(1);
    b.add(I::I64Mul);
    b.tee(0);
    b.all([I::I64Const(1 << 59), I::I64Add, I::I64Const(60), I::I64ShrU, I::I64Eqz, I::I32Eqz]);
    b.give_up_if();
    b.get(0);
}

/// Writes a loop through the items of the list in a variable. `round` gets a variable with the address of the item. With `counts`,
/// what the loop does is counted before it.
pub(super) fn each_item(b: &mut Body, list: u32, counts: bool, round: impl FnOnce(&mut Body, u32)) {
    let (left, at) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(list);
    b.add(I::I32Load(word(LENGTH)));
    b.set(left);
    b.get(list);
    b.add(I::I32Load(word(ITEMS)));
    b.set(at);
    if counts {
        b.spend(|b| {
            b.get(left);
            b.add(I::I64ExtendI32U);
        });
    }
    b.rounds(left, |b| {
        round(b, at);
        b.step(at, ITEM);
    });
    b.done(ValType::I32, left);
    b.done(ValType::I32, at);
}

fn sum(b: &mut Body) {
    let sum = b.local(ValType::I64);
    each_item(b, 0, true, |b, at| {
        b.get(sum);
        b.get(at);
        b.add(I::I64Load(long(0)));
        unwrap(b, Ty::Number);
        b.add(I::I64Add);
        b.tee(sum);
        b.all([I::I64Const(1 << 59), I::I64Add, I::I64Const(60), I::I64ShrU, I::I64Eqz, I::I32Eqz]);
        b.give_up_if();
    });
    b.get(sum);
}

fn contains(b: &mut Body) {
    each_item(b, 0, true, |b, at| {
        b.get(at);
        b.add(I::I64Load(long(0)));
        b.get(1);
        b.call(Helper::Equal.number());
        b.when(None);
        b.all([I::I32Const(1), I::Return]);
        b.end();
    });
    b.word(0);
}

fn index_of(b: &mut Body) {
    let index = b.local(ValType::I64);
    each_item(b, 0, true, |b, at| {
        b.get(at);
        b.add(I::I64Load(long(0)));
        b.get(1);
        b.call(Helper::Equal.number());
        b.when(None);
        b.get(index);
        b.add(I::Return);
        b.end();
        b.get(index);
        b.all([I::I64Const(1), I::I64Add]);
        b.set(index);
    });
    b.long(-1);
}

fn bits(b: &mut Body) {
    let (value, bits) = (b.local(ValType::I64), b.local(ValType::I64));
    each_item(b, 0, true, |b, at| {
        b.get(at);
        b.add(I::I64Load(long(0)));
        b.tee(value);
        b.all([I::I64Const(15), I::I64And, I::I64Const(Tag::Number as i64), I::I64Ne]);
        b.get(value);
        b.all([I::I64Const(TAG_BITS), I::I64ShrS]);
        b.tee(value);
        b.all([I::I64Const(StateBytes::MOST_IN_SET), I::I64GtU, I::I32Or]);
        // No greater number may be there already.
        b.get(1);
        b.get(bits);
        b.get(value);
        b.all([I::I64ShrU, I::I64Eqz, I::I32Eqz, I::I32And, I::I32Or]);
        b.when(None);
        b.all([I::I64Const(NO_BITS), I::Return]);
        b.end();
        b.get(bits);
        b.long(1);
        b.get(value);
        b.all([I::I64Shl, I::I64Or]);
        b.set(bits);
    });
    b.get(bits);
}

fn of_bits(b: &mut Body) {
    let (list, at) = (b.local(ValType::I32), b.local(ValType::I32));
    b.get(0);
    b.all([I::I64Popcnt, I::I32WrapI64]);
    b.call(Helper::List.number());
    b.tee(list);
    b.get(0);
    b.all([I::I64Popcnt, I::I32WrapI64, I::I32Store(word(LENGTH))]);
    b.get(list);
    b.add(I::I32Load(word(ITEMS)));
    b.set(at);
    b.cells(0, |b, number| {
        b.get(at);
        b.get(number);
        wrap(b, Ty::Number);
        b.add(I::I64Store(long(0)));
        b.step(at, ITEM);
    });
    b.get(list);
}

/// What is in both has another holder then.
fn concat(b: &mut Body) {
    let [list, left, from, to] = std::array::from_fn(|_| b.local(ValType::I32));
    for part in [0, 1] {
        b.get(part);
        b.add(I::I32Load(word(LENGTH)));
    }
    b.add(I::I32Add);
    full_list(b, list, to);
    for part in [0, 1] {
        b.get(part);
        b.add(I::I32Load(word(LENGTH)));
        b.set(left);
        b.get(part);
        b.add(I::I32Load(word(ITEMS)));
        b.set(from);
        copy(b, [left, from, to], true);
    }
    b.get(list);
}

fn wrap_set(b: &mut Body) {
    let at = b.local(ValType::I32);
    allocated(b, 8);
    b.tee(at);
    b.get(0);
    b.add(I::I64Store(long(0)));
    b.get(at);
    b.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(Tag::Cells as i64), I::I64Or]);
}

/// Turns the wrapped value on the stack into one of a type; gives up if it is of another.
pub(super) fn unwrap(body: &mut Body, ty: Ty) {
    match ty {
        Ty::Any => {}
        Ty::Never => {
            body.add(I::Drop);
            body.give_up();
        }
        Ty::Nothing => {
            body.all([I::I64Eqz, I::I32Eqz]);
            body.give_up_if();
        }
        Ty::Number => {
            let value = expected(body, Tag::Number);
            body.get(value);
            body.all([I::I64Const(TAG_BITS), I::I64ShrS]);
            body.done(ValType::I64, value);
        }
        Ty::Truth => id_of(body, Tag::Truth),
        Ty::Set => {
            id_of(body, Tag::Cells);
            body.add(I::I64Load(long(0)));
        }
        Ty::Id { tag, maybe: false } => id_of(body, tag),
        Ty::Id { tag, maybe: true } => {
            let value = body.local(ValType::I64);
            body.tee(value);
            body.add(I::I64Eqz);
            body.when(Some(ValType::I32));
            body.word(NO_ID);
            body.otherwise();
            body.get(value);
            id_of(body, tag);
            body.end();
            body.done(ValType::I64, value);
        }
    }
}

/// Puts the wrapped value on the stack into a variable, and gives up if it has another tag.
fn expected(body: &mut Body, tag: Tag) -> u32 {
    let value = body.local(ValType::I64);
    body.tee(value);
    body.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Ne]);
    body.give_up_if();
    value
}

/// Turns the wrapped value on the stack into an id; gives up if it has another tag.
fn id_of(body: &mut Body, tag: Tag) {
    let value = expected(body, tag);
    body.get(value);
    body.all([I::I64Const(TAG_BITS), I::I64ShrU, I::I32WrapI64]);
    body.done(ValType::I64, value);
}

/// Writes what is done with the value of a key of the map on the stack, which is mostly at a place: `there` gets a variable with the
/// address of the pairs, and where the value is from there; elsewhere the map and the key are on the stack.
fn by_place(
    b: &mut Body,
    (place, key): (u32, u32),
    result: Option<ValType>,
    there: impl FnOnce(&mut Body, u32, u32),
    elsewhere: impl FnOnce(&mut Body),
) {
    let [map, items] = std::array::from_fn(|_| b.local(ValType::I32));
    let pair = place * PAIR.cast_unsigned();
    b.tee(map);
    b.add(I::I32Load(word(ITEMS)));
    b.set(items);
    b.get(map);
    b.all([I::I32Load(word(LENGTH)), I::I32Const(place.cast_signed()), I::I32GtU]);
    b.when(Some(ValType::I32));
    b.get(items);
    b.all([I::I64Load(long(pair)), I::I64Const(Tag::Text.wrap(key)), I::I64Eq]);
    b.otherwise();
    b.word(0);
    b.end();
    b.when(result);
    there(b, items, pair + 8);
    b.otherwise();
    b.get(map);
    b.word(key.cast_signed());
    elsewhere(b);
    b.end();
    b.done(ValType::I32, map);
    b.done(ValType::I32, items);
}

/// Puts the value of a key on the stack, by the map on the stack, where it is mostly at a place.
pub(super) fn field_at(b: &mut Body, at: (u32, u32)) {
    let there = |b: &mut Body, items, value| {
        b.get(items);
        b.add(I::I64Load(long(value)));
    };
    by_place(b, at, Some(ValType::I64), there, |b| b.call(Helper::Field.number()));
}

/// Puts the address of the value of a key on the stack, by the map on the stack, where it is mostly at a place.
pub(super) fn slot_at(b: &mut Body, at: (u32, u32)) {
    let there = |b: &mut Body, items, value: u32| {
        b.get(items);
        b.all([I::I32Const(value.cast_signed()), I::I32Add]);
    };
    by_place(b, at, Some(ValType::I32), there, |b| b.call(Helper::Slot.number()));
}

/// Gives a key of the map on the stack, where it is mostly at a place, the wrapped value in a variable.
pub(super) fn set_at(b: &mut Body, at: (u32, u32), given: u32) {
    let there = |b: &mut Body, items, value| {
        b.get(items);
        b.get(given);
        b.add(I::I64Store(long(value)));
    };
    by_place(b, at, None, there, |b| {
        b.get(given);
        b.call(Helper::SetField.number());
    });
}

/// Puts on the stack whether the wrapped value in a variable has other holders, if it is a list or a map of this tag; of another
/// value, that it may have.
pub(super) fn may_be_shared(b: &mut Body, value: u32, tag: Tag) {
    b.get(value);
    b.all([I::I64Const(15), I::I64And, I::I64Const(tag as i64), I::I64Eq]);
    b.when(Some(ValType::I32));
    address(b, value);
    b.add(I::I32Load(word(SHARED)));
    b.otherwise();
    b.word(1);
    b.end();
}

/// Adds the wrapped value in one variable to the list in another one, which has no other holder.
pub(super) fn pushed(b: &mut Body, list: u32, value: u32) {
    let length = b.local(ValType::I32);
    b.get(list);
    b.add(I::I32Load(word(LENGTH)));
    b.tee(length);
    b.get(list);
    b.all([I::I32Load(word(ROOM)), I::I32LtU]);
    b.when(None);
    b.get(list);
    b.add(I::I32Load(word(ITEMS)));
    b.get(length);
    b.all([I::I32Const(3), I::I32Shl, I::I32Add]);
    b.get(value);
    b.add(I::I64Store(long(0)));
    b.get(list);
    b.get(length);
    b.all([I::I32Const(1), I::I32Add, I::I32Store(word(LENGTH))]);
    b.otherwise();
    b.get(list);
    b.get(value);
    b.call(Helper::Push.number());
    b.end();
    b.done(ValType::I32, length);
}

/// Puts the address of an item on the stack, by the list and its index on the stack; gives up if there is none.
pub(super) fn placed(b: &mut Body) {
    let (list, index) = (b.local(ValType::I32), b.local(ValType::I64));
    b.set(index);
    b.tee(list);
    b.add(I::I64Load32U(word(LENGTH)));
    b.get(index);
    b.add(I::I64GtU);
    b.when(Some(ValType::I32));
    b.get(list);
    b.add(I::I32Load(word(ITEMS)));
    b.get(index);
    b.all([I::I32WrapI64, I::I32Const(3), I::I32Shl, I::I32Add]);
    b.otherwise();
    b.get(list);
    b.get(index);
    b.call(Helper::Place.number());
    b.end();
    b.done(ValType::I32, list);
    b.done(ValType::I64, index);
}

/// Turns the value on the stack into a wrapped one.
pub(super) fn wrap(body: &mut Body, ty: Ty) {
    match ty {
        Ty::Any => {}
        Ty::Never => body.give_up(),
        Ty::Nothing => body.long(NOTHING),
        Ty::Number => {
            let tag = Tag::Number as i64;
            body.all([I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(tag), I::I64Or]);
        }
        Ty::Truth => {
            let tag = Tag::Truth as i64;
            body.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(tag), I::I64Or]);
        }
        Ty::Set => body.call(Helper::WrapSet.number()),
        Ty::Id { tag, maybe: false } => {
            let tag = tag as i64;
            body.all([I::I64ExtendI32U, I::I64Const(TAG_BITS), I::I64Shl, I::I64Const(tag), I::I64Or]);
        }
        Ty::Id { tag, maybe: true } => {
            body.word(tag as i32);
            body.call(Helper::Wrap.number());
        }
    }
}
