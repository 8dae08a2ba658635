"""What the measurements share: the server that is measured, and this process's own way to its model and database."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from bench.client import Client
from bench.server import Server
from memory_app.embedding.encoder import Encoder
from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.prepare import prepare
from memory_app.embedding.served import ServedEncoder
from memory_app.embedding.torch_encoder import TorchEncoder

SMALLER = 20


@dataclass(frozen=True)
class Ground:
    """A running server and its key, and the same model loaded here: `model` without the cache of queries before it,
    `library` as sentence-transformers runs it. now: when the measuring began."""

    server: Server
    key: str
    encoder: Encoder
    model: Encoder
    library: Encoder
    now: datetime
    small: bool = False

    def size(self, rows: int) -> int:
        """So many rows, or fewer in a small run."""
        return rows // SMALLER if self.small else rows

    def client(self) -> Client:
        return Client(self.server.port, self.key)

    def person(self, rows: int) -> str:
        """Who has so many memories."""
        return f"owner of {rows}"


def prepared(server: Server, key: str, *, small: bool = False) -> Ground:
    """Loads the model that the server serves."""
    folder, recipe = prepare(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
    model, library = OnnxEncoder.load(folder, recipe), TorchEncoder.load(folder, recipe)
    return Ground(server, key, ServedEncoder(model), model, library, timezone.now(), small)
