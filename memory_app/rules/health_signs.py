"""A sign that a text may be of someone's health: part of a word, one of which is in all that `personal.HEALTH` finds.

To look for these takes a tenth of the time, and most texts have none. A test walks the whole of that expression, and
says which signs are missing when it grows.
"""

# "_" stands for a space.
_LISTED = """
_eating _feel_ a&e abortion ache aching acl adderall addict adhd aids alcoholic alcoholism allergic_ allergies
allergy alzheimer ankle anorexia anorexic antibiotics antidepressant anxiety any_longer appendix arm arthritis
asperger asthma attack autism baby back bad barely beta biopsy bipolar birth_control blacked blacks bladder bleeding
blind blood born breakdown broke bronchitis bulimia bulimic burnout bypass c-section cancer cardiologist cataract
chemo chickenpox chlamydia cholesterol collapse collarbone coma concussed concussion covid crohn crutches cyst deaf
dementia depressed depression dermatologist diabetes diabetic diagnos dialysis disabled disease dislocated disorder
dizzy doctor doesn't_know drinking drug dying dyslexia dyslexic eczema elbow eliac emia endocrinologist
endometriosis epilepsy epileptic expecting fainted feeding feet fever fibromyalgia finger flu foot forget forgot
fractured gave_out gout growth gyn hamstring hand hardly hearing_aid heart_condition heart_failure hepatitis hernia
herpes hip hiv hormone hospice hospital hrt hurt hypertension hysterectomy ibs icu ill infected infection infertile
infertility inflamed inhaler injured insomnia insulin intensive intolerance intolerant iud ivf jaw kidney knee leg
leuk lexapro ligament lithium lose losing lost lump lupus lymphoma mass mastectomy mcg measles medical medication
meds memory_is meniscus mental metformin methadone mg migraine miscarriage missing more mri mumps neck no_longer
nose not_know numb obese ocd on_life_support oncologist operation osteoporosis overdos overweight ozempic pacemaker
pain panic paraly parkinson passe pelvis period physio pneumonia pregnancy pregnant premature prescription problems
prosthe prozac psoriasis psychiatrist psychologist ptsd pulled radiation rash recogni rehab relapsed remission
replacement rheumatologist rib ritalin scan scarcely schizophrenia sciatica sclerosis scoliosis seizure sepsis
shadow shingles shoulder sick since skull slipped sore spectrum spine spleen spot sprained ssri statin std steroids
sti stoma stroke suffer suicidal suicide surgery swollen syndrome tablets tendon terminally test_results tested
the_er therapist therapy thinner throwing_up thumb thyroid tinnitus to_live toe tonsils tooth tore torn transplant
trouble tuberculosis tumo twisted ulcer unwell urologist uterus valium valve ventilator vertigo vomit wheelchair
wisdom without womb wrist xanax zoloft
"""
SIGNS = tuple(sign.replace("_", " ") for sign in _LISTED.split())

# What an expression that passes over case takes for an English letter, besides that letter in small and in capitals.
_LETTERS = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u212a": "k"})


def may_be_of_health(text: str) -> bool:
    """False only where `HEALTH` finds nothing; any text will do."""
    small = text.lower() if text.isascii() else text.translate(_LETTERS).lower()
    return any(map(small.__contains__, SIGNS))
