"""Single events and standing facts: who has a call at 9 may have another one at 11, but a shift that starts at 9 starts
at no other time.

English, by the form of the claim. Only what there is one of contradicts another time of it: a thing that is at some
time, what begins or ends the day or the thing, and what is done week by week. In doubt it is another occasion.
"""

from memory_app.rules.statement import Statement, same
from memory_app.rules.text import vocabulary

REPEATED = frozenset(
    same(word)
    for word in vocabulary(
        "meeting appointment call dinner lunch breakfast coffee brunch party class lesson session workshop interview "
        "review visit training practice rehearsal match game shift exam"
    )
)
"""What one has, or does, on one day and on another one."""

# With what a day, a night, or the thing itself begins or ends.
_ONCE_A_DAY = frozenset(
    same(word)
    for word in vocabulary("begin end open close leave depart arrive land wake up bed asleep sleep ring serve")
)
# Of which another one follows, unless it is the one that somebody takes.
_BY_TIMETABLE = frozenset(map(same, vocabulary("bus train tram ferry coach shuttle metro tube")))


def other_occasions(x: Statement, y: Statement) -> bool:
    """Whether two claims that differ in the time of day alone may be of two occasions."""
    if x.changed or y.changed or not (_tells_the_hour(x) and _tells_the_hour(y)):
        return False
    numbers = [statement.quantities.numbers for statement in (x, y)]
    if _but_for_the_time(x) != _but_for_the_time(y) or (numbers[0] != numbers[1] and not (x.hour and y.hour)):
        return False
    return not (_is_standing(x) and _is_standing(y))


def _is_standing(statement: Statement) -> bool:
    """Whether what it tells is so at one time of the day."""
    if statement.progressive or statement.subject == ("there",):
        return False
    by_the_week = statement.weekly and REPEATED.isdisjoint(statement.content)
    if by_the_week or not _ONCE_A_DAY.isdisjoint(statement.content):
        return True
    runs = not _BY_TIMETABLE.isdisjoint(statement.subject) and "i" not in statement.subject and not statement.names
    return statement.copula and not statement.content and not runs


def _tells_the_hour(statement: Statement) -> bool:
    return (statement.hour and len(statement.quantities.numbers) == 1) or "time" in statement.quantities.dates


def _but_for_the_time(statement: Statement) -> dict[str, list[int | str]]:
    return {part: values for part, values in statement.quantities.dates.items() if part != "time"}
