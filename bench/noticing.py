"""What is noticed in conversations with an assistant, unasked: all of it quoted, worth keeping, and nothing sensitive.

`python -m bench understanding` prints one table, for each half of `bench/understanding/conversations.jsonl`; its README
says what the marks mean. No database and no model: just the local extractor.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memory_app.language.extract import Found, Said, extract

CASES = Path(__file__).with_name("understanding") / "conversations.jsonl"
HALVES = ("seen", "unseen")
FOUND_FROM = 0.5
"""Share of the marked words that a proposal must quote."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass
class Figures:
    """What the proposals of some conversations were."""

    conversations: int = 0
    proposals: int = 0
    exact: int = 0
    marked: int = 0
    found: int = 0
    junk: int = 0
    unmarked: int = 0
    sensitive: int = 0

    def count(self, case: dict[str, Any], proposals: Sequence[Found]) -> None:
        """Adds the proposals of one conversation."""
        self.conversations += 1
        self.proposals += len(proposals)
        self.exact += sum(_is_exact(case, one) for one in proposals)
        self.marked += len(case["worth"])
        self.found += sum(any(_quotes(one, mark) for one in proposals) for mark in case["worth"])
        self.junk += sum(is_junk(case, one) for one in proposals)
        self.unmarked += sum(_is_unmarked(case, one) for one in proposals)
        self.sensitive += sum(any(_touches(one, mark) for one in proposals) for mark in case["sensitive"])

    def row(self, name: str) -> str:
        """One line of the table."""
        exact, junk = self.exact / max(self.proposals, 1), self.junk / max(self.proposals, 1)
        found = self.found / max(self.marked, 1)
        return (
            f"{name:<8} {self.conversations:>13} {self.proposals:>9} {exact:>8.2f} {found:>6.2f} {junk:>6.2f} "
            f"{self.unmarked:>9} {self.sensitive:>9}"
        )


HEAD = (
    f"{'half':<8} {'conversations':>13} {'proposals':>9} {'quoted':>8} {'found':>6} {'junk':>6} {'no mark':>9} "
    f"{'sensitive':>9}"
)


def cases(half: str) -> list[dict[str, Any]]:
    """The conversations of one half."""
    every = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [case for case in every if case["half"] == half]


def noticed(case: dict[str, Any]) -> list[Found]:
    """What the local extractor proposes of one conversation."""
    at = datetime.fromisoformat(case["started_at"])
    turns = [Said(n, turn["role"], turn["content"], spoken_at=at) for n, turn in enumerate(case["turns"])]
    return extract(turns, person="sam", timezone=ZoneInfo("UTC"))


def is_junk(case: dict[str, Any], found: Found) -> bool:
    """Whether it is of a turn with nothing to keep, and quotes nothing that is marked as worth it."""
    turns = {mark["turn"] for mark in case["junk"]}
    return not turns.isdisjoint(found.turns) and not any(_quotes(found, mark) for mark in case["worth"])


def _is_unmarked(case: dict[str, Any], found: Found) -> bool:
    marked = {mark["turn"] for name in ("worth", "junk", "sensitive") for mark in case[name]}
    return marked.isdisjoint(found.turns)


def _is_exact(case: dict[str, Any], found: Found) -> bool:
    return any(found.content in turn["content"] for turn in case["turns"])


def _words(text: str) -> set[str]:
    return {word.replace("’", "'") for word in _WORD.findall(text.lower())}


def _quotes(found: Found, mark: dict[str, Any]) -> bool:
    if mark["turn"] not in found.turns:
        return False
    wanted = _words(mark["words"])
    quoted = _words(" ".join(quote.text for quote in found.quotes if quote.index == mark["turn"]))
    return len(wanted & quoted) >= FOUND_FROM * len(wanted)


def _touches(found: Found, mark: dict[str, Any]) -> bool:
    """Whether any sentence-like part of the sensitive words is quoted."""
    whole = _plain(mark["words"])
    texts = [_plain(found.content), *(_plain(quote.text) for quote in found.quotes if quote.index == mark["turn"])]
    return mark["turn"] in found.turns and any(whole in text or text in whole for text in texts)


def _plain(text: str) -> str:
    return " ".join(word.replace("’", "'") for word in _WORD.findall(text.lower()))


def main() -> None:
    """Prints one table."""
    print(HEAD)
    for half in HALVES:
        figures = Figures()
        for case in cases(half):
            figures.count(case, noticed(case))
        print(figures.row(half))
