"""What is sensitive in a text: credentials, identity and cards, health and mood, money, law, intimacy; whoever's it is.

The one place that decides it. Values (`secrets`) and forms are sure: medicines and illnesses are built of a few agreed
endings, and an amount of money that somebody earns, owes or leaves is theirs. Any other sentence is compared with
examples by the embedding model, which knows words that no list has; a word that is a sign lowers what it needs. In
doubt it is sensitive. Phone numbers and addresses are not.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_app.nlp import linear_re as re
from memory_app.nlp.encoder import TextEncoder, Vectors, example_vectors, text_encoder
from memory_app.nlp.privacy.secrets import Span, secrets
from memory_app.nlp.text import MAX_READ, sentences

# Endings of medicines' names: stems of the World Health Organization's "INN stem book" (2018).
_MEDICINE = (
    r"\w{2,}(?:azepam|azolam|oxetine|traline|pramine|triptyline|triptan|citalopram|faxine|zodone|zapine|tiapine|"
    r"peridone|piprazole|prazole|conazole|cillin|mycin|micin|cycline|floxacin|sulfa|ovir|avir|navir|amivir|olol|dipine|"
    r"sartan|statin|pril|semide|thiazide|farin|parin|xaban|gatran|grel|formin|gliptin|gliflozin|glutide|gabalin|"
    r"gabapentin|trigine|zepine|phenidate|fetamine|profen|proxen|oxicam|coxib|fenac|codone|codeine|fentanil|fentanyl|"
    r"nisone|nisolone|methasone|butamol|terol|lukast|tidine|tirizine|atadine|setron|thyroxine|estradiol|gestrel|"
    r"denafil|dalafil|steride|trexate|tinib|limumab|tuximab|tuzumab|barbital|acetamol|aminophen)"
)
_DOSE = r"\d+ ?(?:mg|mcg|milligrams?|micrograms?)\b"
# Endings of illnesses' and operations' names; what else ends so is no illness.
_ILLNESS = (
    r"(?!(?:academia|bohemia)\b)\w{2,}(?:itis|aemia|emia|ectomy|opathy|plegia|phrenia|sclerosis|neurosis|psychosis|"
    r"thrombosis|cirrhosis|fibrosis|myalgia|neuralgia|carcinoma|lymphoma|melanoma|glaucoma|colonoscopy|endoscopy)"
)
HEALTH = re.compile(rf"\b(?:{_MEDICINE}s?|{_ILLNESS})\b|{_DOSE}", re.IGNORECASE)

_NUMBER = (
    r"(?:\d[\d.,]*|(?:(?:a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|"
    r"and|half)[ -]?\b){1,6})"
)
_AMOUNT = (
    rf"(?:[$€£¥₹] ?{_NUMBER}(?: ?(?:k|m|grand|thousand|million))?|"
    rf"{_NUMBER} ?(?:[$€£¥₹]|k\b|grand|quid|bucks|dollars|euros|pounds|francs|usd|eur|gbp|net|gross)|"
    r"\d{1,3},\d{3}\b)"
)
_RATE = r"(?:an?|per|each|every) (?:year|month|week|hour|day|annum)\b"
_THEIRS = (
    r"\b(?:earn(?:s|ed)?|owe[sd]?|inherit\w*|borrow\w*|lent|saved|savings|salary|wages?|income|rent|mortgage|loan|debts?|"
    r"bonus|pension|overdraft|take home|(?:left|pays?|paid) (?:me|us|him|her|them)|(?:they|s?he) pays?)\b"
)
_HELD = r"(?:in (?:debt|savings|the bank|the red)|of debts?|before tax|after tax)\b"
_GETS = r"\b(?:gets?|got|ma[dk]es?|earn(?:s|ing)|paid|paying|pays?) (?:(?:about|around|over|only|just) )?"
MONEY = re.compile(
    rf"{_THEIRS}.{{0,40}}?{_AMOUNT}|{_AMOUNT}.{{0,20}}? {_HELD}|{_GETS}{_NUMBER} ?\w* ?{_RATE}|"
    # "Bill's on 11.90", "she is on 52k now".
    rf"(?:'s|'m|'re|\bam|\bis|\bare)(?: now| only)? on (?:\d+[.,]\d\d\b|{_AMOUNT}|\d+ {_RATE})",
    re.IGNORECASE,
)

_WORDS = {
    "health": r"""diagnos\w+ symptoms? depress(?:ed|ion) anxi(?:ety|ous) panic.attacks? autis\w+ adhd dyslexi\w+ bipolar
        therap(?:y|ist) counsell?ing medicat\w+ meds tablets pills painkillers? antidepressants? prescri\w+ dose surgery
        operation biops\w+ cancer tumou?r chemo\w* dialysis pregnan\w+ miscarr\w+ abortion ivf migraines? insulin
        antibiotics? rehab sober self.harm suicid\w+ kill.(?:my|him|her)self allerg\w+ intolerant asthma\w* diabet\w+
        epilep\w+ hospital hospice icu stroke seizures? dementia alzheimer\S* parkinson\S* hiv addict\w* alcoholic ill
        unwell disab\w+ wheelchair inhaler steroids hormones blood.(?:pressure|tests?|thinners?|type|sugar) flu fever
        infection coma transplant amputated slipped.disc fractured can.?t.sleep lie.awake drinking.problem
        tested.positive prozac zoloft lithium ritalin adderall xanax valium ozempic paracetamol aspirin""",
    "money": r"""salary salaries wages? payslip payrise pay.(?:rise|cut|check) net.worth my.savings debts? in.debt
        overdraft overdrawn bankrupt\w* bailiffs? alimony inherit\w* in.the.red can.?t.(?:afford|pay) skint
        (?:i.m|we.re|am|is|are|flat).broke (?:my|our|his|her|their|\w+.s).(?:income|mortgage|pension|bank.account|loan)
        account.number sort.code credit.score""",
    "law": r"""court hearing solicitor lawsuit sued? suing custody police arrested witness probation bail prison jail
        restraining.order visa.(?:was.)?(?:refused|denied) criminal.record""",
    "intimacy": r"""my.ex affair cheat(?:ed|ing).on walked.out.(?:on|over) divorc\w+ split(?:ting)?.up broke.up
        slept.with sleeping.with in.love.with sex virgin""",
}
_BETWEEN = "[ '-]"
"""What "." stands for in a sign."""

_SIGNS = {
    kind: re.compile(rf"\b(?:{'|'.join(words.split()).replace('.', _BETWEEN)})\b", re.IGNORECASE)
    for kind, words in _WORDS.items()
}


def kind_by_form(sentence: str) -> str:
    """ "health" or "money" where the form of a sentence is proof enough, else "". Expects plain apostrophes."""
    if HEALTH.search(sentence):
        return "health"
    return "money" if MONEY.search(sentence) else ""


def kind_by_word(sentence: str) -> str:
    """The kind of which a word of a sentence is a sign, or ""."""
    return next((kind for kind, words in _SIGNS.items() if words.search(sentence)), "")


FILE = Path(__file__).with_name("sensitive_examples.txt")
HARMLESS = "harmless"

EXAMPLE_WEIGHT_POWER = 1.5
"""How much more a near example counts than a far one, as a power for each standard deviation of their cosines."""

NEAR, NEAR_WITH_SIGN = 0.4, 0.0
"""By how much more (the logarithm of a ratio) a sentence must resemble what is sensitive than what is harmless: alone,
and where a word of it is a sign. Of everyday statements one in twenty passes: in doubt it is sensitive."""

MIN_SEPARATION = 0.5
"""So much larger must the share found of the sensitive examples be than that of the harmless: else the model cannot
tell them apart, and signs alone decide."""


class SensitiveExamples:
    """Sentences with their kinds, as one model sees them; first those that are sensitive."""

    def __init__(self, encoder: TextEncoder, kinds: Sequence[str], texts: Sequence[str]) -> None:
        self._encoder = encoder
        order = sorted(range(len(texts)), key=lambda n: kinds[n] == HARMLESS)
        self._vectors = example_vectors(encoder, texts)[order]
        self._kinds = [kinds[n] for n in order if kinds[n] != HARMLESS]
        cosines = self._vectors @ self._vectors.T
        others = ~np.eye(len(texts), dtype=bool)
        self._mean, self._deviation = cosines[others].mean(), cosines[others].std()
        near = self._nearness(cosines, others) >= NEAR
        sensitive = len(self._kinds)
        self.apart = float(near[:sensitive].mean() - near[sensitive:].mean())
        self._compared: dict[str, tuple[float, str]] = {}

    def kinds(self, texts: Sequence[str], signs: Sequence[str]) -> list[str]:
        """The kind of each text, "" for harmless. signs: of which kind a word of it is a sign, or ""."""
        if self.apart < MIN_SEPARATION or not texts:
            return list(signs)
        known = self._compared
        new = [text for text in texts if text not in known]
        known = known | self._compare(new) if new else known
        found = [known[text] for text in texts]
        return [
            (sign or kind) if near >= (NEAR_WITH_SIGN if sign else NEAR) else ""
            for (near, kind), sign in zip(found, signs, strict=True)
        ]

    def compare_ahead(self, texts: Sequence[str]) -> None:
        """Compares many texts at once, which is quicker than one by one; remembers these alone."""
        self._compared = self._compare(texts)

    def _compare(self, texts: Sequence[str]) -> dict[str, tuple[float, str]]:
        """How near each text is to what is sensitive, and to which kind of it."""
        cosines = self._encoder.documents(texts) @ self._vectors.T
        nearest = cosines[:, : len(self._kinds)].argmax(axis=1)
        found = zip(self._nearness(cosines).tolist(), (self._kinds[n] for n in nearest), strict=True)
        return dict(zip(texts, found, strict=True))

    def _nearness(self, cosines: Vectors, counted: NDArray[np.bool_] | None = None) -> Vectors:
        """counted: which examples count for each text; None: all of them."""
        weights = np.exp(EXAMPLE_WEIGHT_POWER * (cosines - self._mean) / self._deviation)
        sides = slice(len(self._kinds)), slice(len(self._kinds), None)
        if counted is None:
            sensitive, harmless = (weights[:, side].mean(axis=1) for side in sides)
        else:
            weights *= counted
            sensitive, harmless = (weights[:, side].sum(axis=1) / counted[:, side].sum(axis=1) for side in sides)
        nearness: Vectors = np.log(sensitive / harmless)
        return nearness


_by_model: dict[str, SensitiveExamples] = {}


def sensitive_examples(encoder: TextEncoder) -> SensitiveExamples:
    """The examples as this model sees them: made at first use, for a process uses one."""
    if encoder.name not in _by_model:
        kinds, texts = _read()
        _by_model[encoder.name] = SensitiveExamples(encoder, kinds, texts)
    return _by_model[encoder.name]


def _read() -> tuple[list[str], list[str]]:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    kinds, texts, kind = list[str](), list[str](), HARMLESS
    for line in lines:
        if line[0] == "[":
            kind = line.strip("[]")
        else:
            kinds.append(kind)
            texts.append(line)
    return kinds, texts


MASK = "••••••"
"""Of one length, whatever it hides."""

MAX_WHOLE_TEXT = 300
"""Characters of a text up to which its sentences are looked at together, too: a question says what its answer means."""


def sensitive_kinds(text: str) -> frozenset[str]:
    """The kinds of what is sensitive in a text: credential, identity, card, health, money, law, intimacy."""
    return frozenset(span.kind for span in _spans(text))


def compared_pieces(texts: Sequence[str]) -> list[str]:
    """What of these texts is compared with examples, as it is encoded."""
    return [_plain(piece) for text in texts for piece in _pieces(text[:MAX_READ])]


def compare_ahead(texts: Sequence[str]) -> None:
    """Compares many texts with the examples at once, which is quicker than one by one; what they hold is asked
    afterwards."""
    encoder = text_encoder()
    if encoder is not None:
        sensitive_examples(encoder).compare_ahead(compared_pieces(texts))


def mask_sensitive(text: str) -> str:
    """The text with sensitive values and sentences replaced by `MASK`."""
    pieces, at = [], 0
    for span in _merged(_spans(text)):
        pieces += [text[at : span.start], MASK]
        at = span.end
    return "".join(pieces) + text[at:]


def _spans(text: str) -> Iterator[Span]:
    yield from secrets(text)
    pieces = _pieces(text)
    kinds = _kinds(pieces)
    together = len(pieces) > 1 and pieces[-1] == text
    if together and not any(kinds[:-1]) and kinds[-1]:
        yield Span(0, len(text), kinds[-1])
    at = 0
    for piece, kind in zip(pieces[:-1] if together else pieces, kinds, strict=False):
        at = text.index(piece, at)
        if kind:
            yield Span(at, at + len(piece), kind)
        at += len(piece)


def _pieces(text: str) -> list[str]:
    """The sentences of a text, and the whole of a short one."""
    pieces = sentences(text)
    return [*pieces, text] if len(pieces) > 1 and len(text) <= MAX_WHOLE_TEXT else pieces


def _plain(piece: str) -> str:
    return piece.replace("’", "'")


def _kinds(pieces: Sequence[str]) -> list[str]:
    """The kind of each piece of a text, "" for what is harmless. Of pasted text the model reads the beginning."""
    plain = [_plain(piece) for piece in pieces]
    kinds = [kind_by_form(piece) for piece in plain]
    ends = accumulate(map(len, plain))
    unsure = [n for n, end in enumerate(ends) if not kinds[n] and end <= MAX_READ + MAX_WHOLE_TEXT]
    signs = [kind_by_word(plain[n]) for n in unsure]
    encoder = text_encoder()
    nearest = sensitive_examples(encoder).kinds([plain[n] for n in unsure], signs) if encoder is not None else signs
    return [nearest[unsure.index(n)] if n in unsure else kind for n, kind in enumerate(kinds)]


def _merged(spans: Iterator[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end), span.kind)
        else:
            merged.append(span)
    return merged
