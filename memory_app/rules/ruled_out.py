"""What a diet or a denial rules out: a vegetarian eats no steak, and who drinks no alcohol drinks no beer.

Closed, everyday classes of English only, of what is eaten and drunk.
"""

from collections.abc import Collection, Mapping

from memory_app.rules.inflection import base
from memory_app.rules.opposites import SAME
from memory_app.rules.text import vocabulary


def _meanings(listed: str) -> frozenset[str]:
    return frozenset(SAME.get(base(word), base(word)) for word in vocabulary(listed))


_MEAT = _meanings(
    "meat steak beef pork chicken ham bacon lamb turkey sausage salami veal venison duck goose brisket meatball "
    "schnitzel prosciutto chorizo poultry"
)
_FISH = _meanings("fish salmon tuna cod trout herring anchovy sardine mackerel shrimp prawn lobster crab oyster")
_MILK = _meanings("dairy cheese butter milk yoghurt yogurt cream")
_EGGS = _meanings("egg omelette")
_ALCOHOL = _meanings("alcohol beer wine whisky whiskey vodka gin rum champagne prosecco cider liquor ale lager")

_EAT, _DRINK = base("eat"), base("drink")
_RULED_OUT = {
    base(word): things
    for word, things in {
        "vegetarian": _MEAT | _FISH,
        "pescatarian": _MEAT,
        "vegan": _MEAT | _FISH | _MILK | _EGGS,
        "teetotal": _ALCOHOL,
        "teetotaller": _ALCOHOL,
    }.items()
}
_ALL_OF = {
    base(word): things
    for word, things in {"meat": _MEAT, "fish": _FISH, "seafood": _FISH, "dairy": _MILK, "alcohol": _ALCOHOL}.items()
}
"""What is denied with a word that stands for many: "no meat" is no steak."""

_MADE_LIKE_IT = _meanings("vegan vegetarian plantbased veggie tofu soy soya oat almond coconut rice nut alcoholfree")
_MEALS = _meanings("breakfast lunch dinner supper brunch")


def ruled_out(content: Collection[str], *, copula: bool, negative: bool) -> frozenset[str]:
    """What someone does not eat or drink, as base forms, by a claim of this content: "is vegan", "eats no meat"."""
    if copula and not negative and len(content) == 1:
        return frozenset().union(*(_RULED_OUT.get(word, ()) for word in content))
    if negative and len(content) == 2 and not {_EAT, _DRINK}.isdisjoint(content):
        return frozenset().union(*(_ALL_OF.get(word, ()) for word in content))
    return frozenset()


def consumed(content: Collection[str], leads: Mapping[str, str]) -> set[str]:
    """What a claim of this content says is eaten or drunk: "eats steak", "has cheese for breakfast"."""
    at_meals = any(word in _MEALS and leads[word] == "for" for word in content)
    if not (at_meals or not {_EAT, _DRINK}.isdisjoint(content)) or not _MADE_LIKE_IT.isdisjoint(content):
        return set()
    return {word for word in content if leads[word] == ""}


def bear_on(mine: Collection[str], theirs: Collection[str]) -> bool:
    """Whether one of two sets of key words names what the other one rules out."""
    return any(
        not things.isdisjoint(other)
        for said, other in ((mine, theirs), (theirs, mine))
        for word in said
        if (things := _RULED_OUT.get(word) or _ALL_OF.get(word))
    )
