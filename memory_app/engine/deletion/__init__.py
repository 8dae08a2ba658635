"""To tier 2 and back: asked for in words, faded, cleared, restored, undone."""
