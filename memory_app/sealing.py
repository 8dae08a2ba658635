"""Sealing: what only this installation may read again, encrypted by a key that is derived from its secret key.

Whoever reads the database's files, or a backup or dump of them, without the secret key finds nothing to use.
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


def seal(plain: bytes, purpose: str) -> bytes:
    """purpose: what it is for; what was sealed for one cannot be read as another."""
    return _cipher(purpose).encrypt(plain)


def unseal(sealed: bytes, purpose: str) -> bytes | None:
    """None where it was sealed for something else, or the secret key is another one by now."""
    try:
        return _cipher(purpose).decrypt(sealed)
    except InvalidToken:
        return None


def _cipher(purpose: str) -> Fernet:
    key = hashlib.sha256(f"{purpose} {settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
