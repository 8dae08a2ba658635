"""What a deployer may set, read once from the environment; everything else is a constant beside its use.

Leaves to `settings.py` what Django makes of it. Nothing here touches a database.
"""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from memory_app.llm.providers import PROVIDERS

ROOT = Path(__file__).resolve().parent.parent
# 64 characters of 6 bits: well over the 50 characters and 128 bits that Django asks of a key.
SECRET_KEY_BYTES = 48
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
ANY_ADDRESS = ("", "0.0.0.0", "::")


class Env(BaseSettings):
    """The environment, checked. An empty variable counts as one that is not set."""

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True, extra="ignore")

    port: int = Field(default=8000, validation_alias="PORT", ge=1, le=65535)
    host: str = Field(default="127.0.0.1", validation_alias="HOST")
    data: Path = Field(default=ROOT / "var", validation_alias="KEEPSAKE_DATA")
    database_url: SecretStr | None = Field(default=None, validation_alias="DATABASE_URL")
    embedding_model: str = Field(default="", validation_alias="KEEPSAKE_EMBEDDING_MODEL")
    # Whether questions are encoded with weights of 8 bits. What is stored never is.
    query_int8: bool = Field(default=True, validation_alias="KEEPSAKE_QUERY_INT8")
    llm: str = Field(default="", validation_alias="KEEPSAKE_LLM")
    llm_base_url: str = Field(default="", validation_alias="KEEPSAKE_LLM_BASE_URL")
    llm_api_key: SecretStr | None = Field(default=None, validation_alias="KEEPSAKE_LLM_API_KEY")
    # 0: nobody waits, and what it says comes later. No longer than a client waits for an answer.
    llm_seconds: float = Field(default=8.0, validation_alias="KEEPSAKE_LLM_SECONDS", ge=0, le=30)
    # Whether it also says which lines of a brief help with the question. Each brief then waits for it.
    llm_briefs: bool = Field(default=False, validation_alias="KEEPSAKE_LLM_BRIEFS")
    # "llm", or the name or folder of a cross-encoder of sentence-transformers.
    reranker: str = Field(default="", validation_alias="KEEPSAKE_RERANKER")
    rerank_seconds: float = Field(default=2.0, validation_alias="KEEPSAKE_RERANK_SECONDS", gt=0, le=60)
    # off: nothing is listened to or stored of anyone.
    memory: bool = Field(default=True, validation_alias="KEEPSAKE_MEMORY")
    auto_confidence: float = Field(default=0.7, validation_alias="KEEPSAKE_AUTO_CONFIDENCE", ge=0, le=1)
    proposals: int = Field(default=5, validation_alias="KEEPSAKE_PROPOSALS", ge=1, le=20)
    # Per day, of what someone asked to have kept; what was noticed fades three times as fast.
    fade_rate: float = Field(default=0.01, validation_alias="KEEPSAKE_FADE_RATE", ge=0, le=1)
    fade_below: float = Field(default=0.05, validation_alias="KEEPSAKE_FADE_BELOW", gt=0, lt=1)
    note_days: int = Field(default=90, validation_alias="KEEPSAKE_NOTE_DAYS", ge=1, le=36500)
    log_days: int = Field(default=90, validation_alias="KEEPSAKE_LOG_DAYS", ge=1, le=36500)
    # Of one person: what assistants store under namespaces and keys.
    items: int = Field(default=100_000, validation_alias="KEEPSAKE_ITEMS", ge=0, le=10_000_000)
    profile_words: int = Field(default=2000, validation_alias="KEEPSAKE_PROFILE_WORDS", ge=50, le=20000)
    # off: assistants call with keys alone, and none can sign in.
    oauth: bool = Field(default=True, validation_alias="KEEPSAKE_OAUTH")
    debug: bool = Field(default=False, validation_alias="KEEPSAKE_DEBUG")
    # The address people type when a proxy stands in front: its host is then accepted, and its origin trusted.
    public_url: str = Field(default="", validation_alias="KEEPSAKE_PUBLIC_URL")

    @field_validator("data", mode="after")
    @classmethod
    def _absolute(cls, data: Path) -> Path:
        return data.expanduser().absolute()

    @field_validator("database_url", mode="after")
    @classmethod
    def _postgresql(cls, url: SecretStr | None) -> SecretStr | None:
        if url and urlsplit(url.get_secret_value()).scheme not in ("postgres", "postgresql"):
            raise ValueError("should look like postgresql://user:password@host:5432/database")
        return url

    @field_validator("llm", mode="after")
    @classmethod
    def _provider_and_model(cls, llm: str) -> str:
        provider, _, model = llm.partition(":")
        if llm and not (provider and model):
            raise ValueError("should look like openai:gpt-5-mini, that is provider:model")
        if llm and provider not in PROVIDERS:
            raise ValueError(f"names no provider that Keepsake knows; it knows {', '.join(PROVIDERS)}")
        return llm

    @field_validator("public_url", "llm_base_url", mode="after")
    @classmethod
    def _web_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and not (parts.scheme in ("http", "https") and parts.hostname):
            raise ValueError("should look like https://memory.example.org")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _reranker_is_there(self) -> Self:
        if self.reranker == "llm" and not self.llm:
            raise ValueError("KEEPSAKE_RERANKER: llm needs KEEPSAKE_LLM")
        return self

    @property
    def embedded(self) -> bool:
        """Whether the database is the one that Keepsake starts by itself."""
        return self.database_url is None

    @property
    def allowed_hosts(self) -> list[str]:
        """Host names that requests may carry: loopback, HOST where it names one, and that of KEEPSAKE_PUBLIC_URL."""
        named = [] if self.host in ANY_ADDRESS else [f"[{self.host}]" if ":" in self.host else self.host]
        public = urlsplit(self.public_url).hostname
        return list(dict.fromkeys([*LOOPBACK, *named, *([public] if public else [])]))

    @property
    def address(self) -> str:
        """Where a browser on this machine reaches the web server, without a slash at the end."""
        host = "127.0.0.1" if self.host in ANY_ADDRESS else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @classmethod
    def read(cls) -> Self:
        """The environment of this process. A bad value ends the process with one line that names the variable."""
        try:
            return cls()
        except ValidationError as error:
            raise SystemExit(_error_line(error)) from None


def _error_line(error: ValidationError) -> str:
    """Names each variable and what it should be. Values are left out, for some are secrets."""
    problems = [
        ": ".join([*map(str, problem["loc"]), problem["msg"].removeprefix("Value error, ")])
        for problem in error.errors(include_input=False, include_url=False)
    ]
    return "keepsake: bad environment: " + "; ".join(problems)


def data_folder(data: Path) -> Path:
    """Makes the data folder if it is not there, closed to other users.

    Started as root, the database runs as a user with few rights who must pass through this folder (not read it)
    to reach its own one within. A folder that cannot be used ends the process with one line.
    """
    try:
        data.mkdir(mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"keepsake: KEEPSAKE_DATA: {error.filename}: {error.strerror}") from None
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise SystemExit(f"keepsake: KEEPSAKE_DATA: {data} belongs to another user: start Keepsake as that user.")
    return data


def secret_key(data: Path) -> str:
    """The key that signs sessions and tokens: made once, readable by its owner alone.

    A hard link either puts the whole file in place or fails because another process was first; both then read the same.
    """
    path = data_folder(data) / "secret_key"
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(prefix=".secret_key-", dir=data)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(SECRET_KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            os.unlink(draft)
    return path.read_text()
