"""What the policy `auto` keeps of what is said before others: it is told to others only where it is harmless."""

import pytest

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api

pytestmark = pytest.mark.django_db

KITCHEN = {"space": "kitchen"}


@pytest.mark.parametrize(
    ("said", "level"),
    [
        ("My brother Tom lost his job in March and lives with us now.", "private"),
        ("I prefer Python over Ruby.", "space"),
    ],
)
def test_only_what_is_harmless_is_kept_for_the_others_too(api: Api, said: str, level: str) -> None:
    api.remember("bob", "The kitchen is open until nine", venue=KITCHEN)
    api.remember("alice", "Tea is at five", venue=KITCHEN)
    api.call("PATCH", "/people/alice", {"extraction_policy": "auto"})
    talk = api.post("/conversations", {"person": "alice", "venue": KITCHEN}).json()["id"]
    turns = [("user", said), ("assistant", "I see."), ("user", "Thanks!"), ("assistant", "You're welcome.")]
    api.post(f"/conversations/{talk}/turns", {"turns": [{"role": role, "content": text} for role, text in turns]})
    api.post(f"/conversations/{talk}/end", {})
    with every_space():
        levels = list(Memory.objects.filter(content=said).values_list("visibility", flat=True))
    assert levels == [level]
    seen = api.get("/memories?space=kitchen&visible=true&person=bob").json()["items"]
    assert (said in {item["content"] for item in seen}) is (level == "space")
