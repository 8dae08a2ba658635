"""The secrets that django-allauth keeps of second steps, as they lie in the database: sealed."""

from collections.abc import Callable, Mapping
from typing import Any

from ..sealing import seal, unseal

PURPOSE = "secrets of second steps"
HELD_IN = ("secret", "seed")
"""Fields of an authenticator: an app's secret, and the seed of recovery codes."""


def seal_secret(text: str) -> str:
    return seal(text.encode(), PURPOSE).decode()


def unseal_secret(sealed: str) -> str | None:
    """None where the secret key is another one by now, or it was never sealed."""
    plain = unseal(sealed.encode(), PURPOSE)
    return None if plain is None else plain.decode()


def with_secrets(data: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """What an authenticator holds, with its secrets changed."""
    return {name: change(value) if name in HELD_IN else value for name, value in data.items()}
