/// A map with a handful of entries, in the order of their keys. A tree's smallest node has room for eleven, which
/// more than doubles what each probe takes.
#[derive(Debug, Clone)]
pub(super) struct Few<K, V>(Vec<(K, V)>);

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Ord + Copy, V: Default> Few<K, V> {
    /// The value of a key, empty where there was none.
    pub(super) fn of(&mut self, key: K) -> &mut V {
        let place = match self.0.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(place) => place,
            Err(place) => {
                // There are as many of these as probes, and each is filled once.
                self.0.reserve_exact(1);
                self.0.insert(place, (key, V::default()));
                place
            }
        };
        &mut self.0[place].1
    }

    pub(super) fn get(&self, key: K) -> Option<&V> {
        let place = self.0.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = (K, V)> {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_order_and_once() {
        let mut few: Few<u8, u32> = Few::default();
        for key in [3, 1, 2, 3, 1] {
            *few.of(key) += 1;
        }
        assert_eq!(few.iter().collect::<Vec<_>>(), [(1, &2), (2, &1), (3, &2)]);
        assert_eq!((few.get(3), few.get(4)), (Some(&2), None));
    }
}
