"""Small talk, commands to devices and replies to what is shown, in German and French."""

import pytest

from memory_app.nlp.commands.narrowing_replies import (
    Answer,
    Narrowing,
    NewQuestion,
    Selection,
    read_narrowing_reply,
)
from memory_app.nlp.commands.small_talk import is_command_or_small_talk
from memory_app.nlp.locales import reply_in_english

EMPTY = {
    "german": """
        Danke! | vielen Dank dir | Guten Morgen, Keepsake | mach das Licht an | Schalte bitte das Licht im Bad aus
        Wie spät ist es? | was ist 2+2 | Wie viel ist 7 mal 8? | 12 geteilt durch 4 | 3*4
        stell einen Timer auf 5 Minuten | Stelle den Wecker auf 6:30
        wie wird das Wetter morgen? | Tschüss, bis bald | wie geht's dir?
        mach die Musik lauter
        dreh die Heizung auf 21 Grad | erinnere mich in zehn Minuten | alles klar, danke
        Welcher Tag ist heute? | schönes Wochenende | turn on the lights | thanks!
    """,
    "french": """
        Merci ! | merci beaucoup à toi | bonjour Keepsake | allume la lumière | Éteins les lampes du salon s'il te plaît
        eteins la lumiere | quelle heure est-il ? | il est quelle heure | combien font 2+2 | combien font 7 fois 8 ?
        12 divisé par 4 | mets un minuteur de 5 minutes | règle le réveil à 6:30 | tu peux éteindre la télé ?
        quel temps fait-il demain ? | au revoir, à bientôt | ça va ?
        baisse le chauffage à 19 degrés | ferme les volets | rappelle-moi dans dix minutes | d'accord, parfait
        Quel jour sommes-nous ? | bonne soirée | turn on the lights | thanks!
    """,
}
TOLD = {
    "german": """
        wo wohne ich? | Wann ist der Zahnarzt? | welches Licht habe ich gekauft? | Danke, und was haben wir entschieden?
        spiel mein Lieblingslied | wie spät ist der Termin morgen? | guten Tag, wann ist mein Flug?
        wie heißt meine Frau
        Wie geht es meiner Mutter? | Ich habe die Lampe im Bad gekauft | Was ist in der Küche? | allume la lumière
    """,
    "french": """
        où est-ce que j'habite ? | quand est mon rendez-vous ? | merci, et qu'avons-nous décidé ? | quelle lampe ai-je ?
        à quelle heure est mon vol ? | bonjour, comment s'appelle ma femme ? | mets ma chanson préférée
        Comment va ma mère ? | J'ai acheté la lampe du salon | qu'y a-t-il dans la cuisine ? | mach das Licht an
    """,
}
SHOWN = {
    "german": ["Wir haben die blauen Fliesen gewählt", "Das Küchenbudget ist 50k", "Anna ist nach Berlin gezogen"],
    "french": ["Nous avons choisi le carrelage bleu", "Le budget de la cuisine est de 50k", "Anna a déménagé à Berlin"],
}
MEANT: dict[str, list[tuple[Narrowing, str]]] = {
    "german": [
        (Selection(0), "das erste | eins | das blaue | die blauen | ja, das erste | das mit den Fliesen"),
        (Selection(1), "das zweite | die zweite bitte | Nummer zwei | 2 | das mit dem Küchenbudget | the second one"),
        (Selection(2), "das letzte | es war das dritte | die mit Berlin | das über Anna | ich meine das dritte"),
        (
            Answer.MORE,
            "mehr | zeig mir mehr | weiter | was gibt es noch? | nichts davon, zeig mir mehr | noch mehr bitte | more",
        ),
        (Answer.BACK, "zurück | geh zurück | die vorherigen | back"),
        (Answer.NONE, "keins davon | keine von denen | nein | nein, keins davon | das ist es nicht | none of these"),
        (Answer.OVER, "egal | vergiss es | schon gut, danke | abbrechen | nein danke | never mind"),
        (Answer.UNCLEAR, "das lila | äh"),
        (NewQuestion("Wann ist mein Flug nach Rom?"), "Wann ist mein Flug nach Rom?"),
    ],
    "french": [
        (Selection(0), "le premier | la première | le bleu | celui avec le carrelage | oui, le premier"),
        (
            Selection(1),
            "le deuxième | la deuxième s'il te plaît | le numéro deux | 2 | celle du budget | the second one",
        ),
        (Selection(2), "le dernier | c'était le troisième | celui sur Berlin | le troisième"),
        (Answer.MORE, "plus | montre-m'en plus | encore | la suite | d'autres ? | more"),
        (Answer.BACK, "retour | reviens en arrière | les précédents | back"),
        (Answer.NONE, "aucun | aucun de ceux-là | non | ce n'est pas ça | none of these"),
        (Answer.OVER, "laisse tomber | peu importe | non merci | annule | never mind"),
        (Answer.UNCLEAR, "le violet | euh"),
        (NewQuestion("Quand est mon vol pour Rome ?"), "Quand est mon vol pour Rome ?"),
    ],
}


def listed(said: dict[str, str]) -> list[tuple[str, str]]:
    return [
        (language, one.strip())
        for language, lines in said.items()
        for line in lines.strip().splitlines()
        for one in line.split(" | ")
    ]


@pytest.mark.parametrize(("language", "said"), listed(EMPTY))
def test_what_no_memory_helps_with_is_known_in_ones_language(language: str, said: str) -> None:
    assert is_command_or_small_talk(said, language=language)


@pytest.mark.parametrize(("language", "said"), listed(TOLD))
def test_what_asks_or_tells_something_is_none_of_it(language: str, said: str) -> None:
    assert not is_command_or_small_talk(said, language=language)


def test_another_language_is_not_read() -> None:
    assert not is_command_or_small_talk("mach das Licht an")
    assert reply_in_english("das zweite", "english") == "das zweite"


@pytest.mark.parametrize(
    ("language", "reply", "meant"),
    [
        (language, reply, meant)
        for language, pairs in MEANT.items()
        for meant, replies in pairs
        for reply in replies.split(" | ")
    ],
)
def test_a_reply_to_what_is_shown_is_read_in_ones_language(language: str, reply: str, meant: Narrowing) -> None:
    assert read_narrowing_reply(reply_in_english(reply, language), SHOWN[language]) == meant
