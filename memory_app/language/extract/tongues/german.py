"""German: "Ich wohne in Berlin" is "Alice wohnt in Berlin", "Mein Hund heißt Rex" is "Alices Hund heißt Rex"."""

import re

from memory_app.language.extract.tongues.grammar import Grammar, any_of
from memory_app.rules.text import vocabulary

# What "ich" does, and what the person does.
_VERBS = {
    **{"bin": "ist", "habe": "hat", "hab": "hat", "war": "war", "hatte": "hatte", "wurde": "wurde", "werde": "wird"},
    **{"wohne": "wohnt", "lebe": "lebt", "heiße": "heißt", "heisse": "heißt", "komme": "kommt", "stamme": "stammt"},
    **{"arbeite": "arbeitet", "studiere": "studiert", "lerne": "lernt", "unterrichte": "unterrichtet"},
    **{"leite": "leitet", "forsche": "forscht", "mag": "mag", "liebe": "liebt", "hasse": "hasst"},
    **{"bevorzuge": "bevorzugt", "esse": "isst", "trinke": "trinkt", "rauche": "raucht", "koche": "kocht"},
    **{"backe": "backt", "spiele": "spielt", "spreche": "spricht", "lese": "liest", "schreibe": "schreibt"},
    **{"singe": "singt", "tanze": "tanzt", "male": "malt", "schwimme": "schwimmt", "laufe": "läuft", "jogge": "joggt"},
    **{
        "wandere": "wandert",
        "fahre": "fährt",
        "reise": "reist",
        "fliege": "fliegt",
        "gehe": "geht",
        "sammle": "sammelt",
    },
    **{"trage": "trägt", "besitze": "besitzt", "sehe": "sieht", "schaue": "schaut", "höre": "hört", "nutze": "nutzt"},
    **{"benutze": "benutzt", "verwende": "verwendet", "interessiere": "interessiert", "kann": "kann", "mache": "macht"},
    **{"treffe": "trifft", "besuche": "besucht", "schlafe": "schläft", "stehe": "steht", "vermisse": "vermisst"},
}
_OTHERS_DO = (
    r"(?:heißt|heißen|ist|sind|war|waren|wohnt|wohnen|lebt|leben|arbeitet|arbeiten|hat|haben|mag|mögen|liebt|lieben|"
    r"hasst|spielt|spielen|spricht|sprechen|kommt|kommen|studiert|studieren|isst|trinkt|lernt|geht|gehen|fährt)"
)
_VERB = "|".join(_VERBS)
_I_DO = re.compile(rf"^(?P<rest>(?i:ich) (?P<verb>{_VERB})\b.*)$", re.DOTALL)
# "Am 3. Mai 2027": that full stop ends nothing.
_DO_I = re.compile(rf"^(?P<before>\w(?:[^,;:.!?]|(?<=\d)\.){{1,60}}?) (?P<verb>{_VERB}) ich\b(?P<rest>.*)$", re.DOTALL)
_MY = re.compile(rf"^(?i:meine?) (?P<who>(?:[\w-]+ ){{1,4}}?)(?P<does>{_OTHERS_DO}\b.*)$", re.DOTALL)
_CLAUSE = re.compile(r"(?P<joint>,? (?:und|aber|oder|sondern|denn)|,) (?:ich )?(?P<verb>" + _VERB + r")\b")
_AT_THE_END = re.compile(
    r"\b(?P<link>weil|da|dass|seit|obwohl) ich (?P<middle>[^,;.!?]*?)\b(?P<verb>" + _VERB + r")(?=[,;.!?]|$)"
)
_OWN = re.compile(r"\bmein(?:e[mnrs]?)?\b")
_SELF = re.compile(r"\b(?:mich|mir)\b")
_I = re.compile(r"\b(?:ich|wir|uns|unser\w*)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:(?:ja|nein|doch|also|und|aber|übrigens|ach|oh|hallo|hi|hey|danke|ok|okay|na ja|tja|naja|"
    r"ehrlich gesagt)\b[\s,!.:–-]*)+",
    re.IGNORECASE,
)


def _retold(sentence: str, who: str) -> str:
    told = _OPENING.sub("", sentence).strip()
    if found := _I_DO.match(told):
        told = f"{who} {_VERBS[found['verb']]}{_of_self(told[found.end('verb') :], who)}"
    elif found := _DO_I.match(told):
        told = f"{found['before']} {_VERBS[found['verb']]} {who}{_of_self(found['rest'], who)}"
    elif found := _MY.match(told):
        told = f"{_whose(who)} {found['who']}{_SELF.sub(lambda _: who, _joined(found['does'], who))}"
    else:
        return ""
    told = _OWN.sub(lambda _: _whose(who), told)
    return "" if _I.search(told) or _SELF.search(told) else f"{told[:1].upper()}{told[1:]}"


def _of_self(rest: str, who: str) -> str:
    """What follows the first verb: whatever "I" do to "me" is done to oneself."""
    return _SELF.sub("sich", _joined(rest, who))


def _joined(rest: str, who: str) -> str:
    """The verbs that go on after "und", and those at the end after "weil", told of the person too."""
    rest = _AT_THE_END.sub(lambda found: f"{found['link']} {who} {found['middle']}{_VERBS[found['verb']]}", rest)
    return _CLAUSE.sub(lambda found: f"{found['joint']} {_VERBS[found['verb']]}", rest)


def _whose(who: str) -> str:
    return f"{who}’" if who.endswith(("s", "x", "z", "ß")) else f"{who}s"


_GUESSED = r"""
vielleicht eventuell möglicherweise womöglich vermutlich wahrscheinlich wohl irgendwann angenommen wenn falls sofern ob
könnte\w* würde\w* wäre\w* hätte\w* dürfte\w* sollte\w* glaube? denke? keine_ahnung weiß_nicht nicht_sicher mal_sehen
nur_spaß scherz\w* im_traum im_spiel in_meine[mr]_(?:roman|geschichte|traum|spiel)
"""
_OF_THE_OTHER = r"du dich dir dein\w* ihr euch euer eure\w* Ihnen bitte danke hilfe \w*rezept\w* vorschl\w+ fragen?"
# A time that is read from the day on which it is said. What one lives and works at "now" lasts.
_BY_THE_DAY = r"""
heute morgen gestern übermorgen vorgestern gerade gleich
(?<!\bwohne_)(?<!\blebe_)(?<!\barbeite_)(?<!\bstudiere_)(?<!\bheiße_)(?<!\bunterrichte_)jetzt
bald neulich vorhin soeben nachher später demnächst
nächste\w* letzte\w* vorige\w* kommende\w* diese[nrsm]? am_(?:mon|diens|donners|frei|sams|sonn)tag am_mittwoch
(?:vor|in)_\w+_(?:tagen|wochen|monaten|jahren)
(?:im|ab|bis|seit|\d+\.)_(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)(?!_\d{4})
"""
# Over as soon as it is said, or said of what was spoken of before.
_PASSING = r"""
(?:ich_bin|bin_ich)_(?:(?:so|sehr|total|echt|schon|noch|etwas|ziemlich|nur|wieder|auch)_)*(?:da|zurück|bereit|sicher)
müde hungrig durstig fertig unterwegs wach froh traurig sauer genervt gestresst satt
gespannt dabei dafür dagegen hier weg einverstanden glücklich gelangweilt
hab(?:e|en)?_(?:\w+_)?(?:hunger|durst|zeit|idee|recht|lust|angst|pech|glück|feierabend|problem|probleme)
(?:es|das|ihn|ihm|dort|davon|damit|darüber|so)(?=[.!…]*$)
"""
# Kept only on explicit request: secrets, health and money.
_SENSITIVE = r"""
passwor\w+ kennwor\w+ pin puk tan geheim\w* zugangs\w* \w*code \w*ausweis\w* \w*nummer iban
schwanger\w* (?!krankenschwester|krankenpfleger)\w*krank\w* \w*diabet\w* \w*krebs\w* \w*depress\w* \w*allergi\w*
\w*asthma\w* hiv aids epilep\w* migräne adhs autis\w* burn-?out \w*therap\w* psych\w* \w*medikament\w* \w*tabletten?
insulin diagnos\w* operier\w* \w*operation\w* \w*klinik\w* \w*schmerz\w* fehlgeburt\w* abtreibung\w* \w*behinder\w*
süchtig\w* \w*sucht alkoholi\w* \w*intoleran\w* unverträglich\w* nüchtern trocken
\w*gehalt\w* \w*lohn verdien\w* \w*schulden \w*kredit\w* hypothek\w* \w*konto\w* erspar\w* vermögen pleite insolven\w*
erbe erbschaft \d+_?(?:€|euro|franken|dollar|mg)
"""

GERMAN = Grammar(
    language="german",
    retold=_retold,
    left_out=any_of(_GUESSED, _OF_THE_OTHER, _BY_THE_DAY, _PASSING, _SENSITIVE),
    sensitive=any_of(_SENSITIVE),
    oneself=re.compile(r"\b(?:ich|mich|mir|mein\w*|wir|uns|unser\w*)\b", re.IGNORECASE),
    likes=re.compile(
        r"\b(?:mag|mögen|liebe|liebt|hasse|hasst|bevorzuge|esse|trinke|lieblings\w+|(?:gerne?|lieber))\b", re.I
    ),
    keys={
        "home": re.compile(r"^(?:ich (?:wohne|lebe)|.{0,40}(?:wohne|lebe) ich) (?:\w+ )?in\b", re.I),
        "name": re.compile(r"^(?:ich heiße|ich heisse|mein name ist)\b", re.I),
    },
    empty=frozenset({*_VERBS, *_VERBS.values()})
    | vocabulary(
        "aber alle alles auch beim dann dass doch eine einem einen einer eines gern gerne immer kein keine keinen mein "
        "meine meinem meinen meiner nach nicht noch oder ohne sehr seit sein sich sind zwei drei über unter wohnen"
    ),
)
