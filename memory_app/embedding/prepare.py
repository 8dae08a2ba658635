"""Make sure that a model is ready to be loaded: exported once, in a process of its own that may import torch.

Call it before children start. Two at once wait for each other (`export` holds the lock); one killed leaves nothing
that counts as ready.
"""

import logging
import subprocess
import sys
from pathlib import Path

from memory_app.embedding.errors import ModelUnavailable
from memory_app.embedding.recipe import Recipe, folder_of
from memory_app.embedding.source import source

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
EXPORT = "memory_app.embedding.export"


def prepare(setting: str, data: Path) -> tuple[Path, Recipe]:
    """The folder and recipe of the model that the setting means; ModelUnavailable when it cannot be made.

    Milliseconds when it is there; the first time ten seconds and more, and a download for a name on the hub.
    """
    model = source(setting)
    folder = folder_of(model.name, data.absolute())
    recipe = Recipe.read(folder)
    if recipe is None:
        logger.info("preparing the embedding model %s, once", model.name)
        _export(model.reference if not model.packaged else "", data.absolute())
        recipe = Recipe.read(folder)
    if recipe is None:
        raise ModelUnavailable(f"the embedding model {model.name} was prepared, but {folder} is not whole")
    if recipe.reason:
        logger.warning("%s is run by sentence-transformers, not ONNX: %s", model.name, recipe.reason)
    return folder, recipe


def _export(setting: str, data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", EXPORT, setting, str(data)],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        said = (done.stdout.strip() or done.stderr.strip())[-500:] or "it said nothing"
        which = setting or "(packaged)"
        raise ModelUnavailable(f"the embedding model {which} could not be prepared (exit {done.returncode}): {said}")
