"""What is asked in languages other than English, put as the English grammars of requests and of time read it.

One file a language, of data alone; how it is read is `wording`. English, and a language without a file, stays as it is.
"""

from memory_app.nlp.locales.de import GERMAN_CHAT_WORDING, GERMAN_WORDING
from memory_app.nlp.locales.fr import FRENCH_CHAT_WORDING, FRENCH_WORDING
from memory_app.nlp.locales.wording import ChatWording, Wording

__all__ = [
    "WORDINGS",
    "is_small_talk_in",
    "language_name",
    "reply_in_english",
    "request_in_english",
    "times_in_english",
]

WORDINGS: dict[str, Wording] = {"german": GERMAN_WORDING, "french": FRENCH_WORDING}
"""By the name that a person's language setting has."""

CHAT_WORDINGS: dict[str, ChatWording] = {"german": GERMAN_CHAT_WORDING, "french": FRENCH_CHAT_WORDING}
"""Small talk, commands and replies, by the same name."""


def request_in_english(utterance: str, language: str) -> str:
    """A request of memory ("vergiss, dass ich rauche") with its frame in English ("forget that ich rauche"): what it
    is about keeps its own words. Any other utterance as it is."""
    wording = WORDINGS.get(language)
    return wording.request(utterance) if wording else utterance


def times_in_english(text: str, language: str) -> str:
    """The text with its phrases of time in English: "was war letzte Woche?" is "was war last week?"."""
    wording = WORDINGS.get(language)
    return wording.times_of(text) if wording else text


def is_small_talk_in(utterance: str, language: str) -> bool:
    """Whether it is small talk or a command to a device in that language ("mach das Licht an"), and not in English."""
    wording = CHAT_WORDINGS.get(language)
    return wording is not None and wording.is_empty(utterance)


def reply_in_english(reply: str, language: str) -> str:
    """A reply to what was shown ("das zweite", "aucun") as it is in English; any other as it is."""
    wording = CHAT_WORDINGS.get(language)
    return wording.reply(reply) if wording else reply


_CODES = {
    **{"ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "da": "danish", "nl": "dutch"},
    **{"en": "english", "et": "estonian", "fi": "finnish", "fr": "french", "de": "german", "el": "greek"},
    **{"hi": "hindi", "hu": "hungarian", "id": "indonesian", "ga": "irish", "it": "italian", "lt": "lithuanian"},
    **{"ne": "nepali", "nb": "norwegian", "nn": "norwegian", "no": "norwegian", "pt": "portuguese"},
    **{"ro": "romanian", "ru": "russian", "sr": "serbian", "es": "spanish", "sv": "swedish", "ta": "tamil"},
    **{"tr": "turkish", "yi": "yiddish"},
}
"""ISO 639-1 codes of the languages whose words PostgreSQL knows."""


def language_name(text: str) -> str:
    """The name of a language that is given by code or name; any other text comes back in small letters."""
    name = text.strip().lower()
    return _CODES.get(name.replace("_", "-").split("-")[0], name)
