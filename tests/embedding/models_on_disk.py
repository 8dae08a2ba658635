"""Tiny sentence-transformers models written to disk, each with what the packaged model has not."""

from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize, Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizer

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORDS = ("alice", "bob", "charlie", "likes", "tea", "tile", "blue", "query", "passage", "which", "the")
PROMPTS = {"query": "query: ", "document": "passage: "}


def with_prompts(folder: Path) -> Path:
    """CLS pooling, a dense layer to 12 dimensions, 32 tokens, prompts; vectors are not normalised by the model."""
    parts = [_transformer(folder), Pooling(16, pooling_mode="cls"), Dense(16, 12, init_weight=_random(12, 16))]
    return _saved(parts, folder)


def without_prompt_in_the_mean(folder: Path) -> Path:
    """The tokens of the prompt are read and then left out of the mean, which a plain graph does not know to do."""
    return _saved([_transformer(folder), Pooling(16, pooling_mode="mean", include_prompt=False), Normalize()], folder)


def _transformer(folder: Path) -> Transformer:
    torch.manual_seed(7)
    base = folder.with_name(folder.name + "-base")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ":", "."]
    vocabulary = [*special, *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, initializer_range=1.0,
    )  # fmt: skip
    BertModel(config).save_pretrained(base)
    BertTokenizer(vocab={word: number for number, word in enumerate(vocabulary)}).save_pretrained(base)
    transformer: Transformer = Transformer(str(base), max_seq_length=32)
    return transformer


def _random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(7)) / 10  # small, for a tanh comes after


def _saved(parts: list[torch.nn.Module], folder: Path) -> Path:
    SentenceTransformer(modules=parts, prompts=PROMPTS, device="cpu").save(str(folder), create_model_card=False)
    return folder
