"""An entity as it is listed."""

from datetime import datetime
from uuid import UUID

from memory_app.engine.entities.visible_entities import ListedEntity
from memory_app.serializers import OutputModel


class EntityOut(OutputModel):
    id: UUID
    type: str
    name: str
    mention_count: int
    first_seen: datetime
    last_seen: datetime


def entity_out(listed: ListedEntity) -> EntityOut:
    return EntityOut.of(listed, mention_count=listed.mentions)
