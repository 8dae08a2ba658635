"""Conflicts: two memories that may not both hold, put to their person and answered."""
