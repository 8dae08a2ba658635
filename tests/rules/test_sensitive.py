"""Secrets and statements about health or money are found and masked; talk about the topics is not."""

import pytest

from memory_app.language.sensitive import masked, sensitive_kinds

# Made-up values of the right form, written in two parts so that no scanner takes this file for a leak.
OPENAI_KEY = "sk-proj-" + "abcdefghijklmnop1234567"
GITHUB_TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
AWS_KEY = "AKIA" + "IOSFODNN7EXAMPLE"
WEB_TOKEN = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0In0.abc_DEF"
PRIVATE_KEY = "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIE\n-----END RSA PRIVATE" + " KEY-----"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"my key is {OPENAI_KEY}", {"credential"}),
        (GITHUB_TOKEN, {"credential"}),
        (AWS_KEY, {"credential"}),
        (WEB_TOKEN, {"credential"}),
        (PRIVATE_KEY, {"credential"}),
        ("my password is hunter2", {"credential"}),
        ("My password is swordfish", {"credential"}),
        ("password: abc123!", {"credential"}),
        ("the wifi password is correcthorse", {"credential"}),
        ("I changed my password to Tr0ub4dor", {"credential"}),
        ("My PIN is 1234", {"credential"}),
        ("the door code is 4411", {"credential"}),
        ("the code to the gate is 1234", {"credential"}),
        ("postgres://bob:s3cret@db/x", {"credential"}),
        ("the token is a8f7g6h5j4k3", {"credential"}),
        ("zX9vQ2mN8bC7lK6jH5gF4dS3 works", {"credential"}),
        ("SSN 123-45-6789", {"identity"}),
        ("my social security number is 123456789", {"identity"}),
        ("my passport number is C01X00T47", {"identity"}),
        ("RSSMRA85T10A562S", {"identity"}),
        ("my DNI is 12345678Z", {"identity"}),
        ("my card is 4111 1111 1111 1111", {"card"}),
        ("5500-0000-0000-0004", {"card"}),
        ("DE89 3704 0044 0532 0130 00", {"money"}),
        ("account number 12345678", {"money"}),
        ("my salary is 80k", {"money"}),
        ("I earn $80k a year", {"money"}),
        ("I owe Bob $500", {"money"}),
        ("We're in debt", {"money"}),
        ("my bank account is at ING", {"money"}),
        ("I was diagnosed with diabetes", {"health"}),
        ("My sister has breast cancer", {"health"}),
        ("she’s pregnant", {"health"}),
        ("I am HIV positive", {"health"}),
        ("I take 20mg of Prozac", {"health"}),
        ("I'm on antidepressants", {"health"}),
        ("I started therapy in May", {"health"}),
        ("Anna had surgery on Monday", {"health"}),
        ("my PIN is 1234 and my salary is 80k", {"credential", "money"}),
    ],
)
def test_what_is_sensitive_is_found_by_its_kind(text: str, kinds: set[str]) -> None:
    assert sensitive_kinds(text) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to penicillin.",
        "My son is badly allergic to peanuts.",
        "I have a nut allergy.",
        "She has severe allergies.",
        "Bob's shellfish allergy is bad.",
        "I'm lactose intolerant.",
    ],
)
def test_what_a_body_does_not_bear_is_health(text: str) -> None:
    assert sensitive_kinds(text) == {"health"}


@pytest.mark.parametrize(
    ("own", "of_another"),
    [
        ("I have the flu.", "My daughter has the flu."),
        ("I have a fever.", "Ben has a fever."),
        ("I broke my hip.", "Grandma broke her hip."),
        ("I'm in hospital.", "My dad is in hospital."),
        ("I was rushed to the hospital.", "My brother was taken to hospital."),
        ("I'm in chemo.", "Grandma is getting chemotherapy."),
        ("I'm on dialysis.", "Tom is on dialysis."),
        ("I need a kidney transplant.", "Our neighbour needs a new hip replacement."),
        ("I had an operation on my knee.", "Mum had an operation."),
        ("I got my tonsils removed.", "She had her appendix removed."),
        ("I'm ill.", "My wife is very sick."),
        ("I'm deaf in one ear.", "Her son is blind."),
        ("I use a wheelchair.", "My uncle uses a wheelchair."),
        ("I'm expecting twins.", "My sister is expecting a baby."),
        ("I have a broken arm.", "Clara has a broken arm."),
        ("I tested positive.", "My boss tested positive."),
        ("I'm dying.", "My grandfather is dying."),
    ],
)
def test_health_is_sensitive_whoever_it_is_of(own: str, of_another: str) -> None:
    assert sensitive_kinds(own) == sensitive_kinds(of_another) == frozenset({"health"})


@pytest.mark.parametrize(
    "text",
    [
        "My mother can't walk any more.",
        "My grandmother can't see well anymore.",
        "He can't speak since his accident.",
        "She can hardly breathe.",
        "My brother passed out at work.",
        "My wife blacked out on the stairs.",
        "My boss collapsed during the meeting.",
        "My uncle lost an arm in an accident.",
        "My father is losing his hearing.",
        "My back is killing me.",
        "Her knees hurt.",
        "I've had chest pains for a week.",
        "My son has trouble breathing.",
        "My aunt had a nervous breakdown.",
        "Grandpa doesn't recognise us any more.",
        "My nephew was born at 28 weeks.",
        "They found a lump in her breast.",
        "My tests came back positive.",
        "I feel awful without my meds.",
        "My sister had open-heart surgery.",
        "My nephew is on life support.",
    ],
)
def test_what_a_body_no_longer_does_is_health(text: str) -> None:
    assert sensitive_kinds(text) == {"health"}


@pytest.mark.parametrize(
    "text",
    [
        "She twisted my arm into it.",
        "I twisted his arm to come along.",
        "You're pulling my leg!",
        "We had surgery on this code.",
        "I need an operation on the array.",
        "The server had a stroke.",
        "My laptop had a heart attack.",
        "My code is in a coma.",
        "This project is on life support.",
        "The old car is dying.",
        "Our app suffers from memory leaks.",
        "I had a stroke of genius.",
        "They were paralysed by the decision.",
        "I'm allergic to small talk.",
        "That cost an arm and a leg.",
        "I can't see you any more.",
        "I can't stand him any more.",
        "I can barely stand the noise.",
        "She passed out flyers at the station.",
        "I collapsed on the sofa.",
        "He lost his hand luggage.",
        "I stopped eating meat.",
        "I overdosed on chocolate.",
    ],
)
def test_a_figure_of_speech_is_of_nobodys_health(text: str) -> None:
    assert sensitive_kinds(text) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "I twisted my arm at judo.",
        "I pulled my leg muscle.",
        "My laptop broke and my dad had a stroke.",
        "The server room is where my brother had a seizure.",
        "My plan is to recover from cancer.",
        "My app says I have asthma.",
        "The car hit my dad and he broke his hip.",
    ],
)
def test_what_is_told_of_someone_beside_a_figure_or_a_thing_is_health(text: str) -> None:
    assert sensitive_kinds(text) == {"health"}


def test_of_a_sentence_with_a_figure_in_it_all_is_masked() -> None:
    assert masked("The server had a stroke and my dad has cancer. It rains.") == "•••••• It rains."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My locker code is 4411.", "4411"),
        ("The alarm code at home is 9921", "9921"),
        ("my luggage code is 0420", "0420"),
        ("The code to our building is 4411#.", "4411"),
        ("code for the shed: 1177", "1177"),
        ("Our gate code's 1234", "1234"),
        ("my pin for the bank card is 4417", "4417"),
        ("The combination of my locker is 12-34-56.", "12-34-56"),
        ("Use code 4411 to get into the building.", "4411"),
        ("The burglar alarm is 4821.", "4821"),
        ("my wifi password is sunflower99", "sunflower99"),
        ("the key to the wifi is hunter22hunter", "hunter22hunter"),
    ],
)
def test_what_opens_something_is_a_credential_and_just_it_is_masked(text: str, value: str) -> None:
    assert sensitive_kinds(text) == {"credential"}
    assert value not in masked(text)
    assert masked(text)[:8] == text[:8]


@pytest.mark.parametrize(
    "text",
    [
        "I use a password manager called Bitwarden",
        "the password is wrong",
        "I need to reset my password",
        "password is required",
        "the password is stored in 1Password",
        "API key rotation is planned",
        "the key to success is patience",
        "I bank at the river",
        "That's sick!",
        "I'm sick of waiting for the bus",
        "I'm dying to see it",
        "I work in the hospital building",
        "I volunteer in a hospice",
        "He broke the back door",
        "I hurt his feelings",
        "The CI is in a bad state",
        "The operation team is in Leeds",
        "We went to the blind date on Friday",
        "I have two left feet",
        "my bank is closed on Sunday",
        "Kitchen renovation budget is $50k",
        "It costs $50 a month",
        "healthy recipe",
        "I love healthy food",
        "I work in cancer research",
        "She's a therapist",
        "I'm a Cancer",
        "a pregnant pause",
        "retail therapy",
        "I'm allergic to Mondays",
        "He is intolerant of other views",
        "We have a code review at 4",
        "My zip code is 90210",
        "Our area code is 415",
        "the dress code is black tie",
        "The discount code is 20202",
        "The error code is 404",
        "The booking code is 445566",
        "My code is 300 lines",
        "The QR code is 300 pixels wide",
        "The alarm is set for 7",
        "The alarm went off at 0630",
        "the wifi password is on the fridge",
        "the pin number 3 bowling alley",
        "My passport expires in 2030",
        "We meet at 10:30 in room 1234",
        "the meeting code is 20 minutes",
        "My phone number is 555-123-4567",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "550e8400-e29b-41d4-a716-446655440000",
        "order 1234567890123456",
        "timestamp 1700000000000",
        "https://example.org/watch?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf",
        "我喜欢喝茶",
        "",
    ],
)
def test_the_topic_alone_is_not_sensitive(text: str) -> None:
    assert sensitive_kinds(text) == frozenset()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("my PIN is 1234, keep it", "my PIN is ••••••, keep it"),
        (f"{PRIVATE_KEY} and more", "•••••• and more"),
        ("pay DE89 3704 0044 0532 0130 00 TODAY", "pay •••••• TODAY"),
        ("I like tea. I'm depressed. Call Bob.", "I like tea. •••••• Call Bob."),
        ("I like tea", "I like tea"),
    ],
)
def test_masking_hides_the_value_or_the_sentence(text: str, shown: str) -> None:
    assert masked(text) == shown
