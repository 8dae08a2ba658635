"""Nouns: each a row and the questions one may ask of it."""

from .attempt import Attempt
from .channel import Channel
from .choices import Category, MemoryType, SourceType, Status
from .conflict import Conflict, ConflictAnswer
from .conversation import Conversation, Mode, Role, Turn, TurnOutcome
from .daily_run import DailyRun
from .entity import Entity, EntityLink, EntityType, LinkSource
from .erasure import Erased, Erasure, Tombstone
from .idempotency import Idempotency
from .jobrun import JobRun, JobState
from .key import ApiKey, Scope
from .membership import Membership
from .memory import Memory
from .merge import Merge
from .note import Note
from .operation import Operation
from .person import ExtractionPolicy, Person, SensitivePolicy, User
from .proposal import ExtractionRun, Proposal, ProposalStatus, Relation, Trigger
from .receipt import Receipt
from .search import Search
from .signal import Signal, SignalKind
from .space import COMMONS, Space, SpaceKind
from .taken_task import TakenTask
from .token import Token
from .version import VERSIONED, Version

__all__ = [
    "COMMONS",
    "VERSIONED",
    "ApiKey",
    "Attempt",
    "Category",
    "Channel",
    "Conflict",
    "ConflictAnswer",
    "Conversation",
    "DailyRun",
    "Entity",
    "EntityLink",
    "EntityType",
    "Erased",
    "Erasure",
    "ExtractionPolicy",
    "ExtractionRun",
    "Idempotency",
    "JobRun",
    "JobState",
    "LinkSource",
    "Membership",
    "Memory",
    "MemoryType",
    "Merge",
    "Mode",
    "Note",
    "Operation",
    "Person",
    "Proposal",
    "ProposalStatus",
    "Receipt",
    "Relation",
    "Role",
    "Scope",
    "Search",
    "SensitivePolicy",
    "Signal",
    "SignalKind",
    "SourceType",
    "Space",
    "SpaceKind",
    "Status",
    "TakenTask",
    "Token",
    "Tombstone",
    "Trigger",
    "Turn",
    "TurnOutcome",
    "User",
    "Version",
]
