"""Replies to shown results pick one, move on, stop, or ask anew."""

import pytest

from memory_app.nlp.commands.narrowing_replies import (
    Back,
    More,
    Narrowing,
    NeverMind,
    NewQuestion,
    NoneOfThese,
    Selection,
    Unclear,
    read_narrowing_reply,
)

SHOWN = ["We chose the blue tile", "Kitchen budget is 50k", "Anna moved to Berlin"]


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("1", 0),
        ("2.", 1),
        ("number 3", 2),
        ("the second one", 1),
        ("it was the second one", 1),
        ("no, the second", 1),
        ("The first.", 0),
        ("the middle one", 1),
        ("the last one", 2),
        ("the blue one", 0),
        ("blue tile please", 0),
        ("the one about Berlin", 2),
        ("is it the blue one?", 0),
        ("what about Anna", 2),
        ("how about the one with the budget?", 1),
        ("tell me more about the second one", 1),
        ("probably the first", 0),
        ("the first result", 0),
    ],
)
def test_a_reply_picks_what_was_shown(reply: str, index: int) -> None:
    assert read_narrowing_reply(reply, SHOWN) == Selection(index)


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("more", More()),
        ("Show me more", More()),
        ("Barnabee, more please", More()),
        ("next", More()),
        ("keep going", More()),
        ("what else?", More()),
        ("not those, tell me more", More()),
        ("none of those, show me more", More()),
        ("back", Back()),
        ("go back", Back()),
        ("previous", Back()),
        ("none of those", NoneOfThese()),
        ("None of these, thanks", NoneOfThese()),
        ("that's not it", NoneOfThese()),
        ("no", NoneOfThese()),
        ("never mind", NeverMind()),
        ("Cancel", NeverMind()),
        ("stop", NeverMind()),
        ("forget it", NeverMind()),
        ("that's all", NeverMind()),
        ("no more", NeverMind()),
        ("it's fine", NeverMind()),
        ("no, thank you", NeverMind()),
        ("Could I hear more?", More()),
        ("neither, show me others", More()),
        ("what other ones are there?", More()),
        ("it's not one of those", NoneOfThese()),
        ("wrong ones", NoneOfThese()),
        ("What did Anna say about the dog?", NewQuestion("What did Anna say about the dog?")),
        ("where is my passport", NewQuestion("where is my passport")),
        ("When did we choose the blue tile?", NewQuestion("When did we choose the blue tile?")),
        ("find my shoe size", NewQuestion("my shoe size")),
        ("search for the red car instead", NewQuestion("the red car")),
        ("No, look for my passport.", NewQuestion("my passport")),
        ("the red car instead", NewQuestion("the red car")),
        ("try the red car instead", NewQuestion("the red car")),
        ("search again", Unclear()),
        ("purple elephants dancing slowly", Unclear()),
        ("the dog?", Unclear()),
        ("is it the purple one?", Unclear()),
        ("was that last week?", Unclear()),
        ("what do you mean?", Unclear()),
        ("which is which?", Unclear()),
        ("well it was something that " + "we said " * 60, Unclear()),
        ("4", Unclear()),
        ("the purple one", Unclear()),
        ("that one", Unclear()),
        ("yes", Unclear()),
        ("hmm", Unclear()),
        ("I don't know", Unclear()),
        ("not the second one", Unclear()),
        ("first or second", Unclear()),
        ("", Unclear()),
    ],
)
def test_a_reply_moves_stops_or_asks(reply: str, meant: Narrowing) -> None:
    assert read_narrowing_reply(reply, SHOWN) == meant


def test_yes_picks_the_only_result() -> None:
    assert read_narrowing_reply("yes", ["We chose the blue tile"]) == Selection(0)


def test_a_word_of_two_results_is_unclear() -> None:
    assert read_narrowing_reply("the blue one", ["the blue tile", "the blue door"]) == Unclear()
