"""If-Match: the version that whoever changes something saw last."""

import re

from django.http import HttpRequest

from memory_app.errors import Invalid

VERSION = re.compile(r"[0-9]{1,18}")


def expected_version(request: HttpRequest) -> int | None:
    """None where any will do. Raises Invalid."""
    given = request.headers.get("If-Match")
    if given is None or given.strip() == "*":
        return None
    bare = given.strip().removeprefix("W/").strip('"')
    if not VERSION.fullmatch(bare):
        raise Invalid("If-Match", 'If-Match holds the version last seen, in quotes: "3".')
    return int(bare)
