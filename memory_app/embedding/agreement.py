"""Whether two encoders give the same vectors, on texts chosen to tell wrong ones apart."""

import numpy as np

from memory_app.embedding.protocol import Encoder

# float32 sums in another order differ in the seventh digit; a wrong pooling, mask or prompt in the second.
LEAST_COSINE = 0.9999
_LETTER = "We walked along the river, and she told me about the blue tile, the new kitchen and the long winter. "
TEXTS = (
    "Which tile did we choose?",
    "",
    " ",
    "?",
    "a",
    "UPPER CASE, lower case, Ünïcödé and naïve façades",
    "Das Mädchen isst Äpfel. La réunion est à 9 h. ¿Dónde está la biblioteca?",
    "日本語の短い文です。今日は天気がいい。",
    "Это длинное предложение о погоде, доме и саде. " * 3,
    "مرحبا بالعالم 🙂👍🏽 \u200b\n\ttabs and\r\nlines",
    "word " * 200,
    _LETTER * 40,
    "x" * 5000,
)


def disagreement(reference: Encoder, candidate: Encoder) -> str | None:
    """Where the candidate's vectors differ from the reference's, or None: each text alone, and all as one batch."""
    for kind in ("documents", "queries"):
        expected = getattr(reference, kind)(TEXTS)
        batched = getattr(candidate, kind)(TEXTS)
        alone = np.vstack([getattr(candidate, kind)([text]) for text in TEXTS])
        for how, found in (("in a batch", batched), ("alone", alone)):
            if found.shape != expected.shape:
                return f"{kind} {how}: shape {found.shape}, not {expected.shape}"
            cosines = (found * expected).sum(axis=1)
            worst = int(np.argmin(cosines))
            if cosines[worst] < LEAST_COSINE:
                return f"{kind} {how}: cosine {cosines[worst]:.4f} on {TEXTS[worst][:40]!r}"
    return None
