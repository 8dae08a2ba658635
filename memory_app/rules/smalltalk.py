"""Utterances that long-term memory cannot help: greetings, thanks, device commands, timers, sums.

Careful by design: what is not certainly one of these is not, so that no question about a person's life is caught.
"""

from collections.abc import Sequence

from memory_app.rules import linear_re as re
from memory_app.rules.address import ASSISTANT_NAMES, without_closing, without_opening
from memory_app.rules.text import normalised, vocabulary
from memory_app.rules.tongues import is_empty_talk
from memory_app.rules.tongues.talk import NO_SUM

# Commands are short; whoever says more says something.
LONGEST = 200

# Words of which small talk may consist entirely.
_CHATTER = vocabulary(
    "hi hello hey yo hiya greetings good morning afternoon evening night day thanks thank thx ty cheers you so "
    "very much a lot "
    "many ok okay k kk alright right great cool nice perfect awesome excellent wonderful brilliant lovely fine "
    "bye goodbye "
    "see ya later cya lol haha hahaha wow yes yeah yep yup no nope nah sure please welcome youre got it "
    "understood gotcha barnabee keepsake "
    "never mind nevermind stop cancel again hmm hm um uh oh ah well done sounds"
)
_NUMBER = (
    r"(?:-?\$?\d[\d.,]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    "fifty|hundred)"
)
_OPERATOR = r"(?:[-+*/x×÷^]|plus|minus|times|multiplied by|divided by|over|percent of|% of|of|to the power of|mod)"
_SUM = rf"{NO_SUM}{_NUMBER}(?:\s*{_OPERATOR}\s*{_NUMBER})+"
_DEVICE = (
    "(?:all |the |every |bedroom |kitchen |living room |bathroom |hallway |office |garage |front |back |desk |"
    "ceiling |outside )*"
    "(?:lights?|lamps?|tv|television|radio|fan|heating|heater|heat|air con(?:ditioning)?|ac|thermostat|music|"
    "volume|oven|"
    "doors?|blinds?|curtains?|shutters?|alarm|brightness|temperature|screen|speakers?|vacuum|coffee machine|wifi|"
    "bluetooth)"
)
_ROOM = r"(?: (?:in|of) the (?:bedroom|kitchen|living room|bathroom|hallway|office|garage|house))?"
_AMOUNT = (
    r"(?: (?:to|at|by) (?:\d+|half|full|max|maximum|minimum|zero)(?: ?(?:%|percent|degrees?|c|f|celsius|"
    "fahrenheit))?)?"
)
_TIMER = r"(?:(?:the|a|an|any|another|all|all the) )?(?:\S+ )?(?:timers?|alarms?|stopwatch|countdown)"

_COMMANDS = (
    rf"(?:turn|switch|put) (?:on|off|up|down) {_DEVICE}{_ROOM}{_AMOUNT}",
    rf"(?:turn|switch|put) {_DEVICE}{_ROOM} (?:on|off|up|down){_ROOM}{_AMOUNT}",
    rf"(?:dim|brighten|lock|unlock|open|close|shut|mute|unmute|raise|lower|start|stop|set|increase|decrease) "
    rf"{_DEVICE}{_ROOM}{_AMOUNT}",
    rf"{_DEVICE} (?:on|off|up|down)",
    rf"(?:set|start|create|make) {_TIMER}(?: (?:for|to|at|of) [\w :.]{{1,30}})?",
    rf"(?:stop|cancel|pause|resume|reset|delete|snooze|clear) {_TIMER}",
    r"how (?:many (?:hours|minutes|seconds) (?:are|is)|much time is) (?:left|remaining)(?: on (?:the|my) timer)?",
    r"remind me in (?:\w+ ){1,3}(?:hours?|minutes?|seconds?)",
    r"how (?:much (?:time|longer)|long) (?:is|does|has) .{0,30}\b(?:timer|alarm)\b.{0,15}",
    r"(?:pause|resume|skip|stop|next|previous|play|louder|quieter|repeat|mute|unmute|shuffle)"
    r"(?: (?:the|this|that|it|next|previous))*(?: (?:music|song|track|video|playback))?",
    r"what(?:s| is)? (?:the )?(?:time|date|day)(?: (?:is it|today|now|is today|right now))*",
    r"what (?:time|day|date) is it(?: now| today| in \w+(?: \w+)?)?",
    "what(?:s| is| will) the weather(?: (?:be|like|today|tomorrow|now|tonight|outside|this weekend))*(?: in "
    r"\w+(?: \w+)?)?",
    r"(?:is|will) it (?:going to )?(?:rain|snow)(?:ing)?(?: (?:today|tomorrow|now|tonight|outside))?",
    r"flip a coin|(?:roll|throw) (?:a )?(?:die|dice)|tell me (?:a|another) (?:joke|story|fun fact)",
)
_SUMS = (
    rf"(?:(?:what(?:'?s| is)|how much is|calculate|compute) )?{_SUM}(?:\s*=)?",
    rf"(?:what(?:'?s| is) )?(?:the )?square root of {_NUMBER}",
    r"(?:(?:what(?:'?s| is)|how much is) |convert )\d[\d.,]* ?\w+ (?:in|to|into) \w+",
)
_PHRASES = (
    "how are you(?: doing)?(?: today)?|whats up|who are you|what can you do|say that again|be quiet|shut up|go "
    "away|go on",
    "(?:that|thats|it|its) ?(?:is )?(?:all|enough|fine|ok|okay|good|great|perfect|right|correct)(?: thanks| "
    "thank you)?",
    r"no (?:problem|worries|thanks|thank you)|test(?:ing)?|(?:talk to|see) you (?:later|soon|tomorrow|tonight|around)",
    r"have a (?:good|nice|great) (?:one|day|evening|night|weekend)",
)
_FIXED = re.compile("|".join((*_COMMANDS, *_SUMS, *_PHRASES)))


def is_command_or_small_talk(
    utterance: str, assistant_names: Sequence[str] = ASSISTANT_NAMES, *, language: str = "english"
) -> bool:
    """Whether nothing remembered could help to answer: "turn on the lights", "thanks!", "what's 2+2", a timer.
    language: which is read beside English."""
    if len(utterance) > LONGEST:
        return False
    if is_empty_talk(utterance, language):
        return True
    text = normalised(utterance)
    if not any(character.isalnum() for character in text):
        return True
    if all(word in _CHATTER for word in text.split()):
        return True
    bare = without_closing(utterance.strip(), assistant_names)
    return any(_is_empty_talk(asked) for asked in (bare, without_opening(bare, assistant_names).text))


def _is_empty_talk(text: str) -> bool:
    plain = normalised(text)
    if not plain or all(word in _CHATTER for word in plain.split()):
        return True
    # Folding takes the signs out of a sum, so sums are read as they were written too.
    return bool(_FIXED.fullmatch(plain) or _FIXED.fullmatch(text.lower().rstrip("?!. ")))
