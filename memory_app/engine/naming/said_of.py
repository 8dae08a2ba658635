"""Said of: the turns in which an entity is named, by any of its names. They are looked up and linked nowhere: what was
said is verbatim, and speaks of whatever its words name by now, also of what was merged into it since."""

import re
from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL

from memory_app.engine.naming.entities import Profile
from memory_app.models import Person
from memory_app.models.as_sql import bound
from memory_app.models.conversation import ConversationQuerySet, TurnQuerySet
from memory_app.rules.question import spaced

MOST_NAMES = 20
"""By which turns are looked through: each costs as much as the next, and nobody is called more ways."""

LOOKED_AT = 1_000
"""The latest turns that have the words of a name; the names themselves are looked for in these alone."""

NAMED = """
SELECT space_id, id FROM ({latest}) AS held (space_id, id, spoken_at, content)
WHERE content ~* %(named)s ORDER BY spoken_at DESC, id DESC
"""


def said_of(turns: TurnQuerySet, told: Profile, talks: ConversationQuerySet) -> list[tuple[UUID, UUID]]:
    """What names the entity as a word of its own, in whatever letters: primary keys of turns, the latest first.

    turns, talks: those that the caller may see, and their conversations. A name within an address or a path is not one
    that was said.
    """
    names = [*dict.fromkeys([told.listed.name, *told.aliases, *(row.name for row in told.merged)])][:MOST_NAMES]
    speakers = Person.objects.filter(id__in=talks.order_by().values("person_id"))
    languages = sorted({*speakers.values_list("language", flat=True)})
    if not languages:
        return []
    latest = turns.filter(_has_words(names, languages)).order_by("-spoken_at", "-id")
    statement = NAMED.format(latest=bound(latest.values_list("space_id", "id", "spoken_at", "content")[:LOOKED_AT]))
    either = "|".join(re.escape(name) for name in names)
    with connection.cursor() as cursor:
        cursor.execute(statement, {"named": rf"(?<!\w)(?:{either})(?!\w)"})
        return [(space, turn) for space, turn in cursor.fetchall()]


def _has_words(names: Sequence[str], languages: Sequence[str]) -> Q:
    """Whether a turn has all words of any name, in any language. A name without a word that the database keeps, such as
    a link or "Will", may be anywhere."""
    asked = [(language, _words(name)) for name in names for language in languages]
    each = ["plainto_tsquery(%s::regconfig, %s)"] * len(asked)
    either, fewest = " || ".join(each), ", ".join(f"numnode({one})" for one in each)
    values = [value for pair in asked for value in pair]
    return Q(RawSQL(f"least({fewest}) = 0 OR turn.tsv @@ ({either})", [*values, *values], BooleanField()))


def _words(name: str) -> str:
    """Of a name, what the text search takes as the same words wherever they stand: "A4" may be a part of "A4/2"."""
    return " ".join(word for word in spaced(name).split() if all(map(str.isalpha, re.split("[-'’]", word))))
