"""What is in doubt taken for sensitive, and so never proposed: money that is somebody's, the law, troubles, medicines.

Stricter than what is marked and masked where it was asked for: nobody asked for what is noticed.
"""

from memory_app.rules import linear_re as re

_DELICATE = re.compile(
    r"\b(?:"
    # Money that is somebody's.
    r"(?:earn|paid|pay|pays|wages?|salary|rent|mortgage|owes?|owed|debts?|loan|overdraft|inherit\w*|savings|bonus|raise)\b"
    r"[^.!?]{0,40}(?:\d|[£$€])|\d+(?:[.,]\d+)? ?(?:k|grand|quid|bucks|a (?:month|year|week)|an hour|net|gross)\b|"
    r"on \d+[.,]\d\d\b|in the red\b|bankrupt\w*|in debt|left debts|can['’]?t (?:afford|pay)|skint|"
    r"(?:['’]m|am|are|flat) broke\b|"
    # The law.
    r"court\b(?! of)|hearings?\b|solicitor|lawsuit|su(?:ed|ing) (?:me|us|him|her|them)|custody|police|arrested|witness|"
    r"restraining order|visa (?:was )?(?:refused|denied)|"
    # Body and mind.
    r"diagnos\w+|symptoms?|depress\w+|anxi(?:ety|ous)|panic attacks?|autis\w+|adhd|dyslexi\w+|bipolar|therap(?:y|ist)|"
    r"counsell?ing|medicat\w+|tablets|pills|painkillers?|prescri\w+|dose|surgery|operation|biopsy|cancer|tumou?r|"
    r"pregnan\w+|miscarr\w+|ivf|migraines?|slipped disc|blood pressure|insulin|antibiotics?|\w+(?:profen|proxen|cillin|"
    r"azepam|oxetine|statin|prazole|olol)|lie awake|can['’]?t sleep|rehab|sober|drinking problem|self[- ]harm|"
    # Intimacy.
    r"my ex\b|affair|cheat(?:ed|ing) on|walked out (?:on|over)|divorc\w+|split(?:ting)? up|broke up|sleeping with)",
    re.IGNORECASE,
)
# Figures of a card or an account, in groups.
_NUMBERS = re.compile(r"\b(?:\d{4}[ -]?){3,}\d|\b\d{2}-\d{2}-\d{2}\b(?=.*\d{6})|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,}")


def is_delicate(text: str) -> bool:
    """Whether a text may be sensitive."""
    return bool(_DELICATE.search(text) or _NUMBERS.search(text))
