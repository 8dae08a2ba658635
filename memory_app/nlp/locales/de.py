"""German: "merk dir, dass ich in Bern wohne", "vergiss das", "was weißt du über mich?"; "letzte Woche", "im Mai"."""

from memory_app.nlp import linear_re as re
from memory_app.nlp.locales.wording import Wording, chat_wording, one_of, phrases, whole

_MONTHS = {
    **{"januar": "January", "jänner": "January", "februar": "February", "märz": "March", "april": "April"},
    **{"mai": "May", "juni": "June", "juli": "July", "august": "August", "september": "September"},
    **{"oktober": "October", "november": "November", "dezember": "December"},
}
_WEEKDAYS = {
    **{"montag": "Monday", "dienstag": "Tuesday", "mittwoch": "Wednesday", "donnerstag": "Thursday"},
    **{"freitag": "Friday", "samstag": "Saturday", "sonnabend": "Saturday", "sonntag": "Sunday"},
}
_SEASONS = {"frühling": "spring", "frühjahr": "spring", "sommer": "summer", "herbst": "autumn", "winter": "winter"}
_UNITS = {
    **{"tag": "days", "tage": "days", "tagen": "days", "woche": "weeks", "wochen": "weeks", "monat": "months"},
    **{"monate": "months", "monaten": "months", "jahr": "years", "jahre": "years", "jahren": "years"},
}
_SPANS = {"woche": "week", "monat": "month", "jahr": "year", "wochenende": "weekend", "nacht": "night"}
_NUMBERS = {
    **{"einem": "1", "einer": "1", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "sieben": "7"},
    **{"acht": "8", "neun": "9", "zehn": "10", "zwölf": "12"},
}
_HOLIDAYS = {"weihnachten": "Christmas", "ostern": "Easter", "silvester": "New Year's Eve"}
_WHICH = {"letzt": "last", "vorig": "last", "vergangen": "last", "dies": "this", "nächst": "next", "kommend": "next"}
_SELF = {"mich": "me", "mir": "me", "uns": "us"}

_TIME_SPAN = one_of({**_SPANS, **_WEEKDAYS, **_SEASONS})
_MONTH, _YEAR = one_of(_MONTHS), r"(?: (?P<year>(?:19|20)\d\d))?"

_SOFTLY = r"(?: (?:bitte|mal|doch|auch|noch|gut|unbedingt))*"
_REMEMBER_VERB = (
    rf"(?:(?:merke?(?: es)? dir|merken sie sich|erinnere? dich|denke?|behalte?|notiere?(?: dir)?|speicher[en]?|"
    rf"schreibe?|vergiss{_SOFTLY} nicht|"
    # "Kannst du dir merken, dass …", without what stands around it.
    r"(?:du (?:solltest|musst|darfst) )?(?:(?:dir|bitte) )*(?:merken|notieren|aufschreiben|behalten)|"
    r"ich (?:möchte|will),? dass du dir (?:merkst|notierst)|"
    r"(?:nur )?(?:zur (?:info|erinnerung)|für später|wichtig|damit du es weißt)(?=:|,? dass))"
    rf"{_SOFTLY}(?: (?:dir )?(?:daran|dran|ab|auf|in erinnerung|im (?:kopf|hinterkopf)))?{_SOFTLY})"
)
_IT = r"(?:das|dies|dieses|es dir)"
_FORGET_VERB = r"(?:vergiss|vergessen sie|lösche?|streiche?|entferne?)"
_ABOUT = r"(?:über|von|zu|an)"

_REQUESTS = whole(
    [
        (rf"{_REMEMBER_VERB},? dass (?P<content>.+)", "remember that {content}"),
        (rf"{_REMEMBER_VERB}(?: {_IT})?{_SOFTLY}\s*: (?P<content>.+)", "remember: {content}"),
        (r"(?:merke?|notiere?|speicher[en]?)(?: dir)? (?:das|dies)(?: bitte)?(?: mal)?", "remember that"),
        (r"vergiss das (?:bitte )?nicht(?: wieder)?", "remember that"),
        (r"(?P<content>.+?)[,.;!] (?:bitte )?(?:merke?|notiere?) dir das(?: bitte)?", "remember that {content}"),
        (rf"{_FORGET_VERB},? was ich (?:dir )?(?:gerade |eben )?(?:gesagt|erzählt) habe", "forget what I just said"),
        (rf"{_FORGET_VERB}(?: bitte)?,? dass (?P<about>.+)", "forget that {about}"),
        (rf"{_FORGET_VERB} (?:das|dies)(?: (?:bitte|wieder|mal|alles))*", "forget that"),
        (rf"{_FORGET_VERB}(?: bitte)? (?:die|den) letzten? (?:erinnerung|eintrag|notiz)", "forget the last one"),
        (rf"{_FORGET_VERB}(?: bitte)? alles(?:,? was du (?:über mich )?(?:weißt|gespeichert hast|dir gemerkt hast))?",
         "forget everything"),
        (rf"{_FORGET_VERB}(?: bitte)? alles(?:,? was du)? {_ABOUT} (?P<about>.+?)(?: weißt| gespeichert hast)?",
         "forget everything about {about}"),
        (rf"{_FORGET_VERB}(?: bitte)? die (?:erinnerung|notiz) {_ABOUT} (?P<about>.+)", "forget the memory of {about}"),
        (r"vergiss(?: bitte)? (?!es\b|nicht\b)(?P<about>.+)", "forget {about}"),
        (rf"was (?:alles )?weißt du (?:alles |noch |so )?{_ABOUT} (?P<about>.+)", "what do you know about {about}"),
        (rf"was hast du (?:dir )?(?:alles )?{_ABOUT} (?P<about>.+?) (?:gemerkt|gespeichert|behalten|notiert)",
         "what do you remember about {about}"),
        (rf"woran erinnerst du dich {_ABOUT} (?P<about>.+)", "what do you remember about {about}"),
        (r"woran erinnerst du dich", "what do you remember"),
        (r"was weißt du(?: alles| noch)?", "what do you remember"),
        (r"erinnerst du dich (?:noch )?an (?P<about>.+)", "what do you remember about {about}"),
        (rf"was habe ich (?:dir )?{_ABOUT} (?P<about>.+?) (?:gesagt|erzählt)", "what did I say about {about}"),
        (rf"(?:erzähle?|sage?|zeige?) mir(?: bitte)? alles(?:,? was du)? {_ABOUT} (?P<about>.+?)(?: weißt)?",
         "tell me everything about {about}"),
        (rf"(?:sage?|zeige?) mir(?: bitte)?,? was du {_ABOUT} (?P<about>.+) weißt", "what do you know about {about}"),
    ]
)  # fmt: skip

_TIMES = phrases(
    [
        (r"vorgestern", "2 days ago"),
        (r"gestern", "yesterday"),
        (r"heute", "today"),
        (r"übermorgen", "in 2 days"),
        (r"(?<!guten )(?<!am )(?<!jeden )(?-i:morgen)", "tomorrow"),
        (rf"(?:(?:am|im|in der) )?(?P<which>{one_of(_WHICH)})e[nmrs]? (?P<what>{_TIME_SPAN})", "{which} {what}"),
        (rf"vor (?P<count>\d+|{one_of(_NUMBERS)}) (?P<unit>{one_of(_UNITS)})", "{count} {unit} ago"),
        (rf"(?:am |den |vom )?(?P<day>[0-3]?\d)\. (?P<month>{_MONTH}){_YEAR}", "on {day} {month} {year}"),
        (rf"(?:im|seit|bis|ab|anfang|ende|mitte) (?P<month>{_MONTH}){_YEAR}", "in {month} {year}"),
        (rf"(?P<month>{_MONTH}) (?P<year>(?:19|20)\d\d)", "in {month} {year}"),
        (rf"im (?P<season>{one_of(_SEASONS)}) (?P<year>(?:19|20)\d\d)", "in the {season} of {year}"),
        (rf"im (?P<season>{one_of(_SEASONS)})", "in the {season}"),
        (rf"am (?P<day>{one_of(_WEEKDAYS)})", "on {day}"),
        (rf"(?:an|zu|über) (?P<feast>{one_of(_HOLIDAYS)})", "at {feast}"),
        (r"(?:im jahr|im jahre) (?P<year>(?:19|20)\d\d)", "in {year}"),
    ]
)

_PAST = re.compile(
    r"\b(?:war(?:en|st|t)?|hatte\w*|wurde\w*|gab|ging|kam|begann|\w+te(?:n|st)?|seit|"
    r"(?:habe?|hast|hat|haben|bin|bist|ist|sind) .*\b\w*ge\w{2,}(?:t|en))\b",
    re.IGNORECASE,
)

GERMAN_WORDING = Wording(
    requests=_REQUESTS,
    times=_TIMES,
    words={**_UNITS, **_SPANS, **_MONTHS, **_WEEKDAYS, **_SEASONS, **_NUMBERS, **_HOLIDAYS, **_WHICH, **_SELF},
    around=(
        re.compile(
            r"^(?:(?:hey|hallo|hi|ok|okay|und|also|ach|ja|nein|danke|super|übrigens|bitte|kannst du|könntest du|"
            r"keepsake|barnabee)\b[\s,!.]*)+",
            re.I,
        ),
        re.compile(r"[\s,]+(?:bitte|danke|ja|okay)(?=[.!?\s]*$)", re.I),
    ),
    past=_PAST,
)


_DEVICE = (
    r"\w*(?:licht(?:er)?|lampen?|fernseher|tv|heizung|musik|lautstärke|ofen|tür(?:en)?|rollläden|timer|wecker|alarm)"
)
_THEM = r"(?:von )?(?:denen|diesen|den drei(?:en)?|den beiden|davon|der|dieser)"

GERMAN_CHAT_WORDING = chat_wording(
    chatter="""
hi hallo hey servus moin grüezi guten morgen tag abend nacht gute danke dank vielen schön schönen sehr dir ihnen lieb
ok okay gut super toll klasse prima perfekt wunderbar genau richtig stimmt alles klar cool nett ja jo jep nein nö nee
doch tschüss ciao bis bald später dann morgen wiedersehen auf haha lol wow aha ach so bitte gern gerne kein problem
verstanden hm hmm äh ähm stopp stop halt abbrechen nochmal barnabee keepsake und
""",
    fixed=(
        "(?:mach|mache|schalte?|dreh|drehe|stell|stelle|setz|setze|dimm|dimme|öffne|schließe?|starte|stoppe?|"
        rf"lösche?|spiel) (?:\w+ ){{0,3}}?{_DEVICE}(?: .{{0,30}})?|erinnere? mich in .{{0,20}}",
        "wie spät (?:ist es|haben wir es)(?: jetzt)?|wie ?viel uhr .{0,20}|welche[rns]* (?:tag|datum|"
        "wochentag) .{0,20}|wie (?:ist|wird) das wetter.{0,25}|(?:regnet|schneit) es.{0,15}",
        "wie geht(?:'?s| es)(?: dir| ihnen)?(?: heute)?|wer bist du|(?:das )?(?:passt|reicht|genügt|ist (?:alles|"
        "gut|okay|ok|super|perfekt))(?: danke)?|schon gut|egal|macht nichts|(?:hab|haben sie) (?:einen )?(?:schönen|"
        "guten) (?:tag|abend|nacht)|schönes wochenende|schönen (?:tag|abend)",
    ),
    sums=(r"was (?:ist|sind|macht|ergibt|gibt)|wie ?viel (?:ist|sind|macht|ergibt)|rechne",
          r"plus|minus|mal|durch|geteilt durch"),
    polite=r"bitte|danke(?: schön| dir)?|hey keepsake|hey barnabee|keepsake|barnabee|kannst du|könntest du|doch mal",
    replies=[
        (r"(?:(?:keine?[rns]?|nichts) (?:davon|von (?:denen|diesen)) )?(?:und )?(?:(?:zeig|zeige|gib|sag|"
         r"lies)(?: mir)? )?"
         r"(?:noch )?(?:mehr|weitere|andere|die nächsten?|den nächsten|weiter)(?: (?:drei|treffer|ergebnisse|"
         r"erinnerungen|davon))*|was (?:gibt es )?(?:noch|sonst)(?: (?:noch|alles))?|mach weiter|(?:gibt es|"
         r"hast du) (?:noch )?(?:mehr|andere|weitere)", "more"),
        (r"(?:geh |gehe |noch ?mal )?zurück|(?:zeig mir )?(?:noch ?mal )?(?:die|das|den) (?:vorherigen?|vorige[ns]?|"
         r"davor|letzten drei)",
         "back"),
        (rf"(?:nein |nee |nö )*(?:keine?[rns]?|nichts)(?: {_THEM})?|(?:das|die|der) (?:ist es|war es|sind es|"
         "waren es) nicht|nicht (?:das|die|der|diese|davon)|(?:nein|nee|nö)(?: leider)?(?: nicht)?|"
         r"falsch(?:e[sr]?)?", "none of these"),
        (r"egal|vergiss (?:es|das)|schon gut|lass (?:es|gut sein|mal)|abbrechen|brich ab|"
         r"(?:ist )?nicht (?:so )?wichtig|"
         r"das reicht|genug|stopp?|(?:ich )?hab(?:e)? es gefunden|nein danke|nichts mehr|fertig|ende", "never mind"),
    ],
)  # fmt: skip
