"""Replies to shown results pick one, move on, stop, or ask anew."""

import pytest

from memory_app.nlp.commands.narrowing_replies import (
    Answer,
    Narrowing,
    NewQuestion,
    Selection,
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
        ("more", Answer.MORE),
        ("Show me more", Answer.MORE),
        ("Barnabee, more please", Answer.MORE),
        ("next", Answer.MORE),
        ("keep going", Answer.MORE),
        ("what else?", Answer.MORE),
        ("not those, tell me more", Answer.MORE),
        ("none of those, show me more", Answer.MORE),
        ("back", Answer.BACK),
        ("go back", Answer.BACK),
        ("previous", Answer.BACK),
        ("none of those", Answer.NONE),
        ("None of these, thanks", Answer.NONE),
        ("that's not it", Answer.NONE),
        ("no", Answer.NONE),
        ("never mind", Answer.OVER),
        ("Cancel", Answer.OVER),
        ("stop", Answer.OVER),
        ("forget it", Answer.OVER),
        ("that's all", Answer.OVER),
        ("no more", Answer.OVER),
        ("it's fine", Answer.OVER),
        ("no, thank you", Answer.OVER),
        ("Could I hear more?", Answer.MORE),
        ("neither, show me others", Answer.MORE),
        ("what other ones are there?", Answer.MORE),
        ("it's not one of those", Answer.NONE),
        ("wrong ones", Answer.NONE),
        ("What did Anna say about the dog?", NewQuestion("What did Anna say about the dog?")),
        ("where is my passport", NewQuestion("where is my passport")),
        ("When did we choose the blue tile?", NewQuestion("When did we choose the blue tile?")),
        ("find my shoe size", NewQuestion("my shoe size")),
        ("search for the red car instead", NewQuestion("the red car")),
        ("No, look for my passport.", NewQuestion("my passport")),
        ("the red car instead", NewQuestion("the red car")),
        ("try the red car instead", NewQuestion("the red car")),
        ("search again", Answer.UNCLEAR),
        ("purple elephants dancing slowly", Answer.UNCLEAR),
        ("the dog?", Answer.UNCLEAR),
        ("is it the purple one?", Answer.UNCLEAR),
        ("was that last week?", Answer.UNCLEAR),
        ("what do you mean?", Answer.UNCLEAR),
        ("which is which?", Answer.UNCLEAR),
        ("well it was something that " + "we said " * 60, Answer.UNCLEAR),
        ("4", Answer.UNCLEAR),
        ("the purple one", Answer.UNCLEAR),
        ("that one", Answer.UNCLEAR),
        ("yes", Answer.UNCLEAR),
        ("hmm", Answer.UNCLEAR),
        ("I don't know", Answer.UNCLEAR),
        ("not the second one", Answer.UNCLEAR),
        ("first or second", Answer.UNCLEAR),
        ("", Answer.UNCLEAR),
    ],
)
def test_a_reply_moves_stops_or_asks(reply: str, meant: Narrowing) -> None:
    assert read_narrowing_reply(reply, SHOWN) == meant


def test_yes_picks_the_only_result() -> None:
    assert read_narrowing_reply("yes", ["We chose the blue tile"]) == Selection(0)


def test_a_word_of_two_results_is_unclear() -> None:
    assert read_narrowing_reply("the blue one", ["the blue tile", "the blue door"]) == Answer.UNCLEAR
