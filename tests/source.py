"""The project's own Python files as syntax trees, for tests of how they hang together."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from config.env import ROOT

CODE = ("config", "memory_app", "dashboard", "bench")


def files(*folders: str) -> list[Path]:
    """Every Python file of these folders, as a path from the root."""
    return sorted(path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(), str(path))


def imported(path: Path) -> Iterator[str]:
    """The full names of modules, or of names in them, that a file imports anywhere."""
    package = path.parent.parts
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def called(path: Path) -> Iterator[str]:
    """What a file calls, as it is written: `datetime.now`, `every_space`."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield ast.unparse(node.func)
