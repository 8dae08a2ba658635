"""A circuit breaker opens after failures in a row, and lets one call through when it has rested."""

from concurrent.futures import ThreadPoolExecutor

from memory_app.llm.remote import CircuitBreaker


class Clock:
    """Time that moves when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _opened(clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(max_failures=2, cooldown=60.0, clock=clock)
    breaker.record_failure()
    breaker.record_failure()
    return breaker


def test_it_stays_closed_below_the_failures_it_bears() -> None:
    breaker = CircuitBreaker(max_failures=2, cooldown=60.0, clock=Clock())
    breaker.record_failure()
    assert breaker.seconds_until_allowed() == 0


def test_it_opens_after_them_and_says_for_how_long() -> None:
    clock = Clock()
    breaker = _opened(clock)
    assert breaker.seconds_until_allowed() == 60
    clock.now += 45
    assert breaker.seconds_until_allowed() == 15


def test_only_failures_in_a_row_count() -> None:
    breaker = CircuitBreaker(max_failures=2, cooldown=60.0, clock=Clock())
    breaker.record_failure()
    breaker.record_success()
    breaker.record_failure()
    assert breaker.seconds_until_allowed() == 0


def test_after_its_rest_one_call_is_let_through_and_closes_it() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.seconds_until_allowed() == 0
    assert breaker.seconds_until_allowed() == 60
    breaker.record_success()
    assert [breaker.seconds_until_allowed(), breaker.seconds_until_allowed()] == [0, 0]


def test_a_call_let_through_that_fails_opens_it_again() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.seconds_until_allowed() == 0
    clock.now += 10
    breaker.record_failure()
    assert breaker.seconds_until_allowed() == 60


def test_a_call_let_through_that_never_reports_back_does_not_close_it_for_good() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    assert breaker.seconds_until_allowed() == 0
    clock.now += 60
    assert breaker.seconds_until_allowed() == 0


def test_of_many_threads_one_is_let_through() -> None:
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 60
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: breaker.seconds_until_allowed(), range(64)))
    assert sorted(waits) == [0.0] + [60.0] * 63
