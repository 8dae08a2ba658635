"""The mark of a contradiction: each of two memories that say otherwise names the other among its attributes."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from ...models.memory import CONFLICTS_WITH


def marked(attributes: Mapping[str, Any], against: UUID | None) -> dict[str, Any]:
    """The attributes with the mark of this memory alone; with none, where there is none."""
    others = {name: value for name, value in attributes.items() if name != CONFLICTS_WITH}
    return {**others, CONFLICTS_WITH: str(against)} if against else others
