"""The memory tool of Claude (`memory_20250818`) over a person's memory, for `client.beta.messages.tool_runner`.

    tool = KeepsakeMemoryTool(Keepsake(url, key), person="alice")
    runner = anthropic.beta.messages.tool_runner(model=…, messages=…, tools=[tool])

What the paths are is in `keepsake_client.files`.
"""

from typing import TYPE_CHECKING

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from keepsake_client.async_client import AsyncKeepsake
from keepsake_client.client import Keepsake
from keepsake_client.errors import ApiError
from keepsake_client.files import Command, Files, Refused, advance, error_message
from keepsake_client.transport import Call

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam


class KeepsakeMemoryTool(BetaAbstractMemoryTool):
    """The tool over a client. person: whose memory it is."""

    def __init__(
        self, client: Keepsake, *, person: str, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client, self._files = client, Files(person)

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return self._carry_out(self._files.view(command.path, command.view_range))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return self._carry_out(self._files.create(command.path, command.file_text))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._carry_out(self._files.str_replace(command.path, command.old_str, command.new_str or ""))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return self._carry_out(self._files.insert(command.path, command.insert_line, command.insert_text))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return self._carry_out(self._files.delete(command.path))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return self._carry_out(self._files.rename(command.old_path, command.new_path))

    def _carry_out(self, command: Command) -> str:
        answer: object = None
        try:
            while isinstance(step := advance(command, answer), Call):
                try:
                    answer = self._client.run(step)
                except ApiError as error:
                    answer = error
        except (Refused, ApiError) as error:
            raise ToolError(error_message(error)) from error
        return step


class AsyncKeepsakeMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same over an async client."""

    def __init__(
        self, client: AsyncKeepsake, *, person: str, cache_control: "BetaCacheControlEphemeralParam | None" = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._client, self._files = client, Files(person)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await self._carry_out(self._files.view(command.path, command.view_range))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await self._carry_out(self._files.create(command.path, command.file_text))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await self._carry_out(self._files.str_replace(command.path, command.old_str, command.new_str or ""))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await self._carry_out(self._files.insert(command.path, command.insert_line, command.insert_text))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await self._carry_out(self._files.delete(command.path))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await self._carry_out(self._files.rename(command.old_path, command.new_path))

    async def _carry_out(self, command: Command) -> str:
        answer: object = None
        try:
            while isinstance(step := advance(command, answer), Call):
                try:
                    answer = await self._client.run(step)
                except ApiError as error:
                    answer = error
        except (Refused, ApiError) as error:
            raise ToolError(error_message(error)) from error
        return step
