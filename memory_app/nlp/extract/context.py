"""Words that do not stand alone, and what was said before them: the question they answer, or of whom they speak."""

from collections.abc import Sequence

from memory_app.nlp import linear_re as re
from memory_app.nlp.entities.find_entities import find_entities
from memory_app.nlp.extract.claims import Claim, blank_unspoken, is_question, sentences_with_start
from memory_app.nlp.extract.turns import SpokenTurn
from memory_app.nlp.extract.vocabulary import SECOND_PERSON, content_words, has_any_pronoun

MAX_SHORT_ANSWER_WORDS = 6
"""Content words up to which an answer about nothing of one's own needs its question to be understood."""

MAX_BARE_ANSWER_WORDS = 4
"""Words up to which an answer that stands alone in a turn says something only with its question."""

MAX_TURNS_BACK = 4
"""Turns before, in which who "she" is was named; the nearest counts."""

USER = "user"

MAX_CONTEXT_LENGTH = 300
"""Characters of a sentence that helps to understand another."""

_PERSON_PRONOUN = re.compile(
    r"(?:and |but |so |then )*(?:he|she|they|his|her|their|him|them|hers|theirs)(?:['’]\w+|s)?\b", re.I
)
_THING_PRONOUN = re.compile(r"(?:and |but |so |then )*(?:it|that|this|those|these)(?:['’]\w+|s)?\b", re.IGNORECASE)
_SOMEONE = re.compile(
    r"\b(?:(?:my|our|the|a|his|her) (?:[\w-]+ ){0,2}?)?(?:mum|mom|dad|mother|father|parents|sister|sis|brother|son|"
    r"daughter|kids?|children|wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|aunt|uncle|cousin|niece|nephew|"
    r"gran|grandma|grandpa|grandmother|grandfather|grandson|granddaughter|godson|goddaughter|friend|mate|flatmate|"
    r"roommate|neighbou?rs?|boss|manager|colleague|teacher|landlord|landlady|team|cat|dog|puppy|kitten|horse|"
    r"[\w]+-in-law)(?:['’]s)?\b",
    re.IGNORECASE,
)
_ANY_OR_WHICH = re.compile(r"(?:any|which|what (?:colou?r|day|size))\b", re.IGNORECASE)
# What an assistant offers or needs for its task: the answer says what to do next.
_OFFERS = re.compile(
    r"\b(?:would you like|do you want|want me|shall i|should i|can i|could you|can you|did (?:it|that|you)|do you need|"
    r"is (?:it|that) (?:ok|okay|right|alright)|anything else|ready|let me know)\b",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:(?:yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|please|thanks|ta|cheers|maybe|both|neither|none|either|near|"
    r"great|good|perfect|lovely|super|cool|fine|done|go|on|it|that|this|the|one|all|any|do|did|i|you|not?|idea|really|"
    r"fair|true|right|lol|haha|ha|hm+|oh|uh|wow|k|night|first|second|third|number|two|three|four|five|\d+)\b\W*)+",
    re.IGNORECASE,
)


def question_before(turns: Sequence[SpokenTurn], at: int) -> str:
    """The question that a turn answers: the last sentence of the turn before it, if someone else asks there."""
    if at == 0 or turns[at - 1].role == turns[at].role == "assistant":
        return ""
    before = turns[at - 1]
    if before.role == turns[at].role and before.speaker == turns[at].speaker:
        return ""
    found = [sentence for _, sentence in sentences_with_start(blank_unspoken(before.content))]
    last = found[-1] if found else ""
    return last if is_question(last) and len(last) <= MAX_CONTEXT_LENGTH else ""


def asks_about_person(question: str) -> bool:
    """Whether a question is about the person, not an offer, nor one of a quiz."""
    about_person = has_any_pronoun(question, SECOND_PERSON) or _ANY_OR_WHICH.match(question)
    return bool(about_person) and not _OFFERS.search(question)


def is_bare_answer(content: str) -> bool:
    """Whether a turn is no more than a word or two that may answer a question."""
    words = content.split()
    return (
        0 < len(words) <= MAX_BARE_ANSWER_WORDS
        and not content.rstrip().endswith("?")
        and not _NO_ANSWER.fullmatch(content)
    )


def begins_with_pronoun(claim: Claim) -> bool:
    """Whether a sentence is about a "she" that it does not name."""
    return _PERSON_PRONOUN.match(claim.text) is not None


def context_of(turns: Sequence[SpokenTurn], at: int, first: Claim, run: Sequence[Claim]) -> str | None:
    """What was said before the words of a run of claims that begins with `first`; "" where they stand alone, None where
    they do not and it is not known what they mean."""
    if first.context:
        return first.context
    if begins_with_pronoun(first):
        return _sentence_naming_someone(turns, at, first) or None
    short = sum(len(content_words(claim.text)) for claim in run) <= MAX_SHORT_ANSWER_WORDS
    question = question_before(turns, at) if short and not any(claim.personal for claim in run) else ""
    if question and (turns[at - 1].role == USER or asks_about_person(question)):
        return question
    return _sentence_before(turns[at], first) if _THING_PRONOUN.match(first.text) else ""


def _sentence_naming_someone(turns: Sequence[SpokenTurn], at: int, first: Claim) -> str:
    """The nearest sentence of the same person before that names someone."""
    speaker, role = turns[at].speaker, turns[at].role
    for back, turn in enumerate(reversed(turns[max(at - MAX_TURNS_BACK, 0) : at + 1])):
        if (turn.role, turn.speaker) != (role, speaker):
            continue
        for start, sentence in reversed(list(sentences_with_start(blank_unspoken(turn.content)))):
            if (back or start < first.start) and _names_someone(sentence):
                return sentence[:MAX_CONTEXT_LENGTH]
    return ""


def _names_someone(sentence: str) -> bool:
    return bool(_SOMEONE.search(sentence)) or any(name.type == "person" for name in find_entities(sentence))


def _sentence_before(turn: SpokenTurn, first: Claim) -> str:
    before = [sentence for start, sentence in sentences_with_start(blank_unspoken(turn.content)) if start < first.start]
    return before[-1][:MAX_CONTEXT_LENGTH] if before else ""
