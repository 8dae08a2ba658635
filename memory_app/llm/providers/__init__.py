"""Who may be asked, known without importing anything of theirs: `model` loads the one that is configured."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ProviderKind:
    """A kind of provider: the module that speaks its language, where it is unless told otherwise, and if it needs no
    key."""

    protocol_module: str
    base_url: str
    keyless: bool = False


PROVIDERS = {
    "openai": ProviderKind("openai", "https://api.openai.com/v1"),
    "anthropic": ProviderKind("anthropic", "https://api.anthropic.com"),
    "ollama": ProviderKind("openai", "http://127.0.0.1:11434/v1", keyless=True),
}


@dataclass(frozen=True, slots=True)
class ModelAddress:
    """Where a model is asked. `official`: at the provider's own address, not at a server that speaks like it."""

    base_url: str
    key: str = field(repr=False)
    model: str
    official: bool = False
