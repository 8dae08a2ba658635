"""Statements about a person's health and money: what is said of someone, not the topic ("a healthy recipe")."""

from memory_app.rules import linear_re as re


def _any_of(*patterns: str) -> re.Pattern:
    return re.compile("|".join(patterns), re.IGNORECASE)


def _led_by(lead: str, *patterns: str) -> str:
    """Any of these, after the same words: looked for once, and not once for each."""
    return rf"\b{lead}(?:{'|'.join(patterns)})"


_WHOSE = r"(?:my|our|his|her|their|your|(?!(?:s?he|it|that|there|what|who|here|let|how|where)')\w+'s)"
_BEING = r"(?:am|is|are|was|were|be|been|being|\w+'(?:m|s|re)|became|got|feel(?:s|ing)?|felt)"
_HAVING = (
    r"(?:have|has|had|having|\w+'ve|got|getting|living with|dealing with|struggl(?:es?|ed|ing) with|treated for|"
    r"tested (?:positive )?for|battl(?:es?|ed|ing)|fight(?:s|ing)?|fought|recover(?:ed|ing)? from|died (?:of|from))"
)
_CONDITION = (
    r"(?:(?:type \w+|chronic|severe|clinical|mild|postpartum|social|breast|lung|skin|prostate|stage \w+|bipolar|"
    "panic|"
    r"eating|personality|generali[sz]ed|heart|kidney|liver|terminal|bad|serious) )*"
    r"(?:diabetes|cancer|leuka?emia|lymphoma|tumou?r|asthma|depression|anxiety|hiv|aids|adhd|autism|asperger'?s|"
    r"bipolar|disorder|ptsd|ocd|epilepsy|seizures?|arthritis|eczema|psoriasis|migraines?|hypertension|"
    r"(?:high|low) blood pressure|hepatitis|disease|heart attack|heart condition|heart failure|strokes?|dementia|"
    r"alzheimer'?s|parkinson'?s|multiple sclerosis|anorexia|bulimia|insomnia|c(?:o)?eliac|crohn'?s|ibs|"
    r"covid(?:-19)?|fibromyalgia|schizophrenia|endometriosis|miscarriage|abortion|herpes|chlamydia|std|sti|lupus|"
    r"pain|panic attacks?|burnout|pneumonia|tuberculosis|infertility|addiction|alcoholism|concussion|hernia|"
    r"ana?emia|(?:thyroid|kidney|drinking|drug|mental) (?:problems?|condition|issues?|stones?)|"
    r"(?:the )?flu|influenza|fever|infection|rash|gout|sciatica|scoliosis|osteoporosis|chickenpox|measles|"
    r"mumps|shingles|"
    r"bronchitis|sepsis|cataracts|glaucoma|tinnitus|vertigo|ulcers?|high cholesterol|dyslexia|"
    r"down'?s syndrome|lump(?! (?:of|sum)))\b"
)
_BODY = (
    r"(?:arms?|legs?|wrists?|ankles?|foot|feet|knees?|hips?|back|shoulders?|elbows?|collarbone|ribs?|"
    r"fingers?|thumb|toes?|"
    r"neck|nose|jaw|skull|spine|hands?|pelvis|achilles|tendons?|acl|ligaments?|hamstring|meniscus|kidneys?|appendix|"
    r"gall ?bladder|tonsils|wisdom teeth|(?:wisdom )?tooth|cataracts?|spleen|uterus|womb|heart valve)\b"
)
_TREATMENT = (
    r"(?:chemo(?:therapy)?|radiotherapy|radiation|dialysis|ivf|mri|ct scan|biopsy|mastectomy|surgery|"
    r"operation|transplant|"
    r"hysterectomy|c-section|physio(?:therapy)?|(?:hip|knee|valve) replacement|bypass|pacemaker)\b"
)
_AID = (
    r"(?:wheelchair|hearing aids?|pacemaker|insulin pump|feeding tube|crutches|prosthe(?:tic|sis)|stoma|ventilator)\b"
)
_BED = r"(?:(?:the )?hospital|the icu|icu|intensive care|(?:a )?hospice|a coma|the er|a&e|rehab)\b"
# Someone, and not a thing that is only "sick" as music is.
_SOMEONE = (
    r"(?:i|he|she|they|we|(?:mum|mom|mother|dad|father|parents?|son|daughter|kids?|child(?:ren)?|baby|"
    r"toddler|wife|husband|"
    r"partner|girlfriend|boyfriend|sister|brother|gran\w*|nan|nana|aunt|uncle|cousin|niece|nephew|friend|"
    r"boss|colleague|"
    r"neighbou?r|twins?)|(?!(?:that|this|it|what|there|here|so|all|everything|nothing)\b)(?-i:[A-Z][a-z]+))"
)
_DRUG = (
    r"(?:medications?|meds|antidepressants?|antibiotics|insulin|prozac|zoloft|lexapro|lithium|ritalin|adderall|"
    r"metformin|statins?|chemo(?:therapy)?|xanax|valium|blood thinners?|beta blockers?|painkillers|inhaler|steroids|"
    r"methadone|hormones?|hrt|ssris?|birth control|the pill|sleeping pills|ozempic)\b"
)
_ILL = (
    r"(?:pregnant|depressed|diabetic|bipolar|autistic|anorexic|bulimic|epileptic|asthmatic|suicidal|hiv[ -]positive|"
    r"infertile|disabled|hospitali[sz]ed|in rehab|in remission|an? (?:alcoholic|addict)|paraly[sz]ed|obese|overweight|"
    r"dyslexic|on the (?:autism )?spectrum|blind(?! (?:to|date|spot)\b)|deaf(?! to\b)|terminally ill|injured|concussed|"
    r"expecting (?:a (?:baby|child|boy|girl)|twins|(?:our|their|her|my) (?:\w+ )?(?:baby|child))|"
    r"dying(?! (?:to|for|my|his|her|their|laughing|of "
    r"(?:laughter|curiosity|boredom|embarrassment|heat|thirst|hunger))\b)|"
    r"addicted to (?:drugs|alcohol|heroin|cocaine|opioids|gambling|painkillers|pills))\b"
)

# Of a person: "a nut allergy", "my allergies"; and not a joke about what nobody's body reacts to.
_ALLERGY = (
    r"(?:allergic (?:reaction )?to (?!(?:\w+ ){0,2}(?:mondays?|work|effort|stupidity|nonsense|bullshit|drama|mornings?|"
    r"meetings?|commitment|change|criticism|fun|talk|paperwork|bureaucracy|homework|housework|idiots?|fools?|lies|liars|"
    r"small talk)\b)|(?:[a-z]+[- ])?intolerant\b(?! (?:of|people|society|views?)\b))"
)

# What a body no longer does, or does by itself.
_ABLE_TO = r"(?:walk|see|hear|speak|swallow|breathe|move|stand)"
_ENDS_HERE = r"(?=\s*(?:[.,;:!?]|$|because|since|after|due|and|but|so|or|when|at all))"
_FELT = rf"(?:{_BODY}|head|chest|stomach|belly|throat|eyes?|ears?|teeth|joints|muscles|skin)"
_OF_SOMEONE = _led_by(
    _SOMEONE,
    rf" (?:can(?:'?t|not)|couldn't|(?:am|is|are)(?: not|n't) able to|(?:am|is|are) unable to) "
    rf"(?:even |really )?{_ABLE_TO}(?: (?:very )?(?:well|properly|much|unaided))? "
    rf"(?:since\b|(?:any ?more|any longer|without (?:help|pain|oxygen|a)\b){_ENDS_HERE})",
    rf" can (?:no longer|barely|hardly|scarcely) {_ABLE_TO}{_ENDS_HERE}",
    r"(?: has| have| had|'ve|'s)? (?:just |suddenly |once |nearly |almost )*(?:pass(?:ed|es) out"
    r"(?! (?:of|the|a|an|some|\w+s (?:to|at|for|in))\b)|black(?:ed|s) out(?! the\b)|"
    r"collapse[ds]\b(?! (?:in|into|on|onto) (?:(?:the|my|his|her) )?(?:bed|sofa|couch|chair|laughter|tears))|"
    r"(?:had|having) an? breakdown(?! (?:on|in|near|at|of)\b)|(?:stopped|stops|isn't|is not) eating(?=\s*[.,;!?]|$))",
    r"(?:'m|'s|'ve| am| is| are| was| has| have)? (?:been |still )?(?:bleeding(?! (?:money|cash|users|"
    r"customers|love)\b)|on life support\b|(?:going|went|gone) (?:blind|deaf)\b)",
    r"(?:'m|'s|'re|'ve been| am| is| are| was| were| got| (?:has|have|had) been) "
    r"(?:(?:[a-z]+ly|very|so|too|quite|still|off|home|pretty|also) ){0,2}(?:ill|sick|unwell)\b"
    r"(?! of (?!(?:cancer|covid|the flu)\b)| and tired| to death| with (?:worry|envy|love))",
)
_FAILING = (
    _OF_SOMEONE,
    rf"\b(?:lose|loses|lost|losing) {_WHOSE} (?:\w+ )?(?:sight|eyesight|vision|hearing|memory|{_BODY}"
    r"(?=\s*(?:[.,;:!?]|$|in\b|to\b|at\b|from\b|last\b|during\b|after\b|when\b)))|"
    r"\b(?:lost|losing|missing) an? (?:leg|arm|foot|finger|hand|eye|toe|breast|kidney)\b(?! and\b)",
    rf"\b(?:can(?:'?t|not)|couldn't) feel {_WHOSE} (?:(?:left|right) )?{_FELT}",
    rf"\b{_WHOSE} (?:(?:left|right|lower|upper|whole) )?{_FELT} (?:(?:really|still|always|badly|constantly|often) )*"
    r"(?:hurts?|aches?|(?:is|are) (?:(?:very|so|badly|still) )?(?:aching|swollen|sore|infected|inflamed|numb)|"
    r"(?:is|are) killing (?:me|him|her)|gave out)\b",
    r"\b(?:trouble|difficult(?:y|ies)|problems) (?:with )?(?:breathing|swallowing|hearing|walking|sleeping)\b|"
    r"\b(?:chest|stomach|joint|abdominal|period|nerve|phantom|back) pains?\b|\bdizzy(?! with\b)|"
    r"\b(?:(?:cough|spit|spitt|vomit|throw)(?:ed|ing|s)?|spat|threw) (?:up )?blood\b|\bblood in (?:my|his|her) \w+",
    r"\b(?:nervous|mental|emotional) breakdown\b|\boverdos(?:ed|e|ing)\b"
    r"(?! on (?:chocolate|sugar|sweets|coffee|caffeine|cheese|tv|netflix|nostalgia|christmas)\b)",
    r"\b(?:forgets?|forgot|doesn't know|not know) who (?:i|we|he|she|they) (?:am|are|is)\b|"
    rf"\b(?:doesn't|don't|does not|can't|no longer) recogni[sz]es? (?:me|us|him|her|anyone|{_SOMEONE})\b|"
    rf"\b{_WHOSE} memory is (?:going|failing|getting worse)\b",
    r"\b(?:my|her) periods?(?:'s| is| are| was| has| came| hasn't| stopped)|\bmissed (?:my|her) period\b|"
    r"\bborn (?:at \d+ weeks|prematurely|premature)\b|\bpremature (?:baby|birth|labou?r)\b",
    rf"\b(?:lump|mass|shadow|growth|cyst|spot) (?:in|on) {_WHOSE} \w+|"
    r"\b(?:my|his|her|their) (?:\w+ )?(?:tests?|scans?|results|bloods?|smear) came back "
    r"(?:positive|abnormal|clear|benign|malignant|bad)\b|\bdoctors? (?:found|can(?:'?t|not) do)\b",
    rf"\b(?:on|off|without|since|after|stopped taking) (?:the|{_WHOSE}) (?:pills|meds|tablets|medication)\b|"
    r"\b(?:sleep|cope|function) without (?:\w+ )?(?:pills|meds|tablets|medication)\b|\bbecause of (?:the|an) illness\b",
)

HEALTH = _any_of(
    rf"\b{_BEING} (?:(?:very|severely|highly|badly|deathly|mildly|also|so|not|apparently|probably|"
    rf"[a-z]+ly) )*{_ALLERGY}",
    r"\b(?:have|has|had|having|got|\w+'ve|developed|outgrew) (?:(?:a|an|some|no|any|bad|severe|terrible|mild|food|"
    r"pet) )*"
    r"(?:[a-z]+ )?(?:allerg(?:y|ies)|intolerances?)\b",
    rf"\b{_WHOSE} (?:[a-z]+ )?(?:allerg(?:y|ies)|intolerances?)\b",
    r"\bdiagnos(?:ed|is) (?:with|of)\b|\bsuffer(?:s|ed|ing)? from\b|\bhiv[ -]positive\b|\bsuicidal\b|\bself[- ]harm",
    rf"\b{_WHOSE} (?:diagnosis\b|{_CONDITION})",
    rf"\b{_HAVING} (?:(?:been|a|an|the|some|really|got|her|his|my) ){{0,2}}{_CONDITION}"
    r"(?! (?:research|charity|awareness|drugs?|studies|fundraiser|of luck|era))",
    rf"\b{_BEING} (?:(?:now|not|also|currently|very|so|clinically|\w+ (?:weeks|months)) )?{_ILL}(?! pause)",
    rf"\b(?:{_BEING}|ended up|landed|stays?|stayed|spent (?:\w+ ){{1,3}}) (?:back |still |now )?in {_BED}(?! (?:bed|"
    r"building|management|administration|work|drama|show))",
    rf"\b(?:(?:went|goes|going|go) in|rushed|taken|took (?:\w+ )?|admitted|brought|(?:out of|"
    rf"discharged from|released from)) (?:in)?"
    rf"(?:to )?{_BED}(?! (?:bed|building|management|administration|work|drama|show))",
    rf"\b(?:broke|broken|fractured|sprained|tore|torn|dislocated|injured|hurt|twisted|pulled) (?:{_WHOSE}|a|an|the) "
    rf"(?:(?:left|right|other|both|lower|upper) )?{_BODY}(?! (?:of|door|yard|window))",
    rf"\b(?:{_HAVING}|with) (?:(?:a|an|two|the) )?(?:bad|broken|fractured|sprained|torn|dislocated|slipped|herniated) "
    r"(?:\w+ )?"
    rf"(?:disc|{_BODY})(?! (?:of|door|yard|window|seat))",
    rf"\b(?:had|has|have|got|get|gets|getting|having|needs?) {_WHOSE} (?:(?:left|right) )?{_BODY} (?:removed|operated|"
    r"replaced|out\b|fixed|amputated)",
    rf"\b(?:on|in|getting|gets?|got|going through|went through|undergo(?:ing|es)?|underwent|"
    rf"started|starts?|starting|finished|had|have|has|having|needs?|waiting for|after|recover(?:ed|"
    rf"ing)? from|{_WHOSE}) (?:(?:an?|the|some|{_WHOSE}) )?"
    rf"(?:(?!retail\b|smooth\b|a\b)\w+ )?{_TREATMENT}(?! (?:manager|team|room|code|centre|center|lead))",
    rf"\b(?:uses?|using|wears?|wearing|needs?|has|have|got|getting|on|in) (?:(?:an?|{_WHOSE}|two) )?{_AID}",
    r"\btested positive\b|\b(?:lost|losing) (?:a|the|our|her|their|my) (?:baby|pregnancy)\b|\brelapsed\b|"
    r"\b(?:days|weeks|months) to live\b|\bthrowing up(?! (?:a|the)\b)|\bvomit(?:ed|ing)\b|\bfainted\b",
    rf"\b(?:tak(?:e|es|ing)|took|on|prescribed|{_WHOSE}|needs?) (?:\w+ ){{0,3}}?{_DRUG}",
    r"\b(?:tak(?:e|es|ing)|took|on|prescribed) (?:\w+ ){0,2}?\d+ ?(?:mg|mcg|milligrams)\b",
    r"\bprescribed (?:me|him|her|them)\b",
    rf"\b{_WHOSE} (?:prescription|blood (?:test|results|type|sugar|pressure)|biopsy|test results|"
    r"medical (?:history|records?|condition)|"
    r"mental health (?:issues?|problems?|crisis|struggles?|diagnosis)|surgery|pregnancy|illness|iud|cholesterol)\b",
    rf"\b(?:in|started|starting|start|having|had|needs?|{_WHOSE}) (?:(?!retail)\w+ )?(?<!retail )therapy\b(?! dogs?)",
    rf"\b(?:{_WHOSE}|see|sees|saw|seeing) (?:(?:a|an|my|her|his|their|the) )?"
    r"(?:therapist|psychiatrist|psychologist|oncologist|cardiologist|neurologist|dermatologist|"
    r"rheumatologist|endocrinologist|gyna?ecologist|urologist)\b",
    r"\b(?:had|have|has|having|needs?|undergo(?:ing|es)?|underwent|after|recover(?:ed|ing)? from) "
    r"(?:an? )?(?:[\w-]+ )?(?:surgery|biopsy|mastectomy|dialysis|ivf)\b",
    *_FAILING,
    r"\bsuicide attempt\b|\b(?:tried|wanted|wants) to kill (?:my|him|her)self\b",
)

_SUM_OF_MONEY = (
    r"(?:[$€£¥₹] ?\d[\d.,]*(?: ?(?:k|m|bn|thousand|million)\b)?|"
    r"\d[\d.,]* ?(?:k|m|thousand|million)? ?(?:dollars|euros|pounds|usd|eur|gbp|francs|bucks|[$€£¥₹])|\d[\d.,]*k\b)"
)

MONEY = _any_of(
    rf"\b{_WHOSE} (?:\w+ )?(?:salary|income|wages?|pay ?(?:check|slip|cheque)|net worth|savings|debts?|"
    r"credit (?:score|rating|card debt)|bank (?:account|balance|details|statement)|mortgage|overdraft|student loans?|"
    r"loans?|tax returns?|inheritance|alimony|bankruptcy)\b",
    r"\b(?:salary|income|net worth|debts?) (?:is|was|of|are) (?:(?:about|around|now) )?[$€£¥₹]?\d",
    r"\b(?:earn(?:s|ed|ing)?|ma[dk](?:es?|ing)|paid|pays) (?:(?:me|him|her|about|around|over|only) )?"
    rf"{_SUM_OF_MONEY} ?(?:a|an|per|/|each|every) ?(?:year|month|week|hour|day|annum|yr|mo)\b",
    rf"\b(?:i|we|he|she|they|\w+) owes? (?:\w+ ){{0,4}}?{_SUM_OF_MONEY}",
    r"\b(?:am|is|are|was|were|\w+'(?:m|re)|s?he's) (?:(?:deeply|heavily|badly|so|completely|\w+) )?"
    r"(?:in debt|broke(?! (?:down|up|in|into|off|out|it|my|his|her|their|our|the|an?)\b)|bankrupt)\b",
    r"\b(?:filed for|declared) bankruptcy\b|\bin debt (?:to|by|of)\b",
    r"\baccount (?:number|no\.?) ?(?:is|:|=|#)? ?\d[\d -]{4,}|\b(?:sort code|routing number) ?(?:is|:|=)? ?\d[\d "
    "-]{4,}",
)
