"""Values that open doors or name a person to the state: credentials, identity, card and account numbers.

Each is found where it stands, so that just the value can be masked. Numbers that carry check digits are checked
(python-stdnum); what has none must be named ("passport number …").
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import iban, luhn
from stdnum.br import cpf
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.se import personnummer

from memory_app.nlp import linear_re as re

# A token of letters and digits is taken for a key from this length and Shannon entropy (bits a character) on.
# English words run to about 2.5 to 3.3, random base64 of 24 characters to 4.1 and more (measured).
TOKEN_LENGTH = 24
TOKEN_ENTROPY = 3.9
NAMED_TOKEN_LENGTH = 10


@dataclass(frozen=True)
class Span:
    """Characters `start` to `end` of a text, holding something of this kind."""

    start: int
    end: int
    kind: str


_ISSUED = re.compile(
    r"""
    \b(?:
      sk-(?:proj-|ant-|svcacct-|or-)?[A-Za-z0-9_-]{16,} | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}
    | gh[pousr]_[A-Za-z0-9]{20,} | github_pat_\w{20,} | glpat-[\w-]{16,} | xox[abeoprs]-[\w-]{10,}
    | (?:AKIA|ASIA)[0-9A-Z]{16}\b | AIza[\w-]{30,} | ya29\.[\w-]{20,} | hf_[A-Za-z0-9]{20,} | npm_[A-Za-z0-9]{30,}
    | SG\.[\w-]{16,}\.[\w-]{16,} | eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)? | (?i:bearer)\s(?=\S{0,200}\d)[\w.~+/-]{16,}=*
    )
    | -----BEGIN[ ][A-Z ]{0,40}PRIVATE[ ]KEY-----(?:.*?-----END[ ][A-Z ]{0,40}-----|.*)
    | (?<=://)[^\s:/@]{1,100}:[^\s:/@]{1,100}(?=@)
    """,
    re.VERBOSE | re.DOTALL,
)

# What a secret is called, then what says its value. A plain word after "password is" may describe it instead.
_SECRET_NAME = (
    r"(?:pass(?:word|phrase|code|wd)|pwd|secret (?:key|word|question answer)|api[ _-]?(?:key|secret|token)|"
    r"(?:access|auth|bearer|secret|refresh|api|personal access)[ _-]?(?:token|key)|(?:seed|recovery|mnemonic) phrase|"
    r"(?:recovery|backup|2fa|security|access|unlock|entry|door|gate|alarm|garage|safe|lock) (?:code|combination)|"
    r"private key|encryption key|wi-?fi key)"
)
_NAMED_SECRET = re.compile(
    rf"\b{_SECRET_NAME}(?:'?s)?(?:\s(?:for|to|of|on|at)\s(?:\S+\s){{0,4}}?)?\s*(?:(?P<sure>\s(?:is|"
    r"was)\s+(?:now\s+)?(?=[\"'“‘])|[:=]\s*)|\s?(?:is|was|are|to|s)\s+(?:now\s+|still\s+|"
    r"set to\s+)?)[\"'“‘]?(?P<value>[^\s\"'”’,;]{3,200})",
    re.IGNORECASE,
)
_PIN = re.compile(
    r"\b(?:pin(?: code| number)?|cvv|cvc|(?:security|door|gate|alarm|garage|safe|lock|unlock|access|entry) "
    r"(?:code|combination)|combination|passcode|code (?:to|for) (?:the|my|our) [\w ]{2,30}? (?=is |= ?|: ?))"
    r"\s?(?:is|was|=|:|to)?\s*#?(?P<value>\d[\d -]{2,10}\d|\d{3,12})\b(?!\s+(?!and\b|but\b|so\b|for\b|now\b)\w)",
    re.IGNORECASE,
)
# Any code with a number as its value opens something, unless it is one of those that everyone may know.
_PUBLIC_CODE = (
    "(?:zip|post|postal|area|dial(?:l)?ing|country|city|state|dress|discount|promo(?:tion)?|coupon|voucher|gift|"
    "invite|invitation|referral|booking|reservation|order|tracking|product|item|article|bar|qr|error|exit|status|"
    "response|http|source|machine|byte|genetic|tax|sort|swift|iso|language|currency|colou?r|hex|morse|course|class|"
    "module|subject|airport|airline|flight|station|stock|hs|icd|cpt|building|fire|highway|penal|criminal|civil|"
    "legal|ethical|moral|conduct|honou?r|style|review|legacy|test|sample|new|old|own)"
)
_TO_WHAT = r"(?:\s(?:for|to|of|at|on|from)\s(?:the|my|our|his|her|their|this)?\s?[\w' -]{2,30}?)?"
_VALUE = r"\s*#?(?P<value>\d[\d -]{1,10}\d|\d{3,12})#?(?![\w-])(?!\s+(?!and\b|but\b|so\b|for\b|now\b|to\b)\w)"
_OPENS = (
    re.compile(
        rf"(?<!\w)(?:(?P<kind>[\w-]+)\s)?(?:code|pin|combination){_TO_WHAT}(?:'s|\sis|\swas|\s?[:=])(?:\snow)?{_VALUE}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<kind>use|enter|type(?: in)?|dial|press)\s(?:the\s)?code\s#?(?P<value>\d{3,12})#?(?=\s(?:to|at|on|"
        r"for)\b)",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:(?P<kind>[\w-]+)\s)?(?:lock|padlock|alarm|keypad|key ?safe|intercom)(?:\sis|'s|\s?[:=])\s#?"
        r"(?P<value>\d{4,8})#?(?=\s*(?:[.,;!]|$))",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?P<kind>key|password|login)\s(?:to|for|of)\s(?:the|my|our)\s[\w -]{2,24}?\s(?:is|=|:)\s?[\"'“]?"
        r"(?P<value>(?=\w*\d)(?=\w*[a-z])\w{6,60})",
        re.IGNORECASE,
    ),
)
_PUBLIC = re.compile(_PUBLIC_CODE, re.IGNORECASE)
_DESCRIBED = re.compile(
    "(?:not|too|very|so|quite|really|always|never|being|been|going|the|an?|in|on|at|by|with|what|that|this|it|"
    "something|anything|nothing|someone|wrong|incorrect|invalid|correct|right|weak|strong|secure|safe|important|"
    "required|mandatory|needed|missing|empty|blank|expired|expiring|forgotten|lost|stolen|leaked|compromised|saved|"
    "stored|kept|changed|reset|protected|hashed|encrypted|hidden|hard|easy|long|short|old|new|different|shared|"
    "unique|same|written|known|good|bad|fine|ok|okay|rotated|managed|used|for|from|because|only|just|also|all|no|"
    "yes|be|have|make|use|get|log|sign|access|protect|open|enter|unlock|keep|work|working|works|your|my|our|his|her|"
    "their)[.!?]*$",
    re.IGNORECASE,
)
_NAMED_TOKEN = re.compile(
    r"\b(?:key|token|secret|credentials?)\b[\s:=is'\"`]{1,6}(?P<value>[A-Za-z0-9_+/=.-]{10,200})", re.IGNORECASE
)
_TOKEN = re.compile(r"(?<![\w/.@?&=-])(?=\S{0,200}\d)[A-Za-z0-9_+/=-]{24,200}(?![\w/.@-])")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.IGNORECASE)

_NUMBERED_DOCUMENT = re.compile(
    r"\b(?:passport|driv(?:er'?s?|ing) licen[cs]e|licen[cs]e number|national (?:id|identity|insurance)|identity card|"
    "id card|id number|ssn|social security|tax id|tin|aadhaar|nhs|bsn|visa number|medicare|"
    r"green card)(?:\s(?:number|no\.?|num|card|id))*(?:'s)?[\s:#=]*(?:is\s|"
    r"was\s)?[\s#:]*(?P<value>(?=[A-Z0-9 -]{0,20}\d[A-Z0-9 -]{0,3}\d[A-Z0-9 -]{0,3}\d[A-Z0-9 -]{0,3}\d[A-Z0-9 "
    r"-]{0,3}\d)[A-Z0-9][A-Z0-9 -]{4,18}[A-Z0-9])\b",
    re.IGNORECASE,
)
_SSN = re.compile(r"(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
_NINO = re.compile(r"\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b")
_CHECKED: tuple[tuple[re.Pattern, Callable[[str], bool], str], ...] = (
    (re.compile(r"\b[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]\b"), codicefiscale.is_valid, "identity"),
    (re.compile(r"\b\d{8}-?[A-Z]\b"), dni.is_valid, "identity"),
    (re.compile(r"\b[XYZ]-?\d{7}-?[A-Z]\b"), nie.is_valid, "identity"),
    (re.compile(r"\b[12] ?\d{2} ?[01]\d ?[0-9AB]{2} ?\d{3} ?\d{3} ?\d{2}\b"), nir.is_valid, "identity"),
    (re.compile(r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b"), cpf.is_valid, "identity"),
    (re.compile(r"\b[2-9]\d{3} \d{4} \d{4}\b(?! \d)"), aadhaar.is_valid, "identity"),
    (re.compile(r"\b\d{6}[-+]\d{4}\b"), personnummer.is_valid, "identity"),
    (re.compile(r"\b\d{6}[-+A]\d{3}[0-9A-Y]\b"), hetu.is_valid, "identity"),
    (re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b"), iban.is_valid, "money"),
)
_CARD = re.compile(r"(?<![\d.-])\d(?:[ -]?\d){12,18}(?![\d-])")
# Issuers' prefixes and the lengths of their numbers (ISO/IEC 7812, as published by the card schemes).
_CARD_SHAPES = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|"
    r"3(?:0[0-5]|[689]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12,15}|62\d{14,17}"
)


def secrets(text: str) -> Iterator[Span]:
    """The credentials, identity numbers, cards and accounts in a text; spans may overlap."""
    yield from (Span(*found.span(), "credential") for found in _ISSUED.finditer(text))
    for found in _NAMED_SECRET.finditer(text):
        if found["sure"] or not _DESCRIBED.match(found["value"]):
            yield Span(*found.span("value"), "credential")
    if not any(character.isdigit() for character in text):
        return
    yield from (Span(*found.span("value"), "credential") for found in _PIN.finditer(text))
    for shape in _OPENS:
        for found in shape.finditer(text):
            if not _PUBLIC.fullmatch(found["kind"] or ""):
                yield Span(*found.span("value"), "credential")
    yield from _tokens(text)
    yield from _numbers(text)


def _tokens(text: str) -> Iterator[Span]:
    for found in _TOKEN.finditer(text):
        if _looks_random(found[0]) and any(c.islower() for c in found[0]) and any(c.isupper() for c in found[0]):
            yield Span(*found.span(), "credential")
    for found in _NAMED_TOKEN.finditer(text):
        value = found["value"]
        if any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and len(value) >= NAMED_TOKEN_LENGTH:
            yield Span(*found.span("value"), "credential")


def _looks_random(token: str) -> bool:
    if len(token) < TOKEN_LENGTH or _UUID.match(token):
        return False
    shares = [count / len(token) for count in Counter(token).values()]
    return -sum(share * math.log2(share) for share in shares) >= TOKEN_ENTROPY


def _numbers(text: str) -> Iterator[Span]:
    yield from (Span(*found.span("value"), "identity") for found in _NUMBERED_DOCUMENT.finditer(text))
    for shape in (_SSN, _NINO):
        yield from (Span(*found.span(), "identity") for found in shape.finditer(text))
    for shape, is_valid, kind in _CHECKED:
        for found in shape.finditer(text):
            valid = _valid_beginning(found[0], is_valid)
            if valid:
                yield Span(found.start(), found.start() + valid, kind)
    for found in _CARD.finditer(text):
        digits = re.compile(r"\D").sub("", found[0])
        if _CARD_SHAPES.fullmatch(digits) and luhn.is_valid(digits):
            yield Span(*found.span(), "card")


def _valid_beginning(number: str, is_valid: Callable[[str], bool]) -> int:
    """The length of the longest valid beginning: a capitalised word after a number may have been swept in."""
    while number and not is_valid(number):
        number = number.rpartition(" ")[0]
    return len(number)
