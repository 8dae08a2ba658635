"""The statements that are sent to the database, those of `postgres/fast` among them."""

from collections.abc import Callable
from typing import Any


class SentStatements:
    """For `connection.execute_wrapper`: notes each statement in `statements`."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(
        self, execute: Callable[..., Any], statement: str, values: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        self.statements.append(statement)
        return execute(statement, values, many, context)
