"""The packages of others, unchanged, against a running Keepsake: `python -m tests.clients` (docs/compat.md)."""
