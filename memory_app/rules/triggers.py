"""Whether an utterance asks the assistant to remember or to forget, and what.

A grammar of requests, not substring tests: "I don't remember that film" asks nothing. The phrases are the union
of those in use ("remember that", "don't forget", "keep in mind", "fyi", "/remember" …). Which memory is meant,
and what it says, others decide.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory_app.rules.address import ASSISTANT_NAMES, asked_plainly, without_closing, without_opening
from memory_app.rules.smalltalk import is_command_or_small_talk
from memory_app.rules.text import sentences

__all__ = [
    "ForgetRequest",
    "RememberRequest",
    "forget_request",
    "is_command_or_small_talk",
    "names_what_was_told",
    "remember_request",
]


@dataclass(frozen=True)
class RememberRequest:
    """A request to keep `content`, in the words that were used.

    With `refers_back` the content is empty and what was said before is meant. `task`: something to be done
    ("remember to buy milk").
    """

    content: str
    refers_back: bool = False
    task: bool = False


@dataclass(frozen=True)
class ForgetRequest:
    """A request to forget: the memory last made or mentioned (`immediate`), those about `query`, or `everything`.

    `explicit` is false where only the address makes it a matter of memory ("remove the blue tile"): right when
    sent as a request to forget, too little when overheard in a conversation.
    """

    query: str = ""
    immediate: bool = False
    everything: bool = False
    explicit: bool = True


def _pattern(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE | re.DOTALL)


_NOT_FORGET = r"(?:(?:don't|dont|do not|never|not)\s+(?:you\s+(?:dare\s+)?|ever\s+|let me\s+|to\s+)?forget)"
_FOR_LATER = "(?:for (?:later|me|next time|future reference|the future|the record)|in your memory|to (?:your )?memory)"
_POINTING = r"(?:this|that|it|these|those|all (?:of )?(?:this|that))"
_A_FACT = r"(?:the fact\s+)?that"

# Heads that ask wherever a sentence begins.
_STRONG = _pattern(
    rf"(?:(?P<slash>/remember(?:@\w+)?)|(?P<remember>remember)|{_NOT_FORGET}|(?:keep|bear) in mind|"
    rf"(?:keep|bear) {_POINTING} in mind|(?:make|keep) (?:a |an? \w+ |yourself a )?note|take (?:a )?note|note to self|"
    r"memori[sz]e|(?:note|write|jot) (?:(?:this|that|it) )?down|"
    rf"commit {_POINTING} to (?:your )?memory|(?:add|put) (?:{_POINTING} )?(?:in|to|into) (?:your )?memory|"
    r"(?P<save>save|store)(?=\s+(?:this|that|it|the fact that)\b))(?!['\w-])"
)
# Heads that prose and code use too: they ask only where the utterance begins.
_WEAK = _pattern(
    r"(?:note(?=\s+that\b|\s+this\b|\s+the following\b|\s*:)|(?:just )?(?:an? )?fyi(?!\w)|"
    r"for your information|for future reference|"
    r"(?:just )?(?:for the record|so you know|so (?:that )?you're aware)(?=\s*[,:;–—-])|"
    r"important(?: note)?(?=\s*:))"
)
_LINK = _pattern(
    rf"(?P<mark>[ \t]*[:,;–—-]*\s*)(?:{_FOR_LATER}\b\s*[,:]?\s*)?"
    rf"(?:(?P<pointing>this|{_A_FACT}|it|all (?:of )?(?:this|that)|the following|"
    r"(?:some|one|another|an important) ?thing(?: important)?(?=(?: for (?:me|later))?\s*:))\b)?"
    rf"(?:\s*\b{_FOR_LATER}\b)?(?:\s*\b(?:as a note|down)\b)?"
    rf"(?P<colon>\s*[:–—]|[ \t]+-)?[\s,;]*(?P<about>(?:about|of)\s+)?(?P<task>to\s+(?!me\b|you\b|the\b|my\b))?"
)
_SAID_BEFORE = _pattern(
    rf"(?:{_POINTING}|(?:what|everything|all|the things?) (?:that )?i(?:'ve| have)? (?:just )?"
    r"(?:said|told you|mentioned)(?: just now| earlier| before)?)\s*[.!]*$"
)
_REMINISCING = _pattern(
    r"(?:(?:that|the|those|our)\s+)?(?:good old |very |first |last |one )*"
    r"(?:times?|days?|nights?|summers?|winters?|weekends?|trips?|moments?|part(?:y|ies))\s+"
    r"(?:when|we|you|i|he|she|they|where|that (?:we|you|i|he|she|they))\b|that (?:one )?time (?:at|in)\b|back "
    r"(?:when|in)\b|(?:me|us)\b(?!\s*:)"
)
_ASKING_WORD = _pattern(r"(?:when|how|why|who|whom|whose|what|where|which|whether)\b")
# What is told, rather than a thing that is pointed at: "that I smoke", "that Bob owes me", not "that file".
_TELLS = re.compile(r"(?:(?i:i|we|he|she|they|there|my|our|his|her|their)(?:'\w+)?\b|[A-Z]\w*\s)")
_LABELLED = _pattern(r"[^.?!:]{1,60}:\s+\S")
_DEMANDED_AFTER = _pattern(
    rf"(?P<content>.+?)(?:\s*[,;:–—]\s*(?:so |and |but )?|\s+-\s+|\s+so\s+)(?:please\s+)?"
    rf"(?:remember|{_NOT_FORGET}|save|store|note|keep)\s+(?:this|that|it)(?: in mind| down| {_FOR_LATER})*\s*[.!]*$"
)
# Characters from the end within which such a demand stands.
_DEMAND_REACH = 120
_FOR_REFERENCE_AFTER = _pattern(r"(?P<content>.+?)(?:,\s*|\s+)for future reference\s*[.!]*$")


def remember_request(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> RememberRequest | None:
    """What an utterance asks to be remembered, or None when it asks for nothing of the kind."""
    said = asked_plainly(without_closing(utterance.strip().replace("’", "'"), assistant_names))
    opened = without_opening(said, assistant_names)
    head = _STRONG.match(opened.text) or _WEAK.match(opened.text)
    if head is not None:
        request = _requested(head, opened.text, opened.asked)
    else:
        request = _requested_later(said, assistant_names) or _demanded_after(said)
    return _in_own_words(request, utterance) if request is not None else None


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
        request = _requested(head, opened.text + said[at:], opened.asked) if head is not None else None
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


_UNSAYING = (
    r"(?:forget|forgett|forgte?|froget|foget|unremember|unlearn|"
    r"(?:don't|dont|do not|stop)\s+(?:remember(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?)|"
    r"(?:you (?:don't|dont|do not) (?:need|have) to|(?:there's |there is )?no need to)\s+(?:remember|save|store|keep))"
)
"""Misspelt, too: who types "forgte that" asks for the same."""
_REMOVING = r"(?:delete|remove|erase|clear|wipe|get rid of|disregard)"
_TAKING_OUT = r"(?:get|take)(?=.{1,200}\s(?:out of|from)\s+(?:your|my|the)\s+(?:memor(?:y|ies)|notes?|records?)\b)"
_I_SAID = r"(?:i(?:'ve| have)?\s+(?:just |ever |already )?(?:said|told you|mentioned|asked you to remember|shared))"
_I_JUST_SAID = r"i(?:'ve| have)?\s+(?:just\s+(?:said|told you)|(?:said|told you)\s+just now)"
_TELLING = _pattern(rf"\b{_I_SAID}")
_RECENTLY = r"(?:\s+(?:just now|earlier|before|a (?:moment|minute|second) ago))?"
_LAST = (
    r"(?:(?:the|that|this|your|my)\s+(?:very\s+)?(?:last|latest|most recent|previous|newest)"
    rf"(?:\s+(?:one|thing|memory|note|bit|part|entry|message))?(?:\s+(?:that\s+)?{_I_SAID})?|"
    r"(?:that|this) (?:one|memory|note)|the memory)"
)
_YOU_KEPT = r"(?:you(?:'ve| have)? just (?:remembered|saved|stored|noted(?: down)?|kept|learned|learnt|wrote down))"
_WHAT_I_SAID = (
    rf"(?:(?:what|whatever|the thing)\s+(?:that\s+)?(?:{_I_SAID}{_RECENTLY}|{_YOU_KEPT})|"
    rf"(?:everything|anything|all)\s+(?:that\s+)?(?:{_I_JUST_SAID}|{_YOU_KEPT})|"
    rf"(?:that\s+)?{_I_SAID}\s+(?:that|this|it|anything|so){_RECENTLY})"
)
_BY_NOW = r"(?:\s+(?:now|then|again|instead|entirely|completely|after all|for good))*"
_STOP = rf"{_BY_NOW}\s*(?:[.!]*|[,.;!–—-]+\s.*)$"
_IMMEDIATE = _pattern(
    rf"(?:(?:{_UNSAYING}|{_REMOVING}|scratch|strike|undo|discard|drop|ignore)\s+(?:about\s+)?"
    rf"(?:(?:that|this)(?: in mind| down)?|these|those|them all|all (?:of )?(?:that|this|it)|{_LAST}|{_WHAT_I_SAID})|"
    rf"(?:{_REMOVING}|undo|discard)\s+it|"
    rf"(?:don't|dont|do not)\s+(?:remember|save|store|keep)\s+it|(?:i )?take (?:that|it) back|"
    r"(?:don't|dont|do not)\s+(?:(?:write|note|jot)\s+(?:that|this|it)\s+down|"
    r"bother\s+(?:to\s+remember|remembering)\s+(?:that|this|it))|"
    rf"{_LAST}){_STOP}"
)
_NEVER_MIND = _pattern(
    rf"(?:forget\s+(?:all\s+)?(?:about\s+)?(?:it|him|her|them|you|yourself)(?:\s+then)?(?:\s+and\s.*)?|"
    rf"never ?mind(?:\s+(?:about\s+)?(?:it|him|her|them|me|you|us|this|that|all that))?(?:\s+then)?){_STOP}"
)
_ALL_MEMORY = (
    r"(?:(?:absolutely\s+)?everything|what(?:ever)?(?= you\b.* me\b)|"
    r"(?:all|every one)\s+(?:of\s+)?(?:the |my |your )?memor(?:y|ies)|"
    r"my memories|"
    r"(?:my|your) (?:whole |entire )?memory|the (?:whole|entire) memory|me|anything|all)"
)
_EVERYTHING = _pattern(
    rf"(?:{_UNSAYING}|{_REMOVING})\s+{_ALL_MEMORY}"
    r"(?:\s+(?:that\s+)?(?:you(?:'ve| have)?\s+(?:know|remember|learned|learnt|stored|saved|have|kept)|"
    r"i(?:'ve| have)?\s+(?:ever\s+)?(?:said|told you|shared|mentioned)))?"
    r"(?:\s+(?:about|on|of)\s+me)?(?:\s+(?:completely|please|now))?\s*[.!]*$"
)
_MEMORY_NOUN = (
    r"(?:(?:all|any|every|each|the|my|your|that|this|those|these|of|a)\s+)*"
    r"(?:memor(?:y|ies)|notes?|entr(?:y|ies)|facts?|things?|ones?)"
)
_ABOUT = (
    rf"(?:(?:all\s+)?about\s+|"
    rf"(?P<noun>{_MEMORY_NOUN})\s+(?:about|of|on|regarding|concerning|that|called|with|where|saying|from)\s+|"
    rf"(?:everything|anything|all|what|whatever)\s+(?:(?:that\s+)?(?:you (?:know|remember|have)|{_I_SAID})\s+)?"
    r"(?:about|regarding|on)\s+|"
    rf"(?:the fact\s+)?that\s+(?:{_I_SAID}\s+(?:you\s+)?(?:about|that)\s+)?)?"
)
_OUT_OF_MEMORY = _pattern(
    r"\s+(?:from|out of)\s+(?:(?:your|my|the)\s+)?(?:memor(?:y|ies)|notes?|head|mind|records?)\s*[.!]*$"
)
_SLASH = r"/(?:memory\s+)?forget(?:@\w+)?"
_SLASH_POINTING = _pattern(rf"{_SLASH}\s+(?=(?:that|this|it|everything|the last|what i)\b)")
_FORGET = _pattern(
    rf"(?:(?P<slash>{_SLASH})|(?P<unsaying>{_UNSAYING})|"
    rf"(?P<removing>{_REMOVING}|{_TAKING_OUT}|drop|never ?mind))\s+{_ABOUT}(?P<query>.+)$"
)
# "but keep the phone number": what is to stay is not what is looked for.
_BUT_KEEP = _pattern(
    r"[\s,;]+(?:(?:but|and)\s+(?:please\s+|do\s+|still\s+)?(?:keep|not|leave|remember|don't forget|do not forget)|"
    r"except(?:\s+for)?|(?:other|rather)\s+than|without\s+forgetting)\b.*$"
)
_TOLD = _pattern(r"\b(?:told you|you (?:know|remember|have))\b")
_NAMED_MEMORY = _pattern(
    r"(?:the |my |that |this )?(?:(?P<query>.+?)\s+memor(?:y|ies)|memory\s+(?P<after>[^\W\d_].*?))\s*[.!]*$"
)
# "Don't remember seeing him", "don't remember what it was called": an "I" left out, not a request.
_MUSING = _pattern(
    r"(?:don't|dont|do not)\s+remember\s+(?:(?:when|how|why|who|what|where|which|if|whether)\b|"
    r"(?!(?:any|every|some|no)thing\b|morning\b|evening\b|wedding\b|meeting\b|building\b)\w{2,}ing\b)"
)
_NOT_MEMORIES = _pattern(
    r".{,100}\bfrom\s+(?:the|my|our|that)\b.{,50}\b(?:list|cart|basket|queue|playlist|calendar|schedule|folder|"
    r"order)\b|"
    r"(?:the|my|this|that|all|a|an)\s+(?:\w+\s+)?(?:files?|folders?|e-?mails?|apps?|alarms?|timers?|photos?|songs?|"
    r"reminders?|events?|messages?|accounts?|lines?|rows?|columns?|branch|comments?|code|function)\b"
)


def forget_request(utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES) -> ForgetRequest | None:
    """What an utterance asks to be forgotten, or None: "don't forget…", "I forgot…" and "forget it" ask nothing."""
    said = asked_plainly(" ".join(utterance.replace("’", "'").split()))
    opened = without_opening(without_closing(said, assistant_names), assistant_names)
    text = opened.text.rstrip("? ") if opened.asked else opened.text
    if _NEVER_MIND.match(text) or (text.endswith("?") and not text.startswith("/")):
        return None
    pointing = _SLASH_POINTING.sub("delete ", text)
    if _IMMEDIATE.match(pointing):
        return ForgetRequest(immediate=True)
    if _EVERYTHING.match(pointing):
        return ForgetRequest(everything=True)
    return _forget_by_words(text)


def names_what_was_told(utterance: str) -> bool:
    """Whether an immediate reference is to the person's own words ("what I just told you"), not to what they heard."""
    return _TELLING.search(utterance.replace("’", "'")) is not None


def _forget_by_words(text: str) -> ForgetRequest | None:
    """A request to forget what some words describe: "forget about the blue tile", "delete the Anna memory"."""
    found = _FORGET.match(text)
    if found is None or _MUSING.match(text) or found["query"].lower().startswith("to "):
        return None
    asked = _BUT_KEEP.sub("", found["query"])
    wanted = _OUT_OF_MEMORY.sub("", asked)
    named = _NAMED_MEMORY.match(wanted)
    if named is not None and found["noun"] is None:
        wanted = named["query"] or named["after"]
    query = wanted.strip(" .!\"'“”")
    told = _TOLD.search(text[: found.start("query")]) is not None or wanted != asked
    explicit = found["removing"] is None or found["noun"] is not None or told
    if not query or (not explicit and _NOT_MEMORIES.match(query)):
        return None
    return ForgetRequest(query=query, explicit=explicit)
