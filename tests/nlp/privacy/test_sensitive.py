"""Secrets, and what is said of somebody's health, money, law or love, are found and masked; talk of topics is not."""

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.nlp.privacy.sensitive import mask_sensitive, sensitive_kinds
from tests.encoder import HashingEncoder

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
    assert value not in mask_sensitive(text)
    assert mask_sensitive(text)[:8] == text[:8]


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
    assert mask_sensitive(text) == shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I take sertraline in the mornings", "health"),
        ("apixaban twice a day", "health"),
        ("20 mg before bed", "health"),
        ("She has tendonitis again", "health"),
        ("our cleaner gets fourteen quid an hour", "money"),
        ("he owes his brother about nine grand", "money"),
        ("Bill's on 11.90", "money"),
    ],
)
def test_forms_of_medicines_illnesses_and_pay_need_no_model(text: str, kind: str) -> None:
    assert sensitive_kinds(text) == {kind}


@pytest.mark.parametrize("text", ["See you in April", "a diploma of the academy", "The tickets are 42 euros each"])
def test_words_and_prices_of_a_like_form_are_harmless(text: str) -> None:
    assert sensitive_kinds(text) == frozenset()


SAID_OF_SOMEONE = """
Her knees hurt.
My mother can't walk any more.
My wife blacked out on the stairs.
Grandpa doesn't recognise us any more.
They found a lump in her breast.
The car hit my dad and he broke his hip.
My sister is expecting a baby.
I was awake till five again, crying.
We are three payments behind on the flat.
Dad's estate comes to half a million.
The judge gave my cousin two years.
My husband moved into the spare room in June.
"""

HARMLESS = """
She's a therapist and I work in cancer research.
I use a password manager called Bitwarden.
the password is wrong
The booking code is 445566
That cost an arm and a leg.
He lost his hand luggage.
I stopped eating meat.
Kitchen renovation budget is $50k
I was born in Lagos and moved here in 2015.
We painted the kitchen green.
My sister plays the cello in an orchestra.
"""


def test_what_no_list_knows_is_told_by_examples(real_encoder: Encoder) -> None:
    said, harmless = SAID_OF_SOMEONE.strip().splitlines(), HARMLESS.strip().splitlines()
    assert [text for text in said if not sensitive_kinds(text)] == []
    assert [text for text in harmless if sensitive_kinds(text)] == []


def test_a_question_makes_its_bare_answer_sensitive(real_encoder: Encoder) -> None:
    assert sensitive_kinds("What do you earn at the mill?\nTwo thousand one hundred.")


def test_a_model_that_cannot_tell_the_examples_apart_is_not_asked(encoder: HashingEncoder) -> None:
    assert sensitive_kinds("I'm depressed") == {"health"}
    assert sensitive_kinds("I sit and stare at the wall for hours") == frozenset()
