"""A line of the server's log tells where an error was raised and of what kind; never what it says."""

import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.conf import settings
from django.db import DataError, connection, transaction
from django.template import Context, Template
from django.template.base import VariableDoesNotExist
from django.test import Client, RequestFactory
from structlog.stdlib import ProcessorFormatter

from memory_app.errors import NotFound
from memory_app.models import Memory
from tests.conftest import Api

WORDS = "heliotrope parrot"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """All that is logged, as the server writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    formatters: Any = settings.LOGGING["formatters"]
    given = {name: value for name, value in formatters["line"].items() if name != "()"}
    handler.setFormatter(ProcessorFormatter(**given))
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def _fails() -> None:
    raise ValueError(f"invalid literal: {WORDS!r}")


def test_an_error_is_told_by_its_kind_and_its_calls(lines: io.StringIO) -> None:
    for logger in (logging.getLogger("plain"), structlog.get_logger("own")):
        try:
            _fails()
        except ValueError:
            logger.exception("it failed")
    told = lines.getvalue()
    assert told.count("ValueError") == 2
    assert told.count(" in _fails") == 2
    assert "heliotrope" not in told


def test_what_led_to_it_is_told_too_and_ours_speak_for_themselves(lines: io.StringIO) -> None:
    try:
        try:
            _fails()
        except ValueError as error:
            raise NotFound("There is nothing of that id.") from error
    except NotFound as error:
        logging.getLogger("plain").error("it failed", exc_info=error)
    told = lines.getvalue()
    assert "ValueError" in told
    assert "which led to" in told
    assert "NotFound: There is nothing of that id." in told
    assert "heliotrope" not in told


def test_what_a_template_was_to_show_is_not_told(lines: io.StringIO) -> None:
    try:
        Template("{% if memory.summary|add:nothing.at.all %}{% endif %}{{ memory.x|default:y.z }}").render(
            Context({"memory": Memory(summary=WORDS), "request": RequestFactory().get("/")})
        )
        raise VariableDoesNotExist("Failed lookup for key [%s] in %r", ("y", {"memory": WORDS}))
    except VariableDoesNotExist:
        logging.getLogger("django.request").exception("Internal Server Error: /")
    assert "VariableDoesNotExist" in lines.getvalue()
    assert "heliotrope" not in lines.getvalue()


@pytest.mark.django_db
def test_a_row_that_the_database_refused_is_not_told(lines: io.StringIO) -> None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT %s::uuid", [WORDS])
    except DataError:
        logging.getLogger("plain").exception("it failed")
    assert "DataError" in lines.getvalue()
    assert "heliotrope" not in lines.getvalue()


@pytest.mark.django_db
def test_what_is_looked_for_is_not_told(lines: io.StringIO) -> None:
    assert Client().get("/nowhere/", {"q": "heliotrope"}).status_code == 404
    assert "an unknown address" in lines.getvalue()
    assert "heliotrope" not in lines.getvalue()


@pytest.mark.django_db
def test_whom_and_what_an_address_names_is_not_told(lines: io.StringIO, api: Api) -> None:
    for path in ("/people/heliotrope parrot/stats", "/admin/jobs/heliotrope%20parrot", "/heliotrope"):
        assert api.get(path).status_code == 404
    assert api.call("PUT", "/people/heliotrope/profile.md").status_code == 422
    told = lines.getvalue()
    assert "Not Found: /api/v1/people/{person}/stats" in told
    assert "request='PUT /api/v1/people/{person}/profile.md'" in told
    assert "heliotrope" not in told


@pytest.mark.django_db
def test_ids_in_an_address_are_told(lines: io.StringIO, api: Api) -> None:
    assert api.get("/memories/019a0000-0000-7000-8000-000000000001").status_code == 404
    assert "/api/v1/memories/019a0000-0000-7000-8000-000000000001" in lines.getvalue()
