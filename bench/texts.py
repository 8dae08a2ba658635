"""Short texts such as people have kept, and questions about them: as many as are asked for, the same ones each time.

Their words come from lists, so that rows differ as much as real ones do: who, what, where and why vary on their own.
"""

import random
from collections.abc import Iterator

PEOPLE = (
    "Marta", "Jonas", "Priya", "Owen", "Lucía", "Tariq", "Hannah", "Kofi", "Ingrid", "Mateo", "Yuki", "Samira",
    "Declan", "Noor", "Petra", "Anton", "Grace", "Felix", "Rosa", "Viktor", "Amara", "Leif", "Chiara", "Rahul",
    "Edith", "Bruno", "Salma", "Theo", "Wanda", "Idris", "Greta", "Milo", "Zofia", "Hugo", "Nadia", "Pablo", "Astrid",
    "Kenji", "Lena", "Oscar", "Fatima", "Silas", "Beatriz", "Nils", "Dalia", "Ruben", "Elsa", "Cyrus", "Tilda",
    "Marek",
)  # fmt: skip
THINGS = (
    "the oak bookshelf", "a second-hand cello", "the blue kitchen tile", "her grandmother's recipe book",
    "a sourdough starter", "the old film camera", "two tickets for the opera", "the greenhouse",
    "a pair of hiking boots", "the leaking tap", "a language course", "the garden fence", "the marathon plan",
    "a jar of plum jam", "the tax return", "a folding bicycle", "the puppy", "the choir's concert",
    "an espresso machine", "the attic room", "a pottery class", "the rowing boat", "the school play", "a telescope",
    "the wedding speech", "the vegetable beds", "a wool coat", "the chess club", "the car insurance",
    "a weekend in the mountains", "the family quilt", "the dentist appointment", "an electric heater",
    "the mountain bike", "the travel visa", "a box of seedlings", "the photo album", "a canoe", "the physics exam",
    "the hallway lamp", "the book club", "a violin lesson", "the apartment lease", "the beehive", "the winter tyres",
    "a birthday cake", "the bathroom mirror", "the volunteer shift", "a podcast", "the ski pass",
)  # fmt: skip
ACTS = (
    "repaired", "gave away", "finally ordered", "complained about", "is looking forward to", "forgot about",
    "paid for", "borrowed", "painted", "wants to sell", "decided against", "recommended", "showed me", "picked up",
    "is afraid of", "cancelled", "talked for an hour about", "asked for help with", "dreams of",
    "found a good price for", "gave up on", "planned", "started with", "photographed", "wrote a letter about",
    "promised", "argued about", "insured", "cleaned", "celebrated",
)  # fmt: skip
PLACES = (
    "in Lisbon", "at the harbour", "near the old mill", "at the farmers' market", "in the office kitchen", "in Tromsø",
    "at her sister's place", "in the library on Elm Street", "at the train station", "behind the church", "in Kyoto",
    "at the swimming pool", "on the way to work", "in the hospital's café", "in the mountains above Bern", "at school",
    "in the basement", "at the neighbour's barbecue", "in Buenos Aires", "on the ferry", "by the lake", "at the gym",
    "in a tiny shop in Ghent", "at the allotment", "in the park", "over dinner", "at the museum", "during the layover",
)  # fmt: skip
REASONS = (
    "because the rent went up", "since the doctor advised it", "to have more time for the children",
    "after a long winter", "although it was raining", "because the old one broke", "to save some money",
    "as a surprise", "before the move", "now that the thesis is done", "because of a bad knee",
    "while the others slept", "to learn something new", "after the argument with the landlord",
    "since the baby was born", "because nobody else would", "in spite of the cold", "to remember their father",
    "after reading about it", "because the colours fit", "just for fun", "while waiting for the plumber",
    "to calm down before the interview", "after the promotion", "since they moved in together",
    "because the flight was late", "on a whim", "to make room for guests", "as soon as the snow was gone",
)  # fmt: skip
TIMES = (
    "last spring", "on Tuesday", "two years ago", "in August", "this morning", "over the holidays", "on her birthday",
    "the other day", "in the evening", "early in 2024", "at the end of May", "every Sunday",
)  # fmt: skip
SHAPES = (
    "{who} {act} {thing} {place}.", "{who} {act} {thing} {reason}.", "{time} {who} {act} {thing} {place}.",
    "{who} and {friend} met {place} {time}; {who} {act} {thing}.",
    "I told {who} that {friend} {act} {thing} {reason}.", "{who}: I {act} {thing} {place} {reason}.",
    "According to {friend}, {who} {act} {thing} {time} {reason}.",
    "{place} {who} {act} {thing}, and {friend} laughed about it.", "{who} {act} {thing}. It happened {place} {time}.",
    "My colleague {who} {act} {thing} {reason}, which {friend} did not expect.",
)  # fmt: skip
QUESTIONS = (
    "What did {who} say about {thing}?", "Who {act} {thing}?", "When was {who} {place}?",
    "Why does {who} talk about {thing}?", "Where did {who} and {friend} meet?",
    "Has {friend} anything to do with {thing} {place}?", "What happened {place} {time}?",
    "Did {who} do that {reason}?",
)  # fmt: skip


def texts(count: int, seed: str) -> list[str]:
    """Distinct texts of about 10 to 25 words."""
    return _distinct(SHAPES, count, seed)


def questions(count: int, seed: str) -> list[str]:
    """Distinct questions of about 6 to 12 words."""
    return _distinct(QUESTIONS, count, seed)


def _distinct(shapes: tuple[str, ...], count: int, seed: str) -> list[str]:
    found: dict[str, None] = {}
    for text in _generate(shapes, seed):
        found[text] = None
        if len(found) == count:
            break
    return list(found)


def _generate(shapes: tuple[str, ...], seed: str) -> Iterator[str]:
    chance = random.Random(seed)
    while True:
        who, friend = chance.sample(PEOPLE, 2)
        parts = {
            "who": who,
            "friend": friend,
            "act": chance.choice(ACTS),
            "thing": chance.choice(THINGS),
            "place": chance.choice(PLACES),
            "reason": chance.choice(REASONS),
            "time": chance.choice(TIMES),
        }
        text = chance.choice(shapes).format(**parts)
        yield text[0].upper() + text[1:]
