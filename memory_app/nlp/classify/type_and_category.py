"""What type and category of memory a sentence is, by its form: who speaks of what, with which verb. English.

Only plain forms: what none of them fits is a fact, which claims least. `sure` says whether a form spoke.
"""

from dataclasses import dataclass

from memory_app.nlp import linear_re as re
from memory_app.nlp.text import sentences

# How much of a text is read, in characters and in sentences.
_READ = 600
_SENTENCES = 4


@dataclass(frozen=True, slots=True)
class TypeAndCategory:
    """A type and a category of the contract; `sure` is false where no rule applied and "fact" is the default."""

    type: str
    category: str
    sure: bool


def _any_of(*patterns: str) -> re.Pattern:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Who may be the subject: "we", "the team", "my wife", "Bob"; then adverbs before the verb.
_SUBJECT = (
    r"^(?:(?:and|so|but|well|also|actually|finally|(?:after|in|at|last|this|on) [^,.]{2,40}(?=,)|yesterday),? )?"
    r"(?:i|we|you|he|she|they|it|everyone|(?:my|our|his|her|their|the) (?:\w+ ){1,3}?|"
    r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?(?: and (?:i|[A-Z]\w+))?)"
)
_ADVERB = (
    r"(?:really|always|also|still|absolutely|usually|generally|never|just|all|much|totally|both|finally|now|do|does)"
)
_POSSESSIVE = r"(?:my|our|his|her|their|(?!(?:it|that|what|there|here|who|let|he|she)['’])\w+['’]s)"
_NAME = r"(?-i:[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,3})"
_DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"

_DECISION = _any_of(
    r"^(?:the |our )?(?:final )?(?:decision|choice)\b(?! of\b)(?:\s*:|.{0,40}\bis\b)",
    rf"{_SUBJECT}?(?:['’](?:ve|s|re|d)| have| has| had| are| is| am| were)?(?: {_ADVERB})* ?"
    r"\b(?:decided|agreed|chose|chosen|settled|opted|concluded|resolved|voted|picked|approved|rejected)\b(?! up\b)",
    rf"{_SUBJECT}?(?: are|['’]re| am|['’]m| is|['’]s)? ?(?:not )?(?:going|switching|sticking) (?:with|for|"
    rf"to)\b(?! the\b)|"
    rf"{_SUBJECT}(?:['’]ll| will| won['’]t)(?: not)? (?:use|go with|stick with|keep|stay with|adopt|renew|switch)\b",
    r"^let['’]?s (?:go with|use|stick with|take)\b|\bmade up (?:my|our|their|his|her) minds?\b",
)
_MEETING = _any_of(r"^(?:meeting|minutes|call|stand-?up)(?: (?:summary|notes|minutes|recap|with|about|on|of))?\s*[:–-]")
_JOURNAL = _any_of(
    r"^(?:i(?:['’]m| am)?(?: (?:have|['’]ve) been)? ?)?(?:(?:so|really|just|still|a bit|very) )*(?:feel(?:ing)?|felt)\b"
    r"(?! like (?:a|the|we)\b)",
    r"^i(?:['’]m| am|['’]ve been) (?:(?:so|really|very|quite|a bit|just|still) )*(?:grateful|proud|happy|sad|worried|"
    r"nervous|"
    r"anxious|excited|tired|exhausted|stressed|lonely|thankful|angry|upset|overwhelmed|glad|relieved|frustrated)\b",
    r"^(?:today|this week|it|this) (?:was|has been|is) (?:such )?(?:an? )?(?:\w+ )?\w+ (?:day|week|morning|evening|"
    r"night)",
    r"^(?:what an? \w+ (?:day|week|evening|morning|night)\b|dear diary)",
)
_PREFERENCE = _any_of(
    f"(?:{_SUBJECT} ?(?:['’]d |would )?(?:{_ADVERB} )*|^)(?:prefers?|loves?|likes?|enjoys?|adores?|hates?|dislikes?|"
    "detests?|loathes?|favou?rs?|avoids?|can(?:['’]?t|not) (?:stand|bear)|(?:do|does)(?: not|"
    "n['’]t) (?:really )?(?:like|enjoy|want|care for|eat|drink)|never (?:eats?|drinks?|wears?)|"
    r"wants?(?! to (?:finish|complete|start|begin|build|move|sell|rent|open|launch|renovate|hire)\b)|"
    r"find)(?! to (?:buy|go|see|visit|meet|get|become|learn|know|say|ask|call)\b)\b",
    rf"(?:^|\b(?:is|are|was) (?:[a-z]+ )?){_POSSESSIVE} (?:all-time |absolute |least )?favou?rite\b",
    f"(?:{_SUBJECT}(?: (?:is|are|am|was)|['’](?:s|re|m))(?: not|n['’]t)?(?: {_ADVERB})* ?|^)(?:a (?:big |"
    "huge )?fan of|fond of|keen on|into|crazy about|passionate about|(?:not )?interested in|s[ck]eptical|"
    r"partial to|obsessed with|big fan)\b",
    rf"{_SUBJECT}(?:['’]d| would) (?:rather|prefer)\b|^(?:please )?(?:always |never )?(?:keep your|answer|reply|"
    r"respond|speak|talk|write|call me|be (?:brief|concise))\b|^(?:always|never) \w+",
)
_TASK_VERBS = (
    "buy|call|email|mail|send|pay|pick up|book|schedule|order|renew|water|clean|fix|submit|return|finish|ask|bring|"
    "prepare|review|update|register|cancel|remind|check|get|write|feed|wash|tell|print|sign|reply to|follow up|"
    "invite|drop off|take out|charge|pack|install|remove|replace|repair|collect|arrange|organi[sz]e|look up|find|"
    "read|study|apply for|file"
)
TASK = _any_of(
    r"^(?:to-?do|task|reminder|action item)\s*[:–-]",
    r"^(?:i|we)(?: (?:really|still|also))? (?:(?:need|have|ought|has) to|must|should|gotta) \w+",
    rf"^(?:{_TASK_VERBS})\b(?! (?:is|are|was|were)\b)",
)
_PROJECT = _any_of(
    r"\b(?:project|renovation|remodel(?:l?ing)?|relaunch|milestone|roadmap|sprint|prototype|codebase|mvp|backlog|"
    r"thesis|dissertation|rollout)\b|\b(?:budget|deadline|launch|release|kick-?off) (?:is|was|of|for|has|have|will|"
    r"are|date)\b",
    r"^(?:i(?:['’]m| am)|we(?:['’]re| are)|they(?:['’]re| are)|(?:my |our |the )?(?:\w+ )?team is|[A-Z]\w+ is|(?:i|"
    "we|they)(?:['’]ve| have) been)? ?(?:currently |still |now )?(?:working on|building|developing|designing|"
    "implementing|creating|restoring|renovating|rebuilding|converting|organi[sz]ing|setting up|putting together|"
    "rewriting|migrating|refactoring|writing|training for|preparing for|studying for|planning to (?:build|launch|"
    r"release|write|redesign))\b(?! (?:from|in|at) )",
)
_KIN = (
    "(?:(?:best|old|close|new|ex|younger|older|elder|little|big|twin|step|great)[- ])*(?:mother|father|mom|mum|dad|"
    "parents?|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|aunt|uncle|cousin|"
    "niece|nephew|grandmother|grandfather|grandma|grandpa|gran|nan|friend|boss|manager|colleague|coworker|"
    "neighbou?r|teacher|tutor|coach|doctor|dentist|therapist|lawyer|accountant|landlord|landlady|roommate|flatmate|"
    "mentor|nanny|cleaner|gardener|plumber|electrician|hairdresser|vet|client|contact|baby)(?:-in-law)?"
)
_JOB_TITLE = (
    f"(?:{_KIN}|director|lead|head|chief|ceo|cto|cfo|founder|owner|engineer|developer|designer|professor|nurse|"
    "pilot|artist|author|chef|musician|actor|officer|analyst|scientist|consultant|architect|representative|"
    "president|carpenter|mechanic|photographer|journalist|guy|person|man|woman)"
)
_PERSON = _any_of(
    rf"^(?:{_POSSESSIVE}|the) (?:\w+ )?(?:{_JOB_TITLE})(?:['’]s name)? (?:is|was|are)(?: (?:called|named))? {_NAME}",
    rf"^(?:{_POSSESSIVE}|{_NAME}['’]s) (?:\w+ )?{_KIN},? {_NAME},? (?:is|was|has|works|lives|studies|plays|teaches|"
    rf"runs|turns)\b",
    rf"^{_POSSESSIVE} (?:\w+ )?{_KIN} (?:is|was) (?:an? (?:\w+ ){{0,2}}{_JOB_TITLE}\b|\d+\b)",
    rf"^{_NAME}(?:,? (?:is|was)|\s*[–—-]|,) ?(?:also )?(?:(?:{_POSSESSIVE}|the|an?|"
    rf"the \w+['’]s?) )?(?:[\w-]+ ){{0,3}}{_JOB_TITLE}\b",
    rf"^(?!I\b){_NAME} from (?:{_NAME}|the \w+|accounting|marketing|sales|hr|it|legal|finance|work|school|"
    rf"engineering)\b",
)
_PAST_VERB = (
    "(?:went|visited|met|saw|had|came|took|got|attended|celebrated|watched|ran|won|lost|moved|adopted|bought|sold|"
    "broke|finished|started|graduated|married|travel(?:l)?ed|flew|drove|hiked|camped|played|performed|presented|"
    "signed|fell|joined|left|quit|ate|cooked|baked|made|painted|built|organi[sz]ed|hosted|called|gave|received|"
    "found|learned|learnt|tried|passed|failed|launched|published|released|spent|stayed|returned|arrived|happened|"
    "ended|opened|closed|died|threw|held|swam|rode|climbed|read|heard|talked|spoke|volunteered|donated|enrolled|"
    "applied|interviewed|hired|fired|crashed|repaired|fixed|planted|wrote|sang|danced|took part|trained|booked|"
    "cancel(?:l)?ed|postponed|resigned|retired|ordered)"
)
_OCCASION = (
    r"(?:appointment|party|wedding|concert|flight|exam|interview|trip|conference|funeral|reunion|graduation|birthday|"
    r"anniversary|recital|match|dinner|lunch|visit|checkup|holiday)"
)
_EVENT = _any_of(
    rf"(?:{_SUBJECT} ?(?:['’]ve |have |has )?(?:{_ADVERB} )*|"
    rf"^)(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )\b{_PAST_VERB}\b"
    r"(?![-'’])(?! (?:born|used|known|called|made of|built in)\b)",
    r"\b(?:was|were|is|are|been|got)(?: now| just)? (?:moved|pushed|postponed|rescheduled|cancel(?:l)?ed|called off)\b",
    r"\b(?:got|getting) (?:married|engaged|divorced|promoted)\b|^there was\b",
    rf"^(?:(?:i|we) have (?:an? )?|my |our |the |an? |\w+['’]s )?(?:\w+ )?{_OCCASION}\b[^.]{{0,40}}?\b(?:is )?(?:on|"
    r"next|this|tomorrow|tonight|today)\b",
)
# "Last week I ran a marathon" is "I ran a marathon".
_SUBORDINATE_TIME = _any_of(
    r"^(?:yesterday|today|tonight|(?:last|this) \w+|on \w+day|the other day|(?:\w+ ){1,2}ago|in \d{4}),? (?=\w)"
)
_FUTURE_PLAN = _any_of(
    r"\b(?:am|is|are|['’]m|['’]s|['’]re) (?:\w+ )?\w+ing\b|\b(?:will|['’]ll) \w+|\boff to\b|\bturns? \w+|\bplan(?:s|"
    r"ning)? \w+|\bis (?:now )?(?:on|at|in|next|this|tomorrow|today)\b|\bfirst day\b|\b(?:gets|starts?) \w+"
)
_STATE = _any_of(
    rf"{_SUBJECT}(?: {_ADVERB}| currently)* ?\b(?:lives?|resides?|grew up|works? (?:at|for|in|as)|stud(?:y|ies)|"
    r"speaks?|owns?|comes? from|(?:am|is|are) (?:from|based in))\b|^i['’]m (?:from|based in)\b"
)
"""How things are, with a place or a trade in it: what would be nearest to an example with just such a place."""
_HABIT = _any_of(r"\b(?:every|each|usually|always|never|often|daily|weekly|born|since)\b")
WEEKLY = _any_of(
    rf"^(?:on )?{_DAY} (?:is|are) (?:[\w-]+ ){{1,4}}(?:day|night|morning|evening)s?\b",
    rf"\b(?:day|night|morning|evening)s? (?:is|are|falls on) (?:on |always |usually )*{_DAY}\s*[.!]*$",
)
"""What recurs each week, though it names a day as one does of the next: "Thursday is trash day"."""

_READING = _any_of(
    r"\b(?:reading|reads?|re-?read)\b (?!out)(?!the (?:room|meter))|\b(?:books?|novels?|articles?|papers?|authors?|"
    r"blogs?|"
    r"newsletters?|magazines?|chapters?|e-?books?|audiobooks?|poems?|library|kindle|memoir|posts?|bookmarked)\b"
)
_WORK = _any_of(
    r"\b(?:work(?:s|ed|ing)?|job|office|boss|manager|colleagues?|cowork\w+|team|clients?|customers?|company|employer|"
    r"meetings?|deadline|project|sprint|roadmap|release|deploy\w*|codebase|database|backend|frontend|code|coding|"
    "programming|software|startup|business|career|promot(?:ed|ion)|conference|presentation|engineer|developer|"
    r"designer|director|sales|marketing|accounting|budget|contract|interview|vendor|product(?:ion)?|postgres\w*|"
    r"python|django|rust|java|kafka|aws|github|api)\b"
)
_PERSONAL = _any_of(
    r"\b(?:i|i['’]m|me|my|mine|we|our|us|family|kids?|children|home|house|apartment|holiday|vacation|hobby|hobbies|"
    rf"dog|cat|pet|garden|birthday|wedding|school|gym|{_KIN})\b"
)
_KEY_FACT = _any_of(
    r"\b(?:time ?zone|(?:user ?|gamer ?|nick ?|screen ?)(?:name|tag)|ign|in[- ]game name|pronouns)\b",
    r"^i(?:['’]m| am) (?:in|on) (?:[A-Z]{2,4}T|UTC|GMT)\b",
)
"""What a profile lists among its key facts: how to reach and address someone, not what their life is like."""

# Lines of a profile, by how they begin (seed 003, its own lines): these say the section before any word in them does.
_SECTIONS = (
    (_any_of(r"^(?:communication style|summary format|answer format)\s*:"), "preference"),
    (
        _any_of(
            r"^(?:role|company|employer|job title|projects?|current project|tech stack)\s*:|"
            r"^(?:work|professional|career) goals?\s*:"
        ),
        "work",
    ),
    (
        _any_of(
            r"^opinions?\b|^(?:hobbies|hobby|side projects?)\s*:|\bside project\b|"
            r"^(?:i(?:['’]m| am) )?(?:s[ck]eptical (?:about|of)|learning)\b"
        ),
        "personal",
    ),
    (_any_of(r"^(?:discussed|read|saved|reacted to) .+ \((?:positive|negative|neutral|mixed)\)$"), "reading"),
    (_any_of(r"^(?:time ?zone|digest preference|started using .+)\s*:"), "fact"),
)


def type_and_category(text: str, *, dated: bool = False) -> TypeAndCategory:
    """The type and category of a memory; `dated`: whether a time phrase stands in it.

    The first of its first sentences that a rule knows decides: greetings and exclamations often stand in front.
    """
    read = text[:_READ]
    found = [_type_of(" ".join(sentence.split()), dated) for sentence in sentences(read)[:_SENTENCES]]
    kind, sure = next((each for each in found if each[1]), ("fact", False))
    return TypeAndCategory(kind, _category_of(read, kind), sure)


def _type_of(text: str, dated: bool) -> tuple[str, bool]:
    for pattern, kind in _FIRST_RULES:
        if pattern.search(text):
            return kind, True
    if WEEKLY.search(text):
        return "fact", True
    habit = _HABIT.search(text) is not None
    if _EVENT.search(_SUBORDINATE_TIME.sub("", text)) and not habit:
        return "event", True
    if dated and not habit and _FUTURE_PLAN.search(text) and not _PROJECT.search(text):
        return "event", True
    for pattern, kind in _LAST_RULES:
        if pattern.search(text):
            return kind, True
    return "fact", False


# The order settles what is several things at once: a decision about a project is a decision.
_FIRST_RULES = (
    (_DECISION, "decision"),
    (_MEETING, "meeting"),
    (_JOURNAL, "journal"),
    (_PREFERENCE, "preference"),
    (TASK, "task"),
)
_LAST_RULES = ((_PERSON, "person"), (_PROJECT, "project"), (_STATE, "fact"))


def _category_of(text: str, kind: str) -> str:
    begun = next((category for pattern, category in _SECTIONS if pattern.search(text)), None)
    if begun:
        return begun
    if kind == "preference":
        return "preference"
    if kind == "fact" and _KEY_FACT.search(text):
        return "fact"
    if _READING.search(text):
        return "reading"
    if kind in ("project", "meeting") or _WORK.search(text):
        return "work"
    if kind in ("person", "event", "journal") or _PERSONAL.search(text):
        return "personal"
    return "fact"
