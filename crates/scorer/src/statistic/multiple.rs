/// Adjusts p-values so that the chance of one false alarm in the family is held (Holm, 1979).
///
/// In the order given. `None` if one of them is no probability: leaving it out would make the
/// family smaller than it is.
#[must_use]
pub fn holm(p_values: &[f64]) -> Option<Vec<f64>> {
    let order = ascending(p_values)?;
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    let mut family = whole(order.len());
    for index in order {
        least = least.max(family * p_values[index]).min(1.0);
        adjusted[index] = least;
        family -= 1.0;
    }
    Some(adjusted)
}

/// Adjusts p-values so that the share of false alarms is held (Benjamini and Hochberg, 1995).
///
/// Gives q-values in the order given. `None` if one of them is no probability.
#[must_use]
pub fn benjamini_hochberg(p_values: &[f64]) -> Option<Vec<f64>> {
    let order = ascending(p_values)?;
    let family = whole(order.len());
    let mut adjusted = vec![0.0; p_values.len()];
    let mut most: f64 = 1.0;
    let mut rank = family;
    for index in order.into_iter().rev() {
        most = most.min(p_values[index] * family / rank);
        adjusted[index] = most;
        rank -= 1.0;
    }
    Some(adjusted)
}

/// Gives the indices by rising p-value, equal ones in the order given.
fn ascending(p_values: &[f64]) -> Option<Vec<usize>> {
    if !p_values.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    Some(order)
}

#[expect(clippy::cast_precision_loss, reason = "a family stays below 2^53")]
fn whole(length: usize) -> f64 {
    length as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_near(got: Option<Vec<f64>>, wanted: &[f64]) {
        let got = got.unwrap();
        assert_eq!(got.len(), wanted.len());
        for (left, right) in got.iter().zip(wanted) {
            assert!((left - right).abs() < 1e-15, "{got:?} {wanted:?}");
        }
    }

    #[test]
    fn holm_by_hand() {
        // Sorted: 0.01 x 4, 0.02 x 3, 0.03 x 2 = 0.06 again, 0.4 x 1.
        assert_near(holm(&[0.02, 0.4, 0.01, 0.03]), &[0.06, 0.4, 0.04, 0.06]);
        assert_near(holm(&[0.6, 0.6]), &[1.0, 1.0]);
        assert_near(holm(&[]), &[]);
    }

    #[test]
    fn benjamini_hochberg_by_hand() {
        // Sorted: 0.01 x 4/1, 0.02 x 4/2, 0.03 x 4/3 = 0.04 all, 0.4 x 1.
        let wanted = [0.04, 0.4, 0.04, 0.04];
        assert_near(benjamini_hochberg(&[0.02, 0.4, 0.01, 0.03]), &wanted);
        assert_near(benjamini_hochberg(&[0.9, 0.8]), &[0.9, 0.9]);
        assert_near(benjamini_hochberg(&[]), &[]);
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        for p in [f64::NAN, -0.1, 1.1] {
            assert_eq!(holm(&[0.1, p]), None);
            assert_eq!(benjamini_hochberg(&[0.1, p]), None);
        }
    }
}
