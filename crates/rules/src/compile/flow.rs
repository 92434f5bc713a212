//! Emits branches, loops and `switch`.

use rhai::Position;

use super::emit::{Emit, Emitter, Jumps, Round};
use super::tree::{For, Node, On, Slot, Switch};
use crate::values::Val;
use crate::vm::{ConstantTest, NumberTest, Op, Operator, Register, work};

impl Emitter<'_> {
    /// Emits a statement with its value to a register.
    pub(crate) fn statement(&mut self, node: &Node, to: Register) -> Emit {
        match node {
            Node::Let { slot, boxed, value } => {
                self.begin_variable(*slot, *boxed, value)?;
                self.push(Op::Nothing { to });
                Ok(())
            }
            Node::Assign(assign) => {
                self.assign(assign)?;
                self.push(Op::Nothing { to });
                Ok(())
            }
            Node::Block(nodes) => {
                let Some((last, before)) = nodes.split_last() else {
                    self.push(Op::Nothing { to });
                    return Ok(());
                };
                before.iter().try_for_each(|node| self.effect(node))?;
                self.value(last, to)
            }
            Node::If(parts) => self.branches(parts, to),
            Node::Loop { .. } | Node::For(_) => self.rounds(node, Some(to)),
            Node::Break(value) => self.leave_loop(value.as_deref(), true),
            Node::Continue => self.leave_loop(None, false),
            Node::Return(value) => self.returned(value.as_deref().unwrap_or(&Node::Constant(Val::Nothing))),
            Node::Throw(value, at) => {
                let from = self.temporary()?;
                match value {
                    Some(value) => self.value(value, from)?,
                    None => self.known(Val::Nothing, from)?,
                }
                self.at = *at;
                self.push(Op::Throw { at: from });
                Ok(())
            }
            Node::Try { body, slot, caught } => self.catching((body, caught), *slot, to),
            _ => Ok(()),
        }
    }

    fn branches(&mut self, [condition, then, other]: &[Node; 3], to: Register) -> Emit {
        let mut otherwise = Jumps::new();
        self.unless(condition, &mut otherwise)?;
        self.value(then, to)?;
        let end = self.push(Op::Jump { to: 0 });
        self.land(otherwise);
        self.value(other, to)?;
        self.land(vec![end]);
        Ok(())
    }

    /// Emits `try` with a block, and `catch` with another; `slot` is the variable of the error, and whether it is boxed.
    fn catching(&mut self, (body, caught): (&Node, &Node), slot: Option<(Slot, bool)>, to: Register) -> Emit {
        let at = match slot {
            Some((slot, _)) => self.register(slot),
            None => self.temporary()?,
        };
        let handler = self.push(Op::Try { to: 0, at });
        self.tries += 1;
        self.value(body, to)?;
        self.tries -= 1;
        self.push(Op::EndTry);
        let end = self.push(Op::Jump { to: 0 });
        self.land(vec![handler]);
        if let Some((slot, true)) = slot {
            self.put_in_box(slot);
        }
        self.effect(caught)?;
        self.push(Op::Nothing { to });
        self.land(vec![end]);
        Ok(())
    }

    /// Emits the declaration of a variable.
    pub(crate) fn begin_variable(&mut self, slot: Slot, boxed: bool, value: &Node) -> Emit {
        let at = self.register(slot);
        self.owned(value, at)?;
        if boxed {
            self.put_in_box(slot);
        }
        Ok(())
    }

    /// Emits the box of a variable that closures share.
    pub(crate) fn put_in_box(&mut self, slot: Slot) {
        let at = self.register(slot);
        self.push(Op::Box { at });
        self.boxed.insert(slot);
    }

    /// Emits the end of a function that returns a node's value.
    pub(crate) fn returned(&mut self, node: &Node) -> Emit {
        self.freeing(|emitter| match node {
            // No variable outlives the function, so the value has no other holder.
            Node::Local(slot) => {
                emitter.push(Op::Return { at: emitter.register(*slot) });
                Ok(())
            }
            Node::Block(nodes) => match nodes.split_last() {
                Some((last, before)) => {
                    before.iter().try_for_each(|node| emitter.effect(node))?;
                    emitter.returned(last)
                }
                None => emitter.returned(&Node::Constant(Val::Nothing)),
            },
            Node::If(parts) => {
                let [condition, then, other] = &**parts;
                let mut otherwise = Jumps::new();
                emitter.unless(condition, &mut otherwise)?;
                emitter.returned(then)?;
                emitter.land(otherwise);
                emitter.returned(other)
            }
            Node::Return(Some(value)) => emitter.returned(value),
            node => {
                let at = emitter.temporary()?;
                emitter.owned(node, at)?;
                emitter.push(Op::Return { at });
                Ok(())
            }
        })
    }

    /// Emits `&&` or `||` as a value, up to the first operand that decides.
    pub(crate) fn truth(&mut self, all: bool, parts: &[(Node, Position)], to: Register) -> Emit {
        let mut ends = Jumps::new();
        for (number, (node, at)) in parts.iter().enumerate() {
            self.value(node, to)?;
            let last = number + 1 == parts.len();
            if last && node.is_truth() {
                continue;
            }
            self.at = *at;
            // The last operand is checked too: it must be a boolean.
            let jump = self.push(Op::JumpIf { at: to, truth: !all, to: 0 });
            if last {
                self.land(vec![jump]);
            } else {
                ends.push(jump);
            }
        }
        self.land(ends);
        Ok(())
    }

    /// Emits whether a value is `true`, or a variable a list.
    pub(crate) fn test(&mut self, node: &Node, to: Register) -> Emit {
        if let Node::IsList(slot) = node {
            self.push(Op::IsList { to, of: self.register(*slot) });
            return Ok(());
        }
        let mut otherwise = Jumps::new();
        self.push(Op::Truth { to, truth: false });
        self.unless(node, &mut otherwise)?;
        self.push(Op::Truth { to, truth: true });
        self.land(otherwise);
        Ok(())
    }

    /// Emits jumps that are taken if the node is false.
    pub(crate) fn unless(&mut self, node: &Node, otherwise: &mut Jumps) -> Emit {
        match node {
            Node::Logic { all: true, parts } => {
                parts.iter().try_for_each(|(part, at)| self.unless_part(part, *at, otherwise))
            }
            Node::Logic { all: false, parts } => {
                let mut holds = Jumps::new();
                let Some(((last, at), before)) = parts.split_last() else { return Ok(()) };
                for (part, at) in before {
                    self.when(part, *at, &mut holds)?;
                }
                self.unless_part(last, *at, otherwise)?;
                self.land(holds);
                Ok(())
            }
            node => self.unless_part(node, self.at, otherwise),
        }
    }

    /// Emits a condition whose results are counted. `jump` emits it without counts, with jumps that are taken if it is
    /// `taken`.
    fn counted(
        &mut self,
        point: u32,
        taken: bool,
        jumps: &mut Jumps,
        jump: impl FnOnce(&mut Self, &mut Jumps) -> Emit,
    ) -> Emit {
        let mut landed = Jumps::new();
        jump(self, &mut landed)?;
        self.push(Op::Cover { point: point + u32::from(taken) });
        let on = self.push(Op::Jump { to: 0 });
        self.land(landed);
        self.push(Op::Cover { point: point + u32::from(!taken) });
        jumps.push(self.push(Op::Jump { to: 0 }));
        self.land(vec![on]);
        Ok(())
    }

    /// Emits a jump that is taken if the node is true.
    fn when(&mut self, node: &Node, at: Position, holds: &mut Jumps) -> Emit {
        if let Node::Outcome(point, node) = node {
            return self.counted(*point, true, holds, |emitter, jumps| emitter.when(node, at, jumps));
        }
        if let Some((value, at, equal)) = compared_with_nothing(node) {
            return self.jump_if_nothing(value, at, equal, holds);
        }
        self.freeing(|emitter| match node {
            Node::Logic { all: true, parts } => {
                let Some(((last, at), before)) = parts.split_last() else { return Ok(()) };
                let mut fails = Jumps::new();
                for (part, at) in before {
                    emitter.unless_part(part, *at, &mut fails)?;
                }
                emitter.when(last, *at, holds)?;
                emitter.land(fails);
                Ok(())
            }
            Node::Logic { all: false, parts } => parts.iter().try_for_each(|(part, at)| emitter.when(part, *at, holds)),
            Node::Inlined(inlined) if inlined.body.is_truth() => {
                emitter.inlined(inlined, |emitter, body| emitter.when(body, at, holds))
            }
            Node::Unary(Operator::Not, inner, _) if inner.is_truth() => emitter.unless_part(inner, at, holds),
            Node::Binary(operator, nodes, at) if operator.compares(0, 0).is_some() => {
                // For other constants, an error would name the other operator.
                let plain = matches!(**nodes, [_, Node::Constant(Val::Number(_) | Val::Text(_) | Val::Truth(_))]);
                let known = match operator.opposite().filter(|_| plain) {
                    Some(opposite) => emitter.unless_known(opposite, nodes)?,
                    None => None,
                };
                let jump = match known {
                    Some(jump) => jump,
                    None => {
                        let (one, other) = emitter.both(nodes)?;
                        Op::When { operator: *operator, one, other, to: 0 }
                    }
                };
                emitter.at = *at;
                holds.push(emitter.push(jump));
                Ok(())
            }
            node => {
                let value = emitter.operand(node)?;
                emitter.at = at;
                holds.push(emitter.push(Op::JumpIf { at: value, truth: true, to: 0 }));
                Ok(())
            }
        })
    }

    /// Emits a jump that is taken if a node's value is `()`, or with `is` false, if it is not.
    fn jump_if_nothing(&mut self, node: &Node, at: Position, is: bool, jumps: &mut Jumps) -> Emit {
        self.freeing(|emitter| {
            let value = emitter.operand(node)?;
            emitter.at = at;
            jumps.push(emitter.push(Op::JumpIfNothing { at: value, is, to: 0 }));
            Ok(())
        })
    }

    fn unless_part(&mut self, node: &Node, at: Position, otherwise: &mut Jumps) -> Emit {
        if let Node::Outcome(point, node) = node {
            return self.counted(*point, false, otherwise, |emitter, jumps| emitter.unless_part(node, at, jumps));
        }
        if let Some((value, at, equal)) = compared_with_nothing(node) {
            return self.jump_if_nothing(value, at, !equal, otherwise);
        }
        self.freeing(|emitter| match node {
            Node::Logic { .. } => emitter.unless(node, otherwise),
            Node::Inlined(inlined) if inlined.body.is_truth() => {
                emitter.inlined(inlined, |emitter, body| emitter.unless_part(body, at, otherwise))
            }
            Node::Binary(operator, nodes, at) if operator.compares(0, 0).is_some() => {
                let jump = match emitter.unless_known(*operator, nodes)? {
                    Some(jump) => jump,
                    None => {
                        let (one, other) = emitter.both(nodes)?;
                        Op::Unless { operator: *operator, one, other, to: 0 }
                    }
                };
                emitter.at = *at;
                let jump = emitter.push(jump);
                otherwise.push(jump);
                Ok(())
            }
            Node::Unary(Operator::Not, inner, _) if inner.is_truth() => emitter.when(inner, at, otherwise),
            Node::Unary(Operator::Not, inner, not) => {
                let value = emitter.operand(inner)?;
                emitter.at = *not;
                let flipped = emitter.temporary()?;
                emitter.push(Op::Unary { operator: Operator::Not, to: flipped, of: value });
                emitter.at = at;
                otherwise.push(emitter.push(Op::JumpIf { at: flipped, truth: false, to: 0 }));
                Ok(())
            }
            node => {
                let value = emitter.operand(node)?;
                emitter.at = at;
                otherwise.push(emitter.push(Op::JumpIf { at: value, truth: false, to: 0 }));
                Ok(())
            }
        })
    }

    /// Returns the jump that is taken unless a comparison with a constant holds, and emits the other operand; `None`,
    /// without effect, if there is no such operation.
    fn unless_known(&mut self, operator: Operator, [first, second]: &[Node; 2]) -> Emit<Option<Op>> {
        let small = match second {
            Node::Constant(Val::Number(number)) => i8::try_from(*number).ok(),
            _ => None,
        };
        if let Some(number) = small {
            let one = self.operand(first)?;
            return Ok(Some(Op::UnlessNumber(NumberTest { operator, one, number }, 0)));
        }
        let Some(constant) = self.small_constant(second)? else { return Ok(None) };
        let one = self.operand(first)?;
        Ok(Some(Op::UnlessConstant(ConstantTest { operator, one, constant }, 0)))
    }

    pub(crate) fn rounds(&mut self, node: &Node, result: Option<Register>) -> Emit {
        // The loop may read the variable to which its value is assigned, so the value gets another register.
        let kept = match result {
            Some(_) => Some(self.temporary()?),
            None => None,
        };
        self.rounds.push(Round { next: Vec::new(), breaks: Vec::new(), result: kept, tries: self.tries });
        match node {
            Node::Loop { condition, first, body, at } => self.turns(condition.as_ref(), *first, body, *at)?,
            Node::For(parts) => self.each(parts)?,
            _ => {}
        }
        if let Some(kept) = kept {
            self.push(Op::Nothing { to: kept });
        }
        if let Some(round) = self.rounds.pop() {
            self.land(round.breaks);
        }
        if let (Some(to), Some(from)) = (result, kept) {
            self.push(Op::Move { to, from });
        }
        Ok(())
    }

    fn turns(&mut self, condition: Option<&(Box<Node>, bool)>, first: bool, body: &Node, at: Position) -> Emit {
        let begin = self.here();
        let mut ends = Jumps::new();
        if let Some((condition, _)) = condition.filter(|_| first) {
            self.unless(condition, &mut ends)?;
        }
        self.effect(body)?;
        if let Some((condition, wanted)) = condition.filter(|_| !first) {
            match wanted {
                true => self.unless(condition, &mut ends)?,
                false => {
                    let mut on = Jumps::new();
                    self.unless(condition, &mut on)?;
                    ends.push(self.push(Op::Jump { to: 0 }));
                    self.land(on);
                }
            }
        }
        let again = self.rounds.last_mut().map(|round| std::mem::take(&mut round.next)).unwrap_or_default();
        self.land(again);
        self.at = at;
        self.round(begin);
        self.push(Op::Back { to: begin });
        self.land(ends);
        Ok(())
    }

    /// Counts the work of a round of a loop that began here, if it is long.
    fn round(&mut self, begin: u32) {
        let operations = work(self.function.ops.get(begin as usize..).unwrap_or_default());
        if operations > 0 {
            self.push(Op::Work { operations });
        }
    }

    fn each(&mut self, parts: &For) -> Emit {
        let at = self.temporary()?;
        let _position = self.temporary()?;
        let _end = self.temporary()?;
        self.value(&parts.over, at)?;
        self.at = parts.at;
        self.push(Op::Begin { at });
        let number = match parts.counter {
            Some(_) => {
                let number = self.temporary()?;
                self.push(Op::Number { to: number, number: -1 });
                Some(number)
            }
            None => None,
        };
        let variable = self.register(parts.slot);
        let counter = parts.counter.map(|(slot, boxed)| (self.register(slot), boxed));
        // As in Rhai, all rounds share one box.
        for (slot, _) in parts.counter.into_iter().chain([(parts.slot, parts.boxed)]).filter(|(_, boxed)| *boxed) {
            self.push(Op::Nothing { to: self.register(slot) });
            self.put_in_box(slot);
        }
        let begin = self.here();
        let value = if parts.boxed { self.temporary()? } else { variable };
        let exit = self.push(Op::Next { at, to: value, exit: 0 });
        if parts.boxed {
            self.push(Op::SetBox { at: variable, from: value });
        }
        if let (Some(number), Some((at, boxed))) = (number, counter) {
            self.push(Op::BinaryNumber { operator: Operator::Add, to: number, one: number, number: 1 });
            self.push(match boxed {
                true => Op::SetBox { at, from: number },
                false => Op::Move { to: at, from: number },
            });
        }
        self.effect(&parts.body)?;
        let again = self.rounds.last_mut().map(|round| std::mem::take(&mut round.next)).unwrap_or_default();
        self.land(again);
        self.at = parts.at;
        self.round(begin);
        self.push(Op::Again { at, to: value, begin: begin + 1 });
        self.land(vec![exit]);
        if let Some(point) = parts.ends {
            self.push(Op::Cover { point });
        }
        Ok(())
    }

    pub(crate) fn leave_loop(&mut self, value: Option<&Node>, ends: bool) -> Emit {
        let Some((result, tries)) = self.rounds.last().map(|round| (round.result, round.tries)) else {
            return Ok(());
        };
        if ends {
            match (value, result) {
                (Some(value), Some(result)) => self.owned(value, result)?,
                (Some(value), None) => self.effect(value)?,
                (None, Some(result)) => self.known(Val::Nothing, result)?,
                (None, None) => {}
            }
        }
        for _ in tries..self.tries {
            self.push(Op::EndTry);
        }
        let jump = self.push(Op::Jump { to: 0 });
        if let Some(round) = self.rounds.last_mut() {
            if ends { &mut round.breaks } else { &mut round.next }.push(jump);
        }
        Ok(())
    }

    pub(crate) fn switch(&mut self, switch: &Switch, to: Register) -> Emit {
        let of = self.temporary()?;
        self.value(&switch.value, of)?;
        let same = self.temporary()?;
        let mut ways: Vec<Jumps> = switch.ways.iter().map(|_| Jumps::new()).collect();
        for case in &switch.cases {
            self.at = switch.at;
            match case.on {
                On::Value(value) => {
                    let constant = self.constant(value)?;
                    self.push(Op::Same { to: same, of, constant });
                }
                On::Range(range) => {
                    let constant = self.constant(range)?;
                    self.push(Op::Within { to: same, of, constant });
                }
            }
            let mut otherwise = vec![self.push(Op::JumpIf { at: same, truth: false, to: 0 })];
            if let Some((Some((condition, at)), _)) = switch.ways.get(case.way) {
                self.unless_part(condition, *at, &mut otherwise)?;
            }
            let jump = self.push(Op::Jump { to: 0 });
            ways.get_mut(case.way).into_iter().for_each(|way| way.push(jump));
            self.land(otherwise);
        }
        let mut ends = Jumps::new();
        match switch.otherwise.and_then(|way| ways.get_mut(way)) {
            Some(way) => way.push(self.push(Op::Jump { to: 0 })),
            None => {
                self.push(Op::Nothing { to });
                ends.push(self.push(Op::Jump { to: 0 }));
            }
        }
        for ((_, body), jumps) in switch.ways.iter().zip(ways) {
            if jumps.is_empty() {
                continue;
            }
            self.land(jumps);
            self.value(body, to)?;
            ends.push(self.push(Op::Jump { to: 0 }));
        }
        self.land(ends);
        Ok(())
    }
}

/// Returns the node that is compared with `()`, the position, and whether it should be equal; `None` for any other node.
fn compared_with_nothing(node: &Node) -> Option<(&Node, Position, bool)> {
    match node {
        Node::Binary(operator @ (Operator::Equal | Operator::Unequal), nodes, at) => match &**nodes {
            [one, Node::Constant(Val::Nothing)] => Some((one, *at, *operator == Operator::Equal)),
            _ => None,
        },
        _ => None,
    }
}
