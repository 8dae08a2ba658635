"""Said of: the turns in which an entity is named, by any of its names. They are looked up and linked nowhere: what was
said is verbatim, and speaks of whatever its words name by now, also of what was merged into it since."""

import re

from ...models.conversation import TurnQuerySet
from .entities import Profile

MOST_NAMES = 20
"""By which turns are looked through: each costs as much as the next, and nobody is called more ways."""


def said_of(turns: TurnQuerySet, told: Profile) -> TurnQuerySet:
    """Of these, which the caller may see, what names the entity as a word of its own, in whatever letters."""
    names = dict.fromkeys([told.listed.name, *told.aliases, *(row.name for row in told.merged)])
    either = "|".join(re.escape(name) for name in list(names)[:MOST_NAMES])
    return turns.filter(content__iregex=rf"(?<!\w)(?:{either})(?!\w)")
