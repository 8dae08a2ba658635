"""What a person answers to results shown a few at a time: which one, more, back, none, enough, or another question.

Numbers and words point at what was shown. Something else is searched for where that is said ("search for the red one
instead") or a whole question is asked. In doubt the reply is unclear, and the question is asked again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import without_closing, without_opening
from memory_app.nlp.commands.reply_signs import EMPTY_WORDS, LONGEST_REPLY, NotUnderstoodError, read_signs
from memory_app.nlp.text import normalised, vocabulary


@dataclass(frozen=True)
class Selection:
    """One of the results shown was meant, by its position from 0."""

    index: int


@dataclass(frozen=True)
class NewQuestion:
    """Something else is asked: `text`, to be searched afresh."""

    text: str


class Answer(Enum):
    """What points at no result. NONE: none of those shown is it. OVER: the search is over. UNCLEAR: ask again."""

    MORE = auto()
    BACK = auto()
    NONE = auto()
    OVER = auto()
    UNCLEAR = auto()


Narrowing = Selection | NewQuestion | Answer

_NOT_THESE = (
    "(?:(?:no )?(?:none|neither) of (?:those|these|them)|not (?:those|these|them|that|any of (?:those|these|them)))"
)
_NEXT = (
    "(?:(?:show|tell|give|read|let me (?:hear|see)|(?:could|can|may) i (?:hear|see|have|get))? ?(?:me )?(?:some |"
    "any |a few |the )?(?:more|next|others?)(?: (?:one|ones|three|3|results?|options?|memories|matches|page|batch|"
    "of them))?|keep going|continue|go on|(?:what|anything|any|something) (?:else|more|others?(?: ones)?)(?: (?:is|"
    "are) there| do you have)?|are there (?:any )?(?:more|others)|next|carry on|keep looking|(?:i(?:d| would) like|"
    "i want)(?: to (?:hear|see))? (?:more|others))"
)
_BACK = (
    "(?:go |take me |page )?(?:back|previous|backwards?)(?: (?:one|ones|page|three|please))*|"
    "(?:show (?:me )?)?the (?:previous|earlier|prior)(?: (?:one|ones|page|three|results?))?(?: again)?|"
    "(?:show (?:me )?)?the ones before(?: that| those)?"
)
_ENOUGH = (
    "never ?mind|nvm|cancel(?: (?:that|it|search|the search))?|stop(?: (?:it|that|searching|the search|looking))?|"
    "forget (?:about )?it|thats (?:ok|okay|fine|all|enough|it)|quit|exit|enough|leave it|drop it|i (?:give up|"
    "found it)|done|im done|it doesnt matter|doesnt matter|no matter|no more|nothing (?:else|more)|"
    "(?:no )?(?:thanks|thank you)(?: (?:so |very )?much)?|its (?:ok|okay|fine|all right|alright)"
)
_FIXED_REPLIES: tuple[tuple[re.Pattern, Narrowing], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (_ENOUGH, Answer.OVER),
        (rf"(?:no |nope |nah )?(?:(?:{_NOT_THESE}|none|neither) )?(?:but )?{_NEXT}", Answer.MORE),
        (_BACK, Answer.BACK),
        (
            f"(?:no |nope |nah )*(?:{_NOT_THESE}|none|neither|no|nope|nah|not really)(?: (?:unfortunately|sorry|"
            "thanks))*",
            Answer.NONE,
        ),
        (
            r"(?:no )?(?:it|that|thats|its)(?: is)?(?: not|nt)(?: (?:it|that|(?:one|any) of (?:these|those|them)|one))*"
            r"|(?:the )?wrong ones?|not what i (?:meant|was looking for|wanted)",
            Answer.NONE,
        ),
    )
)
_SEARCH = re.compile(
    r"(?:(?:no|ok|okay|actually|please|(?:can|could) you|let's)[, ]+)*"
    r"(?:(?:search|look)(?: again)? for|look up|find(?: me)?)\s+(?P<wanted>.+?)(?:,? instead)?[?!. ]*",
    re.IGNORECASE | re.DOTALL,
)
_INSTEAD = re.compile(r"(?:no,? )?(?:try )?(?P<wanted>.+?),? instead[?!. ]*", re.IGNORECASE | re.DOTALL)
_QUESTION = re.compile(r"(?:what|when|where|who|whom|whose|which|why|how|did|do|does|is|are|was|were|have|has|had)\b")
_QUESTION_ABOUT_SHOWN = re.compile(r"(?:did|do|does|is|are|was|were|have|has|had) (?:it|that|this|they|these|those)\b")
LONG_QUESTION = 4
"""Words from which what ends in "?" is a whole question in any language."""

_WORDS_ABOUT_SHOWN = vocabulary(
    "what when where who whom whose which why how did do does are were have has had or you he she we they them "
    "those these said say saying mentioned meant means meaning difference repeat again sure else call called there "
    "first second third last"
)
"""Words of which a question may be made about what was shown, and about nothing else."""

_LEAD_IN = re.compile(
    "^(?:(?:no|yes|yeah|ah|oh)[, ]+)*(?:(?:probably|maybe|perhaps|possibly|i (?:think|mean|meant|want|believe)|"
    "it(?:'s| is| was| might be| must be)|that(?:'s| is| was)|(?:(?:tell|show|give|read) me )?(?:more )?(?:about|"
    "on)|(?:tell|show|give|read|open|pick|select|choose|take|go with)(?: me)?|what about|how about|is it|"
    r"was it)\s+)*",
    re.IGNORECASE,
)


def read_narrowing_reply(reply: str, shown: Sequence[str]) -> Narrowing:
    """What a reply to the results shown means: one of them, more, back, none of these, never mind, a new question."""
    if len(reply) > LONGEST_REPLY:
        return Answer.UNCLEAR
    text = without_opening(without_closing(reply)).text or reply
    for form in (normalised(reply), normalised(text)):
        for pattern, meaning in _FIXED_REPLIES:
            if pattern.fullmatch(form):
                return meaning
    if not normalised(text):
        return Answer.UNCLEAR
    picked = _new_search(_SEARCH, reply) or _selected_result(text, shown)
    if isinstance(picked, Selection | NewQuestion):
        return picked
    return _new_search(_INSTEAD, reply) or picked or _new_question(reply.strip())


def _selected_result(text: str, shown: Sequence[str]) -> Narrowing | None:
    """The one result pointed at; unclear for several or for "not the second"; None when it points at nothing."""
    bare = _LEAD_IN.sub("", text.rstrip("?!. "))
    try:
        signs = read_signs(bare, shown)
    except NotUnderstoodError:
        return Answer.UNCLEAR if re.compile(r"\W*\d+\W*").fullmatch(bare) else None
    picks = [sign for sign in signs if sign.kind == "pick"]
    if not picks and {sign.kind for sign in signs} <= {"yes", "and", "stop"} and len(shown) == 1:
        return Selection(0)
    if len(picks) != 1 or len(picks[0].at) != 1 or any(sign.kind in ("not", "drop", "except", "all") for sign in signs):
        return Answer.UNCLEAR if signs and len(normalised(text).split()) <= 6 else None
    return Selection(next(iter(picks[0].at)))


def _new_search(asking: re.Pattern, reply: str) -> Narrowing | None:
    """What is to be searched for instead, where that is said."""
    found = asking.fullmatch(reply.strip())
    return NewQuestion(found["wanted"]) if found and _says_something(found["wanted"]) else None


def _new_question(reply: str) -> Narrowing:
    """A new question where it is a whole one, with words that are not about what was shown."""
    words = normalised(reply).split()
    whole = _QUESTION.match(" ".join(words)) or (reply.endswith("?") and len(words) >= LONG_QUESTION)
    pointing = "one" in words or "ones" in words or _QUESTION_ABOUT_SHOWN.match(" ".join(words))
    return NewQuestion(reply) if whole and not pointing and _says_something(reply) else Answer.UNCLEAR


def _says_something(text: str) -> bool:
    return any(word not in EMPTY_WORDS and word not in _WORDS_ABOUT_SHOWN for word in normalised(text).split())
