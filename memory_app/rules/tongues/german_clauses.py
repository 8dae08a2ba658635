"""What a German "dass" says, as a sentence of its own: "ich in Bern wohne" is "ich wohne in Bern".

After "dass" the verb stands at the end. Where it cannot be told which word that is, the words stay as they were said.
"""

import re

_ONE = r"(?:ich|er|sie|es|wir|man|(?:mein|dein|sein|ihr|unser|der|die|das)\w* [\w-]+|[A-ZÄÖÜ][\w-]+)"
# Whoever lives or works somewhere does it to nothing: "meine Schwester Anna in Bonn wohnt" is Anna's.
_AT_A_PLACE = r"(?:wohnt|lebt|arbeitet|kommt|stammt|zieht|bleibt|schläft)"
_NAMED = rf"(?:mein|dein|sein|ihr|unser)\w* [\w-]+ [A-ZÄÖÜ][\w-]+(?= (?:[^,;]+ )?{_AT_A_PLACE}$)"
_SUBJECT = re.compile(rf"(?P<who>(?:{_NAMED}|{_ONE})(?: und {_ONE})?) (?P<what>.+) (?P<does>[a-zäöüß]+)")

# A verb that is parted in a sentence of its own: "ich am Montag anfange" is "ich fange am Montag an".
_PARTED = re.compile(
    r"(?P<part>ab|an|auf|aus|ein|fern|her|hin|los|mit|nach|statt|teil|um|vor|weg|zu|zurück|zusammen)"
    r"(?P<verb>(?:fang|fäng|ruf|komm|zieh|fahr|fähr|geh|steh|kauf|hör|lad|läd|sag|bring|hol|mach|seh|sieh|reis|flieg|treff|"
    r"nehm|geb|find|leg|stell|les|schreib|zahl|bau|biet|lern|lauf|läuf|schau|wart|arbeit)(?:e|en|et|t)|nimmt|gibt|trifft|"
    r"liest|bin|ist|sind|habe|hat|haben)"
)
_FINITE = (
    r"(?:bin|ist|sind|war|waren|habe|hat|haben|hatte|hatten|wird|werde|werden|muss|müssen|kann|können|will|wollen|darf|"
    r"dürfen|soll|sollen|mag|mögen|wohne|wohnt|wohnen|lebe|lebt|leben|arbeite|arbeitet|arbeiten|heiße|heißt|heißen|komme|"
    r"kommt|kommen|gehe|geht|gehen|fahre|fährt|fahren|esse|isst|essen|trinke|trinkt|trinken|rauche|raucht|liebe|liebt|"
    r"lieben|hasse|hasst|spiele|spielt|spielen|spreche|spricht|sprechen|lerne|lernt|lernen|studiere|studiert|studieren|"
    r"lese|liest|koche|kocht|brauche|braucht|brauchen|nehme|nimmt|nehmen|bevorzuge|trage|trägt|kaufe|kauft|kenne|kennt|"
    r"tanze|tanzt|singe|singt|schlafe|schläft|stehe|steht|mache|macht|machen|benutze|benutzt|nutze|nutzt|sammle|sammelt)"
)
_ENDS_IN_A_VERB = re.compile(rf"(?:^| ){_FINITE}$")
_AND_THAT = re.compile(r",? und dass ")
_JOINT = re.compile(r",? (?:und|aber|oder|sondern) ")
# The full stop of "am 3. Mai", and the colon of "7:12", end nothing.
_END = re.compile(r",(?! (?:und|aber|oder|sondern) )|[;!?…]|[.:](?!\d)(?<!\d\.)|[.:]$")


def in_main_order(said: str) -> str:
    """What stands after "dass", each clause with its verb where a sentence of its own has it."""
    first, *others = (_main_clause(clause) for clause in _AND_THAT.split(said))
    return ". ".join([first, *(other[:1].upper() + other[1:] for other in others)])


def _main_clause(clause: str) -> str:
    end = _END.search(clause)
    head, rest = (clause[: end.start()], clause[end.start() :]) if end else (clause, "")
    for joint in _JOINT.finditer(head):
        if _ENDS_IN_A_VERB.search(head[: joint.start()]):
            first, second = _with_its_subject(head[: joint.start()]), _joined(head[joint.end() :])
            return f"{first}{joint[0]}{second}{rest}" if first else clause
    told = _with_its_subject(head)
    return f"{told}{rest}" if told else clause


def _with_its_subject(head: str) -> str:
    found = _SUBJECT.fullmatch(head)
    return f"{found['who']} {_parted(found['what'], found['does'])}" if found else ""


def _joined(clause: str) -> str:
    """What goes on with the same subject or names another; as it is where no verb stands at its end."""
    what, _, does = clause.rpartition(" ")
    return _with_its_subject(clause) or (_parted(what, does) if _ENDS_IN_A_VERB.search(clause) else clause)


def _parted(what: str, does: str) -> str:
    found = _PARTED.fullmatch(does)
    return f"{found['verb']} {what} {found['part']}" if found else f"{does} {what}".rstrip()
