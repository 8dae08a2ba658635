"""Words that are not the speaker's own: quotations, a part in a play, a text handed over to be worked on.

A quotation is sheltered while the sentence around it is read, as a run of one character that occurs nowhere else, as
long as before so that positions stay true; and put back letter for letter.
"""

from collections.abc import Sequence

from memory_app.nlp import linear_re as re
from memory_app.nlp.extract.turns import SpokenTurn
from memory_app.nlp.extract.vocabulary import FIRST_PERSON, SECOND_PERSON
from memory_app.nlp.text import vocabulary

_FIRST_SHELTER, _LAST_SHELTER = 0xE100, 0xF8FF
"""Characters for private use, past those that folding a text uses."""

MAX_QUOTATION = 4_000
"""Characters of one quotation: what is longer is no quotation, but a mark that was never closed."""

_QUOTED = re.compile(
    # Over several lines only where nothing else stands before it, or a colon: a letter that was pasted.
    rf"(?:^|(?<=:\s))\"(?P<pasted>[^\"]{{1,{MAX_QUOTATION}}})\"|"
    # Where the mark is never closed, to the end of the line.
    rf"(?<!\w)\"(?P<straight>[^\s\"][^\"\n]{{0,{MAX_QUOTATION}}})|"
    rf"[“„](?P<curved>[^”“]{{1,{MAX_QUOTATION}}})[”“]|[“„](?P<open>[^”“\n]{{1,{MAX_QUOTATION}}})|"
    rf"«(?P<pointed>[^«»]{{1,{MAX_QUOTATION}}})»|‘(?P<single>[^‘’\n]*(?:\w’\w[^‘’\n]*)*)’(?!\w)|"
    r"(?<![\w'])'(?!\d|(?:cause|til|em|tis|twas|n|bout|round)\b)(?P<plain>\S(?:[^'\n]|(?<=\w)'(?=\w))*)(?<=\S)'(?!\w)",
    re.MULTILINE | re.IGNORECASE,
)
# The mark that ends what is quoted may end the sentence around it too.
_ENDING = re.compile(r"[.!?…,;:\s]*$")
_SHELTERED = re.by_python(
    rf"([{chr(_FIRST_SHELTER)}-{chr(_LAST_SHELTER)}])\1*", because="repeats of one character, and nothing around them"
)
_SAID_BY = re.compile(
    rf"(?:^|[,:]|\b(?:says?|said|tells?|told|asks?|asked|writes?|wrote|text(?:s|ed)|repl(?:ies|ied)|answers?|answered|like|"
    rf"goes|went|shouted|whispered|thinks?|thought|me|him|her|them|us)(?: \w+)?)\s*[\"“„«'‘]{re.PRIVATE}",
    re.IGNORECASE,
)
# "My friend says it's dull and “one day is too many”": what stands in such a sentence is theirs.
_QUOTING_VERB = re.compile(
    rf"\b(?:says?|said|reckons?|goes|told (?:me|us)|texted|wrote)\b.*[\"“„«'‘]{re.PRIVATE}", re.I
)
_SPEECH_PRONOUNS = FIRST_PERSON | SECOND_PERSON - vocabulary("u ur im ive")
_WORD = re.compile(r"[\w'’]+")


def mask_quotations(text: str) -> tuple[str, list[str]]:
    """The text with the inside of each quotation sheltered, and these insides, for `restored`."""
    text, inside = _SHELTERED.sub(lambda found: " " * len(found[0]), text), list[str]()

    def hide(found: re.Match) -> str:
        part = found.lastgroup or 0
        ending = _ENDING.search(found[part])
        words = found[part][: ending.start() if ending else None]
        if not words or len(inside) > _LAST_SHELTER - _FIRST_SHELTER:
            return found[0]
        inside.append(words)
        at = found.start(part) - found.start()
        return found[0][:at] + chr(_FIRST_SHELTER + len(inside) - 1) * len(words) + found[0][at + len(words) :]

    return _QUOTED.sub(hide, text), inside


def restore_quotations(text: str, inside: Sequence[str], *, speech: bool = True) -> str:
    """The text with its quotations as they were; `speech` false: those in which someone speaks stay away."""

    def show(found: re.Match) -> str:
        words = inside[ord(found[1]) - _FIRST_SHELTER]
        return words if speech or not _is_speech(words) else ""

    return _SHELTERED.sub(show, text)


def quotes_someone(text: str) -> bool:
    """Whether a sheltered text tells what was said: "she's like “…”", "“…”, said Bob"."""
    return _SAID_BY.search(text) is not None or _QUOTING_VERB.search(text) is not None


def _is_speech(words: str) -> bool:
    return not _SPEECH_PRONOUNS.isdisjoint(word.replace("’", "'") for word in _WORD.findall(words.lower()))


MAX_OWN_LENGTH = 160
"""Characters from which the turn after "summarise this" is the text to be worked on, not an answer."""

USER = "user"
_PLAY_BEGINS = re.compile(
    r"\b(?:pretend (?:that )?(?:you|to be|i|we)|let['’]?s (?:pretend|play (?:a |the )?(?:role|game|pretend)|role)|"
    r"role[- ]?play|stay in character|in character\b|act as (?:if|a|an|my|the)|play the (?:part|role) of|"
    r"imagine (?:that )?(?:you['’]?re|you are|i['’]?m|i am|we['’]?re)|be my (?:dungeon|game) master|"
    r"you(?:['’]re| are|['’]ll be| will be| play)(?: now)? (?:the |my )?(?:dm|gm|dungeon master|game master|narrator)|"
    r"(?:you['’]?re|you are|you be|you play) [^.?!]{2,60}(?:,| and)? (?:and )?(?:i['’]?m|i am|i['’]?ll be|i play) )",
    re.IGNORECASE,
)
# Nobody says this of themselves: it begins a play that was not announced.
_PLAYS_A_PART = re.compile(
    r"\b(?:none shall pass|my (?:queen|kingdom|lord|liege|castle|dragon|sword|spaceship|minions)|i am the (?:lord|king|"
    r"queen|wizard|emperor) of|\d+ (?:goblins|orcs|dragons)|\*[a-z]+s? [^*]{2,60}\*)",
    re.IGNORECASE,
)
_PLAY_ENDS = re.compile(
    r"\b(?:(?:stop|end|pause|leave|quit)(?: of)? (?:the |this |our )?(?:game|play|role[- ]?play|scene|story|"
    "character|pretending|act)|out of character|ooc|end (?:scene|of (?:the )?(?:game|scene|story|play))|game over|"
    "stop (?:pretending|playing|it)|back to (?:reality|real life|being)|break(?:ing)? character|drop the (?:act|"
    "character)|enough (?:of (?:that|this)|playing)|(?:ok(?:ay)?|right),? (?:serious(?:ly)?|for real)|in real life|"
    r"irl|(?:lol|haha),? (?:ok(?:ay)?|anyway))\b",
    re.IGNORECASE,
)
_WORK_ON = re.compile(
    r"\b(?:summari[sz]e|translate|proof ?read|rewrite|rephrase|reword|shorten|check|edit|correct|improve|polish|review|"
    r"critique|simplify|paraphrase|answer|reply to|respond to|make)\b[^.?!\n]{0,60}\b(?:this|it|these|the following|"
    r"below|text|essay|article|e-?mail|letter|message|paragraph|poem|story|review|post|speech|sound)\b",
    re.IGNORECASE,
)
_ASKS_TO_PASTE = re.compile(
    r"\b(?:paste|send|share|post|drop)\b[^.?!]{0,30}\b(?:it|text|here|in|over)\b", re.IGNORECASE
)


def foreign_turns(turns: Sequence[SpokenTurn]) -> frozenset[int]:
    """Positions of the turns of people that are play, or a text of others."""
    return frozenset(_played(turns) | _pasted(turns))


def _played(turns: Sequence[SpokenTurn]) -> set[int]:
    playing, found = "", set[int]()
    for at, turn in enumerate(turns):
        if turn.role != USER:
            continue
        if playing and _PLAY_ENDS.search(turn.content):
            playing = ""
        elif _PLAY_BEGINS.search(turn.content) or _PLAYS_A_PART.search(turn.content):
            playing = "play"
        if playing:
            found.add(at)
    return found


def _pasted(turns: Sequence[SpokenTurn]) -> set[int]:
    found = set[int]()
    for at, turn in enumerate(turns):
        if turn.role != USER or len(turn.content) < MAX_OWN_LENGTH:
            continue
        request = next((one for one in reversed(turns[:at]) if one.role == USER), None)
        before = turns[at - 1].content if at else ""
        if (request and _WORK_ON.search(request.content)) or _ASKS_TO_PASTE.search(before[-200:]):
            found.add(at)
    return found
