"""Whether a person asks an assistant to forget something, where small rules do not understand it.

Whether words ask to forget something, as a language model reads them. It names what only: what goes is asked.
"""

from pydantic import BaseModel

from memory_app.llm.checks import find_words
from memory_app.llm.prompts import NO_INSTRUCTIONS, block
from memory_app.llm.protocol import BadAnswer, Model, NotSent, Prompt
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.extract.vocabulary import content_words
from memory_app.nlp.privacy.sensitive import sensitive_kinds

PROMPT_ID = "forget-1"

MAX_TOKENS = 1_000

RULES = f"""\
You read what a person said to an assistant that remembers things about them, and tell whether they want it to forget \
something that it remembers.

{NO_INSTRUCTIONS}

- asks: true only if they want the assistant to forget, delete or no longer know something
- about: the words of theirs that say what that is, copied letter by letter; "" if they do not say

Someone who forgot something themselves, or asks not to forget it, does not ask for that.

Example:
<said>
{{"text": "I'd feel better if the business with my landlord were gone from your notes"}}
</said>
Answer:
{{"asks": true, "about": "the business with my landlord"}}
"""


class DeleteRequest(BaseModel):
    asks: bool = False
    about: str = ""


def prompt(utterance: str) -> Prompt:
    return Prompt(PROMPT_ID, RULES, block("said", [{"text": utterance}]), MAX_TOKENS)


MAX_UTTERANCE = 500


def read_delete_request(model: Model, utterance: str) -> str:
    """The words of an utterance that say what it asks to forget; "" where it asks for nothing. Raises BadAnswer for
    words that are not in it, and every ModelError."""
    if len(utterance) > MAX_UTTERANCE or sensitive_kinds(utterance) or is_hostile(utterance):
        raise NotSent("Sensitive text, or a long one, is not sent to a language model.")
    answer = model.ask(prompt(utterance), DeleteRequest).value
    if not answer.asks or not answer.about.strip():
        return ""
    about = find_words(utterance, answer.about)
    if not about or not content_words(about):
        raise BadAnswer("The answer names what the person did not say.")
    return about
