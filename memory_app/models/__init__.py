"""Nouns: each a row and the questions one may ask of it."""

from .channel import Channel
from .idempotency import Idempotency
from .key import ApiKey, Scope
from .membership import Membership
from .memory import Category, Memory, MemoryType, SourceType, Status
from .operation import Operation
from .person import ExtractionPolicy, Person, User
from .receipt import Receipt
from .space import COMMONS, Space, SpaceKind
from .version import VERSIONED, Version

__all__ = [
    "COMMONS",
    "VERSIONED",
    "ApiKey",
    "Category",
    "Channel",
    "ExtractionPolicy",
    "Idempotency",
    "Membership",
    "Memory",
    "MemoryType",
    "Operation",
    "Person",
    "Receipt",
    "Scope",
    "SourceType",
    "Space",
    "SpaceKind",
    "Status",
    "User",
    "Version",
]
