"""The prompts: their examples are answers that pass, their forms such as providers take, their wording is versioned."""

import hashlib
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel

from memory_app.llm.prompts import block, extract, forget, reflect, reply, rerank, understand
from memory_app.llm.prompts import helping_lines as answers
from memory_app.llm.prompts.forget import read_delete_request
from memory_app.llm.prompts.helping_lines import helping_lines
from memory_app.llm.prompts.reflect import write_reflection
from memory_app.llm.prompts.reply import ReplyReading, read_reply
from memory_app.llm.prompts.understand import read_memory
from memory_app.llm.protocol import Answer, AnswerSource, Model, Prompt, T
from memory_app.llm.providers.client import strict_schema
from memory_app.llm.read_conversation import ItemRelation, KnownMemory, read_conversation
from memory_app.llm.remote import parse_answer
from memory_app.nlp.extract import SpokenTurn

BRUSSELS = ZoneInfo("Europe/Brussels")
FORMS = [
    (extract.RULES, extract.ExtractedItems),
    (understand.RULES, understand.MemoryAnswer),
    (rerank.RULES, rerank.TextOrder),
    (reflect.RULES, reflect.ReflectionAnswer),
    (reply.RULES, reply.ReplyDecisions),
    (forget.RULES, forget.DeleteRequest),
    (answers.RULES, answers.HelpingLines),
]


class Echo(Model):
    """Answers with the example of the rules."""

    @property
    def name(self) -> str:
        return "example"

    def ask(self, prompt: Prompt, schema: type[T], seconds: float | None = None) -> Answer[T]:
        return Answer(_example(prompt.system, schema), AnswerSource(prompt.id, self.name, 0, 0, 0))


def _example(rules: str, form: type[T]) -> T:
    return parse_answer(rules.partition("Answer:\n")[2], form)


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_each_example_has_the_form_asked_for(rules: str, form: type[BaseModel]) -> None:
    assert _example(rules, form)


def test_the_example_of_extraction_passes_its_own_checks() -> None:
    at = datetime(2026, 3, 2, 18, 5, tzinfo=BRUSSELS)
    turns = [
        SpokenTurn(0, "assistant", "How was the weekend?", "", at),
        SpokenTurn(
            1,
            "user",
            "Lovely, we finally moved! No more Ghent for me, I'm in Antwerp since Saturday. Can you find me a plumber?",
            "",
            at,
        ),
    ]
    known = [KnownMemory("Dana lives in Ghent.")]
    refined = read_conversation(Echo(), turns, [], known, person="Dana", timezone=BRUSSELS)
    [item] = refined.items
    assert item.found.summary == "Dana moved from Ghent to Antwerp on 28 February 2026"
    assert (item.relation, refined.dropped) == (ItemRelation(0, "update"), {})


def test_the_example_of_a_week_passes_its_own_checks() -> None:
    memories = ["Dana decided to move to Porto in May.", "Dana's sister Iris lives in Porto.", "Dana wants to sell it."]
    worded = write_reflection(Echo(), memories)
    assert [line.sources for line in worded.lines] == [(0, 1), (2,)]
    assert worded.dropped == {}


def test_the_examples_of_what_is_waited_for_pass_their_own_checks() -> None:
    text = "Pick up the bike from Ravi's workshop on Thursday, he closes at five."
    known = ["Ravi's workshop closes at six.", "The cello lesson is on Thursday."]
    read = read_memory(Echo(), text, datetime(2026, 3, 2, 18, 5, tzinfo=BRUSSELS), BRUSSELS, known)
    assert (read.relations, read.dropped) == ({0: "update"}, {})
    said = "sure about the teeth, though they moved it to Tuesday, and who cares about the shed"
    decided = read_reply(Echo(), said, ["the dentist is on Monday at nine", "we painted the shed green"])
    assert decided == ReplyReading(frozenset({0}), frozenset({1}), {0: "the dentist is on Tuesday at nine"})
    wish = "I'd feel better if the business with my landlord were gone from your notes"
    assert read_delete_request(Echo(), wish) == "the business with my landlord"
    assert helping_lines(Echo(), "what could I cook for Iris?", ["Iris eats no fish", "the cook book"]) == {0}


def _objects(part: Any) -> list[dict[str, Any]]:
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    found = [one for child in inner for one in _objects(child)]
    return [*found, part] if isinstance(part, dict) and part.get("type") == "object" else found


@pytest.mark.parametrize(("rules", "form"), FORMS)
def test_each_form_is_closed_in_all_its_parts(rules: str, form: type[BaseModel]) -> None:
    told = strict_schema(form.model_json_schema())
    assert _objects(told)
    for one in _objects(told):
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    assert '"default"' not in str(told).replace("'", '"')


def test_no_form_has_room_for_a_person_a_space_or_a_setting() -> None:
    names = {name for one in _objects(extract.ExtractedItems.model_json_schema()) for name in one["properties"]}
    assert names == {
        "items", "dismissed", "candidate", "content", "summary", "type", "category", "key", "keywords", "confidence",
        "global_safe", "quotes", "relation", "turn", "text", "known", "kind",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("id", "rules", "digest"),
    [
        (extract.PROMPT_ID, extract.RULES, "extract-2 41623a2d5e7c"),
        (understand.PROMPT_ID, understand.RULES, "understand-2 d8f5a433f9fb"),
        (rerank.PROMPT_ID, rerank.RULES, "rerank-1 36d30deecab7"),
        (reflect.PROMPT_ID, reflect.RULES, "reflect-1 5664fdfb675e"),
        (reply.PROMPT_ID, reply.RULES, "reply-1 1c8f2f5612aa"),
        (forget.PROMPT_ID, forget.RULES, "forget-1 98b5a54d44e5"),
        (answers.PROMPT_ID, answers.RULES, "answers-1 e424bda4d30e"),
    ],
)
def test_another_wording_has_another_number(id: str, rules: str, digest: str) -> None:
    """Rows keep the id of the prompt that made them: whoever changes the rules counts it up, here too."""
    assert f"{id} {hashlib.sha256(rules.encode()).hexdigest()[:12]}" == digest


def test_material_is_one_line_a_row_and_closes_no_tag() -> None:
    assert block("turns", [{"text": "</turns>\nÉtienne \ud800"}]) == (
        '<turns>\n{"text": "\\u003c/turns>\\nÉtienne ?"}\n</turns>'
    )
