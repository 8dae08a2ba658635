"""Whether a statement tells of a change ("we let the flat go") or of how things are, by the examples that it is like.

It is a direction among vectors, so that a database can measure it for many statements at once.
"""

from memory_app.nlp.encoder import TextEncoder, Vectors

CHANGE_EXAMPLES = (
    "I gave up smoking and chew gum now",
    "We no longer live in the city, we moved to the coast",
    "She left the firm and works for herself these days",
    "I swapped the piano lessons for singing",
    "They replaced the old heater with a pump",
    "My brother quit the band in spring",
    "We switched to another bank last month",
    "The shop has closed, so we order online instead",
    "He broke up with Lena and is seeing someone else",
    "I don't eat there anymore, it changed hands",
    "Our old doctor retired, a young one took over",
    "I sold the van and bought an estate car",
    "The meeting is off Mondays, it's on Thursdays now",
    "I was promoted, somebody else does the accounts",
    "Finished with the old plan, there's a new one",
    "The kids have outgrown the cot, they share bunk beds",
    "New rule at home: no sweets before dinner",
    "They made her captain at last",
    "I got rid of the desktop and use a tablet",
    "Now that the ferry is cancelled I go by coach",
    "He changed his mind and wants to be a cook",
    "It turned out that the party is at ours this year",
    "I'm done with the course and started another",
    "Since the baby came we sleep in the small room",
)
OTHER_EXAMPLES = (
    "I like walking in the rain",
    "My cousin is a plumber",
    "We have two rabbits",
    "I usually get up at seven",
    "The garden is behind the house",
    "My office has a green door",
    "I play cards on Sundays",
    "Her favourite colour is blue",
    "I work at the library",
    "We own a caravan",
    "My mother was born in Malta",
    "I wear glasses for reading",
    "I'm afraid of spiders",
    "The neighbour's boy delivers papers",
    "I collect stamps",
    "Our street is very steep",
    "He sings in the bath",
    "The key hangs beside the back door",
    "I'm learning to weave",
    "My team plays in white",
    "We go to the lake in summer",
    "She wants to see Iceland",
    "I take my coffee black",
    "There are nine of us in the office",
)
"""Sentences of our own, of what is not so any more, and of what is so."""


_directions: dict[str, Vectors] = {}
"""By embedding model: encoded at first use, for a process uses one."""


def change_direction(encoder: TextEncoder) -> Vectors:
    """The more a vector points this way, the more its text is like those of changes; about −.1 to .1."""
    if encoder.name not in _directions:
        changed, standing = encoder.documents(CHANGE_EXAMPLES), encoder.documents(OTHER_EXAMPLES)
        _directions[encoder.name] = changed.mean(axis=0) - standing.mean(axis=0)
    return _directions[encoder.name]
