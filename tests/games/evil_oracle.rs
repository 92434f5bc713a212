//! An independent implementation of Evil Squash in plain Rust, written from the rulebook, to test the engine.
//!
//! It does not play: it reads the answers of another game and the positions of all markers at each, and checks them.

/// The readings, each with the value of its option.
pub(crate) type Options = Vec<(String, String)>;

/// What another game was asked and answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Threw(usize),
    /// Which of which ways.
    Chose(String, Vec<String>),
    /// Which card, and how many of each there were.
    Drew(&'static str, Vec<(&'static str, u64)>),
}

/// An answer, who was to move, and the squares of all markers at that time; 0 is off the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mover: usize,
    pub(crate) squares: Vec<usize>,
    pub(crate) said: Said,
}

pub(crate) struct Oracle {
    pub(crate) last: usize,
    pub(crate) arrows: Vec<(usize, usize)>,
    pub(crate) options: Options,
    pub(crate) squares: Vec<usize>,
    /// The Bounce and the Squash cards of each player.
    pub(crate) hands: Vec<Hand>,
    pub(crate) log: std::vec::IntoIter<Entry>,
}

/// The log is at its end: how the other game stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Asked,
    Won(usize),
}

/// The numbers of Bounce and of Squash cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hand {
    pub(crate) bounce: usize,
    pub(crate) squash: usize,
}

/// Where a marker lands: the squares that it touched, the one of the throw first.
struct Landing(Vec<usize>);

impl Oracle {
    fn is(&self, option: &str, value: &str) -> bool {
        let set = self.options.iter().find(|(name, _)| name == option);
        set.unwrap_or_else(|| unreachable!("no option {option}")).1 == value
    }

    fn next(&mut self, mover: usize) -> Result<Said, End> {
        let entry = self.log.next().ok_or(End::Asked)?;
        assert_eq!((entry.mover, &entry.squares), (mover, &self.squares), "{:?}", entry.said);
        Ok(entry.said)
    }

    fn throw(&mut self, mover: usize) -> Result<usize, End> {
        match self.next(mover)? {
            Said::Threw(shown) => Ok(shown),
            other => unreachable!("a throw was due, not {other:?}"),
        }
    }

    fn choice(&mut self, mover: usize, ways: &[&str]) -> Result<String, End> {
        match self.next(mover)? {
            Said::Chose(chosen, of) if of == ways => Ok(chosen),
            other => unreachable!("a choice of {ways:?} was due, not {other:?}"),
        }
    }

    fn other_on(&self, square: usize, mover: usize) -> Option<usize> {
        (0..self.squares.len()).find(|other| *other != mover && square > 0 && self.squares[*other] == square)
    }

    fn travel(&mut self, mover: usize, target: usize) -> Result<Landing, End> {
        let mut path = vec![target];
        if target < self.last {
            while let Some((_, end)) = self.arrows.iter().find(|(base, _)| Some(base) == path.last()) {
                if path.contains(end) || (path.len() > 1 && self.is("arrow_chain", "stop")) {
                    break;
                }
                path.push(*end);
            }
        }
        let end = path[path.len() - 1];
        if self.is("arrow_squash", "stay_on_base") && path.len() > 1 && self.other_on(end, mover).is_some() {
            path.pop();
        }
        if path[path.len() - 1] >= self.last {
            self.squares[mover] = self.last;
            assert_eq!(self.log.next(), None, "the game is over");
            return Err(End::Won(mover));
        }
        Ok(Landing(path))
    }

    /// Four cards for each player, one at a time, from ten and ten.
    fn deal(&mut self) -> Result<(), End> {
        let mut deck = Hand { bounce: 10, squash: 10 };
        for _ in 0..4 {
            for player in 0..self.squares.len() {
                let left = [("bounce", deck.bounce as u64), ("squash", deck.squash as u64)];
                let left: Vec<_> = left.into_iter().filter(|(_, count)| *count > 0).collect();
                match self.next(0)? {
                    Said::Drew("bounce", of) if of == left => {
                        deck.bounce -= 1;
                        self.hands[player].bounce += 1;
                    }
                    Said::Drew("squash", of) if of == left => {
                        deck.squash -= 1;
                        self.hands[player].squash += 1;
                    }
                    other => unreachable!("a card of {left:?} was due, not {other:?}"),
                }
            }
        }
        Ok(())
    }

    /// Play turn after turn, from that of the first player, until the log is at its end.
    pub(crate) fn check(&mut self) -> End {
        if self.is("cards", "yes")
            && let Err(end) = self.deal()
        {
            return end;
        }
        let players = self.squares.len();
        let mut turns = (0..players).cycle();
        loop {
            if let Err(end) = self.turn(turns.next().unwrap()) {
                return end;
            }
        }
    }

    fn turn(&mut self, mover: usize) -> Result<(), End> {
        let turn_start = self.squares[mover];
        let mut again = true;
        while again {
            let start = self.squares[mover];
            let mut from = start;
            let mut bouncing = false;
            again = false;
            loop {
                let shown = self.throw(mover)?;
                let Landing(path) = self.travel(mover, from + shown)?;
                let square = path[path.len() - 1];
                let victim = self.other_on(square, mover);
                let counted = if self.is("six_square", "final") { square } else { path[0] };
                let allowed = !bouncing || self.is("six_on_bounce", "yes");
                again |= shown == 6 && allowed && self.other_on(counted, mover).is_none();
                let Some(victim) = victim else {
                    self.squares[mover] = square;
                    break;
                };
                let cards = self.is("cards", "yes");
                let hand = self.hands[mover];
                let mut goal = start;
                if bouncing {
                    if cards && self.is("forced_evil_card", "needs_squash_card") {
                        if hand.squash == 0 {
                            return Ok(());
                        }
                        self.hands[mover].squash -= 1;
                    }
                    if self.is("bounce_evil_dest", "turn_start") {
                        goal = turn_start;
                    } else if self.is("bounce_evil_dest", "off_board") {
                        goal = 0;
                    }
                } else {
                    let mut ways = Vec::new();
                    ways.extend((!cards || hand.bounce > 0).then_some("bounce"));
                    ways.extend((!cards || hand.squash > 0).then_some("evil"));
                    if ways.is_empty() {
                        return Ok(());
                    }
                    ways.extend((cards && self.is("must_play_card", "may_decline")).then_some("decline"));
                    match self.choice(mover, &ways)?.as_str() {
                        "decline" => return Ok(()),
                        "bounce" => {
                            self.hands[mover].bounce -= usize::from(cards);
                            bouncing = true;
                            from = if self.is("bounce_from", "landing_square") { square } else { start };
                            continue;
                        }
                        _ => self.hands[mover].squash -= usize::from(cards),
                    }
                    if self.is("evil_square", "arrow_base") && path.len() > 1 {
                        goal = path[path.len() - 2];
                    }
                }
                if self.other_on(goal, mover).is_some() {
                    goal = start;
                }
                self.squares[mover] = square;
                self.squares[victim] = goal;
                break;
            }
            let mut taken: Vec<usize> = self.squares.iter().copied().filter(|square| *square > 0).collect();
            taken.sort_unstable();
            taken.dedup();
            let on_board = self.squares.iter().filter(|square| **square > 0).count();
            assert_eq!(taken.len(), on_board, "two markers on one square: {:?}", self.squares);
        }
        Ok(())
    }
}
