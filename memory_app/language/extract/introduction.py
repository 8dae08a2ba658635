"""Who says who they are: of someone known by that name it tells nothing ("Alice is Alice")."""

from collections.abc import Collection

from memory_app.rules import linear_re as re

_INTRODUCES = re.compile(
    r"(?:i['’]m|i am|my name(?: is|['’]s)|i['’]m called|i am called|call me|this is|"
    r"ich hei(?:ß|ss)e|ich bin|mein name ist|je m['’]appelle|je suis|moi,? c['’]est|mon nom est)"
    r"\s+(?P<name>[\w .'’-]+?)[\s.!,]*",
    re.IGNORECASE,
)


def introduces(sentence: str, own: Collection[str]) -> bool:
    """Whether a sentence says no more than one of the speaker's `own` names, or a part of one."""
    found = _INTRODUCES.fullmatch(sentence)
    names = {part for name in own for part in (name.casefold(), *name.casefold().split())}
    return found is not None and found["name"].casefold() in names
