"""Readers of names: spaCy through its own loader, the language model, and both; what does not stand in a text is
dropped."""

from pathlib import Path
from typing import Any

import pytest
import spacy

from memory_app.llm import name_reader as module
from memory_app.llm.model import Model
from memory_app.llm.name_reader import CombinedReader, ModelReader, SpacyReader, name_reader
from tests.llm.conftest import model, server  # noqa: F401
from tests.model_server import ModelServer, answers

LUNCH = "lunch with paulina at the clock museum"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A spaCy model as pip installs one: a package that says so, with a pipeline that knows two names."""
    pipeline = spacy.blank("en")
    ruler: Any = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "paulina"},
            {"label": "FAC", "pattern": "clock museum"},
            {"label": "MONEY", "pattern": "ten euros"},
        ]
    )
    name = "en_keepsake_test_sm"
    home, said = tmp_path / name, tmp_path / f"{name}-1.0.dist-info"
    home.mkdir()
    pipeline.to_disk(home / f"{name}-1.0")
    (home / "meta.json").write_text((home / f"{name}-1.0" / "meta.json").read_text())
    (home / "__init__.py").write_text(
        "from pathlib import Path\nfrom spacy.util import load_model_from_init_py\n"
        "def load(**overrides):\n    return load_model_from_init_py(__file__, **overrides)\n"
    )
    meta = (home / "meta.json").read_text().replace('"name":"pipeline"', '"name":"keepsake_test_sm"')
    (home / "meta.json").write_text(meta.replace('"version":"0.0.0"', '"version":"1.0"'))
    said.mkdir()
    (said / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (said / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_an_installed_model_of_spacy_reads_names_in_small_letters(package: str) -> None:
    reader = SpacyReader(package)
    [found] = reader.read([LUNCH + " for ten euros"])
    assert [(name.surface, name.type) for name in found] == [("paulina", "person"), ("clock museum", "location")]
    assert LUNCH[slice(*found[0].span)] == "paulina"
    assert reader.name == "spacy:en_keepsake_test_sm"


def test_without_a_model_of_spacy_or_of_language_there_is_no_reader() -> None:
    assert name_reader() is None


def test_the_installed_model_is_found_by_itself(package: str) -> None:
    module._load_spacy.cache_clear()
    found = name_reader()
    assert found is not None
    assert found.name == "spacy:en_keepsake_test_sm"


def test_the_largest_english_model_is_the_best() -> None:
    packages = ["de_core_news_lg", "en_core_web_sm", "en_core_web_trf", "xx_ent_wiki_sm", "en_core_web_md"]
    assert sorted(packages, key=module._rank) == [
        "en_core_web_trf", "en_core_web_md", "en_core_web_sm", "xx_ent_wiki_sm", "de_core_news_lg",
    ]  # fmt: skip


def test_a_language_model_reads_several_texts_at_once(model: Model, server: ModelServer) -> None:  # noqa: F811
    server.will(answers({"names": [
        {"memory": 1, "text": "paulina", "name": "Paulina", "type": "person"},
        {"memory": 2, "text": "zig", "name": "Zig", "type": "topic"},
    ]}))  # fmt: skip
    first, second = ModelReader(model).read([LUNCH, "learning zig on weekends"])
    assert [(name.surface, name.canonical, name.type, name.span) for name in first] == [
        ("paulina", "Paulina", "person", (11, 18))
    ]  # fmt: skip
    assert [name.canonical for name in second] == ["Zig"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"memory": 1, "text": "Zoe", "name": "Zoe", "type": "person"},
        {"memory": 1, "text": "paulina", "name": "Robert", "type": "person"},
        {"memory": 1, "text": "paulina", "name": "Paulina", "type": "queen"},
        {"memory": 1, "text": "", "name": "", "type": "person"},
        {"memory": 7, "text": "paulina", "name": "Paulina", "type": "person"},
    ],
)
def test_what_does_not_stand_in_the_text_is_dropped(wrong: Any, model: Model, server: ModelServer) -> None:  # noqa: F811
    server.will(answers({"names": [wrong]}))
    assert ModelReader(model).read([LUNCH]) == [()]


def test_what_is_sensitive_is_not_shown_to_a_language_model(model: Model, server: ModelServer) -> None:  # noqa: F811
    server.will(answers({"names": []}))
    ModelReader(model).read(["My card number is 4111 1111 1111 1111.", LUNCH])
    assert "4111" not in str(server.texts)


def test_of_two_readers_the_surer_stands_where_they_overlap(package: str, model: Model, server: ModelServer) -> None:  # noqa: F811
    server.will(answers({"names": [
        {"memory": 1, "text": "the clock museum", "name": "the clock museum", "type": "organization"},
        {"memory": 1, "text": "lunch", "name": "lunch", "type": "topic"},
    ]}))  # fmt: skip
    both = CombinedReader(SpacyReader(package), ModelReader(model))
    [found] = both.read([LUNCH])
    assert [(name.surface, name.type) for name in found] == [
        ("lunch", "topic"), ("paulina", "person"), ("clock museum", "location"),
    ]  # fmt: skip
