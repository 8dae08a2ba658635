"""Whether an utterance asks the assistant to forget, and what: the last thing, what some words describe, or everything.

"Don't forget…", "I forgot…" and "forget it" ask nothing. Which memory is meant, others decide.
"""

from dataclasses import dataclass

from memory_app.nlp.commands.address import pattern, without_closing, without_opening


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


_FORGET_VERB = (
    r"(?:forget|forgett|forgte?|froget|foget|unremember|unlearn|"
    r"(?:don't|dont|do not|stop)\s+(?:remember(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|keep(?:ing)?)|"
    r"(?:you (?:don't|dont|do not) (?:need|have) to|(?:there's |there is )?no need to)\s+(?:remember|save|store|keep))"
)
"""Misspelt, too: who types "forgte that" asks for the same."""
_REMOVE_VERB = r"(?:delete|remove|erase|clear|wipe|get rid of|disregard)"
_TAKE_OUT_VERB = r"(?:get|take)(?=.{1,200}\s(?:out of|from)\s+(?:your|my|the)\s+(?:memor(?:y|ies)|notes?|records?)\b)"
_I_SAID = r"(?:i(?:'ve| have)?\s+(?:just |ever |already )?(?:said|told you|mentioned|asked you to remember|shared))"
_I_JUST_SAID = r"i(?:'ve| have)?\s+(?:just\s+(?:said|told you)|(?:said|told you)\s+just now)"
_OWN_WORDS = pattern(rf"\b{_I_SAID}")
_RECENTLY = r"(?:\s+(?:just now|earlier|before|a (?:moment|minute|second) ago))?"
_LAST = (
    r"(?:(?:the|that|this|your|my)\s+(?:very\s+)?(?:last|latest|most recent|previous|newest)"
    rf"(?:\s+(?:one|thing|memory|note|bit|part|entry|message))?(?:\s+(?:that\s+)?{_I_SAID})?|"
    r"(?:that|this) (?:one|memory|note)|the memory)"
)
_YOU_SAVED = r"(?:you(?:'ve| have)? just (?:remembered|saved|stored|noted(?: down)?|kept|learned|learnt|wrote down))"
_WHAT_I_SAID = (
    rf"(?:(?:what|whatever|the thing)\s+(?:that\s+)?(?:{_I_SAID}{_RECENTLY}|{_YOU_SAVED})|"
    rf"(?:everything|anything|all)\s+(?:that\s+)?(?:{_I_JUST_SAID}|{_YOU_SAVED})|"
    rf"(?:that\s+)?{_I_SAID}\s+(?:that|this|it|anything|so){_RECENTLY})"
)
_ADVERBS = r"(?:\s+(?:now|then|again|instead|entirely|completely|after all|for good))*"
_REQUEST_END = rf"{_ADVERBS}\s*(?:[.!]*|[,.;!–—-]+\s.*)$"
_IMMEDIATE = pattern(
    rf"(?:(?:{_FORGET_VERB}|{_REMOVE_VERB}|scratch|strike|undo|discard|drop|ignore)\s+(?:about\s+)?(?:(?:that|"
    f"this)(?: in mind| down)?|these|those|them all|all (?:of )?(?:that|this|it)|{_LAST}|{_WHAT_I_SAID})|"
    rf"(?:{_REMOVE_VERB}|undo|discard)\s+it|(?:don't|dont|do not)\s+(?:remember|save|store|keep)\s+it|"
    r"(?:i )?take (?:that|it) back|(?:don't|dont|do not)\s+(?:(?:write|note|jot)\s+(?:that|this|it)\s+down|"
    rf"bother\s+(?:to\s+remember|remembering)\s+(?:that|this|it))|{_LAST}){_REQUEST_END}"
)
_NEVER_MIND = pattern(
    rf"(?:forget\s+(?:all\s+)?(?:about\s+)?(?:it|him|her|them|you|yourself)(?:\s+then)?(?:\s+and\s.*)?|"
    rf"never ?mind(?:\s+(?:about\s+)?(?:it|him|her|them|me|you|us|this|that|all that))?(?:\s+then)?){_REQUEST_END}"
)
_ALL_MEMORY = (
    r"(?:(?:absolutely\s+)?everything|what(?:ever)?(?= you\b.* me\b)|(?:all|every one)\s+(?:of\s+)?(?:the |my |"
    "your )?memor(?:y|ies)|my memories|(?:my|your) (?:whole |entire )?memory|the (?:whole|entire) memory|me|"
    "anything|all)"
)
_EVERYTHING = pattern(
    rf"(?:{_FORGET_VERB}|{_REMOVE_VERB})\s+{_ALL_MEMORY}"
    r"(?:\s+(?:that\s+)?(?:you(?:'ve| have)?\s+(?:know|remember|learned|learnt|stored|saved|have|kept)|"
    r"i(?:'ve| have)?\s+(?:ever\s+)?(?:said|told you|shared|mentioned)))?"
    r"(?:\s+(?:about|on|of)\s+me)?(?:\s+(?:completely|please|now))?\s*[.!]*$"
)
_MEMORY_NOUN = (
    r"(?:(?:all|any|every|each|the|my|your|that|this|those|these|of|a)\s+)*"
    r"(?:memor(?:y|ies)|notes?|entr(?:y|ies)|facts?|things?|ones?)"
)
_ABOUT = (
    rf"(?:(?:all\s+)?about\s+|(?P<noun>{_MEMORY_NOUN})\s+(?:about|of|on|regarding|concerning|that|called|with|where|"
    r"saying|from)\s+|(?:everything|anything|all|what|whatever)\s+(?:(?:that\s+)?(?:you (?:know|remember|have)|"
    rf"{_I_SAID})\s+)?(?:about|regarding|on)\s+|(?:the fact\s+)?that\s+(?:{_I_SAID}\s+(?:you\s+)?(?:about|"
    r"that)\s+)?)?"
)
_REMOVE_FROM_MEMORY = pattern(
    r"\s+(?:from|out of)\s+(?:(?:your|my|the)\s+)?(?:memor(?:y|ies)|notes?|head|mind|records?)\s*[.!]*$"
)
_SLASH = r"/(?:memory\s+)?forget(?:@\w+)?"
_SLASH_POINTING = pattern(rf"{_SLASH}\s+(?=(?:that|this|it|everything|the last|what i)\b)")
_FORGET = pattern(
    rf"(?:(?P<slash>{_SLASH})|(?P<unsaying>{_FORGET_VERB})|"
    rf"(?P<removing>{_REMOVE_VERB}|{_TAKE_OUT_VERB}|drop|never ?mind))\s+{_ABOUT}(?P<query>.+)$"
)
# "but keep the phone number": what is to stay is not what is looked for.
_EXCEPTION = pattern(
    r"[\s,;]+(?:(?:but|and)\s+(?:please\s+|do\s+|still\s+)?(?:keep|not|leave|remember|don't forget|do not forget)|"
    r"except(?:\s+for)?|(?:other|rather)\s+than|without\s+forgetting)\b.*$"
)
_REFERS_TO_MEMORY = pattern(r"\b(?:told you|you (?:know|remember|have))\b")
_NAMED_MEMORY = pattern(
    r"(?:the |my |that |this )?(?:(?P<query>.+?)\s+memor(?:y|ies)|memory\s+(?P<after>[^\W\d_].*?))\s*[.!]*$"
)
# "Don't remember seeing him", "don't remember what it was called": an "I" left out, not a request.
_RECOLLECTION = pattern(
    r"(?:don't|dont|do not)\s+remember\s+(?:(?:when|how|why|who|what|where|which|if|whether)\b|"
    r"(?!(?:any|every|some|no)thing\b|morning\b|evening\b|wedding\b|meeting\b|building\b)\w{2,}ing\b)"
)
_NOT_MEMORIES = pattern(
    r".{,100}\bfrom\s+(?:the|my|our|that)\b.{,50}\b(?:list|cart|basket|queue|playlist|calendar|schedule|folder|"
    r"order)\b|(?:the|my|this|that|all|a|an)\s+(?:\w+\s+)?(?:files?|folders?|e-?mails?|apps?|alarms?|timers?|photos?|"
    r"songs?|reminders?|events?|messages?|accounts?|lines?|rows?|columns?|branch|comments?|code|function)\b"
)


def forget_request(utterance: str) -> ForgetRequest | None:
    """What an utterance asks to be forgotten, or None: "don't forget…", "I forgot…" and "forget it" ask nothing."""
    text = " ".join(utterance.replace("’", "'").split())
    opened = without_opening(without_closing(text))
    text = opened.text.rstrip("? ") if opened.is_question else opened.text
    if _NEVER_MIND.match(text) or (text.endswith("?") and not text.startswith("/")):
        return None
    pointing = _SLASH_POINTING.sub("delete ", text)
    if _IMMEDIATE.match(pointing):
        return ForgetRequest(immediate=True)
    if _EVERYTHING.match(pointing):
        return ForgetRequest(everything=True)
    return _forget_by_words(text)


def refers_to_own_words(utterance: str) -> bool:
    """Whether an immediate reference is to the person's own words ("what I just told you"), not to what they heard."""
    return _OWN_WORDS.search(utterance.replace("’", "'")) is not None


def _forget_by_words(text: str) -> ForgetRequest | None:
    """A request to forget what some words describe: "forget about the blue tile", "delete the Anna memory"."""
    found = _FORGET.match(text)
    if found is None or _RECOLLECTION.match(text) or found["query"].lower().startswith("to "):
        return None
    without_exception = _EXCEPTION.sub("", found["query"])
    wanted = _REMOVE_FROM_MEMORY.sub("", without_exception)
    named = _NAMED_MEMORY.match(wanted)
    if named is not None and found["noun"] is None:
        wanted = named["query"] or named["after"]
    query = wanted.strip(" .!\"'“”")
    of_memory = _REFERS_TO_MEMORY.search(text[: found.start("query")]) is not None or wanted != without_exception
    explicit = found["removing"] is None or found["noun"] is not None or of_memory
    if not query or (not explicit and _NOT_MEMORIES.match(query)):
        return None
    return ForgetRequest(query=query, explicit=explicit)
