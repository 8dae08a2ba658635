"""Facts that may be told in any venue: explicit and harmless, as language, time zone, a user name, tools preferred."""

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import sentences

_HARMLESS_KEYS = frozenset(
    ("timezone", "language", "native_language", "username", "ign", "gamertag", "github_username", "discord_username",
     "steam_username", "twitter_username")
)  # fmt: skip
_TOOL = (
    r"(?:python|java(?:script)?|typescript|rust|go(?:lang)?|c|c\+\+|c#|ruby|php|kotlin|swift|scala|haskell|elixir|"
    "zig|perl|julia|lua|vim|neovim|emacs|vs ?code|intellij|pycharm|sublime(?: text)?|linux|debian|ubuntu|arch|"
    "fedora|macos|windows|ios|android|git|docker|kubernetes|postgres(?:ql)?|sqlite|mysql|django|flask|react|vue|"
    "svelte|bash|zsh|fish|firefox|chrome|safari|dark mode|light mode|tabs|spaces|markdown|metric(?: units)?|"
    "imperial(?: units)?|celsius|fahrenheit|24[- ]hour (?:clock|time|format)|java edition|bedrock(?: edition)?|"
    "notion|obsidian|slack|discord|figma)"
)
_TASTE = re.compile(
    r"^(?:(?:i|user|the user) (?:prefers?|likes?|uses?|loves?|favou?rs?)|prefers?|uses?) "
    rf"(?:to use |using |coding in |writing )?{_TOOL}(?:,? (?:and|over|to|rather than|instead of) {_TOOL})?"
    r"(?: as (?:my|their|an?) (?:editor|language|database|browser|shell))?$",
    re.IGNORECASE,
)
_FAVOURITE = re.compile(
    "^(?:my|user's|the user's) favou?rite (?:programming language|language|editor|ide|mod|game|browser|shell|"
    r"framework|database|operating system|os|distro|minecraft mod|video game) is [\w .+#'-]{1,40}$",
    re.IGNORECASE,
)


def is_harmless(text: str, key: str) -> bool:
    """Whether a text, whose slot is `key`, is one explicit fact fit for any venue. In doubt not.

    The caller must have ruled out sensitive text, negation and others' names.
    """
    said = sentences(text.replace("’", "'"))
    if len(said) != 1 or "@" in text:
        return False
    statement = " ".join(said[0].split()).rstrip(".! ")
    return key in _HARMLESS_KEYS or bool(_TASTE.match(statement) or _FAVOURITE.match(statement))
