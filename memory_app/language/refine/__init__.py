"""What a language model is asked, and how its answers are checked before anything of them is believed.

Everything here takes seconds and may raise `ModelError`: for the worker, where the local result stands meanwhile.
"""

from memory_app.language.refine.extraction import refine_extraction
from memory_app.language.refine.memory import Refinement, refine_memory
from memory_app.language.refine.refined import KnownMemory, Refined, RefinedItem, Relation
from memory_app.language.refine.reflecting import Worded, WordedLine, word
from memory_app.language.refine.reranking import rerank

__all__ = [
    "KnownMemory",
    "Refined",
    "RefinedItem",
    "Refinement",
    "Relation",
    "Worded",
    "WordedLine",
    "refine_extraction",
    "refine_memory",
    "rerank",
    "word",
]
