"""Nouns: each a row and the questions one may ask of it."""

from memory_app.models.api_key import ApiKey, Scope
from memory_app.models.choices import Category, MemoryType, SourceType, Status
from memory_app.models.conflict import Conflict, ConflictAnswer
from memory_app.models.conversation import Conversation, Mode, Role, Turn, TurnOutcome
from memory_app.models.daily_run import DailyRun
from memory_app.models.document import Document
from memory_app.models.entity import Entity, EntityLink, EntityType, LinkSource
from memory_app.models.erasure import Erased, Erasure, Tombstone
from memory_app.models.history_import import HistoryImport, ImportPart, ImportState
from memory_app.models.idempotency import Idempotency
from memory_app.models.item import Item
from memory_app.models.jobs import Attempt, JobRun, JobState, TakenTask
from memory_app.models.memory import Memory
from memory_app.models.note import Note
from memory_app.models.oauth_authorization import OAuthAuthorization
from memory_app.models.operation import Operation
from memory_app.models.person import ExtractionPolicy, Membership, Person, SensitivePolicy, User
from memory_app.models.person_merge import Merge
from memory_app.models.proposal import ExtractionRun, Proposal, ProposalStatus, Relation, Trigger
from memory_app.models.receipt import Receipt
from memory_app.models.search import Search
from memory_app.models.segment import Segment
from memory_app.models.signal import Signal, SignalKind
from memory_app.models.space import COMMONS, Channel, Space, SpaceKind
from memory_app.models.token import Token
from memory_app.models.version import VERSIONED, Version

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
    "Document",
    "Entity",
    "EntityLink",
    "EntityType",
    "Erased",
    "Erasure",
    "ExtractionPolicy",
    "ExtractionRun",
    "HistoryImport",
    "Idempotency",
    "ImportPart",
    "ImportState",
    "Item",
    "JobRun",
    "JobState",
    "LinkSource",
    "Membership",
    "Memory",
    "MemoryType",
    "Merge",
    "Mode",
    "Note",
    "OAuthAuthorization",
    "Operation",
    "Person",
    "Proposal",
    "ProposalStatus",
    "Receipt",
    "Relation",
    "Role",
    "Scope",
    "Search",
    "Segment",
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
