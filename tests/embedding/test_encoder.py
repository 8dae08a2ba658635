import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from pytest_django import Settings

from memory_app.embedding import encoder as process
from memory_app.embedding.encoder import current_encoder, current_model_name, load_encoder, use_encoder
from memory_app.embedding.model_files import ROOT
from memory_app.embedding.protocol import Encoder
from tests.embedding.word_encoder import WordEncoder


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process as it is before its first text."""
    monkeypatch.setattr(process, "_process", process._ProcessEncoder())


def _fresh_process(script: str) -> str:
    """What a new process prints that has Django's settings and the tests' data folder."""
    setup = "import os, sys, django; django.setup(); from memory_app.embedding.encoder import *\n"
    environment = {
        "PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "config.settings", "HF_HUB_OFFLINE": "1",
        "KEEPSAKE_DATA": str(settings.KEEPSAKE_DATA),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", setup + script], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_process_that_only_encodes_never_imports_torch(packaged: Encoder) -> None:
    said = _fresh_process("""if True:
        current_encoder().documents(["We chose the blue tile.", "long " * 600])
        current_encoder().query("Which tile?")
        print([name for name in ("torch", "transformers", "sentence_transformers") if name in sys.modules])
    """)
    assert said == "[]"


def test_the_expected_name_is_known_without_loading_the_model(packaged: Encoder) -> None:
    said = _fresh_process("""if True:
        from memory_app.embedding import encoder
        print(current_model_name(), encoder._process.encoder, "torch" in sys.modules)
    """)
    assert said == "all-MiniLM-L6-v2 None False"


def test_a_forked_child_loads_an_encoder_of_its_own(packaged: Encoder) -> None:
    said = _fresh_process("""if True:
        before = current_encoder().query("Which tile?")
        child = os.fork()
        if not child:
            after = current_encoder().queries(["Which tile?"] * 20 + ["Which tea?"])
            os._exit(0 if abs(after[0] @ before - 1) < 1e-5 else 3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    assert said == "0"


@pytest.mark.usefixtures("nothing_loaded")
def test_many_threads_load_one_model_once(tiny: Path, tiny_data: Path, settings: Settings) -> None:
    settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA = str(tiny), tiny_data
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: current_encoder(), range(16)))
    assert all(one is found[0] for one in found)
    assert found[0].dimensions == 12


@pytest.mark.usefixtures("nothing_loaded")
def test_rows_of_a_loaded_model_carry_the_expected_name(tiny: Path, tiny_data: Path, settings: Settings) -> None:
    settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA = str(tiny), tiny_data
    before = current_model_name()
    assert before == current_encoder().name == current_model_name()


def test_many_threads_may_encode_at_once(packaged: Encoder) -> None:
    texts = [f"Alice wrote {number} letters to Bob" for number in range(40)]
    expected = packaged.documents(texts)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: packaged.query(text), texts))
    assert all(abs(one @ other - 1) < 1e-4 for one, other in zip(found, expected, strict=True))


def test_each_load_has_a_cache_of_its_own(tiny: Path, tiny_data: Path) -> None:
    one, other = load_encoder(str(tiny), tiny_data), load_encoder(str(tiny), tiny_data)
    assert one.query("tea") is one.query("tea")
    assert one.query("tea") is not other.query("tea")


def test_another_encoder_can_stand_in_for_a_while() -> None:
    before = current_encoder()
    with use_encoder(WordEncoder()) as words:
        assert current_encoder() is words
        assert current_model_name() == "words"
    assert current_encoder() is before
