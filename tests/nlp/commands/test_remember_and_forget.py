"""Requests to remember and to forget are told from talk about remembering and forgetting."""

import pytest

from memory_app.nlp.commands.forget import ForgetRequest, forget_request
from memory_app.nlp.commands.remember import RememberRequest, remember_request, remember_requests


@pytest.mark.parametrize(
    ("utterance", "content"),
    [
        ("Barnabee, remember that we decided to go with the blue tile", "we decided to go with the blue tile"),
        ("hey Barnabee, could you please remember that I like tea?", "I like tea"),
        ("Okay Jarvis, remember I like jazz", "I like jazz"),
        ("remember this: the wifi is called abc", "the wifi is called abc"),
        ("remember I'm vegan, okay?", "I'm vegan"),
        ("remember, I'm allergic to nuts", "I'm allergic to nuts"),
        ("remember that I take my tea with milk please", "I take my tea with milk"),
        ("remember to always say please", "always say please"),
        ("You should remember that I'm vegan", "I'm vegan"),
        ("Barnabee remember my locker is number 12", "my locker is number 12"),
        ("remember where I parked: level 3", "where I parked: level 3"),
        ("remember about the meeting on Friday", "the meeting on Friday"),
        ("Oh, and one more thing, don't forget that Anna is allergic to nuts", "Anna is allergic to nuts"),
        ("Don’t forget I’m out on Monday, Barnabee!", "I’m out on Monday"),
        ("never forget that I love you", "I love you"),
        ("Don't you dare forget that I love you", "I love you"),
        ("could you make a note that Anna called?", "Anna called"),
        ("remember this number: 4411", "number: 4411"),
        ("/remember@keepsake_bot I like tea", "I like tea"),
        ("Please keep in mind I'm vegan", "I'm vegan"),
        ("Keep this in mind: no calls after six", "no calls after six"),
        ("bear in mind that he is shy", "he is shy"),
        ("Note that I like blue", "I like blue"),
        ("note: call Bob", "call Bob"),
        ("make a note: call Bob", "call Bob"),
        ("Make a note of the door code", "the door code"),
        ("note to self: buy milk", "buy milk"),
        ("Save this: we meet at nine", "we meet at nine"),
        ("for future reference, my size is 42", "my size is 42"),
        ("fyi I'm out on Friday", "I'm out on Friday"),
        ("FYI: the shop closes at six", "the shop closes at six"),
        ("important: pay the rent", "pay the rent"),
        ("/remember I like tea", "I like tea"),
        ("/remember do we like tea?", "do we like tea?"),
        ("My birthday is 3 March, remember that", "My birthday is 3 March"),
        ("I moved to Berlin. Please remember that.", "I moved to Berlin."),
        ("We had a talk. Remember that we chose blue. It matters.", "we chose blue. It matters."),
        ("Remember that we chose blue. Anna rang.", "we chose blue."),
        ("make sure you've got this, the plumber is called Ivo", "the plumber is called Ivo"),
        ("Put it on record that the rent was paid", "the rent was paid"),
        ("It would help if you remembered that I moved", "I moved"),
        ("next time we cook remember that I'm vegan", "I'm vegan"),
        ("I need to remember to call Bob, can you keep that?", "call Bob"),
        ("Remember I hate olives, thanks, and can you suggest a pizza", "I hate olives"),
        ("Remember that\n- one\n- two", "- one\n- two"),
        ("For the record, I never liked the red tile", "I never liked the red tile"),
        ("just so you know, I'm vegetarian", "I'm vegetarian"),
        ("jot down that the plumber comes at nine", "the plumber comes at nine"),
        ("write this down: the plumber comes at nine", "the plumber comes at nine"),
        ("note down that I owe Bob 20 euros", "I owe Bob 20 euros"),
        ("keep a note that the rent is due", "the rent is due"),
        ("memorise this: Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("commit this to memory: Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("Add to your memory that Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("remember the fact that Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("save that Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("Remember something for me: I hate olives", "I hate olives"),
        ("Remember this. I moved to Oslo.", "I moved to Oslo."),
        ("Can you save this for later? I moved to Oslo", "I moved to Oslo"),
        ("I moved to Oslo. Save that.", "I moved to Oslo."),
        ("please note the following: I moved", "I moved"),
        ("Umm can you, like, remember that I moved?", "I moved"),
        ("Please remember: I'm deaf in one ear. Thank you!", "I'm deaf in one ear."),
        ("rember that I like tea", "I like tea"),
        ("I'd love you to remember that I moved", "I moved"),
        ("I need you to remember that I moved", "I moved"),
        ("try and remember I'm left-handed", "I'm left-handed"),
        ("Save this for later please, the tiles are blue", "the tiles are blue"),
        ("For later: the plumber is called Ivo", "the plumber is called Ivo"),
        ("If I ask about lunch, remember I'm vegan", "I'm vegan"),
        ("We talked it over, so please remember that I eat late", "I eat late"),
        ("put in your notes that Bob owes me 20 euros", "Bob owes me 20 euros"),
        ("the choir moved to Mondays dont forget", "the choir moved to Mondays"),
        ("for next time, I like short answers, remember please", "I like short answers"),
        ("remember when I say the lads I mean my team", "when I say the lads I mean my team"),
    ],
)
def test_a_request_to_remember_gives_what_is_to_be_kept(utterance: str, content: str) -> None:
    request = remember_request(utterance)
    assert request is not None
    assert (request.content, request.refers_back) == (content, False)


@pytest.mark.parametrize(
    ("utterance", "content"),
    [
        ("Remember to buy milk", "buy milk"),
        ("don't forget to call Bob", "call Bob"),
        ("make a note to water the plants", "water the plants"),
    ],
)
def test_something_to_be_done_is_a_task(utterance: str, content: str) -> None:
    assert remember_request(utterance) == RememberRequest(content, task=True)


@pytest.mark.parametrize(
    "utterance",
    [
        "remember this",
        "Remember that.",
        "Barnabee, please remember it",
        "Keep that in mind",
        "don’t forget!",
        "Don't forget that, please",
        "save this for later",
        "remember what I just told you",
        "note this down",
        "/remember",
    ],
)
def test_a_bare_request_refers_to_what_was_said_before(utterance: str) -> None:
    assert remember_request(utterance) == RememberRequest("", refers_back=True)


@pytest.mark.parametrize(
    "utterance",
    [
        "I don't remember that film",
        "I remember that day",
        "I can't remember that",
        "can't remember",
        "do you remember that film?",
        "Did you remember to call Bob?",
        "can you remember that film?",
        "Could you remember what I said?",
        "Remember when we went to Rome?",
        "remember when we went to Rome",
        "Remember that time we got lost",
        "remember the time we got lost",
        "remember Anna?",
        "remember me",
        "Remember that we decided on blue?",
        "I want to remember that day",
        "She said remember that",
        "I remembered that we like tea",
        "this is just an fyi for the team",
        "It is important: pay the rent",
        "The function returns early. Note that it swallows errors.",
        "save this file",
        "What do you remember about Anna?",
        "I'll never forget that evening",
        "remember that one time at band camp",
        "Do you think she will remember that I called?",
        "Please remember me to your mother",
        "remember to",
        "/rememberme",
        "Save the date: 3 March",
        "Add a note to the README that the tests are slow",
        "My brother and his friends always remember Anna",
        "save that file for me",
        "for the record player we need a needle",
        "so you know what I mean",
        "hey do you remember that?",
        "I forgot my keys",
        "Forgot my keys",
        "Forgot about the dentist, sorry",
        "need to remember to buy milk",
        "never mind",
        "nevermind that",
        "let's forget about it and move on",
        "drop it",
        "get me out of here",
        "remembering that is hard",
        "A note: nothing",
        "write down three names for a cat",
        "Write me a poem, and remember that it must rhyme",
        "Proofread this: remember that we love you",
        "I told the kids: remember to brush your teeth",
        "the sign says never forget",
        "I told him don't forget",
        "record this call",
        "store it in memory and loop over it",
        "a gentle reminder of what we said",
        "",
        "   ",
    ],
)
def test_talk_about_remembering_asks_nothing(utterance: str) -> None:
    assert remember_request(utterance) is None


@pytest.mark.parametrize(
    ("utterance", "contents"),
    [
        ("remember that I like tea", ["I like tea"]),
        ("remember I like tea and remember Bob likes coffee", ["I like tea", "Bob likes coffee"]),
        ("Remember I like tea. Also, don't forget, Bob likes coffee.", ["I like tea.", "Bob likes coffee."]),
        ("remember to buy milk and to call Bob", ["buy milk", "call Bob"]),
        ("Two things to remember: I like tea and Bob likes coffee", ["I like tea", "Bob likes coffee"]),
        ("remember she said that it rains and that it pours", ["she said that it rains and that it pours"]),
        ("I like tea. Please remember that.", ["I like tea."]),
        ("I moved to Rome. Do you remember Bob?", []),
    ],
)
def test_each_thing_that_is_asked_for_is_one_request(utterance: str, contents: list[str]) -> None:
    assert [request.content for request in remember_requests(utterance)] == contents


@pytest.mark.parametrize(
    "utterance",
    [
        "Jarvis, remember that I like tea",
        "hey jarvis remember that I like tea",
        "@hnpal_bot remember that I like tea",
    ],
)
def test_any_name_may_be_called_before_a_request(utterance: str) -> None:
    assert remember_request(utterance) == RememberRequest("I like tea")
    assert forget_request(utterance.replace("remember that I like tea", "forget that")) == ForgetRequest(immediate=True)


@pytest.mark.parametrize(
    "utterance",
    [
        "forget that",
        "Barnabee, forget that please",
        "forget that, I changed my mind",
        "Forget what I just told you.",
        "forget the last thing I told you",
        "the last one",
        "scratch that",
        "undo that",
        "delete it",
        "delete that memory",
        "forget the memory",
        "forget I said anything",
        "Don't save that",
        "don't remember that",
        "/forget that",
        "actually, forget about that",
        "forget all of that",
        "do not remember this",
        "scratch that, it's Tuesday",
        "You can forget that now",
        "forget what you just saved",
        "forget everything I just told you",
        "take that back",
        "don't keep that in mind",
        "don't write this down",
        "forget those",
        "no need to remember that",
        "you don't have to save this",
        "disregard that",
        "disregard what I just said",
        "forgte that",
    ],
)
def test_forgetting_that_means_the_memory_last_mentioned(utterance: str) -> None:
    assert forget_request(utterance) == ForgetRequest(immediate=True)


@pytest.mark.parametrize(
    ("utterance", "query", "explicit"),
    [
        ("forget about the blue tile", "the blue tile", True),
        ("forget that I like blue", "I like blue", True),
        ("delete the memory about Anna", "Anna", True),
        ("Delete my memories of Rome!", "Rome", True),
        ("remove the memory about the budget", "the budget", True),
        ("delete the blue tile memory", "blue tile", True),
        ("don't remember the blue tile", "the blue tile", True),
        ("stop remembering my location", "my location", True),
        ("can you forget about my ex?", "my ex", True),
        ("forget everything about Anna", "Anna", True),
        ("forget what I said about Anna", "Anna", True),
        ("forget the fact that I smoke", "I smoke", True),
        ("/forget blue tile", "blue tile", True),
        ("/memory forget kitchen", "kitchen", True),
        ("remove the blue tile", "the blue tile", False),
        ("erase what I told you about Bob", "Bob", True),
        ("I want you to forget about Bob", "Bob", True),
        ("remove memory Anna", "Anna", True),
        ("delete my birthday from your memory", "my birthday", True),
        ("forget the one about Anna", "Anna", True),
        ("forget what you know about my mum", "my mum", True),
        ("forget my address but keep the phone number", "my address", True),
        ("forget the trip to Rome, but not the one to Oslo", "the trip to Rome", True),
        ("delete everything about Bob except his birthday", "Bob", False),
        ("you don't need to remember my address", "my address", True),
        ("No need to remember the blue tile", "the blue tile", True),
        ("disregard what I said about the dentist", "the dentist", False),
        ("unlearn my address", "my address", True),
        ("get my address out of your memory", "my address", True),
        ("drop the memory about the trip", "the trip", True),
        ("never mind the dentist thing", "the dentist thing", False),
        ("froget the blue tile", "the blue tile", True),
    ],
)
def test_forgetting_by_words_gives_what_to_look_for(utterance: str, query: str, explicit: bool) -> None:
    assert forget_request(utterance) == ForgetRequest(query=query, explicit=explicit)


@pytest.mark.parametrize(
    "utterance",
    [
        "forget everything",
        "Barnabee, please forget everything you know about me",
        "delete all my memories",
        "wipe your memory",
        "/forget everything",
        "forget what you know about me",
        "forget everything I told you",
    ],
)
def test_forgetting_everything_is_told_from_forgetting_something(utterance: str) -> None:
    assert forget_request(utterance) == ForgetRequest(everything=True)


@pytest.mark.parametrize(
    "utterance",
    [
        "don't forget that I like tea",
        "Don't forget that",
        "never forget this",
        "I forgot my keys",
        "I always forget names",
        "forget it",
        "Forget about it.",
        "did you forget?",
        "forget something?",
        "I don't remember that",
        "don't remember what it was called",
        "don't remember seeing him",
        "forget to call Bob",
        "remove the tomatoes from the shopping list",
        "delete the file",
        "/forget",
        "What should I forget?",
        "unforgettable",
        "",
    ],
)
def test_talk_about_forgetting_asks_nothing(utterance: str) -> None:
    assert forget_request(utterance) is None


@pytest.mark.parametrize(
    ("utterance", "about"),
    [
        ("remember everything", ""),
        ("Barnabee, could you remember everything, please?", ""),
        ("remember this whole chat", ""),
        ("don't forget anything important", ""),
        ("make a note of everything we discussed", ""),
        ("write everything down", ""),
        ("remember everything from now on", ""),
        ("remember everything I told you about my trip", "my trip"),
    ],
)
def test_everything_means_all_that_was_said(utterance: str, about: str) -> None:
    assert remember_request(utterance) == RememberRequest("", refers_back=True, everything=True, about=about)


@pytest.mark.parametrize(
    "utterance",
    ["remember it all", "don't forget any of this", "remember both", "remember what we discussed"],
)
def test_what_only_points_back_is_no_fact(utterance: str) -> None:
    assert remember_request(utterance) == RememberRequest("", refers_back=True)


@pytest.mark.parametrize(
    "content",
    [
        "everything went well",
        "everything is in the blue box",
        "everything about Bob is secret",
        "all my friends like tea",
    ],
)
def test_a_fact_about_everything_is_a_fact(content: str) -> None:
    assert remember_request(f"remember {content}") == RememberRequest(content)


@pytest.mark.parametrize("utterance", ["save everything", "keep everything else as it is", "store the session"])
def test_what_is_said_of_a_file_asks_for_no_memory(utterance: str) -> None:
    assert remember_request(utterance) is None
