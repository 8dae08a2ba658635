"""Commands in chat: what a line such as "/memory search tiles" asks for. Words after it are left to the verbs. A line
in plain words is a request to remember or to forget, or else a question."""

from dataclasses import dataclass
from typing import Literal

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.forget import forget_request
from memory_app.nlp.commands.remember import remember_request
from memory_app.nlp.commands.small_talk import is_command_or_small_talk
from memory_app.nlp.locales import request_in_english
from memory_app.nlp.queries.query_kind import asked_topic

Name = Literal["view", "search", "forget", "pause", "resume", "clear", "remember", "list", "help"]

HELP = """\
/memory – your profile: what I know, and whether memory is on
/memory search WORDS – find a memory
/memory forget WORDS – forget one; I ask first
/memory pause, /memory resume – stop and go on remembering
/memory clear – forget everything; I ask first
/remember WORDS – keep something
/forget WORDS – forget something, or “that”
/memories – the latest memories"""
"""What exists, as an unknown command is answered."""


@dataclass(frozen=True, slots=True)
class Command:
    """What is asked, and of what. known: false where "help" answers what is no command of ours. plain: whether `about`
    is all that was said, in plain words."""

    name: Name
    about: str = ""
    known: bool = True
    plain: bool = False


_COMMAND = re.compile(r"/(?P<word>[a-z]+)(?:@\w+)?(?:\s+(?P<rest>.*))?$", re.IGNORECASE | re.DOTALL)
_WITHIN = re.compile(r"(?:^|\s)/[a-z]", re.IGNORECASE)
"""A command further on, or one that is misspelt: nobody looks for these words."""

_WORDS: dict[str, Name] = {
    "view": "view",
    "show": "view",
    "status": "view",
    "search": "search",
    "find": "search",
    "forget": "forget",
    "pause": "pause",
    "off": "pause",
    "resume": "resume",
    "on": "resume",
    "clear": "clear",
    "remember": "remember",
    "list": "list",
    "help": "help",
}
"""What may follow /memory."""

_ALONE = frozenset({"view", "pause", "resume", "clear", "list", "help"})
"""Those that take no words: with some, something else was meant."""


def read_command(text: str, language: str = "english") -> Command:
    """What a line asks. "/memory@assistant" is "/memory"; case and white space around do not matter. language: in which
    plain words are read beside English."""
    found = _COMMAND.match(text.strip())
    if found is None:
        return _plain_command(text.strip(), language)
    rest = (found["rest"] or "").strip()
    match found["word"].casefold():
        case "memory":
            return _memory_command(rest)
        case "memories":
            return Command("list") if not rest else Command("search", rest)
        case "remember":
            return Command("remember", rest)
        case "forget":
            return Command("forget", rest)
        case word:
            return Command("help", known=word in ("help", "start"))


def _plain_command(text: str, language: str) -> Command:
    if _WITHIN.search(text) or is_command_or_small_talk(text, language=language):
        return Command("help", known=False)
    request = request_in_english(text, language)
    if remember_request(request):
        return Command("remember", text, plain=True)
    forgetting = forget_request(request)
    if forgetting and forgetting.explicit:
        return Command("forget", text, plain=True)
    about = asked_topic(text)
    return Command("view") if about == "" else Command("search", about or text, plain=True)


def _memory_command(rest: str) -> Command:
    if not rest:
        return Command("view")
    word, *words = rest.split(maxsplit=1)
    name, about = _WORDS.get(word.casefold()), "".join(words)
    if name is None or (name in _ALONE and about):
        return Command("help", known=False)
    return Command(name, about)
