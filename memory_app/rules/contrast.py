"""In what two statements contradict each other: the same said of the same subject, but for one particular.

Strict by design: what is left when the differing particulars are taken out must be nearly the same words. Which
statements of two texts are compared, `differences` says.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Literal

from memory_app.rules.bonds import exclude
from memory_app.rules.clash import clash_of_names, clash_of_quantities
from memory_app.rules.kinds import other_kind
from memory_app.rules.occasions import REPEATED, other_occasions
from memory_app.rules.opposites import SIBLINGS, opposed
from memory_app.rules.quantities import RELATIVE_DAYS
from memory_app.rules.ruled_out import consumed, ruled_out
from memory_app.rules.statement import Statement, same
from memory_app.rules.text import vocabulary
from memory_app.rules.work import other_work

Difference = Literal["negation", "number", "name", "date", "antonym", "order", "value"]

MOST_EXTRA = 1
"""Words of content that one of two statements may have more, such as "at home". From the written pairs of the tests."""

LONGEST_VALUE = 3
"""Words of one value ("dark olive green") when two claims differ in nothing else."""


def _meanings(listed: str) -> frozenset[str]:
    return frozenset(same(word) for word in vocabulary(listed))


# Held by one at a time, so that another name or value contradicts. One likes, visits and owns many things.
_SINGLE_VALUED = _meanings(
    "live work bear marry move name called prefer favourite cost weigh belong married engaged born native stay based "
    "located birthday capital study come grow raised"
)
# Done once, so that another time or number contradicts. One goes hiking, and buys shoes, many times.
_ONCE = _SINGLE_VALUED | _meanings("graduate retire die emigrate immigrate divorce")
# Of which there may be several, unless it is told that it is another one now: "we use Teams now".
_EXCHANGED = _meanings("use go attend drive ride bank train shop study run play subscribe")
# What has one value, which "is" tells.
_ATTRIBUTES = _meanings(
    "colour size type number address name title role age height weight birthday brand model nationality religion "
    "language theme username email deadline status capacity diet surname nickname password pin code"
)
_COLOURS = _meanings(
    "red blue green yellow orange purple pink brown black white grey gray silver gold golden beige turquoise violet "
    "navy maroon blonde blond ginger auburn burgundy teal cream"
)
# What goes on for a while: who lived there need not live there.
_LASTING = _meanings("live work study stay")
_SINCE = same("since")
# What can be, first one and then the other.
_IN_TURN = _meanings("buy sell begin end arrive leave depart win lose borrow lend hire fire open close import export")
# Never said in passing: who runs before lunch does not just run.
_RELATIONS = _meanings("before after until till since without than")
_OF_WHICH_WEEK = _meanings("next coming upcoming following")
_LEADS_TO_A_VALUE = frozenset({"", "as", "in", "at", "for", "from"})
_PLACES = vocabulary("in on at under behind near by inside into onto over")
"""Before where a thing is: when it is "now" somewhere else, it is there no more."""


def contrast(x: Statement, y: Statement) -> set[Difference]:
    """What cannot both be true of two statements about one subject; nothing where they speak of different things."""
    found = _contrast(x, y)
    if not found and exclude(x.bond, y.bond):
        return {"antonym"}
    return found or ({"value"} if other_work(x.work, y.work, x.subject) else set())


def _contrast(x: Statement, y: Statement) -> set[Difference]:
    if x.past != y.past and x.content[:1] == y.content[:1] and not _LASTING.isdisjoint(x.content[:1]):
        return set()
    if _ruled_out(x, y) or _ruled_out(y, x):
        return {"negation"} if x.negative or y.negative else {"antonym"}
    mine, theirs = set(x.content), set(y.content)
    if not _LASTING.isdisjoint(mine & theirs):
        # "Since May" or not, one lives there.
        mine, theirs = mine - {_SINCE}, theirs - {_SINCE}
    opposites = [(p, q) for p in mine - theirs for q in theirs - mine if _exclude(p, q, x, y)]
    left = mine - theirs - {p for p, _ in opposites}
    right = theirs - mine - {q for _, q in opposites}
    if left and right:
        return set() if opposites else _swapped(x, y, left, right)
    extra = left | right
    if x.copula and y.copula and (x.changed or y.changed):
        # "Our plumber is called Ann", "it is Eve now".
        extra = extra - {same("name")}
    if x.quantities.dates.get("weekday") and y.quantities.dates.get("weekday"):
        # "Next Monday" and "on Wednesday" are two days of whatever weeks.
        extra = extra - _OF_WHICH_WEEK
    if not _one_thing(mine & theirs, extra, len(opposites)) or _more_on_both(x, y, left, right):
        return set()
    found = _particular_differences(x, y)
    if turned := _turned(x, y, opposites):
        return turned if not found and _denies_the_same(x, y, left if x.negative else right) else set()
    if len(found) > 1 and not _any_of(_ONCE, x, y):
        return set()
    return found or turned_round(x, y)


def _ruled_out(x: Statement, y: Statement) -> bool:
    """Whether one eats or drinks, by habit, what the other one rules out."""
    things = ruled_out(x.content, copula=x.copula, negative=x.negative)
    if not things or x.past or x.was or x.names or y.negative or y.copula or y.past:
        return False
    if x.quantities.numbers or x.quantities.dates:  # "no meat on Fridays"
        return False
    return not things.isdisjoint(consumed(y.content, y.leads))


def _exclude(p: str, q: str, x: Statement, y: Statement) -> bool:
    return opposed(p, q) and ((x.copula and y.copula) or not {p, q} <= SIBLINGS)


def turned_round(x: Statement, y: Statement) -> set[Difference]:
    """The same words about one another the other way round: "prefers tea to coffee", "prefers coffee to tea"."""
    if x.listed or y.listed or not (x.compares and y.compares):
        return set()
    mine, theirs = (x.content, names_of(x)), (y.content, names_of(y))
    same_words = all(Counter(p) == Counter(q) for p, q in zip(mine, theirs, strict=True))
    return {"order"} if same_words and mine != theirs else set()


def names_of(statement: Statement) -> tuple[str, ...]:
    """The names in order, without what stands before them."""
    return tuple(name for _, name in statement.names)


def _one_thing(shared: Collection[str], extra: Collection[str], opposites: int) -> bool:
    if len(extra) > MOST_EXTRA or opposites > 1 or not _RELATIONS.isdisjoint(extra):
        return False
    return not extra or bool(shared or opposites)


def _more_on_both(x: Statement, y: Statement, left: Collection[str], right: Collection[str]) -> bool:
    """Whether each tells of something that the other does not: "on a farm", "with Alice"."""
    mine, theirs = set(names_of(x)), set(names_of(y))
    return bool((left and theirs - mine) or (right and mine - theirs))


def _turned(x: Statement, y: Statement, opposites: Sequence[tuple[str, str]]) -> set[Difference]:
    # "Not old" and "young" agree: a denial and an opposite cancel out.
    if (x.negative != y.negative) == bool(opposites):
        return set()
    if not opposites:
        return {"negation"}
    one_after_the_other = x.past and y.past and any({p, q} <= _IN_TURN for p, q in opposites)
    return set() if one_after_the_other else {"antonym"}


def _denies_the_same(x: Statement, y: Statement, more_denied: Collection[str]) -> bool:
    """Who drinks no tea with milk may drink tea: the denial must not say more than what it denies."""
    since = x.copula and y.copula and (x.changed or y.changed) and _any_of(_SINGLE_VALUED, x, y)
    # "Is married since May" is what "is single" denies.
    if (x.quantities != y.quantities and not since) or x.was != y.was or not _names_denied(x, y):
        return False
    # "We talked" and "we have not talked" are of two days.
    said = min(len(x.content), len(y.content)) + len(x.names)
    return said > (x.past or y.past) and not (more_denied and x.negative != y.negative)


def _names_denied(x: Statement, y: Statement) -> bool:
    """Whether both name the same. Who is not married is not married to Tom either, where one is so at all."""
    mine, theirs = set(names_of(x)), set(names_of(y))
    denied, said = (mine, theirs) if x.negative else (theirs, mine)
    return denied == said or (denied < said and _any_of(_SINGLE_VALUED, x, y) and x.content == y.content)


def _swapped(x: Statement, y: Statement, left: Collection[str], right: Collection[str]) -> set[Difference]:
    """Another word in the place of one: a contradiction where only one can hold ("her favourite colour is …")."""
    if max(len(left), len(right)) > LONGEST_VALUE or x.negative != y.negative or x.progressive or y.progressive:
        return set()
    if x.names != y.names or x.quantities != y.quantities:
        return set()
    leads = {_lead(x, left), _lead(y, right)}
    if x.copula and y.copula and (x.changed or y.changed) and leads <= _PLACES:
        return {"value"}
    one = (_one_value(x, y, {*left, *right}) or _other_kind(x, y, left, right)) and len(leads) == 1
    return {"value"} if one and leads <= _LEADS_TO_A_VALUE else set()


def _lead(statement: Statement, words: Collection[str]) -> str:
    """What stands before the words: "under" of "under the mat", whether or not it counts as a word itself."""
    first = next(word for word in statement.content if word in words)
    return first if first in _PLACES else statement.leads[first]


def _one_value(x: Statement, y: Statement, values: set[str]) -> bool:
    if x.copula and y.copula:
        one = bool(x.subject) and (x.subject[-1] in _ATTRIBUTES or same("favourite") in x.subject)
        return one or values <= _COLOURS
    return x.content[0] == y.content[0] and x.content[0] in _SINGLE_VALUED


def _other_kind(x: Statement, y: Statement, left: Collection[str], right: Collection[str]) -> bool:
    """ "A labrador", "a poodle": of one thing, what it is."""
    return x.copula and y.copula and other_kind(left, right)


def _particular_differences(x: Statement, y: Statement) -> set[Difference]:
    # Where one has been, one may have been elsewhere too.
    been = (x.was or y.was) and x.subject == y.subject == ("i",) and not (x.content or y.content)
    happened = (been or x.past or y.past) and not (x.replaces or y.replaces or _any_of(_ONCE, x, y))
    if x.negative or y.negative or happened:
        # Not having two cats contradicts no other number; having gone in May, no going in June.
        return set()
    found: set[Difference] = set() if _of_several(x, y) else {*clash_of_quantities(x.quantities, y.quantities)}
    if not RELATIVE_DAYS.isdisjoint([*x.quantities.dates.get("when", []), *y.quantities.dates.get("when", [])]):
        # "Tomorrow" is another day each time it is said.
        found.discard("date")
    if not (x.copula or y.copula) and REPEATED & set(x.content) & set(y.content):
        # "I have a meeting on Monday", and another one on Wednesday.
        found.discard("date")
    if other_occasions(x, y):
        found -= {"number", "date"}
    if not clash_of_names(names_of(x), names_of(y)):
        return found
    lasting = not _LASTING.isdisjoint({*x.content[:1], *y.content[:1]})
    one_after_the_other = lasting and "date" in found and _SINCE not in {*x.content, *y.content}
    return found | {"name"} if _room_for_one(x, y) and not one_after_the_other else set()


def _of_several(x: Statement, y: Statement) -> bool:
    """Whether one does it on the one day of the week so, and on the other one so; or there may be two of a kind, "a
    7-year-old daughter" and "a 5-year-old daughter"."""
    if x.copula or y.copula or x.changed or y.changed:
        return False
    days = [statement.quantities.dates.get("weekday", []) for statement in (x, y)]
    return ((x.weekly or y.weekly) and days[0] != days[1]) or bool({"yearold"} & set(x.content) & set(y.content))


def _room_for_one(x: Statement, y: Statement) -> bool:
    """Another name in the same place, "in Rome" and "in Oslo", where only one can be."""
    if x.progressive or y.progressive or (_one_so_called(x) and _one_so_called(y)):
        return False
    exchanged = (x.changed or y.changed) and _any_of(_EXCHANGED, x, y)
    if not (_any_of(_SINGLE_VALUED, x, y) or (x.copula and y.copula) or x.replaces or y.replaces or exchanged):
        return False
    places = {lead for lead, _ in x.names}
    return any(clash_of_names(_after(lead, x), _after(lead, y)) for lead in places)


def _one_so_called(statement: Statement) -> bool:
    """ "I have a son called Tom": there may be another one."""
    return not statement.copula and not statement.changed and same("name") in statement.content[1:]


def _after(lead: str, statement: Statement) -> list[str]:
    return [name for before, name in statement.names if before == lead]


def _any_of(meanings: frozenset[str], x: Statement, y: Statement) -> bool:
    return not meanings.isdisjoint(_said_outright(x) & _said_outright(y))


def _said_outright(statement: Statement) -> set[str]:
    """What is not said by the way: who met someone "at work" does not work."""
    return {*statement.subject, *(word for word in statement.content if not statement.leads[word])}
