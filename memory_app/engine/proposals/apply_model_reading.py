"""Apply what a language model read in a conversation: proposals take its words, and what else it noticed is added."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from memory_app.embedding.encoder import Encoder
from memory_app.embedding.vectors import Vectors
from memory_app.engine.audit.log import Author
from memory_app.engine.memories.memory_input import input_from_finding, names_of_person
from memory_app.engine.memories.neighbours import comparable_speaker
from memory_app.engine.memories.save import preview_relations
from memory_app.engine.proposals.auto_policy import save_or_note
from memory_app.engine.proposals.model_input import ModelInput
from memory_app.engine.proposals.proposal_history import load_history
from memory_app.engine.venue_context import VenueContext, conversation_venue
from memory_app.llm.read_conversation import ConversationReading, ExtractedItem
from memory_app.models import ExtractionPolicy, ExtractionRun, Proposal, ProposalStatus, Relation, Turn
from memory_app.models.proposal import finding_fields, proposal_from_finding
from memory_app.models.row_security import allowed_spaces
from memory_app.nlp.extract import Finding
from memory_app.nlp.extract.claims import is_hostile
from memory_app.nlp.understand import understand
from memory_app.rules.decide import Candidate, Neighbour, is_believable

RELATIONS = {
    "same": Relation.DUPLICATE,
    "addition": Relation.MERGE,
    "update": Relation.SUPERSEDE,
    "contradiction": Relation.CONFLICT,
}
"""What accepting something would do, by what a model says that it is to a memory."""

NOT_BELIEVED = "relation not believed"


def apply_model_reading(
    model_input: ModelInput,
    reading: ConversationReading,
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    already_presented: bool,
) -> None:
    """Applies what a model read to the proposals of a run. Expects the conversation's spaces allowed, and other writers
    locked out. already_presented: the person was asked about them. Then none goes, and a new one has no number, because
    their "yes" is about what they were asked."""
    new_items = [item for item in reading.items if item.local is None]
    _reword_proposals(model_input, reading, record, encoder, already_presented=already_presented)
    _add_findings(model_input, new_items, record, now, encoder, already_presented=already_presented)


def _reword_proposals(
    model_input: ModelInput,
    reading: ConversationReading,
    record: ExtractionRun,
    encoder: Encoder,
    *,
    already_presented: bool,
) -> None:
    """Proposals that the model words better take its words. Those it dismisses, or says are known, are let go unless
    the person was asked about them."""
    reworded_items = [(item, model_input.proposals[item.local]) for item in reading.items if item.local is not None]
    dropped = [model_input.proposals[place] for place in reading.dismissed]
    for item, proposal in reworded_items:
        vector = encoder.documents([item.found.content])[0]
        relation_fields = _relation_fields(model_input, item, vector, record)
        if relation_fields.get("judgement") == "same" and not already_presented:
            record.duplicates += 1
            dropped.append(proposal)
            continue
        pending = Proposal.objects.filter(space_id=proposal.space_id, id=proposal.id, status=ProposalStatus.PENDING)
        made = {"extractor": record.extractor, "embedding": vector, "embedding_model": encoder.name}
        pending.update(**finding_fields(item.found), **relation_fields, **made, reworded=already_presented)
    ids = [] if already_presented else [proposal.id for proposal in dropped]
    rows = Proposal.objects.filter(space_id=record.space_id, id__in=ids, status=ProposalStatus.PENDING)
    rows.update(status=ProposalStatus.EXPIRED, decided_at=record.started_at, decided_by=f"model:{record.extractor}")


def _relation_fields(
    model_input: ModelInput, item: ExtractedItem, vector: Vectors, record: ExtractionRun
) -> dict[str, object]:
    """What accepting it would do, as the model says, in a proposal's fields; nothing where it says nothing that can be
    believed."""
    if item.relation is None:
        return {}
    memory, person = model_input.memories[item.relation.known], model_input.conversation.person
    names = names_of_person(person)
    candidate = Candidate(item.found.content, speaker=comparable_speaker(item.found.speaker, names))
    cosine = model_input.cosines(vector)[item.relation.known]
    known = Neighbour(
        memory.id,
        memory.content,
        cosine=cosine,
        speaker=comparable_speaker(memory.source_speaker, names),
    )
    if not is_believable(item.relation.kind, candidate, known):
        record.dropped = {**record.dropped, NOT_BELIEVED: record.dropped.get(NOT_BELIEVED, 0) + 1}
        return {}
    relation = RELATIONS[item.relation.kind]
    return {"relation": relation, "target_id": memory.id, "judgement": item.relation.kind}


def _add_findings(
    model_input: ModelInput,
    items: Sequence[ExtractedItem],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    already_presented: bool,
) -> None:
    """New findings, by the person's policy; what was ever proposed at this level is not proposed again."""
    if not items:
        return
    vectors = encoder.documents([item.found.content for item in items])
    history, turns = load_history(model_input.conversation, encoder.name), model_input.by_position
    venue_context = conversation_venue(model_input.conversation)
    to_propose: list[tuple[ExtractedItem, Vectors, dict[str, object]]] = []
    with allowed_spaces(venue_context.venue.spaces):
        for item, vector in zip(items, vectors, strict=True):
            known = history.repeats(item.found, vector, turns, by_model=True)
            relation_fields = _relation_fields(model_input, item, vector, record)
            if known or relation_fields.get("judgement") == "same":
                record.duplicates += 1
            elif not _handle_by_policy(model_input, venue_context, item, vector, record, now, encoder):
                to_propose.append((item, vector, relation_fields))
    _add_proposals(model_input, to_propose, record, now, encoder, already_presented=already_presented)


def _handle_by_policy(
    model_input: ModelInput,
    venue_context: VenueContext,
    item: ExtractedItem,
    vector: Vectors,
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
) -> bool:
    """Whether an item needs no asking: by the policy `auto` it was kept or noted, or is there already."""
    turns = model_input.by_position
    if venue_context.person.extraction_policy != ExtractionPolicy.AUTO or not _is_safe(item, turns):
        return False
    found = replace(item.found, key=_locally_read_key(item.found, venue_context, now))
    memory_input = input_from_finding(found, model_input.conversation.id, turns)
    relation = preview_relations(venue_context, [memory_input], vector[np.newaxis], now, encoder.name)[0].relation
    if relation == "conflict":  # which of the two holds is the person's to choose
        return False
    if relation == "duplicate":
        record.duplicates += 1
        return True
    outcome = save_or_note(
        venue_context=venue_context,
        found=found,
        conversation=model_input.conversation.id,
        turns=turns,
        author=Author("model", record.extractor, request=str(record.id), run=str(record.id)),
        now=now,
        encoder=encoder,
    )
    record.kept += outcome == "kept"
    record.noted += outcome == "noted"
    record.duplicates += outcome == "known"
    return True


def _is_safe(item: ExtractedItem, turns: Mapping[int, Turn]) -> bool:
    """Whether an item that passed all checks may be kept unasked: it touches no memory that it was shown, and no turn
    that it quotes holds anything like an instruction."""
    return item.relation is None and not any(is_hostile(turns[quote.index].content) for quote in item.found.quotes)


def _locally_read_key(found: Finding, venue_context: VenueContext, now: datetime) -> str:
    """The key only where our own rules read it too: a model must not name the slot whose value is replaced."""
    return found.key if understand(found.content, at=now, timezone=venue_context.person.zone).key == found.key else ""


def _add_proposals(
    model_input: ModelInput,
    items: Sequence[tuple[ExtractedItem, Vectors, dict[str, object]]],
    record: ExtractionRun,
    now: datetime,
    encoder: Encoder,
    *,
    already_presented: bool,
) -> None:
    """New proposals, numbered on from those there are. Once the question was put they have no number: the person's
    "yes" is about what they were asked."""
    here = Proposal.objects.filter(space_id=record.space_id, conversation_id=record.conversation_id)
    turns = model_input.by_position
    made = [
        proposal_from_finding(
            item.found,
            model_input.conversation,
            turns,
            number=0 if already_presented else number,
            extractor=record.extractor,
            run=record.id,
            embedding=vector,
            embedding_model=encoder.name,
            now=now,
            **relation_fields,
        )
        for number, (item, vector, relation_fields) in enumerate(items, here.count() + 1)
    ]
    Proposal.objects.bulk_create(made)
    record.proposed = len(made)
