"""Client of Keepsake: `Keepsake`, `AsyncKeepsake`, and what can go wrong.

Stores, tools and sessions for other frameworks are in modules of their own: `keepsake_client.langgraph`, `.anthropic`,
`.openai_agents`, `.llamaindex`.
"""

from keepsake_client.async_client import AsyncKeepsake
from keepsake_client.client import Keepsake
from keepsake_client.errors import (
    ApiError,
    ChangedMeanwhile,
    Conflict,
    ConnectionFailed,
    Invalid,
    KeepsakeError,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    ServerError,
    TooLarge,
    TooManyRequests,
)
from keepsake_client.transport import Call

__all__ = [
    "ApiError",
    "AsyncKeepsake",
    "Call",
    "ChangedMeanwhile",
    "Conflict",
    "ConnectionFailed",
    "Invalid",
    "Keepsake",
    "KeepsakeError",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "ServerError",
    "TooLarge",
    "TooManyRequests",
]
