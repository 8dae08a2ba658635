"""What someone is by their work: who is a nurse is no teacher, but may be a mother, a painter or a student as well.

English, by the form of the claim: one that says just this. Closed, everyday classes, each of work that goes together;
what one may be beside one's work, for the love of it or in one's free time, is in none.
"""

from collections.abc import Collection, Sequence

from memory_app.rules.inflection import base
from memory_app.rules.text import vocabulary
from memory_app.rules.tokens import FUNCTION_WORDS

_CLASSES = (
    "doctor physician surgeon cardiologist dermatologist oncologist neurologist radiologist paediatrician pediatrician "
    "psychiatrist gynaecologist gynecologist urologist anaesthetist anesthesiologist gp",
    "nurse midwife paramedic caregiver",
    "dentist orthodontist hygienist",
    "vet veterinarian",
    "pharmacist chemist",
    "psychiatrist psychologist psychotherapist therapist counsellor counselor physiotherapist physio",
    "optician optometrist",
    "teacher schoolteacher professor lecturer headteacher headmaster headmistress",
    "professor lecturer scientist researcher biologist physicist chemist mathematician historian geologist",
    "lawyer attorney solicitor barrister judge notary paralegal",
    "engineer developer programmer architect technician electrician mechanic",
    "accountant bookkeeper auditor banker economist actuary",
    "plumber electrician mechanic carpenter joiner bricklayer mason roofer welder plasterer locksmith builder "
    "scaffolder glazier",
    "baker butcher confectioner chef pastrycook",
    "waiter waitress bartender barista barman barmaid chef",
    "hairdresser barber beautician",
    "cashier shopkeeper salesman saleswoman",
    "trucker pilot steward stewardess",
    "policeman policewoman cop detective soldier",
    "firefighter fireman firewoman paramedic",
    "journalist reporter",
    "librarian archivist",
    "secretary receptionist clerk",
    "postman mailman postwoman courier",
    "farmer",
    "tailor seamstress dressmaker",
    "miner",
    "janitor caretaker",
    "interpreter translator",
)
_CLASSES_OF: dict[str, frozenset[int]] = {
    word: frozenset(n for n, listed in enumerate(_CLASSES) if word in map(base, vocabulary(listed)))
    for word in {base(word) for listed in _CLASSES for word in vocabulary(listed)}
}
_WORK = frozenset(_CLASSES_OF)

_IS = vocabulary("am is be been 's 'm")
_IN_PASSING = vocabulary("now currently actually still just finally again already")
# "A good teacher" may be told of anyone, and so may what one is beside one's work, no more, or not yet.
_NOT_OF_WORK = vocabulary(
    "also good great bad terrible better best keen passionate avid born natural decent wannabe self-proclaimed "
    "parttime volunteer hobby amateur private retired former ex trainee student apprentice aspiring future trained "
    "qualified licensed certified yoga pilates dance music piano guitar ski surf swimming sunday diving fitness zumba "
    "driving armchair weekend weekends evenings freelance side heart training trade sort bit like regular patient "
    "client role fictional"
)
_ENDS = vocabulary("at in for with of by from on to since near who that where here there as until")
LONGEST = 4
"""Words of a kind of work: "a primary school maths teacher"."""
# Of whom one has several, so that two claims may be about two of them.
_OF_SEVERAL = frozenset(
    map(
        base,
        vocabulary(
            "friend colleague neighbour neighbor cousin client customer classmate roommate flatmate uncle aunt nephew "
            "niece sister brother son daughter child kid parent grandparent sibling twin teammate student"
        ),
    )
)


def work(predicate: Sequence[str], names: Collection[str], *, listed: bool) -> str:
    """What someone is by a claim of these words after its subject, as a base form; empty where it says another thing,
    or more. listed: whether it joins several things."""
    words = [word for word in predicate if word not in names]
    if listed or not _NOT_OF_WORK.isdisjoint(words):
        return ""
    words = [word for word in words if word not in _IN_PASSING]
    if words[:1] in (["work"], ["works"]) and words[1:2] == ["as"]:
        words = words[2:]
    elif words[:1] and (words[0] in _IS or words[0] == "become"):
        words = words[1:]
    elif words[:1] not in (["a"], ["an"]):
        return ""
    if words[:1] not in (["a"], ["an"]):
        return ""
    until = next((at for at, word in enumerate(words) if word in _ENDS), len(words))
    said = words[1:until]
    if not said or len(said) > LONGEST or not FUNCTION_WORDS.isdisjoint(said):
        return ""
    return base(said[-1]) if base(said[-1]) in _WORK else ""


def other_work(one: str, other: str, subject: Sequence[str]) -> bool:
    """Whether both are work, of kinds that do not go together, of someone of whom there is one."""
    if not one or not other or not subject or subject[-1] in _OF_SEVERAL:
        return False
    return _CLASSES_OF[one].isdisjoint(_CLASSES_OF[other])


def names_other_work(mine: Collection[str], theirs: Collection[str]) -> bool:
    """Whether two sets of key words, which are base forms, name kinds of work that do not go together."""
    left, right = _WORK.intersection(mine), _WORK.intersection(theirs)
    return any(_CLASSES_OF[one].isdisjoint(_CLASSES_OF[other]) for one in left for other in right)
