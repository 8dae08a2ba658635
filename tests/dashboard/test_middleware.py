"""Whatever someone wrote, a page holds nothing of it that nobody sees; what is kept stays as it was written."""

import re

import pytest
from django.test import Client

from memory_app.models import Memory
from memory_app.models.row_security import every_space
from tests.conftest import Api

WRITTEN = "The code is \u202e1234\u202c,\u2066 not\u2069 this\U000e0041\U000e0042 or\u200b that, 👩\u200d🍳"
HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\U000e0000-\U000e007f]")


@pytest.mark.django_db
def test_invisible_characters_are_removed_from_pages_and_messages(alice: Client, api: Api) -> None:
    kept = api.remember("alice", WRITTEN, summary=WRITTEN)
    for path in ("/", "/memories/", f"/memories/{kept['id']}/", "/recent/", "/search/?q=code"):
        html = alice.get(path).content.decode()
        assert not HIDDEN.search(html), path
    assert "The code is 1234, not this or that, 👩\u200d🍳" in alice.get("/memories/").content.decode()
    for path, said in (("/commands", {"text": "/memories"}), ("/forget", {"utterance": "forget that"})):
        message = api.post(path, {"person": "alice", **said}).json()["message"]
        assert "1234, not this" in message
        assert not HIDDEN.search(message)
    with every_space():
        assert Memory.objects.get(id=kept["id"]).content == WRITTEN
