"""Replies to proposals and to questions of yes or no are read as meant, and asked again when in doubt."""

import pytest

from memory_app.nlp.commands.replies import Choice, postpones_decision, read_choice, refers_by_position, yes_or_no

FOUR = ["Alice lives in Lisbon", "The kitchen budget is 60,000", "Her dog is called Rex", "Alice is a nurse"]
PROPOSED = ["We chose the blue tile", "Kitchen budget is 50k", "Anna moved to Berlin"]


@pytest.mark.parametrize(
    ("reply", "accepted", "rejected"),
    [
        ("yes", {0, 1, 2}, set()),
        ("Yes please!", {0, 1, 2}, set()),
        ("sure, sounds good", {0, 1, 2}, set()),
        ("go ahead", {0, 1, 2}, set()),
        ("no problem", {0, 1, 2}, set()),
        ("all", {0, 1, 2}, set()),
        ("Yes. Remember all of it.", {0, 1, 2}, set()),
        ("all three", {0, 1, 2}, set()),
        ("save them", {0, 1, 2}, set()),
        ("no", set(), {0, 1, 2}),
        ("no thanks", set(), {0, 1, 2}),
        ("don't", set(), {0, 1, 2}),
        ("I don’t think so", set(), {0, 1, 2}),
        ("None of them.", set(), {0, 1, 2}),
        ("neither", set(), {0, 1, 2}),
        ("forget them", set(), {0, 1, 2}),
        ("don't remember any of them", set(), {0, 1, 2}),
        ("1 and 3", {0, 2}, {1}),
        ("1, 2", {0, 1}, {2}),
        ("1,3", {0, 2}, {1}),
        ("1-3", {0, 1, 2}, set()),
        ("1 to 2", {0, 1}, {2}),
        ("#2", {1}, {0, 2}),
        ("number two", {1}, {0, 2}),
        ("one", {0}, {1, 2}),
        ("one and three", {0, 2}, {1}),
        ("first and third", {0, 2}, {1}),
        ("1. and 3.", {0, 2}, {1}),
        ("both 1 and 3", {0, 2}, {1}),
        ("the first two", {0, 1}, {2}),
        ("the last 2", {1, 2}, {0}),
        ("second to last", {1}, {0, 2}),
        ("all but 2", {0, 2}, {1}),
        ("all but the second", {0, 2}, {1}),
        ("everything except the last one", {0, 1}, {2}),
        ("all of them except the budget", {0, 2}, {1}),
        ("yes but not the second", {0, 2}, {1}),
        ("yes, but skip the budget", {0, 2}, {1}),
        ("none but the first", {0}, {1, 2}),
        ("only the budget one", {1}, {0, 2}),
        ("the 50k one", {1}, {0, 2}),
        ("yes, just the first", {0}, {1, 2}),
        ("no, only 3", {2}, {0, 1}),
        ("remember the blue one and Anna", {0, 2}, {1}),
        ("keep 1, drop the rest", {0}, {1, 2}),
        ("forget the last one, keep the others", {0, 1}, {2}),
        ("yes to 1, no to 2", {0}, {1}),
        ("1 yes 2 no", {0}, {1}),
        ("not 2. 1 and 3", {0, 2}, {1}),
        ("sure, keep them all", {0, 1, 2}, set()),
        ("drop them all", set(), {0, 1, 2}),
        ("no to all", set(), {0, 1, 2}),
        ("nah, that's fine", set(), {0, 1, 2}),
        ("no, I'm good", set(), {0, 1, 2}),
        ("I don't want that", set(), {0, 1, 2}),
        ("yes for the first, no for the rest", {0}, {1, 2}),
        ("hmm, 1 I guess", {0}, {1, 2}),
        ("not the second", set(), {1}),
        ("leave out the second", set(), {1}),
        ("first one yes, others no", {0}, {1, 2}),
        ("1 no, the rest yes", {1, 2}, {0}),
        ("Barnabee, yes", {0, 1, 2}, set()),
        ("Numbers 1 and 2", {0, 1}, {2}),
        ("never mind", set(), {0, 1, 2}),
    ],
)
def test_a_reply_to_proposals_says_which_are_kept(reply: str, accepted: set[int], rejected: set[int]) -> None:
    choice = read_choice(reply, PROPOSED)
    assert choice.clear
    assert (set(choice.accepted), set(choice.rejected)) == (accepted, rejected)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "🎉",
        "maybe",
        "what?",
        "yes?",
        "4",
        "1 and 7",
        "0",
        "3-1",
        "both",
        "all 2",
        "not all of them",
        "yes and no",
        "no, 2",
        "no 2",
        "not only the first",
        "1 and not 1",
        "what's the weather",
        "the purple one",
        "one of them",
        "yes " * 200,
    ],
)
def test_a_doubtful_reply_to_proposals_is_unclear(reply: str) -> None:
    assert not read_choice(reply, PROPOSED).clear


def test_a_word_of_several_texts_is_unclear_unless_all_of_them_are_meant() -> None:
    texts = ["budget of the kitchen", "budget of the garden", "the blue tile"]
    assert not read_choice("the budget one", texts).clear
    assert read_choice("the budget ones", texts).accepted == {0, 1}
    assert read_choice("all the budget ones", texts).accepted == {0, 1}


def test_a_single_proposal_is_meant_by_any_pointing_word() -> None:
    assert read_choice("remember it", ["We chose the blue tile"]).accepted == {0}
    assert read_choice("forget it", ["We chose the blue tile"]).rejected == {0}


@pytest.mark.parametrize(
    ("reply", "accepted"), [("both", {0, 1}), ("neither", set()), ("the former", {0}), ("the latter, please", {1})]
)
def test_of_two_both_neither_and_either_are_understood(reply: str, accepted: set[int]) -> None:
    choice = read_choice(reply, ["We chose the blue tile", "Anna lives in Lisbon"])
    assert choice.clear
    assert choice.accepted == accepted


def test_that_one_is_clear_where_there_is_one() -> None:
    assert read_choice("that one", ["We chose the blue tile"]).accepted == {0}
    assert not read_choice("that one", PROPOSED).clear


def test_nothing_proposed_leaves_nothing_to_choose() -> None:
    assert not read_choice("yes", []).clear


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("yes", True),
        ("Y", True),
        ("yes please", True),
        ("ok do it", True),
        ("of course", True),
        ("why not", True),
        ("yes, delete it", True),
        ("no", False),
        ("no, keep it", False),
        ("don't", False),
        ("I don't think so", False),
        ("cancel", False),
        ("never mind", False),
        ("maybe", None),
        ("yes and no", None),
        ("yes?", None),
        ("yes but", None),
        ("forget it", None),
        ("delete it", None),
        ("the second one", None),
        ("", None),
    ],
)
def test_yes_and_no_are_told_from_everything_else(reply: str, meant: bool | None) -> None:
    assert yes_or_no(reply) is meant


@pytest.mark.parametrize("reply", ["not now", "Maybe later", "ask me again later, please", "let me think about it"])
def test_a_reply_may_put_the_decision_off(reply: str) -> None:
    assert postpones_decision(reply)


@pytest.mark.parametrize("reply", ["no", "yes, later", "not the second", "1", "never mind"])
def test_a_decision_is_not_put_off(reply: str) -> None:
    assert not postpones_decision(reply)


@pytest.mark.parametrize("said", ["the second one", "number 2", "first and last", "both", "all of them", "1 and 3"])
def test_a_thing_may_be_named_by_its_place(said: str) -> None:
    assert refers_by_position(said)


@pytest.mark.parametrize("said", ["the blue one", "second thoughts", "my 2 cats", "all", "first aid kit"])
def test_a_thing_named_by_words_is_not_named_by_its_place(said: str) -> None:
    assert not refers_by_position(said)


@pytest.mark.parametrize(
    "reply", ["absolutely not", "definitely not", "Certainly not!", "of course not", "sure not", "not ok", "no don't"]
)
def test_an_emphatic_no_accepts_nothing(reply: str) -> None:
    assert read_choice(reply, FOUR) == Choice(rejected=frozenset(range(4)))
    assert read_choice(reply, FOUR[:1]) == Choice(rejected=frozenset({0}))


@pytest.mark.parametrize("reply", ["not sure", "I'm not so sure", "yes, not", "okay, not", "no idea"])
def test_what_neither_agrees_nor_refuses_is_asked_again(reply: str) -> None:
    assert read_choice(reply, FOUR).clear is False
    assert yes_or_no(reply) is None


@pytest.mark.parametrize(
    ("reply", "accepted", "rejected"),
    [
        ("I don't want you to remember the Lisbon one", (), (0,)),
        ("please do not remember the budget one", (), (1,)),
        ("I want you to keep 1", (0,), (1, 2, 3)),
        ("I want you to drop 2", (), (1,)),
        ("yes, definitely not 2", (0, 2, 3), (1,)),
    ],
)
def test_a_wish_not_to_keep_one_is_no_wish_to_keep_it(
    reply: str, accepted: tuple[int, ...], rejected: tuple[int, ...]
) -> None:
    assert read_choice(reply, FOUR) == Choice(frozenset(accepted), frozenset(rejected))


EVERYTHING, NOTHING = {1, 2, 3, 4}, set[int]()

KEPT_AND_LEFT = [
    # Refusals, short, polite, misspelt and in signs.
    ("forget it", NOTHING, EVERYTHING),
    ("Forget about it", NOTHING, EVERYTHING),
    ("oh forget it then", NOTHING, EVERYTHING),
    ("none of the above", NOTHING, EVERYTHING),
    ("skip", NOTHING, EVERYTHING),
    ("skip them all", NOTHING, EVERYTHING),
    ("I'll pass", NOTHING, EVERYTHING),
    ("no don't save anything", NOTHING, EVERYTHING),
    ("No, please don't save anything.", NOTHING, EVERYTHING),
    ("I don't want you to remember any of it", NOTHING, EVERYTHING),
    ("ok no", NOTHING, EVERYTHING),
    ("okay, no", NOTHING, EVERYTHING),
    ("ok no thanks", NOTHING, EVERYTHING),
    ("thanks but no thanks", NOTHING, EVERYTHING),
    ("no thx", NOTHING, EVERYTHING),
    ("no ty", NOTHING, EVERYTHING),
    ("nooo", NOTHING, EVERYTHING),
    ("pls dont", NOTHING, EVERYTHING),
    ("I'd rather you didn't", NOTHING, EVERYTHING),
    ("better not", NOTHING, EVERYTHING),
    ("leave them", NOTHING, EVERYTHING),
    ("not interested, thanks", NOTHING, EVERYTHING),
    ("nothing at all", NOTHING, EVERYTHING),
    ("not a single one", NOTHING, EVERYTHING),
    ("neither one", NOTHING, EVERYTHING),
    ("erase everything", NOTHING, EVERYTHING),
    ("👎", NOTHING, EVERYTHING),
    ("❌", NOTHING, EVERYTHING),
    ("nein", NOTHING, EVERYTHING),
    ("Nein danke!", NOTHING, EVERYTHING),
    ("nee", NOTHING, EVERYTHING),
    ("keins davon", NOTHING, EVERYTHING),
    ("vergiss es", NOTHING, EVERYTHING),
    ("non", NOTHING, EVERYTHING),
    ("non merci", NOTHING, EVERYTHING),
    ("rien", NOTHING, EVERYTHING),
    ("laisse tomber", NOTHING, EVERYTHING),
    # Consent.
    ("yess", EVERYTHING, NOTHING),
    ("yes plz", EVERYTHING, NOTHING),
    ("yeah go on", EVERYTHING, NOTHING),
    ("alright", EVERYTHING, NOTHING),
    ("k", EVERYTHING, NOTHING),
    ("that would be great", EVERYTHING, NOTHING),
    ("I'd like that", EVERYTHING, NOTHING),
    ("all of the above", EVERYTHING, NOTHING),
    ("evrything", EVERYTHING, NOTHING),
    ("hell yes", EVERYTHING, NOTHING),
    ("👍🏼", EVERYTHING, NOTHING),
    ("✔️", EVERYTHING, NOTHING),
    ("ja", EVERYTHING, NOTHING),
    ("ja, bitte", EVERYTHING, NOTHING),
    ("gerne", EVERYTHING, NOTHING),
    ("oui", EVERYTHING, NOTHING),
    ("Oui, s'il te plaît", EVERYTHING, NOTHING),
    ("sí", EVERYTHING, NOTHING),
    # Some of them.
    ("1and3", {1, 3}, {2, 4}),
    ("1 et 3", {1, 3}, {2, 4}),
    ("1️⃣ and 3️⃣", {1, 3}, {2, 4}),
    ("the 2nd and the 4th", {2, 4}, {1, 3}),
    ("frist and teh thrid", {1, 3}, {2, 4}),
    ("jsut numer 2", {2}, {1, 3, 4}),
    ("1, nothing else", {1}, {2, 3, 4}),
    ("1 that's all", {1}, {2, 3, 4}),
    ("Could you remember 1 and 3, please?", {1, 3}, {2, 4}),
    ("tous sauf le deuxième", {1, 3, 4}, {2}),
    ("alle außer 2", {1, 3, 4}, {2}),
    ("ja, aber nicht 2", {1, 3, 4}, {2}),
    ("nein, nur 2", {2}, {1, 3, 4}),
    ("die letzten zwei", {3, 4}, {1, 2}),
    # Some of them, and others left open.
    ("yes 1 no 2", {1}, {2}),
    ("yes 1, no 2 and 3", {1}, {2, 3}),
    ("no 1, yes 2", {2}, {1}),
    ("1y 2n", {1}, {2}),
    ("1 ✅ 2 ❌", {1}, {2}),
    ("1 ok 2 not ok", {1}, {2}),
    ("1 ja 2 nein", {1}, {2}),
    ("1 but not 3", {1}, {3}),
    ("not 2", NOTHING, {2}),
    ("skip 3", NOTHING, {3}),
    ("ne garde pas 2", NOTHING, {2}),
    ("not 2 or 3", NOTHING, {2, 3}),
]
"""Each was read by hand: which of four things someone who says so wants kept, and which not."""


@pytest.mark.parametrize(("reply", "kept", "left"), KEPT_AND_LEFT)
def test_replies_of_many_kinds_are_read_as_they_are_meant(reply: str, kept: set[int], left: set[int]) -> None:
    works = [*FOUR[:3], "Alice works as a nurse"]
    choice = read_choice(reply, works)
    assert choice.clear
    assert ({at + 1 for at in choice.accepted}, {at + 1 for at in choice.rejected}) == (kept, left)


@pytest.mark.parametrize(
    "reply",
    [
        "yes no", "no, yes", "ja nein", "oui non", "jein", "na ja", "vielleicht 1", "weiß nicht", "je ne sais pas",
        "maybe 1", "perhaps 1 and 2", "might be 2", "1 or 3", "either 1 or 2", "just one", "one of them",
        "some of them",
        "the others", "the rest", "no worries", "all good", "it's fine", "I'm fine thanks", "thanks", "danke", "merci",
        "great", "cool", "whatever", "up to you", "I don't mind", "idk", "yes, forget it", "go ahead and forget it",
        "no, keep them", "no, keep everything", "yes, 1 no, 2", "no2", "no. 2", "-1", "13", "1?", "yes but not all",
        "yes but change 2 to 50k", "the Dale one", "I would like that removed", "don't forget",
        "nothing else", "that's all",
        "2, actually no, 3", "if you must", "y n y n",
    ],
)  # fmt: skip
def test_a_reply_that_may_mean_several_things_keeps_nothing(reply: str) -> None:
    assert read_choice(reply, FOUR) == Choice(clear=False)


@pytest.mark.parametrize("reply", ["nicht jetzt", "später", "plus tard", "pas maintenant, merci"])
def test_a_decision_is_put_off_in_other_languages_too(reply: str) -> None:
    assert postpones_decision(reply)


@pytest.mark.parametrize(
    ("reply", "accepted", "rejected"),
    [
        ("alle außer dem zweiten", {0, 2}, {1}),
        ("nur die ersten beiden", {0, 1}, {2}),
        ("ja, aber nicht den zweiten", {0, 2}, {1}),
        ("das zweite nicht", set(), {1}),
        ("nimm das erste", {0}, {1, 2}),
        ("lieber nicht", set(), {0, 1, 2}),
        ("tous sauf le deuxième", {0, 2}, {1}),
        ("les deux premiers", {0, 1}, {2}),
        ("plutôt pas", set(), {0, 1, 2}),
    ],
)
def test_german_and_french_replies_choose_as_english_ones_do(
    reply: str, accepted: set[int], rejected: set[int]
) -> None:
    choice = read_choice(reply, ["Alice lives in Rome", "Alice likes tea", "Alice has a dog"])
    assert (set(choice.accepted), set(choice.rejected), choice.clear) == (accepted, rejected, True)


def test_a_huge_number_of_things_is_not_counted_out() -> None:
    assert not read_choice("the first 99999999999", PROPOSED).clear
