"""Everything that can go wrong between a prompt and its answer. None of it loses a write: the local result stands.

Messages are for run records and people. They never hold a prompt, an answer or a key.
"""


class ModelError(Exception):
    """No answer that can be used.

    `tokens_in` and `tokens_out` are what the attempts cost all the same; `retry_after` is the pause in seconds that
    the provider asked for.
    """

    again = False
    """Whether asking once more may help."""

    later = False
    """Whether it tells of this moment only: asked some minutes later, the model may well answer."""

    ailing = False
    """Whether it tells of the provider, not of this one prompt: only that opens the circuit breaker, or one person's
    conversation could switch the model off for all."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.tokens_in = 0
        self.tokens_out = 0


class ModelTimeout(ModelError):
    """No whole answer within the time allowed."""

    again = later = ailing = True


class Unreachable(ModelError):
    """No connection, a broken one, or a server that answers with an error of its own."""

    again = later = ailing = True


class CircuitOpen(Unreachable):
    """Not asked: the circuit breaker is open. `retry_after` says for how long."""

    again = ailing = False


class TooManyCalls(Unreachable):
    """Not asked: as many wait for an answer as may."""

    again = ailing = False


class RateLimited(ModelError):
    """The provider wants fewer calls."""

    again = later = ailing = True


class Refused(ModelError):
    """The model declines to answer, or the provider to ask it; the same prompt would be declined again."""


class UnsupportedRequest(Refused):
    """The provider does not accept this form of request."""


class ConfigurationRejected(Refused):
    """The key, the model's name or the address is not right: no prompt would get through."""

    ailing = True


class BadAnswer(ModelError):
    """An answer that is not what was asked for: no JSON, another schema, or one that fails its checks."""

    again = True


class AnswerTooLong(ModelError):
    """An answer longer than is read, or cut off at the most tokens allowed."""


class NotSent(ModelError):
    """Not asked: the text is sensitive, or there is nothing to ask about."""


class NotInstalled(ModelError):
    """The provider's package is missing."""
