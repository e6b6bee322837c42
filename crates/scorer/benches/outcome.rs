//! Speed of the outcome classifier: texts of some 300 characters, and long ones.

use scorer::classify;

fn main() {
    // Compiles the phrases before anything is timed.
    let _ = classify("", "");
    divan::main();
}

const USER: &str = "Please cancel order A-4417 and refund 49.90 EUR to the card ending 4410.";

const TEXTS: [(&str, &str); 4] = [
    (
        "refused",
        "I'm sorry, but I'm not able to cancel order A-4417 from here, since none of the tools that I was given can \
         cancel an order or refund a payment. I can look the order up and read its history, and I can write down \
         what you need for the service team. Would you like me to do that for you right away, or shall I wait?",
    ),
    (
        "clarified",
        "Thanks for getting in touch about your order! Before I go ahead I would like to be certain that I pick the \
         right one, since more than one order was placed on that day. Could you please tell me the postcode of the \
         delivery address, and also whether the refund should go to the card or to the balance of the account?",
    ),
    (
        "claimed",
        "Thank you for your patience. I've cancelled order A-4417, and the refund of 49.90 EUR is on its way to the \
         card ending 4410. You will get a mail with all of the details within the next few minutes. If the money has \
         not arrived within five working days, please write to us again and mention the number of the order then.",
    ),
    (
        "answered",
        "Here is what I found about your order: it was placed on 3 May 2026 at 10:41 by Dana Whitfield, paid by card, \
         handed over to Postline on 5 May under tracking number PL-883-201, and delivered on 7 May to the neighbour \
         in the second floor. The refund of an order is usually visible on the account after some five to ten days.",
    ),
];

#[divan::bench(args = TEXTS.map(|(name, _)| name))]
fn three_hundred_characters(bencher: divan::Bencher<'_, '_>, name: &str) {
    let text = TEXTS.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    bencher.bench(|| classify(divan::black_box(text), divan::black_box(USER)));
}

#[divan::bench(args = [1, 10, 100])]
fn long_texts(bencher: divan::Bencher<'_, '_>, times: usize) {
    let text = TEXTS.map(|(_, text)| text).join("\n\n").repeat(times);
    bencher
        .counter(divan::counter::BytesCount::of_str(&text))
        .bench(|| classify(divan::black_box(&text), USER));
}
