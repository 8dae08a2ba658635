"""Small files in the structure that other products export, of people who are made up."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SPRING = 1_714_557_600.0
"""1 May 2024, 10:00 UTC."""


def chatgpt_message(name: str, role: str, text: str, at: float | None, **fields: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"id": name, "author": {"role": role}, "create_time": at, "content": content, "recipient": "all"}
    return {**message, "metadata": {}, **fields}


def chatgpt_conversation(name: str, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A chain of messages below an empty root, as ChatGPT writes it."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    before = "root"
    for message in messages:
        mapping[before]["children"].append(message["id"])
        mapping[message["id"]] = {"id": message["id"], "message": message, "parent": before, "children": []}
        before = message["id"]
    told = {"title": name, "create_time": SPRING, "update_time": SPRING + 60, "conversation_id": name}
    return {**told, "mapping": mapping, "current_node": before, **fields}


def garden_talk(name: str = "garden", start: float = SPRING) -> dict[str, Any]:
    """Four messages, of which two are worth keeping, and a memory that ChatGPT saved."""
    return chatgpt_conversation(
        name,
        chatgpt_message(f"{name}-1", "user", "I moved to Ghent last week and I am a vegetarian.", start),
        chatgpt_message(f"{name}-2", "assistant", "Welcome to Ghent! What do you like to cook?", start + 10),
        chatgpt_message(f"{name}-3", "assistant", "User lives in Ghent.", start + 11, recipient="bio"),
        chatgpt_message(f"{name}-4", "tool", "Model set context updated.", start + 12),
        chatgpt_message(f"{name}-5", "user", "I prefer lentil soup to anything else for dinner.", start + 20),
        chatgpt_message(f"{name}-6", "assistant", "A fine choice.", start + 30),
    )


def claude_conversation(name: str, *said: tuple[str, str], **fields: Any) -> dict[str, Any]:
    messages = [
        {
            "uuid": f"{name}-{number}",
            "sender": sender,
            "text": text,
            "content": [{"type": "text", "text": text}],
            "created_at": f"2024-06-01T09:{number:02}:00.000000Z",
            "attachments": [],
            "files": [],
        }
        for number, (sender, text) in enumerate(said, 1)
    ]
    return {"uuid": name, "name": name, "created_at": "2024-06-01T09:00:00Z", "chat_messages": messages, **fields}


def zip_bytes(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def zip_of(path: Path, files: Mapping[str, object]) -> Path:
    path.write_bytes(zip_bytes({name: _text(content) for name, content in files.items()}))
    return path


def _text(content: object) -> str:
    return content if isinstance(content, str) else json.dumps(content)
