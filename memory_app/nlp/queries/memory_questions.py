"""Questions for what is remembered of something ("what do you remember about Anna?"), and how the answer is spoken."""

from collections.abc import Sequence

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import without_closing, without_opening

MAX_SPOKEN = 3
"""Memories that are said one by one; of more, their number."""

LONGEST = 300
"""Characters: whoever says more asks something else too."""

NO_MEMORIES = "I don't have any memories about {of}."

_KNOW = r"(?:remember|recall|know|have (?:stored|saved|noted|kept))"
_ABOUT = r"(?:about|of|regarding|concerning|on)"
_SAID = (
    r"(?:i|we)(?:'ve| have)? (?:ever |just |already )?(?:say|said|tell you|told you|mention(?:ed)?|"
    r"(?:ask|asked|tell|told|want|wanted) you to (?:remember|save|note|keep))(?: to you)?"
)
_TELL = (
    r"(?:(?:tell|show|give|read|remind) (?:me|us)(?: of| about)?|(?:look )?up|find|search(?: for)?|list|repeat|"
    r"summari[sz]e)"
)
_A_CLAUSE = (
    r"(?:what|when|where|which|who|whom|whose|why|how|if|whether|that|this|to|anything|something|any|i|i'm|i've|we|"
    r"we're|you|he|she|they|it|there|everything|all)"
)
"""What follows "do you remember" where no thing is named, but a question is asked or something told."""

_ASKS = (
    rf"what(?: all| else)? (?:do|can|did) you {_KNOW}(?: {_ABOUT} (?P<a>.+))?",
    rf"(?:do|can|did) you {_KNOW} (?:anything|something|any memories) {_ABOUT} (?P<b>.+)",
    rf"(?:do you have|have you(?: got)?|are there) (?:anything|any memories|memories) {_ABOUT} (?P<c>.+)",
    rf"what (?:memories|facts|notes) do you have(?: {_ABOUT} (?P<d>.+))?",
    r"what have (?:i|we) told you",
    rf"(?:what (?:did|have) {_SAID}|(?:{_TELL} )?what {_SAID}) {_ABOUT} (?P<e>.+)",
    rf"{_TELL} (?:all )?(?:of )?(?:the |my |our |your )(?:memories|memory|notes)(?: {_ABOUT} (?P<i>.+))?",
    r"what do you have (?:on|about) (?P<j>.+)",
    rf"(?:is there )?(?:anything|any memories|any notes|something) {_ABOUT} (?P<k>.+)",
    rf"what(?:'s| is) in your memory(?: {_ABOUT} (?P<l>.+))?",
    rf"do you (?:still )?remember (?!{_A_CLAUSE}\b)(?P<n>.+)",
    r"search (?:your|my) (?:memory|memories|notes) for (?P<m>.+)",
    rf"(?:tell|show|give|remind) (?:me|us) (?:(?:everything|anything|all|what) )?(?:that )?you {_KNOW}(?: {_ABOUT}"
    r" (?P<f>.+))?",
    rf"(?:tell|show|give) (?:me|us) (?:everything|all|all there is) {_ABOUT} (?P<h>.+)",
    rf"(?:list|summari[sz]e) (?:everything|all|what) (?:that )?you {_KNOW}(?: {_ABOUT} (?P<g>.+))?",
)
_ASKED = re.compile("|".join(_ASKS), re.IGNORECASE)
_ONESELF = re.compile(r"(?:me|myself|us|ourselves|my life|me so far)", re.IGNORECASE)
_MARKS = " \t\n?!.…"


def asked_topic(query: str) -> str | None:
    """What someone asks to be told all memories of: "" for themselves, None where it is another kind of question."""
    if len(query) > LONGEST:
        return None
    asked = _ASKED.fullmatch(without_opening(without_closing(query.strip(_MARKS))).text.strip(_MARKS))
    if asked is None:
        return None
    about = next((part.strip() for part in asked.groups() if part), "")
    return "" if _ONESELF.fullmatch(about) else about


def spoken_answer(memories: Sequence[tuple[str, str]], of: str = "that") -> str:
    """The answer, for a voice. memories: summary and content of each, the most relevant first. of: "that" or "you"."""
    if not memories:
        return NO_MEMORIES.format(of=of)
    if len(memories) == 1:
        return memories[0][1]
    listed = [f"{number}. {summary}" for number, (summary, _) in enumerate(memories[:MAX_SPOKEN], 1)]
    more = [f"...and {len(memories) - MAX_SPOKEN} more."] if len(memories) > MAX_SPOKEN else []
    return " ".join([f"I remember {len(memories)} things about {of}:", *listed, *more])
