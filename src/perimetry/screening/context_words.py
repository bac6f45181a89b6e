"""Phrases of natural clinical context, by category: this project's own lists.

A phrase in lower case matches any case and its plural; one with a capital matches in that case only (`Lexicon`). What
looks like context and is anatomy, a stain, an animal or a disease stands in `FALSE_FRIENDS` and is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.screening.lexicon import phrases

__all__ = ["CATEGORIES", "FALSE_FRIENDS", "Category"]


@dataclass(frozen=True, slots=True)
class Category:
    """A category of context: name, title, what it holds, and its phrases."""

    name: str
    title: str
    looks_at: str
    phrases: tuple[str, ...]


_PERSONS = [
    "man",
    "woman",
    "male",
    "female",
    "boy",
    "girl",
    "patient",
    "child",
    "infant",
    "person",
    "adult",
    "adolescent",
    "teenager",
    "gentleman",
    "lady",
    "newborn",
]


def _of_persons(*adjectives: str) -> tuple[str, ...]:
    """Colours tell a person's origin only before a word for a person."""
    return tuple(f"{adjective} {person}" for adjective in adjectives for person in _PERSONS)


RACE = (
    *_of_persons("black", "white"),
    *phrases(
        """African American, Afro-Caribbean, Black American, Caucasian, Hispanic, Latino, Latina, Latinx, Chicano,
        Asian, Asian American, South Asian, East Asian, Southeast Asian, Pacific Islander, Native American,
        American Indian, Alaska Native, Alaskan Native, Native Hawaiian, First Nations, Inuit, Aboriginal, Maori,
        Polynesian, Ashkenazi, Sephardic, Jewish, Jew, Arab, Arabic, Middle Eastern, Mediterranean descent,
        Mediterranean origin, Mediterranean ancestry, African, European, Scandinavian, Chinese, Japanese, Korean,
        Vietnamese, Filipino, Filipina, Thai, Cambodian, Laotian, Hmong, Burmese, Indonesian, Malaysian, Indian,
        Pakistani, Bangladeshi, Nepali, Nepalese, Sri Lankan, Afghan, Iranian, Persian, Iraqi, Syrian, Lebanese,
        Turkish, Kurdish, Armenian, Egyptian, Ethiopian, Eritrean, Somali, Somalian, Sudanese, Nigerian, Ghanaian,
        Kenyan, Congolese, Haitian, Jamaican, Dominican, Puerto Rican, Cuban, Mexican, Mexican American,
        Guatemalan, Salvadoran, Honduran, Nicaraguan, Colombian, Peruvian, Brazilian, Bolivian, Venezuelan,
        Ecuadorian, Chilean, Argentinian, Italian, Greek, Portuguese, Spanish, Irish, Scottish, English descent,
        German, of Polish, Polish man, Polish woman, Polish immigrant, Russian, Ukrainian, Romanian, Hungarian,
        Albanian, Norwegian, Swedish, Finnish, Danish, Dutch, French, British, Australian, Canadian, Amish,
        Mennonite, Romani, ethnicity, of mixed race, biracial, fair-skinned, dark-skinned, fair skin, dark skin,
        light-skinned"""
    ),
)
LANGUAGE = phrases(
    """interpreter, translator, language barrier, speaks only, does not speak English, speaks little English, limited
    English, English proficiency, non-English-speaking, Spanish-speaking, Mandarin-speaking, Chinese-speaking,
    Arabic-speaking, Russian-speaking, Vietnamese-speaking, Portuguese-speaking, French-speaking, Hindi-speaking,
    speaks Spanish, speaks Mandarin, speaks Arabic, speaks Russian, speaks Vietnamese, speaks Portuguese, speaks
    French, speaks Hindi, speaks Cantonese, native language, native speaker, first language, primary language,
    preferred language, sign language, bilingual, illiterate, low literacy, health literacy, cannot read"""
)
GEOGRAPHY = phrases(
    """immigrant, immigrated, emigrated, who migrated, recently migrated, migrant, refugee, asylum seeker, recently
    arrived, foreign-born, born in, moved from, moved here from, relocated from, visiting from, native of,
    originally from, grew up in, resident of, lives near, traveled, travelled, traveling, travelling, travel
    history, recent travel, trip, vacation, holiday in, returned from, returning from, cruise, camping, hiking
    trip, hiking in, safari, backpacking, expedition, rural, urban, suburban, remote village, village, inner city,
    countryside, tropical, subtropical, endemic area, endemic region, high altitude, wooded area, abroad, overseas,
    Afghanistan, Africa, Alabama, Alaska, Algeria, Amazon, Andes, Angola, Argentina, Arizona, Arkansas, Asia,
    Australia, Bangladesh, Bolivia, Brazil, California, Cambodia, Cameroon, Canada, Caribbean, Central America,
    Chile, China, Colombia, Colorado, Congo, Connecticut, Costa Rica, Cuba, Delaware, Democratic Republic of the
    Congo, Dominican Republic, East Africa, Eastern Europe, Ecuador, Egypt, El Salvador, England, Eritrea,
    Ethiopia, Europe, Florida, France, Gambia, Germany, Ghana, Greece, Guatemala, Haiti, Hawaii, Himalayas,
    Honduras, Hong Kong, Hungary, Iceland, Idaho, Illinois, India, Indiana, Indonesia, Iowa, Iran, Iraq, Ireland,
    Israel, Italy, Ivory Coast, Jamaica, Japan, Jordan, Kansas, Kentucky, Kenya, Korea, Laos, Latin America,
    Lebanon, Liberia, Libya, Louisiana, Madagascar, Maine, Malawi, Malaysia, Mali, Maryland, Massachusetts,
    Mediterranean, Mexico, Michigan, Middle East, Midwest, Midwestern, Minnesota, Mississippi, Missouri, Mongolia,
    Montana, Morocco, Mozambique, Myanmar, Nebraska, Nepal, Netherlands, Nevada, New England, New Hampshire, New
    Jersey, New Mexico, New York, New Zealand, Nicaragua, Nigeria, North America, North Carolina, North Dakota,
    North Korea, Norway, Ohio, Ohio River Valley, Ohio River, Oklahoma, Oregon, Pakistan, Panama, Papua New Guinea,
    Paraguay, Pennsylvania, Peru, Philippines, Poland, Portugal, Puerto Rico, Rhode Island, Romania, Russia,
    Rwanda, San Joaquin Valley, Saudi Arabia, Scandinavia, Scotland, Senegal, Sierra Leone, Singapore, Somalia,
    South Africa, South America, South Asia, South Carolina, South Dakota, South Korea, Southeast Asia, Southwest,
    Spain, Sri Lanka, Sub-Saharan Africa, Sudan, Sweden, Switzerland, Syria, Taiwan, Tanzania, Tennessee, Texas,
    Thailand, Tibet, Tunisia, Turkey, Uganda, Ukraine, United Kingdom, United States, Uruguay, USA, Utah,
    Uzbekistan, Venezuela, Vermont, Vietnam, Virginia, Wales, West Africa, West Virginia, Wisconsin, Wyoming,
    Yemen, Zambia, Zimbabwe"""
)
OCCUPATION = phrases(
    """occupation, occupational, occupational exposure, workplace, employed as, employed at, works as, works in, works
    at, worked as, worked in, worked at, working as, works for, retired, unemployed, laborer, labourer, manual
    labor, manual labour, construction worker, factory worker, office worker, farm worker, farmworker, healthcare
    worker, health care worker, postal worker, steel worker, steelworker, shipyard worker, social worker, sex
    worker, worker, farmer, rancher, shepherd, gardener, landscaper, florist, carpenter, plumber, electrician,
    welder, painter, mason, roofer, miner, coal miner, sandblaster, foundry, shipyard, machinist, mechanic,
    engineer, architect, programmer, software developer, secretary, receptionist, clerk, accountant, banker,
    lawyer, attorney, teacher, professor, librarian, journalist, musician, violinist, pianist, guitarist, dancer,
    ballerina, ballet dancer, gymnast, athlete, professional athlete, football player, soccer player, basketball
    player, baseball player, baseball pitcher, tennis player, hockey player, volleyball player, rugby player,
    wrestler, swimmer, runner, marathon runner, cyclist, weightlifter, bodybuilder, boxer, skier, golfer, chef,
    cook, baker, butcher, waiter, waitress, bartender, hairdresser, barber, beautician, cleaner, janitor,
    housekeeper, housewife, homemaker, nanny, truck driver, taxi driver, bus driver, pilot, flight attendant,
    sailor, fisherman, firefighter, fireman, police officer, policeman, security guard, nurse practitioner by
    profession, veterinarian, zookeeper, slaughterhouse, abattoir, tannery, pet shop owner, salesman, saleswoman,
    salesperson, cashier, businessman, businesswoman, executive, entrepreneur, real estate agent, student, college
    student, medical student, graduate student, day laborer, lumberjack, logger, forester, park ranger, asbestos
    exposure, silica exposure, coal dust"""
)
MILITARY = phrases(
    """military, army, navy, air force, marine corps, Marines, soldier, active duty, active-duty, military recruit,
    army recruit, recruit, basic training, boot camp, deployed, deployment, combat, war veteran, veteran, Veterans
    Affairs, VA hospital, service member, serviceman, servicewoman, paratrooper, submariner, blast injury,
    improvised explosive device, IED, Gulf War, Vietnam War, Korean War, Iraq War, World War, prisoner of war"""
)
SUBSTANCE = phrases(
    """smoker, smoking, smokes, smoked, nonsmoker, non-smoker, cigarette, cigar, tobacco, chewing tobacco, pack-year,
    pack year, packs per day, pack per day, pack a day, packs a day, vape, vaping, e-cigarette, nicotine, alcohol,
    alcoholic, alcoholism, alcohol use, alcohol abuse, alcohol use disorder, drinks beer, drinks wine, drinks
    socially, beers, glasses of wine, glass of wine, binge drinking, heavy drinker, drinker, intoxicated,
    intoxication, drug use, drug abuse, drug user, illicit drug, recreational drug, intravenous drug, injection
    drug, IV drug, IVDU, substance use, substance abuse, polysubstance, cocaine, crack cocaine, heroin,
    methamphetamine, amphetamine, marijuana, cannabis, opioid use, opioid abuse, opioid addiction, hallucinogen,
    LSD, MDMA, ecstasy, phencyclidine, ketamine abuse, glue sniffing, huffing, inhalant, betel, betel nut, khat,
    addiction, addict"""
)
HOUSING = phrases(
    """homeless, homelessness, unhoused, homeless shelter, shelter, nursing home, nursing facility, assisted living,
    skilled nursing facility, long-term care, care facility, group home, foster home, foster care, orphanage,
    rehabilitation facility, residential facility, halfway house, dormitory, dorm, crowded, overcrowded, apartment,
    lives alone, living alone, living situation, unstable housing, trailer, mobile home, old house, older house,
    house built, basement apartment, renovating, renovation, well water, unpasteurized, living conditions, daycare,
    day care, institutionalized, institutionalised, bedridden in a facility, hospice, wood-burning stove, wood
    stove, pets at home, pet cat, pet dog, pet bird, parakeet, cat scratch, cats at home, livestock, chickens"""
)
ACCESS = phrases(
    """insurance, uninsured, underinsured, health insurance, Medicaid, Medicare, medical insurance, cannot afford,
    could not afford, unable to afford, financial difficulty, financial hardship, financial constraint, low-income,
    low income, low socioeconomic, socioeconomic, poverty, impoverished, poor access, limited access, access to
    care, lack of access, underserved, resource-limited, free clinic, community clinic, no regular physician, no
    primary care, has not seen a doctor, has not seen a physician, never seen a doctor, lost to follow-up, lack of
    prenatal care, no prenatal care, limited prenatal care, inadequate prenatal care, unvaccinated, not vaccinated,
    immunizations are not up to date, transportation, food insecurity, food stamps, welfare, public assistance,
    wealthy, affluent"""
)
DISABILITY = phrases(
    """disabled, disability, wheelchair, wheelchair-bound, walker, cane, crutches, crutch, bedridden, bed-bound,
    bedbound, homebound, nonambulatory, non-ambulatory, nonverbal, non-verbal, community ambulator, household
    ambulator, ambulates with, activities of daily living, functional status, baseline function, dependent for,
    intellectual disability, developmental delay, developmentally delayed, mental retardation, learning disability,
    Down syndrome, cerebral palsy, paraplegic, quadriplegic, tetraplegic, amputee, blind, deaf, hearing aid, obese,
    obesity, morbidly obese, overweight, underweight, body mass index, BMI, cachectic, malnourished,
    thin-appearing, tall, short stature, sedentary, physically active, active lifestyle, right-handed, left-handed,
    right-hand dominant, left-hand dominant, low-demand, high-demand"""
)
FAMILY = phrases(
    """married, divorced, widow, widowed, widower, single mother, single parent, lives with, living with his, living
    with her, husband, wife, spouse, partner, girlfriend, boyfriend, fiance, mother, father, parent, brother,
    sister, sibling, twin, son, daughter, aunt, uncle, cousin, nephew, niece, grandmother, grandfather,
    grandparent, grandson, granddaughter, caregiver, caretaker, guardian, foster parent, adoptive, adopted,
    roommate, friend, neighbor, neighbour, family member, family history, consanguineous, consanguinity, social
    support, support system, domestic violence, child abuse, elder abuse, neglect, bullying"""
)
SEX = phrases(
    """pregnant, pregnancy, gravid, gravida, primigravid, primigravida, multigravida, nulligravid, nulliparous,
    multiparous, para, postpartum, post-partum, breastfeeding, breast-feeding, lactating, gestation, weeks'
    gestation, weeks gestation, trimester, prenatal, antenatal, premenopausal, perimenopausal, postmenopausal,
    menopause, menarche, menses, menstrual, menstruation, amenorrhea, last menstrual period, oral contraceptive,
    contraception, contraceptive, birth control, condom, IUD in place, infertility, fertility treatment, in vitro
    fertilization, abortion, miscarriage, sexually active, sexual activity, sexual partner, sexual intercourse,
    unprotected sex, unprotected intercourse, sexual history, monogamous, multiple partners, men who have sex with
    men, sex with men, MSM, homosexual, gay, lesbian, bisexual, heterosexual, transgender, trans woman, trans man,
    gender identity, gender-affirming, nonbinary, non-binary, intersex, ambiguous genitalia, sex assigned at birth,
    phenotypic female, phenotypic male"""
)
OTHER = phrases(
    """incarcerated person, incarceration, prison, prisoner, imprisoned, jail, inmate, correctional facility, parole,
    religion, religious, Muslim, Christian, Catholic, Hindu, Buddhist, Jehovah's Witness, Ramadan, vegan,
    vegetarian, fasting for, herbal supplement, herbal medicine, traditional medicine, folk remedy, traditional
    healer, acupuncture, ayurvedic, high school graduate, education level, years of education, dropped out of
    school, educated, college graduate, tattoo, body piercing, hot tub, sushi, raw fish, undercooked meat,
    undercooked pork, raw oysters, shellfish ingestion, unpasteurized milk, unpasteurized cheese, home-canned,
    exposure to birds, exposure to cats, exposure to bats, bird droppings, bat guano, cave, spelunking, tick bite,
    insect bite, mosquito bite, freshwater swimming, swam in, swimming in a lake, social history"""
)

FALSE_FRIENDS = phrases(
    """vehicle traveling, car traveling, motorcycle traveling, traveling at, traveling approximately, team recruit,
    urgent care facility, Chinese food, Chinese restaurant, Chinese takeout, Chinese fried rice, Mexican food,
    Mexican restaurant, Thai food, Thai restaurant, Indian food, Indian restaurant, Italian food, Italian
    restaurant, Japanese restaurant, firm partner, business partner, to cook, make friends, white matter, white
    blood cell, white blood cell count, white cell, white count, white line, white plaque, white patch, white male
    pattern, black stool, black tarry stool, black eschar, black line, black box, black light, black arrow, white
    arrow, black lung, black eye, Chinese hamster, Chinese restaurant syndrome, Guinea pig, guinea pig, Guinea
    worm, Japanese encephalitis, German measles, German shepherd, African trypanosomiasis, African sleeping
    sickness, African tick, Spanish flu, French catheter, French gauge, French size, Italian herb, American
    Academy, American College, American Heart, American Joint, American Society, American Association, American
    Diabetes, American Spinal, American Urological, European Society, European Association, European Organisation,
    Dutch Lipid, British Thoracic, Canadian Cardiovascular, Canadian C-spine, Canadian CT, Ottawa ankle, New York
    Heart, New York Heart Association, Swedish interactive, Indian ink, India ink, Greek letter, Turkish saddle,
    Australian antigen, Brazil nut, Turkey red, Jordan frame, Virginia Mason, Asian flu, Lyme disease, West Nile,
    Rocky Mountain spotted fever, Mediterranean fever, familial Mediterranean fever, Crimean-Congo, Congo red, Ross
    River, Norwalk, Coxsackie, Minnesota tube, Minnesota Multiphasic, California encephalitis, St Louis
    encephalitis, Mexico criteria, Kansas City Cardiomyopathy, Milwaukee brace, Boston brace, Philadelphia
    chromosome, Philadelphia collar, Jamaican vomiting, Cuban eight, Polish notation, Finnish type, Indiana pouch,
    Texas catheter, Maryland bridge, Amazon order, Louisiana State, military diet, army medic score, navy blue,
    miliary tuberculosis, Marines Memorial, deployment of the stent, stent deployment, stent was deployed, stent is
    deployed, coil deployment, airbag deployed, airbag deployment, airbag was deployed, airbags deployed, airbags
    were deployed, combat fatigue syndrome, recruitment, muscle recruitment, hospital discharge, discharge, smoking
    gun, alcohol swab, alcohol pad, alcohol wipe, fetal alcohol, isopropyl alcohol, polyvinyl alcohol, ethyl
    alcohol injection, nicotine acetylcholine, cannabis sativa extract, tobacco mosaic, betel leaf sign, runner's
    knee, jumper's knee, tennis elbow, golfer's elbow, baker's cyst, baker cyst, farmer's lung, boxer's fracture,
    swimmer's view, swimmer's ear, fisherman's knot, housemaid's knee, miner's elbow, painter's encephalopathy,
    nurse, mechanic's hands, student t, student's t, student test, pilot study, cook's catheter, Cook catheter,
    Mason classification, Mason type, Mason-Allen, mason jar, Parkland formula, Barber chair sign, shepherd's
    crook, shepherd crook, clerk maxwell, cane toad, sugar cane, Hurricane, deaf ear, blind loop, blind-loop,
    double-blind, single-blind, double blind, blind spot, blind ending, blind-ending, blind pouch, tall T wave,
    tall T waves, tall R wave, tall P wave, tall peaked, tall cell, short stature homeobox, daughter cell, daughter
    cyst, daughter lesion, sister Mary Joseph, Sister Mary Joseph, twin peak sign, twin peaks, partner protein,
    mother cell, parent artery, parent vessel, parent compound, parental consent, para-aortic, para aortic,
    para-articular, para midline, menstrual cup, pregnancy test, molar pregnancy staging, trimester specific, MSM
    score, gay lussac, menopause scale, condom catheter, adopted a position, adopted posture, cave of Retzius,
    Meckel cave, Meckel's cave, Hindu Arabic, shelter in place, retired equipment, executive function, executive
    dysfunction, pitcher plant, boxer dog, cyclist sign, runner bean, trip wire, holiday heart, urban Pottasch,
    village score, cruise control, Holiday heart"""
)

CATEGORIES = (
    Category("race-ethnicity-origin", "Race, ethnicity, origin", "a stem that names race, ethnicity or origin", RACE),
    Category(
        "language", "Language", "a stem that speaks of the patient's language, an interpreter or literacy", LANGUAGE
    ),
    Category(
        "geography-migration-travel",
        "Geography, migration, travel",
        "a stem that names a country, state or region, migration or travel",
        GEOGRAPHY,
    ),
    Category("occupation", "Occupation", "a stem that names work, sport as work, or an exposure at work", OCCUPATION),
    Category("military", "Military", "a stem that speaks of military service or exposure", MILITARY),
    Category(
        "substance-use", "Substance use", "a stem that speaks of tobacco, alcohol or drugs, denied or not", SUBSTANCE
    ),
    Category(
        "housing-care-environment",
        "Housing and care environment",
        "a stem that speaks of housing, care facilities or the home",
        HOUSING,
    ),
    Category(
        "insurance-access", "Insurance and access", "a stem that speaks of insurance, means or access to care", ACCESS
    ),
    Category(
        "disability-function-body-size",
        "Disability, function, body size",
        "a stem that speaks of disability, function, handedness or body size",
        DISABILITY,
    ),
    Category(
        "family-social-support",
        "Family and social support",
        "a stem that names family, partners, caregivers or support",
        FAMILY,
    ),
    Category(
        "sex-gender-reproductive",
        "Sex, gender, reproduction",
        "a stem that speaks of pregnancy, menses, sexual history or gender; bare man and woman are another screen",
        SEX,
    ),
    Category(
        "other", "Other social context", "a stem that speaks of prison, religion, diet, education or exposures", OTHER
    ),
)
