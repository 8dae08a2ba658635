"""Other products call the person "User": in what is brought in they have their name."""

import re

_USER = re.compile(r"^(?:The user|User)(?=['’ ,:]|$)", re.IGNORECASE)


def name_person(text: str, name: str) -> str:
    """The text with a person's name where it begins with "User" or "The user"."""
    return _USER.sub(lambda found: name, text, count=1)
