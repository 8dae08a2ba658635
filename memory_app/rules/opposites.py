"""Words that mean the same, the opposite, or "not", for telling a paraphrase from a contradiction.

Closed, everyday classes of English only; what is not listed is compared as it is written.
"""

from memory_app.rules.inflection import base
from memory_app.rules.text import vocabulary


def _bases(listed: str) -> frozenset[str]:
    return frozenset(base(word) for word in listed.split())


# The first word of a line stands for all of it.
_SAME = """
like love enjoy adore fancy
prefer favour favor
big large huge
small little tiny
child kid
mother mom mum mommy
father dad daddy
car automobile
doctor physician
buy purchase
begin start commence
end finish conclude
job occupation profession
work employed employ employment
live reside resides residence
film movie
flat apartment
phone telephone mobile
talk speak
wed marry wedding
holiday vacation
sick ill
glad happy
quick fast
pupil student
present gift
photo picture photograph
clever smart intelligent
rise wake up
own possess
receive get obtain
call name
bicycle bike
shop store
need require
allergic allergy
colour color
favourite favorite
usual regular
trip journey
""".strip().splitlines()
SAME = {base(word): base(line.split()[0]) for line in _SAME for word in line.split() if word != "up"}

# Words that say "not" of another word: hating is not liking.
NEGATED = {
    base(word): SAME.get(base(meaning), base(meaning))
    for meaning, negatives in {
        "like": "dislike hate detest loathe despise abhor",
        "work": "unemployed jobless",
        "trust": "distrust mistrust",
        "agree": "disagree",
        "continue": "quit stop cease discontinue",
        "remember": "forget",
        "accept": "reject refuse decline",
        "allow": "forbid prohibit ban",
        "able": "unable",
        "marry": "single divorced unmarried widow widower widowed",
        "pass": "fail flunk",
    }.items()
    for word in negatives.split()
}

NEGATIONS = vocabulary(
    "not never no without neither nor none nobody nothing cannot hardly barely lacks lack former formerly"
)
# Of two or more words, read as one negation.
NEGATIVE_PHRASES = (
    "no longer", "not any more", "not anymore", "not any longer", "used to", "gave up", "given up", "gives up",
    "stay away from", "stays away from", "far from", "free of", "rather than", "instead of", "not at all",
)  # fmt: skip
# "cannot stand" is dislike, not a missing ability: the phrase is one word with its own "not".
PHRASES = {
    "can not stand": "dislike",
    "can not bear": "dislike",
    "not a fan of": "dislike",
    "not fond of": "dislike",
    "a big fan of": "like",
    "a fan of": "like",
    "fond of": "like",
    "keen on": "like",
    "crazy about": "like",
    "passionate about": "like",
    "takes place": "is",
    "take place": "is",
    "took place": "was",
}

# What cannot both be said of one thing; several words on a side share that side.
_OPPOSED = (
    ("before", "after"), ("early earlier", "late later"), ("morning", "evening afternoon night"),
    ("vegetarian vegan", "meat steak carnivore"), ("always", "never rarely seldom"), ("often", "rarely seldom never"),
    ("buy bought", "sell"), ("open", "close shut"), ("begin", "end"), ("arrive", "leave depart"), ("win", "lose"),
    ("accept", "reject"), ("increase rise", "decrease drop"), ("more", "less fewer"), ("left", "right"),
    ("north", "south"), ("east", "west"), ("hot warm", "cold cool"), ("big", "small"), ("tall", "short"),
    ("long", "short"), ("old", "young new"), ("high", "low"), ("cheap", "expensive"), ("easy", "difficult hard"),
    ("safe", "dangerous"), ("healthy", "sick"), ("happy", "sad"), ("alive", "dead"), ("rich", "poor"),
    ("strong", "weak"), ("light", "dark heavy"), ("full", "empty"), ("indoors inside", "outdoors outside"),
    ("public", "private"), ("true", "false"), ("eat drink", "avoid skip"), ("pass", "fail"),
    ("introvert introverted", "extrovert extroverted"), ("teetotal teetotaller", "wine beer alcohol"),
    ("first", "last"), ("best", "worst"), ("good", "bad"), ("quiet", "loud noisy"), ("remote home", "office"),
    ("weekly", "daily monthly yearly"), ("daily", "monthly yearly"), ("monthly", "yearly"), ("minimum", "maximum"),
    ("hire", "fire"), ("approve", "reject"), ("confirm", "cancel"), ("black", "white"),
    ("fulltime", "parttime"), ("import", "export"), ("borrow", "lend"), ("lefthanded", "righthanded"),
    ("window", "aisle"), ("boy son brother", "girl daughter sister"), ("am", "pm"),
)  # fmt: skip
OPPOSED = frozenset(
    frozenset((SAME.get(a, a), SAME.get(b, b))) for left, right in _OPPOSED for a in _bases(left) for b in _bases(right)
)


SIBLINGS = _bases("boy son brother girl daughter sister")
"""Who has the one may well have the other; what is the one is not the other."""


def opposed(a: str, b: str) -> bool:
    """Whether two base forms exclude one another."""
    return frozenset((a, b)) in OPPOSED
