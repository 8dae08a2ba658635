"""How long codes and tokens hold."""

from datetime import timedelta

CODE_LIFETIME = timedelta(minutes=1)
ACCESS_TOKEN_LIFETIME = timedelta(hours=1)
REFRESH_TOKEN_LIFETIME = timedelta(days=30)
"""An assistant that did not call for so long signs in again: each refresh begins it anew."""
