"""Telling of a change, and roundabout ways to say a plain thing, put plainly."""

import pytest

from memory_app.rules.restated import restated


@pytest.mark.parametrize(
    ("said", "put"),
    [
        ("They moved the call to Friday", "the call is Friday now"),
        ("The call was pushed back to Friday.", "The call is Friday now"),
        ("The fee has gone up to 40 euros", "The fee is 40 euros now"),
        ("My aunt moved to Leeds", "My aunt lives in Leeds now"),
        ("The museum has moved to Leeds", "The museum is in Leeds now"),
        ("The call is actually on Friday", "The call is on Friday now"),
        ("We changed our minds: the call is on Friday", "the call is on Friday instead"),
        ("For the call we use Zoom instead", "we use Zoom For the call instead"),
        ("There are six chairs in the kitchen", "the kitchen has six chairs"),
        ("Oslo is my favourite city these days", "my favourite city is Oslo now"),
        ("The club has a fee of 40 euros", "The club fee is 40 euros"),
        ("The deadline for the essay is Friday", "the essay is due Friday"),
        ("I have my driving test on Monday", "my driving test is on Monday"),
        ("We postponed the call to May", "the call is in May now"),
        ("I don't smoke any more", "I don't smoke"),
        ("The wedding is on 19 June 2027, not the 12th.", "The wedding is on 19 June 2027 now"),
        ("The call is at 4 instead of 3", "The call is at 4 now"),
        ("My aunt lives in Leeds, not York.", "My aunt lives in Leeds now"),
    ],
)
def test_a_change_is_put_as_what_holds_since(said: str, put: str) -> None:
    assert restated(said) == put


@pytest.mark.parametrize(
    "said",
    [
        "Alice lives in Berlin.",
        "The call is on Friday",
        "Have they moved the call to Friday?",
        "I know Oslo",
        "I have an exam on Monday",
        "I have my yoga class on Monday",
        "Alice is my sister",
        "Bob moved the sofa",
        "",
        "?!",
    ],
)
def test_what_has_no_such_form_stays_as_it_is(said: str) -> None:
    assert restated(said) == said
