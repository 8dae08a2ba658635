"""A language model: who is asked (`providers`), what (`prompts`, `tasks`), and how its answers are checked (`checks`).

Everything here takes seconds and may raise `ModelError`: the local result stands meanwhile, and without an answer.
"""
