"""The forms by which a type of memory is told: who speaks of what, with which verb. English.

In which order they decide, `kinds` says.
"""

from memory_app.rules import linear_re as re


def any_of(*patterns: str) -> re.Pattern:
    return re.compile("|".join(patterns), re.IGNORECASE)


# Who may be the subject: "we", "the team", "my wife", "Bob", "User"; then adverbs before the verb.
_SUBJECT = (
    r"^(?:(?:and|so|but|well|also|actually|in the end|(?:after|in|at|last|this|on) [^,.]{2,40}(?=,)|finally|"
    r"yesterday),? )?"
    r"(?:(?:i|we|you|he|she|they|it|everyone|(?:my|our|his|her|their|the) (?:\w+ ){1,3}?|[A-Z][\w'’-]*(?: "
    r"[A-Z][\w'’-]*)?"
    r"(?: and (?:i|[A-Z]\w+))?))"
)
_ADVERB = (
    "(?:really|always|also|still|absolutely|usually|generally|never|just|all|much|totally|both|finally|now|do|does)"
)

DECISION = any_of(
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
    r"^let['’]?s (?:go with|use|stick with|take)\b|\bgo(?:ing)? ahead with\b",
    # For good: "from now on no meetings on Fridays", "I'm done with Facebook for good".
    r"^(?:from now on|going forward|from here on),? (?:no|i|we|every|all|only)\b|"
    r"\b(?:done with|giving up|gave up|quit|quitting) .{2,40}\bfor good\b",
    r"\b(?:turn(?:ed|ing) down|declin(?:ed|ing)|accept(?:ed|ing)|sa(?:id|ying) (?:yes|no) to) "
    r"(?:the|that|an?|my|our|their|his|her) (?:[\w-]+ ){0,2}(?:offer|job|proposal|invitation|bid|deal|role|position)\b",
)
MEETING = any_of(
    r"^(?:meeting|minutes|call|stand-?up)(?: (?:summary|notes|minutes|recap|with|about|on))?\s*[:–-]",
    r"^minutes of\b",
    r"^meeting (?:summary|notes)\b",
)
JOURNAL = any_of(
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
    "(?:prefers?|loves?|likes?|enjoys?|adores?|hates?|dislikes?|detests?|loathes?|favou?rs?|despises?|avoids?|"
    "tends? to (?:avoid|prefer|like)|can(?:['’]?t|not) (?:stand|bear|(?:live|do) without)|"
    r"(?:do|does)(?: not|n['’]t) do (?!it\b|that\b|this\b|so\b|any|much\b|well\b|my\b|our\b|the\b)|"
    r"never (?:eats?|drinks?|wears?|orders?|buys?)|(?:always|usually) (?:orders?|chooses?|picks?|goes? for|opts? for)|"
    r"(?:do|does)(?: not|n['’]t) (?:really )?(?:like|enjoy|want|care for|eat|drink)|"
    r"wants?(?! to (?:finish|complete|start|begin|build|move|sell|rent|open|launch|renovate|hire)\b)|find)"
)
_OF_SOMEONE = r"(?:my|our|his|her|their|(?!(?:it|that|what|there|here|who|let|he|she)['’])\w+['’]s)"
_IS = r"(?:is|are|was|were|be|has (?:always )?been|['’]s|['’]re)"
PREFERENCE = any_of(
    f"{_SUBJECT} ?(?:['’]d |would )?(?:{_ADVERB} )*{_PREFER}(?! to (?:buy|go|see|visit|meet|get|become|learn|know|"
    r"say|ask|call)\b)\b",
    "^(?:prefers?|loves?|likes?|dislikes?|hates?|enjoys?|interested in|skeptical|sceptical|not interested|not a "
    r"fan|big fan|fan of)\b",
    # "My favourite colour is green", "Merlot is my favourite"; not "I broke my favourite mug".
    rf"^(?:(?:and|so|but|well|also|actually|one of),? )*{_OF_SOMEONE} (?:all-time |absolute |least )?favou?rite\b",
    rf"\b{_IS} (?:[a-z]+ )?{_OF_SOMEONE} (?:all-time |absolute |least )?favou?rite\b",
    rf"\b{_IS}(?: not|n['’]t)?(?: (?:really|always|definitely|so|still|also))* {_OF_SOMEONE} (?:new |usual )?(?:go-to|"
    r"thing|jam|cup of tea|guilty pleasure|comfort food|first choice|top pick|pick|idea of (?:fun|heaven|hell|bliss)|"
    r"pet peeve)\b",
    rf"^{_OF_SOMEONE} (?:[a-z]+ )?(?:pick|go-to|choice of|first choice|idea of|comfort food|guilty pleasure|"
    rf"(?:ideal|perfect) [\w-]+)\b.{{0,60}}\b{_IS}\b",
    # "I'd take tea over coffee any day".
    r"(?:\bwould|['’]d)(?: \w+)? (?:pick|choose|take|have) .{2,40}\bover\b|"
    r"(?:\balways|\busually|^)(?: \w+)? ?(?:pick|choose|take|go for|have|give me) .{2,40}"
    r"\b(?:over (?!the\b|to\b|for\b|with\b|at\b)\w+|any day\b)",
    r"\bworks? (?:best|better|well) for (?:me|us)\b|\bsuits? (?:me|us)\b|"
    r"\bis what (?:i|we) (?:always|usually|mostly) (?:choose|order|get|take|pick|have|drink|eat)\b",
    r"(?:\b(?:am|is|are)|['’](?:m|s|re))(?: (?:not|really|very much|definitely|more of|just|totally|a bit of))* an? "
    r"(?:morning|night|evening|early|late|cat|dog|tea|coffee|wine|beer|people|beach|mountain|city|country|summer|winter|"
    r"sweet|savou?ry|indoor|outdoor|list|numbers|book) (?:person|people|lover|guy|girl)\b",
    r"\b(?:take|takes|drink|drinks|have|has|eat|eats|like|likes) (?:my|his|her|their) "
    r"(?:coffee|tea|espresso|steak|eggs|burger|toast|whisky|martini)\b",
    f"{_SUBJECT}(?: (?:is|are|am|was)|['’](?:s|re|m))(?: not|n['’]t)?(?: {_ADVERB})* ?(?:a (?:big |huge )?fan of|"
    "fond of|keen on|into|crazy about|passionate about|"
    "interested in|not interested in|skeptical|sceptical|partial to|obsessed with|addicted to (?:chocolate|"
    r"coffee|tea))\b",
    rf"{_SUBJECT}(?:['’]d| would) (?:rather|prefer)\b|^(?:please )?(?:always |never )?(?:keep your|answer|reply|"
    r"respond|speak|talk|write|call me|be (?:brief|concise)|keep (?:the |all )?(?:answers|replies|responses|it))\b",
)
TASK = any_of(
    r"^(?:to-?do|task|reminder|action item)\s*[:–-]",
    r"^(?:i|we)(?: (?:really|still|also))? (?:(?:need|have|ought|has) to|must|should|gotta) \w+",
    "^(?:buy|call|email|mail|send|pay|pick up|book|schedule|order|renew|water|clean|fix|submit|return|finish|ask|"
    "bring|prepare|"
    "review|update|register|cancel|remind|check|get|write|feed|wash|tell|print|sign|reply to|respond to|follow "
    "up|invite|drop off|take out|"
    "charge|pack|install|remove|replace|repair|collect|arrange|organi[sz]e|look up|find|read|study|practi[cs]e|"
    r"apply for|file|upload|download)\b(?! (?:is|are|was|were)\b)",
)
PROJECT = any_of(
    r"\b(?:project|renovation|remodel(?:l?ing)?|relaunch|milestone|roadmap|sprint|prototype|codebase|mvp|backlog|"
    r"thesis|dissertation|grant proposal|rollout)\b",
    r"\b(?:budget|deadline|launch|release|kick-?off) (?:is|was|of|for|has|have|will|are|date)\b|"
    r"\bbudget\b.{0,20}[$€£]\s?\d",
    r"^(?:i(?:['’]m| am)|we(?:['’]re| are)|they(?:['’]re| are)|(?:my |our |the )?(?:\w+ )?team is|"
    r"[A-Z]\w+ is|(?:i|we|they)(?:['’]ve| have) been)? ?(?:currently |still |now "
    ")?(?:working on|building|developing|designing|implementing|creating|restoring|renovating|refurbishing|"
    "rebuilding|converting|redecorating|organi[sz]ing|setting up|putting together|rewriting|"
    r"migrating|refactoring|writing|training for|preparing for|studying for|"
    r"planning to (?:build|rebuild|launch|release|write|redesign))\b(?! (?:from|in|at) )",
)
KIN = (
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
    f"(?:{KIN}|director|lead|head|chief|ceo|cto|cfo|coo|founder|owner|engineer|developer|designer|professor|"
    "nurse|pilot|artist|writer|author|chef|musician|actor|"
    "paediatrician|pediatrician|cardiologist|firefighter|officer|analyst|scientist|researcher|consultant|"
    "architect|salesperson|representative|president|member|priest|judge|mayor|"
    r"electrician|carpenter|mechanic|photographer|journalist|secretary|receptionist|guy|person|man|woman)"
)
_NAME = r"(?-i:[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,3})"
PERSON = any_of(
    rf"^(?:my|our|his|her|their|\w+['’]s) (?:\w+ )?{KIN}(?:['’]s (?:full |first |last )?name)? (?:is|was|are)(?: "
    f"(?:called|named))? {_NAME}",
    rf"^(?:the|my|our) {_OFFICE} (?:is|are) (?:called )?(?:mr|mrs|ms|dr|prof)?\.? ?{_NAME}",
    rf"^(?:my|our|his|her|their|{_NAME}['’]s) (?:\w+ )?{KIN},? {_NAME},? (?:is|was|has|works|lives|studies|plays|"
    r"teaches|handles|runs|will turn|turns)\b",
    rf"^(?:my|our|his|her|their|{_NAME}['’]s) (?:\w+ )?{KIN} (?:is|was) (?:(?:called|named)\b|an? (?:\w+ "
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
    "volunteered|slipped|accepted|"
    "donated|enrolled|applied|interviewed|hired|fired|crashed|repaired|fixed|planted|picked up|"
    "dropped|shared|wrote|sang|danced|"
    "renovated|cleaned|took part|participated|competed|trained|practi[cs]ed|booked|cancel(?:l)?ed|scheduled|"
    "postponed|resigned|retired|divorced|ordered|missed)"
)
_OCCASION = (
    r"^(?:(?:i|we)(?:['’]ve)? (?:have|got|have got) )?(?:my |our |the |an? |\w+['’]s )?"
    r"(?:(?!(?:for|of|to|in|at|with|is|are|and)\b)\w+ ){0,2}(?:appointment|party|wedding|concert|flight|exam|interview|"
    r"trip|conference|funeral|reunion|ceremony|graduation|birthday|anniversary|recital|match|game|dinner|lunch|visit|"
    r"checkup|surgery|vacation|holiday)\b"
)
_WITH_WHOM = r"(?: (?:to|with|for|of|from|at|in) (?:(?!is\b|are\b|was\b|on\b|takes\b)[\w'’]+ ?){1,4}?)"
_AT_SOME_TIME = (
    r"(?:on|at|in|next|this|tomorrow|tonight|today|(?:the )?\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
EVENT = any_of(
    f"{_SUBJECT} ?(?:['’]ve |have |has )?(?:{_ADVERB} )*(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been "
    rf")\b{_DONE}\b(?![-'’])(?! (?:born|used|known|called|made of|built in)\b)",
    "^(?:visited|went|met|had (?:lunch|dinner|breakfast|coffee|drinks|a|an)|saw|attended|celebrated|watched|ran|"
    "moved|started|finished|bought|"
    r"flew|drove|hiked|camped|played|got|took|joined|tried|cooked|discussed|read)\b",
    # A plan that changed: "the meeting was pushed to Friday".
    r"\b(?:was|were|is|are|been|got|gets|getting|being)(?: now| just)? (?:moved|pushed|postponed|rescheduled|shifted|"
    r"delayed|brought|put|bumped|cancel(?:l)?ed|called)(?: back| forward| up| off| again)*"
    r"(?:,? (?:to|until|till|for|by)\b|\s*[.!]*$)",
    r"\b(?:(?:mov|postpon|reschedul|shift|push|delay|cancel|cancell|call)(?:ed|ing)|putt?(?:ing)?|brought|bumped)"
    r"(?: back| forward| off)? (?:it|(?:the|my|our|his|her|their) (?:[\w'’-]+ ){0,2}?[\w'’-]+)"
    r"(?: back| forward| up| off)?"
    r"(?: (?:to|until|till|for)\b|\s*[.!]*$)",
    r"\b(?:got|getting) (?:married|engaged|divorced|promoted|fired|hired|sick)\b|^there was\b",
    # "My recital is on the 12th", "I have lunch with Ann on Friday", "Dinner at Luigi's", "Our trip to Japan".
    rf"{_OCCASION}{_WITH_WHOM}? (?:is|are|will be|starts?|begins?|takes place|happens) (?:now |only )?{_AT_SOME_TIME}",
    rf"{_OCCASION}{_WITH_WHOM}?,? {_AT_SOME_TIME}(?!.*\b(?:is|are|takes?|costs?|was|were)\b)",
    rf"{_OCCASION}{_WITH_WHOM}? (?:has |have |just )*(?:moved|slipped|shifted)\b",
    rf"{_OCCASION} to (?-i:[A-Z])\w+\s*[.!]*$",
)
# "Last week I ran a marathon" is "I ran a marathon".
WHEN_FIRST = any_of(
    r"^(?:yesterday|today|tonight|last (?:night|week|weekend|month|year|spring|summer|autumn|winter|\w+day)|"
    r"this (?:morning|afternoon|evening|week|month|year)|on \w+day|the other day|(?:\w+ ){1,2}ago|in \d{4}),? (?=\w)"
)
STATE = any_of(
    rf"{_SUBJECT}(?: {_ADVERB}| currently)* ?\b(?:lives?|lived|resides?|grew up|works? (?:at|for|in|as)|stud(?:y|ies)|"
    r"speaks?|owns?|comes? from|(?:am|is|are) (?:from|based in))\b",
    r"^i['’]m (?:from|based in)\b",
)
"""How things are, with a place or a trade in it: what would be nearest to an example with just such a place."""
COMING = any_of(
    r"\b(?:am|is|are|['’]m|['’]s|['’]re) (?:\w+ )?(?:present|visit|com|leav|mov|fly|travel|arriv|meet|go|giv|hav|"
    r"start|see|perform|host|attend|driv|return|stay|play|run|graduat|get)(?:t|n)?ing\b",
    r"\b(?:will|['’]ll|going to) \w+|\b(?:am|is|are|['’](?:m|s|re)) off to\b|"
    r"\bturns? (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|\w+(?:teen|ty))\b|"
    r"\bplan(?:s|ning)? (?:to (?!build|rebuild|launch|release|write|redesign)\w+|(?:an?|our|the) (?:[\w-]+ )?(?:trip|"
    r"visit|holiday|vacation|party|wedding|weekend|dinner|move)\b)|"
    r"\b(?:first|last) (?:day|lesson|class|shift|session)\b|\bis (?:now )?(?:on|at|in|next|this|tomorrow|today)\b|"
    r"\bhave (?:an? )?(?:[\w-]+ ){1,3}on\b|^(?:i|we|(?:my|our|the) [\w-]+) "
    r"(?:start|begin|leave|fly|move|arrive|return|finish)(?:s|es)?\b(?!.*\bat \w+[.!]*$)",
)
HABIT = any_of(
    r"\bborn\b|\b(?:every|each|usually|always|never|often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|"
    r"weekly)\b|\bsince\b"
)

_DAY = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_PART = "(?:days?|nights?|mornings?|evenings?)"
WEEKLY = any_of(
    rf"^(?:on )?{_DAY} (?:is|are) (?:always |usually |our |my |the |a )*(?:[\w-]+ ){{1,2}}{_PART}\b",
    rf"\b{_PART} (?:is|are|falls on) (?:on |always |usually )*{_DAY}\s*[.!]*$",
)
"""What recurs each week, though it names a day as one does of the next: "Thursday is trash day"."""
