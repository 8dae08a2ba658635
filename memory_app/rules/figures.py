"""What is said in a figure, and not of anyone's body: "she twisted my arm into it", "the server had a stroke".

Closed classes only: of what is in none of them it is taken that the words mean what they say.
"""

from memory_app.rules import linear_re as re

_THING = (
    r"(?:servers?|computers?|laptops?|phones?|printers?|routers?|networks?|databases?|clusters?|cpus?|gpus?|disks?|"
    r"hard drives?|codebase|code|scripts?|builds?|apps?|software|programs?|websites?|sites?|pipelines?|repos?|"
    r"branch(?:es)?|queries|query|kernels?|arrays?|lists?|files?|tables?|spreadsheets?|documents?|drafts?|essays?|"
    r"manuscripts?|budgets?|plans?|projects?|products?|meetings?|economy|markets?|industry|currency|cars?|vans?|bikes?|"
    r"engines?|machines?|fridge|freezer|dishwasher|heating|boiler|tv|television|radio|camera|roof|sofa|chairs?|jeans|"
    r"dress|jacket|song|joke|book|film|movie|plot|game)"
)
_KIN = (
    r"(?:mum|mom|mother|dad|father|parents?|son|daughter|kids?|child|children|baby|wife|husband|partner|sister|brother|"
    r"gran\w*|nan|aunt|uncle|cousin|niece|nephew|friends?|boss|colleagues?|neighbou?rs?)"
)
# Where another begins to be told of, or what the thing is for.
_ANOTHER = (
    r"(?:when|while|because|that|which|who|whose|since|as|and|but|so|after|before|if|my|our|your|his|her|their|i|you|he|"
    rf"she|they|we|me|him|them|us|to|for|about|of|with|by|{_KIN}|(?-i:[A-Z]\w*))"
)
_OF_A_THING = (
    rf"\b(?:the|this|that|these|those|a|an|my|our|your|his|her|their|\w+'s) (?:(?!{_KIN}\b)[\w-]+ ){{0,2}}?{_THING}"
    rf"(?:'s)?(?: (?!{_ANOTHER}\b)[\w'-]+){{1,5}}"
)
_DONE_TO_A_THING = (
    rf"\b(?:surgery|operations?|operate\w*) on (?:the |this |that |these |our |my |its |a |an )?(?:[\w-]+ )?{_THING}\b"
)
_WHOSE_ARM = r"(?:his|her|their|our|your|\w+'s)"
# Who twists another's arm, or pulls another's leg, hurts nobody; who does so to oneself does.
_TO_ANOTHER = (
    rf"\b(?:(?<!i )(?:twist(?:s|ed|ing)? my arms?|pull(?:s|ed|ing)? my leg)|"
    rf"\bi(?:'m| am| had to| have to| was)? (?:twist(?:ed|ing)? {_WHOSE_ARM} arm|pull(?:ed|ing)? {_WHOSE_ARM} leg)|"
    rf"(?:twist(?:s|ed|ing)?) (?:my|{_WHOSE_ARM}) arm (?:into|to \w+|so|until))\b(?! (?:muscle|tendon))"
)
_IDIOMS = (
    r"\bstrokes? of (?:luck|genius|brilliance|fate|inspiration|"
    r"(?:good|bad) fortune|midnight|the (?:pen|brush|clock))\b|"
    r"\bparaly[sz]ed by (?:fear|indecision|choice|doubt|perfectionism|(?:the|this|that|all the) "
    r"(?:decision|choices?|thought|news|amount|size|options))\b|"
    r"\b(?:an? |the )?arms? and (?:a )?legs?\b|\bheart attack when\b"
)
_BLANK = "·"
"""No word, and no space either: what stands around it stays one sentence."""

_FIGURES = re.compile("|".join((_OF_A_THING, _DONE_TO_A_THING, _TO_ANOTHER, _IDIOMS)), re.IGNORECASE)


def without_figures(text: str) -> str:
    """The text with its figures blanked out, as long as before. Expects plain apostrophes."""
    return _FIGURES.sub(lambda found: _BLANK * len(found[0]), text)
