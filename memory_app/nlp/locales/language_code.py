"""A language by its code, as callers have it: "de", "fr-CA" or "DE_at" for what the database calls german, french."""

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
    said = text.strip().lower()
    return _CODES.get(said.replace("_", "-").split("-")[0], said)
