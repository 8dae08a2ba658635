"""What a short reply about numbered texts is made of: yes, no, all, "but", numbers, ordinals, words of a text.

It only reads; `replies` says what the signs mean together. Words misspelt, as pictures, in German, French or Spanish
are read as plain English ones; a word that stands for several things is not understood.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import vocabulary, words

Kind = Literal[
    "yes", "no", "not", "drop", "keep", "all", "both", "none", "except", "but", "only", "rest", "them", "stop", "and",
    "or", "pick",
]  # fmt: skip

# No reply to a question is longer, in characters; what is longer is something else.
LONGEST_REPLY = 300

# Words match from this many letters on when one begins the other, so that "budgets" finds "budget".
_STEM = 4

_CARDINALS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_COUNTS = {**_CARDINALS, "couple": 2, "pair": 2}
_ORDINALS = {
    **{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5},
    **{"sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10},
}

_THEM = r"(?:it|that|this|them|those|these)"
# Sayings of several words become one sign each, written "~kind"; the order matters.
_PHRASE_SIGNS: tuple[tuple[re.Pattern, str], ...] = tuple(
    (re.compile(saying), f" ~{kind} " if kind else " ")
    for saying, kind in (
        (r"(?<=\bfirst|econd|third|.last)'s\b|^(?:ok|okay|well|oh)[,.!]* (?=(?:no|nope|nah)\b)", ""),
        (r"\b(?:with|about|on) the \w+[ .,…]+(?:no,? |sorry,? |or,? )*i mean\b", ""),
        (r"\blgtm\b|\b(?:yes|yeah|yep|yup|sure|ok|okay)[,.]? go on(?: then)?\b", "yes"),
        # What refuses all of it, in many words.
        (
            r"\b(?:no[,.!]* )?(?:please )?(?:don't|do not|dont|never) (?:[a-z]+ ){1,5}(?:any|anything|either)\b"
            rf"(?: of {_THEM})?|\b(?:none|nothing) (?:of )?(?:the )?above\b|\bnothing at all\b|"
            rf"\bno (?:to|for) (?:all|everything|both|any)(?: of {_THEM})?\b|"
            rf"\b(?:don't|do not) (?:want|need|like) {_THEM}(?=[.! ]*$)|\bnot (?:a |even )?(?:single )?one\b|"
            rf"\bnot any(?: of {_THEM})?\b|\b(?:none|nothing)(?: of {_THEM})\b|\b(?:none|nothing)\b(?! else| more)|"
            rf"\bneither(?: one)?(?: of {_THEM})?\b(?! nor)(?! \w+ nor)|\bnot (?:those|these|them|that)\b",
            "none",
        ),
        (
            r"\b(?:absolutely|definitely|certainly|of course|sure(?:ly)?|obviously|clearly|probably|"
            r"preferably) not(?=[.! ]*$)|\bno[,.]? (?:thanks|thank you|need|way|please don't|i don't|don't)\b|"
            r"^(?:please )?(?:don't|do not)[.!]*$|\b(?:no|nope|nah)[,.!]* (?:(?:that's|that is|it's|i'm|"
            r"we're) (?:good|great|right|fine|ok|okay|all)|all good)\b|\bnot (?:really|now|today|this time|at all|ok|"
            r"okay|fine|right|correct)\b|\bi don't think so\b|\brather not\b|\bdon't bother\b",
            "no",
        ),
        (r"\b(?:and )?(?:nothing (?:else|more)|that's (?:all|it)|that is (?:all|it))\b", "only"),
        (
            r"\b(?:that|this|it)(?:'d| would) be (?:great|good|nice|lovely|perfect|wonderful|fine|helpful)\b|"
            r"\bi(?:'d| would) (?:like|love|appreciate) (?:that|this|it)\b|"
            r"\bno problem\b|\bwhy not\b|\bgo (?:ahead|for it)\b|\bdo (?:it|that|so)\b|\bplease do\b(?! not\b)|"
            r"\b(?:sounds?|looks?|that's|that is|it's|all) (?:good|great|right|fine|correct|perfect|ok|okay)\b|"
            r"\bof course\b|\bby all means\b|\b(?:fine by|works for) me\b|\bi (?:guess|think) so\b|\byes (?:to|for)\b",
            "yes",
        ),
        (r"\beverything else\b|\ball (?:the )?others?\b|\bthe (?:others?|remaining(?: ones)?|rest)\b", "rest"),
        (
            rf"\b(?:all|each|every one) of {_THEM}\b|\bthe (?:whole )?lot\b|\b{_THEM} all\b|"
            r"\ball (?:of )?(?:the )?above\b|\bevery single (?:one|thing)\b",
            "all",
        ),
        (rf"\bboth of {_THEM}\b|\b{_THEM} both\b", "both"),
        (r"\bexcept for\b|\bapart from\b|\bother than\b|\bleaving out\b", "except"),
        (r"\bno (?:to|for)\b|\b(?:leave|take|left) out\b|\b(?:don't|do not|dont)\b|\bneither\b|\bnor\b", "not"),
    )
)
_SIGNS: dict[str, Kind] = {
    **dict.fromkeys(("yes", "yeah", "yep", "yup", "yea", "ya", "y", "sure", "ok", "okay", "fine", "definitely"), "yes"),
    **dict.fromkeys(("absolutely", "certainly", "correct", "right", "exactly", "affirmative", "agreed"), "yes"),
    **dict.fromkeys(("no", "nope", "nah", "n", "never", "negative"), "no"),
    **dict.fromkeys(("not", "isn't", "aren't"), "not"),
    **dict.fromkeys(
        ("drop", "skip", "forget", "reject", "ignore", "discard", "delete", "remove", "erase", "lose", "bin"), "drop"
    ),
    **dict.fromkeys(("remember", "keep", "save", "accept", "add", "include", "store", "take", "want"), "keep"),
    **dict.fromkeys(("all", "everything", "every", "each"), "all"),
    **dict.fromkeys(("except", "excluding", "besides", "without", "minus"), "except"),
    **dict.fromkeys(("only", "just"), "only"),
    **dict.fromkeys(("them", "those", "these"), "them"),
    **dict.fromkeys((".", ";", "!"), "stop"),
    **dict.fromkeys((",", "and", "&", "plus", "/"), "and"),
    "both": "both",
    "but": "but",
    "or": "or",
    "rest": "rest",
    "others": "rest",
}
EMPTY_WORDS = vocabulary(
    "the a an one ones that this it its it's is was are be to of for me i i'd i'll you please pls thanks thank so um "
    "uh hmm oh well would like could can let's think mean number option item # no. about with from in on at my your "
    "as also too guess suppose really memory memories thing things note notes proposal suggestion should hey hi then "
    "now maybe numbers options items result results match matches barnabee keepsake may lovely great perfect cool "
    "nice awesome brilliant very much hell heck sir though haha lol whatever"
)
_TOKEN = re.compile(r"~\w+|#?\d+(?:st|nd|rd|th)?(?!\w)|[^\W_]+(?:'[^\W\d_]+)?|[-–.;!,&/?]")
_NUMBER = re.compile(r"#?(\d{1,3})(st|nd|rd|th)?$")


@dataclass(frozen=True)
class Sign:
    """One part of a reply; a pick carries the positions (from 0) of the texts it points at, by number or `worded`."""

    kind: Kind
    at: frozenset[int] = frozenset()
    worded: bool = False


class NotUnderstoodError(ValueError):
    """A part of the reply is no sign and points at no text, or at several where one was meant."""


def read_signs(reply: str, texts: Sequence[str]) -> list[Sign]:
    """The signs a reply is made of, in order; NotUnderstoodError when some of it cannot be read."""
    text = to_plain_words(reply[:LONGEST_REPLY])
    for saying, sign in _PHRASE_SIGNS:
        text = saying.sub(sign, text)
    return list(_Reader(_TOKEN.findall(text), texts).read())


class _Reader:
    """Walks the tokens of a reply once, turning numbers, ordinals and words of the texts into picks."""

    def __init__(self, tokens: list[str], texts: Sequence[str]) -> None:
        self.tokens, self.texts, self.at = tokens, texts, 0

    def read(self) -> Iterator[Sign]:
        while self.at < len(self.tokens):
            pick = self.span() or self.number_range()
            if pick is not None:
                yield Sign("pick", pick)
                continue
            yield from self.sign_or_words()

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < len(self.tokens) else ""

    def span(self) -> frozenset[int] | None:
        """ "the first two", "the last 2", "last", "second to last", "middle"; of two "the former", "the latter"."""
        word, following, total = self.peek(), self.peek(1), len(self.texts)
        if word in ("former", "latter") and total == len(("former", "latter")):
            return self.taken(1, {int(word == "latter")})
        if word not in ("first", "last", "top", "final", "middle", "bottom"):
            return self.from_the_end()
        if word == "middle":
            return self.taken(1, {total // 2}) if total % 2 else None
        count = _COUNTS.get(following) or (int(following) if following.isdigit() else None)
        if count is not None and following != "one":
            count = min(count, total + 1)
            positions = range(count) if word in ("first", "top") else range(total - count, total)
            return self.taken(2, set(positions))
        return self.taken(1, {0 if word in ("first", "top") else total - 1})

    def from_the_end(self) -> frozenset[int] | None:
        back = _ORDINALS.get(self.peek())
        if back is not None and self.peek(1) in ("to", "from") and self.peek(2) in ("last", "the"):
            return self.taken(3 if self.peek(2) == "last" else 4, {len(self.texts) - back})
        return None

    def number_range(self) -> frozenset[int] | None:
        """ "2", "#2", "2nd", "second", "two", and "1-3", "one to three"."""
        first = self.number(0)
        if first is None:
            return None
        last = self.number(2) if self.peek(1) in ("-", "–", "to", "through", "thru", "until") else None
        if last is None:
            return self.taken(1, {first - 1})
        if last < first:
            raise NotUnderstoodError
        return self.taken(3, set(range(first - 1, last)))

    def number(self, ahead: int) -> int | None:
        word = self.peek(ahead)
        found = _NUMBER.match(word)
        if found is not None:
            # "the 50 one" may be a word of a text; a number of a text always comes first.
            return int(found[1]) if 1 <= int(found[1]) <= len(self.texts) or not self.matching([word]) else None
        if word in _CARDINALS and not self.is_pronoun(ahead):
            return _CARDINALS[word]
        return _ORDINALS.get(word)

    def is_pronoun(self, ahead: int) -> bool:
        """Whether a number word only stands for a noun: "the blue one", "one of them", "the two"."""
        before, after = self.peek(ahead - 1), self.peek(ahead + 1)
        if after in ("of", "about", "with", "more", "from"):
            return True
        free = before in ("", "number", "option", "item", "-", "–", "to", "through", "thru")
        return not (free or before in _SIGNS or before.startswith("~"))

    def taken(self, tokens: int, positions: set[int]) -> frozenset[int]:
        if not positions or min(positions) < 0 or max(positions) >= len(self.texts):
            raise NotUnderstoodError
        self.at += tokens
        return frozenset(positions)

    def sign_or_words(self) -> Iterator[Sign]:
        word = self.peek()
        sign = word[1:] if word.startswith("~") else _SIGNS.get(word)
        if sign is not None:
            self.at += 1
            yield Sign(sign)  # type: ignore[arg-type]  # the kinds written in _SAYINGS are kinds
        elif word in EMPTY_WORDS or not word[0].isalnum():
            self.at += 1
        else:
            yield Sign("pick", self.words_of_a_text(), worded=True)

    def words_of_a_text(self) -> frozenset[int]:
        """The text that has all the words from here to the next sign: "the budget one", "those about tiles"."""
        start, run = self.at, []
        while (word := self.peek()) and word not in _SIGNS and word[0] not in "~-–.;!,&/?":
            if word not in EMPTY_WORDS:
                run.append(word)
            self.at += 1
        several = "ones" in self.tokens[start : self.at] or self.peek(start - self.at - 1) in ("all", "both", "every")
        found = self.matching(run)
        if not found or (len(found) > 1 and not several):
            raise NotUnderstoodError
        return frozenset(found)

    def matching(self, run: list[str]) -> list[int]:
        wanted = [word for part in run for word in words(part)]
        return [at for at, text in enumerate(self.texts) if _has_all(words(text), wanted)]


def _has_all(present: list[str], wanted: list[str]) -> bool:
    return bool(wanted) and all(any(_alike(word, other) for other in present) for word in wanted)


def _alike(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return word == other or (len(shorter) >= _STEM and longer.startswith(shorter) and len(longer) - len(shorter) <= 3)


_SPELLINGS = {
    "yes": "yess yesss yees yas yass yeas yse ye jep jup ja jaa jawohl klar gerne genau oui ouais si sí claro",
    "no": "noo nooo noooo nop nein nee nö nöö noes non",
    "okay": "k kk okey okei oki okeydoke alright d'accord einverstanden",
    "please": "plz pls plse pleas bitte svp stp",
    "thanks": "thx thanx tx ty tysm danke dankeschön merci gracias",
    "all": "alles alle allen toutes tous tout todo todos todas evrything everyting evrything everythng",
    "none": "keine keins keines keiner keinen aucun aucune ninguno ninguna",
    "nothing": "nothin nothign nuthin nichts nix rien nada",
    "not": "nicht pas",
    "and": "und et adn nd",
    "or": "oder ou",
    "but": "aber mais pero",
    "except": "außer ausser exept excpet execpt sauf excepto",
    "only": "jsut juts nur bloß seulement uniquement solo solamente onyl",
    "rest": "übrigen",
    "both": "beide beides",
    "keep": "keeep behalte behalten speichere speichern merke merken garde gardez garder guarda nimm",
    "remember": "rember remeber remmeber rememeber remembr",
    "forget": "vergiss vergessen oublie oubliez oublier olvida",
    "first": "frist fisrt erste erster ersten erstes premier première premiere primero primera",
    "second": "secnd secound secodn zweite zweiter zweiten zweites deuxième deuxieme seconde segundo segunda",
    "third": "thrid tird dritte dritter dritten drittes troisième troisieme tercero tercera",
    "fourth": "forth vierte vierter vierten viertes quatrième quatrieme cuarto cuarta",
    "last": "letzte letzter letzten letztes dernier dernière derniere último última",
    "1": "eins", "2": "zwei deux", "3": "thre drei trois", "4": "vier quatre", "5": "fünf cinq",
    "number": "numer nubmer numbr nummer nr nº numéro numero",
    "the": "teh der die das dem den le la les el los las davon dessen mir mich ne mit über von zu aus ich meine meinte "
    "celui celle ceux avec sur du des c'est c'était",
}  # fmt: skip
_PLAIN_WORD = {written: plain for plain, several in _SPELLINGS.items() for written in several.split()}

_EMOJI = {"👍": "yes", "✅": "yes", "✔": "yes", "☑": "yes", "👎": "no", "❌": "no", "✖": "no", "🚫": "no"}
_EMOJI_PATTERN = re.by_python("|".join(_EMOJI), because="one character of a list")

# A pointing number run together with a word of the answer: "1and3", "yes1", "2n".
_RUN_ON = re.compile(r"(?<=\d)(?=(?:and|or|yes|no|y|n)(?:\d|\b))")
_RUN_IN = re.compile(r"\b(and|or|yes|no|not|y|n)(?=\d+\b)")

_PHRASES = tuple(
    (re.compile(saying), plain)
    for saying, plain in (
        (r"\bs'il (?:te|vous) pla[iî]t\b", "please"),
        (r"\bbis auf\b", "except"),
        (r"\bes (?:war|ist)\b", ""),
        (r"\b(?:(?:die )?ersten (?:beiden|zwei)|les deux premi(?:er|ère)s)\b", "the first two"),
        (r"^((?:das|den|die) \w+) (?:lieber )?nicht\b(?= ?[.!]*$)", r"not \1"),
        (r"\b(?:lieber|besser) (?:doch )?nicht\b|\bplutôt (?:pas|non)\b", "better not"),
        (r"\b(?:tous )?les deux\b", "both"),
        (r"\b(?:die anderen|les autres|los otros)\b", "the others"),
        (r"\b(?:lass (?:es|das|mal)|laissez? tomber|oubliez? (?:ça|ca|cela)|vergiss (?:es|das))\b", "forget it"),
        (r"\b(?:weiß|weiss|weis) (?:ich )?nicht\b|\b(?:je )?(?:ne )?sais pas\b|\bno (?:lo )?s[eé]\b", "dunno"),
        (r"\b(?:nicht jetzt|jetzt nicht|pas maintenant|ahora no)\b", "not now"),
        (r"\b(?:später|spaeter|plus tard|más tarde|mas tarde)\b", "later"),
        (r"\b(?:vielleicht|peut[- ]?[êe]tre|quizás?)\b", "maybe"),
    )
)
_WORD = re.compile(r"(?<!\w)(?:[^\W\d_]+(?:'[^\W\d_]+)?|nº)(?!\w)")


def to_plain_words(reply: str) -> str:
    """The reply in small letters with plain English words where it had others of the same meaning."""
    text = _EMOJI_PATTERN.sub(lambda found: f" {_EMOJI[found[0]]} ", reply.lower().replace("’", "'"))
    text = _RUN_IN.sub(r"\1 ", _RUN_ON.sub(" ", text))
    for saying, plain in _PHRASES:
        text = saying.sub(plain, text)
    return _WORD.sub(lambda found: _PLAIN_WORD.get(found[0], found[0]), text)
