"""Tier 3: what is written to the log, and how it is read."""
