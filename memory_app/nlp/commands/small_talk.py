"""Utterances that long-term memory cannot help: greetings, thanks, device commands, timers, sums.

Careful by design: what is not certainly one of these is not, so that no question about a person's life is caught.
"""

from memory_app.nlp import linear_re as re
from memory_app.nlp.commands.address import without_closing, without_opening
from memory_app.nlp.locales import is_small_talk_in
from memory_app.nlp.locales.wording import NOT_A_SUM
from memory_app.nlp.text import normalised, vocabulary

# Commands are short; whoever says more says something.
LONGEST_SMALL_TALK = 200

# Words of which small talk may consist entirely.
_CHATTER = vocabulary(
    "hi hello hey yo hiya greetings good morning afternoon evening night day thanks thank thx ty cheers you so very "
    "much a lot many ok okay k kk alright right great cool nice perfect awesome excellent wonderful brilliant lovely "
    "fine bye goodbye see ya later cya lol haha hahaha wow yes yeah yep yup no nope nah sure please welcome youre "
    "got it understood gotcha barnabee keepsake never mind nevermind stop cancel again hmm hm um uh oh ah well done "
    "sounds"
)
_NUMBER = (
    r"(?:-?\$?\d[\d.,]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    "fifty|hundred)"
)
_OPERATOR = r"(?:[-+*/x×÷^]|plus|minus|times|multiplied by|divided by|over|percent of|% of|of|to the power of|mod)"
_SUM = rf"{NOT_A_SUM}{_NUMBER}(?:\s*{_OPERATOR}\s*{_NUMBER})+"
_DEVICE = (
    "(?:lights?|lamps?|tv|television|radio|fan|heating|heater|thermostat|music|song|volume|oven|doors?|blinds?|"
    "alarms?|timers?|stopwatch|countdown|brightness|temperature|speakers?|vacuum|wifi|bluetooth)"
)
_COMMANDS = (
    "(?:turn|switch|put|dim|lock|unlock|open|close|shut|mute|raise|lower|start|stop|set|increase|decrease|pause|"
    rf"resume|cancel|snooze|clear|skip|play) (?:(?!my\b)[\w%]+ ){{0,4}}?{_DEVICE}(?: (?!is\b|was\b)[\w%]+){{0,5}}",
    r"(?:pause|resume|skip|stop|next|louder|quieter|repeat)|remind me in (?:\w+ ){1,3}(?:hours?|minutes?|seconds?)",
    r"what(?:s| is)? (?:the )?(?:time|date|day)(?: (?:is it|today|now|is today|right now))*|"
    r"what time is it(?: in)?.{0,20}",
    r"what(?:s| is| will) the weather.{0,40}|(?:is|will) it (?:going to )?(?:rain|snow)(?:ing)?.{0,20}",
)
_SUMS = (
    rf"(?:(?:what(?:'?s| is)|how much is|calculate|compute) )?{_SUM}(?:\s*=)?",
    r"(?:(?:what(?:'?s| is)|how much is) |convert )\d[\d.,]* ?\w+ (?:in|to|into) \w+",
)
_PHRASES = (
    "how are you(?: doing)?(?: today)?|whats up|who are you|what can you do|say that again|be quiet|go (?:away|on)|"
    "(?:that|thats|it|its) ?(?:is )?(?:all|enough|fine|ok|okay|good|great|perfect|right|correct)(?: thanks|"
    " thank you)?|(?:talk to|see) you (?:later|soon|tomorrow|tonight|around)|no (?:problem|worries)|have a (?:good|"
    "nice|great) (?:one|day|evening|night|weekend)",
)
_FIXED = re.compile("|".join((*_COMMANDS, *_SUMS, *_PHRASES)))


def is_command_or_small_talk(utterance: str, *, language: str = "english") -> bool:
    """Whether nothing remembered could help to answer: "turn on the lights", "thanks!", "what's 2+2", a timer.
    language: which is read beside English."""
    if len(utterance) > LONGEST_SMALL_TALK:
        return False
    if is_small_talk_in(utterance, language):
        return True
    text = normalised(utterance)
    if not any(character.isalnum() for character in text):
        return True
    if all(word in _CHATTER for word in text.split()):
        return True
    bare = without_closing(utterance)
    return any(_is_small_talk(part) for part in (bare, without_opening(bare).text))


def _is_small_talk(text: str) -> bool:
    plain = normalised(text)
    if not plain or all(word in _CHATTER for word in plain.split()):
        return True
    # Folding takes the signs out of a sum, so sums are read as they were written too.
    return bool(_FIXED.fullmatch(plain) or _FIXED.fullmatch(text.lower().rstrip("?!. ")))
