"""What can go wrong for a caller, each with a sentence that says what to do. The API and the pages word their own."""


class KeepsakeError(Exception):
    """An error to be shown to whoever asked. Its message never repeats what they may not see."""

    status = 500
    title = "Internal error"


class Invalid(KeepsakeError):
    """The input is not acceptable; `field` names where."""

    status = 422
    title = "Bad input"

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class NotAllowed(KeepsakeError):
    """The key, or the one signed in, may not do this."""

    status = 403
    title = "Not allowed"


class NotFound(KeepsakeError):
    """Not there, or not yours to see: the two look alike."""

    status = 404
    title = "Not found"

    def __init__(self, message: str = "There is nothing here that you may see.") -> None:
        super().__init__(message)


class ConflictError(KeepsakeError):
    """The request cannot be done in the state things are in."""

    status = 409
    title = "Conflict"


class StillInFlight(ConflictError):
    """The same request is being answered at this moment; `RETRY_SECONDS` later its answer may be there."""

    RETRY_SECONDS = 2


class ChangedMeanwhile(KeepsakeError):
    """What was to be changed has changed meanwhile."""

    status = 412
    title = "Changed meanwhile"


class TooLarge(KeepsakeError):
    """More than one request may carry."""

    status = 413
    title = "Too large"


class Unavailable(KeepsakeError):
    """A part that is needed cannot work now, such as a disk that is nearly full."""

    status = 503
    title = "Unavailable"
