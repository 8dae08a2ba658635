"""Turns in which people do not speak for themselves: a part they play, until the play ends, and texts of others that
they hand over to be worked on.
"""

from collections.abc import Sequence

from memory_app.nlp import linear_re as re
from memory_app.nlp.extract.turns import SpokenTurn

MAX_OWN_LENGTH = 160
"""Characters from which the turn after "summarise this" is the text to be worked on, not an answer."""

USER = "user"
_BEGINS = re.compile(
    r"\b(?:pretend (?:that )?(?:you|to be|i|we)|let['’]?s (?:pretend|play (?:a |the )?(?:role|game|pretend)|role)|"
    r"role[- ]?play|stay in character|in character\b|act as (?:if|a|an|my|the)|play the (?:part|role) of|"
    r"imagine (?:that )?(?:you['’]?re|you are|i['’]?m|i am|we['’]?re)|be my (?:dungeon|game) master|"
    r"you(?:['’]re| are|['’]ll be| will be| play)(?: now)? (?:the |my )?(?:dm|gm|dungeon master|game master|narrator)|"
    r"(?:you['’]?re|you are|you be|you play) [^.?!]{2,60}(?:,| and)? (?:and )?(?:i['’]?m|i am|i['’]?ll be|i play) )",
    re.IGNORECASE,
)
# Nobody says this of themselves: it begins a play that was not announced.
_IN_A_PART = re.compile(
    r"\b(?:none shall pass|my (?:queen|kingdom|lord|liege|castle|dragon|sword|spaceship|minions)|i am the (?:lord|king|"
    r"queen|wizard|emperor) of|\d+ (?:goblins|orcs|dragons)|\*[a-z]+s? [^*]{2,60}\*)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\b(?:(?:stop|end|pause|leave|quit)(?: of)? (?:the |this |our )?(?:game|play|role[- ]?play|scene|story|character|"
    r"pretending|act)|out of character|ooc|end (?:scene|of (?:the )?(?:game|scene|story|play))|game over|"
    r"stop (?:pretending|playing|it)|back to (?:reality|real life|being)|break(?:ing)? character|drop the (?:act|"
    r"character)|enough (?:of (?:that|this)|playing)|(?:ok(?:ay)?|right),? (?:serious(?:ly)?|for real)|in real life|"
    r"irl|"
    r"(?:lol|haha),? (?:ok(?:ay)?|anyway))\b",
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
    for at, said in enumerate(turns):
        if said.role != USER:
            continue
        if playing and _ENDS.search(said.content):
            playing = ""
        elif _BEGINS.search(said.content) or _IN_A_PART.search(said.content):
            playing = "play"
        if playing:
            found.add(at)
    return found


def _pasted(turns: Sequence[SpokenTurn]) -> set[int]:
    found = set[int]()
    for at, said in enumerate(turns):
        if said.role != USER or len(said.content) < MAX_OWN_LENGTH:
            continue
        asked = next((one for one in reversed(turns[:at]) if one.role == USER), None)
        before = turns[at - 1].content if at else ""
        if (asked and _WORK_ON.search(asked.content)) or _ASKS_TO_PASTE.search(before[-200:]):
            found.add(at)
    return found
