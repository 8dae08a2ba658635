"""Sealing: what only this installation may read again, encrypted by a key that is derived from its secret key.

Whoever reads the database's files, or a backup or dump of them, without the secret key finds nothing to use.

The secrets that django-allauth keeps of second steps, as they lie in the database: sealed.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def encrypt(plain: bytes, purpose: str) -> bytes:
    """purpose: what it is for; what was sealed for one cannot be read as another."""
    return _cipher(purpose).encrypt(plain)


def decrypt(encrypted: bytes, purpose: str) -> bytes | None:
    """None where it was sealed for something else, or the secret key is another one by now."""
    try:
        return _cipher(purpose).decrypt(encrypted)
    except InvalidToken:
        return None


def _cipher(purpose: str) -> Fernet:
    key = hashlib.sha256(f"{purpose} {settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


SECOND_STEP_PURPOSE = "secrets of second steps"


def encrypt_secret(text: str) -> str:
    return encrypt(text.encode(), SECOND_STEP_PURPOSE).decode()


def decrypt_secret(encrypted: str) -> str | None:
    """None where the secret key is another one by now, or it was never sealed."""
    plain = decrypt(encrypted.encode(), SECOND_STEP_PURPOSE)
    return None if plain is None else plain.decode()
