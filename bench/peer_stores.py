"""Other memories for assistants, each with the encoder that Keepsake uses: mem0 on pgvector without a language model,
LangGraph's PostgresStore, Chroma. Their packages come with the extra `bench`, best in an environment of their own
(`bench/README.md`). They run in this process, on the same PostgreSQL, in a database of their own.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar
from uuid import uuid4

import chromadb
import psycopg
from django.db import connection
from langgraph.store.base import PutOp
from langgraph.store.postgres import PostgresStore
from psycopg import sql

from config.env import Env
from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.postgres.connection import superuser_connection

os.environ["MEM0_TELEMETRY"] = "False"  # read as mem0 is imported
from mem0 import Memory as Mem0Memory

DATABASE = "peers"
CHUNK = 500

Item = TypeVar("Item")


class Peer(Protocol):
    """One of them. Texts are of a person; what is found is texts, best first."""

    name: str

    def add(self, person: str, text: str) -> None: ...

    def add_all(self, person: str, texts: Sequence[str]) -> None:
        """At most `CHUNK` at a time, in the quickest way that it offers."""

    def fill(self, person: str, texts: Sequence[str], vectors: Vectors) -> None:
        """Past the encoder, for rows that only have to be there."""

    def find(self, person: str, query: str, limit: int) -> list[str]: ...


class Mem0:
    """https://github.com/mem0ai/mem0, `infer=False`: texts are kept as they are."""

    name = "mem0"

    def __init__(self, encoder: Encoder, folder: Path, address: str) -> None:
        vectors = {"connection_string": address, "collection_name": "mem0", "hnsw": True, "diskann": False}
        self._memory = Mem0Memory.from_config(
            {
                "vector_store": {
                    "provider": "pgvector",
                    "config": vectors | {"embedding_model_dims": encoder.dimensions},
                },
                "llm": {"provider": "openai", "config": {"api_key": "none is called"}},
                "embedder": {"provider": "openai", "config": {"api_key": "none is called"}},
                "history_db_path": str(folder / "mem0.db"),
            }
        )
        self._memory.embedding_model = _Mem0Embedder(encoder)

    def add(self, person: str, text: str) -> None:
        self._memory.add(text, user_id=_bare(person), infer=False)

    def add_all(self, person: str, texts: Sequence[str]) -> None:
        self._memory.add([{"role": "user", "content": text} for text in texts], user_id=_bare(person), infer=False)

    def fill(self, person: str, texts: Sequence[str], vectors: Vectors) -> None:
        payloads = [{"data": text, "user_id": _bare(person), "created_at": "2026-01-01T00:00:00Z"} for text in texts]
        self._memory.vector_store.insert(vectors.tolist(), payloads, [str(uuid4()) for _ in texts])

    def find(self, person: str, query: str, limit: int) -> list[str]:
        found = self._memory.search(query, top_k=limit, filters={"user_id": _bare(person)}, threshold=0.0)
        return [item["memory"] for item in found["results"]]


def _bare(person: str) -> str:
    """It takes no name with a space."""
    return person.replace(" ", "-")


class _Mem0Embedder:
    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        encode = self._encoder.queries if memory_action == "search" else self._encoder.documents
        vector: list[float] = encode([text])[0].tolist()
        return vector

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        vectors: list[list[float]] = self._encoder.documents(texts).tolist()
        return vectors


class LangGraph:
    """https://github.com/langchain-ai/langgraph, PostgresStore with its default index."""

    name = "LangGraph"

    def __init__(self, encoder: Encoder, connection: "psycopg.Connection[Any]") -> None:
        self._given: Vectors | None = None
        self._encoder = encoder
        index: Any = {"dims": encoder.dimensions, "embed": self._embed, "fields": ["text"]}
        self._store = PostgresStore(connection, index=index)
        self._store.setup()

    def add(self, person: str, text: str) -> None:
        self._store.put((person,), str(uuid4()), {"text": text})

    def add_all(self, person: str, texts: Sequence[str]) -> None:
        self._store.batch([PutOp((person,), str(uuid4()), {"text": text}) for text in texts])

    def fill(self, person: str, texts: Sequence[str], vectors: Vectors) -> None:
        self._given = vectors
        self.add_all(person, texts)
        self._given = None

    def find(self, person: str, query: str, limit: int) -> list[str]:
        return [str(item.value["text"]) for item in self._store.search((person,), query=query, limit=limit)]

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = (self._encoder.documents(texts) if self._given is None else self._given).tolist()
        return vectors


class Chroma:
    """https://github.com/chroma-core/chroma, embedded, one collection for all people."""

    name = "Chroma"

    def __init__(self, encoder: Encoder, folder: Path) -> None:
        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(folder / "chroma"), settings=settings)
        self._rows = client.create_collection(
            "memories", embedding_function=_ChromaEmbedder(encoder), configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, person: str, text: str) -> None:
        self.add_all(person, [text])

    def add_all(self, person: str, texts: Sequence[str]) -> None:
        self._rows.add(
            [str(uuid4()) for _ in texts], documents=list(texts), metadatas=[{"person": person}] * len(texts)
        )

    def fill(self, person: str, texts: Sequence[str], vectors: Vectors) -> None:
        people: Any = [{"person": person}] * len(texts)
        self._rows.add([str(uuid4()) for _ in texts], embeddings=vectors, documents=list(texts), metadatas=people)

    def find(self, person: str, query: str, limit: int) -> list[str]:
        found = self._rows.query(query_texts=[query], n_results=limit, where={"person": person})
        [documents] = found["documents"]
        return list(documents)


class _ChromaEmbedder:
    """As its EmbeddingFunction."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def __call__(self, input: Any) -> Any:
        return list(self._encoder.documents(list(input)))

    def embed_query(self, input: Any) -> Any:
        return list(self._encoder.queries(list(input)))

    @staticmethod
    def name() -> str:
        return "keepsake-bench"

    @staticmethod
    def is_legacy() -> bool:
        return False

    @staticmethod
    def default_space() -> str:
        return "cosine"

    @staticmethod
    def supported_spaces() -> list[str]:
        return ["cosine"]

    def get_config(self) -> dict[str, Any]:
        return {}


@contextmanager
def peers(encoder: Encoder, folder: Path) -> Iterator[list[Peer]]:
    """All of them, empty. folder: for what they keep in files."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        address = stack.enter_context(_database())
        held = psycopg.connect(address, autocommit=True, prepare_threshold=0, row_factory=psycopg.rows.dict_row)
        stack.callback(held.close)
        mem0 = Mem0(encoder, folder, address)
        stack.callback(mem0._memory.vector_store.connection_pool.close)
        yield [mem0, LangGraph(encoder, held), Chroma(encoder, folder)]


@contextmanager
def _database() -> Iterator[str]:
    """A database beside Keepsake's on the same server, with pgvector; gone afterwards."""
    ours = connection.get_connection_params()
    owner = sql.Identifier(ours["user"])
    with superuser_connection(Env.read(), "postgres") as server:
        if server is None:
            raise RuntimeError("other memories are measured on the embedded server alone")
        server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(DATABASE), owner))
        try:
            with superuser_connection(Env.read(), DATABASE) as inside:
                assert inside is not None
                inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
            yield psycopg.conninfo.make_conninfo(
                "", **{name: ours[name] for name in ("host", "port", "user", "passfile")}, dbname=DATABASE
            )
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(DATABASE)))
