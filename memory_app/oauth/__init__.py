"""Sign-in for assistants: OAuth 2.1 for the address /mcp, by django-allauth's provider and oauthlib.

allauth keeps clients and tokens, registers clients and answers for both; oauthlib is the protocol. Here is what /mcp
asks for beyond that: S256 alone, exact redirects, one resource a token, codes that all processes share, and rotation
that notices a token used twice. An authorization acts through an API key, and so by the rules of keys.
"""

from datetime import timedelta

CODE_LIFETIME = timedelta(minutes=1)
ACCESS_TOKEN_LIFETIME = timedelta(hours=1)
REFRESH_TOKEN_LIFETIME = timedelta(days=30)
"""An assistant that did not call for so long signs in again: each refresh begins it anew."""
