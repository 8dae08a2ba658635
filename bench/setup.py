"""What the measurements share: the server that is measured, and this process's own way to its model and database."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from bench.server import Client, Server
from memory_app.embedding.cached_encoder import CachedEncoder
from memory_app.embedding.encoder import Encoder
from memory_app.embedding.model_files import prepare_model
from memory_app.embedding.onnx_encoder import OnnxEncoder
from memory_app.embedding.torch_encoder import TorchEncoder

SMALL_RUN_DIVISOR = 20


@dataclass(frozen=True)
class BenchSetup:
    """A running server and its key, and the same model loaded here: `model` without the cache of queries before it,
    `library` as sentence-transformers runs it, `exact` with weights of 32 bits for questions too, as every other memory
    uses it. now: when the measuring began."""

    server: Server
    key: str
    encoder: Encoder
    model: Encoder
    library: Encoder
    exact: Encoder
    now: datetime
    small: bool = False

    def size(self, rows: int) -> int:
        """So many rows, or fewer in a small run."""
        return rows // SMALL_RUN_DIVISOR if self.small else rows

    def client(self) -> Client:
        return Client(self.server.port, self.key)

    def person(self, rows: int) -> str:
        """Who has so many memories."""
        return f"owner of {rows}"


def make_setup(server: Server, key: str, *, small: bool = False) -> BenchSetup:
    """Loads the model that the server serves."""
    folder, model_spec = prepare_model(settings.KEEPSAKE_EMBEDDING_MODEL, settings.KEEPSAKE_DATA)
    model = OnnxEncoder.load(folder, model_spec, int8_queries=settings.KEEPSAKE_QUERY_INT8)
    library, exact = TorchEncoder.load(folder, model_spec), OnnxEncoder.load(folder, model_spec)
    return BenchSetup(server, key, CachedEncoder(model), model, library, exact, timezone.now(), small)
