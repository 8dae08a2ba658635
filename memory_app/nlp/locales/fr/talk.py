"""French: "merci", "allume la lumière", "quelle heure est-il ?"; "le deuxième", "montre-m'en plus", "aucun"."""

from memory_app.nlp.locales.talk import make_talk

_DEVICE = (
    r"(?:lumières?|lampes?|télé|tv|chauffage|musique|volume|four|portes?|volets?|alarme|minuteurs?|minuterie|réveil)"
)
_THESE = r"(?:de (?:ces|ceux-là|celles-là|ceux-ci|celles-ci)|d'(?:eux|entre eux|elles)|des trois|ceux-là)"

FRENCH_TALK = make_talk(
    chatter="""
salut bonjour bonsoir coucou bonne nuit journée soirée merci beaucoup bien à toi vous mille ok d'accord oui ouais non
super génial parfait top cool chouette nickel très c'est ça exact exactement voilà au revoir ciao bientôt plus tard
demain tout l'heure haha lol mdr wow ah oh euh hum hm bon alors compris entendu de rien pas problème stop arrête annule
encore barnabee keepsake et bravo
""",
    fixed=(
        r"(?:allumer?|éteins|éteindre|ouvre|ferme|monte|baisse|coupe|mets|règle|lance|programme|arrête|"
        r"annule)(?:-moi)? "
        rf"(?:[\w']+ ){{0,3}}?(?:l')?{_DEVICE}(?: .{{0,30}})?|rappelle-moi dans .{{0,20}}",
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
        (rf"(?:(?:aucune?|rien)(?: {_THESE})? )?(?:(?:montre|donne|dis|lis)(?:-moi|-m'en)?|voir) ?(?:(?:en|la|les|"
         rf"le) )?"
         r"(?:plus|suite|suivante?s?|autres?|d'autres|encore)(?: (?:résultats|souvenirs|trois))*|plus|encore|"
         r"la suite|suivante?s?|"
         r"continue|(?:quoi|qu'y a-t-il|y en a-t-il|il y en a) d'autres?|d'autres?|les (?:autres|suivants|suivantes)|"
         r"(?:quoi d'autre|et ensuite)", "more"),
        (r"(?:reviens |retourne |va )?(?:en )?arrière|retour|reviens|(?:(?:montre-moi|revenir à) )?(?:les|la|le) "
         r"précédente?s?|(?:ceux|celles) d'avant|avant", "back"),
        (rf"(?:non )*(?:aucune?|rien|ni l'un ni l'autre|pas (?:ceux-là|celles-là|ça|celui-là|celle-là))(?: {_THESE})?|"
         r"(?:non )?ce n'est (?:pas (?:ça|celui-là|celle-là)|aucune?(?: \w+ \w+)?)|c'est pas ça|non(?: (?:désolée?|"
         r"pas vraiment))?|ce ne sont pas (?:ceux-là|celles-là)", "none of these"),
        (r"laisse tomber|peu importe|tant pis|oublie(?: ça)?|annule|stop|arrête|(?:ça|c'est) (?:suffit|bon|tout)|"
         r"ça ira|non merci|pas grave|ce n'est pas grave|j'ai trouvé|c'est fini|terminé", "never mind"),
    ],
)  # fmt: skip
