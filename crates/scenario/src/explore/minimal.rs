//! Delta debugging: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.

/// Returns a part of `items` for which `shows` is still true, and from which no single item can be left out. It must be
/// true for all of them. `shows` also decides when to stop: once it always returns `false`, the best part so far is
/// returned.
pub(super) fn minimal<T: Clone>(items: &[T], mut shows: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut best = items.to_vec();
    let mut size = best.len();
    while size > 0 {
        let before = best.len();
        let mut at = 0;
        while at < best.len() {
            let end = (at + size).min(best.len());
            let (head, tail) = (best.get(..at).unwrap_or_default(), best.get(end..).unwrap_or_default());
            let fewer = [head, tail].concat();
            if shows(&fewer) {
                best = fewer;
            } else {
                at = end;
            }
        }
        // After a success with single items, items that were needed before may have become superfluous.
        size = if size == 1 && best.len() < before { 1 } else { size / 2 };
        size = size.min(best.len());
    }
    best
}

#[cfg(test)]
mod tests {
    use super::minimal;

    #[test]
    fn only_what_is_needed_stays() {
        let items: Vec<u32> = (0..100).collect();
        let mut tries = 0;
        let found = minimal(&items, |part| {
            tries += 1;
            [3, 50, 51].iter().all(|needed| part.contains(needed))
        });
        assert_eq!(found, [3, 50, 51]);
        assert!(tries < 100, "{tries}");
    }

    #[test]
    fn no_single_item_can_be_left_out() {
        // True for parts whose sum is a multiple of seven, so that items must be left out in groups.
        let items: Vec<u32> = (1..=13).collect();
        let shows = |part: &[u32]| !part.is_empty() && part.iter().sum::<u32>() % 7 == 0;
        let found = minimal(&items, shows);
        assert!(shows(&found), "{found:?}");
        for at in 0..found.len() {
            let mut fewer = found.clone();
            fewer.remove(at);
            assert!(!shows(&fewer), "{found:?} without item {at}");
        }
    }

    #[test]
    fn nothing_is_left_of_what_is_not_needed() {
        assert_eq!(minimal(&[1, 2, 3], |_| true), Vec::<i32>::new());
        assert_eq!(minimal(&[1, 2, 3], |_| false), [1, 2, 3]);
        assert_eq!(minimal(&[] as &[i32], |_| true), Vec::<i32>::new());
    }
}
