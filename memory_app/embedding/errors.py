"""What can go wrong between a text and its vector. All are ValueErrors, and say which model or row is meant."""


class EmbeddingError(ValueError):
    """Something about the embedding model or its vectors is not as it must be."""


class BadVector(EmbeddingError):
    """A vector that must not be stored or searched with: not finite, zero, or of the wrong length."""


class ModelUnavailable(EmbeddingError):
    """The configured model could not be found, read or prepared."""
