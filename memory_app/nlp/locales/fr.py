"""French: "souviens-toi que j'habite à Lyon", "oublie ça", "que sais-tu de moi ?"; "la semaine dernière", "en mai"."""

from memory_app.nlp import linear_re as re
from memory_app.nlp.locales.wording import Wording, chat_wording, one_of, phrases, whole

_MONTHS = {
    **{"janvier": "January", "février": "February", "mars": "March", "avril": "April", "mai": "May", "juin": "June"},
    **{"juillet": "July", "août": "August", "septembre": "September", "octobre": "October"},
    **{"novembre": "November", "décembre": "December"},
}
_WEEKDAYS = {
    **{"lundi": "Monday", "mardi": "Tuesday", "mercredi": "Wednesday", "jeudi": "Thursday"},
    **{"vendredi": "Friday", "samedi": "Saturday", "dimanche": "Sunday"},
}
_SEASONS = {"printemps": "spring", "été": "summer", "automne": "autumn", "hiver": "winter"}
_UNITS = {
    **{"jour": "days", "jours": "days", "semaine": "weeks", "semaines": "weeks", "mois": "months"},
    **{"an": "years", "ans": "years", "année": "years", "années": "years"},
}
_SPANS = {"semaine": "week", "mois": "month", "an": "year", "année": "year", "week-end": "weekend", "nuit": "night"}
_NUMBERS = {
    **{"un": "1", "une": "1", "deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "six": "6", "sept": "7"},
    **{"huit": "8", "neuf": "9", "dix": "10", "douze": "12"},
}
_HOLIDAYS = {"noël": "Christmas", "pâques": "Easter"}
_WHICH = {
    **{"dernier": "last", "dernière": "last", "passé": "last", "passée": "last"},
    **{"prochain": "next", "prochaine": "next"},
}
_SELF = {"moi": "me", "nous": "us"}

_TIME_SPAN = one_of({**_SPANS, **_WEEKDAYS, **_SEASONS})
_MONTH, _YEAR = one_of(_MONTHS), r"(?: (?P<year>(?:19|20)\d\d))?"

_REMEMBER_VERB = (
    r"(?:souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|mémorise|note|garde en (?:mémoire|tête)|"
    r"n'oublie pas|n'oubliez pas|(?:te |se )?(?:souvenir|rappeler|retenir|mémoriser|noter)|garder en (?:mémoire|tête)|"
    r"il faut que tu (?:te souviennes|retiennes|saches)|je (?:veux|voudrais) que tu (?:te souviennes|retiennes)|sache|"
    r"(?:juste )?pour (?:info|mémoire)(?=\s*:)|à (?:retenir|noter)(?=\s*:| que)|important(?=\s*:))"
    r"(?: bien)?(?: s'il (?:te|vous) plaît)?"
)
_IT = r"(?:de )?(?:ça|ceci|cela)"
_FORGET_VERB = r"(?:oublie[zr]?|efface[zr]?|supprime[zr]?)"
_ABOUT = r"(?:sur|à propos de|au sujet de|de|d')"
_KNOW = r"(?:qu'est-ce que tu sais|que sais-tu|qu'est-ce que vous savez|que savez-vous|tu sais quoi)"

_REQUESTS = whole(
    [
        (rf"{_REMEMBER_VERB} (?:que |qu')(?P<content>.+)", "remember that {content}"),
        (rf"{_REMEMBER_VERB}(?: {_IT})?\s*: (?P<content>.+)", "remember: {content}"),
        (rf"{_REMEMBER_VERB} {_IT}", "remember that"),
        (
            r"(?P<content>.+?)[,.;!] (?:souviens-toi de|retiens|note|n'oublie pas) (?:ça|cela)",
            "remember that {content}",
        ),
        (rf"{_FORGET_VERB} ce que (?:je viens de (?:te )?dire|j'ai dit|je t'ai dit)", "forget what I just said"),
        (rf"{_FORGET_VERB} (?:que |qu')(?P<about>.+)", "forget that {about}"),
        (rf"{_FORGET_VERB} (?:ça|cela|ceci)", "forget that"),
        (rf"{_FORGET_VERB} (?:le dernier souvenir|la dernière note)", "forget the last one"),
        (rf"{_FORGET_VERB} tout(?: ce que tu (?:sais|as retenu)(?: (?:sur|de) moi)?)?", "forget everything"),
        (rf"{_FORGET_VERB} tout(?: ce que tu sais)? {_ABOUT} ?(?P<about>.+)", "forget everything about {about}"),
        (rf"{_FORGET_VERB} (?:le souvenir|la note) {_ABOUT} ?(?P<about>.+)", "forget the memory of {about}"),
        (r"oublie[zr]? (?!pas\b|ça\b)(?P<about>.+)", "forget {about}"),
        (rf"{_KNOW} {_ABOUT} ?(?P<about>.+)", "what do you know about {about}"),
        (rf"de quoi (?:te souviens-tu|tu te souviens) {_ABOUT} ?(?P<about>.+)", "what do you remember about {about}"),
        (r"de quoi (?:te souviens-tu|tu te souviens)", "what do you remember"),
        (
            r"(?:est-ce que )?(?:tu te souviens|te souviens-tu) (?:de |d')(?P<about>.+)",
            "what do you remember about {about}",
        ),
        (rf"(?:qu'est-ce que je t'ai dit|que t'ai-je dit) {_ABOUT} ?(?P<about>.+)", "what did I say about {about}"),
        (rf"(?:dis|raconte)-moi tout(?: ce que tu sais)? {_ABOUT} ?(?P<about>.+)", "tell me everything about {about}"),
        (rf"(?:dis|montre)-moi ce que tu sais {_ABOUT} ?(?P<about>.+)", "what do you know about {about}"),
    ]
)

_TIMES = phrases(
    [
        (r"avant-hier", "2 days ago"),
        (r"hier(?: soir| matin)?", "yesterday"),
        (r"aujourd['’]hui", "today"),
        (r"après-demain", "in 2 days"),
        (r"demain", "tomorrow"),
        (rf"(?:(?:la|le) |l['’])?(?P<what>{_TIME_SPAN}) (?P<which>{one_of(_WHICH)})", "{which} {what}"),
        (rf"(?:cette|cet|ce) (?P<what>{_TIME_SPAN})", "this {what}"),
        (rf"il y a (?P<count>\d+|{one_of(_NUMBERS)}) (?P<unit>{one_of(_UNITS)})", "{count} {unit} ago"),
        (rf"(?:le |du )?(?P<day>[0-3]?\d)(?:er)? (?P<month>{_MONTH}){_YEAR}", "on {day} {month} {year}"),
        (rf"(?:en|depuis|au mois de|au mois d['’]|début|fin) ?(?P<month>{_MONTH}){_YEAR}", "in {month} {year}"),
        (rf"(?P<month>{_MONTH}) (?P<year>(?:19|20)\d\d)", "in {month} {year}"),
        (rf"(?:en|au|à l['’]) ?(?P<season>{one_of(_SEASONS)}) (?P<year>(?:19|20)\d\d)", "in the {season} of {year}"),
        (rf"(?:en|au|à l['’]) ?(?P<season>{one_of(_SEASONS)})", "in the {season}"),
        (rf"à (?P<feast>{one_of(_HOLIDAYS)})", "at {feast}"),
    ]
)

_PAST = re.compile(
    r"\b(?:étai\w+|avai\w+|depuis|(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|sont) (?:\w+ )?\w+(?:é|i|u|it)e?s?)\b",
    re.IGNORECASE,
)

FRENCH_WORDING = Wording(
    requests=_REQUESTS,
    times=_TIMES,
    words={**_UNITS, **_SPANS, **_MONTHS, **_WEEKDAYS, **_SEASONS, **_NUMBERS, **_HOLIDAYS, **_WHICH, **_SELF},
    around=(
        re.compile(
            r"^(?:(?:salut|bonjour|hé|ok|et|alors|donc|oui|non|ah|merci|super|au fait|d'ailleurs|s'il te plaît|stp|"
            r"(?:est-ce que )?tu (?:peux|pourrais)|peux-tu|pourrais-tu|keepsake|barnabee)\b[\s,!.]*)+",
            re.I,
        ),
        re.compile(r"[\s,]+(?:s'il (?:te|vous) plaît|stp|svp|merci|d'accord|ok)(?=[.!?\s]*$)", re.I),
    ),
    past=_PAST,
)


_DEVICE = (
    r"(?:lumières?|lampes?|télé|tv|chauffage|musique|volume|four|portes?|volets?|alarme|minuteurs?|minuterie|réveil)"
)
_THEM = r"(?:de (?:ces|ceux-là|celles-là|ceux-ci|celles-ci)|d'(?:eux|entre eux|elles)|des trois|ceux-là)"

FRENCH_CHAT_WORDING = chat_wording(
    chatter="""
salut bonjour bonsoir coucou bonne nuit journée soirée merci beaucoup bien à toi vous mille ok d'accord oui ouais non
super génial parfait top cool chouette nickel très c'est ça exact exactement voilà au revoir ciao bientôt plus tard
demain tout l'heure haha lol mdr wow ah oh euh hum hm bon alors compris entendu de rien pas problème stop arrête annule
encore barnabee keepsake et bravo
""",
    fixed=(
        "(?:allumer?|éteins|éteindre|ouvre|ferme|monte|baisse|coupe|mets|règle|lance|programme|arrête|"
        rf"annule)(?:-moi)? (?:[\w']+ ){{0,3}}?(?:l')?{_DEVICE}(?: .{{0,30}})?|rappelle-moi dans .{{0,20}}",
        r"(?:il est )?quelle heure(?: est-il| il est| est il)?(?: maintenant)?|quel jour .{0,25}|"
        r"quelle est la date.{0,20}|"
        r"quel temps (?:fait-il|fait il|il fait|fera-t-il).{0,25}|(?:quelle est )?la météo.{0,25}",
        r"(?:comment )?(?:ça va|vas-tu|allez-vous|tu vas)(?: bien)?(?: aujourd'hui)?|quoi de neuf|qui es-tu|"
        r"(?:c'est|ça) (?:bon|tout|suffit|parfait|super|va|marche)(?: merci)?|laisse tomber|tant pis|pas grave|"
        r"(?:passe )?(?:une )?bonne (?:journée|soirée|nuit)|bon week-end|à (?:demain|plus|bientôt|tout à l'heure)",
    ),
    sums=(r"combien (?:font|fait)|ça fait combien|calcule|quel est le résultat de", r"plus|moins|fois|divisé par|sur"),
    polite=(
        r"s'il (?:te|vous) plaît|stp|svp|merci(?: beaucoup| bien)?|hey keepsake|keepsake|barnabee|(?:est-ce que )?tu "
        r"(?:peux|pourrais)|peux-tu|pourrais-tu"
    ),
    replies=[
        (rf"(?:(?:aucune?|rien)(?: {_THEM})? )?(?:(?:montre|donne|dis|lis)(?:-moi|-m'en)?|voir) ?(?:(?:en|la|les|"
         "le) )?(?:plus|suite|suivante?s?|autres?|d'autres|encore)(?: (?:résultats|souvenirs|trois))*|plus|encore|"
         "la suite|suivante?s?|continue|(?:quoi|qu'y a-t-il|y en a-t-il|il y en a) d'autres?|d'autres?|"
         "les (?:autres|suivants|suivantes)|"
         r"(?:quoi d'autre|et ensuite)", "more"),
        (r"(?:reviens |retourne |va )?(?:en )?arrière|retour|reviens|(?:(?:montre-moi|revenir à) )?(?:les|la|le) "
         r"précédente?s?|(?:ceux|celles) d'avant|avant", "back"),
        (rf"(?:non )*(?:aucune?|rien|ni l'un ni l'autre|pas (?:ceux-là|celles-là|ça|celui-là|celle-là))(?: {_THEM})?|"
         r"(?:non )?ce n'est (?:pas (?:ça|celui-là|celle-là)|aucune?(?: \w+ \w+)?)|c'est pas ça|non(?: (?:désolée?|"
         r"pas vraiment))?|ce ne sont pas (?:ceux-là|celles-là)", "none of these"),
        (r"laisse tomber|peu importe|tant pis|oublie(?: ça)?|annule|stop|arrête|(?:ça|c'est) (?:suffit|bon|tout)|"
         r"ça ira|non merci|pas grave|ce n'est pas grave|j'ai trouvé|c'est fini|terminé", "never mind"),
    ],
)  # fmt: skip
