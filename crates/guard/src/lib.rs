//! Refusing a read that nobody can defend (DESIGN.md section 10): a body and its status are held against rules,
//! and either accepted, with the rows counted, or refused with one reason and what was found instead. Pure:
//! nothing here reads a file, opens a connection or looks at a clock, and a body is never altered.

mod counts;
mod judge;
mod key;
mod markup;
mod refusal;
mod row;
mod rules;
mod show;

pub use counts::{COUNTS_FORMAT, Counts};
pub use judge::{Accepted, Read, judge};
pub use refusal::{Reason, Refusal};
pub use row::{Place, rows as executor_rows};
pub use rules::{BodyForm, FilterRule, GUARD_FORMAT, InnerError, ReadRule, Rules};
