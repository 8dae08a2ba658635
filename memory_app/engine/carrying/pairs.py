"""Pairs: by whose they are to be, which ids become which. On disk, for an import may have as many as it has records."""

import sqlite3
from collections.abc import Mapping, Sequence
from uuid import UUID

TABLE = "CREATE TABLE pair (person TEXT, old BLOB, new BLOB, PRIMARY KEY (person, old)) WITHOUT ROWID"
AT_ONCE = 500
"""Ids to one question: SQLite takes 999 values."""


class Pairs:
    """A file of its own that goes with it; what is small of it stays in memory. For one thread."""

    def __init__(self) -> None:
        self._file = sqlite3.connect("", isolation_level=None)
        self._file.execute("PRAGMA journal_mode = OFF")
        self._file.execute(TABLE)
        self._people: set[str] = set()

    def add(self, person: str, become: Mapping[UUID, UUID]) -> None:
        if become:
            self._people.add(person)
            rows = [(person, old.bytes, new.bytes) for old, new in become.items()]
            self._file.executemany("INSERT OR REPLACE INTO pair VALUES (?, ?, ?)", rows)

    def any_of(self, person: str) -> bool:
        return person in self._people

    def of(self, person: str, ids: Sequence[UUID]) -> dict[UUID, UUID]:
        """Of these, the ones that become another."""
        found: dict[UUID, UUID] = {}
        for start in range(0, len(ids), AT_ONCE):
            some = [one.bytes for one in ids[start : start + AT_ONCE]]
            marks = ", ".join("?" * len(some))
            rows = self._file.execute(
                f"SELECT old, new FROM pair WHERE person = ? AND old IN ({marks})", [person, *some]
            )
            found |= {UUID(bytes=old): UUID(bytes=new) for old, new in rows}
        return found

    def close(self) -> None:
        self._file.close()
