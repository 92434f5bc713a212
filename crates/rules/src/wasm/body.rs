//! A function of WebAssembly while it is written.

use wasm_encoder::{BlockType, Encode, Function, Instruction, MemArg, ValType};

use super::layout::{self, LEFT};
use super::place::Place;

/// A place in the code to which a jump leads, by the number of blocks around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(u32);

/// The instructions of a function, and its variables.
#[derive(Clone, Default)]
pub(super) struct Body {
    code: Vec<Instruction<'static>>,
    parameters: u32,
    locals: Vec<ValType>,
    /// The variables that are free to be used again.
    free: Vec<(ValType, u32)>,
    depth: u32,
}

/// Returns where something is in the memory, from an address on the stack.
pub(super) const fn at(offset: u32, align: u32) -> MemArg {
    MemArg { offset: offset as u64, align, memory_index: 0 }
}

/// Eight bytes.
pub(super) const fn long(offset: u32) -> MemArg {
    at(offset, 3)
}

/// Four bytes.
pub(super) const fn word(offset: u32) -> MemArg {
    at(offset, 2)
}

impl Body {
    /// Returns an empty function with this number of parameters.
    pub(super) fn new(parameters: usize) -> Self {
        Self { parameters: u32::try_from(parameters).unwrap_or(u32::MAX), ..Self::default() }
    }

    /// Adds an instruction.
    pub(super) fn add(&mut self, instruction: Instruction<'static>) {
        self.code.push(instruction);
    }

    /// Adds instructions.
    pub(super) fn all(&mut self, instructions: impl IntoIterator<Item = Instruction<'static>>) {
        self.code.extend(instructions);
    }

    /// Returns a new variable.
    pub(super) fn local(&mut self, of: ValType) -> u32 {
        let free = self.free.iter().position(|(other, _)| *other == of);
        match free {
            Some(at) => self.free.swap_remove(at).1,
            None => {
                self.locals.push(of);
                self.parameters + u32::try_from(self.locals.len() - 1).unwrap_or(u32::MAX)
            }
        }
    }

    /// Says that a variable is no longer used.
    pub(super) fn done(&mut self, of: ValType, local: u32) {
        self.free.push((of, local));
    }

    pub(super) fn get(&mut self, local: u32) {
        self.add(Instruction::LocalGet(local));
    }

    pub(super) fn set(&mut self, local: u32) {
        self.add(Instruction::LocalSet(local));
    }

    pub(super) fn tee(&mut self, local: u32) {
        self.add(Instruction::LocalTee(local));
    }

    pub(super) fn long(&mut self, number: i64) {
        self.add(Instruction::I64Const(number));
    }

    pub(super) fn word(&mut self, number: i32) {
        self.add(Instruction::I32Const(number));
    }

    pub(super) fn call(&mut self, function: u32) {
        self.add(Instruction::Call(function));
    }

    /// Adds a number to a variable of 32 bits.
    pub(super) fn step(&mut self, local: u32, by: i32) {
        self.get(local);
        self.all([Instruction::I32Const(by), Instruction::I32Add]);
        self.set(local);
    }

    /// Puts a word of the memory on the stack.
    pub(super) fn load(&mut self, place: u32) {
        self.all([Instruction::I32Const(0), Instruction::I32Load(word(place))]);
    }

    /// Sets a word of the memory to a number.
    pub(super) fn store(&mut self, place: u32, number: i32) {
        self.all([Instruction::I32Const(0), Instruction::I32Const(number), Instruction::I32Store(word(place))]);
    }

    /// Adds a number to a word of the memory.
    pub(super) fn raise(&mut self, place: u32, more: i32) {
        self.raise_by(place, |b| b.word(more));
    }

    /// Puts one of several constants on the stack: that at the place in a variable, or `other` if there is none.
    pub(super) fn pick(
        &mut self,
        place: u32,
        other: Instruction<'static>,
        constants: impl Iterator<Item = Instruction<'static>>,
    ) {
        self.add(other);
        for (at, constant) in (0..).zip(constants) {
            self.add(constant);
            self.get(place);
            // The first operand is taken if they differ. wasmi 2.0.0 takes `!= 0` and `== 0` before `select` for constants, so
            // numbers are not compared here.
            self.all([Instruction::I32Const(at), Instruction::I32Xor, Instruction::Select]);
        }
    }

    /// Adds the number that `more` puts on the stack to a word of the memory.
    pub(super) fn raise_by(&mut self, place: u32, more: impl FnOnce(&mut Self)) {
        self.word(0);
        self.load(place);
        more(self);
        self.all([Instruction::I32Add, Instruction::I32Store(word(place))]);
    }

    /// Raises two words that follow each other by constants.
    pub(super) fn raise_both(&mut self, place: u32, first: i32, second: i32) {
        self.word(0);
        self.word(0);
        self.add(Instruction::I64Load(long(place)));
        self.long(i64::from(second) << 32 | i64::from(first.cast_unsigned()));
        self.all([Instruction::I64Add, Instruction::I64Store(long(place))]);
    }

    /// Counts operations that are done here: as many as `operations` puts on the stack, as 64 bits.
    pub(super) fn spend(&mut self, operations: impl FnOnce(&mut Self)) {
        self.add(Instruction::GlobalGet(LEFT));
        operations(self);
        self.all([Instruction::I64Sub, Instruction::GlobalSet(LEFT)]);
    }

    /// Takes the first cell away from the set in a variable.
    pub(super) fn without_first(&mut self, set: u32) {
        self.get(set);
        self.get(set);
        self.all([Instruction::I64Const(1), Instruction::I64Sub, Instruction::I64And]);
        self.set(set);
    }

    /// Writes a loop through the cells of the set in a variable, which is empty in the end. `round` gets the variable with the
    /// cell, of 64 bits.
    pub(super) fn cells(&mut self, left: u32, round: impl FnOnce(&mut Self, u32)) {
        let cell = self.local(ValType::I64);
        let end = self.block(None);
        let next = self.again();
        self.get(left);
        self.add(Instruction::I64Eqz);
        self.jump_if(end);
        self.get(left);
        self.add(Instruction::I64Ctz);
        self.set(cell);
        self.without_first(left);
        round(self, cell);
        self.jump(next);
        self.end();
        self.end();
        self.done(ValType::I64, cell);
    }

    /// Puts 64 bits on the stack, one for each of at most so many numbers of two bytes from a place on: whether it is not 0.
    pub(super) fn not_zero(&mut self, place: u32, count: u32) {
        /// The lowest bit of each number of four, and the highest.
        const LOWEST: i64 = 0x0001_0001_0001_0001;
        const HIGHEST: i64 = LOWEST << 15;
        /// A product with it has the lowest bits next to each other, from this one on.
        const GATHER: i64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
        const GATHERED: i64 = 48;
        use Instruction as I;
        let (left, bits, four) = (self.local(ValType::I32), self.local(ValType::I64), self.local(ValType::I64));
        self.long(0);
        self.set(bits);
        // From the last one on.
        for number in (count / 4 * 4..count).rev() {
            self.get(bits);
            self.all([
                I::I64Const(1),
                I::I64Shl,
                I::I32Const(0),
                I::I32Const(0),
                I::I32Load16U(at(place + 2 * number, 1)),
            ]);
            self.all([I::I32LtU, I::I64ExtendI32U, I::I64Or]);
            self.set(bits);
        }
        self.word((count / 4).cast_signed());
        self.set(left);
        self.rounds(left, |body| {
            body.get(left);
            body.all([I::I32Const(1), I::I32Sub, I::I32Const(3), I::I32Shl, I::I64Load(at(place, 1))]);
            body.tee(four);
            // A sum reaches the highest bit of a number if any other bit of it is set.
            body.all([I::I64Const(!HIGHEST), I::I64And, I::I64Const(!HIGHEST), I::I64Add]);
            body.get(four);
            body.all([I::I64Or, I::I64Const(15), I::I64ShrU, I::I64Const(LOWEST), I::I64And]);
            body.all([I::I64Const(GATHER), I::I64Mul, I::I64Const(GATHERED), I::I64ShrU]);
            body.get(bits);
            body.all([I::I64Const(4), I::I64Shl, I::I64Or]);
            body.set(bits);
        });
        self.get(bits);
        self.done(ValType::I32, left);
        self.done(ValType::I64, bits);
        self.done(ValType::I64, four);
    }

    /// Writes a loop of as many rounds as a variable of 32 bits says, which counts them down to 1.
    pub(super) fn rounds(&mut self, left: u32, round: impl FnOnce(&mut Self)) {
        let end = self.block(None);
        let next = self.again();
        self.get(left);
        self.add(Instruction::I32Eqz);
        self.jump_if(end);
        round(self);
        self.step(left, -1);
        self.jump(next);
        self.end();
        self.end();
    }

    /// Writes a loop that goes on as long as one variable of 32 bits is below another one.
    pub(super) fn while_below(&mut self, one: u32, other: u32, round: impl FnOnce(&mut Self)) {
        let end = self.block(None);
        let next = self.again();
        self.get(one);
        self.get(other);
        self.add(Instruction::I32GeU);
        self.jump_if(end);
        round(self);
        self.jump(next);
        self.end();
        self.end();
    }

    /// Puts the number of the first bit of a set on the stack, as 64 bits, after as many others as a variable says are taken away.
    pub(super) fn bit_after(&mut self, set: u32, others: u32) {
        self.rounds(others, |body| body.without_first(set));
        self.get(set);
        self.add(Instruction::I64Ctz);
    }

    /// Stops: the rules are given up.
    pub(super) fn give_up(&mut self) {
        self.add(Instruction::Unreachable);
    }

    /// Begins a block whose label leads to its end.
    pub(super) fn block(&mut self, result: Option<ValType>) -> Label {
        self.begin(Instruction::Block(block_type(result)))
    }

    /// Begins a loop whose label leads to its beginning.
    pub(super) fn again(&mut self) -> Label {
        self.begin(Instruction::Loop(BlockType::Empty))
    }

    /// Begins what runs if the condition on the stack holds.
    pub(super) fn when(&mut self, result: Option<ValType>) -> Label {
        self.begin(Instruction::If(block_type(result)))
    }

    pub(super) fn otherwise(&mut self) {
        self.add(Instruction::Else);
    }

    fn begin(&mut self, instruction: Instruction<'static>) -> Label {
        self.add(instruction);
        self.depth += 1;
        Label(self.depth)
    }

    /// Ends the innermost block.
    pub(super) fn end(&mut self) {
        self.add(Instruction::End);
        self.depth -= 1;
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.add(Instruction::Br(self.depth - to.0));
    }

    /// Jumps if the condition on the stack holds.
    pub(super) fn jump_if(&mut self, to: Label) {
        self.add(Instruction::BrIf(self.depth - to.0));
    }

    /// Gives up if the condition on the stack holds.
    pub(super) fn give_up_if(&mut self) {
        self.when(None);
        self.give_up();
        self.end();
    }

    /// Returns the finished function. `number` says which number of a function in the module another one stands for, `place`
    /// where the memory is.
    pub(super) fn finish(self, number: impl Fn(u32) -> u32, place: Place) -> Function {
        let mut function = Function::new_with_locals_types(self.locals);
        for instruction in self.code.into_iter().chain([Instruction::End]) {
            let instruction = match instruction {
                Instruction::Call(called) => Instruction::Call(number(called)),
                other => other,
            };
            match place {
                Place::Own => {
                    function.instruction(&instruction);
                }
                Place::Within { base, size } => within(&mut function, instruction, base, size),
            }
        }
        function
    }
}

/// The first bytes of loads and stores.
const MEMORY: std::ops::RangeInclusive<u8> = 0x28..=0x3E;

/// Writes an instruction of a module whose memory is a part of that of another one. It begins at `base`, and does not grow.
fn within(function: &mut Function, mut instruction: Instruction<'static>, base: u32, size: u32) {
    use Instruction as I;
    match &mut instruction {
        I::I32Load(place)
        | I::I32Load8U(place)
        | I::I32Load16U(place)
        | I::I64Load(place)
        | I::I64Load8U(place)
        | I::I64Load16U(place)
        | I::I64Load32U(place)
        | I::I32Store(place)
        | I::I32Store8(place)
        | I::I32Store16(place)
        | I::I64Store(place)
        | I::I64Store32(place) => {
            place.offset += u64::from(base);
            function.instruction(&instruction)
        }
        I::MemorySize(_) => function.instruction(&I::I32Const((size >> 16).cast_signed())),
        I::MemoryGrow(_) => function.instruction(&I::Drop).instruction(&I::I32Const(-1)),
        I::Call(called) if *called < layout::IMPORTS => {
            // The host cannot stop a module there.
            let stopped = I::I32Load(word(layout::STOPPED + base));
            function.instruction(&instruction).instruction(&I::I32Const(0)).instruction(&stopped);
            function.instruction(&I::If(BlockType::Empty)).instruction(&I::Unreachable).instruction(&I::End)
        }
        other => {
            let mut written = Vec::new();
            other.encode(&mut written);
            // A load or a store that is not moved above would reach the memory of somebody else.
            let is_unmoved = written.first().is_some_and(|code| MEMORY.contains(code));
            function.instruction(if is_unmoved { &I::Unreachable } else { other })
        }
    };
}

const fn block_type(result: Option<ValType>) -> BlockType {
    match result {
        Some(result) => BlockType::Result(result),
        None => BlockType::Empty,
    }
}
