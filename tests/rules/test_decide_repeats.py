"""Whether something was put to a person before, with the vectors of the packaged encoder."""

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.rules.decide import repeats_refused


@pytest.mark.parametrize(
    ("refused", "later"),
    [
        ("Alice has two cats.", "Alice owns two cats."),
        ("Alice's dog is called Rex.", "Alice has a dog called Rex."),
        ("Alice loves hiking in the mountains.", "Alice enjoys hiking in the mountains."),
        ("Alice is learning to play the piano.", "Alice takes piano lessons."),
        ("Alice works as a nurse.", "Alice is a nurse."),
        ("Alice was born in Rome.", "Alice comes from Rome."),
    ],
)
def test_the_same_reworded_was_refused(refused: str, later: str, real_encoder: Encoder) -> None:
    before, now = real_encoder.documents([refused, later])
    assert repeats_refused(later, now, [(refused, before)])


@pytest.mark.parametrize(
    ("refused", "later"),
    [
        ("Alice lives in Berlin.", "Alice lives in Hamburg."),
        ("Alice lives in Berlin.", "Alice doesn't live in Berlin."),
        ("Alice has two cats.", "Alice has three cats."),
        ("The meeting is on 23 November 2026.", "The meeting is on 25 November 2026."),
    ],
)
def test_another_statement_was_not_refused_however_close_it_is(refused: str, later: str, real_encoder: Encoder) -> None:
    before, now = real_encoder.documents([refused, later])
    assert not repeats_refused(later, now, [(refused, before)])
    assert not repeats_refused(later, before, [(refused, before)])
