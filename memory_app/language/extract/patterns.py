"""Patterns by which sentences that tell something are told from those that ask, request, consider or are not speech."""

from memory_app.language.extract.openings import INTERJECTIONS
from memory_app.rules import linear_re as re


def _any(*expressions: str) -> str:
    return f"(?:{'|'.join(expressions)})"


def _pattern(*parts: str) -> re.Pattern:
    return re.compile("".join(parts), re.IGNORECASE)


FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
CAPTION = re.compile(r"\[[^\[\]]{1,400}\]")
URL = re.compile(r"https?://\S+|www\.\S+")
# What another wrote, set before one's own words: lines quoted as in mail, a mail with its head.
QUOTED_LINES = re.compile(r"^[ \t]*(?:>|&gt;)[^\n]*", re.MULTILINE)
MAIL = re.compile(
    r"^(?:(?:from|to|subject|date|sent|cc): [^\n]*\n){2}.*|^-{2,} ?(?:original|forwarded) message.*|"
    r"^begin forwarded message.*|^on [^\n]{5,80} wrote:.*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_SPEAKS = r"(?:says?|said|tells?|told|writes?|wrote|texts?|texted|asks?|asked|repl(?:ies|ied)|answers?|answered|goes)"
_THINKS = (
    r"(?:thinks?|thought|claims?|claimed|assumes?|assumed|believes?|believed|jokes?|joked|imagines?|guess(?:es|ed))"
)
REPORTED = _pattern(
    r"[,”\"] (?:he|she|they) (?:says|said|asks|asked|replied|replies)[.!]?$|"
    # "My mum said: I live in Rome" is of her; and what others think of one is of them too.
    rf"^(?:(?!\b(?:i|we)\b).){{1,60}}?\b(?:{_SPEAKS}(?: (?:me|us|him|her|them))?|(?:was|is|were|are) like)\s*[:,]\s*"
    r"(?:i|i['’]m|i['’]ve|i['’]ll|we|we['’]re|my|our)\b|"
    rf"^(?!(?:i|we)\b)[\w'’ -]{{1,40}}? {_THINKS} (?:that )?(?:i|i['’]m|i['’]ve|i['’]d|we|we['’]re|my)\b|"
    r"^according to (?!me\b|my\b|our\b)[\w'’ -]{1,40}, (?:i|i['’]m|i['’]ve|we|we['’]re|my|our)\b"
)
CODE = re.compile(
    r"^\s*(?:def |class \w+[:(]|import \w+$|from \w+ import|return\b|function\b|const |let \w+ ?=|var \w+ ?=|public |"
    r"private |#include|SELECT\b|INSERT\b|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|Traceback|File \"|at \w+\.\w+\(|\$ |"
    r">>> |</?\w+[^>]*>|\{|\}|//|/\*|[\w.]*(?:Error|Exception|Warning)\b:?|(?:for|while|if|with) .{1,80}:(?:\s|$)|"
    r"(?:git|pip|npm|sudo|docker|curl|cd|apt|brew|make) [\w./-]+( |$))"
)
# Code within a sentence: it tells of what is on the screen, not of the person.
CODE_INSIDE = re.compile(
    r"`[^`]+`|\b\w+(?:Error|Exception)\b|\b\w+\([\w\s,.'\"]*\)|\s--?[a-z][\w-]*(?=\s|=|$)|\b\w+_\w+\b"
)
CODE_SYMBOLS = re.compile(r"[{}<>;=|\\`$^~_]|\(\)|::|->|=>")

# Said to whoever listens, after what was to be said.
CLOSING = re.compile(
    # What only shows a face: ":(", "😀".
    r"(?:\s+(?:[:;=]['’]?-?[()DPpOo/|*]+|<3|[xX]D)|\s*" + re.SYMBOL + r"+)+$|"
    r"(?:,?\s+(?:by the way|btw|though|anyway|please|you know|lol|haha+|thanks|thank you|wish (?:me|us) luck|"
    r"fingers crossed|trust me|believe me|don['’]t judge(?: me)?|just saying|"
    r"if you (?:must know|remember|recall|ask me|were wondering|want to know)))+(?=[.!…]*$)",
    re.IGNORECASE,
)

# An order or a piece of advice: a bare verb comes first.
REQUEST = _pattern(
    "^",
    _any(
        "please|pls|kindly|(?:can|could|would|will) you|do not|don't|let me know|let's|let us",
        "write|give|tell|explain|show|help|make me|make sure|create|generate|list|suggest|recommend|provide|answer",
        "summari[sz]e|translate|rewrite|rephrase|convert|define|outline|analy[sz]e|compare|describe|draft|edit|fix",
        "quiz|find|wake|get me|bring me|buy me|email|message|text|search|look up|look at|calculate|check|check out|"
        "imagine|act as|continue|go on|remind|set|add",
        "play|open|call|send|turn|stop|delete|forget|cancel|schedule|book|order|keep|remember to|try|take|enjoy",
        "have (?:a|fun)|stay|here's to|best of",
    ),
    r"\b",
)
# An order beside what was told: "I'm vegan, suggest a recipe", "Suggest a recipe, I'm vegan".
_MADE_TO_ORDER = (
    "(?:please )?(?:suggest|recommend|write|give me|tell me|show me|find me|help me|make me|list|explain|translate|"
    "summari[sz]e|remind me to|draft|plan|book)"
)
REQUESTED_LAST = _pattern(
    r"^(?:(?:since|as|because|given that|seeing that)\s+)?(?P<told>(?:i|we|my|our)\b.{4,}?),\s+(?:so\s+)?",
    _MADE_TO_ORDER,
    r"\b",
)
REQUESTED_FIRST = _pattern(
    "^", _MADE_TO_ORDER, r"\b[^,.]{3,80}[,;–-]\s+(?P<told>(?:(?:i|we)(?:['’]m|['’]re|['’]ve)?|my|our)\s.{3,})$"
)
# An order for good: how the person wants to be answered from now on.
STANDING = _pattern(
    r"^(?:please,? )?",
    _any(
        r"(?:don't|do not|use|keep|answer|reply|respond|write|speak|be|give|avoid) .{0,60}\b(?:when(?:ever)? you "
        r"(?:answer|reply|respond|write|talk)|in your (?:answers|replies|responses|messages))",
        r"keep (?:your|the) (?:answers|replies|responses|messages)",
        "always",
        "never",
        "from now on",
        "in (?:the )?future",
        r"(?:don't|do not) ever",
        r"call me(?= [a-z])",
    ),
    r"\b(?! (?:mind|again|heard|seen|been|had)\b)",
)
# A fact to be held for later, which "remind me to call" is not.
_TO_KEEP = r"(?:remind (?:me|us)|remember|note|keep in mind|bear in mind|don['’]?t (?:let me )?forget) that\b"
_POLITELY = r"(?:(?:please|pls|kindly|just|also|(?:can|could|would|will) you)\s+)*"
REMIND_THAT = _pattern(rf"^(?:(?:{INTERJECTIONS})[\s,]+)*{_POLITELY}remind (?:me|us) that\s+(?=\S+\s)")
# Where such a request begins within a sentence: "I'm off to Rome, so remember that …".
KEEP_INSIDE = _pattern(
    rf"(?:[,;]\s*(?:(?:and|so|but|also|then)\s+)*|\s+[–—-]+\s+|\s+(?:and|so|but)\s+(?:also\s+)?)(?={_POLITELY}{_TO_KEEP})"
)
# What an assistant makes or finds: to need one is to ask for it.
_MADE = (
    "list|plan|recipe|recommendation|idea|tip|suggestion|summary|email|letter|poem|story|essay|title|script|function|"
    "query|translation|explanation|example|overview|schedule|itinerary|guide|template|answer|name|title|word|idea|joke|present|gift"
)
ASKS_FOR = _pattern(
    r"\b",
    _any(
        r"(?:i(?:'m| am| was)? )?(?:just )?wondering (?:if|what|how|whether)",
        r"i(?:'d| would) (?:like|love|appreciate) (?:you|to (?:know|hear|get your)|some (?:help|advice|tips|ideas|"
        "suggestions|recommendations))",
        r"i (?:need|want) (?:you|help|advice|to know|some (?:help|advice|tips|ideas))",
        rf"(?:^|(?:i|we)(?:'d| would)? )(?:need|want|like|love|could use) (?:a|an|some|the|"
        rf"your)(?: \w+){{0,2}}? (?:{_MADE})e?s?",
        r"(?:i'm|i am|we're|we are) looking for (?:an? |some |the )?(?:\w+ )?(?:good|nice|great|cheap|decent|quick|"
        r"simple|"
        "easy|best|better|fun|new ideas)",
        r"i(?:'m| am) looking for (?:some )?(?:advice|tips|ideas|suggestions|recommendations|help)",
        r"do you (?:know|have|think)|any (?:ideas|tips|suggestions|advice|recommendations)",
    ),
    r"\b",
)
ASKS = _pattern(
    r"^(?:(?:and|but|so|also|oh|well|ok|okay),? )*",
    _any(
        "what|what's|which|who|who's|whose|when|where|where's|why|how|how's",
        "(?:do|does|did|are|is|was|were|have|has|had|can|could|would|will|should) "
        "(?:you|we|they|he|she|it|there|i|anyone|your)",
    ),
    r"\b",
)
# "When I was ten, we moved" and "What I love is the sea" tell, unless a question mark says otherwise.
TELLS_ALL_THE_SAME = _pattern(r"^(?:when|what|where|how|who|which) (?:i|i'm|i've|we|we're|my|our)\b")
END_OF_QUESTION = re.compile(r"\?[\s\"'”’)\]!?\W]*$")
# "I'm off to Rome in May, can you suggest a hotel?": what stands before the question was told.
ASKED_LAST = _pattern(
    r"^(?P<told>.{8,}?)(?:,|;|\s[-–—]|\.\.\.|\sand|\sso|\sbut)\s+(?:(?:and|so|but|then|i was|i'm|just) )*",
    _any(
        "can|could|would|will|do|does|did|is|are|should|have|what|what's|which|how|where|when|who|why|any",
        "wondering|please|help|right|huh|tell|give|suggest|recommend",
    ),
    r"\b[^?]*\??\s*$",
)

# Said right after a sentence, to take back what it says.
TAKES_BACK_WORDS = (
    r"(?:oh |ah |oops,? )?(?:no,? wait|wait,? no|no,? sorry|sorry,? no|scratch that|strike that|make that|correction|"
    r"or rather|no,? actually|i meant)"
)
TAKES_BACK = _pattern(rf"^{TAKES_BACK_WORDS}\b")
