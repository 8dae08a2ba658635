"""Common names one can know without a model: given names, places, and firms without their legal forms (cleanco)."""

import calendar
from functools import lru_cache

from cleanco import basename

from memory_app.nlp.keywords import STOPWORDS, WEAK_WORDS
from memory_app.nlp.text import normalised, vocabulary

LONGEST_NAME_IN_SMALL_LETTERS = 3
"""Words of a known name that is looked for in small letters."""

MOST_WORDS = 400
"""Words of a memory in which known names are looked for; the rest of a long text mostly repeats them."""

GIVEN_NAMES = vocabulary("""
aaron adam adrian ahmed alan albert alex alexander alexandra alexis ali alice alicia alison amanda amber amelia amir
amy ana andre andrea andreas andrew angela anita anna anne annie anthony antonio april arjun arthur ashley audrey
aurora ava barbara beatrice ben benjamin bernard beth betty bill bob brandon brian bridget bruce bruno caitlin
calvin cameron carl carla carlos carmen carol caroline carolyn catherine cecilia charles charlie charlotte chen
chloe chris christian christina christine christopher claire clara claudia claire colin connor craig cynthia daisy
dan daniel daniela danielle darren dave david dean deborah debra denise dennis derek diana diane diego dmitri
dominic donald donna doris dorothy doug douglas dylan edith edward eleanor elena eli elias elizabeth ella ellen emil
emily emma eric erica erik erin ethan eva evan evelyn felix fernando fiona florence frances francis frank fred
frederick gabriel gabriela gary george gerald gina giovanni gloria gordon grace greg gregory hannah hans harold
harriet harry hassan heather hector helen helena henry holly howard hugo ian ibrahim igor ines ingrid irene iris
isaac isabel isabella ivan ivana ivy jack jackie jacob jake james jamie jan jane janet janice jared jasmine jason
javier jean jeff jeffrey jen jennifer jenny jeremy jerry jesse jessica jill jim jimmy joan joanna joe joel john
johnny jolene jon jonas jonathan jordan jorge jose joseph joshua joyce juan judith judy julia julian julie justin
kai karen karl kate katherine kathleen kathy katie katrin keith kelly ken kenji kenneth kevin kim kimberly kyle
laura lauren lea leo leon leonard leslie lewis liam lily linda lisa liz logan louis louise lucas lucia lucy luis
luke luna lydia madison manuel marcus margaret maria marie mario marion mark marta martha martin mary mateo matt
matthew maureen max maya megan melanie melissa mia michael michelle miguel mike mila miles miriam mohamed mohammed
molly monica nadia nancy naomi natalie natasha nathan neil nicholas nick nicola nicole nina noah nora olga oliver
olivia omar oscar owen pamela patricia patrick paul paula pedro peggy penelope penny pete peter phil philip phoebe
pierre priya rachel rafael rahul ralph ramon raymond rebecca ricardo richard rick rita rob robert roberto robin
rodrigo roger ron ronald rosa rose ross roy ruby russell ruth ryan sally sam samantha samuel sandra sara sarah sasha
scott sean sebastian sergei sergio shane shannon sharon sheila shirley silvia simon sofia sonia sophia sophie stacy
stan stefan stella stephanie stephen steve steven stuart sue susan suzanne sven sylvia tanja tanya tara ted teresa
terry theo theodore theresa thom thomas tim timothy tina todd tom tommy tony tracy travis trevor valerie vanessa
vera veronica victor victoria vincent viola virginia vivian walter wanda wayne wendy will william xavier yasmin
yolanda yuki yusuf zach zachary zoe zoey nate mel jo cindy tilly caro
""")
# Given names that are everyday words as well: at the beginning of a sentence they need a verb to be names.
AMBIGUOUS_NAMES = vocabulary(
    "april will rose grace may june summer hope faith joy dawn mark bill jack rob sue pat drew chase"
)

PLACES = vocabulary("""
africa america asia europe australia canada mexico brazil argentina chile peru colombia cuba usa uk england scotland
wales ireland france germany spain portugal italy greece turkey poland austria switzerland belgium netherlands
denmark sweden norway finland iceland russia ukraine romania hungary czechia croatia serbia bulgaria egypt morocco
kenya nigeria ethiopia ghana israel jordan lebanon iran iraq india pakistan nepal china japan korea taiwan vietnam
thailand indonesia malaysia singapore philippines zealand london paris berlin rome madrid barcelona lisbon porto
vienna zurich geneva munich hamburg cologne frankfurt amsterdam rotterdam brussels antwerp copenhagen oslo stockholm
helsinki reykjavik dublin edinburgh glasgow manchester liverpool oxford cambridge bristol prague warsaw krakow
budapest athens istanbul moscow kyiv milan florence venice naples seville valencia cairo nairobi lagos dubai
jerusalem delhi mumbai bangalore beijing shanghai tokyo kyoto osaka seoul bangkok hanoi bali manila sydney melbourne
brisbane perth auckland wellington toronto montreal vancouver ottawa boston chicago seattle portland denver austin
dallas houston miami atlanta philadelphia washington detroit phoenix hollywood brooklyn manhattan california texas
florida oregon colorado hawaii alaska arizona nevada virginia georgia ohio michigan minnesota wisconsin
massachusetts tennessee louisiana bavaria tuscany provence sicily normandy
""")
PLACE_PHRASES = frozenset(
    ("new york", "new york city", "los angeles", "san francisco", "san diego", "las vegas", "new orleans", "hong kong",
     "buenos aires", "rio de janeiro", "são paulo", "sao paulo", "cape town", "mexico city", "new zealand", "sri lanka",
     "south africa", "costa rica", "united states", "united kingdom", "tel aviv", "st petersburg", "salt lake city")
)  # fmt: skip

# Days and months, in English whatever the locale. "Mondays" too.
CALENDAR = frozenset(
    form.lower()
    for names in (calendar.day_name, calendar.day_abbr, calendar.month_name, calendar.month_abbr, ("Sept",))
    for name in names
    for form in ((name, f"{name}s") if name.endswith("day") else (name,))
    if name
)

# Words that stand in capitals without naming anything, and what begins sentences.
NOT_NAMES = CALENDAR | vocabulary("""
i i'm i've i'll i'd a an the this that these those it its he she we they you my our your his her their me us them
who what when where why how which there here and but or so if then than as at by for from in into of on onto to with
without about after before during since until while because although though unless also too very just only even
still yet already again always never often sometimes usually maybe perhaps yes no yeah ok okay oh wow hey hi hello
thanks thank please sorry sure right well is are was were am be been being do does did done doing have has had
having can could may might must shall should will would not don't doesn't didn't can't won't isn't aren't wasn't
let's that's it's he's she's we're they're you're there's what's all any both each every few more most other some
such no nor one two three four five six seven eight nine ten first second third last next new old good great bad big
small long short high low best better nice happy hard easy early late fun free full may today tomorrow yesterday
morning afternoon evening night spring summer autumn fall winter christmas easter halloween thanksgiving mr mrs ms
dr prof sir mom mum dad mother father mommy daddy grandma grandpa granny uncle aunt sister brother english german
french spanish italian portuguese dutch danish swedish norwegian finnish polish czech russian ukrainian greek
turkish arabic hebrew chinese japanese korean hindi vietnamese thai american british irish scottish welsh european
african asian mexican indian australian canadian brazilian swiss austrian todo fyi asap btw imo tbh lol omg faq tba
tbd rsvp ceo cto cfo hr pm am tv pc id pin dna nft diy eta url pdf wifi wi-fi gps got get gets go goes going went
come came take took make made see saw say said know knew think thought want wanted need needed like liked love loved
hate prefer visited met had bought sold moved started finished decided chose agreed working building feeling feel
remember note important meeting project decision reminder idea task budget deadline kitchen garden house home work
office school car dog cat kids friend friends family team everyone someone people bye yep yup woah whoa aww woohoo
yay congrats congratulations awesome absolutely totally exactly anytime glad sounds cool haha lol hmm huh ugh oops
cheers welcome definitely everything nothing something
""")


@lru_cache(maxsize=10_000)
def firm_name(name: str) -> str:
    """The normalised name without legal forms; what is nothing but one ("Coop", "Limited") stays."""
    return normalised(basename(name)) or normalised(name)


def has_legal_form(name: str) -> bool:
    return " " in name and firm_name(name) != normalised(name)


def possible_names(text: str) -> set[str]:
    """The runs of one to three words of a text, normalised, that may be known names in small letters."""
    words = normalised(text).split()[:MOST_WORDS]
    sizes = range(1, LONGEST_NAME_IN_SMALL_LETTERS + 1)
    found = {" ".join(words[at : at + size]) for size in sizes for at in range(len(words) + 1 - size)}
    return {run for run in found if len(run) > 2 and not _is_common_word(run)}


def _is_common_word(run: str) -> bool:
    return run in STOPWORDS or run in WEAK_WORDS or run in NOT_NAMES or run in AMBIGUOUS_NAMES
