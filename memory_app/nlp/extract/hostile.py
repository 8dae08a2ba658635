"""Turns that speak to the machinery instead of to anyone in the conversation. Nothing is extracted from such a turn.

This is a courtesy to the person who reviews, not the guard: whatever is extracted is only ever a proposal, in the
space and for the person of the conversation.
"""

from memory_app.nlp import linear_re as re

_DETERMINERS = r"(?:(?:all|any|the|your|my|of|every|previous|prior|above|earlier|these|those|other|preceding) ){0,4}"
_MEMORY = r"(?:long[- ]term )?(?:memory|memories|memory store|knowledge base|database)"
_HOSTILE = re.compile(
    rf"\b(?:ignore|disregard|forget|override|bypass) {_DETERMINERS}(?:instructions?|prompts?|guidelines|directives|"
    r"(?<=previous )rules|(?<=your )rules)\b|"
    r"\b(?:system|developer) (?:prompt|message|instructions?|override|note)\b|\bjailbreak|\bprompt injection\b|"
    r"(?:^|[.!?:]\s+)you are now (?:an?|the|in|my|going|free)\b|\bnew instructions?:|"
    r"\b(?:memory|memories|proposals?|fact|extract(?:or|ion)) (?:system|engine|agent|extract(?:or|ion)|module|policy|"
    r"api|filters?)\b|"
    r"\b(?:store|save|insert|record|add|write|delete|wipe|erase|purge|drop|remove|overwrite|replace)\b.{0,60}"
    rf"\b(?:in|into|to|from|of)? ?(?:the|your|user'?s|everyone'?s|all(?: the)?|every|each) {_MEMORY}\b|"
    r"\b(?:approve|accept|auto-?approve|confirm|reject)\b.{0,20}\b(?:proposals?|memories)\b|"
    r"\bmark(?:ed)? (?:this |it |that )?as (?:verified|trusted|global|confirmed|approved)\b|"
    r"\bconfidence\b.{0,10}\b1(?:\.0+)?\b|"
    r"\b(?:admin|root|superuser|sudo)\b.{0,20}\b(?:access|rights|privileges|mode|permissions?)\b|"
    r"^\s*(?:system|assistant|developer)\s*:|</?\|?(?:system|im_start|im_end|instructions?|memory)\b|\[/?INST\]|"
    r"\bdrop table\b",
    re.IGNORECASE | re.MULTILINE,
)


def is_hostile(content: str) -> bool:
    """Whether a turn tries to make the memory system, or a model behind it, do something."""
    return bool(_HOSTILE.search(content))
