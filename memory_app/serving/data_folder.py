"""Which data folder a command works on, in a line for standard error: where there is none yet, a command that needs
what is kept refuses, and one that may be the first says that it makes one."""

from collections.abc import Sequence

from config.env import Env

MADE_WITH = ("secret_key", "postgres")
"""What a data folder has from its beginning, one of them at least."""

SET_ELSEWHERE = "Set KEEPSAKE_DATA to the folder that you mean"

NEED_WHAT_IS_KEPT = {
    ("backup",), ("job",), ("key", "list"), ("key", "revoke"), ("memory", "export"), ("memory", "search"),
    ("receipt",), ("status",), ("user", "password"),
}  # fmt: skip
"""Commands that find nothing to do in a new folder, by their first words."""


def is_folder(env: Env) -> bool:
    return any((env.data / name).exists() for name in MADE_WITH)


def told_folder(env: Env, words: Sequence[str]) -> str:
    """The line to be said before the command of these words runs. Exits where it needs a folder that is not there."""
    if is_folder(env):
        return f"keepsake: working on {env.data}"
    if env.embedded and {tuple(words[:1]), tuple(words[:2])} & NEED_WHAT_IS_KEPT:
        raise SystemExit(
            f"keepsake: nothing is kept in {env.data} yet. {SET_ELSEWHERE}, or start Keepsake there first."
        )
    return f"keepsake: making a new data folder at {env.data}. {SET_ELSEWHERE}, if it is another."
