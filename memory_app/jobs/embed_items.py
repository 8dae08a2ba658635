"""Embed items that have no vectors of the configured model: what was brought in, and all of them for a new model."""

from collections.abc import Iterator, Sequence

from django.db.models import Q

from memory_app.embedding.encoder import Encoder
from memory_app.models import Item
from memory_app.models.row_security import every_space
from memory_app.progress import ReportProgress
from memory_app.rules.item_text import item_texts

BATCH_SIZE = 64
"""Items between two commits: a kill loses no more."""


def embed_items(*, encoder: Encoder, report: ReportProgress) -> int:
    """Returns how many. May be killed and run again anywhere. An item that was written meanwhile has its vectors by
    that, and is left alone."""
    done = 0
    for rows in _pages(encoder.name):
        texts = [item_texts(row.value, row.indexed) for row in rows]
        every = [text for of_row in texts for text in of_row]
        vectors = iter(encoder.documents(every) if every else ())
        with every_space():
            for row, of_row in zip(rows, texts, strict=True):
                same = Item.objects.filter(space_id=row.space_id, id=row.id, version=row.version)
                same.update(embedding_model=encoder.name, vectors=[next(vectors) for _ in of_row])
        done += len(rows)
        report(done, done)
    return done


def _pages(model: str) -> Iterator[Sequence[Item]]:
    """By the key, so that each is seen once."""
    after = Q()
    while page := _next_page(model, after):
        yield page
        after = Q(pk__gt=page[-1].pk)


def _next_page(model: str, after: Q) -> list[Item]:
    with every_space():
        rows = Item.objects.awaiting_vectors(model).filter(after).order_by("space_id", "id")
        return list(rows.only("space_id", "id", "value", "indexed", "version")[:BATCH_SIZE])
