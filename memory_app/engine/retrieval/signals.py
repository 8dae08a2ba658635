"""Gather the signals of the best visible rows for a question, in two statements.

All statistics (how many rows, how many hold a word, who speaks in them) are of the visible set: no other row can change
a result. What is visible is read as packed units (`models/segment.py`) and ranked here, and the best of it is compared
exactly by the database. Nothing is remembered from one search to the next.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory_app.embedding.vectors import Vectors
from memory_app.engine.retrieval.query import RecallQuery
from memory_app.engine.retrieval.search_sql import (
    CHANGED,
    COMPARED,
    LINKED,
    NAME,
    PASSING,
    SEGMENT,
    TERM,
    UNIT,
    comparing_statement,
    reading_statement,
)
from memory_app.engine.retrieval.visible_rows import visible_entities_sql, visible_rows_sql, visible_segments_sql
from memory_app.engine.venue_context import VenueContext
from memory_app.nlp.queries.question import Question, names_in_question
from memory_app.postgres.fast.binary_protocol import BinaryHalfVector, fetch_tuples
from memory_app.rules.candidate_signals import SignalColumns, Statistics, microseconds
from memory_app.rules.rank_units import (
    MAX_CANDIDATES,
    Evidence,
    Term,
    base_scores,
    best_of_each_row,
    flat_bonus,
    from_assistant,
    how_often,
    rank_closely,
    said_terms,
    term_counts,
)
from memory_app.rules.units import ASKS, ID, WORD, PackedUnits, Units, id_texts, places_of, read_units, rows_among
from memory_app.rules.visibility import Venue

NO_STATISTICS = Statistics(0, (), (), ())
NO_SIGNALS = SignalColumns.of([])
NO_UNITS = read_units([], "")
LINK = np.dtype([*((name, ID[name]) for name in ("high", "low")), ("bits", ">i8")])


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidates, best first by what the database could tell, and the statistics of the visible set. places: of
    each, its space and id in hexadecimal digits: there are ten for each one that is shown."""

    kinds: Sequence[str] = ()
    signals: SignalColumns = NO_SIGNALS
    statistics: Statistics = NO_STATISTICS
    speakers_named: bool = False
    places: Sequence[tuple[str, str]] = ()
    units: Units = NO_UNITS


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What is searched for whom. vectors: waits for those of the question, and of it without names; None where nothing
    is compared by meaning. model: that the vectors are of."""

    venue_context: VenueContext
    recall_query: RecallQuery
    question: Question
    vectors: Callable[[], Vectors] | None
    model: str
    now: datetime

    @property
    def terms(self) -> Sequence[Sequence[str]]:
        """Each word of the question, then the words of each side of a life that it asks of."""
        return [*((word,) for word in self.question.words), *self.recall_query.sides]

    def statistics(self, **values: Any) -> Statistics:
        is_name = [word in self.question.names for word in self.question.words]
        sides = len(self.recall_query.sides)
        return Statistics(is_name=[*is_name, *[False] * sides], sides=sides, **values)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the first statement gave: units, each term as hashes, and ids of rows. passing: None where all may pass."""

    units: Units
    terms: Sequence[Term]
    names: NDArray[Any]
    changed: NDArray[Any]
    links: NDArray[Any]
    passing: NDArray[Any] | None


def gather_candidates(request: SearchRequest) -> Candidates:
    """The candidates for an answer. Expects the venue's spaces allowed."""
    size = len(request.terms)
    if not request.recall_query.searchable_kinds:
        return Candidates(statistics=request.statistics(rows=0, holding=[0.0] * size, counts=[False] * size))
    reading = _read(request)
    units, evidence = _evidence(request, reading)
    vectors = request.vectors() if request.vectors else None
    if vectors is not None and request.question.names and evidence.speakers_named:
        vectors = np.stack([_average_vector(vectors), vectors[1]])
    near = rank_closely(units, evidence, request.recall_query.method, None if vectors is None else vectors[0])
    compared = _compare(request, units, near, vectors)
    at = places_of(units.records[near], compared)
    places, compared = near[at >= 0], compared[at[at >= 0]]
    scores = base_scores(units, evidence, request.recall_query.method, places, compared["cosine"])
    best = best_of_each_row(units, scores, places, MAX_CANDIDATES)
    return _candidates(request, units, evidence, places[best], compared[best])


def searched_spaces(venue: Venue) -> list[UUID]:
    """Where rows that may be seen are looked for by their ids."""
    return sorted(venue.spaces)


def _read(request: SearchRequest) -> Reading:
    venue, recall_query = request.venue_context.venue, request.recall_query
    kinds = recall_query.searchable_kinds
    names = names_in_question(request.question) if "memory" in kinds else {}
    unpacked, parameters = visible_rows_sql(venue, recall_query, request.now, "unpacked")
    is_filtered = bool(recall_query.filters or recall_query.as_of)
    passing = visible_rows_sql(venue, recall_query, request.now)[0] if is_filtered else ""
    entities = visible_entities_sql(venue) if names else ""
    flat = [(word, place) for place, words in enumerate(request.terms) for word in words]
    rows = fetch_tuples(
        reading_statement(kinds, visible_segments_sql(venue), unpacked, passing, entities),
        {
            **parameters,
            "kinds": list(kinds),
            "spaces": searched_spaces(venue),
            "terms": [word for word, _ in flat],
            "language": request.venue_context.person.language,
            "names": [name.casefold() for name in request.question.names],
            "called": list(names),
            "called_bits": list(names.values()),
        },
    )
    found: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row[1:])
    packed = [PackedUnits._make((*row, what == UNIT)) for what in (SEGMENT, UNIT) for row in found.get(what, ())]
    terms: list[list[Sequence[int]]] = [[] for _ in request.terms]
    for _, _, number, hashes, _ in found.get(TERM, ()):
        terms[flat[number - 1][1]].append(np.frombuffer(hashes, WORD).tolist())
    ids = {what: found[what][0][3] or b"" for what in (NAME, CHANGED, LINKED, PASSING) if what in found}
    return Reading(
        read_units(packed, request.model),
        terms,
        np.frombuffer(ids[NAME], WORD),
        np.frombuffer(ids[CHANGED], ID),
        np.frombuffer(ids.get(LINKED, b""), LINK),
        np.frombuffer(ids[PASSING], ID) if is_filtered else None,
    )


def _evidence(request: SearchRequest, reading: Reading) -> tuple[Units, Evidence]:
    """The units that are visible now, and what speaks for each."""
    every, recall_query = reading.units, request.recall_query
    counts = term_counts(every, reading.terms)
    kept = _is_current(request, reading)
    units = every if kept.all() else every.where(kept)
    said = said_terms(len(every), reading.terms, counts)[kept]
    often = how_often(len(every), reading.terms, counts) if recall_query.method == "text" else []
    linked = _linked(units, reading.links)
    matched = said | linked
    rows = units.records["part"] == 0
    holding = [float(np.count_nonzero(matched[rows] >> bit & 1)) for bit in range(len(reading.terms))]
    size = np.count_nonzero(rows)
    statistics = request.statistics(
        rows=float(size),
        holding=holding,
        counts=[bool(term) for term in reading.terms],
        known=int(np.bitwise_or.reduce(linked)) if len(linked) else 0,
        average=float(units.records["words"][rows].sum() / size) if size else 1.0,
    )
    speaker = np.isin(units.records["speaker"], reading.names[reading.names != 0])
    wants_assistant = request.question.wants_assistant if "turn" in recall_query.kinds else None
    flat = flat_bonus(units, speaker, request.question.periods, wants_assistant)
    return units, Evidence(matched, linked & ~said, [one[kept] for one in often], speaker, flat, statistics)


def _is_current(request: SearchRequest, reading: Reading) -> NDArray[Any]:
    """Which of the units stand for a row as it is, and pass what the question is narrowed to."""
    units, recall_query = reading.units, request.recall_query
    kept: NDArray[Any] = units.fresh | (rows_among(units.records, reading.changed) < 0)
    if reading.passing is not None:
        kept &= rows_among(units.records, reading.passing) >= 0
    if recall_query.as_of is None:
        kept &= units.records["expires_at"] > microseconds(request.now)
    if recall_query.since:
        kept &= units.records["said_at"] >= microseconds(recall_query.since)
    if recall_query.until:
        kept &= units.records["said_at"] < microseconds(recall_query.until)
    return kept


def _linked(units: Units, links: NDArray[Any]) -> NDArray[Any]:
    """A bit for each term that names what a unit's row is linked to."""
    at = rows_among(units.records, links)
    bits = np.zeros(len(units), np.int64)
    bits[at >= 0] = links["bits"][at[at >= 0]]
    return bits


def _compare(request: SearchRequest, units: Units, places: NDArray[Any], vectors: Vectors | None) -> NDArray[Any]:
    """Of the units at these places those that may still be seen, as `COMPARED`."""
    venue, recall_query = request.venue_context.venue, request.recall_query
    if not len(places):
        return np.empty(0, COMPARED)
    visible, parameters = visible_rows_sql(venue, recall_query, request.now, "wanted")
    records = units.records[places]
    values = {
        **parameters,
        "spaces": searched_spaces(venue),
        # As text: psycopg takes a millisecond to write hundreds of ids.
        "ids": "{" + ",".join(dict.fromkeys(id_texts(records))) + "}",
        "model": request.model,
    }
    if vectors is not None:
        values |= {"question": BinaryHalfVector(vectors[0]), "bare": BinaryHalfVector(vectors[1])}
    [(found,)] = fetch_tuples(comparing_statement(visible, meaning=vectors is not None), values)
    return np.frombuffer(found or b"", COMPARED)


def _average_vector(vectors: Vectors) -> Vectors:
    """The question, and it without names, in one: who is asked about leads, but does not crowd out what is asked."""
    total = vectors[0] + vectors[1]
    length: float = float((total @ total) ** 0.5)
    averaged: Vectors = total / length if length else vectors[0]
    return averaged


def _candidates(
    request: SearchRequest, units: Units, evidence: Evidence, places: NDArray[Any], compared: NDArray[Any]
) -> Candidates:
    """The candidates in the form that fusion reads, in the order of their places."""
    records, kinds = units.records[places], units.kinds[places]
    wanted_role = np.zeros(len(places), np.bool_)
    if "turn" in request.recall_query.kinds:
        wanted_role = from_assistant(units)[places] == request.question.wants_assistant
    columns = SignalColumns(
        ids=id_texts(records),
        cosine=compared["cosine"],
        bare_cosine=compared["bare"],
        matched=evidence.matched[places],
        words=records["words"],
        session=records["session"] + kinds,  # rows of two kinds share no session
        position=records["position"],
        speaker_named=evidence.speaker[places],
        from_wanted_role=wanted_role,
        said_at=records["said_at"],
        asks=(records["flags"] & ASKS) != 0,
        linked=evidence.linked[places],
        replaced_by=id_texts(compared["replaced_by"]),
        superseded=compared["superseded"] != 0,
        part=records["part"],
        often=[one[places] for one in evidence.often],
    )
    return Candidates(
        [units.kind_names[kind] for kind in kinds.tolist()],
        columns,
        evidence.statistics,
        evidence.speakers_named,
        list(zip(id_texts(compared["space"]), columns.ids, strict=True)),
        units,
    )
