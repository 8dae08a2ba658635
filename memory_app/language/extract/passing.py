"""Sentences that are over as soon as they are said: how one is at the moment, and talk about the talk itself.

Closed classes and forms of English, no topics: "I'm tired today", "I had a great weekend", "I really needed that".
"""

from memory_app.rules import linear_re as re

LONGEST = 120
"""Characters; what is longer tells something."""

_ADVERB = (
    r"(?:so|very|really|just|still|also|all|quite|pretty|much|a lot|far|a bit|a little|kind of|kinda|feeling|too|"
    r"totally|absolutely|"
    r"actually|honestly|always|already|not|only|now|here|super|such|finally|definitely|truly|certainly)"
)
# States that pass within hours, good and bad ones; what lasts (retired, pregnant, vegetarian) is none.
_STATE = (
    r"(?:fine|good|well|ok|okay|alright|great|better|ready|back|here|there|home|around|done|finished|busy|free|late|"
    r"tired|exhausted|sleepy|awake|bored|hungry|thirsty|full|cold|hot|warm|sick of (?:it|this|that)|happy|glad|sad|"
    r"sorry|"
    r"excited|thrilled|nervous|stressed|relieved|grateful|thankful|proud|pleased|delighted|surprised|shocked|impressed|"
    r"amazed|curious|confused|lost|stuck|sure|certain|aware|serious|kidding|joking|listening|waiting|looking forward|"
    r"(?:just )?(?:checking(?: in)?|wondering|thinking|asking|saying|testing|playing|messing)(?: (?:around|about))?)"
)
_OF_IT = r"(?: (?:about|of|with|for|by|to|at|on|like) (?:it|that|this|you|them|something|everything|things))?"
_NOW = (
    r"(?:,? (?:now|today|tonight|again|right now|at the moment|later|soon|somewhere|before|elsewhere|online|"
    r"this (?:morning|afternoon|evening|week)|as well|too|"
    r"thanks|thank you|though|already|lately|yesterday|last night|really|a lot|so much|then|anyway))*"
)
_PERIOD = r"(?:time|day|weekend|week|night|evening|morning|afternoon|holiday|trip|break|one|lunch|dinner|sleep|rest)"
_PASSING = re.compile(
    r"(?:and |but |so |oh |well |yeah |yes |no |ok |okay )*(?:"
    # How one is.
    rf"(?:i(?:'m| am| was|'ve been| have been| feel| felt)|feeling) (?:{_ADVERB} )*{_STATE}{_OF_IT}"
    rf"(?:,? (?:and|but|or) (?:{_ADVERB} )*{_STATE}{_OF_IT})?|"
    rf"(?:i(?:'m| am)|feeling) (?:{_ADVERB} )*(?:done with|sick of|fed up with|tired of|over) "
    r"(?:this|that|the|my|all) ?.{0,30}|"
    r"(?:i|we)(?: just| only| really)* (?:want|need|wanna) (?:to )?(?:sleep|rest|cry|scream|go (?:home|to bed)|"
    r"a (?:nap|drink|break|hug|minute|rest)|my bed|some sleep)|"
    r"(?:this|that|it|.{1,30}?)(?:'s| is| are)? (?:driving|killing) me(?: (?:crazy|mad|nuts|insane))?|"
    # Where one is on the way, and what one meant to say.
    r"(?:right now |at the moment |currently )?i(?:'m| am) (?:still |just |already |now )*(?:at|on|in) (?:the|a|my) "
    r"(?:airport|station|train|bus|plane|tram|metro|car|taxi|shop|supermarket|store|queue|toilet|bathroom|kitchen|phone|"
    r"way|road|move|couch|sofa|bed|bath|shower|meeting|call)\b.{0,30}|"
    r"(?:i|we) (?:meant|wanted) to (?:say|write|type)\b.{0,60}|(?:i|we) (?:said|wrote|typed) .{1,40} but (?:i |we )?"
    r"(?:meant|mean) .{1,40}|"
    # How it went.
    rf"(?:i|we)(?:'ve)? (?:just |really )*(?:had|have had|spent) (?:a|an|such a|the) (?:{_ADVERB} )*(?:\w+ )?{_PERIOD}|"
    # Where one comes from, when that is no place.
    r"(?:i|we)(?:'m|'re|'ve| am| have)? (?:just |only )*(?:got|came|gotten|come|been|arrived|are|am)? ?(?:back|"
    r"home|in|up)"
    rf"(?: (?:from|to|at|after) (?:the |my |our |a )?(?:\w+ )?(?:work|{_PERIOD}|bed|there|here|it|that))?|"
    # The talk itself.
    r"(?:i|we)(?:'ve|'ll| have| had| will)? (?:just |got |still |only )*(?:have |had |get |got |made |make |need |"
    r"see |take )?"
    r"(?:a|an|one|another|some|no|one more|two|a few|more|your|the)(?: \w+)? (?:questions?|requests?|ideas?|thoughts?|"
    r"favou?rs?|problems?|issues?|doubts?|clue|typos?|mistakes?|errors?|minutes?|moments?|seconds?|looks?|points?|hand)"
    rf"{_OF_IT}(?: for you)?|my (?:bad|mistake|apologies|(?:next |first |last |other )?(?:question|point|"
    rf"request) (?:is|was)"
    r"\b.{0,60})|i hope (?:that|this|it|so|you|to)\b.{0,40}|"
    r"(?:i|we)(?: \w+)? (?:forgot|forget|remember|know|see|understand|get|mean|meant|said) (?:what|how|why|that) "
    r"(?:i|you|we)\b.{0,40}|"
    rf"(?:that|it|this)(?:'s| is| was)? (?:{_ADVERB} )*(?:makes?|made|sounds?|seems?|looks?|helps?|helped|works?|"
    rf"worked)"
    rf"(?: (?:{_ADVERB} )*(?:sense|good|great|fine|right|perfect|me))?(?: (?:to|for) (?:me|us))?|"
    # Something done to "that": without what was said before it says nothing.
    rf"(?:i|we)(?:'ll|'d|'ve|'m|'re| will| would| can| could| am| was| have| do| did)?(?:n't|'t|"
    rf" not)? (?:{_ADVERB} |going to |"
    rf"want to |need to |have to )*\w+(?: (?:about|of|with|for|on|to|at|into|over|out|up))? "
    r"(?:it|that|this|something|everything|anything|so|them|one|the (?:first|second|third|other|last|same|next|latter|"
    r"former) one)(?: (?:a (?:try|go|shot)|out|up|now|some thought))?(?:,? but (?:it|that) \w+(?:n't)?(?: \w+)?)?"
    rf"){_NOW}"
)
_PUNCTUATION = re.compile(r"[.!…,;:\s]+$")


def is_passing(claim: str) -> bool:
    """Whether a sentence, without its opening, tells nothing that anyone would want to know tomorrow."""
    return (
        len(claim) <= LONGEST and _PASSING.fullmatch(_PUNCTUATION.sub("", claim.lower().replace("’", "'"))) is not None
    )
