"""English: whose life "where do I live?" asks of, and by which words each side of one is asked of and told."""

from memory_app.language.akin.asking import Asking, sides
from memory_app.language.stopwords import EMPTY
from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

_FILLERS = vocabulary(
    "time favourite favorite stay name names called named main own owned currently usually normally typically"
)
"""Words that ask of nothing else."""

_SIDES = sides("""
work job employer employs employed profession occupation career living: hired company office position firm
boss manager supervisor superior report: lead chief head team
colleague colleagues coworker coworkers: team work office desk
live living home address reside: house flat apartment moved rent city town village
grow childhood hometown native country: grew raised born native village
old age birthday born: turned year birth
married marry wife husband spouse partner relationship: wedding engaged together girlfriend boyfriend fiancé fiancée
child children kid kids son sons daughter daughters: baby boy girl twin
sibling siblings brother brothers sister sisters: twin
parent parents mother father mum mom dad: mother father mum mom dad
family relatives: mother father brother sister wife husband son daughter cousin aunt uncle
pet pets animal animals: dog cat puppy kitten rabbit hamster horse parrot
dog dogs: puppy spaniel beagle terrier retriever poodle
cat cats: kitten tabby
drive car cars vehicle: van motorcycle motorbike scooter ride toyota volkswagen ford bmw audi mercedes volvo tesla
commute: cycle bike bus train tram walk office
study studied studying learn learning university college degree graduate: student course master bachelor school
language languages speak tongue: fluent native course learn
eat food dish meal meals cuisine cook: restaurant dinner lunch diet
diet avoid allergic allergy allergies: vegetarian vegan intolerant gluten rash reaction stand hate dislike
drink drinks beverage: coffee tea wine beer juice
sport sports exercise fit workout: train gym run swim climb cycle yoga football tennis
music band listen song: concert singer album jazz rock
instrument instruments: play piano guitar violin cello drums lesson
read reading book books author: novel fiction
film films movie movies series: watch cinema
game games: play player
hobby hobbies pastime spare free leisure weekend weekends: enjoy collect saturday sunday evening
holiday holidays vacation trip travel: booked visit flight week
fly flight: plane airport
phone mobile smartphone: iphone pixel android
computer laptop: desktop notebook pc mac
software editor program: code write
internet wifi broadband provider: router
doctor physician gp: dr surgeon clinic
bank: account savings
save saving: money aside savings
wake rise: alarm early
smoke: cigarette smoking
size shoe shoes clothes: wear shirt trousers
gift gifts present presents gave: give bought christmas birthday
plan plans goal goals dream dreams want achieve: wants hope intend
project projects working: build develop
friend friends: met together
religion faith church: believe mosque synagogue temple
""")

ENGLISH = Asking(
    re.compile(
        r"^(?!.*\bhow (?:do|can|could|should|would|might) (?:i|we)\b)"
        r"(?:.*\b(?:i|my|mine|we|our|ours)\b|.*\bme\W*$)",
        re.IGNORECASE | re.DOTALL,
    ),
    _SIDES,
    EMPTY | _FILLERS,
)
