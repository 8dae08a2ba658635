"""What in a sentence tells, by its form or by a word, that it is of someone's health, money, law or intimacy.

Forms are sure: medicines and illnesses are built of a few agreed endings, and an amount of money that somebody earns,
owes or leaves is theirs. A word is a sign only: `nlp.privacy.sensitive` weighs it.
"""

from memory_app.nlp import linear_re as re

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
