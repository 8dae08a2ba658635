"""Whether an utterance asks the assistant to remember, and what: all that it asks for, in the words that were used.

A head ("remember", "keep in mind", "fyi") asks where it is said to the assistant: where a sentence or clause begins, or
after "please", "can you", "so"; not after a subject ("I remember"), in a question about the past, in another's words,
or under an order ("write a story"). What is asked for follows it in its sentence, up to the next head; where nothing
does, it stands before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands import address
from memory_app.nlp.commands.address import pattern, without_closing, without_opening
from memory_app.nlp.text import sentences

REMEMBER = r"(?:r[eimnu]{1,6}b[eimn]{0,4}r|remembre|rem+[eb]\w{1,3}r|rememb?\w{1,2})"
"""Also as fingers type it: "rember", "remmeber", "rmember"."""
NOT_FORGET = (
    r"(?:(?:don't|dont|do not|never|not|(?:you|we) (?:mustn't|must not|won't|will not))\s+"
    r"(?:you\s+(?:dare\s+)?|ever\s+|let me\s+|to\s+)?f[oer]{1,3}g[oeir]{0,3}t[te]?)"
)
WE_SAID = (
    r"(?:(?:i|we)(?:'ve| have|'re| are|'m| am)? (?:just |already |been )*(?:said|told you|mentioned|shared|"
    r"discuss(?:ed|ing)|talk(?:ed|ing) (?:about|through)|spoke about|went (?:over|through)|wrote|covered|saying|"
    r"telling you)(?: just now| earlier| before| so far| today| here| above)*)"
)
POINTING = (
    r"(?:this(?: one)?|that one|it all|it|these|those|them(?: all)?|both(?: of (?:them|these|those))?|"
    r"(?:any|all) of (?:this|that|it|these|those|them)|all (?:this|that)|the following|the fact(?= that\b)|that)"
)
FOR_LATER = (
    r"(?:(?:for|until) (?:later|me|next time|another time|(?:the |your )?(?:future|records?)(?: reference)?)|"
    r"from now on)"
)
MEMORY = (
    r"(?:(?:in|to|into|on|onto) (?:(?:your|my) (?:memory|memories|notes?|profile|records?|mind|file)|"
    r"(?:memory|notes?|record|file)(?=\s*[:,.!?]|\s+that\b|\s*$)|what you know)(?: (?:about|on|of) (?:me|us))?)"
)
_KEEP_VERB = r"(?:keep|save|store|log|record|put|pop|stick|add|commit|write|note|file|hold|enter)"
_NOTES = r"(?:note|remember|keep in mind|know)"
_COUNT = r"(?:a|the|one|two|three|four|[1-4]|a few|some|a couple of|another)(?: (?!things?\b)\w+)?"
STRONG_TRIGGERS = (
    rf"/remember(?:@\w+)?|{REMEMBER}|{NOT_FORGET}|memori[sz]e|(?:keep|bear) (?:{POINTING} )?in mind|"
    rf"{_KEEP_VERB} (?:{POINTING} )?(?:down )?{MEMORY}|note to self|(?:memo|mental note|note for later)(?=\s*:)|"
    r"(?:make|take|keep|add|leave)(?: yourself)? (?:an? )?(?:\w+ )?note"
    r"(?! (?:to|in|on|at) (?:the|this|that|my|our|his|her|their|every)\b)|"
    r"worth (?:remembering|noting)(?=\s*:|\s+that\b|[\s.!]*$)|so (?:that )?you (?:remember|don't forget)|"
    rf"so you know {FOR_LATER}|i (?:just )?(?:want|need) you to know|"
    rf"make sure (?:that )?you(?:'ve| have)? (?:got|get)(?= {POINTING}\b)|to {_NOTES}(?=\s*:)|"
    rf"{_COUNT} things? to {_NOTES}(?: (?:about|for|with) \w+)?(?:(?=\s*:)| (?:is|are)\b)"
)
"""These ask wherever a request may stand."""
SAVE_TRIGGERS = (
    r"(?P<save>(?:save|store|keep|log|record|file|note|(?:hang|hold) on ?to|keep track of)"
    rf"(?=\s+(?:{POINTING}|{FOR_LATER}|i|we|my|our|his|her|\w+'\w+)\b|\s*:))|"
    rf"(?P<down>(?:note|write|jot|take|put|get) (?:{POINTING} )?down)"
)
"""Of files and lists, too: these ask where something is told."""
LABEL_TRIGGERS = (
    r"note(?=\s+(?:that|this|the following)\b|\s*:)|(?:just )?(?:an? )?fyi(?!\w)|important(?: note)?(?=\s*:)|"
    r"for (?:(?:your )?(?:information|reference)|future reference)|"
    r"(?:for (?:later|next time|the future|your (?:notes|memory))|(?:just )?(?:for the record|so you know|"
    r"so (?:that )?you're aware))(?=\s*[,:;–—-]|[\s.!]*$)"
)
"""Of prose and code, too: these ask only where an utterance begins or a sentence ends, and after "please"."""
END_TRIGGERS = pattern(rf"{NOT_FORGET}|for future reference|fyi|(?:just )?so you know")
"""At the end of a sentence, these need nothing that parts them from the words before."""

_FILLER = rf"(?:[\s,]*\b(?:{FOR_LATER}|{MEMORY}|(?:as a note|down|always|please|would you|dear|ok|also|in mind)\b))*"
LINK = pattern(
    rf"(?P<mark>[ \t]*[:,;–—-]*){_FILLER}(?:\s*\bof\b)?(?:\s*(?P<pointing>(?:(?:what|whatever|the things?|"
    rf"the last (?:thing|bit|part)) (?:that )?{WE_SAID}|my last (?:message|sentence|point)|{POINTING}(?: that\b)?|"
    r"(?:some|one|another|an important) ?thing(?: important)?(?=(?: for (?:me|later))?\s*:))\b))?"
    rf"(?P<later>{_FILLER})(?P<colon>\s*[:–—]|[ \t]+-)?[\s,;]*(?:(?:about|of)\s+)?"
    r"(?P<task>to\s+(?!me\b|you\b|the\b|my\b))?"
)
TAIL = pattern(rf"[\s,]+(?:in mind|{MEMORY}|for (?:later|future reference|next time|the future))\s*[.!?]*$")
"""What may close the words to be kept, and is none of them."""
WHOLE_CONVERSATION = pattern(
    rf"(?:/remember(?:@\w+)?|{REMEMBER}|{NOT_FORGET}|memori[sz]e|(?:make|keep|take) (?:a )?note of|"
    # Of a file one says "save everything" too.
    r"(?:keep|save|store)(?=\s+(?:everything|anything|all) (?:that )?(?:i|we)\b)|"
    r"(?:note|write|jot)(?: down)?)\s+(?:always )?(?:this (?:whole )?(?:chat|conversation)|"
    r"(?:everything|anything|all|every \w+)(?: (?:of )?(?:the )?(?:important|relevant|useful)(?: \w+)?)?)"
    rf"(?: (?:that )?{WE_SAID}| so far| here| above| from now on)*(?: (?:about|on|of|regarding) (?P<about>(?:(?!is\b|"
    rf"are\b|was\b|were\b|has\b|have\b|will\b)[\w'-]+ ?){{1,8}}))?(?: down| in mind| {FOR_LATER})*\s*[.!?]*$"
)
"""All that was said, rather than one thing: "remember everything I told you about Rome"."""


@dataclass(frozen=True)
class RememberRequest:
    """A request to keep `content`, in the words that were used.

    With `refers_back` the content is empty and what was said before is meant: the last of it, or `all_of_it`, or what
    of it tells `about` something. `task`: something to be done ("remember to buy milk").
    """

    content: str
    refers_back: bool = False
    task: bool = False
    everything: bool = False
    about: str = ""


@dataclass(frozen=True)
class _Head:
    """A head that asks, from where its wrapping begins to where its content does; `back`: it means what was said."""

    start: int
    end: int
    is_question: bool
    task: bool
    back: bool


# Of the words that any request is made with: most turns have none, and are read no further.
_MAY_ASK = pattern(
    rf"\b(?:{REMEMBER}|remember|f[oer]{{1,3}}g|mind|not(?:e|ing)|memo|sav(?:e|ing)|stor(?:e|ing)|keep|hold|hang|log|record|"
    r"file|fyi|information|reference|important|aware|later|next time|know|got|down|profile)"
)
_QUOTED = re.compile('["“”„«»][^"“”„«»\n]{1,500}["“”«»]')
_AT_CLAUSE_START = pattern(r"(?:^|[,;:.!?()…–—]|\s-)\s*$")
_POLITE_REQUEST, _ALSO_OR_PLEASE = pattern(address.POLITE_REQUEST), pattern(r"\b(?:also|please|pls|you)\b")
_WORD_THAT_GOVERNS = pattern(
    r"\b(?:i|you|we|they|he|she|it|to|who|that|him|her|them|me|us|things?|what|how|why|when|where|which|if|whether|much|"
    r"many|far|else|can|could|may|might|do|does|did|will|would|should|must|not|\w+n't|\w+'ll|\w+'d|never|ever|always|still|"
    r"only|even|says?|said)\s*$"
)
_REPORTED_SPEECH = pattern(
    r"\b(?:said|says?|told(?! you)|tells?|wrote|goes|reads?|called|titled|quote|motto|sign)\b(?: [\w']+){0,3}\W*$"
)
# An order that holds words about remembering asks for something else: "write a story, and remember that …".
_ORDERS = (
    r"(?:write|draft|compose|summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|list|give|tell|explain|"
    r"suggest|create|generate|design|find|show|describe|read|play)\b(?! (?:(?:it|this|that) )?down)"
)
_ORDER = pattern(_ORDERS)
# What stands behind a request and asks for something else, or ends the matter: "… and can you book a table?"
_NEXT_ORDER = pattern(
    r"\s*[;–—,]\s*(?:anyway|thanks|thank you|cheers|back to)\b|"
    r"[,;]?\s+(?:and|so|now|then|but|anyway|ok)[\s,]+(?:(?:now|then|anyway|please|also)[\s,]+)*"
    rf"(?:{address.REQUEST_OPENING}|{_ORDERS}|"
    r"(?:what|how|where|who|when|why)(?:'s| (?:is|are|do|does|should|would|can))\b)"
)
# A sentence that means nothing without the one before it.
_DEPENDS_ON_PREVIOUS = pattern(r"(?:he|she|it|they|his|her|its|their|this|these|those|that)(?:'\w+)?\s[^?]*$")
_OWN_DUTY = pattern(rf"^(?:i|we)\b.{{0,20}} (?:{REMEMBER}|not forget) (?:to |that )?")
_CONDITION = pattern(r"\W*(?:if|when(?:ever)?|(?:the |for )?next time|every time|until|for)\b")
_ASKING_WORD = pattern(
    r"\W*(?!when(?:ever)? (?:i|we) (?:say|ask|write|mention|type|call)\b)"
    r"(?:when|how|why|who|whom|whose|what|where|which|whether)\b"
)
_REMINISCING = pattern(
    r"\W*(?:(?:the|those|our) (?:[\w-]+ ){1,3}(?:when|we|you|i|he|she|they|where)\b|"
    r"that (?:one )?(?:time|day|night|summer|winter|weekend|trip|evening)s?\b|back (?:when|in)\b|(?:me|us)\b(?!\s*:))"
)
# What is told, rather than a thing that is pointed at: "that I smoke", "that Bob owes me", not "that file".
_TELLS = re.compile(r"(?:(?i:i|we|he|she|they|there|my|our|his|her|their)(?:'\w+)?\b|[A-Z][\w']*\s)")
_STATES = pattern(
    r"(?!.*\b(?:how|why|what|which)\b)(?!\d|some\b|a few\b|two\b|three\b)"
    r".*(?:\b(?:is|are|was|were|has|have|had|will|can|needs?|wants?|likes?)\b|'(?:s|m|re|ve)\b|n't\b)"
)
_LABELLED = pattern(r"[^.?!:]{1,60}:\s+\S")
_COUNTS = {"two": 2, "three": 3, "four": 4, "couple": 2, "2": 2, "3": 3, "4": 4}
_COUNT_ANNOUNCED = pattern(r"\b(?P<count>two|three|four|couple|[234])(?: of)?(?: more| quick)? things\b[^:]{0,40}:")
_LIST_SEPARATOR = pattern(
    r"\s*(?:;|,\s*and\b|,|\band\b|(?<=[.!?])\s)\s*(?:(?:first|second|one|two|[1-4])[).:]?\s+)?(?:that\s+)?"
)
_TASKS = pattern(r",?\s+and\s+(?:also\s+)?to\s+")
_CLOSING_LENGTH = 80
_CONTEXT_LENGTH = 300
"""Characters around a head that tell whether it asks."""


def remember_request(utterance: str) -> RememberRequest | None:
    """The first thing that an utterance asks to be remembered, or None when it asks for nothing of the kind."""
    return next(iter(remember_requests(utterance)), None)


def remember_requests(utterance: str) -> list[RememberRequest]:
    """Each thing that an utterance asks to be remembered, in order; none where it asks for nothing of the kind."""
    if not _MAY_ASK.search(utterance):
        return []
    plain = address.gerunds_to_verbs(utterance.replace("’", "'"))
    everything = WHOLE_CONVERSATION.match(without_opening(without_closing(plain)).text)
    if everything:
        return [RememberRequest("", refers_back=True, everything=True, about=everything["about"] or "")]
    requests = list(_requests(utterance, plain))
    return [one for request in requests if request.content for one in _split_items(request, utterance)] or requests[:1]


def _requests(utterance: str, plain: str) -> Iterator[RememberRequest]:
    """What the heads of each sentence ask for. Positions in the plain text and in the utterance are the same."""
    masked = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), plain)
    spans = [(start, start + len(without_closing(masked[start:end]))) for start, end in _spans(masked)]
    heads = [_heads(masked[start:end], first=start == spans[0][0]) for start, end in spans]
    texts = [utterance[start:end] for start, end in spans]
    for at, found in enumerate(heads):
        goes_on = takewhile(
            lambda to: not heads[to] and _DEPENDS_ON_PREVIOUS.match(texts[to]), range(at + 1, len(texts))
        )
        text = utterance[spans[at][0] : spans[max(goes_on, default=at) if found else at][1]]
        pairs = zip_longest(found, found[1:])
        asked_for = [RememberRequest(_content(text, *pair), task=pair[0].task) for pair in pairs]
        yield from (request for request in asked_for if request.content)
        if found and not any(request.content for request in asked_for):
            free = [near if 0 <= near < len(texts) and not heads[near] else None for near in (at - 1, at + 1)]
            beside = ["" if near is None else texts[near] for near in free]
            yield _request_beside(found[0], text, beside if found[0].back else beside[::-1])


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences stand; what follows as a list belongs to the sentence before it."""
    start = at = 0
    for sentence in sentences(text):
        begin = text.index(sentence, at)
        if at and text[begin : begin + 2] not in ("- ", "* ", "• "):
            yield start, at
            start = begin
        at = begin + len(sentence)
    yield start, at


def _content(sentence: str, head: _Head, following: _Head | None) -> str:
    """The words that follow a head, up to the next one."""
    content = _strip_frame(_NEXT_ORDER.split(sentence[head.end : following.start if following else None])[0])
    return content.rstrip("? ") if head.is_question else content


def _request_beside(head: _Head, sentence: str, beside: Sequence[str]) -> RememberRequest:
    """The request of a head that nothing follows: for what stands before it, else for a sentence beside it."""
    before = _OWN_DUTY.split(without_opening(_strip_frame(sentence[: head.start])).text)[-1]
    if len(before.split()) > 1:
        return RememberRequest(before)
    statements = [text for text in beside if not text.endswith("?") and without_opening(text).text]
    return RememberRequest(statements[0]) if statements else RememberRequest("", refers_back=True)


def _strip_frame(text: str) -> str:
    """The text without marks, politeness and "for later" around it."""
    text = without_closing(text.strip(" \t\n,;:–—("))
    bare = (text[:-_CLOSING_LENGTH] + TAIL.sub("", text[-_CLOSING_LENGTH:])).rstrip(" ,;:–—-(")
    return bare if bare.strip(".!?)") else ""


_HEAD = pattern(
    rf"(?<![\w'/-])(?P<wrapping>(?:{address.OPENING})*)(?P<head>{STRONG_TRIGGERS}|(?P<label>{LABEL_TRIGGERS})|{SAVE_TRIGGERS})(?!['\w-])"
)


def _heads(sentence: str, *, first: bool) -> list[_Head]:
    """The heads of a sentence that ask; `first`: it opens the utterance."""
    if _ORDER.match(without_opening(sentence).text):
        return []
    found = (_requesting_head(head, sentence, first=first) for head in _HEAD.finditer(sentence))
    return [head for head in found if head]


def _requesting_head(found: re.Match, sentence: str, *, first: bool) -> _Head | None:
    """The head that was found, if it asks."""
    before, rest = (
        sentence[max(found.start() - _CONTEXT_LENGTH, 0) : found.start()],
        sentence[found.end() :][:_CONTEXT_LENGTH],
    )
    link = LINK.match(rest)
    assert link is not None  # every part of a link may be empty
    content, is_question = rest[link.end() :].strip(" .!?"), found["asked"] is not None
    labelled = bool(link["colon"] or link["later"].strip() or found["head"].startswith("/")) or ":" in link["mark"]
    asks = _is_addressed(found, before, content, first=first, pointing=link["pointing"] is not None)
    if asks and not labelled:
        asks = not _only_wonders(rest, content, link, request=is_question, question=sentence.endswith("?"))
        asks = asks and (not content or _states_something(found, content, link))
    back = (link["pointing"] or "").lower() in ("that", "it")
    return _Head(found.start(), found.end() + link.end(), is_question, bool(link["task"]), back) if asks else None


def _is_addressed(found: re.Match, before: str, content: str, *, first: bool, pointing: bool) -> bool:
    """Whether a head stands where the assistant is asked, and not under a subject or in another's words."""
    parted, wrapping = _AT_CLAUSE_START.search(before) is not None, found["wrapping"]
    if found["label"] and content and (before.strip() or not first) and not _ALSO_OR_PLEASE.search(wrapping):
        return False
    if parted or _WORD_THAT_GOVERNS.search(before[-40:]):
        return parted and not (content and _REPORTED_SPEECH.search(before))
    ends = not content and (pointing or END_TRIGGERS.match(found["head"]) is not None)
    return bool(ends or _POLITE_REQUEST.match(wrapping) or _CONDITION.match(before))


def _states_something(found: re.Match, content: str, link: re.Match) -> bool:
    """Whether what follows "save that", "write down" tells something, and is no order about a file or a list."""
    tells, states = _TELLS.match(content), _STATES.match(content)
    if found["down"]:
        return bool(len(found["down"].split()) > 2 or link["pointing"] or link["mark"].strip() or tells or states)
    if found["save"] and link["pointing"]:
        return bool(tells or ("," in link[0] and states) or _LABELLED.match(content))
    return not found["save"] or bool(tells and states)


def _only_wonders(rest: str, content: str, link: re.Match, *, request: bool, question: bool) -> bool:
    """Whether "remember …" asks or muses about the past instead of asking to keep something."""
    if question and not request:
        return True
    wonders = bool(_ASKING_WORD.match(rest)) or (request and rest.lower().startswith(" if "))
    if link["pointing"] and not content:
        return request and wonders
    if wonders:
        return not _LABELLED.match(rest.strip())
    # "that film", "that one": a pointing word before a lone noun, not before a statement.
    lone = link["pointing"] is not None and len(content.split()) == 1
    return lone or content == "to" or _REMINISCING.match(rest) is not None


def _split_items(request: RememberRequest, utterance: str) -> Iterator[RememberRequest]:
    """What one request names: "two things: Anna called, and Bob is ill", "to buy milk and to call Bob"."""
    if request.task:
        contents = _TASKS.split(request.content)
    else:
        contents = _counted(request.content, utterance) or [request.content]
    return (replace(request, content=content.strip()) for content in contents)


def _counted(content: str, utterance: str) -> list[str]:
    """The parts of a list of as many things as were announced, or nothing."""
    announced = _COUNT_ANNOUNCED.search(utterance)
    parts = [part for part in _LIST_SEPARATOR.split(content) if part.strip(" .!")] if announced else []
    return parts if announced and len(parts) == _COUNTS[announced["count"].lower()] else []
