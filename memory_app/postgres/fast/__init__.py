"""Django's backend for PostgreSQL, with connections that are kept and so tried often (`base`, by Django's naming)."""
