"""Filters that are typed, beside a list or a question: whom or what memories speak of, and conditions on attributes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from django.http import QueryDict

from memory_app.rules.filters import Condition, FilterError, Filters, read_condition

LONGEST = 1_000

NO_JSON = 'attributes: this is no JSON; write {"project": "x"} or {"priority": {"gte": 3}}'


@dataclass(frozen=True, slots=True)
class TypedFilters:
    """As typed. entity: names, parted by commas, of which one is spoken of. attributes: JSON. fault: what is wrong with
    that, which is then passed over."""

    entity: str = ""
    attributes: str = ""

    @classmethod
    def read(cls, url: QueryDict, clean: Callable[[str], str]) -> Self:
        typed = (clean(url.get(name, ""))[:LONGEST].strip() for name in ("entity", "attributes"))
        return cls(*typed)

    def __bool__(self) -> bool:
        return bool(self.entity or self.attributes)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """For a URL."""
        named = (("entity", self.entity), ("attributes", self.attributes))
        return [(name, value) for name, value in named if value]

    @property
    def filters(self) -> Filters:
        names = listed(self.entity)
        return Filters(entities=names, attributes=self._condition()[0])

    @property
    def fault(self) -> str:
        return self._condition()[1]

    def _condition(self) -> tuple[Condition | None, str]:
        if not self.attributes:
            return None, ""
        try:
            return read_condition(json.loads(self.attributes)), ""
        except FilterError as error:
            return None, str(error)
        except (ValueError, RecursionError):
            return None, NO_JSON


NOTHING_TYPED = TypedFilters()


def listed(text: str) -> tuple[str, ...]:
    """What is parted by commas."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
