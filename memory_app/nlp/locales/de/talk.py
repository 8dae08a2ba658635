"""German: "danke schön", "mach das Licht an", "wie spät ist es?"; "das zweite", "zeig mir mehr", "keins davon"."""

from memory_app.nlp.locales.talk import make_talk

_DEVICE = (
    r"\w*(?:licht(?:er)?|lampen?|fernseher|tv|heizung|musik|lautstärke|ofen|tür(?:en)?|rollläden|timer|wecker|alarm)"
)
_THESE = r"(?:von )?(?:denen|diesen|den drei(?:en)?|den beiden|davon|der|dieser)"

GERMAN_TALK = make_talk(
    chatter="""
hi hallo hey servus moin grüezi guten morgen tag abend nacht gute danke dank vielen schön schönen sehr dir ihnen lieb
ok okay gut super toll klasse prima perfekt wunderbar genau richtig stimmt alles klar cool nett ja jo jep nein nö nee
doch tschüss ciao bis bald später dann morgen wiedersehen auf haha lol wow aha ach so bitte gern gerne kein problem
verstanden hm hmm äh ähm stopp stop halt abbrechen nochmal barnabee keepsake und
""",
    fixed=(
        r"(?:mach|mache|schalte?|dreh|drehe|stell|stelle|setz|setze|dimm|dimme|öffne|schließe?|starte|stoppe?|"
        r"lösche?|spiel) "
        rf"(?:\w+ ){{0,3}}?{_DEVICE}(?: .{{0,30}})?|erinnere? mich in .{{0,20}}",
        r"wie spät (?:ist es|haben wir es)(?: jetzt)?|wie ?viel uhr .{0,20}|welche[rns]* (?:tag|datum|"
        r"wochentag) .{0,20}|"
        r"wie (?:ist|wird) das wetter.{0,25}|(?:regnet|schneit) es.{0,15}",
        r"wie geht(?:'?s| es)(?: dir| ihnen)?(?: heute)?|wer bist du|(?:das )?(?:passt|reicht|genügt|ist (?:alles|"
        r"gut|okay|ok|"
        r"super|perfekt))(?: danke)?|schon gut|egal|macht nichts|"
        r"(?:hab|haben sie) (?:einen )?(?:schönen|guten) (?:tag|abend|nacht)|schönes wochenende|schönen (?:tag|abend)",
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
        (rf"(?:nein |nee |nö )*(?:keine?[rns]?|nichts)(?: {_THESE})?|(?:das|die|der) (?:ist es|war es|sind es|"
         rf"waren es) nicht|"
         r"nicht (?:das|die|der|diese|davon)|(?:nein|nee|nö)(?: leider)?(?: nicht)?|"
         r"falsch(?:e[sr]?)?", "none of these"),
        (r"egal|vergiss (?:es|das)|schon gut|lass (?:es|gut sein|mal)|abbrechen|brich ab|"
         r"(?:ist )?nicht (?:so )?wichtig|"
         r"das reicht|genug|stopp?|(?:ich )?hab(?:e)? es gefunden|nein danke|nichts mehr|fertig|ende", "never mind"),
    ],
)  # fmt: skip
