"""Mapping: fields of a foreign record read as ours, and a profile, a row of many facts, as a memory each."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

CATEGORIES = {
    "preference": "preference",
    "preferences": "preference",
    "work": "work",
    "personal": "personal",
    "reading": "reading",
    "fact": "fact",
    "facts": "fact",
}
"""Parts of a profile that are sections of ours."""

Fields = dict[str, Any]


def parse_mapping(pairs: Sequence[str]) -> dict[str, str]:
    """`old=new` pairs as a mapping; `old=` leaves the field out. Raises ValueError for what is no such pair."""
    names: dict[str, str] = {}
    for pair in pairs:
        old, sign, new = pair.partition("=")
        if not sign or not old.strip():
            raise ValueError(f"{pair!r} is no mapping: write old=new, or old= to leave a field out")
        names[old.strip()] = new.strip()
    return names


def map_record(record: Fields, names: Mapping[str, str], known: Collection[str], person: str | None) -> list[Fields]:
    """The records that a foreign one stands for. known: the fields of a record of ours. person: whose it is, if told.

    One with a content stays one. Any other is a profile: what is not one of our fields is a memory by itself, such as
    "Favourite food: pizza", or several where it is a list.
    """
    found = _renamed(record, names)
    if "content" in found:
        return [found]
    if not person and "person" not in found and found and all(isinstance(value, dict) for value in found.values()):
        people = [{"person": name, **_renamed(profile, names)} for name, profile in found.items()]
        return [fact for profile in people for fact in _profile(profile, known)]
    return _profile(found, known)


def _renamed(record: Fields, names: Mapping[str, str]) -> Fields:
    """Fields by their new names, those of parts as "part.field"."""
    flat: Fields = {}
    for name, value in record.items():
        inner = value.items() if isinstance(value, dict) and any(old.startswith(f"{name}.") for old in names) else ()
        flat |= {f"{name}.{part}": held for part, held in inner} if inner else {name: value}
    renamed = {names.get(name, name): value for name, value in flat.items()}
    return {name: value for name, value in renamed.items() if name and value not in (None, "", [], {})}


def _profile(fields: Fields, known: Collection[str]) -> list[Fields]:
    shared = {name: value for name, value in fields.items() if name in known}
    facts = [fact for name, value in fields.items() if name not in known for fact in _facts(name, value)]
    return [{**shared, **fact} for fact in facts] or [shared]


def _facts(name: str, value: Any) -> Iterator[Fields]:
    """What a field of a profile says: a list says one thing an item, a part what each of its fields says."""
    category = CATEGORIES.get(name.split(".")[0].casefold())
    placed = {"category": category} if category else {}
    if isinstance(value, dict):
        for inner, held in value.items():
            yield from ({**fact, **placed} for fact in _facts(inner, held))
    elif isinstance(value, list):
        for held in value:
            yield {"content": str(held) if category else f"{_label(name)}: {held}", **placed}
    elif value not in (None, ""):
        yield {"content": f"{_label(name)}: {value}", "key": _key(name), **placed}


def _label(name: str) -> str:
    words = name.split(".")[-1].replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


def _key(name: str) -> str:
    return _label(name).casefold().replace(" ", "_")[:100]
