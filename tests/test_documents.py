"""The documents say what there is: every call of the API, every setting, every job and every dependency."""

import re
import tomllib

from config.env import ROOT, Env
from memory_app.jobs import JOBS
from tests.documented import operations

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
CALL = re.compile(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`]*)`")
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def _document(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def _without_names(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def test_the_page_of_the_api_lists_every_call_and_no_other() -> None:
    served = {(call.verb, _without_names(call.path.removeprefix("/api/v1"))) for call in operations()}
    assert {(verb, _without_names(path)) for verb, path in CALL.findall(_document("api.md"))} == served


def test_every_setting_is_documented() -> None:
    settings = {str(field.validation_alias) for field in Env.model_fields.values()}
    assert {name for name in settings if f"`{name}`" not in _document("operations.md")} == set()


def test_every_job_is_documented() -> None:
    assert {name for name in JOBS if f"`{name}`" not in _document("operations.md")} == set()


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(name for extra in project["optional-dependencies"].values() for name in extra)]
    names = {re.split(r"[\[~=<>]", name)[0] for name in asked} - {"keepsake"}
    assert {name for name in names if f"`{name}`" not in _document("choices.md")} == set()


def test_every_link_and_picture_is_there() -> None:
    linked = [(document, link) for document in DOCUMENTS for link in LINK.findall(document.read_text())]
    assert len(linked) > 20
    assert [(document.name, link) for document, link in linked if not (document.parent / link).exists()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 200
