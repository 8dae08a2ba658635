"""French: "J'habite à Lyon" is "Alice habite à Lyon", "Mon chien s'appelle Rex" "Le chien d'Alice s'appelle Rex"."""

import re

from memory_app.language.extract.tongues.grammar import Grammar, any_of
from memory_app.rules.text import vocabulary

# What "je" does, and what the person does; most verbs are the same.
_IRREGULAR = {
    **{"suis": "est", "ai": "a", "vais": "va", "fais": "fait", "bois": "boit", "lis": "lit", "viens": "vient"},
    **{"prends": "prend", "vis": "vit", "dors": "dort", "sors": "sort", "pars": "part", "cours": "court"},
    **{"apprends": "apprend", "connais": "connaît", "écris": "écrit", "sais": "sait", "peux": "peut", "dois": "doit"},
    **{"étais": "était", "avais": "avait", "habitais": "habitait", "travaillais": "travaillait", "suis né": "est né"},
    **{"conduis": "conduit", "tiens": "tient", "cuis": "cuit", "crains": "craint"},
}
_SAME = (
    "habite travaille aime adore déteste préfère mange joue parle étudie enseigne visite cuisine voyage chante danse "
    "nage fume regarde écoute collectionne possède dirige utilise appelle porte pratique soigne élève loue "
    "cultive dessine intéresse lève couche marche randonne jardine"
)
_VERBS = {**_IRREGULAR, **{verb: verb for verb in _SAME.split()}}
_VERB = "|".join(sorted(_VERBS, key=len, reverse=True))
_DOING = rf"(?:\bje |\bj['’])(?P<not>ne |n['’])?(?P<self>me |m['’])?(?P<verb>{_VERB})\b"
_I_DO = re.compile(_DOING, re.IGNORECASE)
_AND_I_DO = re.compile(rf"(?P<joint>,? (?:et|mais|ou) ){_DOING}", re.IGNORECASE)
_JOINED = re.compile(rf"(?P<joint>,? (?:et|mais|ou|puis)) (?P<not>ne |n['’])?(?P<verb>{'|'.join(_IRREGULAR)})\b")
_OTHERS_DO = (
    r"(?:ne |n['’])?(?:s['’]appelle(?:nt)?|est|sont|était|étaient|a|ont|habite(?:nt)?|vit|vivent|travaille(?:nt)?|"
    r"aime(?:nt)?|adore(?:nt)?|déteste(?:nt)?|préfère(?:nt)?|joue(?:nt)?|parle(?:nt)?|étudie(?:nt)?|va|vont|fait|font|"
    r"mange(?:nt)?|boit|boivent|vient|viennent)"
)
_MY = re.compile(
    rf"^(?P<my>mon|ma|mes) (?P<who>(?:[\w'’-]+ ){{0,3}}?[\w'’-]+) (?P<does>{_OTHERS_DO}\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(r"^(?P<kin>.*?[a-zéèêçà'’-]) (?P<name>[A-ZÉÈ][\w-]+)$")
_OWN = {"mon": "son", "ma": "sa", "mes": "ses"}
_OF_ME = re.compile(r"\bm['’]|\b(?:me|mon|ma|mes)\b", re.IGNORECASE)
_OWN_WORDS = re.compile(r"\b(?:mon|ma|mes)\b", re.IGNORECASE)
_I = re.compile(r"\b(?:je|me|moi|nous|notre|nos|mien\w*)\b|\b[jm]['’]", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouyhâàéèêëîïôœû]", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:(?:oui|non|si|alors|et|mais|donc|au fait|ah|oh|bonjour|salut|coucou|merci|ok|bon|ben|bref|d['’]ailleurs|"
    r"franchement)\b[\s,!.:–-]*)+",
    re.IGNORECASE,
)


def _retold(sentence: str, who: str) -> str:
    told = _OPENING.sub("", sentence).strip()
    if found := _MY.match(told):
        told = f"{_whose(found['my'].lower(), found['who'], who)} {found['does']}"
        # "Mon frère … et ma sœur": "sa" would be his.
        if _OF_ME.search(found["does"]):
            return ""
    elif _I_DO.search(told) is None:
        return ""
    told = _JOINED.sub(lambda found: f"{found['joint']} {found['not'] or ''}{_VERBS[found['verb']]}", told)
    told = _AND_I_DO.sub(lambda found: found["joint"] + _done(found), told) if _I_DO.match(told) else told
    told = _I_DO.sub(lambda found: f"{who} {_done(found)}", told)
    told = re.sub(rf"\b([Qq])ue (?={re.escape(who)}\b)", r"\1u'", told) if _VOWEL.match(who) else told
    told = _OWN_WORDS.sub(lambda found: _OWN[found[0].lower()], told)
    return "" if _I.search(told) else f"{told[:1].upper()}{told[1:]}"


def _done(found: re.Match[str]) -> str:
    """What "je" does, done by someone: "je m'appelle" is "s'appelle", "je ne suis" is "n'est"."""
    verb = _VERBS[found["verb"].lower()]
    self = (found["self"] or "").replace("m", "s").replace("M", "s")
    denied = found["not"] or ""
    if denied.strip().lower() == "ne" and not self and _VOWEL.match(verb):
        denied = "n'"
    if denied and denied[-1:] in "'’" and not _VOWEL.match(self or verb):
        denied = "ne "
    return f"{denied}{self}{verb}"


def _whose(my: str, what: str, who: str) -> str:
    """ "mon frère Tom" is "le frère d'Alice, Tom," and "mon amie" is "l'amie d'Alice"."""
    named = _NAMED.match(what)
    kin = named["kin"] if named else what
    article = "Les " if my == "mes" else "L'" if _VOWEL.match(kin) else "Le " if my == "mon" else "La "
    of = f"d'{who}" if _VOWEL.match(who) else f"de {who}"
    return f"{article}{kin} {of}, {named['name']}," if named else f"{article}{kin} {of}"


_GUESSED = r"""
peut-être probablement sans_doute éventuellement possiblement si s['’]ils? au_cas_où à_condition je_crois je_pense
je_ne_sais_pas aucune_idée pas_sûre? un_jour on_verra je_plaisante je_rigole pour_rire imagin\w+ suppos\w+
dans_mon_(?:roman|rêve|jeu|histoire) \w+(?:rais|rait) (?:dit|disent|pensent?|croit|croient|prétend\w*|affirm\w*)_qu\w*
"""
_OF_THE_OTHER = r"""
tu te toi ton ta tes vous votre vos besoin cherche veux merci aide recette question idée t['’]\w+
"""
# A time that is read from the day on which it is said. What one lives and works at "now" lasts.
_BY_THE_DAY = r"""
aujourd['’]hui demain hier bientôt
(?<!\bhabite_)(?<!\bvis_)(?<!\btravaille_)(?<!\bétudie_)(?<!\benseigne_)(?<!['’]appelle_)maintenant
tout_à_l['’]heure en_ce_moment tantôt récemment prochaine?s?
derni(?:er|ère)s? cette_(?:semaine|année|nuit) ce_(?:mois|soir|matin|week-end|midi) il_y_a
dans_(?:\w+_)?(?:jours?|semaines?|mois|ans?) (?<!le_)(?<!les_)(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)
(?:en|depuis|dès)_(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?!_\d{4})
"""
# Over as soon as it is said, or said of what was spoken of before.
_PASSING = r"""
suis_(?:(?:très|trop|vraiment|déjà|encore|un_peu|tellement|pas|bien)_)*(?:prête?|là|ici|en_retard|perdue?|d['’]accord)
fatiguée?s? contente?s? désolée?s? occupée?s? triste heureu(?:x|se) ravie? stressée? énervée? sûre? de_retour en_route
(?:ai|a)_(?:\w+_)?(?:faim|soif|sommeil|froid|chaud|peur|raison|tort|hâte|mal|envie|temps) ça cela
"""
# Kept only on explicit request: secrets, health and money.
_SENSITIVE = r"""
mots?_de_passe code pin identifiants? numéro iban passeport enceinte malade?s? maladie\w* diab\w+ cancer\w* dépress\w*
dépression allergi\w* asthm\w* vih sida épilep\w* migraines? tdah autis\w* burn-?out thérap\w* psy\w* médicaments?
traitement comprimés? insuline diagnosti\w* opérée? opération hôpital clinique fausse_couche avortement handicap\w*
accro alcoolique intoléran\w* sobre salaire gagne dettes? crédit prêt hypothèque compte épargne fortune ruinée? faillite
héritage \d+_?(?:€|euros?|francs?|dollars?|mg)
"""

FRENCH = Grammar(
    language="french",
    retold=_retold,
    left_out=any_of(_GUESSED, _OF_THE_OTHER, _BY_THE_DAY, _PASSING, _SENSITIVE),
    sensitive=any_of(_SENSITIVE),
    oneself=re.compile(r"\b(?:je|me|moi|mon|ma|mes|nous|notre|nos|mien\w*)\b|\b[jm]['’]", re.IGNORECASE),
    likes=re.compile(r"\b(?:aim\w+|ador\w+|détest\w+|préf\w+|favorite?s?)\b", re.IGNORECASE),
    keys={
        "home": re.compile(r"^(?:j['’]habite|je vis) (?:maintenant )?(?:à|en|au|aux|dans)\b", re.IGNORECASE),
        "name": re.compile(r"^(?:je m['’]appelle|mon nom est)\b", re.IGNORECASE),
    },
    empty=frozenset(_VERBS)
    | vocabulary(
        "avec aussi bien chez comme dans deux trois depuis donc elle elles est sont était leur mais même nous plus "
        "pour sans tous tout très une vers s'appelle d'une d'un qu'il j'ai"
    ),
)
