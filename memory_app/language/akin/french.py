"""French: "où est-ce que j'habite ?", "comment s'appelle mon mari ?"."""

from memory_app.language.akin.asking import Asking, sides
from memory_app.rules import linear_re as re
from memory_app.rules.text import vocabulary

_SIDES = sides("""
travaille travail emploi métier profession poste entreprise employeur: embauchée embauché bureau
chef patron patronne supérieur supérieure responsable: dirige équipe
collègue collègues: équipe bureau
habite vis adresse domicile maison: vit loge appartement studio loue loyer ville village déménagé
grandi enfance origine viens: né née élevée élevé
âge anniversaire né née naissance: ans
mari femme époux épouse conjoint conjointe marié mariée: mariage fiancé fiancée ensemble
enfant enfants fils fille filles: bébé garçon jumeaux
frère frères sœur sœurs: jumeau jumelle
parents mère père maman papa: mère père
animal animaux: chien chat lapin hamster cheval
chien chiens: chiot
chat chats: chaton
voiture conduis véhicule auto: conduit moto scooter peugeot renault citroën volkswagen toyota bmw
étudié études diplôme université école: étudiante étudiant licence master
langue langues parle apprends: apprend couramment cours
mange manger plat plats repas: végétarien végétarienne végan viande allergique
cuisine: cuisiné soupe gâteau
bois boire boisson: boit café thé vin bière
sport sports entraîne pratique: nage court escalade vélo yoga football tennis
musique groupe écoute: concert chanteur chanteuse album jazz
instrument instruments joue: piano guitare violon violoncelle batterie
lis livre livres auteur: lit roman romans policiers
film films série séries regarde: cinéma
loisir loisirs passe-temps week-end: collectionne samedi dimanche
vacances voyage partir pars: réservé gîte vol semaines
téléphone portable: iphone pixel android
ordinateur utilise: portable pc mac
médecin docteur: dr cabinet
banque: compte
fume: cigarettes
""")

FRENCH = Asking(
    re.compile(
        r"^(?!.*\bcomment (?:je |puis-je|faire|dois-je|est-ce que je))"
        r".*(?:\b(?:je|mon|ma|mes|moi|me|nous|notre|nos)\b|\bj['’]|\bm['’]|-je\b|\bai-je\b)",
        re.IGNORECASE | re.DOTALL,
    ),
    _SIDES,
    vocabulary(
        "je j moi me m mon ma mes nous notre nos où que qu quoi qui quand comment combien quel quelle quels "
        "quelles est ce c sont suis ai a as de d du des le la les l un une à au aux en dans chez sur pour pas ne n s "
        "se appelle appellent nom fais fait faire aime préféré préférée favori ont et il elle ils elles y t"
    ),
)
