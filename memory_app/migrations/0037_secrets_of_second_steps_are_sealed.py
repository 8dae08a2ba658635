"""The secrets of authenticator apps and the seeds of recovery codes were written as they are; now they are sealed."""

from collections.abc import Callable
from typing import Any

from django.db import migrations

from memory_app.models.second_step import seal_secret, unseal_secret, with_secrets


def _change(apps: Any, change: Callable[[str], str]) -> None:
    for held in apps.get_model("mfa", "Authenticator").objects.exclude(type="webauthn"):
        held.data = with_secrets(held.data, change)
        held.save(update_fields=["data"])


def _seal(apps: Any, schema_editor: Any) -> None:
    _change(apps, lambda text: text if unseal_secret(text) else seal_secret(text))


def _unseal(apps: Any, schema_editor: Any) -> None:
    _change(apps, lambda text: unseal_secret(text) or text)


class Migration(migrations.Migration):
    dependencies = [
        ("mfa", "0003_authenticator_type_uniq"),
        ("memory_app", "0036_intents_are_as_long_as_names"),
    ]

    operations = [migrations.RunPython(_seal, _unseal)]
