"""How long work tells how far it is, and how it is stopped between two steps."""

from collections.abc import Callable

ReportProgress = Callable[[int, int], None]
"""Called between the steps of some work: how many are done, and of how many. May raise RunStopped or TurnOver."""


class RunStopped(Exception):
    """The work is to stop: its run was cancelled, or another worker has it."""


class TurnOver(Exception):
    """The work is to stop for now and to go on later: others wait."""
