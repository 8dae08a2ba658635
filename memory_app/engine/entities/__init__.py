"""Whom and what memories name: seen together, merged and parted by hand, read again at night."""
