"""Titles of books, films and the like: names that hold the names of people and places, who are not spoken of.

Told by what stands before them: that something is read or watched, or what kind of work it is.
"""

from collections.abc import Iterator

from memory_app.language.gazetteer import GIVEN_NAMES
from memory_app.rules import linear_re as re

_WORD = r"[A-ZÀ-ÖØ-Þ\d][\w'’-]*"
_ARTICLE = "(?:The|A|An)"
# After an article more may join: "The Girl on the Train"; "Dune on the Train" is where it was read.
_TITLE = (
    rf"(?P<title>{_ARTICLE}(?: (?:(?:and|of|in|on|at|to|with|from|for) )?(?:(?:the|a|an|his|her) )?{_WORD})+"
    rf"|{_WORD}(?: (?:(?:and|of|&) )?(?:(?:the|a|an) )?{_WORD})*)"
)
_READ = re.compile(
    r"(?:\b(?:re-?)?(?:read(?:s|ing)?|watch(?:ed|es|ing)?)|\blisten(?:ed|ing)? to"
    rf"|(?:^|(?<=[.!?] ))(?:Re-?r|R)ead(?:ing)?) {_TITLE}"
)
_KIND = (
    "(?:books?|novels?|films?|movies?|series|shows?|albums?|songs?|poems?|operas?|musicals?|podcasts?|plays?|trilogy"
    "|documentary|memoir|anime|manga)"
)
_SAID_TO_BE = re.compile(rf"\b{_KIND}(?P<plainly>(?: (?:is|was|are|were))?(?: (?:called|named|titled))?|:|,) {_TITLE}")
_JOINED = re.compile(rf"^{_ARTICLE} | (?:and|of|&|the|a|an) ")


def titles(text: str) -> Iterator[tuple[int, int]]:
    """Where the titles stand."""
    for pattern in (_READ, _SAID_TO_BE):
        for found in pattern.finditer(text):
            if _is_title(found["title"], bool(found.groupdict().get("plainly"))):
                yield found.span("title")


def _is_title(title: str, plainly: bool) -> bool:
    """Whether it is no person whose book that is, who wrote it, or who reads it too. plainly: it is said to be one."""
    if title.endswith(("'s", "’s")):
        return False
    words = re.findall(_WORD, title)
    if all(word.lower() in GIVEN_NAMES for word in words):
        return plainly and len(words) == 1
    return plainly or _JOINED.search(title) is not None
