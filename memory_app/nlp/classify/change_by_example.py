"""Whether a statement tells of a change ("we let the flat go") or of how things are, by the examples that it is like.

It is a direction among vectors, so that a database can measure it for many statements at once.
"""

from memory_app.nlp.encoder import TextEncoder, Vectors

CHANGED = (
    "I gave up smoking and chew gum now",
    "She left the firm and works for herself these days",
    "They replaced the old heater with a pump",
    "We switched to another bank last month",
    "He broke up with Lena and is seeing someone else",
    "Our old doctor retired, a young one took over",
    "The meeting is off Mondays, it's on Thursdays now",
    "Finished with the old plan, there's a new one",
    "New rule at home: no sweets before dinner",
    "I got rid of the desktop and use a tablet",
    "He changed his mind and wants to be a cook",
    "I'm done with the course and started another",
)
UNCHANGED = (
    "I like walking in the rain",
    "We have two rabbits",
    "The garden is behind the house",
    "I play cards on Sundays",
    "I work at the library",
    "My mother was born in Malta",
    "I'm afraid of spiders",
    "I collect stamps",
    "He sings in the bath",
    "I'm learning to weave",
    "We go to the lake in summer",
    "I take my coffee black",
)
"""Sentences of our own, of what is not so any more, and of what is so."""


_directions: dict[str, Vectors] = {}
"""By embedding model: encoded at first use, for a process uses one."""


def change_direction(encoder: TextEncoder) -> Vectors:
    """The more a vector points this way, the more its text is like those of changes; about −.1 to .1."""
    if encoder.name not in _directions:
        changed, standing = encoder.documents(CHANGED), encoder.documents(UNCHANGED)
        _directions[encoder.name] = changed.mean(axis=0) - standing.mean(axis=0)
    return _directions[encoder.name]
