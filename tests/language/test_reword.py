"""Claims in words that stand alone: who is named, when is dated."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory_app.language.extract.dates import with_dates
from memory_app.language.extract.reword import Reworder

FRIDAY = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("said", "stands_alone"),
    [
        ("I love tea", "Alice loves tea."),
        ("We fly to Rome and I rely on you", "Alice flies to Rome and they rely on you."),
        ("I'm a nurse.", "Alice is a nurse."),
        ("im a nurse", "Alice is a nurse."),
        ("I’ve moved to Rome!", "Alice has moved to Rome!"),
        ("I don't eat fish.", "Alice doesn't eat fish."),
        ("I'd love to sail.", "Alice would love to sail."),
        ("I'd already left.", "Alice had already left."),
        ("I'd bought a car.", "Alice had bought a car."),
        ("I'd never put salt in tea.", "Alice would never put salt in tea."),
        ("I'd need a visa.", "Alice would need a visa."),
        ("We'd met in Rome.", "Alice and others had met in Rome."),
        ("I also study law.", "Alice also studies law."),
        ("I went home.", "Alice went home."),
        ("I can swim.", "Alice can swim."),
        ("My dog is called Rex.", "Alice's dog is called Rex."),
        ("I walk my dog when I wake up.", "Alice walks their dog when they wake up."),
        ("I ran and I was tired.", "Alice ran and they were tired."),
        ("Bob and I are friends.", "Bob and Alice are friends."),
        ("We bought a boat.", "Alice bought a boat."),
        ("We have three kids and we love them.", "Alice has three kids and they love them."),
        (
            "We're getting married, and we'd rather not wait.",
            "Alice is getting married, and they would rather not wait.",
        ),
        ("We met in Rome.", "Alice and others met in Rome."),
        ("We decided to move to Lisbon.", "We decided to move to Lisbon."),
        ("After a long talk, we've agreed to sell my car.", "After a long talk, we've agreed to sell my car."),
        ("We're going with oak.", "We're going with oak."),
        ("We'll keep the old sofa.", "We'll keep the old sofa."),
        ("My wife and I decided to sell the car.", "Alice and their wife decided to sell the car."),
        ("Bob and I talked, and we decided to wait.", "Bob and Alice talked, and they decided to wait."),
        ("I decided to wait.", "Alice decided to wait."),
        ("We're a family of five.", "Alice and others are a family of five."),
        ("My wife and I bought a house.", "Alice and their wife bought a house."),
        ("The thesis is late and I've stopped.", "The thesis is late and Alice has stopped."),
        ("Anna invited us to dinner.", "Anna invited Alice to dinner."),
        ("I never fly.", "Alice never flies."),
        ("I prefer window seats, by the way.", "Alice prefers window seats."),
        ("Please always answer me in French.", "Alice asks: always answer them in French."),
        ("Tom gave me his bike.", "Tom gave Alice his bike."),
        ("I built it myself in the US.", "Alice built it themselves in the US."),
        ("Just got a puppy.", "Alice just got a puppy."),
        ("Working on a novel.", "Alice is working on a novel."),
        ("Working here is hard.", "Working here is hard."),
        ("I no longer work here.", "Alice no longer works here."),
        ("Born in Naples, raised in Milan.", "Alice was born in Naples, raised in Milan."),
        ("Got two kids.", "Alice has got two kids."),
        ("Not a fan of horror films.", "Alice is not a fan of horror films."),
        ("Love hiking.", "Alice loves hiking."),
        ("Cancelled my trip to Porto.", "Alice cancelled their trip to Porto."),
        ("Love is blind.", "Love is blind."),
        ("There are five of us.", "There are five of us."),
        ("Lost my keys :(", "Alice lost their keys."),
        ("Bob loves tea and I love coffee.", "Bob loves tea and Alice loves coffee."),
        ("My sister sings and I dance.", "Alice's sister sings and Alice dances."),
        ("My two sisters and I sail.", "Alice and their two sisters sail."),
        ("It's late and I have no car.", "It's late and Alice has no car."),
        ("we r moving to Paris", "Alice is moving to Paris."),
        ("The cats sleep all day.", "The cats sleep all day."),
    ],
)
def test_the_person_is_named_where_they_said_i(said: str, stands_alone: str) -> None:
    assert Reworder("Alice", None, BERLIN)(said) == stands_alone


def test_a_name_that_ends_in_s_has_an_apostrophe_alone() -> None:
    assert Reworder("James", None, BERLIN)("My cat sleeps.") == "James' cat sleeps."


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("We met last Friday.", "We met on 13 November 2026."),
        ("I leave tomorrow.", "I leave on 21 November 2026."),
        ("It has rained since yesterday.", "It has rained since 19 November 2026."),
        ("I've got Monday off.", "I've got 23 November 2026 off."),
        ("My cat died on Sunday.", "My cat died on 15 November 2026."),
        ("I booked flights to Porto for 3 May", "I booked flights to Porto for 3 May 2027"),
        (
            "I got a new job at Siemens, starting on January 5th.",
            "I got a new job at Siemens, starting on 5 January 2027.",
        ),
        (
            "We booked the Hilton in Rome from April 3 to April 10.",
            "We booked the Hilton in Rome from 3 to 10 April 2027.",
        ),
        ("We bought tickets for the opera on May 3rd.", "We bought tickets for the opera on 3 May 2027."),
        ("We bought tickets on May 3rd.", "We bought tickets on 3 May 2026."),
        ("I had to hand it in before March 3rd.", "I had to hand it in before 3 March 2027."),
        ("They fly in on the 15th.", "They fly in on 15 December 2026."),
        ("I won't be in tomorrow.", "I won't be in on 21 November 2026."),
        ("Tomorrow is my last day.", "21 November 2026 is my last day."),
        ("The wedding is on 14 June", "The wedding is on 14 June 2027"),
        ("We moved the launch to 12 January.", "We moved the launch to 12 January 2027."),
        ("We haven't met in ten years.", "We haven't met in ten years."),
        ("It is due by Thursday noon.", "It is due by 26 November 2026 at noon."),
        ("We met on Monday.", "We met on 16 November 2026."),
        ("We will meet on Monday.", "We will meet on 23 November 2026."),
        ("We leave on the 3rd of May.", "We leave on 3 May 2027."),
        ("We leave in the second week of December.", "We leave in the week of 8 December 2026."),
        ("My birthday is on the 3rd of May.", "My birthday is on the 3rd of May."),
        ("They are coming from Friday to Sunday.", "They are coming from 27 to 29 November 2026."),
        ("I'm away from 12 December to 3 January.", "I'm away from 12 December 2026 to 3 January 2027."),
        ("The fair was between 12 and 15 May.", "The fair was between 12 and 15 May 2026."),
        ("I need to renew it before August.", "I need to renew it before August 2027."),
        ("It was put off until late March.", "It was put off until late March 2027."),
        ("We sailed last week.", "We sailed in the week of 9 November 2026."),
        ("We moved last month.", "We moved in October 2026."),
        ("He was born in 1990.", "He was born in 1990."),
        ("I swim every Monday.", "I swim every Monday."),
        ("Nothing is said of time.", "Nothing is said of time."),
    ],
)
def test_what_depends_on_the_day_is_dated(said: str, dated: str) -> None:
    assert with_dates(said, FRIDAY, BERLIN) == dated


@pytest.mark.parametrize(
    ("said", "dated"),
    [
        ("I work here since March.", "I work here since March."),
        ("Dana is getting married on June 5th.", "Dana is getting married on 5 June 2027."),
        ("I will have finished by June 5th.", "I will have finished by 5 June 2027."),
        ("I shan't be there on June 5th.", "I shan't be there on 5 June 2027."),
        ("Dana got married on June 5th.", "Dana got married on 5 June 2026."),
    ],
)
def test_a_date_without_a_year_goes_where_the_verb_points(said: str, dated: str) -> None:
    assert with_dates(said, datetime(2026, 11, 20, 12, tzinfo=UTC), ZoneInfo("UTC")) == dated
