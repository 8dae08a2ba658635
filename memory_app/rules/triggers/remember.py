"""Whether an utterance asks the assistant to remember, and what.

A grammar of requests, not substring tests: "I don't remember that film" asks nothing. The phrases are the union
of those in use ("remember that", "don't forget", "keep in mind", "fyi", "/remember" …). Which memory is meant,
and what it says, others decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_app.rules.address import ASSISTANT_NAMES, asked_plainly, without_closing, without_opening
from memory_app.rules.text import sentences
from memory_app.rules.triggers.pattern import pattern


@dataclass(frozen=True)
class RememberRequest:
    """A request to keep `content`, in the words that were used.

    With `refers_back` the content is empty and what was said before is meant: the last of it, or `all_of_it`, or what
    of it tells `about` something. `task`: something to be done ("remember to buy milk").
    """

    content: str
    refers_back: bool = False
    task: bool = False
    all_of_it: bool = False
    about: str = ""


_NOT_FORGET = r"(?:(?:don't|dont|do not|never|not)\s+(?:you\s+(?:dare\s+)?|ever\s+|let me\s+|to\s+)?forget)"
_FOR_LATER = "(?:for (?:later|me|next time|future reference|the future|the record)|in your memory|to (?:your )?memory)"
_POINTING = r"(?:this|that|it|these|those|all (?:of )?(?:this|that))"
_A_FACT = r"(?:the fact\s+)?that"

# Heads that ask wherever a sentence begins.
_STRONG = pattern(
    rf"(?:(?P<slash>/remember(?:@\w+)?)|(?P<remember>remember)|{_NOT_FORGET}|(?:keep|bear) in mind|"
    rf"(?:keep|bear) {_POINTING} in mind|(?:make|keep) (?:a |an? \w+ |yourself a )?note|take (?:a )?note|note to self|"
    r"memori[sz]e|(?:note|write|jot) (?:(?:this|that|it) )?down|"
    rf"commit {_POINTING} to (?:your )?memory|(?:add|put) (?:{_POINTING} )?(?:in|to|into) (?:your )?memory|"
    r"(?P<save>save|store)(?=\s+(?:this|that|it|the fact that)\b))(?!['\w-])"
)
# Heads that prose and code use too: they ask only where the utterance begins.
_WEAK = pattern(
    r"(?:note(?=\s+that\b|\s+this\b|\s+the following\b|\s*:)|(?:just )?(?:an? )?fyi(?!\w)|"
    r"for your information|for future reference|"
    r"(?:just )?(?:for the record|so you know|so (?:that )?you're aware)(?=\s*[,:;–—-])|"
    r"important(?: note)?(?=\s*:))"
)
_LINK = pattern(
    rf"(?P<mark>[ \t]*[:,;–—-]*\s*)(?:{_FOR_LATER}\b\s*[,:]?\s*)?"
    rf"(?:(?P<pointing>this|{_A_FACT}|it|all (?:of )?(?:this|that)|the following|"
    r"(?:some|one|another|an important) ?thing(?: important)?(?=(?: for (?:me|later))?\s*:))\b)?"
    rf"(?:\s*\b{_FOR_LATER}\b)?(?:\s*\b(?:as a note|down)\b)?"
    rf"(?P<colon>\s*[:–—]|[ \t]+-)?[\s,;]*(?P<about>(?:about|of)\s+)?(?P<task>to\s+(?!me\b|you\b|the\b|my\b))?"
)
_WE_SAID = (
    r"(?:(?:i|we)(?:'ve| have|'re| are|'m| am)? (?:just |already |been )*(?:said|told you|mentioned|shared|discussed|"
    r"discussing|talked (?:about|through)|talking about|spoke about|went (?:over|through)|wrote|typed|covered|saying|"
    r"telling you))(?: just now| earlier| before| so far| today| here| above)*"
)
_TALK = r"(?:conversation|chat|talk|discussion|dialogue)"
_SAID_BEFORE = pattern(
    rf"(?:{_POINTING}|any of (?:this|that|it|these|those)|it all|all of (?:it|them)|them(?: all)?|"
    rf"both(?: of (?:them|these|those))?|"
    rf"(?:what|the things?|the last (?:thing|bit|part)) (?:that )?{_WE_SAID}|my last (?:message|sentence|"
    rf"point))\s*[.!]*$"
)
# All that was said, and not a fact: "everything", "everything I told you about Rome", "this whole conversation".
_ALL_SAID = (
    rf"(?:(?:always )?(?:absolutely |literally )?(?:everything|anything|all|every (?:word|detail))"
    r"(?: (?:of )?(?:important|relevant|useful|interesting|the (?:important |relevant )?(?:things|stuff|details)))?"
    rf"|(?:all )?the (?:important|relevant|main|key) (?:things|stuff|parts|bits|points|details)"
    rf"|(?:all (?:of )?)?(?:this|that|our|the)(?: (?:whole|entire))? {_TALK})"
    rf"(?: (?:that )?{_WE_SAID}| (?:from|in|of) (?:all (?:of )?)?(?:this|our|the)(?: (?:whole|"
    rf"entire))? {_TALK}| so far|"
    r" here| above| from now on)*(?: (?:about|on|of|regarding) (?P<about>(?:(?!is\b|are\b|was\b|were\b|"
    r"has\b|have\b|will\b)[\w'-]+ ?){1,8}))?"
)
_AFTER_ALL = rf"(?: down| in mind| {_FOR_LATER}| (?:in|to|into) (?:your )?memory)*\s*[.!]*$"
_REMEMBER_ALL = pattern(
    rf"(?:/remember(?:@\w+)?|remember|{_NOT_FORGET}|memori[sz]e|(?:keep|bear) in mind|"
    rf"(?:make|keep|take) (?:a )?note of|(?:note|write|jot)(?: down)?)\s+{_ALL_SAID}{_AFTER_ALL}"
)
# Of a file one says "save everything" too: these ask only for what was said.
_KEEP_ALL = pattern(
    rf"(?:keep|save|store|record|hold on to|log|note|write|jot)(?: down)?\s+(?=.*\b(?:(?:said|told you|"
    rf"mentioned|shared|"
    rf"discussed|talked about|memory)\b|{_TALK}\b)){_ALL_SAID}{_AFTER_ALL}"
)
_KEEP_THAT = pattern(
    rf"(?:keep|save|store|record|hold on to)\s+(?:all of (?:this|that|it)|what {_WE_SAID})(?: down| in mind|"
    rf" {_FOR_LATER})*\s*[.!]*$"
)
_REMINISCING = pattern(
    r"(?:(?:that|the|those|our)\s+)?(?:good old |very |first |last |one )*"
    r"(?:times?|days?|nights?|summers?|winters?|weekends?|trips?|moments?|part(?:y|ies))\s+"
    r"(?:when|we|you|i|he|she|they|where|that (?:we|you|i|he|she|they))\b|that (?:one )?time (?:at|in)\b|back "
    r"(?:when|in)\b|(?:me|us)\b(?!\s*:)"
)
_ASKING_WORD = pattern(r"(?:when|how|why|who|whom|whose|what|where|which|whether)\b")
# What is told, rather than a thing that is pointed at: "that I smoke", "that Bob owes me", not "that file".
_TELLS = re.compile(r"(?:(?i:i|we|he|she|they|there|my|our|his|her|their)(?:'\w+)?\b|[A-Z]\w*\s)")
_LABELLED = pattern(r"[^.?!:]{1,60}:\s+\S")
_DEMANDED_AFTER = pattern(
    rf"(?P<content>.+?)(?:\s*[,;:–—]\s*(?:so |and |but )?|\s+-\s+|\s+so\s+)(?:please\s+)?"
    rf"(?:remember|{_NOT_FORGET}|save|store|note|keep)\s+(?:this|that|it)(?: in mind| down| {_FOR_LATER})*\s*[.!]*$"
)
# Characters from the end within which such a demand stands.
_DEMAND_REACH = 120
_FOR_REFERENCE_AFTER = pattern(r"(?P<content>.+?)(?:,\s*|\s+)for future reference\s*[.!]*$")


def remember_request(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> RememberRequest | None:
    """What an utterance asks to be remembered, or None when it asks for nothing of the kind."""
    said = asked_plainly(without_closing(utterance.strip().replace("’", "'"), assistant_names))
    opened = without_opening(said, assistant_names)
    head = _STRONG.match(opened.text) or _WEAK.match(opened.text)
    if back := _pointing_back(opened.text, opened.asked):
        return back
    if head is not None:
        request = _requested(head, opened.text, opened.asked)
    else:
        request = _requested_later(said, assistant_names) or _demanded_after(said)
    return _in_own_words(request, utterance) if request is not None else None


def _pointing_back(text: str, asked: bool) -> RememberRequest | None:
    """The request for what was said before, which names none of it: "remember everything", "save this conversation"."""
    text = text.rstrip("? ") if asked else text
    if everything := _REMEMBER_ALL.match(text) or _KEEP_ALL.match(text):
        return RememberRequest("", refers_back=True, all_of_it=True, about=everything["about"] or "")
    return RememberRequest("", refers_back=True) if _KEEP_THAT.match(text) else None


def _in_own_words(request: RememberRequest, utterance: str) -> RememberRequest:
    """The request with its content as it was written: apostrophes were made plain, one for one, to read it."""
    at = utterance.replace("’", "'").find(request.content)
    return replace(request, content=utterance[at : at + len(request.content)])


def _requested_later(said: str, assistant_names: Sequence[str]) -> RememberRequest | None:
    """A request that begins in a later sentence; "I moved to Berlin. Remember that." keeps what stands before."""
    at = 0
    for sentence in sentences(said):
        at = said.index(sentence, at)
        opened = without_opening(sentence, assistant_names)
        head = _STRONG.match(opened.text) if at > 0 else None
        at += len(sentence)
        request = _pointing_back(opened.text, opened.asked) if at > len(sentence) else None
        if request is None and head is not None:
            request = _requested(head, opened.text + said[at:], opened.asked)
        if request is not None:
            return RememberRequest(said[: at - len(sentence)].strip()) if request.refers_back else request
    return None


def _demanded_after(said: str) -> RememberRequest | None:
    """A request that closes the utterance: "my birthday is 3 March, remember that"."""
    body, end = said[:-_DEMAND_REACH], said[-_DEMAND_REACH:]
    demand = _DEMANDED_AFTER.match(end) or _FOR_REFERENCE_AFTER.match(end)
    if demand is None or said.endswith("?"):
        return None
    return RememberRequest((body + demand["content"]).strip())


def _requested(head: re.Match[str], text: str, asked: bool) -> RememberRequest | None:
    """The request made by `text`, whose `head` asks; None when it only reminisces or wonders."""
    rest = text[head.end() :]
    link = _LINK.match(rest)
    assert link is not None  # every part of a link may be empty
    content = rest[link.end() :].strip()
    if link["pointing"]:
        content = content.lstrip(".!? ")  # "Remember this. I moved to Oslo."
    kind = head.groupdict()
    labelled = bool(link["colon"]) or ":" in link["mark"] or bool(kind.get("slash"))
    # "Save this file" is a command; "save this", "save this: …", "save this recipe: …", "save that I …" are requests.
    if kind.get("save") and content and not labelled and not _LABELLED.match(content) and not _TELLS.match(content):
        return None
    if not labelled and _only_wonders(rest.lstrip(" ,"), content, link, asked):
        return None
    if asked and not labelled:
        content = content.rstrip("? ")
    if content == "to":
        return None
    if not content.strip(".!?,;: ") or (not labelled and _SAID_BEFORE.match(rest.lstrip(" ,"))):
        return RememberRequest("", refers_back=True)
    return RememberRequest(content, task=bool(link["task"]))


def _only_wonders(rest: str, content: str, link: re.Match[str], asked: bool) -> bool:
    """Whether "remember …" asks or muses about the past instead of asking to keep something."""
    if _SAID_BEFORE.match(rest):
        return False
    if rest.endswith("?") and not asked:
        return True
    if _ASKING_WORD.match(rest) or (asked and rest.lower().startswith("if ")):
        return not _LABELLED.match(rest)
    # "that film", "that one": a pointing word before a lone noun, not before a statement.
    lone = link["pointing"] is not None and len(content.split()) == 1
    return lone or _REMINISCING.match(rest) is not None
