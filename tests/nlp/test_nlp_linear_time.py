"""All reading of what people write takes time in proportion to its length, whatever they write.

Every pattern and every public function of text is found by looking through the modules, so a new one is tried unasked.
Processor time is measured, and only of what takes long enough to tell; who seems slow is tried again at greater length.
"""

import contextlib
import dataclasses
import importlib
import inspect
import pkgutil
import re
import signal
import time
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from types import FrameType, ModuleType
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

import memory_app.llm
import memory_app.nlp
import memory_app.rules
from memory_app.nlp.linear_re.pattern import Pattern

PIECES = ("and ", ",", " ", "\n", "- ", "family ", "\t", "(", '"', "a", "1", "... ", "\n- x", "my a's ", "é", "1.1.")
LONG, LONGER = 800, 4_000
QUICK = 0.01
"""Seconds for LONG characters that are no sign of anything: quadratic, 8,000 characters would take a second."""
GROWTH = 2.5
"""How many times slower than in proportion is still called linear, for what memory and a busy machine add; quadratic
is five times slower than in proportion."""
LIMIT = 2.0
"""Seconds of the processor after which a text that should take milliseconds is given up."""
NOT_OF_TEXT = ("memory_app.llm.cross_encoder.load", "memory_app.nlp.encoder.set_text_encoder")
"""One takes the name of a model, and would fetch it; the other replaces the encoder of the process."""


class TooSlowError(Exception):
    pass


def _modules() -> Iterator[ModuleType]:
    for package in (memory_app.rules, memory_app.nlp, memory_app.llm):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".linear_re" not in found.name:
                yield importlib.import_module(found.name)


def _patterns_in(value: Any, depth: int = 4) -> Iterator[Any]:
    if isinstance(value, re.Pattern | Pattern):
        yield value
    elif isinstance(value, Mapping) and depth:
        yield from (one for held in (*value.keys(), *value.values()) for one in _patterns_in(held, depth - 1))
    elif isinstance(value, list | tuple | set | frozenset) and depth:
        yield from (one for held in value for one in _patterns_in(held, depth - 1))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type) and depth:
        fields = dataclasses.fields(value)
        yield from (one for field in fields for one in _patterns_in(getattr(value, field.name, None), depth - 1))


VALUES: dict[Any, Any] = {
    bool: True, int: 5, float: 0.5, datetime: datetime(2026, 4, 3, tzinfo=UTC), date: date(2026, 4, 3),
    ZoneInfo: ZoneInfo("UTC"), UUID: UUID(int=5), tuple[int, int]: (0, 5),
}  # fmt: skip
OF_MANY = (Sequence, Iterable, Collection, list, tuple, set, frozenset)


class _UnknownError(Exception):
    """Nothing to give for a parameter."""


def _given(annotation: Any, text: str) -> Any:
    """What to give for a parameter: the text, where it takes one."""
    if annotation is str:
        return text
    if annotation in VALUES:
        return VALUES[annotation]
    origin, within = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        return _given(within[0], text)
    if origin in OF_MANY and within:
        one = _given(within[0], text)
        return {frozenset: frozenset, set: set, tuple: tuple}.get(origin, list)([one])
    if origin is Mapping:
        return {_given(within[0], text): _given(within[1], text)}
    if origin is Callable:
        return lambda *_: _given(within[-1], text)
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        return _called(annotation, text)
    raise _UnknownError(annotation)


def _called(function: Callable[..., Any], text: str) -> Any:
    hints = typing.get_type_hints(function)
    given, positional = {}, []
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.default is not parameter.empty or parameter.kind in (parameter.VAR_KEYWORD,):
            continue
        value = _given(hints[name], text)
        if parameter.kind is parameter.VAR_POSITIONAL or parameter.kind is parameter.POSITIONAL_ONLY:
            positional.append(value)
        else:
            given[name] = value
    return function(*positional, **given)


def _searched(pattern: Any) -> Callable[[str], Any]:
    return lambda text: (pattern.match(text), pattern.fullmatch(text), sum(1 for _ in pattern.finditer(text)))


def _all_of(function: Callable[..., Any]) -> Callable[[str], Any]:
    def run(text: str) -> Any:
        result = _called(function, text)
        return list(result) if isinstance(result, Iterator) else result

    return run


def _subjects() -> dict[str, Callable[[str], Any]]:
    """All that is tried, by name."""
    found: dict[str, Callable[[str], Any]] = {}
    for module in _modules():
        for name, value in vars(module).items():
            for pattern in _patterns_in(value):
                found.setdefault(f"pattern {pattern.pattern}", _searched(pattern))
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                found[f"{module.__name__}.{name}"] = _all_of(value)
    return {name: subject for name, subject in found.items() if name not in NOT_OF_TEXT}


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlowError


def _seconds(subject: Callable[[str], Any], text: str) -> float:
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    started = time.process_time()
    try:
        subject(text)
    except TooSlowError:
        return LIMIT
    except _UnknownError:
        raise
    except Exception:
        pass  # What it makes of odd values is tested elsewhere.
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - started


def _grows(subject: Callable[[str], Any], piece: str) -> bool:
    """Whether it takes more time than in proportion to the length, each of three times."""
    long, longer = ((piece * length)[:length] for length in (LONG, LONGER))
    for _ in range(3):
        took = _seconds(subject, long)
        if took >= LIMIT:
            return True
        if took < QUICK:
            return False
        if (took_longer := _seconds(subject, longer)) < LIMIT and took_longer < GROWTH * LONGER / LONG * took:
            return False
    return True


def _growing(subjects: Mapping[str, Callable[[str], Any]], pieces: Sequence[str] = PIECES) -> list[tuple[str, str]]:
    before = signal.signal(signal.SIGPROF, _stop)
    found: list[tuple[str, str]] = []
    try:
        for name, subject in subjects.items():
            with contextlib.suppress(_UnknownError):
                found += [(name, piece) for piece in pieces if _grows(subject, piece)]
    finally:
        signal.signal(signal.SIGPROF, before)
    return found


def test_whatever_is_said_is_read_in_linear_time() -> None:
    assert _growing(_subjects()) == []


def test_the_patterns_and_functions_are_found() -> None:
    names = set(_subjects())
    assert {
        f"memory_app.nlp.{name}" for name in ("documents.profile_document.is_code", "commands.forget.forget_request")
    } < names
    assert {f"memory_app.nlp.{name}" for name in ("understand.understand", "extract.claims.claims")} < names
    assert sum(name.startswith("pattern ") for name in names) > 100


@pytest.mark.parametrize(
    "slow",
    [
        re.compile(r"(?:\w+\s*)+$").match,
        lambda text: [None for _ in text for _ in text for _ in range(3)],
    ],
    ids=["backtracking", "a loop in a loop"],
)
def test_what_grows_faster_is_noticed(slow: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.nlp.test_nlp_linear_time.LIMIT", 0.3)
    assert _growing({"slow": lambda text: slow(text + "!")}, ["a"]) != []
