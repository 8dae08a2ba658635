"""Apply what a language model read in a conversation: proposals take its words, and what else it noticed is added."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.author import Author
from memory_app.engine.enter import Entered
from memory_app.engine.keeping.noticed import given_of, heard_at, said_at
from memory_app.engine.keeping.surroundings import speaker_of
from memory_app.engine.keeping.weigh import weigh
from memory_app.engine.listening.hand import Handed
from memory_app.engine.listening.put_before import put_before
from memory_app.engine.listening.unasked import keep_or_note
from memory_app.engine.speaking import speaking
from memory_app.language.extract import Found
from memory_app.language.extract.hostile import is_hostile
from memory_app.language.local import understand
from memory_app.llm.tasks.conversation_reading import ConversationReading, ReadItem
from memory_app.models import ExtractionPolicy, ExtractionRun, Proposal, ProposalStatus, Relation, Turn
from memory_app.models.scope import within
from memory_app.rules.decide import Candidate, Neighbour, is_believable

RELATIONS = {
    "same": Relation.DUPLICATE,
    "addition": Relation.MERGE,
    "update": Relation.SUPERSEDE,
    "contradiction": Relation.CONFLICT,
}
"""What accepting something would do, by what a model says that it is to a memory."""

NOT_BELIEVED = "relation not believed"


def apply_reading(
    read: Handed,
    refined: ConversationReading,
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """Expects the conversation's scope, and others held off. asked_already: whether what was proposed was put to its
    person, who then finds nothing gone; what joins it has no number, for their "yes" is about what they were asked."""
    fresh = [item for item in refined.items if item.local is None]
    _say_better(read, refined, record, encoder, asked_already=asked_already)
    _add(read, fresh, record, now, encoder, asked_already=asked_already)


def _say_better(
    read: Handed, refined: ConversationReading, record: ExtractionRun, encoder: Encoder, *, asked_already: bool
) -> None:
    """Proposals that the model words better take its words. Those it dismisses, or says are known, are let go unless
    the person was asked about them."""
    better = [(item, read.proposals[item.local]) for item in refined.items if item.local is not None]
    let_go = [read.proposals[place] for place in refined.dismissed]
    for item, proposal in better:
        vector = encoder.documents([item.found.content])[0]
        judged = _judged(read, item, vector, record)
        if judged.get("judgement") == "same" and not asked_already:
            record.duplicates += 1
            let_go.append(proposal)
            continue
        still = Proposal.objects.filter(space_id=proposal.space_id, id=proposal.id, status=ProposalStatus.PENDING)
        made = {"extractor": record.extractor, "embedding": vector, "embedding_model": encoder.name}
        still.update(**_words(item.found), **judged, **made, reworded=asked_already)
    ids = [] if asked_already else [proposal.id for proposal in let_go]
    rows = Proposal.objects.filter(space_id=record.space_id, id__in=ids, status=ProposalStatus.PENDING)
    rows.update(status=ProposalStatus.EXPIRED, decided_at=record.started_at, decided_by=f"model:{record.extractor}")


def _judged(read: Handed, item: ReadItem, vector: Vectors, record: ExtractionRun) -> dict[str, object]:
    """What accepting it would do, as the model says, in a proposal's fields; nothing where it says nothing that can be
    believed."""
    if item.relation is None:
        return {}
    memory, person = read.memories[item.relation.known], read.conversation.person
    candidate = Candidate(item.found.content, speaker=speaker_of(person, item.found.speaker))
    cosine = read.cosines(vector)[item.relation.known]
    known = Neighbour(memory.id, memory.content, cosine=cosine, speaker=speaker_of(person, memory.source_speaker))
    if not is_believable(item.relation.kind, candidate, known):
        record.dropped = {**record.dropped, NOT_BELIEVED: record.dropped.get(NOT_BELIEVED, 0) + 1}
        return {}
    relation = RELATIONS[item.relation.kind]
    return {"relation": relation, "target_id": memory.id, "judgement": item.relation.kind}


def _words(found: Found) -> dict[str, object]:
    return {
        "summary": found.summary,
        "content": found.content,
        "context": found.context,
        "type": found.type,
        "category": found.category,
        "key": found.key,
        "keywords": list(found.keywords),
        "confidence": found.confidence,
        "reason": found.reason[:300],
        "event_time": found.event_time,
        "event_end": found.event_end,
    }


def _add(
    read: Handed,
    items: Sequence[ReadItem],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """New findings, by the person's policy; what was ever proposed at this level is not proposed again."""
    if not items:
        return
    vectors = encoder.documents([item.found.content for item in items])
    before, turns = put_before(read.conversation, encoder.name), {turn.position: turn for turn in read.turns}
    entered = speaking(read.conversation)
    to_ask: list[tuple[ReadItem, Vectors, dict[str, object]]] = []
    with within(entered.venue.spaces):
        for item, vector in zip(items, vectors, strict=True):
            quotes = [(str(turns[quote.index].id), quote.text) for quote in item.found.quotes]
            known = before.holds(item.found.content, vector, heard_at(item.found, turns), quotes)
            judged = _judged(read, item, vector, record)
            if known or before.was_remembered(quotes) or judged.get("judgement") == "same":
                record.duplicates += 1
            elif not _settled(read, entered, item, vector, record, now, encoder):
                to_ask.append((item, vector, judged))
    _ask(read, to_ask, record, now, encoder, asked_already=asked_already)


def _settled(
    read: Handed,
    entered: Entered,
    item: ReadItem,
    vector: Vectors,
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
) -> bool:
    """Whether an item needs no asking: by the policy `auto` it was kept or noted, or is there already."""
    turns = {turn.position: turn for turn in read.turns}
    if entered.person.extraction_policy != ExtractionPolicy.AUTO or not _is_safe(item, turns):
        return False
    found = replace(item.found, key=_own_key(item.found, entered, now))
    given = given_of(found, read.conversation.id, turns)
    relation = weigh(entered, [given], vector[np.newaxis], now, encoder.name)[0].relation
    if relation == "conflict":  # which of the two holds is the person's to choose
        return False
    if relation == "duplicate":
        record.duplicates += 1
        return True
    done = keep_or_note(
        entered=entered,
        found=found,
        conversation=read.conversation.id,
        turns=turns,
        author=Author("model", record.extractor, request=str(record.id), run=str(record.id)),
        now=now,
        encoder=encoder,
    )
    record.kept += done == "kept"
    record.noted += done == "noted"
    record.duplicates += done == "known"
    return True


def _is_safe(item: ReadItem, turns: Mapping[int, Turn]) -> bool:
    """Whether an item that passed all checks may be kept unasked: it touches no memory that it was shown, and no turn
    that it quotes holds anything like an instruction."""
    return item.relation is None and not any(is_hostile(turns[quote.index].content) for quote in item.found.quotes)


def _own_key(found: Found, entered: Entered, now: datetime) -> str:
    """The key only where our own rules read it too: a model must not name the slot whose value is replaced."""
    return found.key if understand(found.content, at=now, timezone=entered.person.zone).key == found.key else ""


def _ask(
    read: Handed,
    items: Sequence[tuple[ReadItem, Vectors, dict[str, object]]],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    asked_already: bool,
) -> None:
    """New proposals, numbered on from those there are. Once the question was put they have no number: the person's
    "yes" is about what they were asked."""
    here = Proposal.objects.filter(space_id=record.space_id, conversation_id=record.conversation_id)
    turns = {turn.position: turn for turn in read.turns}
    made = [
        Proposal(
            space_id=record.space_id,
            person_id=record.person_id,
            visibility=read.conversation.visibility,
            channel_id=read.conversation.channel_id,
            conversation_id=record.conversation_id,
            run_id=record.id,
            number=0 if asked_already else number,
            **_words(item.found),
            speaker=item.found.speaker[:200],
            said_at=max(said_at(turns[quote.index]) for quote in item.found.quotes),
            quotes=[
                {"turn": str(turns[quote.index].id), "position": quote.index, "text": quote.text}
                for quote in item.found.quotes
            ],
            extractor=record.extractor,
            **judged,
            created_at=now,
            embedding=vector,
            embedding_model=encoder.name,
        )
        for number, (item, vector, judged) in enumerate(items, here.count() + 1)
    ]
    Proposal.objects.bulk_create(made)
    record.proposed = len(made)
