"""What an SDK's error means here. Both SDKs name their errors alike, and share no class: they are told by shape."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from memory_app.llm.failures import (
    ModelError,
    NotAccepted,
    RateLimited,
    Timeout,
    Unacceptable,
    Unreachable,
)


def model_error(error: Exception) -> ModelError:
    """The failure behind an error that an SDK raised. Its own message is left out: it may repeat the prompt or key."""
    # One SDK wraps what our own client raises.
    if isinstance(error.__cause__, ModelError):
        return error.__cause__
    response = getattr(error, "response", None)
    if response is not None:
        return by_status(response.status_code, response.headers)
    if "Timeout" in type(error).__name__:
        return Timeout("The language model did not answer in time.")
    return Unreachable(f"The language model cannot be reached ({type(error.__cause__ or error).__name__}).")


def by_status(status: int, headers: Mapping[str, str]) -> ModelError:
    """The failure that an HTTP status other than success stands for."""
    pause = retry_after(headers)
    match status:
        case 401 | 402 | 403:
            return NotAccepted(f"The provider does not accept the key (status {status}).")
        case 404:
            return NotAccepted("The provider knows no such model, or the address is not right (status 404).")
        case 408:
            return Timeout("The provider gave up waiting (status 408).", pause)
        case 429:
            return RateLimited("The provider wants fewer calls (status 429).", pause)
        case _ if 400 <= status < 500:
            return Unacceptable(f"The provider does not accept the request (status {status}).")
        case _:
            return Unreachable(f"The provider answers with status {status}.", pause)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that `Retry-After` asks for, also where it names a time: then counted from the answer's own Date."""
    asked = headers.get("retry-after", "")
    try:
        return max(float(asked), 0.0)
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(asked) - parsedate_to_datetime(headers.get("date", ""))).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None
