"""A reply that wants numbered texts said once more: "read me the second again", "could you repeat those?"."""

from collections.abc import Sequence

from memory_app.rules.picks import LONGEST_REPLY, NotUnderstoodError, signs
from memory_app.rules.triggers.pattern import pattern

_READ = pattern(
    r"(?:(?:can|could|would|will) you |please |sorry,? |hang on,? |wait,? |i (?:didn't|did not) (?:catch|hear|get) )*"
    r"(?:(?:read|say|tell|repeat|give|show)(?: me| us)?(?: out)?|what (?:was|were|is|are|did you say (?:was|for)))?\s*"
    r"(?P<which>.*?)(?P<again>(?:\s*\b(?:again|once more|one more time|to me|out|please|aloud))*)(?:[,;.].*)?[?.! ]*"
)
_ASKS = pattern(
    r".*\b(?:again|repeat|once more|one more time|read (?:me|out|it|that|them|those|the|number)|(?:didn't|did not) "
    r"(?:catch|hear|get)|what (?:was|were) (?:the |number )?(?:\w+|\d))\b"
)
_ALL = pattern(
    r"(?:them|those|these|it|that|this|all(?: of (?:them|those))?|everything|the (?:list|question|things?))?"
)


def wanted_again(reply: str, texts: Sequence[str]) -> list[int]:
    """Positions of the texts that a reply wants to hear again, in order; none where it wants something else."""
    said = reply.strip().replace("’", "'")
    found = _READ.fullmatch(said) if len(said) <= LONGEST_REPLY and _ASKS.match(said) else None
    if found is None:
        return []
    if _ALL.fullmatch(found["which"].strip()):
        return list(range(len(texts)))
    try:
        picked = signs(found["which"], texts)
    except NotUnderstoodError:
        return []
    certain = picked and {sign.kind for sign in picked} <= {"pick", "and"}
    return sorted({at for sign in picked for at in sign.at}) if certain else []
