"""A circuit breaker opens after failures in a row, and lets one call through when it has rested."""

from concurrent.futures import ThreadPoolExecutor

from memory_app.llm.breaker import Breaker


class Clock:
    """Time that moves when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _opened(clock: Clock) -> Breaker:
    breaker = Breaker(opens_after=2, rests=60.0, clock=clock)
    breaker.fails()
    breaker.fails()
    return breaker


def test_it_stays_closed_below_the_failures_it_bears() -> None:
    breaker = Breaker(opens_after=2, rests=60.0, clock=Clock())
    breaker.fails()
    assert breaker.wait() == 0


def test_it_opens_after_them_and_says_for_how_long() -> None:
    clock = Clock()
    breaker = _opened(clock)
    assert breaker.wait() == 60
    clock.now += 45
    assert breaker.wait() == 15


def test_only_failures_in_a_row_count() -> None:
    breaker = Breaker(opens_after=2, rests=60.0, clock=Clock())
    breaker.fails()
    breaker.works()
    breaker.fails()
    assert breaker.wait() == 0


def test_after_its_rest_one_call_is_let_through_and_closes_it() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.wait() == 0
    assert breaker.wait() == 60
    breaker.works()
    assert [breaker.wait(), breaker.wait()] == [0, 0]


def test_a_call_let_through_that_fails_opens_it_again() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.wait() == 0
    clock.now += 10
    breaker.fails()
    assert breaker.wait() == 60


def test_a_call_let_through_that_never_reports_back_does_not_close_it_for_good() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.wait() == 0
    clock.now += 60
    assert breaker.wait() == 0


def test_of_many_threads_one_is_let_through() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: breaker.wait(), range(64)))
    assert sorted(waits) == [0.0] + [60.0] * 63
