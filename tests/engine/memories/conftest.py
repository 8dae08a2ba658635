"""Alice, and where she lives."""

import pytest

from memory_app.embedding.encoder import Encoder
from memory_app.engine.venue_context import VenueContext, resolve_venue
from memory_app.models import Memory
from tests.engine.memories.saved_memories import save_memory


@pytest.fixture
def alice(db: None) -> VenueContext:
    return resolve_venue(person="alice")


@pytest.fixture
def home(alice: VenueContext, encoder: Encoder) -> Memory:
    return save_memory(alice, encoder, "Alice lives in Paris", key="home")
