"""The moment and place from which the tests of language speak: a Friday evening in Berlin."""

from datetime import datetime
from zoneinfo import ZoneInfo

BERLIN = ZoneInfo("Europe/Berlin")
AT = datetime(2026, 11, 20, 18, 0, tzinfo=BERLIN)
