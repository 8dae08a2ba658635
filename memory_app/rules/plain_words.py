"""Words of a short reply as people type them, misspelt, as pictures, in German, French or Spanish, each as the plain
English word that `picks` reads. A word that stands for several things stays as it is, and is not understood."""

from memory_app.rules import linear_re as re

_WRITTEN = {
    "yes": "yess yesss yees yas yass yeas yse ye jep jup ja jaa jawohl klar gerne genau oui ouais si sí claro",
    "no": "noo nooo noooo nop nein nee nö nöö noes non",
    "okay": "k kk okey okei oki okeydoke alright d'accord einverstanden",
    "please": "plz pls plse pleas bitte svp stp",
    "thanks": "thx thanx tx ty tysm danke dankeschön merci gracias",
    "all": "alles alle allen toutes tous tout todo todos todas evrything everyting evrything everythng",
    "none": "keine keins keines keiner keinen aucun aucune ninguno ninguna",
    "nothing": "nothin nothign nuthin nichts nix rien nada",
    "not": "nicht pas",
    "and": "und et adn nd",
    "or": "oder ou",
    "but": "aber mais pero",
    "except": "außer ausser exept excpet execpt sauf excepto",
    "only": "jsut juts nur bloß seulement uniquement solo solamente onyl",
    "rest": "übrigen",
    "both": "beide beides",
    "keep": "keeep behalte behalten speichere speichern merke merken garde gardez garder guarda nimm",
    "remember": "rember remeber remmeber rememeber remembr",
    "forget": "vergiss vergessen oublie oubliez oublier olvida",
    "first": "frist fisrt erste erster ersten erstes premier première premiere primero primera",
    "second": "secnd secound secodn zweite zweiter zweiten zweites deuxième deuxieme seconde segundo segunda",
    "third": "thrid tird dritte dritter dritten drittes troisième troisieme tercero tercera",
    "fourth": "forth vierte vierter vierten viertes quatrième quatrieme cuarto cuarta",
    "last": "letzte letzter letzten letztes dernier dernière derniere último última",
    "1": "eins", "2": "zwei deux", "3": "thre drei trois", "4": "vier quatre", "5": "fünf cinq",
    "number": "numer nubmer numbr nummer nr nº numéro numero",
    "the": "teh der die das dem den le la les el los las davon dessen mir mich ne mit über von zu aus ich meine meinte "
    "celui celle ceux avec sur du des c'est c'était",
}  # fmt: skip
_PLAIN = {written: plain for plain, several in _WRITTEN.items() for written in several.split()}

_PICTURES = {"👍": "yes", "✅": "yes", "✔": "yes", "☑": "yes", "👎": "no", "❌": "no", "✖": "no", "🚫": "no"}
_PICTURE = re.by_python("|".join(_PICTURES), because="one character of a list")

# A pointing number run together with a word of the answer: "1and3", "yes1", "2n".
_RUN_ON = re.compile(r"(?<=\d)(?=(?:and|or|yes|no|y|n)(?:\d|\b))")
_RUN_IN = re.compile(r"\b(and|or|yes|no|not|y|n)(?=\d+\b)")

_SAYINGS = tuple(
    (re.compile(saying), plain)
    for saying, plain in (
        (r"\bs'il (?:te|vous) pla[iî]t\b", "please"),
        (r"\bbis auf\b", "except"),
        (r"\bes (?:war|ist)\b", ""),
        (r"\b(?:(?:die )?ersten (?:beiden|zwei)|les deux premi(?:er|ère)s)\b", "the first two"),
        (r"^((?:das|den|die) \w+) (?:lieber )?nicht\b(?= ?[.!]*$)", r"not \1"),
        (r"\b(?:lieber|besser) (?:doch )?nicht\b|\bplutôt (?:pas|non)\b", "better not"),
        (r"\b(?:tous )?les deux\b", "both"),
        (r"\b(?:die anderen|les autres|los otros)\b", "the others"),
        (r"\b(?:lass (?:es|das|mal)|laissez? tomber|oubliez? (?:ça|ca|cela)|vergiss (?:es|das))\b", "forget it"),
        (r"\b(?:weiß|weiss|weis) (?:ich )?nicht\b|\b(?:je )?(?:ne )?sais pas\b|\bno (?:lo )?s[eé]\b", "dunno"),
        (r"\b(?:nicht jetzt|jetzt nicht|pas maintenant|ahora no)\b", "not now"),
        (r"\b(?:später|spaeter|plus tard|más tarde|mas tarde)\b", "later"),
        (r"\b(?:vielleicht|peut[- ]?[êe]tre|quizás?)\b", "maybe"),
    )
)
_WORD = re.compile(r"(?<!\w)(?:[^\W\d_]+(?:'[^\W\d_]+)?|nº)(?!\w)")


def in_plain_words(reply: str) -> str:
    """The reply in small letters with plain English words where it had others of the same meaning."""
    said = _PICTURE.sub(lambda found: f" {_PICTURES[found[0]]} ", reply.lower().replace("’", "'"))
    said = _RUN_IN.sub(r"\1 ", _RUN_ON.sub(" ", said))
    for saying, plain in _SAYINGS:
        said = saying.sub(plain, said)
    return _WORD.sub(lambda found: _PLAIN.get(found[0], found[0]), said)
