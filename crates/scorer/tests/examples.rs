//! A rate as reports and comparisons read it.

use scorer::{Rate, Scorecard, Tally};
use transcript::{CellId, EndpointProperties};

#[test]
fn rate_round_trips() {
    let text = r#"{"metric":"unknown_tool","unit":"trial","events":12,"scored":397,"planned":400,"mean_over_probes":0.0302,"clusters":50,"interval_95":[0.012,0.071],"interval_90":[0.014,0.062],"range_with_exclusions":[0.03,0.0375],"excluded":{"timeout":2,"truncated":1},"state":"measured","per_call":{"events":14,"calls":512},"by_first_turn":{"events":11,"scored":397}}"#;
    let read: Rate = serde_json::from_str(text).unwrap();
    assert_eq!(read.scored + read.excluded.values().sum::<u64>(), read.planned);
    let written = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<Rate>(&written).unwrap(), read);
}

#[test]
fn scorecard_round_trips() {
    let card = Tally::new(CellId("c0".into()), [], 3, EndpointProperties::default()).finish();
    assert_eq!(card.rates.len(), 3);
    let written = serde_json::to_string(&card).unwrap();
    assert_eq!(serde_json::from_str::<Scorecard>(&written).unwrap(), card);
}
