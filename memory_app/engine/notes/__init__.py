"""Daily notes: added, listed, corrected, deleted and restored."""
