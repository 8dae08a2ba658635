"""Namespaces of items: which label names the person, and which namespaces a pattern means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ANY_LABEL = "*"


@dataclass(frozen=True, slots=True)
class NamespaceMatch:
    """Namespaces that begin (prefix), or end (suffix), with these labels. wildcards: whether `*` is any one label."""

    end: Literal["prefix", "suffix"]
    labels: tuple[str, ...]
    wildcards: bool = False


def person_in_namespace(namespace: Sequence[str], label: int | None, person: str | None) -> str | None:
    """Whose an item is: whom the label at this place names, counted from 0; else the person given. None: nobody's.

    A namespace that is too short to have the label, or has `*` there, names nobody.
    """
    if label is not None and label < len(namespace) and namespace[label] != ANY_LABEL:
        return namespace[label]
    return person


def renamed_person(namespace: Sequence[str], guest: str, user: str) -> list[str]:
    """The namespace with labels that are the guest's name telling the user's."""
    return [user if label == guest else label for label in namespace]
