"""How the worker looks into its queue: as django-q2 does, without asking each time whether the connection holds."""

import time
from typing import Any

from django_q.brokers.orm import ORM
from django_q.conf import Conf
from django_q.models import OrmQ

TRUSTED_SECONDS = 10.0
"""How long a connection that was looked after is taken for good. One that breaks within costs what any break does: the
look fails, and the worker starts the one who looks anew."""


class Broker(ORM):  # type: ignore[misc]
    """An idle worker's look is one statement, not two."""

    _looked_after: float | None = None

    def get_connection(self, list_key: str | None = None) -> Any:
        now = time.monotonic()
        if self._looked_after is not None and now - self._looked_after < TRUSTED_SECONDS:
            return OrmQ.objects.using(Conf.ORM)
        self._looked_after = now
        return super().get_connection(list_key)
