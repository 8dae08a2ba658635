"""The secrets that django-allauth keeps of second steps, as they lie in the database: sealed."""

from memory_app.sealing import seal, unseal

PURPOSE = "secrets of second steps"


def seal_secret(text: str) -> str:
    return seal(text.encode(), PURPOSE).decode()


def unseal_secret(sealed: str) -> str | None:
    """None where the secret key is another one by now, or it was never sealed."""
    plain = unseal(sealed.encode(), PURPOSE)
    return None if plain is None else plain.decode()
