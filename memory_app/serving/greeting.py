"""What `serve` prints once everything runs: where it is, how to sign in and, the first time, a key to try at once."""

from memory_app.engine.welcome import Welcome

TRY = '{"person": "alice", "utterance": "Remember that we decided to go with the blue tile"}'


def first_start(address: str, made: Welcome) -> str:
    """The address, and the login and key that are shown this once."""
    headers = f"-H 'Authorization: Bearer {made.key}' -H 'Content-Type: application/json'"
    curl = f"curl -s {address}/api/v1/remember {headers} -d '{TRY}'"
    return f"""
Keepsake is ready at {address}/ (Ctrl-C stops it)

This is the first start, and the only time that these are shown:

    sign in as  {made.user}
    password    {made.password}
    API key     {made.key}

Try it:

    {curl}
"""


def later_start(address: str) -> str:
    """The address, and how to make more logins and keys."""
    return f"""
Keepsake is ready at {address}/ (Ctrl-C stops it)

Sign in at {address}/login/
Another login: .venv/bin/python manage.py user create NAME --super
Another key:   .venv/bin/python manage.py key create NAME
"""
