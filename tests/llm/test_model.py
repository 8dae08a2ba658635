"""A model is asked over HTTP through the providers' own packages, and whatever comes back is checked."""

import gzip
import logging
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator

import pytest
from pydantic import BaseModel
from pytest_django import Settings

from config.env import ROOT
from memory_app.llm import model as language_model
from memory_app.llm.model import (
    AnswerTooLong,
    BadAnswer,
    CircuitOpen,
    ConfigurationRejected,
    Model,
    ModelError,
    ModelTimeout,
    NotInstalled,
    Prompt,
    RateLimited,
    Refused,
    Unreachable,
    configured_model,
)
from memory_app.llm.providers import ModelAddress, anthropic, openai
from memory_app.llm.providers.client import Limits
from memory_app.llm.remote import CircuitBreaker, RemoteModel
from tests.model_server import (
    ModelServer,
    Reply,
    answers,
    fails,
    hangs_up,
    model_server,
    never,
    resets,
    says,
    trickles,
)

QUICK = Limits(connect_seconds=2.0, answer_seconds=0.5, max_bytes=10_000)
PATIENT = Limits(connect_seconds=10.0, answer_seconds=20.0, max_bytes=10_000)
PROMPT = Prompt("colour-1", "You name a colour.", "What does Alice like? Her word is hush-hush.", 50)


class Colour(BaseModel):
    name: str
    sure: bool = False


GOOD = answers({"name": "blue", "sure": True})


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture(params=["openai", "anthropic"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def _model(
    kind: str,
    server: ModelServer,
    limits: Limits = PATIENT,
    breaker: CircuitBreaker | None = None,
    sleep: Callable[[float], None] = lambda seconds: None,
) -> Model:
    module, path = {"openai": (openai, "/v1"), "anthropic": (anthropic, "")}[kind]
    address = ModelAddress(server.url + path, "sk-hidden", "small")
    return RemoteModel(f"{kind}:small", lambda: module.provider(address, limits), breaker=breaker, sleep=sleep)


@pytest.fixture
def model(kind: str, server: ModelServer) -> Model:
    return _model(kind, server)


def test_a_good_answer_comes_with_what_it_cost(kind: str, model: Model, server: ModelServer) -> None:
    server.will(GOOD)
    answer = model.ask(PROMPT, Colour)
    assert answer.value == Colour(name="blue", sure=True)
    assert (answer.source.prompt, answer.source.model) == ("colour-1", f"{kind}:small")
    assert (answer.source.tokens_in, answer.source.tokens_out) == (120, 30)
    assert answer.source.extractor == f"colour-1 {kind}:small"
    assert server.texts == ["What does Alice like? Her word is hush-hush."]
    assert server.keys == ["sk-hidden"]


def test_the_schema_is_asked_for_in_the_form_that_structured_outputs_take(model: Model, server: ModelServer) -> None:
    server.will(GOOD)
    model.ask(PROMPT, Colour)
    asked = server.requests[0]
    form = asked.get("output_config", {}).get("format") or asked["response_format"]["json_schema"]
    assert form["schema"] == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "sure": {"type": "boolean"}},
        "required": ["name", "sure"],
        "additionalProperties": False,
    }


def test_a_server_without_structured_outputs_is_asked_in_the_older_way(model: Model, server: ModelServer) -> None:
    server.older = True
    server.will(GOOD)
    assert model.ask(PROMPT, Colour).value.name == "blue"
    assert model.ask(PROMPT, Colour).value.name == "blue"
    # Once refused, the newer way is not tried again.
    assert len(server.requests) == 3


def test_json_mode_tells_the_schema_in_words(server: ModelServer) -> None:
    server.older = True
    server.will(GOOD)
    _model("openai", server).ask(PROMPT, Colour)
    asked = server.requests[-1]
    assert asked["response_format"] == {"type": "json_object"}
    assert '"name"' in asked["messages"][0]["content"]
    assert asked["max_tokens"] == 50


def test_anthropic_is_made_to_use_the_tool_in_the_older_way(server: ModelServer) -> None:
    server.older = True
    server.will(GOOD)
    _model("anthropic", server).ask(PROMPT, Colour)
    assert server.requests[-1]["tool_choice"] == {"type": "tool", "name": "answer"}


@pytest.mark.parametrize(
    "text",
    ['```json\n{"name": "blue"}\n```', 'Here it is: {"name": "blue"}. Anything else?', '{"name": "blue", "x": 1}'],
)
def test_fences_and_words_around_the_json_are_passed_over(text: str, model: Model, server: ModelServer) -> None:
    server.will(answers(text))
    assert model.ask(PROMPT, Colour).value.name == "blue"


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (answers('{"name": "blu'), "The language model's answer is no JSON."),
        (answers(""), "The language model's answer is no JSON."),
        (answers({"colour": "hush-hush"}), "The language model's answer has a fault at name: missing."),
        (answers({"name": {"hush-hush": 1}}), "The language model's answer has a fault at name: string_type."),
        (answers("[" * 5_000), "The language model's answer is no JSON."),
        (answers('{"name": ' + "[" * 4_000), "The language model's answer is no JSON."),
    ],
)
def test_an_answer_of_another_form_is_asked_for_again_and_then_bad(
    reply: Reply, message: str, model: Model, server: ModelServer
) -> None:
    server.will(reply)
    with pytest.raises(BadAnswer) as failed:
        model.ask(PROMPT, Colour)
    assert str(failed.value) == message
    assert len(server.requests) == 2
    assert (failed.value.tokens_in, failed.value.tokens_out) == (240, 60)


def test_a_second_answer_may_be_better(model: Model, server: ModelServer) -> None:
    server.will(answers("I like blue."), GOOD)
    answer = model.ask(PROMPT, Colour)
    assert answer.value.name == "blue"
    assert (answer.source.tokens_in, answer.source.tokens_out) == (240, 60)


@pytest.mark.parametrize(
    "body",
    [b"", b"blue", b"[]", b"null", b'{"choices": []}', b'{"choices": [null], "content": 1}', b"\xff\xfe{"],
)
def test_what_is_no_answer_of_the_provider_is_bad(body: bytes, model: Model, server: ModelServer) -> None:
    server.will(says(body))
    with pytest.raises(BadAnswer):
        model.ask(PROMPT, Colour)


def test_a_compressed_answer_is_not_unpacked(model: Model, server: ModelServer) -> None:
    whole = b'{"choices": [{"message": {"content": "{\\"name\\": \\"blue\\"}"}}], "content": []}'
    server.will(says(gzip.compress(whole), Content_Encoding="gzip"))
    with pytest.raises(BadAnswer):
        model.ask(PROMPT, Colour)


def test_a_refusal_is_not_asked_again(model: Model, server: ModelServer) -> None:
    server.will(answers({"name": "blue"}, stopped="refusal"))
    with pytest.raises(Refused) as failed:
        model.ask(PROMPT, Colour)
    assert len(server.requests) == 1
    assert failed.value.tokens_in == 120


def test_an_answer_that_is_cut_off_is_too_large(model: Model, server: ModelServer) -> None:
    server.will(answers({"name": "blue"}, stopped="length"))
    with pytest.raises(AnswerTooLong, match="did not fit in 50 tokens"):
        model.ask(PROMPT, Colour)
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [answers({"name": "b" * 1_000_000}), says(b"x" * 1_000_000)])
def test_a_megabyte_is_not_read(reply: Reply, model: Model, server: ModelServer) -> None:
    server.will(reply)
    with pytest.raises(AnswerTooLong):
        model.ask(PROMPT, Colour)
    assert len(server.requests) == 1


def test_a_megabyte_of_error_is_not_read_either(model: Model, server: ModelServer) -> None:
    server.will(lambda exchange: exchange.sent(b"x" * 1_000_000, 500))
    with pytest.raises(AnswerTooLong):
        model.ask(PROMPT, Colour)


@pytest.mark.parametrize("reply", [never, trickles])
def test_an_answer_that_does_not_come_in_time_is_given_up(reply: Reply, kind: str, server: ModelServer) -> None:
    server.will(reply)
    with pytest.raises(ModelTimeout):
        _model(kind, server, QUICK).ask(PROMPT, Colour)
    assert len(server.requests) == 2


@pytest.mark.parametrize("reply", [fails(500), fails(503), fails(529), resets, hangs_up])
def test_a_server_in_trouble_is_asked_once_more(reply: Reply, model: Model, server: ModelServer) -> None:
    server.will(reply, GOOD)
    assert model.ask(PROMPT, Colour).value.name == "blue"
    server.will(reply)
    with pytest.raises(Unreachable):
        model.ask(PROMPT, Colour)


def test_where_nobody_listens_the_model_cannot_be_reached(kind: str) -> None:
    with model_server() as server:
        model = _model(kind, server)
    with pytest.raises(Unreachable):
        model.ask(PROMPT, Colour)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_or_model_that_is_not_accepted_is_not_tried_again(status: int, model: Model, server: ModelServer) -> None:
    server.will(fails(status))
    with pytest.raises(ConfigurationRejected):
        model.ask(PROMPT, Colour)
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed(model: Model, server: ModelServer) -> None:
    with model_server() as elsewhere:
        elsewhere.will(GOOD)
        server.will(lambda exchange: exchange.sent(b"", 307, Location=f"{elsewhere.url}{exchange.path}"))
        with pytest.raises(Unreachable):
            model.ask(PROMPT, Colour)
        assert elsewhere.requests == []


def test_a_short_pause_asked_for_is_kept(kind: str, server: ModelServer) -> None:
    pauses: list[float] = []
    server.will(fails(429, Retry_After="7"), GOOD)
    assert _model(kind, server, sleep=pauses.append).ask(PROMPT, Colour).value.name == "blue"
    assert pauses == [7.0]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "3600"}, 3600.0),
        ({"Retry_After": "Fri, 20 Nov 2026 10:10:00 GMT", "Date": "Fri, 20 Nov 2026 10:00:00 GMT"}, 600.0),
    ],
)
def test_a_long_pause_asked_for_is_left_to_a_later_run(
    headers: dict[str, str], seconds: float, model: Model, server: ModelServer
) -> None:
    server.will(_dated_failure(headers))
    with pytest.raises(RateLimited) as failed:
        model.ask(PROMPT, Colour)
    assert failed.value.retry_after == seconds
    assert len(server.requests) == 1


def _dated_failure(headers: dict[str, str]) -> Reply:
    def reply(exchange):  # type: ignore[no-untyped-def]
        exchange.date_time_string = lambda timestamp=None: headers.get("Date", "Fri, 20 Nov 2026 10:00:00 GMT")
        exchange.sent(b"{}", 429, Retry_After=headers["Retry_After"])

    return reply


@pytest.mark.parametrize("asked", ["soon", "", "-5", "Fri, 99 Nov 2026 10:10:00 GMT"])
def test_a_pause_that_says_nothing_is_passed_over(asked: str, model: Model, server: ModelServer) -> None:
    server.will(fails(429, Retry_After=asked), GOOD)
    assert model.ask(PROMPT, Colour).value.name == "blue"


def test_after_failures_in_a_row_a_provider_is_left_alone(kind: str, server: ModelServer) -> None:
    model = _model(kind, server, breaker=CircuitBreaker(max_failures=2, cooldown=600.0))
    server.will(fails(500))
    with pytest.raises(Unreachable):
        model.ask(PROMPT, Colour)
    server.will(GOOD)
    with pytest.raises(CircuitOpen) as failed:
        model.ask(PROMPT, Colour)
    assert len(server.requests) == 2
    assert 0 < (failed.value.retry_after or 0) <= 600


@pytest.mark.parametrize(
    "reply",
    [
        answers("no"),
        answers({}, stopped="refusal"),
        answers({}, stopped="length"),
        fails(400),
        says(b"no"),
        says(b"x" * 20_000),
    ],
)
def test_what_one_text_brings_about_does_not_switch_the_model_off_for_others(
    reply: Reply, kind: str, server: ModelServer
) -> None:
    model = _model(kind, server, breaker=CircuitBreaker(max_failures=1, cooldown=600.0))
    server.will(reply)
    for _ in range(3):
        with pytest.raises(ModelError):
            model.ask(PROMPT, Colour)
    server.will(GOOD)
    assert model.ask(PROMPT, Colour).value.name == "blue"


def test_neither_prompts_nor_keys_are_logged_or_told(
    model: Model, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = []
    for reply in (GOOD, answers({"name": ["hush-hush"]}), fails(400), fails(401), fails(500), resets):
        server.will(reply)
        try:
            told.append(repr(model.ask(PROMPT, Colour).source))
        except ModelError as error:
            told.append("".join(traceback.format_exception(error)))
    said = caplog.text + " ".join(told)
    assert "hush-hush" not in said
    assert "sk-hidden" not in said
    assert "sk-hidden" not in repr(ModelAddress("http://127.0.0.1", "sk-hidden", "small"))


def test_without_a_setting_no_model_is_configured(settings: Settings) -> None:
    settings.KEEPSAKE_LLM = ""
    assert configured_model() is None


@pytest.mark.parametrize(("name", "path"), [("openai:small", "/v1"), ("anthropic:small", ""), ("ollama:small", "/v1")])
def test_the_settings_name_the_model(name: str, path: str, settings: Settings, server: ModelServer) -> None:
    settings.KEEPSAKE_LLM = name
    settings.KEEPSAKE_LLM_BASE_URL = server.url + path
    settings.KEEPSAKE_LLM_API_KEY = " sk-hidden\n"
    server.will(GOOD)
    model = configured_model()
    assert model is not None
    assert model.ask(PROMPT, Colour).source.model == name
    assert server.keys == ["sk-hidden"]
    # One circuit breaker for the whole process.
    assert configured_model() is model


def test_a_server_of_ones_own_needs_no_key(settings: Settings, server: ModelServer) -> None:
    settings.KEEPSAKE_LLM, settings.KEEPSAKE_LLM_API_KEY = "openai:small", ""
    settings.KEEPSAKE_LLM_BASE_URL = f"{server.url}/v1"
    server.will(GOOD)
    model = configured_model()
    assert model is not None
    assert model.ask(PROMPT, Colour).value.name == "blue"


def test_a_provider_that_needs_a_key_says_which_setting_is_missing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-someone-else")
    settings.KEEPSAKE_LLM, settings.KEEPSAKE_LLM_BASE_URL, settings.KEEPSAKE_LLM_API_KEY = "openai:small", "", ""
    model = configured_model()
    assert model is not None
    with pytest.raises(ConfigurationRejected, match="openai needs a key: set KEEPSAKE_LLM_API_KEY"):
        model.ask(PROMPT, Colour)


@pytest.mark.parametrize("package", ["openai", "anthropic"])
def test_a_missing_package_is_named_with_how_to_install_it(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"memory_app.llm.providers.{package}", raising=False)
    with pytest.raises(NotInstalled, match=r"pip install -e '\.\[llm\]'"):
        language_model.load_provider(f"{package}:small", "http://127.0.0.1:1", "key")


def test_nothing_of_the_providers_is_imported_before_the_first_question() -> None:
    asked = (
        "import sys, django\n"
        "from django.conf import settings\n"
        "settings.configure(KEEPSAKE_LLM='openai:small', KEEPSAKE_LLM_BASE_URL='', KEEPSAKE_LLM_API_KEY='k')\n"
        "from memory_app.llm.model import configured_model\n"
        "import memory_app.llm.read_conversation\n"
        "assert configured_model().name == 'openai:small'\n"
        "print(sorted({'openai', 'anthropic', 'httpx2'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
