"""Memories: built from input, compared with what is stored, saved, found, changed and deleted."""
