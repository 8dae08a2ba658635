"""Whether a text is program code: profiles hold what is known of someone in words, and no code (seed: profile)."""

from memory_app.nlp import linear_re as re

_FENCED = re.compile(r"```|~~~")
_LINE_OF_CODE = re.compile(
    r"^\s*(?:def \w+\(|class \w+[(:]|import [\w.]+$|from [\w.]+ import |#include\b|function \w*\("
    r"|(?:const|let|var) \w+ =|public (?:static|class|void)\b|(?:if|for|while) \(.*\) \{"
    r"|(?:SELECT .+ FROM|INSERT INTO) \w|\$ \w+ -)"
    r"|[{}]\s*$|\)\s*;\s*$|=>\s*[{(]",
    re.MULTILINE,
)


def is_code(text: str) -> bool:
    """Whether it holds a fenced block, or a line that reads as code. Names of tools and files are no code."""
    return _FENCED.search(text) is not None or _LINE_OF_CODE.search(text) is not None
