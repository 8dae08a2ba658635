"""The words with which one asks for something to be kept, and those between them and what is to be kept."""

from memory_app.rules.triggers.pattern import pattern

REMEMBER = r"(?:r[eimnu]{1,6}b[eimn]{0,4}r|remembre|rem+[eb]\w{1,3}r|rememb?\w{1,2})"
"""Also as fingers type it: "rember", "remmeber", "rmember"."""
NOT_FORGET = (
    r"(?:(?:don't|dont|do not|never|not|(?:you|we) (?:mustn't|must not|won't|will not))\s+"
    r"(?:you\s+(?:dare\s+)?|ever\s+|let me\s+|to\s+)?f[oer]{1,3}g[oeir]{0,3}t[te]?)"
)
SAID = (
    r"(?:(?:i|we)(?:'ve| have|'re| are|'m| am)? (?:just |already |been )*(?:said|told you|mentioned|shared|"
    r"discuss(?:ed|ing)|talk(?:ed|ing) (?:about|through)|spoke about|went (?:over|through)|wrote|covered|saying|"
    r"telling you)(?: just now| earlier| before| so far| today| here| above)*)"
)
POINTING = (
    r"(?:this(?: one)?|that one|it all|it|these|those|them(?: all)?|both(?: of (?:them|these|those))?|"
    r"(?:any|all) of (?:this|that|it|these|those|them)|all (?:this|that)|the following|the fact(?= that\b)|that)"
)
LATER = (
    r"(?:(?:for|until) (?:later|me|next time|another time|(?:the |your )?(?:future|records?)(?: reference)?)|"
    r"from now on)"
)
MEMORY = (
    r"(?:(?:in|to|into|on|onto) (?:(?:your|my) (?:memory|memories|notes?|profile|records?|mind|file)|"
    r"(?:memory|notes?|record|file)(?=\s*[:,.!?]|\s+that\b|\s*$)|what you know)(?: (?:about|on|of) (?:me|us))?)"
)
_KEEP = r"(?:keep|save|store|log|record|put|pop|stick|add|commit|write|note|file|hold|enter)"
_NOTES = r"(?:note|remember|keep in mind|know)"
_COUNT = r"(?:a|the|one|two|three|four|[1-4]|a few|some|a couple of|another)(?: (?!things?\b)\w+)?"
STRONG = (
    rf"/remember(?:@\w+)?|{REMEMBER}|{NOT_FORGET}|memori[sz]e|(?:keep|bear) (?:{POINTING} )?in mind|"
    rf"{_KEEP} (?:{POINTING} )?(?:down )?{MEMORY}|note to self|(?:memo|mental note|note for later)(?=\s*:)|"
    r"(?:make|take|keep|add|leave)(?: yourself)? (?:an? )?(?:\w+ )?note"
    r"(?! (?:to|in|on|at) (?:the|this|that|my|our|his|her|their|every)\b)|"
    r"worth (?:remembering|noting)(?=\s*:|\s+that\b|[\s.!]*$)|so (?:that )?you (?:remember|don't forget)|"
    rf"so you know {LATER}|i (?:just )?(?:want|need) you to know|"
    rf"make sure (?:that )?you(?:'ve| have)? (?:got|get)(?= {POINTING}\b)|to {_NOTES}(?=\s*:)|"
    rf"{_COUNT} things? to {_NOTES}(?: (?:about|for|with) \w+)?(?:(?=\s*:)| (?:is|are)\b)"
)
"""These ask wherever a request may stand."""
SAVE = (
    r"(?P<save>(?:save|store|keep|log|record|file|note|(?:hang|hold) on ?to|keep track of)"
    rf"(?=\s+(?:{POINTING}|{LATER}|i|we|my|our|his|her|\w+'\w+)\b|\s*:))|"
    rf"(?P<down>(?:note|write|jot|take|put|get) (?:{POINTING} )?down)"
)
"""Of files and lists, too: these ask where something is told."""
LABEL = (
    r"note(?=\s+(?:that|this|the following)\b|\s*:)|(?:just )?(?:an? )?fyi(?!\w)|important(?: note)?(?=\s*:)|"
    r"for (?:(?:your )?(?:information|reference)|future reference)|"
    r"(?:for (?:later|next time|the future|your (?:notes|memory))|(?:just )?(?:for the record|so you know|"
    r"so (?:that )?you're aware))(?=\s*[,:;–—-]|[\s.!]*$)"
)
"""Of prose and code, too: these ask only where an utterance begins or a sentence ends, and after "please"."""
ENDING = pattern(rf"{NOT_FORGET}|for future reference|fyi|(?:just )?so you know")
"""At the end of a sentence, these need nothing that parts them from the words before."""

_FILL = rf"(?:[\s,]*\b(?:{LATER}|{MEMORY}|(?:as a note|down|always|please|would you|dear|ok|also|in mind)\b))*"
LINK = pattern(
    rf"(?P<mark>[ \t]*[:,;–—-]*){_FILL}(?:\s*\bof\b)?(?:\s*(?P<pointing>(?:(?:what|whatever|the things?|"
    rf"the last (?:thing|bit|part)) (?:that )?{SAID}|my last (?:message|sentence|point)|{POINTING}(?: that\b)?|"
    r"(?:some|one|another|an important) ?thing(?: important)?(?=(?: for (?:me|later))?\s*:))\b))?"
    rf"(?P<later>{_FILL})(?P<colon>\s*[:–—]|[ \t]+-)?[\s,;]*(?:(?:about|of)\s+)?"
    r"(?P<task>to\s+(?!me\b|you\b|the\b|my\b))?"
)
TAIL = pattern(rf"[\s,]+(?:in mind|{MEMORY}|for (?:later|future reference|next time|the future))\s*[.!?]*$")
"""What may close the words to be kept, and is none of them."""
ALL_SAID = pattern(
    rf"(?:/remember(?:@\w+)?|{REMEMBER}|{NOT_FORGET}|memori[sz]e|(?:make|keep|take) (?:a )?note of|"
    # Of a file one says "save everything" too.
    r"(?:keep|save|store)(?=\s+(?:everything|anything|all) (?:that )?(?:i|we)\b)|"
    r"(?:note|write|jot)(?: down)?)\s+(?:always )?(?:this (?:whole )?(?:chat|conversation)|"
    r"(?:everything|anything|all|every \w+)(?: (?:of )?(?:the )?(?:important|relevant|useful)(?: \w+)?)?)"
    rf"(?: (?:that )?{SAID}| so far| here| above| from now on)*(?: (?:about|on|of|regarding) (?P<about>(?:(?!is\b|"
    rf"are\b|was\b|were\b|has\b|have\b|will\b)[\w'-]+ ?){{1,8}}))?(?: down| in mind| {LATER})*\s*[.!?]*$"
)
"""All that was said, rather than one thing: "remember everything I told you about Rome"."""
