"""Who may be asked, known without importing anything of theirs: `model` loads the one that is configured."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of provider: the module that speaks its language, where it is unless told otherwise, and if it needs no
    key."""

    speaks: str
    base_url: str
    keyless: bool = False


PROVIDERS = {
    "openai": Kind("openai", "https://api.openai.com/v1"),
    "anthropic": Kind("anthropic", "https://api.anthropic.com"),
    "ollama": Kind("openai", "http://127.0.0.1:11434/v1", keyless=True),
}


@dataclass(frozen=True, slots=True)
class Address:
    """Where a model is asked. `official`: at the provider's own address, not at a server that speaks like it."""

    base_url: str
    key: str = field(repr=False)
    model: str
    official: bool = False
