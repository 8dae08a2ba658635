"""Closed classes of English words by which telling is told from talking. None of them is a topic."""

from memory_app.language.keywords import stem
from memory_app.language.stopwords import EMPTY, FAINT
from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

FIRST_PERSON = vocabulary(
    "i i'm i've i'd i'll me my mine myself im ive we we're we've we'd we'll us our ours ourselves"
)
SELF = vocabulary("i i'm i've i'd i'll my im ive")
# First persons that no other language writes so.
ENGLISH = vocabulary("i i'm i've i'd i'll my we we're we've we'll")
SECOND_PERSON = vocabulary("you you're you've you'd you'll your yours yourself u ur")

# Said to the other, of the other, or to be kind.
CHEER = re.compile(
    r"\b(?:congrat\w*|proud of you|glad|sounds|good luck|way to go|keep it up|keep up|you got this|you're doing|"
    r"you've got|take care|talk (?:to you )?soon|catch (?:ya|you)|thank(?:s| you)|wow|no problem|no worries|anytime|"
    r"kind words|(?:good|great|nice) job|well done|rooting for|here for you|appreciate|let me know|happy for you|"
    r"impressive|inspiring|enjoy|bye|can't wait to (?:hear|see)|must (?:be|have|feel)|bet|looking forward to hearing|"
    r"stay safe|have fun|hope you)\b",
    re.IGNORECASE,
)
# Warm, and true of anything.
VAGUE = re.compile(
    r"\b(?:awesome|amazing|great|good|nice|cool|special|incredible|wonderful|beautiful|fun|inspiring|grateful|"
    r"thankful|blessed|happy|proud|glad|excited|thrilled|important|difference|meaningful|motivat\w*|support\w*|"
    r"positive|passion\w*|dreams?|joy|fulfilling|rewarding|memor\w+|moments?|journey|best|lovely|fantastic|exciting|"
    r"feel\w*|love|keep)\b",
    re.IGNORECASE,
)
# When: by the calendar, or by where one stands in it.
TIMES = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|recently|lately|since|ago|weekend|birthday|the other day|just|finally|"
    r"already|started|(?:last|next|this) (?:night|morning|week|month|year|summer|winter|spring|fall|autumn)|"
    r"(?:a )?(?:few|couple of|two|three|four|five|six|\d+) (?:days|weeks|months|years)|january|february|march|april|"
    r"june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|tues|"
    r"wed|thu|thurs|fri|sat)\b",
    re.IGNORECASE,
)
# Something happened, or is new.
EVENTS = re.compile(
    r"\b(?:new|first|another|an?|started|joined|got|bought|signed|decided|found|met|took|went|visited|made|tried|"
    r"finished|learn(?:ed|t)|moved|opened|won|lost|hosted|attended|volunteer\w*)\b",
    re.IGNORECASE,
)
# Where, or with what: "at the shelter", "in Rome", "with my sister".
PLACES = re.compile(r"\b(?:[Aa]t|[Ii]n|[Tt]o|[Ff]rom|[Nn]ear|[Ww]ith) (?:a|an|the|my|our|some|[A-Z]\w+)\b")
OPENS_WITH_SELF = re.compile(
    r"^(?:i|i'm|i've|we|we've|my|our|last|yesterday|lately|recently|just|the other|it)\b", re.IGNORECASE
)

_WORD = re.compile(r"[^\W\d_][\w'’]*|\d[\d,.:]*")
LEAST_LETTERS = 3


def plain_words(text: str) -> list[str]:
    """The words of a text as written, with straight apostrophes."""
    return [word.replace("’", "'") for word in _WORD.findall(text)]


def content_words(text: str) -> list[str]:
    """The words that say what a text is about, in their base form; numbers too."""
    return [
        stem(word.lower().removesuffix("'s"))
        for word in plain_words(text)
        if word[0].isdigit() or (len(word) >= LEAST_LETTERS and word.lower() not in EMPTY)
    ]


def telling_words(text: str) -> list[str]:
    """The content words that do not go with anything: "I tried that but it didn't work" has none."""
    return [word for word in plain_words(text) if word.lower().removesuffix("'s") not in EMPTY | FAINT]


def named(sentence: str, known: frozenset[str]) -> set[str]:
    """What a sentence names: capitals inside it, other than the `known` (lower case) who take part in the talk."""
    return {
        word
        for word in plain_words(sentence)[1:]
        if word[0].isupper() and word.lower() not in known and word.lower() not in EMPTY
    }


def speaks_of(text: str, persons: frozenset[str]) -> bool:
    """Whether a text has one of these pronouns in it."""
    words = text.lower().replace("’", "'").split()
    return not persons.isdisjoint(word.strip('.,;:!?"“”()…') for word in words)
