"""Which data folder a command works on, in a line for standard error: where there is none yet, a command that needs
what is kept refuses, and one that may be the first says that it makes one."""

from collections.abc import Sequence

from config.env import Env

FOLDER_FILES = ("secret_key", "postgres")
"""What a data folder has from its beginning, one of them at least."""

CHOOSE_FOLDER = "Set KEEPSAKE_DATA to the folder that you mean"

COMMANDS_THAT_NEED_DATA = {
    ("backup",), ("job",), ("key", "list"), ("key", "revoke"), ("memory", "export"), ("memory", "search"),
    ("receipt",), ("status",), ("user", "password"),
}  # fmt: skip
"""Commands that find nothing to do in a new folder, by their first words."""


def is_data_folder(env: Env) -> bool:
    return any((env.data / name).exists() for name in FOLDER_FILES)


def folder_message(env: Env, words: Sequence[str]) -> str:
    """The line to be said before the command of these words runs. Exits where it needs a folder that is not there."""
    if is_data_folder(env):
        return f"keepsake: working on {env.data}"
    if env.embedded and {tuple(words[:1]), tuple(words[:2])} & COMMANDS_THAT_NEED_DATA:
        raise SystemExit(
            f"keepsake: nothing is kept in {env.data} yet. {CHOOSE_FOLDER}, or start Keepsake there first."
        )
    return f"keepsake: making a new data folder at {env.data}. {CHOOSE_FOLDER}, if it is another."
