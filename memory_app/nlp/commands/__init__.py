"""Whether an utterance asks for a memory to be kept or let go, and which."""
