"""Three to five words to find a text by: names first, then what else carries its meaning. And the words that carry
none (`STOPWORDS`) or little (`WEAK_WORDS`)."""

from collections.abc import Iterable

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import normalised, vocabulary

STOPWORDS = vocabulary("""
a about above actually after again against ah ain't all almost along already also although always am among an and
another any anybody anymore anyone anything anyway are aren't around as at away back be became because been before
behind being below beside besides between both but by can can't cannot come could couldn't did didn't do does
doesn't doing don't done down during each either else enough etc even ever every everybody everyone everything few
first for from further get gets getting go goes going gone gonna got gotta had hadn't has hasn't have haven't having
he he'd he'll he's hello her here here's hers herself hey hi him himself his hmm how however i i'd i'll i'm i've if
in indeed instead into is isn't it it'd it'll it's its itself just kind lately least less let let's like lot lots
made make makes many may maybe me might mine more most much must my myself near nearly neither never no nobody none
nor not nothing now of off often oh ok okay on once one ones only onto or other others otherwise ought our ours
ourselves out over own per perhaps please pretty probably quite rather really right same say says she she'd she'll
she's should shouldn't since so some somebody someone something sometimes somewhat soon sort still stuff such sure
than thank thanks that that'll that's the their theirs them themselves then there there's these they they'd they'll
they're they've thing things this those though through thus till to together too toward towards under unless until
up upon us use used uses using usually very via was wasn't way we we'd we'll we're we've well went were weren't what
what's whatever when where whether which while who who's whoever whole whom whose why will with within without won't
would wouldn't wow yeah yes yet you you'd you'll you're you've your yours yourself user user's
""")

WEAK_WORDS = vocabulary("""
agree agreed ask asked bad began begin believe best better big bit bring brought call called came change changed
choose chose chosen day days decide decided decides decision different easy end excited fact favor favorite favour
favourite feel feeling feels fell felt find fine follow found free full fun gave give given gives glad going good
great happened happens happy hard hate hates hear heard help helps high hope important interested keep keeps kept
knew know known knows last late later least leave left little live lives living long look looked looking looks love
loved loves low lower main mean means meet met mind month months move moved name named need needed needs new next
nice old open people pick picked place plan planned planning plans play point prefer preferred prefers put ready
real recently remember said saw see seems seen set settled several short show small start started starts stay stop
take takes taken talk talked team tell thinking think thought time times today told tomorrow took tried try trying
turn two three visit visited want wanted wants watch week weeks work worked working works worth year years yesterday
enjoy enjoys enjoyed dislike dislikes likes liked bought buy sounds really amazing awesome cool wonderful january
february march april june july august september october november december monday tuesday wednesday thursday friday
saturday sunday morning evening afternoon night tonight weekend
""")

# The commonest small words of German, French, Spanish, Italian, Portuguese and Dutch. Some are English words too
# ("die", "on"), so they count only in texts where they outnumber the English ones.
FOREIGN_STOPWORDS = vocabulary("""
ich du er sie es wir ihr und oder aber der die das den dem des ein eine einen einem einer ist sind war bin hat habe
haben nicht kein keine mit von zu zum zur auf für im am an als auch so wie noch nur bei nach über mein meine dein
seine unser dass wenn weil je tu il elle nous vous ils elles et ou mais le la les un une des du de au aux est sont
suis ai as avons ne pas que qui dans pour par sur avec mon ma mes ton ta ses son notre ce cette se en y yo tú él
ella nosotros los las el una unos y o pero es son soy está no con por para mi tu su lo me te del al muy io noi loro
gli uno e ma che di da nel della dei sono ho ha non per il i mia mio eu ele ela nós os as um uma no na do da dos das
em com não meu minha sou é ik jij hij zij wij het een van niet met op voor te aan ook maar mijn zijn ben heeft heb
dat die
""")


MAX_KEYWORDS = 5
MIN_KEYWORDS = 3

_TOKEN = re.compile(r"[$€£#]?[^\W_](?:[\w'’+#%-]*[\w+#%])?(?:[.,]\d+)*")
_ENDINGS = ("ings", "ing", "ies", "ied", "es", "ed", "s")
# Runs of scripts that are written without spaces are cut to pieces of this many characters.
_PIECE = 6
_UNSPACED = re.by_python(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff]+", because="characters of one set")
_LONGEST = 4000
# Nobody looks for a longer word, in characters.
_LONGEST_WORD = 40
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_ADVERB = re.compile(r"[a-z]{4,}ly$")
_NO_ADVERBS = vocabulary("family italy assembly supply reply butterfly monopoly anomaly homily bodily apply multiply")


def keywords(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Up to five lower-case words or names of a text, in the order they appear; fewer for a text of few words.

    `names` are the canonical names found in it. Longer, rarer-looking and repeated words weigh more; words that
    say little ("decided", "new") fill up only when there would be fewer than three.
    """
    read = _LINK.sub(" ", text[:_LONGEST])
    empty = _empty_words(read)
    weights: dict[str, float] = {}
    places: dict[str, int] = {}
    for name in names:
        _add(name.lower(), 6.0, read.lower().find(name.lower()), weights, places)
    for found in _TOKEN.finditer(read):
        for word in _pieces(found[0].replace("’", "'").removesuffix("'s").lower()):
            _add(word, 0.0 if word in empty else _weight(word), found.start(), weights, places)
    return _chosen(weights, places)


def _empty_words(text: str) -> frozenset[str]:
    """The small words of the language a text is in: foreign ones where they outnumber the English."""
    words = text.lower().split()
    foreign = sum(word in FOREIGN_STOPWORDS for word in words)
    return FOREIGN_STOPWORDS if foreign >= 2 and foreign > sum(word in STOPWORDS for word in words) else frozenset()


def _chosen(weights: dict[str, float], places: dict[str, int]) -> tuple[str, ...]:
    telling = sorted((word for word in weights if weights[word] >= 1), key=lambda word: (-weights[word], places[word]))
    faint = sorted((word for word in weights if 0 < weights[word] < 1), key=lambda word: places[word])
    chosen = _distinct(telling)[:MAX_KEYWORDS]
    chosen += [word for word in faint if word not in chosen][: max(MIN_KEYWORDS - len(chosen), 0)]
    return tuple(sorted(chosen, key=lambda word: places[word]))


def _add(word: str, weight: float, place: int, weights: dict[str, float], places: dict[str, int]) -> None:
    # A second mention counts half, a third a third of that again: frequency matters, length of text less.
    weights[word] = weights[word] * 1.3 if word in weights else weight
    places.setdefault(word, place)


def _weight(word: str) -> float:
    plain = word.strip("#$€£'")
    if plain in STOPWORDS or (len(plain) < 2 and not _UNSPACED.match(plain)) or len(plain) > _LONGEST_WORD:
        return 0.0
    if plain in WEAK_WORDS or (plain.endswith("ly") and _ADVERB.match(plain) and plain not in _NO_ADVERBS):
        return 0.5
    if plain.isdigit():
        return 1.0 if len(plain) >= 3 else 0.6
    return 2.0 + min(len(plain), 10) / 10 + (0.5 if any(character.isdigit() for character in plain) else 0.0)


def _pieces(word: str) -> list[str]:
    if not _UNSPACED.search(word):
        return [word]
    return [word[at : at + _PIECE] for at in range(0, min(len(word), _PIECE * MAX_KEYWORDS), _PIECE)]


def _distinct(ranked: list[str]) -> list[str]:
    """Without words that are another's form ("tile", "tiles") or part of a name already taken."""
    chosen: list[str] = []
    seen: set[str] = set()
    for word in ranked:
        stems = {stem(part) for part in normalised(word).split()} or {word}
        if not stems <= seen:
            chosen.append(word.lstrip("#"))
            seen |= stems
    return chosen


def stem(word: str) -> str:
    """A key that a word's forms share, not a word to show: "moves", "moved" and "moving" are "mov"."""
    ending = next((ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= 3), "")
    return word[: len(word) - len(ending)].rstrip("ey")
