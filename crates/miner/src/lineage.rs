//! Which sessions belong together: a session, its resumptions, forks and sub-agents are one lineage.

use std::collections::HashMap;

/// A session, or what stands for one: a conversation, a file.
pub(crate) type Session = u32;

/// Sessions, joined where they share an act or one says that it comes from another.
#[derive(Debug, Default)]
pub(crate) struct Lineages {
    parents: Vec<Session>,
    by_key: HashMap<u128, Session>,
}

impl Lineages {
    /// The session of this key.
    pub(crate) fn session(&mut self, key: u128) -> Session {
        let next = Session::try_from(self.parents.len()).unwrap_or(Session::MAX);
        let session = *self.by_key.entry(key).or_insert(next);
        if session == next {
            self.parents.push(next);
        }
        session
    }

    /// The session that stands for the lineage.
    pub(crate) fn root(&mut self, session: Session) -> Session {
        let mut root = session;
        while let Some(&parent) = self.parents.get(root as usize).filter(|parent| **parent != root) {
            root = parent;
        }
        // Everything on the way hangs on the root from here on.
        let mut at = session;
        while let Some(parent) = self.parents.get_mut(at as usize).filter(|parent| **parent != root) {
            at = std::mem::replace(parent, root);
        }
        root
    }

    /// The same, without shortening the way for the next time.
    pub(crate) fn top(&self, session: Session) -> Session {
        let mut top = session;
        while let Some(&parent) = self.parents.get(top as usize).filter(|parent| **parent != top) {
            top = parent;
        }
        top
    }

    /// Joins two.
    pub(crate) fn join(&mut self, one: Session, other: Session) {
        let (one, other) = (self.root(one), self.root(other));
        // The older one stays, whatever the order of the arguments.
        let (kept, joined) = (one.min(other), one.max(other));
        if let Some(parent) = self.parents.get_mut(joined as usize) {
            *parent = kept;
        }
    }

    /// Whether two are of one lineage.
    pub(crate) fn is_one(&mut self, one: Session, other: Session) -> bool {
        one == other || self.root(one) == self.root(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_sessions_are_one_lineage() {
        let mut lineages = Lineages::default();
        let sessions: Vec<_> = (0..5).map(|key| lineages.session(key)).collect();
        lineages.join(sessions[3], sessions[1]);
        lineages.join(sessions[1], sessions[4]);
        assert!(lineages.is_one(sessions[3], sessions[4]) && !lineages.is_one(sessions[0], sessions[3]));
        assert_eq!(lineages.root(sessions[4]), sessions[1]);
        assert_eq!(lineages.session(2), sessions[2]);
    }
}
