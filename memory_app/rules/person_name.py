"""Names of people: any text of the caller's own, but for the few that are addresses of something else of a person."""

from memory_app.nlp import linear_re as re

_OTHERWISE = re.compile(r"(?s).+/(?:stats|export|runs|profile\.md|merge|merge/undo|(?:notes|documents)(?:/[^/]+)?)\Z")
"""`/people/x/stats` is what is told of x. A web server undoes the encoding of a slash before anyone can tell a name
from what follows it, so that a person called "x/stats" could be kept, and never be read, changed or erased by name."""


_DOTS = re.compile(r"(?:^|/)\.\.?(?:/|$)")
"""Clients take these out of an address before they send it: `/people/a/../b` is that of b."""


def is_addressable(name: str) -> bool:
    """Whether a person of this name is met under `/people/{person}`, and all that is theirs below it."""
    return not _OTHERWISE.match(name) and not _DOTS.search(name)
