"""What stands before pages, and not before calls with a key. Whatever someone wrote, a page holds nothing of it that
nobody sees; what is kept stays as it was written."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils.module_loading import import_string

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


HOOKS = ("process_view", "process_exception", "process_template_response")


def test_middleware_of_pages_has_no_hook_that_django_would_not_call() -> None:
    for name in settings.PAGE_MIDDLEWARE:
        assert not any(hasattr(import_string(name), hook) for hook in HOOKS), name


@pytest.mark.django_db
def test_a_session_opens_pages_and_no_call_that_takes_a_key(alice: Client, api: Api) -> None:
    api.remember("alice", "Alice plays the cello")
    page = alice.get("/memories/")
    assert "plays the cello" in page.content.decode()
    assert hasattr(page.wsgi_request, "session")
    for path in ("/api/v1/memories?person=alice", "/mcp", "/compat/mem0/v1/memories/"):
        refused = alice.get(path)
        assert refused.status_code in (401, 405), path
        assert not hasattr(refused.wsgi_request, "session"), path
        assert "Vary" not in refused, path
