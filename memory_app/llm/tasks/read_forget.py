"""Whether words ask to forget something, as a language model reads them. It names what only: what goes is asked."""

from memory_app.language.extract.hostile import is_hostile
from memory_app.language.extract.vocabulary import content_words
from memory_app.language.sensitive import sensitive_kinds
from memory_app.llm.checks.quotes import stretch
from memory_app.llm.failures import BadAnswer, Withheld
from memory_app.llm.prompts import forget as prompts
from memory_app.llm.protocol import Model

LONGEST_UTTERANCE = 500


def read_forget(model: Model, utterance: str) -> str:
    """The words of an utterance that say what it asks to forget; "" where it asks for nothing. Raises BadAnswer for
    words that are not in it, and every ModelError."""
    if len(utterance) > LONGEST_UTTERANCE or sensitive_kinds(utterance) or is_hostile(utterance):
        raise Withheld("Sensitive text, or a long one, is not sent to a language model.")
    wish = model.ask(prompts.prompt(utterance), prompts.Wish).value
    if not wish.asks or not wish.about.strip():
        return ""
    about = stretch(utterance, wish.about)
    if not about or not content_words(about):
        raise BadAnswer("The answer names what the person did not say.")
    return about
