"""What the codes of a second step are made from, sealed in the database: by them alone, anyone could make the codes."""

import base64
import secrets

from allauth.mfa.adapter import DefaultMFAAdapter

from memory_app.models.second_step import seal_secret, unseal_secret

UNREADABLE_BYTES = 40


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Seals secrets of authenticator apps and seeds of recovery codes."""

    def encrypt(self, text: str) -> str:
        return seal_secret(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Where the secret key is another one by now, no code fits: it is read as a secret that nobody knows."""
        return unseal_secret(encrypted_text) or base64.b32encode(secrets.token_bytes(UNREADABLE_BYTES)).decode()
