"""Readers of names: slower and more accurate than their form alone tells. spaCy where it and one of its models are
installed, a language model where one is set, both where both are; else none.

spaCy takes seconds and hundreds of megabytes to import, so it is imported by name when a night's work needs it.
"""

import importlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Any, Protocol

from memory_app.llm.model import Model, configured_model
from memory_app.llm.prompts import names as prompt
from memory_app.nlp.entities.find_entities import Entity, without_overlaps
from memory_app.nlp.privacy.sensitive import sensitive_kinds

LABELS = {
    "PERSON": "person",
    "PER": "person",
    "ORG": "organization",
    "GPE": "location",
    "LOC": "location",
    "FAC": "location",
    "PRODUCT": "topic",
    "WORK_OF_ART": "topic",
    "LANGUAGE": "topic",
}
"""What spaCy's models call things, and what they are here; the rest (dates, sums, nationalities) is left out."""

SPACY_CONFIDENCE, MODEL_CONFIDENCE = 0.85, 0.8
"""How far each is believed where two readings overlap: a mark of its own or a known name before them, a guess after."""

SIZES = ("trf", "lg", "md", "sm")
MAX_TEXT = 4_000
"""Characters of one text, as by form."""

NamesByText = list[tuple[Entity, ...]]


class NameReader(Protocol):
    """Something that reads names. `name` tells rows who read them."""

    @property
    def name(self) -> str: ...

    def read(self, texts: Sequence[str]) -> NamesByText:
        """The names of each text, in order of place."""


class SpacyReader:
    """An installed spaCy model, by its package name."""

    def __init__(self, package: str) -> None:
        self.name = f"spacy:{package}"
        spacy = importlib.import_module("spacy")
        self._pipeline: Any = spacy.load(package)

    def read(self, texts: Sequence[str]) -> NamesByText:
        documents = self._pipeline.pipe([text[:MAX_TEXT] for text in texts])
        return [tuple(_from_spacy(span) for span in document.ents if span.label_ in LABELS) for document in documents]


class ModelReader:
    """The language model. Sensitive texts are not shown to it. Raises ModelError."""

    def __init__(self, model: Model) -> None:
        self.name, self._model = f"{prompt.PROMPT_ID} {model.name}", model

    def read(self, texts: Sequence[str]) -> NamesByText:
        readable = [index for index, text in enumerate(texts) if not sensitive_kinds(text)]
        found: NamesByText = [() for _ in texts]
        if readable:
            answer = self._model.ask(prompt.prompt([texts[index][:MAX_TEXT] for index in readable]), prompt.Names)
            for number, index in enumerate(readable, 1):
                names = [name for name in answer.value.names if name.memory == number]
                found[index] = tuple(_from_model(names, texts[index]))
        return found


class CombinedReader:
    """Two readers; of overlapping names the surer, then the longer stands."""

    def __init__(self, first: NameReader, second: NameReader) -> None:
        self.name, self._readers = f"{first.name} {second.name}", (first, second)

    def read(self, texts: Sequence[str]) -> NamesByText:
        read = [reader.read(texts) for reader in self._readers]
        return [tuple(without_overlaps([*one, *other])) for one, other in zip(*read, strict=True)]


def name_reader() -> NameReader | None:
    """The readers that there are, as one; None where there is none."""
    package, model = installed_model(), configured_model()
    spacy = _load_spacy(package) if package else None
    by_model = ModelReader(model) if model else None
    if spacy and by_model:
        return CombinedReader(spacy, by_model)
    return spacy or by_model


def installed_model() -> str | None:
    """The best model of those installed: for English, else for many languages, else any; the largest."""
    if importlib.util.find_spec("spacy") is None:
        return None
    packages = {point.name for point in entry_points(group="spacy_models")}
    return min(packages, key=_rank, default=None)


def _rank(package: str) -> tuple[int, int, str]:
    language, size = package.partition("_")[0], package.rpartition("_")[2]
    return (
        {"en": 0, "xx": 1}.get(language, 2),
        SIZES.index(size) if size in SIZES else len(SIZES),
        package,
    )


# Kept: loading takes seconds.
@lru_cache(maxsize=1)
def _load_spacy(package: str) -> SpacyReader:
    return SpacyReader(package)


def _from_spacy(span: Any) -> Entity:
    text = span.text.strip()
    bare = text.removesuffix("'s").removesuffix("’s")
    return Entity(text, bare, LABELS[span.label_], SPACY_CONFIDENCE, (span.start_char, span.end_char))


def _from_model(names: Sequence[prompt.Name], text: str) -> list[Entity]:
    """Those that do stand in the text; what is not there was invented."""
    found = []
    for name in names:
        start = text.find(name.text) if name.text.strip() else -1
        if start >= 0 and name.type in prompt.TYPES and _is_part_of(name.name, name.text):
            span = (start, start + len(name.text))
            found.append(Entity(name.text, " ".join(name.name.split()), name.type, MODEL_CONFIDENCE, span))
    return without_overlaps(found)


def _is_part_of(name: str, surface: str) -> bool:
    """Whether a name is made of the very words it is said to stand for."""
    return bool(name.strip()) and " ".join(name.casefold().split()) in " ".join(surface.casefold().split())
