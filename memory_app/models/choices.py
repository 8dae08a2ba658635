"""What a memory may be: its type, its section of the profile, whether it holds, and whence it came."""

from django.db import models

from memory_app.rules.visibility import Visibility


class MemoryType(models.TextChoices):
    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    EVENT = "event"
    PERSON = "person"
    PROJECT = "project"
    MEETING = "meeting"
    JOURNAL = "journal"
    PROFILE = "profile"
    TASK = "task"
    NOTE = "note"
    REFLECTION = "reflection"


class Category(models.TextChoices):
    """The sections of the profile document."""

    PREFERENCE = "preference"
    WORK = "work"
    PERSONAL = "personal"
    READING = "reading"
    FACT = "fact"


class Status(models.TextChoices):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


class SourceType(models.TextChoices):
    EXPLICIT = "explicit"
    EXTRACTED = "extracted"
    MEETING = "meeting"
    JOURNAL = "journal"
    MIGRATION = "migration"
    CONSOLIDATION = "consolidation"
    REFLECTION = "reflection"
    API = "api"


QUOTABLE_SOURCES = (SourceType.EXPLICIT, SourceType.EXTRACTED, SourceType.JOURNAL)
"""Whence a memory is that may hold someone's own words."""

DERIVED_SOURCES = (SourceType.CONSOLIDATION, SourceType.REFLECTION)
"""Whence a reflection is that we made."""

VISIBILITY_CHOICES = [(level.value, level.value) for level in Visibility]
