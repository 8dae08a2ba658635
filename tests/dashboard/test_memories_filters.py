"""What a URL asks of a list, and the URLs that the list offers."""

from django.http import QueryDict

from dashboard.memories import MemoryFilters


def read(query_string: str) -> MemoryFilters:
    return MemoryFilters.read("/memories/", QueryDict(query_string))


def test_without_parameters_current_memories_are_listed_newest_first() -> None:
    filters = read("")
    assert (filters.query, filters.status, filters.order, filters.page) == ("", "active", "newest", 1)
    assert not filters.is_narrowed
    assert filters.url == "/memories/"


def test_a_search_is_ordered_by_relevance_by_default() -> None:
    assert read("q=tile").order == "best"
    assert read("q=tile&order=oldest").order == "oldest"
    assert read("order=best").order == "newest"


def test_unknown_parameters_are_ignored() -> None:
    filters = read("status=sleepy&order=sideways&page=-3&type=&colour=blue")
    assert filters == read("")


def test_parsing_and_writing_a_url_round_trips() -> None:
    url = (
        "/memories/?q=blue+tile&type=fact&type=decision&tag=a%26b&tags=all&entity=Anna%2C+Rome"
        "&attributes=%7B%22p%22%3A+1%7D&status=all&order=oldest&page=2"
    )
    filters = read(url.partition("?")[2])
    assert filters.url == url
    assert filters.typed.filters.entities == ("Anna", "Rome")


def test_choosing_a_value_toggles_it() -> None:
    filters = read("q=tile&type=fact&page=3")
    assert filters.toggled("type", "note").url == "/memories/?q=tile&type=fact&type=note"
    assert filters.toggled("type", "fact").url == "/memories/?q=tile"


def test_a_search_box_carries_the_filters_but_neither_the_words_nor_the_page() -> None:
    filters = read("q=tile&tag=house&status=all&order=oldest&page=2")
    assert filters.hidden == [("tag", "house"), ("status", "all"), ("order", "oldest")]


def test_nul_characters_are_dropped() -> None:
    filters = read("q=ti%00le&tag=ho%00use")
    assert (filters.query, filters.chosen) == ("tile", {"tag": ("house",)})


def test_an_endless_query_is_cut() -> None:
    assert len(read("q=" + "a" * 5000).query) == 1000
