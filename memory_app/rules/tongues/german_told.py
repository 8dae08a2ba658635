"""German put into English word by word, as far as texts are compared: "mein Budget beträgt 40.000 Euro" is "my budget
is 40000 euros".

For comparing alone: no one is shown such words. Closed classes of words and the order of verbs; every other word stays,
a noun in small letters, so that the rules of English take it for a plain word and not for a name.
"""

import re
from functools import lru_cache

from memory_app.rules.text import vocabulary
from memory_app.rules.tongues.told import by_sentences, table

REMEMBERED = 2048

_WORDS = """
I: ich
we: wir
he: er
she: sie
it: es dies diese dieser dieses man
my: mein meine meiner meinen meinem meines
our: unser unsere unserer unseren unserem
his: sein seine seiner seinen seinem
her: ihr ihre ihrer ihren ihrem
the: der die das den dem des
a: ein eine einen einem einer eines
no: kein keine keinen keinem keiner
not: nicht
never: nie niemals
and: und
or: oder
but: aber
with: mit
at: bei beim um
in: in
in the: im
on: am auf
to: nach zu zum zur
from: aus von vom
for: für
since: seit
as: als
now: jetzt nun inzwischen mittlerweile
also: auch
very: sehr
old: alt
years: jahre jahren
euros: euro
is: ist beträgt
am: bin
are: sind
was: war
were: waren
have: habe haben hat
had: hatte hatten
live: wohne wohnt wohnen lebe lebt leben
lived: wohnte lebte
work: arbeite arbeitet arbeiten
eat: esse isst essen
drink: trinke trinkt trinken
smoke: rauche raucht rauchen
like: mag mögen
love: liebe liebt lieben
hate: hasse hasst hassen
prefer: bevorzuge bevorzugt
speak: spreche spricht sprechen
drive: fahre fährt fahren
play: spiele spielt spielen
cost: kostet kosten
weigh: wiegt wiege wiegen
is called: heißt heisst
am called: heiße heisse
are called: heißen heissen
married: verheiratet
divorced: geschieden
engaged: verlobt
widowed: verwitwet
single: ledig
vegetarian: vegetarier vegetarierin vegetarisch
vegan: veganer veganerin
meat: fleisch
fish: fisch
cheese: käse
milk: milch
eggs: eier
beer: bier
wine: wein
alcohol: alkohol
red: rot
blue: blau
green: grün
yellow: gelb
black: schwarz
white: weiß
grey: grau
brown: braun
colour: farbe
size: größe schuhgröße
weight: gewicht
address: adresse
birthday: geburtstag
deadline: frist abgabetermin
capital: hauptstadt
sister: schwester
brother: bruder
mother: mutter
father: vater
son: sohn
daughter: tochter
friend: freund freundin
dog: hund
cat: katze
cats: katzen
dogs: hunde
meeting: treffen besprechung termin
two: zwei
three: drei
four: vier
five: fünf
six: sechs
seven: sieben
eight: acht
nine: neun
ten: zehn
eleven: elf
twelve: zwölf
million: million millionen
monday: montag
tuesday: dienstag
wednesday: mittwoch
thursday: donnerstag
friday: freitag
saturday: samstag sonnabend
sunday: sonntag
january: januar
february: februar
march: märz
april: april
may: mai
june: juni
july: juli
october: oktober
december: dezember
today: heute
tomorrow: morgen
"""
_ENGLISH = table(_WORDS)
_SAYS_NOTHING = vocabulary("gern gerne ja doch eben halt")

# Words by which a sentence is known to be German.
_GERMAN = vocabulary(
    "ich wir mein meine meiner meinen unser unsere ist sind nicht kein keine keinen und der das ein eine einen mit "
    "wohnt lebt heißt arbeitet isst trinkt raucht mag beträgt liegt habe haben seit"
)

# What one lives or works in that is no place: "in Trennung", "in Teilzeit".
_NO_PLACES = vocabulary(
    "trennung scheidung armut angst sorge frieden freiheit untermiete miete partnerschaft beziehung hause rente "
    "pension elternzeit altersteilzeit teilzeit vollzeit gemeinschaft wohngemeinschaft ausbildung kurzarbeit schichten"
)
# Before a name, be it a word besides ("Essen"); and before a name or a noun.
_BEFORE_A_NAME = vocabulary("in nach aus heißt heiße heißen heisst heisse namens")
_BEFORE_EITHER = vocabulary("bei mit von für")
# After these a capital is a noun's, and after that noun a name's: "meine Schwester Anna".
_BEFORE_A_NOUN = vocabulary("mein meine meiner meinen meinem unser unsere unserer unseren unserem")

_THOUSANDS = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))? Uhr\b")
_NO_LONGER = re.compile(r"\bnicht (?:mehr|länger)\b", re.IGNORECASE)
_LIES_AT = re.compile(r"\bliegt (?:jetzt )?bei\b")
_FAVOURITE = re.compile(r"\blieblings-?(\w+)", re.IGNORECASE)
_VERB_OF_MINE = r"wohne|lebe|arbeite|bin|habe|heiße|esse|trinke|rauche|mag|fahre|spreche|spiele|wohnte|lebte|war|hatte"
_DO_I = re.compile(rf"^(?P<before>[^,;]{{1,60}}?) (?P<verb>{_VERB_OF_MINE}) ich\b(?P<rest>[^,;]*)$", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:bin|ist|sind) (?P<to>(?:[^,;.]+ )?nach [^,;.]+?) (?:um)?gezogen\b")
_BORN = re.compile(r"\b(?:bin|ist|wurde) (?P<where>[^,;.]+?) geboren\b")
_STATES = "geschieden|verheiratet|geboren|gezogen|verlobt|getrennt"
# "Ich habe zwei Bücher gekauft": it happened.
_HAS_DONE = re.compile(
    rf"\b(?:habe|hat|haben|bin|ist|sind) (?P<what>(?:[^,;.]+ )?)(?!{_STATES})(?P<done>(?:\w{{1,3}})?ge\w+(?:t|en)|"
    r"(?:be|ver|er|ent)\w+t|\w+iert)(?=$|[,;.!]| und )"
)
_WORD = re.compile(r"\d[\d.:]*|[^\W\d_]+(?:-[^\W\d_]+)*|[^\w\s]+|\s+")


@lru_cache(maxsize=REMEMBERED)
def in_english(text: str) -> str:
    """The text with every short sentence that is German put so; its lead, and what is in another language, as it is."""
    return by_sentences(text, _GERMAN, _in_english)


def _in_english(sentence: str) -> str:
    told = _DECIMAL.sub(".", _THOUSANDS.sub("", sentence))
    told = _CLOCK.sub(lambda found: f"{found[1]}:{found[2] or '00'}", told)
    told = _FAVOURITE.sub(r"favourite \1", _LIES_AT.sub("ist", _NO_LONGER.sub("no longer", told)))
    if found := _DO_I.match(told.rstrip(".! ")):
        when = "" if found["before"].lower().startswith("seit ") else f" {found['before'].lower()}"
        told = f"ich {found['verb']}{found['rest']}{when}"
    told = _MOVED.sub(r"moved \g<to>", told)
    told = _BORN.sub(r"was born \g<where>", told)
    told = _HAS_DONE.sub(r"\g<done>ed \g<what>", told)
    return _word_by_word(told)


def _word_by_word(told: str) -> str:
    put, before, of_mine = list[str](), "", False
    for token in _WORD.findall(told):
        small = token.lower()
        if not token[0].isalpha():
            put.append(token)
            continue
        capital = token[0].isupper()
        is_name = capital and (before in _BEFORE_A_NAME or of_mine) and small not in _NO_PLACES
        may_be_one = (capital and before in _BEFORE_EITHER) or not before
        of_mine = capital and before in _BEFORE_A_NOUN
        if small in _SAYS_NOTHING:
            continue
        put.append(token if is_name else _ENGLISH.get(small, token if may_be_one else small))
        before = small
    return "".join(put)
