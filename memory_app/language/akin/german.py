"""German: "wo wohne ich?", "wie alt ist meine Tochter?". The word search has "wohne" and "wohnt" for two words."""

from memory_app.language.akin.asking import Asking, sides
from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

_SIDES = sides("""
arbeite arbeit job beruf stelle firma arbeitgeber beschäftigt beruflich: arbeitet angestellt büro
chef chefin vorgesetzter vorgesetzte vorgesetzten boss: leitet leiter leiterin teamleiter teamleiterin team berichtet
kollege kollegen kollegin kolleginnen: team büro
wohne lebe wohnort zuhause adresse hause: wohnt lebt wohnung haus gezogen mietet gemietet zimmer stadt dorf
aufgewachsen kindheit herkunft komme her heimat: geboren kommt stammt dorf
alt alter geburtstag geboren geburtsdatum: wurde jahre jahrgang welt
verheiratet mann frau ehemann ehefrau partner partnerin freund freundin: hochzeit verlobt zusammen heiratete geheiratet
kind kinder sohn tochter söhne töchter: baby junge mädchen zwillinge
geschwister bruder schwester brüder schwestern: zwilling
eltern mutter vater mama papa: mutter vater
haustier haustiere tier tiere: hund katze kater kaninchen hamster pferd dackel
hund hunde: welpe dackel pudel spaniel terrier
katze katzen: kater kätzchen
auto wagen fahrzeug fahre: fährt motorrad roller golf vw bmw audi mercedes opel volvo toyota skoda tesla
studiert studiere studium uni universität ausbildung: studierte student studentin abschluss
sprache sprachen sprechen spreche lerne: spricht lernt fließend kurs
esse essen gericht gerichte: isst vegetarier vegetarisch vegan fleisch allergisch
koche backe: kocht backt suppe
trinke trinken getränk: trinkt kaffee tee wein bier
sport sportart trainiere fit: schwimmt schwimmen läuft joggt klettert rad yoga fußball tennis turnt
musik band höre: hört konzert sänger album jazz
instrument instrumente spiele: spielt klavier gitarre geige cello cellounterricht schlagzeug unterricht
lese buch bücher autor autorin: liest roman romane krimis kriminalromane
film filme serie serien schaue sehe: kino schaut sieht
hobby hobbys freizeit wochenende: sammelt samstags sonntags abends
urlaub ferien reise reisen: gebucht ferienwohnung flug woche wochen
handy telefon smartphone: iphone pixel android
computer rechner laptop benutze: notebook pc mac thinkpad rechner
arzt ärztin hausarzt hausärztin: dr praxis behandlung
bank: konto
rauche: raucht zigaretten
""")

GERMAN = Asking(
    re.compile(
        r"^(?!.*\bwie (?:kann|könnte|soll|sollte) (?:ich|wir)\b)(?!wie \w+ ich\b(?! (?:alt|gern)))"
        r".*\b(?:ich|mein\w*|mich|mir|wir|unser\w*)\b",
        re.IGNORECASE | re.DOTALL,
    ),
    _SIDES,
    vocabulary(
        "ich mein meine meinem meinen meiner meines mich mir wir unser unsere wo wohin woher was wer wen wem "
        "wessen wann wie viele welche welcher welchen welches welchem bin ist sind war habe hat haben heiße "
        "heißt mache für ein eine einen einem einer der die das den dem des in im an am auf mit von zu zum "
        "zur nach bei denn eigentlich gern gerne liebsten nicht kein keine keinen gehe tue namens name noch "
        "als und es"
    ),
)
