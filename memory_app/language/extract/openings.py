"""What an utterance opens with before it says anything: interjections, labels, and "I should mention that"."""

from memory_app.rules import linear_re as re

INTERJECTIONS = (
    "omg|thx|ty|ugh|phew|yay|woohoo|gosh|jeez|damn|ha|heh|hehe|ah|u know|"
    "yeah|yep|yup|yes|no|nope|well|oh|ooh|wow|whoa|hey|hi|hello|thanks|thank you|so|and|but|also|btw|"
    "by the way|actually|honestly|haha|lol|anyway|ok|okay|sure|right|true|absolutely|definitely|totally|exactly|aww?|"
    "hmm|um|uh|"
    "sorry|apologies|speaking of which|seriously(?: though)?|"
    "of course|same here|me too|for sure|i mean|you know|guess what|to be (?:honest|fair)|tbh|ngl|not gonna lie|"
    "if (?:you (?:remember|recall|must know|ask me|didn['’]t know|want to know|were wondering)|"
    "i['’]m (?:being )?honest)|believe it or not|long story short|in other news|fun fact|"
    "as (?:i (?:said|mentioned)|you (?:may |might )?know)(?: before| earlier| already)?|"
    "(?:the )?(?:thing|fact|truth|problem) is|wish (?:me|us) luck|fingers crossed|trust me|believe me|"
    "don['’]t judge(?: me)?|let me tell you|dear [a-z]+|to whom it may concern"
)
# Before a colon, or what one pauses with as long.
_LABELS = (
    r"(?:quick |small |little |life )?update|ps|p\.s\.?|tl;?dr|edit|context|background|"
    r"(?:good|bad|great|big|some|sad|exciting) news|news|reminder|quick (?:one|note|thing)|"
    r"(?:one|another) (?:more |last |other )?thing|(?:here['’]s|here is) the (?:thing|deal)|for context|confession|"
    r"(?:reminder|note) (?:to|for) (?:my)?self|side ?note|heads[- ]up|status|announcement|correction|fyi|note"
)
_CALLED = r"(?:,?\s+(?-i:[A-Z])\w+(?=\s*[,.!…]))?"
_PAUSE = r"\s*(?:[,!.…:–—-]+\s*|\s+(?=(?:i|i'm|i've|we|my)\b))"
# Said about the saying; what is said comes after "that".
_WITH = r"(?:also |just |probably |only |really )*"
_FRAME = (
    rf"(?:i(?:['’]d like to| would like to| {_WITH}(?:should|must|have to|need to|want to|wanted to|can|could)) {_WITH}"
    r"(?:mention|say|note|add|admit|confess|point out|let you know|tell you)|"
    r"i (?:totally |completely )?(?:forgot|forget) to (?:say|mention|tell you|add)|"
    rf"(?:i think |i believe )?i(?:['’]ve| have)? {_WITH}(?:already )?(?:told you|mentioned)(?: before| already)?|"
    r"(?:it['’]?s|it is) (?:also )?worth (?:noting|mentioning|knowing)|(?:you should|i want you to) (?:also )?know|"
    r"let me (?:also )?(?:say|tell you|add)|(?:just )?so you know|i(?:['’]m| am) (?:happy|glad|proud|sad|pleased) to "
    r"(?:say|report|tell you))"
    r"(?:,? that\s+|,?\s+(?=(?:i|i['’]m|i['’]ve|we|we['’]re|my|our)\b))"
)
OPENING = re.compile(
    rf"^(?:(?:{INTERJECTIONS})(?:\s+(?:{INTERJECTIONS}))?{_CALLED}{_PAUSE}|(?:(?:so|and|but|well|ok|okay)\s+)?(?:{_LABELS})\s*[:–—-]\s*|p\.s\.\s+|{_FRAME})+",
    re.IGNORECASE,
)
