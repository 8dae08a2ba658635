"""Telling that "moved" and "moves" are one English word: near enough to compare texts with. Not a dictionary."""

from functools import lru_cache

from memory_app.rules.text import vocabulary

_IRREGULAR_FORMS = """
be: am is are was were been being 's 're 'm
have: has had having 've
do: does did done doing
go: goes went gone
get: gets got gotten
buy: bought
bring: brought
teach: taught
think: thought
find: found
make: made
say: said
see: saw seen
take: took taken
give: gave given
come: came
become: became
begin: began begun
use: used using uses
leave: left
meet: met
sell: sold
tell: told
win: won
lose: lost
run: ran
eat: ate eaten
drink: drank drunk
drive: drove driven
speak: spoke spoken
write: wrote written
wear: wore worn
grow: grew grown
know: knew known
fly: flew flown
break: broke broken
choose: chose chosen
build: built
send: sent
spend: spent
sleep: slept
keep: kept
feel: felt
hear: heard
hold: held
pay: paid
stand: stood
understand: understood
sing: sang sung
swim: swam swum
fall: fell fallen
rise: rose risen
wake: woke woken
child: children
person: people persons
man: men
woman: women
wife: wives
life: lives'
foot: feet
die: dies died dying
lie: lies lied lying
try: tries tried trying
"""
_IRREGULAR = {
    form: base
    for base, forms in (line.split(":") for line in _IRREGULAR_FORMS.strip().splitlines())
    for form in forms.split()
}
_UNCHANGED = vocabulary(
    "always this his its us yes bus gas news series species perhaps thus was plus less unless christmas across class "
    "glass bring thing king ring spring during morning evening wedding nothing something anything everything red bed "
    "need feed speed seed weed hundred kindred shed sled wed tennis paris tuesday wednesday thursday"
)
_VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=8192)
def base(word: str) -> str:
    """A key that a word's inflections share, not a word to show: "moves", "moved" and "moving" are "mov"."""
    word = word.lower()
    word = _IRREGULAR.get(word, word)
    if word not in _UNCHANGED and len(word) > 3:
        word = _without_ending(word)
    # A final e comes and goes ("moving", "moved"), so no key has one.
    return word.removesuffix("e") if len(word) > 3 else word


def _without_ending(word: str) -> str:
    if word.endswith("s"):
        return _without_s(word)
    for ending in ("ied", "ed", "ing"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 2 and _VOWELS & set(stem):
            return stem + "y" if ending == "ied" else _undoubled(stem)
    return word


def _without_s(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes", "oes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def _undoubled(stem: str) -> str:
    """ "stopp" is "stop"; "call", "pass" and "buzz" stay."""
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
