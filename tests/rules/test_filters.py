"""Filters are read from JSON, and asked as an SQL/JSON path; what means nothing is refused with what to write."""

import json
from typing import Any

import pytest

from memory_app.rules.filters import (
    Combined,
    Compare,
    FilterError,
    Filters,
    can_pass,
    json_path,
    read_condition,
    read_filters,
)


def test_a_plain_list_of_tags_means_any_of_them() -> None:
    assert read_filters({"tags": ["a", "b", "a"]}) == read_filters({"tags": {"any": ["a", "b"]}})
    assert read_filters({"tags": {"any": ["a"], "all": ["b"]}}) == Filters(any_tags=("a",), all_tags=("b",))
    assert not read_filters({"tags": None, "attributes": {}, "types": []})


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"project": "x"}, '(exists($."project" ? (@ == "x")))'),
        ({"a": {"b": [1, True]}}, '(exists($."a"."b" ? (@ == 1)) || exists($."a"."b" ? (@ == true)))'),
        ({"p": {"gte": 3, "lt": 5.5}}, '((exists($."p" ? (@ >= 3))) && (exists($."p" ? (@ < 5.5))))'),
        ({"p": {"ne": 'a"b\\'}}, '!(exists($."p" ? (@ == "a\\"b\\\\")))'),
        ({"p": None}, '(!(exists($."p" ? (@ != null))))'),
        ({"or": [{"p": 1}, {"q": 2}]}, '((exists($."p" ? (@ == 1))) || (exists($."q" ? (@ == 2))))'),
        ({"not": {"p": 1}}, '!((exists($."p" ? (@ == 1))))'),
    ],
)
def test_conditions_on_attributes_become_one_path(given: Any, path: str) -> None:
    condition = read_condition(given)
    assert condition is not None
    assert json_path(condition) == path


def test_a_text_within_a_text_is_looked_for_literally() -> None:
    assert json_path(Compare(("p",), "contains", ("a.b",))) == '(exists($."p" ? (@ like_regex "a.b" flag "q")))'
    assert json_path(Compare(("p",), "icontains", ("A",))) == '(exists($."p" ? (@ like_regex "A" flag "iq")))'
    assert Filters(row=Compare(("tags",), "eq", (None,))).values == {"row": '(!(exists($."tags" ? (@ != null))))'}
    assert not can_pass("turn", Filters(row=Compare(("tags",), "eq", ("a",))))


def test_conditions_are_a_tree_of_plain_data() -> None:
    tree = read_condition({"and": [{"p": 1}, {"not": {"q": {"in": ["a"]}}}]})
    assert tree == Combined("all", (Compare(("p",), "eq", (1,)), Combined("none", (Compare(("q",), "in", ("a",)),))))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("x", 'attributes: write {"project": "x"}'),
        ({"gte": 3}, "name the attribute first"),
        ({"p": {"gte": True}}, "attributes.p.gte: compare with a number or a text"),
        ({"p": {"in": []}}, "attributes.p.in: write a list of 1 to 50 values"),
        ({"p": {"eq": [1]}}, "attributes.p.eq: compare with a text, a number"),
        ({"and": {"p": 1}}, "attributes.and: write a list of conditions"),
        ({"or": [{"p": 1}, {}]}, "attributes.or.1: write"),
        ({"p": "\0"}, "neither NUL"),
        ({"withheld": {"x": 1}}, "is not shown"),
        (json.loads('{"p": 1e999}'), "too large"),
        ({str(n): n for n in range(60)}, "more than 50 conditions"),
        (json.loads('{"not": ' * 9 + '{"p": 1}' + "}" * 9), "deeper than 6 levels"),
    ],
)
def test_what_means_nothing_is_refused_with_what_to_write(given: Any, told: str) -> None:
    with pytest.raises(FilterError) as refused:
        read_condition(given)
    assert told in str(refused.value)


def test_what_was_said_has_no_tags_and_is_left_out_by_them() -> None:
    assert can_pass("turn", Filters(visibility=("space",)))
    assert not can_pass("turn", Filters(visibility=("space",), any_tags=("a",)))
    assert can_pass("memory", Filters(any_tags=("a",)))
