"""Whether an utterance asks the assistant to remember, and what.

A grammar of requests, not substring tests: "I don't remember that film" asks nothing. The phrases are the union
of those in use ("remember that", "don't forget", "keep in mind", "fyi", "/remember" …). Which memory is meant,
and what it says, others decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_app.rules import linear_re as re
from memory_app.rules.address import ASSISTANT_NAMES, without_closing, without_opening
from memory_app.rules.text import sentences
from memory_app.rules.triggers.misspelt import spelt
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


_NOT_FORGET = (
    r"(?:(?:don't|dont|do not|never|not|(?:you|we) (?:mustn't|must not|won't|will not))\s+"
    r"(?:you\s+(?:dare\s+)?|ever\s+|let me\s+|to\s+)?forget)"
)
_FOR_LATER = (
    "(?:for (?:later|me|next time|another time|future reference|the future|the record)|"
    "(?:in|to|into) (?:your )?(?:memory|notes))"
)
_POINTING = r"(?:this|that|it|these|those|all (?:of )?(?:this|that))"
_A_FACT = r"(?:the fact\s+)?that"

_COUNT = r"(?:a|one|two|three|four|[1-4]|a few|some|a couple of|another)(?: more| quick| other)? "

# Heads that ask wherever a sentence begins.
_STRONG = pattern(
    rf"(?:(?P<slash>/remember(?:@\w+)?)|(?P<remember>remember)|{_NOT_FORGET}|(?:keep|bear) in mind|"
    rf"(?:keep|bear) {_POINTING} in mind|(?:make|keep|add|leave|take) (?:a |an? \w+ |yourself a )?note|"
    r"note to self|(?:memo|mental note|note for later)(?=\s*:)|worth (?:remembering|noting)(?=\s*:|\s+that\b)|"
    r"update your (?:memory|notes)|keep a record (?=that\b)|so you (?:remember|don't forget)(?=\s*[,:])|"
    rf"(?:to remember|{_COUNT}things?(?: \w+){{0,3}} to (?:remember|note|keep in mind))(?=\s*:)|"
    r"memori[sz]e|(?P<down>(?:note|write|jot) (?:(?:this|that|it) )?down)|"
    rf"(?:add|put|write|pop|stick|commit) (?:{_POINTING} )?(?:in|to|into) (?:your |my )?(?:memory|notes|profile)|"
    rf"(?:save|store|log|keep) (?:{_POINTING} )?(?:in|to|into) your (?:memory|notes)|"
    r"(?P<save>save|store|keep|log|record|file)(?=\s+(?:this|that|it|the fact that)\b))(?!['\w-])"
)
# Heads that prose and code use too: they ask only where the utterance begins.
_WEAK = pattern(
    r"(?:note(?=\s+that\b|\s+this\b|\s+the following\b|\s*:)|(?:just )?(?:an? )?fyi(?!\w)|"
    r"for your information|for future reference|for (?:later|next time)(?=\s*[,:;–—-])|"
    r"(?:just )?(?:for the record|so you know|so (?:that )?you're aware)(?=\s*[,:;–—-])|"
    r"important(?: note)?(?=\s*:))"
)
_LINK = pattern(
    rf"(?P<mark>[ \t]*[:,;–—-]*\s*)(?:{_FOR_LATER}\b\s*[,:]?\s*)?"
    rf"(?:(?P<pointing>this|{_A_FACT}|it|all (?:of )?(?:this|that)|the following|"
    r"(?:some|one|another|an important) ?thing(?: important)?(?=(?: for (?:me|later))?\s*:))\b)?"
    rf"(?P<later>\s*\b{_FOR_LATER}\b)?(?:\s*\b(?:as a note|down)\b)?(?:,?\s*\b(?:please|would you|dear|ok)\b)*"
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
_REMINISCING = pattern(
    r"(?:(?:that|the|those|our)\s+)?(?:good old |very |first |last |one )*"
    r"(?:times?|days?|nights?|summers?|winters?|weekends?|trips?|moments?|part(?:y|ies))\s+"
    r"(?:when|we|you|i|he|she|they|where|that (?:we|you|i|he|she|they))\b|that (?:one )?time (?:at|in)\b|back "
    r"(?:when|in)\b|(?:me|us)\b(?!\s*:)"
)
_ASKING_WORD = pattern(
    r"(?!when(?:ever)? (?:i|we) (?:say|ask|write|mention|type|call)\b)"
    r"(?:when|how|why|who|whom|whose|what|where|which|whether)\b"
)
# What is told, rather than a thing that is pointed at: "that I smoke", "that Bob owes me", not "that file".
_TELLS = re.compile(r"(?:(?i:i|we|he|she|they|there|my|our|his|her|their)(?:'\w+)?\b|[A-Z]\w*\s)")
_STATES = pattern(r"(?!.*\b(?:how|why|what|which)\b)(?!\d|some\b|a few\b|two\b|three\b).*\b(?:is|are|was|has|will)\b")
_LABELLED = pattern(r"[^.?!:]{1,60}:\s+\S")
_PLEASE = r"(?:(?:so|and|but|please|pls|just|can you|could you|will you|would you|make sure (?:you|to))\s+)*"
# After a pause, or "so"; without either only where nobody is told or able to: not "I told him don't forget".
_DEMANDED_AFTER = pattern(
    rf"(?P<content>.+?)(?:\s*[,;:–—.!(]\s*{_PLEASE}|\s+-\s+{_PLEASE}|\s+so\s+{_PLEASE}|\s+(?:please|pls)\s+|"
    r"\s+(?<!\bto )(?<!\bi )(?<!\bhim )(?<!\bher )(?<!\bthem )(?<!\bsaid )(?<!\bsay )(?<!\bsays )(?<!\bwe )(?<!\byou )"
    r"(?<!\bthey )(?=(?:don't|dont|do not) forget))"
    rf"(?:(?:remember|{_NOT_FORGET}|save|store|note|keep|log)\s+(?:this|that|it|both|these|those)(?: one)?"
    rf"(?: in mind| down| {_FOR_LATER})*|"
    rf"remember|{_NOT_FORGET}|(?:keep|bear) in mind|for (?:later|your (?:notes|memory))|"
    r"(?:make|take|keep) (?:a )?note(?: of (?:this|that|it))?|worth (?:remembering|noting)|fyi)(?: {_FOR_LATER})*"
    r"(?:,? (?:please|pls|ok|okay|thanks|thank you|yeah))*\s*[.!)]*$"
)
# An order that holds words about remembering asks for something else: "write a story, and remember that …".
_ORDER = pattern(
    r"(?:write|draft|compose|summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|list|give|tell|explain|"
    r"suggest|create|generate|design|find|show|describe|read|play)\b(?! (?:it|this|that) down)"
)
# What a request may stand behind in its own sentence: a pause, or "so", and then a head that says "that" or a label.
_CLAUSE = pattern(
    r"(?:[,;:–—]|\s-|\s(?=(?:so|but|and)\b))\s*(?=[^,;:–—]{0,40}?\b(?:remember|forget|in mind|note|keep|save|store))"
)
_OTHERS_WORDS = pattern(
    r".*\b(?:said|says?|told|tells?|wrote|goes|reads?|called|titled|quote|motto|sign)\b(?: [\w']+){0,3}\W*$"
)
# Characters from the end within which such a demand stands.
_DEMAND_REACH = 120
# Characters within which a request stands behind other words of its sentence.
_CLAUSE_REACH = 300


def remember_request(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> RememberRequest | None:
    """What an utterance asks to be remembered, or None when it asks for nothing of the kind."""
    said = without_closing(spelt(utterance.strip().replace("’", "'")), assistant_names)
    opened = without_opening(said, assistant_names)
    head = _STRONG.match(opened.text) or _WEAK.match(opened.text)
    if back := _pointing_back(opened.text, opened.asked):
        return back
    request = _requested(head, opened.text, opened.asked) if head else None
    if request is None and not _ORDER.match(opened.text):
        request = _requested_later(said, assistant_names) or _demanded_after(said)
        request = request or _requested_in_a_clause(said, assistant_names)
    return _in_own_words(request, utterance) if request is not None else None


def _pointing_back(text: str, asked: bool) -> RememberRequest | None:
    """The request for what was said before, which names none of it: "remember everything"."""
    text = text.rstrip("? ") if asked else text
    if everything := _REMEMBER_ALL.match(text):
        return RememberRequest("", refers_back=True, all_of_it=True, about=everything["about"] or "")
    return None


def _in_own_words(request: RememberRequest, utterance: str) -> RememberRequest:
    """The request with its content as it was written: apostrophes were made plain, one for one, to read it. What also
    closes with a demand ("…, remember please") keeps none of it."""
    again = _DEMANDED_AFTER.match(request.content[-_DEMAND_REACH:]) if request.content else None
    content = request.content[:-_DEMAND_REACH] + again["content"] if again else request.content
    at = utterance.replace("’", "'").find(content)
    return replace(request, content=utterance[at : at + len(content)] if at >= 0 else content)


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


def _requested_in_a_clause(said: str, assistant_names: Sequence[str]) -> RememberRequest | None:
    """A request behind other words of its sentence: "if I ask about plants again, remember the flat faces north"."""
    for joint in _CLAUSE.finditer(said[:_CLAUSE_REACH]):
        opened = without_opening(said[joint.end() :], assistant_names)
        head = _STRONG.match(opened.text)
        if head is None or _OTHERS_WORDS.match(said[: joint.start()]):
            continue
        request = _requested(head, opened.text, opened.asked)
        if request is not None and not request.refers_back:
            return request
    return None


def _demanded_after(said: str) -> RememberRequest | None:
    """A request that closes the utterance: "my birthday is 3 March, remember that"."""
    body, end = said[:-_DEMAND_REACH], said[-_DEMAND_REACH:]
    demand = _DEMANDED_AFTER.match(end)
    if demand is None or said.endswith("?") or _OTHERS_WORDS.match(demand["content"]):
        return None
    return RememberRequest((body + demand["content"]).strip())


def _requested(head: re.Match, text: str, asked: bool) -> RememberRequest | None:
    """The request made by `text`, whose `head` asks; None when it only reminisces or wonders."""
    rest = text[head.end() :]
    link = _LINK.match(rest)
    assert link is not None  # every part of a link may be empty
    content = rest[link.end() :].strip()
    kind = head.groupdict()
    if link["pointing"] or kind.get("down"):
        content = content.lstrip(".!? ")  # "Remember this. I moved to Oslo."
    for_later = (link["later"] or "").strip().lower().startswith("for")
    labelled = bool(link["colon"] or for_later or kind.get("slash")) or ":" in link["mark"]
    # "Save this file" is a command; "save this", "save this: …", "save this recipe: …", "save that I …" are requests.
    if kind.get("save") and content and not labelled and not _LABELLED.match(content) and not _TELLS.match(content):
        return None
    # "Write down three names for a cat" asks for names: what tells nothing by itself is none of a request.
    down, told = kind.get("down"), link["pointing"] or link["mark"].strip() or _TELLS.match(content)
    if down and len(down.split()) == 2 and content and not (labelled or told or _STATES.match(content)):
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


def _only_wonders(rest: str, content: str, link: re.Match, asked: bool) -> bool:
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
