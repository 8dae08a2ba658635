"""The worker's look into its queue: what waits is found once, and an idle look asks for nothing else."""

import pytest
from django import db
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.tasks import async_task


@pytest.mark.django_db(transaction=True)
def test_of_several_looks_the_first_asks_whether_the_connection_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(db, "close_old_connections", lambda: asked.append("does it hold?"))
    monkeypatch.setattr(Conf, "POLL", 0)
    broker = get_broker()
    assert [broker.dequeue() for _ in range(3)] == [None, None, None]
    assert asked == ["does it hold?"]


@pytest.mark.django_db
def test_what_waits_is_given_out_once() -> None:
    async_task("memory_app.jobs.embed_new")
    broker = get_broker()
    [(task, _)] = broker.dequeue()
    assert broker.dequeue() is None
    broker.acknowledge(task)
    assert broker.queue_size() == 0
