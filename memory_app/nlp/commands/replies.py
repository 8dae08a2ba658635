"""What a person answers to numbered proposals and to a question of yes or no, and which texts they want repeated.

In doubt a reply is unclear, and the question is asked again: nobody's memory changes by a guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import pattern
from memory_app.nlp.commands.reply_signs import LONGEST_REPLY, NotUnderstoodError, Sign, read_signs, to_plain_words
from memory_app.nlp.text import normalised

# What points at a single thing put up, and at nothing among several.
_THIS_ONE = re.compile(r"(?:yes )?(?:that|this|the)(?: one| thing)?(?: please)?")
_WITHDRAWN = re.compile(r"never ?mind|nvm|cancel(?: (?:that|it))?|stop(?: (?:that|it))?|leave it")


_UNSURE = re.compile(
    r"\b(?:not (?:so |quite |too |entirely |really |very )?(?:sure|certain)|unsure|dunno|no idea|"
    r"maybe|perhaps|possibly|might|no worries)\b|"
    r"^(?:all (?:good|ok|okay|fine)|its? (?:is )?(?:ok|okay|fine|good|all right)|(?:just|only) one|[-−] ?\d+)$"
)

# A wish in the form of a question.
_POLITE = re.compile(r"(?:can|could|would|will) you (?:please )?(?:remember|keep|save|store|add|skip|drop|forget)\b")

# What declines whatever was put up, where the question was what to remember.
_FILLER = r"(?:no|nah|ok|okay|oh|well|please|just|hm+|um+|thanks|sorry|really)"
_THEM = r"(?:it|that|this|them|those|these)"
_DECLINED = re.compile(
    rf"(?:{_FILLER} )*(?:forget (?:about )?(?:all )?(?:of )?{_THEM}(?: all)?|skip(?: {_THEM})?|(?:i(?:ll)? )?pass|"
    rf"drop {_THEM}|(?:im )?not interested|not (?:necessary|needed|required)|better not|no need|"
    r"(?:id|i would|id much) (?:rather|prefer)(?: (?:not(?: to)?|you didnt|you did not|you dont))|"
    rf"leave {_THEM}(?: (?:out|be|alone|all))?|dont you dare|dont|do not)(?: {_FILLER}| then| for now)*"
)

_POSTPONED = re.compile(
    r"(?:(?:no|hm+|um+|ok|okay|please|sorry|maybe|perhaps) )*(?:not (?:right )?now|not yet|later|(?:some|an)other time|"
    r"(?:please )?ask (?:me )?(?:again )?(?:later|another time|tomorrow)|ill (?:decide|see|look|answer) later|"
    r"(?:let me|ill) think about (?:it|that|them))(?: (?:please|thanks|thank you|maybe|perhaps))*"
)


_ORDINAL = r"(?:first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last|top|bottom|middle)"
_POSITION_REFERENCE = re.compile(
    rf"(?:the )?{_ORDINAL}(?: (?:and|or) (?:the )?{_ORDINAL})*(?: (?:one|two|three|ones|memory|memories))?|"
    r"(?:(?:number|numbers|no|option) )?\d(?: and \d)*|both(?: of (?:them|those|these))?|"
    r"all (?:of )?(?:them|those|these|two|three|four|five)|all of (?:them|those|these)"
)


@dataclass(frozen=True)
class Choice:
    """Positions (from 0) accepted and rejected; those in neither stay open. `clear` is false when not understood."""

    accepted: frozenset[int] = frozenset()
    rejected: frozenset[int] = frozenset()
    clear: bool = True


UNCLEAR_CHOICE = Choice(clear=False)


def read_choice(reply: str, texts: Sequence[str]) -> Choice:
    """Which of the numbered texts a reply accepts: "yes", "1 and 3", "all but the second", "only the budget one".

    Naming some to keep rejects the rest; naming only some to drop leaves the rest open ("not the second").
    """
    text = normalised(to_plain_words(reply))
    if texts and (_WITHDRAWN.fullmatch(text) or _DECLINED.fullmatch(text)):
        return Choice(rejected=frozenset(range(len(texts))))
    if len(texts) == 1 and _THIS_ONE.fullmatch(text):
        return Choice(accepted=frozenset({0}))
    asks = reply.rstrip().endswith("?") and not _POLITE.match(text)
    if not texts or len(reply) > LONGEST_REPLY or asks or _UNSURE.search(text):
        return UNCLEAR_CHOICE
    try:
        return _Tally(len(texts)).of(read_signs(reply, texts))
    except NotUnderstoodError:
        return UNCLEAR_CHOICE


_ANSWERED = frozenset(("yes", "no", "pick", "and", "stop", "but"))


@dataclass
class _Tally:
    """Reads the signs of a reply from left to right, keeping what has been said so far."""

    total: int
    accepted: set[int] = field(default_factory=set)
    rejected: set[int] = field(default_factory=set)
    every: bool | None = None  # whether "all" or "none" was said
    answer: bool | None = None  # whether "yes" or "no" was said
    keeping: bool | None = True  # what a pick means at this point; None after a bare "no"
    only: bool = False
    verb: bool | None = None

    def of(self, signs: list[Sign]) -> Choice:
        if not signs or self.answers_follow(signs):
            return self.answered_after(signs)
        if self.answers_lead(signs):
            return self.answered_before(signs)
        for at, sign in enumerate(signs):
            self.take(sign, signs[at - 1] if at else None, signs[at + 1] if at + 1 < len(signs) else None)
        return self.choice()

    def take(self, sign: Sign, before: Sign | None, after: Sign | None) -> None:
        match sign.kind:
            case "yes" | "no":
                # "Not ok" is a no; what two negations mean is anyone's guess.
                denied = before is not None and before.kind == "not"
                _require(not (denied and sign.kind == "no"))
                self.take_answer(sign.kind == "yes" and not denied)
            case "keep" | "drop":
                self.take_verb(sign.kind == "keep", before)
            case "not" if after is None or after.kind == "stop":
                raise NotUnderstoodError  # "yes, not": it ends before it says what
            case "not":
                self.keeping = False
            case "all" | "both" | "none":
                self.take_every(sign, before, after)
            case "them":
                self.every = self.verb if self.verb is not None and self.every is None else self.every
            case "except":
                self.take_exception()
            case "but" if after is not None and after.kind == "pick" and self.every is not None:
                self.take_exception()
            case "only":
                self.only, self.keeping = True, _require(self.keeping is not False or self.answer is False)
            case "rest":
                _require(bool(self.accepted or self.rejected))  # of nothing there is no rest
                if after is not None and after.kind in ("yes", "no"):  # "not the first, rest ok"
                    self.keeping = after.kind == "yes"
                self.pick(set(range(self.total)) - self.accepted - self.rejected)
            case "or" if after is not None and after.kind == "pick" and self.keeping is not False:
                raise NotUnderstoodError  # "1 or 3" leaves open which
            case "stop":
                self.keeping = True if self.answer is not False else self.keeping
            case "pick":
                self.pick(set(sign.at))

    def take_answer(self, yes: bool) -> None:
        _require(self.answer in (None, yes) or bool(self.accepted or self.rejected))
        self.answer = yes if self.answer is None else self.answer
        self.keeping = True if yes else None

    def take_verb(self, keep: bool, before: Sign | None) -> None:
        """After a wish ("I don't want you to remember") the verb says of what it is one."""
        wished = self.keeping is not False if before is not None and before.kind == "keep" else None
        negated = before is not None and before.kind == "not"
        self.keeping = keep != negated if wished is None else keep == wished
        self.verb = self.keeping

    def take_every(self, sign: Sign, before: Sign | None, after: Sign | None) -> None:
        picked = after is not None and after.kind == "pick"
        if picked and (sign.kind == "both" or (after is not None and after.worded)):
            return  # "both 1 and 3", "all the budget ones": the pick says which
        _require(sign.kind != "both" or self.total == 2)
        _require(not picked or sign.kind != "all" or (after is not None and after.at == {self.total - 1}))
        # "Not all" says neither which nor how many; "drop all" does.
        _require((before is None or before.kind != "not") and self.every is None)
        _require(sign.kind == "none" or self.keeping is not False or self.verb is False)
        self.every = sign.kind != "none" and self.keeping is True

    def take_exception(self) -> None:
        every = self.every if self.every is not None else self.answer
        _require(every is not None)
        self.every, self.keeping = every, not every

    def pick(self, positions: set[int]) -> None:
        _require(self.keeping is not None)
        (self.accepted if self.keeping else self.rejected).update(positions)

    def answers_follow(self, signs: list[Sign]) -> bool:
        """Whether each pick comes before its answer: "1 yes, 2 no", "the first yes, the others no"."""
        kinds = [sign.kind for sign in signs if sign.kind not in ("and", "stop", "but")]
        return kinds[:1] == ["pick"] and kinds[-1] in ("yes", "no") and set(kinds) <= {"pick", "rest", "yes", "no"}

    def answered_after(self, signs: list[Sign]) -> Choice:
        waiting: set[int] = set()
        for sign in signs:
            if sign.kind == "pick":
                waiting |= sign.at
            elif sign.kind == "rest":
                waiting |= set(range(self.total)) - self.accepted - self.rejected
            elif sign.kind in ("yes", "no"):
                (self.accepted if sign.kind == "yes" else self.rejected).update(waiting)
                waiting = set()
        return self.choice()

    def answers_lead(self, signs: list[Sign]) -> bool:
        """Whether each answer comes right before its picks, and there are both: "yes 1, no 2 and 3"."""
        answers = [at for at, sign in enumerate(signs) if sign.kind in ("yes", "no")]
        led = all(at + 1 < len(signs) and signs[at + 1].kind == "pick" for at in answers)
        both = {signs[at].kind for at in answers} == {"yes", "no"}
        return led and both and answers[0] == 0 and {sign.kind for sign in signs} <= _ANSWERED

    def answered_before(self, signs: list[Sign]) -> Choice:
        target = self.accepted
        for sign in signs:
            if sign.kind in ("yes", "no"):
                target = self.accepted if sign.kind == "yes" else self.rejected
            target |= sign.at
        return self.choice()

    def choice(self) -> Choice:
        everything, decided = set(range(self.total)), self.accepted | self.rejected
        _require(not self.accepted & self.rejected)
        if self.every is None and not decided:
            _require(self.answer is None or self.verb is None or self.answer == self.verb)  # "yes, forget it"
            self.every = self.answer if self.answer is not None else self.verb if self.total == 1 else None
            _require(self.every is not None)
        if self.every is None and self.answer is True and not self.accepted:
            self.every = True
        _require(not (self.every and self.answer is False))  # "no, keep them"
        if self.every is not None:
            accepted = everything - self.rejected if self.every else self.accepted
            return Choice(frozenset(accepted), frozenset(everything - accepted))
        dropped = self.rejected if self.rejected and not self.only else everything - self.accepted
        return Choice(frozenset(self.accepted), frozenset(dropped))


def _require(certain: bool) -> bool:
    if not certain:
        raise NotUnderstoodError
    return True


def refers_by_position(text: str) -> bool:
    """Whether words point at things only by where they stand in a list: "the second one", "number 2", "both"."""
    return _POSITION_REFERENCE.fullmatch(normalised(text)) is not None


def postpones_decision(reply: str) -> bool:
    """Whether a reply decides nothing for now: "not now", "maybe later", "let me think about it"."""
    return len(reply) <= LONGEST_REPLY and _POSTPONED.fullmatch(normalised(to_plain_words(reply))) is not None


def is_decisive(reply: str) -> bool:
    """Whether a reply may decide something: it is no question, and its words do not say that it is unsure."""
    return len(reply) <= LONGEST_REPLY and not (reply.rstrip().endswith("?") or _UNSURE.search(normalised(reply)))


def yes_or_no(reply: str) -> bool | None:
    """Whether a reply agrees to what was asked, or None when it says neither, both, or something more."""
    if not is_decisive(reply):
        return None
    if _WITHDRAWN.fullmatch(normalised(reply)):
        return False
    try:
        kinds = {sign.kind for sign in read_signs(reply, [])}
    except NotUnderstoodError:
        return None
    if (
        not {"yes", "no"} & kinds
        or {"yes", "no"} <= kinds
        or kinds - {"yes", "no", "and", "stop", "keep", "drop", "them"}
    ):
        return None
    return "yes" in kinds


_REPEAT_REQUEST = pattern(
    r"(?:(?:can|could|would|will) you |please |sorry,? |hang on,? |wait,? |i (?:didn't|did not) (?:catch|hear|get) )*"
    r"(?:(?:read|say|tell|repeat|give|show)(?: me| us)?(?: out)?|what (?:was|were|is|are|did you say (?:was|for)))?\s*"
    r"(?P<which>.*?)(?P<again>(?:\s*\b(?:again|once more|one more time|to me|out|please|aloud))*)(?:[,;.].*)?[?.! ]*"
)
_ASKS_TO_REPEAT = pattern(
    r".*\b(?:again|repeat|once more|one more time|read (?:me|out|it|that|them|those|the|number)|(?:didn't|did not) "
    r"(?:catch|hear|get)|what (?:was|were) (?:the |number )?(?:\w+|\d))\b"
)
_ALL_OF_THEM = pattern(
    r"(?:them|those|these|it|that|this|all(?: of (?:them|those))?|everything|the (?:list|question|things?))?"
)


def texts_to_repeat(reply: str, texts: Sequence[str]) -> list[int]:
    """Positions of the texts that a reply wants to hear again, in order; none where it wants something else."""
    text = reply.strip().replace("’", "'")
    found = _REPEAT_REQUEST.fullmatch(text) if len(text) <= LONGEST_REPLY and _ASKS_TO_REPEAT.match(text) else None
    if found is None:
        return []
    if _ALL_OF_THEM.fullmatch(found["which"].strip()):
        return list(range(len(texts)))
    try:
        picked = read_signs(found["which"], texts)
    except NotUnderstoodError:
        return []
    certain = picked and {sign.kind for sign in picked} <= {"pick", "and"}
    return sorted({at for sign in picked for at in sign.at}) if certain else []
