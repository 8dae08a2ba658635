"""What a URL asks of a list, and the URLs that the list offers."""

from django.http import QueryDict

from dashboard.memories.filters import MemoryFilters


def read(query_string: str) -> MemoryFilters:
    return MemoryFilters.read("/memories/", QueryDict(query_string))


def test_a_bare_url_asks_for_what_is_current_newest_first() -> None:
    filters = read("")
    assert (filters.query, filters.status, filters.order, filters.page) == ("", "active", "newest", 1)
    assert not filters.is_narrowed
    assert filters.url == "/memories/"


def test_a_search_is_ordered_by_best_match_unless_told_otherwise() -> None:
    assert read("q=tile").order == "best"
    assert read("q=tile&order=oldest").order == "oldest"
    assert read("order=best").order == "newest"


def test_what_means_nothing_is_passed_over() -> None:
    filters = read("status=sleepy&order=sideways&page=-3&type=&colour=blue")
    assert filters == read("")


def test_a_url_survives_being_read_and_written() -> None:
    url = (
        "/memories/?q=blue+tile&type=fact&type=decision&tag=a%26b&tags=all&entity=Anna%2C+Rome"
        "&attributes=%7B%22p%22%3A+1%7D&status=all&order=oldest&page=2"
    )
    filters = read(url.partition("?")[2])
    assert filters.url == url
    assert filters.typed.filters.entities == ("Anna", "Rome")


def test_choosing_a_value_adds_it_and_choosing_it_again_takes_it_away() -> None:
    filters = read("q=tile&type=fact&page=3")
    assert filters.toggled("type", "note").url == "/memories/?q=tile&type=fact&type=note"
    assert filters.toggled("type", "fact").url == "/memories/?q=tile"


def test_a_search_box_carries_the_filters_but_neither_the_words_nor_the_page() -> None:
    filters = read("q=tile&tag=house&status=all&order=oldest&page=2")
    assert filters.hidden == [("tag", "house"), ("status", "all"), ("order", "oldest")]


def test_characters_that_a_database_takes_in_no_text_are_dropped() -> None:
    filters = read("q=ti%00le&tag=ho%00use")
    assert (filters.query, filters.chosen) == ("tile", {"tag": ("house",)})


def test_an_endless_query_is_cut() -> None:
    assert len(read("q=" + "a" * 5000).query) == 1000
