"""The statement that ranks visible rows by what speaks for each, as SQL.

It scans them twice, in effect: once to count which words how many of them hold, once to score each; then it reads the
candidates in full. A scan of ten thousand rows is felt, so it works out as little as it can for each.
"""

from dataclasses import dataclass
from functools import lru_cache

from ..rules import fusion

CANDIDATES = 200
"""Rows that leave the database for fusion: with the best 60, recall@10 was measured .003 lower."""

STATEMENTS = 1024
"""Texts of statements that are kept; each takes a few kilobytes."""


@dataclass(frozen=True, slots=True)
class Form:
    """What of a question decides the text of its statement: how many words, and what else it gives to go by."""

    words: int
    meaning: bool
    names: bool
    times: bool
    roles: bool


@lru_cache(STATEMENTS)
def ranking(source: str, form: Form) -> str:
    """The statement for a form of question. Its constants are those of `rules.fusion`.

    The scan of all visible rows works out as little as it can for each: speakers, times and roles only where the
    question has them; and what only candidates need is read again for those alone.
    """
    bits = range(form.words)
    queries = ", ".join(f"plainto_tsquery(%(language)s::regconfig, %(w{n})s) q{n}" for n in bits) or "1 AS none"
    weight = [f"ln(1 + (n - d{n} + 0.5::float8) / (d{n} + 0.5::float8))" for n in bits]
    holding = ", ".join(f"coalesce(sum(k) FILTER (WHERE matched & {1 << n} <> 0), 0)::float8 d{n}" for n in bits)
    covered = " + ".join(f"CASE WHEN matched & {1 << n} <> 0 THEN {weight[n]} ELSE 0 END" for n in bits) or "0"
    askable = " + ".join(f"CASE WHEN d{n} > 0 THEN {weight[n]} ELSE 0 END" for n in bits) or "0"
    return f"""
WITH asked AS MATERIALIZED (SELECT {queries}),
visible AS NOT MATERIALIZED ({source}),
{_NAMED if form.names else ""}
seen AS MATERIALIZED (
    SELECT kind, space_id, id, words, {_cosine(form)} AS cosine, {_matched(form)} AS matched, {_flat(form)} AS flat
    FROM visible
),
masks AS MATERIALIZED (SELECT matched, count(*)::float8 k FROM seen GROUP BY matched),
holding AS MATERIALIZED (SELECT coalesce(sum(k), 0)::float8 n {", " + holding if form.words else ""} FROM masks),
covers AS MATERIALIZED (
    SELECT matched, ({covered})::float8 / greatest(({askable})::float8, 1e-9) AS cover FROM masks, holding
),
best AS MATERIALIZED (
    SELECT kind, space_id, id, cosine, matched,
        {fusion.MEANING} * least(greatest((coalesce(cosine, 0) - {fusion.COSINE_FLOOR}) / {fusion.COSINE_SPAN}, 0), 1)
        + CASE WHEN matched = 0 THEN 0
          ELSE {fusion.WORDS} * cover / (1 + ln(greatest(words / {fusion.LONG}.0::float8, 1))) END
        + flat AS base
    FROM seen JOIN covers USING (matched)
    ORDER BY base DESC, id DESC LIMIT {CANDIDATES}
)
SELECT best.kind, best.space_id, best.id, best.cosine, best.matched, visible.words, superseded, said_at, session, place,
    replaced_by, asks, said_as = %(role)s AS from_wanted_role,
    {_SPEAKER if form.names else "false"} AS speaker_named,
    {"CASE WHEN best.cosine IS NOT NULL THEN -(embedding <#> %(bare)s::halfvec) END" if form.meaning else "NULL"}
    AS bare_cosine,
    (SELECT n FROM holding) AS n,
    (SELECT ARRAY[{", ".join(f"d{n}" for n in bits)}]::float8[] FROM holding) AS holding,
    (SELECT ARRAY[{", ".join(f"numnode(q{n})" for n in bits)}]::int[] FROM asked) AS nodes,
    {"(SELECT names IS NOT NULL FROM named)" if form.names else "false"} AS speakers_named
FROM best JOIN visible USING (kind, space_id, id)
ORDER BY base DESC, id DESC
"""


_NAMED = """named AS MATERIALIZED (
    SELECT array_agg(DISTINCT said_by) names FROM visible
    WHERE said_by <> '' AND lower(split_part(said_by, ' ', 1)) = ANY(%(names)s::text[])
),"""
"""Who speaks in what is visible and is called as someone in the question is."""

_SPEAKER = "coalesce(said_by = ANY((SELECT names FROM named)::text[]), false)"


def _cosine(form: Form) -> str:
    if not form.meaning:
        return "NULL::float8"
    near = "(SELECT CASE WHEN names IS NULL THEN %(plain)s::halfvec ELSE %(averaged)s::halfvec END FROM named)"
    to = near if form.names else "(SELECT %(plain)s::halfvec)"
    return f"CASE WHEN embedding_model = %(model)s THEN -(embedding <#> {to}) END"


def _matched(form: Form) -> str:
    """A bit for each word that a row has. Most rows have none: that is asked first, of all words at once."""
    if not form.words:
        return "0"
    either = " || ".join(f"q{n}" for n in range(form.words))
    each = " + ".join(f"(tsv @@ (SELECT q{n} FROM asked))::int * {1 << n}" for n in range(form.words))
    return f"CASE WHEN tsv @@ (SELECT {either} FROM asked) THEN {each} ELSE 0 END"


def _flat(form: Form) -> str:
    """What speaks for a row besides meaning and words."""
    said = {
        f"{fusion.SPEAKER} * {_SPEAKER}::int": form.names,
        f"{fusion.TIME} * coalesce(said_at <@ %(periods)s::tstzmultirange, false)::int": form.times,
        f"{fusion.ROLE} * (said_as = %(role)s)::int": form.roles,
    }
    return f"({' + '.join(part for part, asked in said.items() if asked) or '0'})::float8"
