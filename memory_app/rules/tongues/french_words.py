"""French words of closed classes and of daily life, by the English one that they are compared as: a line each.

An elision is its whole word by then: "j'habite" is "je habite".
"""

WORDS = """
I: je
we: nous on
he: il
she: elle
they: ils elles
you: tu vous
it: ce cela ça
my: mon ma mes
our: notre nos
your: ton ta tes votre vos
his: son sa ses
their: leur leurs
the: le la les
a: un une
not: pas
never: jamais
no: aucun aucune
no longer: ne-plus
only: ne-que
and: et
or: ou
but: mais
if: si
with: avec
without: sans
at: à chez
in: en dans
to the: au aux
to: vers
of: de
of the: du
for: pour
since: depuis
as: comme
now: maintenant désormais actuellement
also: aussi
very: très
every: chaque
is: est
am: suis
are: sommes sont es êtes
was: étais était
were: étaient étions
have: ai as a avons avez ont
had: avais avait avaient
would like to: voudrais aimerais voudrait aimerait
live: habite habites habitons habitez habitent vis vit vivons vivent
lived: habitais habitait habitaient vivais vivait
to live: habiter vivre
work: travaille travailles travaillons travaillent
worked: travaillais travaillait
eat: mange manges mangeons mangent
drink: bois boit buvons boivent
smoke: fume fumes fumons fument
smoked: fumais fumait
like: aime aimes aimons aiment
liked: aimais aimait
love: adore adores adorons adorent
hate: déteste détestes détestent
prefer: préfère préfères préfèrent
speak: parle parles parlons parlent
drive: conduis conduit
play: joue joues jouons jouent
read: lis lit lisons lisent
study: étudie étudies étudient
go: vais va allons vont
come: viens vient viennent
run: cours court courent
want: veux veut
cost: coûte coûtent
weigh: pèse pèsent
married: marié mariée mariés mariées
divorced: divorcé divorcée divorcés divorcées
engaged: fiancé fiancée fiancés fiancées
widowed: veuf veuve
single: célibataire célibataires
girlfriend: copine
boyfriend: copain
wife: femme épouse
husband: mari époux
vegetarian: végétarien végétarienne
vegan: végan végane végétalien végétalienne
meat: viande
fish: poisson
cheese: fromage
milk: lait
eggs: œufs oeufs
steak: steak bifteck
ham: jambon
pork: porc
beef: bœuf boeuf
chicken: poulet
beer: bière
wine: vin
alcohol: alcool
coffee: café
tea: thé
teacher: professeur professeure prof enseignant enseignante
doctor: médecin docteur
nurse: infirmier infirmière
lawyer: avocat avocate
red: rouge rouges
blue: bleu bleue bleus bleues
green: vert verte verts vertes
yellow: jaune
black: noir noire
white: blanc blanche
grey: gris grise
brown: brun brune marron
orange: orange
pink: rose
purple: violet violette
colour: couleur
size: taille pointure
weight: poids
address: adresse
birthday: anniversaire
deadline: échéance
capital: capitale
name: nom prénom
rent: loyer
sister: sœur soeur
brother: frère
mother: mère maman
father: père papa
parents: parents
son: fils
daughter: fille
child: enfant
children: enfants
friend: ami amie
dog: chien chienne
dogs: chiens
cat: chat chatte
cats: chats
car: voiture
house: maison
flat: appartement
city: ville
book: livre
meeting: rendez-vous réunion
lunch: déjeuner
dinner: dîner
appointment: rdv
wedding: mariage
exam: examen
flight: vol
two: deux
three: trois
four: quatre
five: cinq
six: six
seven: sept
eight: huit
nine: neuf
ten: dix
eleven: onze
twelve: douze
million: million millions
euros: euro
year: an année
years: ans années
month: mois
week: semaine
weeks: semaines
day: jour
days: jours
january: janvier
february: février
march: mars
april: avril
may: mai
june: juin
july: juillet
august: août
september: septembre
october: octobre
november: novembre
december: décembre
today: aujourd-hui
tomorrow: demain
yesterday: hier
"""
