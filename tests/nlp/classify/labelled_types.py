"""200 sentences people ask to have remembered, labelled by type. Even lines were tuned on; odd lines only measure.

Written from the descriptions of the types: fact objective information, preference subjective, decision an agreed
choice, event something that happens at a time, person who somebody is, project work in hand, task something to do,
journal a feeling noted down.
"""

LABELLED: dict[str, str] = {
    "fact": """
Thom works at Microsoft
My shoe size is 42
The wifi network is called Nest
I live in Berlin
The garbage is collected on Tuesdays
Our house was built in 1962
I speak German and a little Spanish
My car is a blue Volvo V60
The spare key is under the flower pot
I'm allergic to penicillin and nuts
The office is on the third floor
My flight number is LH1234
We have two cats and a dog
The printer needs black cartridges of type 304
My blood group card is in the drawer
I was born in Lisbon
The kids' school starts at eight
My time zone is CET
The Wi-Fi router is behind the television
I have a driving licence for motorbikes
Our neighbours have a pool
The gym closes at ten in the evening
I use a MacBook with 16 GB of memory
Bob drives an electric car
The recycling bin is the green one
My laptop runs Debian 13
The boiler was last replaced by the landlord
Water boils at 93 degrees up here
I'm a vegetarian
The bakery around the corner is closed on Mondays
My locker is number 12
I have a PhD in physics
The museum is free for students
Anna's phone has a cracked screen
The main fuse box is in the basement
Our team uses PostgreSQL in production
""",
    "preference": """
Penelope loves chicken-themed gifts
I prefer Python over Java
My favourite colour is green
I can't stand cilantro
Anna likes her coffee black
I really enjoy hiking in the mountains
I don't like loud restaurants
We prefer window seats
I hate getting up early
Bob is a big fan of jazz
Prefers concise, technical summaries
I'd rather have tea than coffee
I'm really into science fiction
My favorite movie is Alien
Dislikes crypto and NFT content
I like my steak medium rare
I always want the short answer first
She adores lilies
I'm not fond of seafood
I love the smell of rain
I would rather walk than take the bus
Please keep your answers short
My wife loves dark chocolate
I enjoy reading before bed
Interested in distributed systems and Rust
I'm not a fan of horror films
I prefer dark mode
Charlie hates mushrooms
I want metric units in recipes
We like to eat late
My favourite author is Ursula Le Guin
I prefer to be called in the morning
The kids love pancakes
I find small talk exhausting
I am keen on gardening
Skeptical about AI code generation
""",
    "decision": """
We decided to go with the blue tile
I've decided to quit smoking
We agreed to meet every second Thursday
We chose the oak floor for the living room
Going with vendor B for the windows
We're going with the larger fridge
I settled on the red bike
They picked Lisbon for the offsite
We will use Django for the backend
Let's go with option two
The team agreed on a two-week sprint
I have made up my mind to sell the car
We opted for the cheaper insurance
Decision: no meetings on Fridays
We concluded that the old roof can stay
It was decided that Bob leads the project
I chose not to renew the subscription
We voted to keep the dog
After long talks we settled for a garden wedding
The board approved the new budget
We've agreed that Anna takes the car
I resolved to run a marathon
In the end we picked the green sofa
We are not going to buy the house
Our choice for the name is Luna
They decided against the merger
""",
    "event": """
Visited Grandma on March 15th
We went to Rome last summer
I met Bob at the conference yesterday
My dentist appointment is next Tuesday at 10
Anna's graduation party is on Saturday
I ran my first marathon in 2019
We celebrated our anniversary at the lake
The kids had a concert last night
I saw the northern lights in Norway
We adopted a puppy two weeks ago
The car broke down on the motorway
I'm presenting on database performance next week
Flight to Lisbon on December 3rd
I moved to Berlin in 2020
Had lunch with Charlie on Monday
The power went out during the storm
We watched Alien together last Friday
My parents are visiting next weekend
I got promoted in May
Bob and Alice got married on 7 May 2023
We hiked to the summit on Sunday
I started my new job last month
There was a fire drill this morning
The plumber is coming tomorrow
I lost my wallet on the train yesterday
We signed the lease on Friday
Went camping with the neighbours in July
Grandpa fell in the garden last week
I attended a pottery workshop on Saturday
The wedding is on 12 June
We finished the puzzle last night
Our cat ran away two days ago
""",
    "person": """
John from Contoso - sales director
My sister Anna is a doctor
Bob is my manager
My dentist is Dr. Lee
Maria is our new neighbour
Charlie's wife is called Dora
Priya Shah is the lead designer at Acme
My brother-in-law Tom is a pilot
Our landlord's name is Mr. Petersen
Anna is Bob's daughter
My best friend is called Jonas
Elena is the head of marketing
My boss is Katrin Vogel
Sam from accounting handles the invoices
My grandmother Ruth is 92 years old
Dr. Okafor is the children's paediatrician
Luis is a colleague from the Madrid office
Our cleaner is called Ivana
My daughter Emma is seven
Kenji is my Japanese teacher
The plumber is Mr. Novak
Alice is my cousin from Dublin
My wife's name is Laura
Tanja is Peter's new girlfriend
My uncle Frank is a retired firefighter
Our babysitter is Mia, a student
""",
    "project": """
Kitchen renovation budget is $50k
I'm building a local-first note-taking app
The website relaunch is due in March
Project Phoenix uses Kafka and Kubernetes
We're migrating the database to PostgreSQL 18
The garden project is waiting for the permit
I'm working on a novel about lighthouses
The deadline for the grant proposal is June 1
Our bathroom remodel is half done
The app launch has been postponed to the autumn
Working on a real-time fraud detection pipeline
The thesis needs two more chapters
The treehouse project is on hold until spring
Milestone two of the tunnel project is done
I am developing a board game with Charlie
The renovation will take about six weeks
Side project: a weather station with a Raspberry Pi
The budget of the film project was cut
We're planning to rebuild the barn
The prototype runs on battery for ten hours
The release of version 2 is blocked by the billing bug
Sprint goal: finish the search page
""",
    "task": """
buy milk
call the insurance on Monday
I need to renew my passport
pick up the kids at four
TODO: fix the garden gate
send Anna the photos
I have to pay the electricity bill
water the plants while Bob is away
we should book the hotel soon
return the library books
book a table for six
I must finish the tax forms
""",
    "journal": """
Feeling good about the interview
I feel tired of the long commute
Today was a hard day
I'm so grateful for my friends
Feeling nervous about the presentation
I'm proud of how I handled the argument
I felt lonely this evening
What a wonderful day it has been
I'm worried about my exam
I have been feeling down lately
""",
}
