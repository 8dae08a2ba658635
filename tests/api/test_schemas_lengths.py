"""What a schema lets in, its column takes: a text that is too long is refused by name, never by the database."""

import pytest
from django.db.models import CharField, Model
from pydantic import BaseModel

from memory_app.api.conversations import ConversationIn, TurnIn, TurnsIn
from memory_app.api.people import PersonPatch
from memory_app.api.proposals import AcceptIn, RejectIn
from memory_app.api.recall import ContextIn
from memory_app.api.schemas import MemoryIn, SourceIn
from memory_app.api.venue import VenueIn
from memory_app.models import Channel, Conversation, Memory, Person, Proposal, Receipt, Space, Turn
from tests.conftest import Api

LONGEST_OF_A_CALLER = 200
"""The contract's: what a caller names by strings of its own has 1 to 200 characters."""

STORED: list[tuple[type[BaseModel], str, type[Model], str]] = [
    (ContextIn, "intent", Receipt, "intent"),
    (TurnIn, "intent", Turn, "intent"),
    (TurnsIn, "intent", Turn, "intent"),
    (TurnIn, "speaker", Turn, "speaker"),
    (TurnsIn, "speaker", Turn, "speaker"),
    (ConversationIn, "external_id", Conversation, "external_id"),
    (MemoryIn, "person", Person, "name"),
    (VenueIn, "space", Space, "name"),
    (VenueIn, "channel", Channel, "name"),
    (SourceIn, "speaker", Memory, "source_speaker"),
    (PersonPatch, "display_name", Person, "display_name"),
    (MemoryIn, "key", Memory, "key"),
    (AcceptIn, "key", Proposal, "key"),
    (RejectIn, "reason", Proposal, "reject_reason"),
]
SHORTER = {"key", "reason"}
"""Not the caller's names: a slot and a remark may be shorter."""


def _longest(schema: type[BaseModel], name: str) -> int:
    told = schema.model_json_schema()["properties"][name]
    return max(int(option["maxLength"]) for option in told.get("anyOf", [told]) if option.get("type") == "string")


@pytest.mark.parametrize(("schema", "name", "model", "column"), STORED)
def test_what_a_schema_lets_in_its_column_takes(
    schema: type[BaseModel], name: str, model: type[Model], column: str
) -> None:
    field = model._meta.get_field(column)
    assert isinstance(field, CharField)
    longest = _longest(schema, name)
    assert field.max_length is not None
    assert longest <= field.max_length
    assert longest >= LONGEST_OF_A_CALLER or name in SHORTER


@pytest.mark.django_db
@pytest.mark.parametrize("intent", ["i" * 200, "timer_" + "\N{GRINNING FACE}" * 194])
def test_an_intent_has_up_to_200_characters(api: Api, intent: str) -> None:
    api.remember("alice", "We chose the blue tile for the kitchen")
    asked = {"person": "alice", "query": "Which tile did we choose for the kitchen?", "intent": intent}
    answer = api.post("/context", asked)
    assert answer.status_code == 200, answer.content
    assert api.get(f"/receipts/{answer.json()['receipt']}").json()["intent"] == intent
    assert api.post("/context", {**asked, "intent": "i" * 201}).status_code == 422
    talk = api.post("/conversations", {"person": "alice"}).json()["id"]
    assert (
        api.post(f"/conversations/{talk}/turns", {"role": "user", "content": "Hello", "intent": intent}).status_code
        == 201
    )
