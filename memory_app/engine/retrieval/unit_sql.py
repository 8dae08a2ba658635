"""Units as the database writes them (`rules/units.py` reads them): of rows and their passages, one record each."""

from memory_app.models.text_search import HAS_PASSAGES
from memory_app.rules.units import ASKS, FROM_ASSISTANT, WORD

NEVER = 2**63 - 1
"""Microseconds since 1970 at which what does not expire does."""


def word_hash(word: str) -> str:
    """SQL: the hash of a word, in four bytes."""
    return f"substring(int8send(hashtextextended({word}, 0)) FROM 5)"


def name_hash(name: str) -> str:
    """SQL: the hash of a first name in lower case, as a number."""
    return f"hashtext({name})"


def _microseconds(time: str) -> str:
    return f"int8send((extract(epoch FROM {time}) * 1000000)::bigint)"


_FIRST_NAME = name_hash("lower(split_part(said_by, ' ', 1))")

_RECORD = " || ".join(
    [
        "uuid_send(id)",
        _microseconds("said_at"),
        f"CASE WHEN expires_at IS NULL THEN int8send({NEVER}) ELSE {_microseconds('expires_at')} END",
        "int8send(hashtextextended(coalesce(session, id::text), 0))",
        f"int4send(CASE WHEN said_by = '' THEN 0 ELSE {_FIRST_NAME} END)",
        "int4send(position)",
        "int4send(coalesce(length(tsv), 0))",
        f"int4send(octet_length(words) / {WORD.itemsize})",
        "int2send(part::int2)",
        f"int2send((asks::int * {ASKS} + (said_as = 'assistant')::int * {FROM_ASSISTANT})::int2)",
        "CASE WHEN embedding IS NULL THEN ''::bytea ELSE substring(bit_send(binary_quantize(embedding)) FROM 5) END",
    ]
)

_HASHES = f"""SELECT coalesce(string_agg({word_hash("lexeme")}, ''::bytea), ''::bytea) AS words
    FROM unnest(tsv) term (lexeme, positions, weights), unnest(positions)"""
"""Of each word as often as it is said."""

_SAME = "kind, space_id, id, embedding_model, said_by, said_as, said_at, session, position, asks, expires_at"


def units_of(source: str, more: str = "") -> str:
    """SQL: kind, model ("" where there is no vector), 1, record and words of each unit of the rows of a source
    (`visible_rows.COLUMNS`). more: of these columns some that are wanted too."""
    return f"""SELECT kind, CASE WHEN embedding IS NULL THEN '' ELSE coalesce(embedding_model, '') END AS model,
    1 AS size, {_RECORD} AS units, words{more}
FROM (
    SELECT {_SAME}, embedding, tsv, 0 AS part{more} FROM ({source}) whole
    UNION ALL
    SELECT {_SAME}, passage.embedding, passage.tsv, passage.part{more}
    FROM ({source}) long_one CROSS JOIN LATERAL
        unnest(passages, passage_words) WITH ORDINALITY AS passage (embedding, tsv, part)
    WHERE {HAS_PASSAGES}
) one CROSS JOIN LATERAL ({_HASHES}) hashed"""
