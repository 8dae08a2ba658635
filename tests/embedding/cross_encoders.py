"""Tiny cross-encoders of sentence-transformers written to disk, with the packaged encoder's own words."""

from pathlib import Path

import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from memory_app.embedding.model_files import packaged_folder


def random_cross_encoder(folder: Path, *, seed: int = 7, labels: int = 1) -> Path:
    """One whose scores mean nothing, and differ. labels: the numbers it gives for a pair."""
    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(packaged_folder())
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=512, initializer_range=1.0, id2label={number: str(number) for number in range(labels)},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
