"""How what someone once said is put before an assistant: as one line of data, in quotation marks.

A brief is read by a model that cannot tell our words from a memory's but by where they stand. So a text holds nothing
that ends its line or hides in it, and stands between “ and ”, neither of which it can hold itself: whatever it says,
and in whatever language, it is something that was said.
"""

import unicodedata

from memory_app.nlp.text import JOINERS, without_invisible

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_NO_JOINTS = str.maketrans(dict.fromkeys(JOINERS, ""))
_MARKS = str.maketrans(dict.fromkeys('“”„‟〝〞″«»"＂', "'"))


def plain(text: str) -> str:
    """The text on one line, with all that is drawn as nothing or that turns the writing direction left out."""
    seen = without_invisible(text).translate(_NO_JOINTS)
    # What parts words still parts them.
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return " ".join("".join(c for c in spaced if unicodedata.category(c) not in _INVISIBLE).split())


def quoted(text: str) -> str:
    """A text on one line as a quotation, which nothing in it can end; nothing where nothing in it is seen."""
    told = plain(text)
    return f"“{told.translate(_MARKS)}”" if told else ""
