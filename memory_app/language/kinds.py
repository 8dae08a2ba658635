"""What type and category of memory a sentence is, by its form: who speaks of what, with which verb.

Rules alone, tuned on half of the labelled sentences in the tests. `sure` says whether a rule spoke or the default.
"""

import re
from dataclasses import dataclass

from memory_app.rules.text import sentences

# How much of a text is read, in characters and in sentences.
_READ = 600
_SENTENCES = 4


@dataclass(frozen=True, slots=True)
class Kind:
    """A type and a category of the contract; `sure` is false where no rule applied and "fact" is the default."""

    type: str
    category: str
    sure: bool


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Who may be the subject: "we", "the team", "my wife", "Bob", "User"; then adverbs before the verb.
_SUBJECT = (
    r"^(?:(?:and|so|but|well|also|actually|in the end|after \w+(?: \w+)?|finally),? )?"
    r"(?:(?:i|we|you|he|she|they|it|everyone|(?:my|our|his|her|their|the) (?:\w+ ){1,3}?|[A-Z][\w'’-]*(?: "
    r"[A-Z][\w'’-]*)?"
    r"(?: and (?:i|[A-Z]\w+))?))"
)
_ADVERB = (
    "(?:really|always|also|still|absolutely|usually|generally|never|just|all|much|totally|both|finally|now|do|does)"
)

DECISION = _any_of(
    r"^(?:the |our )?(?:final )?(?:decision|choice|verdict)\b(?! of\b)(?:\s*:|.{0,40}\bis\b)",
    rf"{_SUBJECT}?(?:['’](?:ve|s|re|d)| have| has| had| are| is| am| were)?(?: {_ADVERB})* ?\b(?:decided|agreed|"
    "chose|chosen|settled|"
    r"opted|concluded|resolved|voted|picked)\b(?! up\b)",
    r"\b(?:approved|rejected|made up (?:my|our|their|his|her) minds?)\b|\bit was (?:decided|agreed)\b",
    f"{_SUBJECT}(?: are|['’]re| am|['’]m| is|['’]s)? (?:not )?going (?:with|for|to (?:go with|use|buy|keep|stay "
    r"with))\b|^going (?:with|for)\b",
    rf"{_SUBJECT}(?:['’]ll| will| won['’]t)(?: not)?(?: be)? (?:us(?:e|ing)|go(?:ing)? (?:with|for)|"
    rf"stick(?:ing)? with|keep(?:ing)?|"
    r"stay(?:ing)? with|adopt(?:ing)?|renew(?:ing)?|switch(?:ing)?)\b|"
    rf"{_SUBJECT}(?: are|['’]re| am|['’]m)(?: not)? (?:switching|sticking)\b|"
    r"^let['’]?s (?:go with|use|stick with|take)\b",
)
MEETING = _any_of(
    r"^(?:meeting|minutes|call|stand-?up)(?: (?:summary|notes|minutes|recap|with|about|on))?\s*[:–-]",
    r"^minutes of\b",
    r"^meeting (?:summary|notes)\b",
)
JOURNAL = _any_of(
    "^(?:i(?:['’]m| am)?(?: (?:have|['’]ve) been)? ?)?(?:(?:so|really|just|still|a bit|very) )*(?:feel(?:ing)?|"
    r"felt|been feeling)\b(?! like (?:a|the|we)\b| free\b)",
    "^i(?:['’]m| am|['’]ve been| have been) (?:(?:so|really|very|quite|a bit|just|still|feeling) )*(?:grateful|"
    "proud|happy|sad|worried|nervous|anxious|"
    r"excited|tired|exhausted|stressed|lonely|thankful|angry|upset|overwhelmed|glad|relieved|ashamed|frustrated)\b",
    r"^(?:today|this week|it|this) (?:was|has been|is) (?:such )?(?:an? )?(?:\w+ )?(?:hard|good|bad|great|rough|"
    "wonderful|terrible|long|lovely|exhausting|awful|strange) (?:day|week|morning|evening|night)",
    r"^(?:what an? \w+ (?:day|week|evening|morning|night)\b|dear diary)",
)
_PREFER = (
    "(?:prefers?|loves?|likes?|enjoys?|adores?|hates?|dislikes?|detests?|loathes?|favou?rs?|despises?|can['’]?t "
    "stand|cannot stand|can['’]t bear|"
    r"(?:do|does)(?: not|n['’]t) (?:really )?(?:like|enjoy|want|care for|eat|drink)|"
    r"wants?(?! to (?:finish|complete|start|begin|build|move|sell|rent|open|launch|renovate|hire)\b)|find)"
)
PREFERENCE = _any_of(
    f"{_SUBJECT} ?(?:['’]d |would )?(?:{_ADVERB} )*{_PREFER}(?! to (?:buy|go|see|visit|meet|get|become|learn|know|"
    r"say|ask|call)\b)\b",
    "^(?:prefers?|loves?|likes?|dislikes?|hates?|enjoys?|interested in|skeptical|sceptical|not interested|not a "
    r"fan|big fan|fan of)\b",
    r"\b(?:my|our|his|her|their|\w+['’]s) (?:all-time |absolute |least )?favou?rite\b",
    f"{_SUBJECT}(?: (?:is|are|am|was)|['’](?:s|re|m))(?: not|n['’]t)?(?: {_ADVERB})* ?(?:a (?:big |huge )?fan of|"
    "fond of|keen on|into|crazy about|passionate about|"
    "interested in|not interested in|skeptical|sceptical|partial to|obsessed with|addicted to (?:chocolate|"
    r"coffee|tea))\b",
    rf"{_SUBJECT}(?:['’]d| would) (?:rather|prefer)\b|^(?:please )?(?:always |never )?(?:keep your|answer|reply|"
    r"respond|speak|talk|write|call me|be (?:brief|concise)|keep (?:the |all )?(?:answers|replies|responses|it))\b",
)
TASK = _any_of(
    r"^(?:to-?do|task|reminder|action item)\s*[:–-]",
    r"^(?:i|we)(?: (?:really|still|also))? (?:(?:need|have|ought|has) to|must|should|gotta) \w+",
    "^(?:buy|call|email|mail|send|pay|pick up|book|schedule|order|renew|water|clean|fix|submit|return|finish|ask|"
    "bring|prepare|"
    "review|update|register|cancel|remind|check|get|write|feed|wash|tell|print|sign|reply to|respond to|follow "
    "up|invite|drop off|take out|"
    "charge|pack|install|remove|replace|repair|collect|arrange|organi[sz]e|look up|find|read|study|practi[cs]e|"
    r"apply for|file|upload|download)\b(?! (?:is|are|was|were)\b)",
)
PROJECT = _any_of(
    r"\b(?:project|renovation|remodel(?:l?ing)?|relaunch|milestone|roadmap|sprint|prototype|codebase|mvp|backlog|"
    r"thesis|dissertation|grant proposal|rollout)\b",
    r"\b(?:budget|deadline|launch|release|kick-?off) (?:is|was|of|for|has|have|will|are|date)\b|"
    r"\bbudget\b.{0,20}[$€£]\s?\d",
    r"^(?:i(?:['’]m| am)|we(?:['’]re| are)|they(?:['’]re| are)|(?:my |our |the )?(?:\w+ )?team is|"
    r"[A-Z]\w+ is)? ?(?:currently |still |now "
    ")?(?:working on|building|developing|designing|implementing|creating|restoring|renovating|refurbishing|"
    "rebuilding|converting|redecorating|organi[sz]ing|setting up|putting together|rewriting|"
    r"migrating|refactoring|writing|planning to (?:build|rebuild|launch|release|write|redesign))\b(?! (?:from|in|"
    "at) )",
)
_KIN = (
    "(?:(?:best|old|close|new|ex|younger|older|elder|little|big|late|twin|step|foster|great|former)[- "
    "])*(?:mother|father|mom|mum|dad|parents?|sister|"
    "brother|son|daughter|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|ex|aunt|uncle|cousin|"
    "niece|nephew|grandmother|grandfather|grandma|grandpa|granny|gran|nan|nana|grandad|mate|pal|in-laws?|"
    "grandson|granddaughter|friend|boss|manager|supervisor|colleague|coworker|co-worker|neighbou?r|teacher|tutor|"
    "coach|trainer|doctor|dentist|therapist|lawyer|accountant|"
    "landlord|landlady|roommate|flatmate|housemate|mentor|assistant|babysitter|nanny|cleaner|gardener|plumber|"
    "electrician|hairdresser|barber|vet|godmother|godfather|"
    r"stepmother|stepfather|stepsister|stepbrother|classmate|teammate|client|contact|agent|student|baby)(?:-in-law)?"
)
_OFFICE = (
    f"(?:{_KIN}|director|lead|head|chief|ceo|cto|cfo|coo|founder|owner|engineer|developer|designer|professor|"
    "nurse|pilot|artist|writer|author|chef|musician|actor|"
    "paediatrician|pediatrician|cardiologist|firefighter|officer|analyst|scientist|researcher|consultant|"
    "architect|salesperson|representative|president|member|priest|judge|mayor|"
    r"electrician|carpenter|mechanic|photographer|journalist|secretary|receptionist|guy|person|man|woman)"
)
_NAME = r"(?-i:[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,3})"
PERSON = _any_of(
    rf"^(?:my|our|his|her|their|\w+['’]s) (?:\w+ )?{_KIN}(?:['’]s (?:full |first |last )?name)? (?:is|was|are)(?: "
    f"(?:called|named))? {_NAME}",
    rf"^(?:the|my|our) {_OFFICE} (?:is|are) (?:called )?(?:mr|mrs|ms|dr|prof)?\.? ?{_NAME}",
    rf"^(?:my|our|his|her|their|{_NAME}['’]s) (?:\w+ )?{_KIN},? {_NAME},? (?:is|was|has|works|lives|studies|plays|"
    r"teaches|handles|runs|will turn|turns)\b",
    rf"^(?:my|our|his|her|their|{_NAME}['’]s) (?:\w+ )?{_KIN} (?:is|was) (?:(?:called|named)\b|an? (?:\w+ "
    rf"){{0,2}}{_OFFICE}\b|\d+\b|\w+ years old)",
    rf"^{_NAME}(?:,? (?:is|was)|\s*[–—-]|,) ?(?:also )?(?:(?:my|our|his|her|their|the|an?|{_NAME}['’]s|[a-z]+['’]s|"
    rf"the \w+['’]s?) )?(?:[\w-]+ ){{0,3}}{_OFFICE}\b",
    rf"^(?!I\b){_NAME} from (?:{_NAME}|the \w+|accounting|marketing|sales|hr|it|legal|finance|work|school|church|"
    r"college|university|engineering|support)\b",
)
_DONE = (
    "(?:went|visited|met|saw|had|came|took|got|attended|celebrated|watched|ran|won|lost|moved|adopted|"
    "bought|sold|broke|finished|started|"
    "graduated|married|travel(?:l)?ed|flew|drove|hiked|camped|played|performed|presented|signed|fell|joined|left|"
    "quit|ate|cooked|baked|made|"
    "painted|built|organi[sz]ed|hosted|called|helped|gave|received|found|learned|learnt|tried|passed|failed|"
    "launched|published|released|spent|"
    "stayed|returned|arrived|happened|discovered|ended|opened|closed|died|threw|held|caught|swam|rode|climbed|"
    "read|heard|talked|spoke|"
    "volunteered|slipped|donated|enrolled|applied|interviewed|hired|fired|crashed|repaired|fixed|planted|picked up|"
    "dropped|shared|wrote|sang|danced|"
    "renovated|cleaned|took part|participated|competed|trained|practi[cs]ed|booked|cancel(?:l)?ed|scheduled|"
    "postponed|resigned|retired|divorced|ordered|missed)"
)
EVENT = _any_of(
    f"{_SUBJECT} ?(?:['’]ve |have |has )?(?:{_ADVERB} )*(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been "
    rf")\b{_DONE}\b(?![-'’])(?! (?:born|used|known|called|made of|built in)\b)",
    "^(?:visited|went|met|had (?:lunch|dinner|breakfast|coffee|drinks|a|an)|saw|attended|celebrated|watched|ran|"
    "moved|started|finished|bought|"
    r"flew|drove|hiked|camped|played|got|took|joined|tried|cooked|discussed|read)\b",
    # A plan that changed: "the meeting was pushed to Friday".
    r"\b(?:was|were|is|are|been|got|gets|getting|being)(?: now| just)? (?:moved|pushed|postponed|rescheduled|shifted|"
    r"delayed|brought|put|bumped|cancel(?:l)?ed|called)(?: back| forward| up| off)?"
    r"(?: (?:to|until|till|for)\b|\s*[.!]*$)",
    r"\b(?:(?:mov|postpon|reschedul|shift|push|delay|cancel|cancell|call)(?:ed|ing)|putt?(?:ing)?|brought|bumped)"
    r"(?: back| forward| off)? (?:it|(?:the|my|our|his|her|their) (?:[\w'’-]+ ){0,2}?[\w'’-]+)"
    r"(?: back| forward| up| off)?"
    r"(?: (?:to|until|till|for)\b|\s*[.!]*$)",
    r"\b(?:got|getting) (?:married|engaged|divorced|promoted|fired|hired|sick)\b|^there was\b",
    r"^(?:(?:i|we)(?:['’]ve)? (?:have|got|have got) )?(?:my |our |the |an? |\w+['’]s )?(?:\w+ ){0,2}"
    r"(?:appointment|party|wedding|concert|flight|exam|interview|trip|"
    "conference|funeral|reunion|ceremony|"
    "graduation|birthday|anniversary|recital|match|game|dinner|lunch|visit|checkup|surgery|vacation|"
    r"holiday)\b(?=.{0,60}\b(?:is|on|at|in|next|this|to)\b)",
)
# "Last week I ran a marathon" is "I ran a marathon".
_WHEN_FIRST = _any_of(
    r"^(?:yesterday|today|tonight|last (?:night|week|weekend|month|year|spring|summer|autumn|winter|\w+day)|"
    r"this (?:morning|afternoon|evening|week|month|year)|on \w+day|the other day|(?:\w+ ){1,2}ago|in \d{4}),? (?=\w)"
)
STATE = _any_of(
    rf"{_SUBJECT}(?: {_ADVERB}| currently)* ?\b(?:lives?|lived|resides?|grew up|works? (?:at|for|in|as)|stud(?:y|ies)|"
    r"speaks?|owns?|comes? from|(?:am|is|are) (?:from|based in))\b",
    r"^i['’]m (?:from|based in)\b",
)
"""How things are, with a place or a trade in it: what would be nearest to an example with just such a place."""
_COMING = _any_of(
    r"\b(?:am|is|are|['’]m|['’]s|['’]re) (?:\w+ )?(?:present|visit|com|leav|mov|fly|travel|arriv|meet|go|giv|hav|"
    r"start|see|perform|host|attend|driv|return|stay|play|run|graduat|get)(?:t|n)?ing\b",
    r"\b(?:will|['’]ll|going to) \w+|\bis (?:now )?(?:on|at|in|next|this|tomorrow|today)\b|"
    r"\bhave (?:an? )?(?:[\w-]+ ){1,3}on\b|^(?:i|we) (?:start|begin|leave|fly|move|arrive|return|finish)\b",
)
_HABIT = _any_of(
    r"\bborn\b|\b(?:every|each|usually|always|never|often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|"
    r"weekly)\b|\bsince\b"
)

_DAY = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_PART = "(?:days?|nights?|mornings?|evenings?)"
WEEKLY = _any_of(
    rf"^(?:on )?{_DAY} (?:is|are) (?:always |usually |our |my |the |a )*(?:[\w-]+ ){{1,2}}{_PART}\b",
    rf"\b{_PART} (?:is|are|falls on) (?:on |always |usually )*{_DAY}\s*[.!]*$",
)
"""What recurs each week, though it names a day as one does of the next: "Thursday is trash day"."""

_READING = _any_of(
    r"\b(?:reading|reads?|re-?read)\b (?!out)(?!the (?:room|meter))|\b(?:books?|novels?|articles?|papers?|"
    "authors?|blogs?|blog posts?|newsletters?|"
    "magazines?|chapters?|e-?books?|audiobooks?|poems?|poetry|library|kindle|bestseller|memoir|biography|posts?|"
    r"bookmarked)\b"
)
_WORK = _any_of(
    r"\b(?:work(?:s|ed|ing)?|job|office|boss|manager|colleagues?|cowork\w+|team|clients?|customers?|company|"
    "employer|employed|meetings?|deadline|"
    r"project|sprint|roadmap|release|deploy\w*|codebase|database|backend|frontend|code|coding|programming|"
    "software|startup|business|career|salary|"
    "promot(?:ed|ion)|conference|presentation|presenting|offsite|engineer|developer|designer|director|sales|"
    "marketing|accounting|budget|contract|"
    "interview|resume|cv|vendor|invoices?|quarter|kpi|okr|merger|board|stakeholders?|product(?:ion)?|kubernetes|"
    r"postgres\w*|python|django|rust|"
    r"java|kafka|aws|azure|github|api)\b"
)
_PERSONAL = _any_of(
    r"\b(?:i|i['’]m|me|my|mine|we|our|us|family|kids?|children|home|house|apartment|friend|holiday|vacation|hobby|"
    "hobbies|dog|cat|pet|garden|"
    rf"birthday|wedding|school|gym|health|{_KIN})\b"
)


_KEY_FACT = _any_of(
    r"\b(?:time ?zone|(?:user ?|gamer ?|nick ?|screen ?)(?:name|tag)|ign|in[- ]game name|pronouns)\b",
    r"^i(?:['’]m| am) (?:in|on) (?:[A-Z]{2,4}T|UTC|GMT)\b",
)
"""What a profile lists among its key facts: how to reach and address someone, not what their life is like."""


def kind_of(text: str, *, dated: bool = False) -> Kind:
    """The type and category of a memory; `dated`: whether a time phrase stands in it.

    The first of its first sentences that a rule knows decides: greetings and exclamations often stand in front.
    """
    read = text[:_READ]
    found = [_type_of(" ".join(sentence.split()), dated) for sentence in sentences(read)[:_SENTENCES]]
    kind, sure = next((each for each in found if each[1]), ("fact", False))
    return Kind(kind, _category_of(read, kind), sure)


def _type_of(text: str, dated: bool) -> tuple[str, bool]:
    for pattern, kind in _FIRST:
        if pattern.search(text):
            return kind, True
    if WEEKLY.search(text):
        return "fact", True
    habit = _HABIT.search(text) is not None
    if EVENT.search(_WHEN_FIRST.sub("", text)) and not habit:
        return "event", True
    if dated and not habit and _COMING.search(text) and not PROJECT.search(text):
        return "event", True
    for pattern, kind in _THEN:
        if pattern.search(text):
            return kind, True
    return "fact", False


# The order settles what is several things at once: a decision about a project is a decision.
_FIRST = (
    (DECISION, "decision"),
    (MEETING, "meeting"),
    (JOURNAL, "journal"),
    (PREFERENCE, "preference"),
    (TASK, "task"),
)
_THEN = ((PERSON, "person"), (PROJECT, "project"), (STATE, "fact"))


def _category_of(text: str, kind: str) -> str:
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
