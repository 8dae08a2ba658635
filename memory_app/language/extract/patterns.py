"""Patterns by which sentences that tell something are told from those that ask, request or are not speech."""

from memory_app.rules import linear_re as re


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
STANDING = _pattern(
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
ASKED_LAST = _pattern(
    r"^(?P<told>.{8,}?)(?:,|;|\s[-–—]|\.\.\.|\sand|\sso|\sbut)\s+(?:(?:and|so|but|then|i was|i'm|just) )*",
    r"(?:can|could|would|will|do|does|did|is|are|should|have|what|what's|which|how|where|when|who|why|any|"
    r"wondering|please|help|right|huh|tell|give|suggest|recommend)\b[^?]*\??\s*$",
)

# Said right after a sentence, or in a turn soon after, to take back what it says.
TAKES_BACK = _pattern(
    r"^(?:oh |ah |oops,? )?(?:no,? wait|wait,? no|no,? sorry|sorry,? no|sorry,? (?:on|at|in|it's|i meant)|scratch that|"
    r"make that|correction|or rather|no,? actually|i meant)\b"
)
