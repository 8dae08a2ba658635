"""Conversations: turns as they come, what is noticed in them, and what their person decides about it."""
