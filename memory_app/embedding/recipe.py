"""A prepared model on disk: the files a process needs to encode, and the recipe that says how.

A folder counts only with a recipe whose files are all there in full: the recipe is written last, and the folder is
renamed into place whole. Leaves to `export` how the files are made.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, Self
from urllib.parse import quote

RECIPE = "recipe.json"
TOKENIZER = "tokenizer.json"
GRAPH = "model.onnx"
WEIGHTS = "weights.bin"
# Raised when the files or the recipe change meaning; part of the folder's name, so that old and new never mix.
FORMAT = 1


@dataclass(frozen=True)
class Recipe:
    """How to run a prepared model.

    `max_tokens` counts special tokens; `files` are the sizes in bytes; `reason` says why it is not run by ONNX.
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
    files: dict[str, int] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        (folder / RECIPE).write_text(json.dumps(asdict(self), indent=1, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The recipe of a folder that can be trusted, or None."""
        try:
            recipe = cls(**json.loads((folder / RECIPE).read_text(encoding="utf-8")))
            whole = all((folder / file).stat().st_size == size for file, size in recipe.files.items())
        except (OSError, ValueError, TypeError):
            return None
        return recipe if whole and recipe.files else None


def folder_of(name: str, data: Path) -> Path:
    """Where the prepared model of that name lives under the data folder."""
    return data / "models" / f"{quote(name, safe='@')}.{FORMAT}"
