"""Closed classes of English words, and patterns, by which telling is told from asking and talking. None is a topic."""

from memory_app.nlp import linear_re as re
from memory_app.nlp.keywords import STOPWORDS, WEAK_WORDS, stem
from memory_app.nlp.text import vocabulary

FIRST_PERSON = vocabulary(
    "i i'm i've i'd i'll me my mine myself im ive we we're we've we'd we'll us our ours ourselves"
)
SELF = vocabulary("i i'm i've i'd i'll my im ive")
# First persons that no other language writes so.
ENGLISH_FIRST_PERSON = vocabulary("i i'm i've i'd i'll my we we're we've we'll")
SECOND_PERSON = vocabulary("you you're you've you'd you'll your yours yourself u ur")

# Said to the other, of the other, or to be kind.
PRAISE = re.compile(
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
        if word[0].isdigit() or (len(word) >= LEAST_LETTERS and word.lower() not in STOPWORDS)
    ]


def informative_words(text: str) -> list[str]:
    """The content words that do not go with anything: "I tried that but it didn't work" has none."""
    return [word for word in plain_words(text) if word.lower().removesuffix("'s") not in STOPWORDS | WEAK_WORDS]


def names_in(sentence: str, known: frozenset[str]) -> set[str]:
    """What a sentence names: capitals inside it, other than the `known` (lower case) who take part in the talk."""
    return {
        word
        for word in plain_words(sentence)[1:]
        if word[0].isupper() and word.lower() not in known and word.lower() not in STOPWORDS
    }


def has_any_pronoun(text: str, persons: frozenset[str]) -> bool:
    """Whether a text has one of these pronouns in it."""
    words = text.lower().replace("’", "'").split()
    return not persons.isdisjoint(word.strip('.,;:!?"“”()…') for word in words)


def _pattern(*parts: str) -> re.Pattern:
    return re.compile("".join(parts), re.IGNORECASE)


FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
CAPTION = re.compile(r"\[[^\[\]]{1,400}\]")
URL = re.compile(r"https?://\S+|www\.\S+")
# What another wrote, set before one's own words: lines quoted as in mail, lines of a chat, a mail with its head.
QUOTED_LINES = re.compile(
    r"^[ \t]*(?:(?:>|&gt;)|(?:\[?[\d/.:, ]{4,20}(?:[ap]m)?\]?[ -]*)?[<*]*[A-Z]\w+[>*]*:[*]* "
    r"(?:I|I['’]m|My|We)\b)[^\n]*",
    re.MULTILINE,
)
MAIL = re.compile(
    r"^(?:(?:from|to|subject|date|sent|cc): [^\n]*\n){2}.*|^-{2,} ?(?:original|forwarded) message.*|"
    r"^begin forwarded message.*|^on [^\n]{5,80} wrote:.*|^(?:sent from my|get outlook for) .*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_I = r"(?:i|i['’](?:m|ve|ll|d)|we|we['’]re|my|our)\b"
_SAYS = r"(?:says?|said|tells?|told|writes?|wrote|text(?:s|ed)|ask(?:s|ed)|repl(?:ies|ied)|goes|(?:was|is|are) like)"
REPORTED = _pattern(
    # "My mum said: I live in Rome" is of her; and what others think of one is of them too.
    rf"^(?:(?!\b(?:i|we)\b).){{1,60}}?\b{_SAYS}(?: (?:me|us|him|her|them))?\s*[:,]\s*{_I}|"
    rf"^(?!(?:i|we)\b)[\w'’ -]{{1,40}}? (?:thinks?|thought|claim(?:s|ed)|assumes?|believes?|joked) (?:that )?{_I}|"
    rf"^according to (?!me\b|my\b|our\b)[\w'’ -]{{1,40}}, {_I}"
)
# Code within a sentence: it tells of what is on the screen, not of the person.
CODE_INSIDE = re.compile(r"`[^`]+`|\b\w+(?:Error|Exception)\b|\b\w+\([\w\s,.'\"]*\)|\b\w+_\w+\b")
CODE_SYMBOLS = re.compile(r"[{}<>;=|\\`$^~_]|\(\)|::|->|=>")

# An order or a piece of advice: a bare verb comes first.
REQUEST = _pattern(
    r"^(?:(?:and|but|so|also|ok|okay|oh|well|hi|hey|hello|thanks|great|yes|no)[ ,.!]+)*",
    r"(?:please|pls|kindly|(?:can|could|would|will) you|do not|don't|let me know|let's|let us|write|give|tell|explain|"
    r"show|help|make me|make sure|create|generate|list|suggest|recommend|provide|answer|summari[sz]e|translate|rewrite|"
    r"rephrase|convert|define|outline|analy[sz]e|compare|describe|draft|edit|fix|quiz|find|wake|get me|bring me|buy me|"
    r"email|message|text|search|look up|look at|calculate|check|imagine|act as|continue|go on|remind|set|add|play|open|"
    r"call|send|turn|stop|delete|forget|cancel|schedule|book|order|keep|remember|try|take|enjoy|have (?:a|fun)|stay)\b",
)
# An order for good: how the person wants to be answered from now on.
STANDING_ORDER = _pattern(
    r"^(?:please,? )?(?:always|never|from now on|in future|call me(?= [a-z])|"
    r"(?:use|keep|don't|do not) .{0,40}\b(?:your|the) (?:answers|replies))\b"
)
ASKS_FOR = _pattern(
    r"\b(?:wondering (?:if|what|how|whether)|i(?:'d| would) (?:like|love|appreciate) (?:you|to (?:know|hear)|some)|"
    r"(?:i|we)(?:'d| would)? (?:need|want|could use) (?:you|help|advice|to know|(?:an?|some|your) (?:\w+ ){0,2}?"
    r"(?:list|plan|recipe|ideas?|tips?|summary|email|letter|poem|title|names?|explanation|template))|"
    r"(?:i'm|i am|we're) looking for|do you (?:know|have|think)|any (?:ideas|tips|suggestions|advice))\b"
)
ASKS = _pattern(
    r"^(?:(?:and|but|so|also|oh|well|ok|okay),? )*",
    # "When I was ten, we moved" and "what I love is the sea" tell, unless a question mark says otherwise.
    r"(?:(?:what|what's|which|who|who's|whose|when|where|where's|why|how|how's)(?! (?:i|i'm|i've|we|my|our)\b)|"
    r"(?:do|does|did|are|is|was|were|have|has|had|can|could|would|will|should) "
    r"(?:you|we|they|he|she|it|there|i|anyone|your))\b",
)
END_OF_QUESTION = re.compile(r"\?[\s\"'”’)\]!?\W]*$")
# "I'm off to Rome in May, can you suggest a hotel?": what stands before the question was told.
QUESTION_AT_END = _pattern(
    r"^(?P<told>.{8,}?)(?:,|;|\s[-–—]|\.\.\.|\sand|\sso|\sbut)\s+(?:(?:and|so|but|then|i was|i'm|just) )*",
    r"(?:can|could|would|will|do|does|did|is|are|should|have|what|what's|which|how|where|when|who|why|any|"
    r"wondering|please|help|right|huh|tell|give|suggest|recommend)\b[^?]*\??\s*$",
)

# Said right after a sentence, or in a turn soon after, to take back what it says.
CORRECTION = _pattern(
    r"^(?:oh |ah |oops,? )?(?:no,? wait|wait,? no|no,? sorry|sorry,? no|sorry,? (?:on|at|in|it's|i meant)|scratch that|"
    r"make that|correction|or rather|no,? actually|i meant)\b"
)
