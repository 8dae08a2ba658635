"""How the parts hang together: what may import what, where the clock is read, and what has a name."""

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from config.env import ROOT
from tests.source import CODE, called, files, imported, tree

ENGINE = "memory_app.engine"
PAGES_AND_ROUTES = (
    "memory_app.api", "memory_app.oauth", "memory_app.mcp", "memory_app.compat", "memory_app.management",
    "dashboard", "bench",
)  # fmt: skip
DOORS = ("memory_app.serializers", "memory_app.jobs", *PAGES_AND_ROUTES)
ABOVE = (ENGINE, *DOORS)
SIDES = ("memory_app.llm", "memory_app.embedding")

FORBIDDEN = {
    "memory_app/nlp": (),  # see test_nlp_could_ship_alone
    "memory_app/rules": (*ABOVE, *SIDES, "memory_app.models", "memory_app.postgres"),
    "memory_app/imports": (*ABOVE, *SIDES, "memory_app.models", "memory_app.postgres", "django"),
    "memory_app/models": (*ABOVE, *SIDES),
    "memory_app/llm": (*ABOVE, "memory_app.embedding", "memory_app.models"),
    "memory_app/embedding": (*ABOVE, "memory_app.llm", "memory_app.models"),
    "memory_app/postgres": (*ABOVE, *SIDES, "memory_app.nlp", "memory_app.models"),
    "memory_app/engine": DOORS,
    "memory_app/api": ("memory_app.oauth", "memory_app.mcp", "memory_app.compat", "memory_app.management", "dashboard",
                       "bench"),
    "memory_app/oauth": ("memory_app.mcp", "memory_app.compat", "memory_app.management", "dashboard", "bench"),
    "memory_app/compat": ("memory_app.mcp", "memory_app.management", "dashboard", "bench"),
    "memory_app/jobs": ("memory_app.serializers", *PAGES_AND_ROUTES),
    "memory_app/serializers": PAGES_AND_ROUTES,
    "memory_app/mcp_proxy": (),  # see test_it_needs_the_standard_library_alone
    "memory_app/management": ("memory_app.api", "memory_app.oauth", "memory_app.mcp", "memory_app.compat", "dashboard",
                              "bench"),
    "dashboard": ("memory_app.api", "memory_app.mcp", "memory_app.compat", "memory_app.management", "bench"),
}  # fmt: skip
"""Imports run one way:
nlp <- rules <- models, llm, embedding <- engine <- jobs <- serializers <- api, mcp, compat, commands, dashboard."""

IMPURE = ("django", "psycopg", "pgvector", "socket", "ssl", "http", "urllib.request", "requests", "httpx", "time",
          "random", "secrets", "subprocess", "os")  # fmt: skip
CLOCKS = re.compile(r"(^|\.)(now|utcnow|today|time_ns|perf_counter|monotonic)$|^time\.time$")

LOADED_LATE = {
    Path("memory_app/embedding/encoder.py"), Path("memory_app/llm/model.py"),
    Path("memory_app/llm/name_reader.py"), Path("memory_app/llm/reranker.py"), Path("bench/__main__.py"),
    Path("memory_app/mcp_proxy/http_connection.py"),
}  # fmt: skip
"""Files that import by name when a need arises: torch, which a process that serves ONNX must never pay for; packages of
language models, which are optional; what is measured, once Django knows on which data folder; and TLS, which takes a
fifth of the memory of a proxy that rarely needs it."""

TRIED_FROM = {
    Path("dashboard/browser"): "dashboard",
    Path("clients"): "clients/python/keepsake_client",
}
"""Folders of tests that are named otherwise than the folder of code that they try."""

LONGEST_FILE = 500
NAMED_BY_A_MACHINE = re.compile(r"_[0-9a-f]{6,8}(_idx|_uniq|_fk)?$")


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_imports_run_one_way(folder: str) -> None:
    wrong = [
        f"{path} imports {module}"
        for path in files(folder)
        for module in imported(path)
        if any(_within(module, package) for package in FORBIDDEN[folder])
    ]
    assert wrong == []


def test_folders_of_the_engine_import_one_way() -> None:
    """A folder of the engine, or a module beside them, never leads back to itself; CycleError names those that do."""
    parts: dict[str, set[str]] = {}
    for path in files("memory_app/engine"):
        own = path.relative_to("memory_app/engine").with_suffix("").parts[0]
        within = [module.removeprefix(f"{ENGINE}.") for module in imported(path) if _within(module, ENGINE)]
        parts.setdefault(own, set()).update({module.partition(".")[0] for module in within} - {own})
    assert [*TopologicalSorter(parts).static_order()]


def test_every_folder_of_code_has_its_rule() -> None:
    """A new package is to say what it may import."""
    packages = {path.parent for path in (ROOT / "memory_app").glob("*/__init__.py")}
    known = {ROOT / folder for folder in FORBIDDEN}
    free = {ROOT / "memory_app" / name for name in ("migrations", "serving", "mcp")}
    assert packages - known - free == set()


def test_no_import_hides_inside_a_function() -> None:
    hidden = [
        f"{path}:{inner.lineno}"
        for path in files(*CODE)
        for outer in ast.walk(tree(path))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []


def test_modules_are_loaded_by_name_only_where_it_is_documented() -> None:
    late = {
        path for path in files(*CODE) if {"importlib.import_module", "__import__", "import_module"} & {*called(path)}
    }
    assert late == LOADED_LATE


@pytest.mark.parametrize("folder", ["memory_app/nlp", "memory_app/rules"])
def test_rules_and_nlp_know_no_framework_database_network_or_clock(folder: str) -> None:
    impure = [
        f"{path} imports {module}"
        for path in files(folder)
        for module in imported(path)
        if any(_within(module, outside) for outside in IMPURE)
    ]
    clocks = [f"{path} calls {name}" for path in files(folder) for name in called(path) if CLOCKS.search(name)]
    assert impure + clocks == []


def test_nlp_could_ship_alone() -> None:
    """Of the project's own code it imports itself, and nothing else."""
    ours = [path.name for path in ROOT.iterdir() if path.is_dir()]
    others = [
        f"{path} imports {module}"
        for path in files("memory_app/nlp")
        for module in imported(path)
        if module.partition(".")[0] in ours and not _within(module, "memory_app.nlp")
    ]
    assert others == []


def test_no_file_is_too_long() -> None:
    pages = [path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*.html")]
    # Migrations are written by Django, and never read again.
    written = [path for path in files(*CODE, "tests") if "migrations" not in path.parts]
    lengths = {path: len((ROOT / path).read_text().splitlines()) for path in [*written, *pages]}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_tests_are_named_after_the_code_they_try() -> None:
    """In the folder of the same name, `test_` and a module, a folder of modules or the folder itself, and then what of
    it. What the whole product does is tried by the files that are in no folder."""
    tests = [path for path in files("tests") if path.name.startswith("test_") and len(path.parts) > 2]
    assert [str(path) for path in tests if not _names_code(path)] == []


def _names_code(test: Path) -> bool:
    folder, name = test.parent.relative_to("tests"), test.stem.removeprefix("test_")
    code = folder if folder.parts[0] == "dashboard" else "memory_app" / folder
    home = ROOT / TRIED_FROM.get(folder, code)
    known = {home.name, *(path.stem for part in (home, home / "commands") for path in part.glob("[!_.]*"))}
    return any(name == part or name.startswith(f"{part}_") for part in known)


@pytest.mark.django_db
def test_the_models_and_the_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_no_migration_imports_code_of_the_project() -> None:
    """The code goes on; what a migration did must not change."""
    ours = [
        f"{path} imports {module}"
        for path in files("memory_app/migrations")
        for module in imported(path)
        if _within(module, "memory_app") or module.partition(".")[0] in {path.name for path in ROOT.iterdir()}
    ]
    assert ours == []


def test_every_migration_is_named_for_what_it_does() -> None:
    names = [path.stem for path in files("memory_app/migrations") if path.stem != "__init__"]
    nameless = [name for name in names if not re.fullmatch(r"\d{4}_(?!auto_)[a-z]+(_[a-z]+)*", name)]
    assert nameless + [name for name in names if name.endswith("_and_more")] == []


def test_every_index_and_constraint_of_ours_is_named() -> None:
    metas = [model._meta for model in apps.get_app_config("memory_app").get_models()]
    named = [item.name for meta in metas for item in [*meta.indexes, *meta.constraints]]
    assert [name for name in named if NAMED_BY_A_MACHINE.search(name)] == []
    together = {f"{meta.label}.{option}" for meta in metas for option in ("unique_together", "index_together")
                if getattr(meta, option, ())}  # fmt: skip
    assert together == set()


def test_every_index_says_which_query_it_serves() -> None:
    silent = []
    for path in files("memory_app/models"):
        lines = (ROOT / path).read_text().splitlines()
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("models.Index", "models.UniqueConstraint"):
                above = node.lineno - 2
                while lines[above].strip().startswith("#") and "Serves:" not in lines[above]:
                    above -= 1
                if "# Serves:" not in lines[above]:
                    silent.append(f"{path}:{node.lineno}")
    assert silent == []


@pytest.mark.django_db
def test_no_unique_rule_of_a_table_of_a_space_leaves_the_space_out() -> None:
    """Rows of one space must never be refused because of a row in another; and tables are spread by space."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT index.indexrelid::regclass::text
            FROM pg_index AS index JOIN pg_attribute AS space
                ON space.attrelid = index.indrelid AND space.attname = 'space_id'
            WHERE index.indisunique AND index.indrelid::regclass::text <> 'person'
                AND NOT space.attnum = ANY(index.indkey::smallint[])
            """
        )
        assert [name for (name,) in cursor.fetchall()] == []
