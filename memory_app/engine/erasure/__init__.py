"""Gone for good, with all traces, proof of it, and a memory outside of the database that it went."""
