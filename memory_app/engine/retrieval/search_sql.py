"""The two statements of a search: the first reads the units of all that may be seen, and what a question means to the
database; the second compares the best of them exactly."""

from functools import lru_cache
from uuid import UUID

import numpy as np

from memory_app.engine.retrieval.unit_sql import name_hash, units_of, word_hash
from memory_app.models.segment import UNPACKED

MAX_STATEMENTS = 1024
"""Texts of statements that are kept; each takes a few kilobytes."""

SEGMENT, UNIT, CHANGED, TERM, NAME, LINKED, PASSING = range(7)
"""What a row of the first statement is (`what`)."""


@lru_cache(MAX_STATEMENTS)
def reading_statement(kinds: tuple[str, ...], segments: str, unpacked: str, passing: str, entities: str) -> str:
    """Rows of (what, kind, model, size, units, words), all of one moment.

    Of what is packed, the segments (`visible_segments_sql`) and the ids of rows that are not packed as they stand,
    whoever sees them; of these the ones that are visible (`visible_rows_sql`), as units; of the question, the hashes of
    its terms and names. entities: those that are visible ("": the question names none that could be known): the ids of
    the memories that are linked to what it names, with the bits of the terms that name it. passing: rows that a filter
    lets through; "" where there is no filter.
    """
    changed = " UNION ALL ".join(
        f"SELECT id FROM {kind} WHERE space_id = ANY(%(spaces)s::uuid[]) AND {UNPACKED}" for kind in kinds
    )
    parts = [
        f"SELECT {SEGMENT} AS what, kind, embedding_model AS model, size, units, words FROM ({segments}) packed"
        " WHERE kind = ANY(%(kinds)s::text[])",
        f"SELECT {UNIT}, kind, model, size, units, words FROM ({units_of(unpacked)}) unit",
        f"SELECT {CHANGED}, '', '', 0, string_agg(uuid_send(id), ''::bytea), NULL FROM ({changed}) changed",
        f"""SELECT {TERM}, '', '', n::int, string_agg({word_hash("lexeme")}, ''::bytea), NULL
    FROM unnest(%(terms)s::text[]) WITH ORDINALITY asked (term, n),
        unnest(to_tsvector(%(language)s::regconfig, term)) GROUP BY n""",
        f"SELECT {NAME}, '', '', 0, string_agg(int4send({name_hash('name')}), ''::bytea), NULL"
        " FROM unnest(%(names)s::text[]) name",
    ]
    if entities:
        parts.append(
            f"SELECT {LINKED}, '', '', 0, string_agg(uuid_send(id) || int8send(bits::bigint), ''::bytea), NULL"
            " FROM spoken_of"
        )
    if passing:
        parts.append(
            f"SELECT {PASSING}, '', '', 0, string_agg(uuid_send(id), ''::bytea), NULL FROM ({passing}) passing"
        )
    return (f"WITH {_MENTIONED.format(entities=entities)} " if entities else "") + "\nUNION ALL\n".join(parts)


@lru_cache(MAX_STATEMENTS)
def comparing_statement(visible: str, meaning: bool) -> str:
    """The rows asked for and their passages, as records of `COMPARED` in one value; those that may not be seen any more
    are missing, and a cosine is NaN where nothing is compared.

    visible: `visible_rows_sql` of wanted ids. meaning: whether vectors are compared.
    """
    cosines = (
        ["-(vector <#> %(question)s::halfvec)", "-(vector <#> %(bare)s::halfvec)"] if meaning else ["NULL::float8"] * 2
    )
    columns = [
        "uuid_send(id)",
        "int4send(part::int)",
        *(f"float8send(coalesce(CASE WHEN embedding_model = %(model)s THEN {one} END, 'NaN'))" for one in cosines),
        "int2send(superseded::int::int2)",
        "uuid_send(space_id)",
        f"uuid_send(coalesce(replaced_by, '{NOBODY}'))",
    ]
    return f"""SELECT string_agg({" || ".join(columns)}, ''::bytea)
FROM ({visible}) visible CROSS JOIN LATERAL (
    SELECT 0 AS part, embedding AS vector
    UNION ALL SELECT part, vector FROM unnest(passages) WITH ORDINALITY passage (vector, part)
) one"""


COMPARED = np.dtype(
    [
        *(("high", ">u8"), ("low", ">u8"), ("part", ">i4")),
        *(("cosine", ">f8"), ("bare", ">f8"), ("superseded", ">i2")),
        *(("space", "V16"), ("replaced_by", "V16")),
    ]
)
NOBODY = UUID(int=0)
"""In the place of what replaced a row that nothing replaced."""

_MENTIONED = """entities AS NOT MATERIALIZED ({entities}),
called AS MATERIALIZED (
    SELECT one.space_id, coalesce(one.merged_into, one.id) AS id, bits
    FROM unnest(%(called)s::text[], %(called_bits)s::int[]) AS name (normal, bits) JOIN entities one USING (normal)
),
roots AS MATERIALIZED (
    SELECT DISTINCT one.type, one.normal, one.apart, bits FROM called JOIN entities one USING (space_id, id)
),
levels AS MATERIALIZED (
    SELECT one.space_id, one.id, bits FROM roots JOIN entities one USING (type, normal, apart)
    WHERE one.merged_into IS NULL
),
meant AS MATERIALIZED (
    SELECT * FROM levels
    UNION ALL
    SELECT one.space_id, one.id, bits
    FROM levels JOIN entities one ON one.space_id = levels.space_id AND one.merged_into = levels.id
),
spoken_of AS MATERIALIZED (
    SELECT link.memory_id AS id, bit_or(bits) AS bits
    FROM meant JOIN entity_link link ON link.space_id = meant.space_id AND link.entity_id = meant.id
    GROUP BY link.memory_id
)"""
"""Which memories speak of what the question names, under whatever name: who a name is, that one at every level that is
seen, all that was merged into it, and the memories these are linked to. bits: of the words that name it."""
