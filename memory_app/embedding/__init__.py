"""Text to vectors: which model, how it is run, and what its vectors must be.

Leaves to the engine which text of a memory or turn is embedded, and to `models` where a vector is stored.
"""
