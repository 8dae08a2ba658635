"""Characters that nobody sees: they turn the direction of what is written, carry text that only a machine reads, or are
drawn as nothing. What is kept holds them as they were written; what is put before anyone holds none.

They are Unicode's Default_Ignorable_Code_Point, its controls, and the blank of Braille. What joins emoji or letters of
some scripts stays between two of these, where it is seen; anywhere else it is one more character that nobody sees.
"""

from memory_app.nlp import linear_re as re

JOINERS = "\u200c\u200d\ufe0e\ufe0f"
"""The two joiners, and the two selectors of how an emoji is drawn."""

_UNSEEN = (
    "\\x00-\\x08\\x0e-\\x1b\\x7f-\\x84\\x86-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f"
    "\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
_ENDS_OF_LINES = "\\x0b\\x0c\\x1c-\\x1f\\x85\\u2028\\u2029"
_SEEN = f"[^\\x00-\\x7f{JOINERS}]"

_DOUBTFUL = re.by_python(f"[{_UNSEEN}{_ENDS_OF_LINES}{JOINERS}]", because="one character of a set")
_LEFT_OUT = re.by_python(f"[{_UNSEEN}]+", because="characters of one set, and nothing around them")
_END_OF_LINE = re.by_python(f"[{_ENDS_OF_LINES}]", because="one character of a set")
_JOINT = re.by_python(
    f"((?<={_SEEN})(?:[\ufe0e\ufe0f]?[\u200c\u200d](?={_SEEN})|[\ufe0e\ufe0f])|(?<=[0-9#*])\ufe0f(?=\u20e3))|[{JOINERS}]",
    because="no more than four characters",
)


def without_invisible(text: str) -> str:
    """The text as it may be shown: on its lines, and without what is not seen."""
    if not _DOUBTFUL.search(text):
        return text
    seen = _LEFT_OUT.sub("", _END_OF_LINE.sub("\n", text))
    return _JOINT.sub(lambda joint: joint[1] or "", seen)
