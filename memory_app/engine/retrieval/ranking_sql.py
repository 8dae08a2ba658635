"""The statement that ranks visible rows by what speaks for each, as SQL.

It reads all of them once, and the candidates again in full. A scan of ten thousand rows is felt, so it works out as
little as it can for each.
"""

from dataclasses import dataclass
from functools import lru_cache

from memory_app.models.text_search import HAS_PASSAGES
from memory_app.models.vector_index import VectorIndex
from memory_app.rules import bm25, fusion

MAX_CANDIDATES = 200
"""Rows that leave the database for fusion: with the best 60, recall@10 was measured .003 lower."""

MAX_PARTS = 2 * MAX_CANDIDATES
"""Rows and passages of rows among which these are looked for."""

MAX_STATEMENTS = 1024
"""Texts of statements that are kept; each takes a few kilobytes."""


@dataclass(frozen=True, slots=True)
class StatementForm:
    """What of a question decides the text of its statement: how many words, and what else it gives to go by.
    entities: the SQL of those that are visible, "" where the question names none that could be known. near: indexes
    that answer for rows of large spaces. alone: whether rows are compared by meaning and by nothing else. text: whether
    they are by words and nothing else. sides: of a life that are asked of."""

    words: int
    meaning: bool
    names: bool
    times: bool
    roles: bool
    entities: str = ""
    near: tuple[VectorIndex, ...] = ()
    vector_only: bool = False
    text: bool = False
    sides: int = 0

    @property
    def bits(self) -> range:
        """One for each word, then one for each side."""
        return range(self.words + self.sides)


@lru_cache(MAX_STATEMENTS)
def ranking_statement(source: str, form: StatementForm) -> str:
    """The statement for a form of question. Its constants are those of `rules.fusion`.

    The scan of all visible rows works out as little as it can for each: speakers, times and roles only where the
    question has them; and what only candidates need is read again for those alone.
    """
    words = [f"plainto_tsquery(%(language)s::regconfig, %(w{n})s)" for n in range(form.words)]
    sides = [f"websearch_to_tsquery(%(language)s::regconfig, %(s{n})s)" for n in range(form.sides)]
    queries = ", ".join(f"{query} q{n}" for n, query in enumerate([*words, *sides]))
    return f"""
WITH asked AS MATERIALIZED (SELECT {queries or "1 AS none"}),
visible AS NOT MATERIALIZED ({source}),
{_MENTIONED.format(entities=form.entities) if form.entities else ""}
{_nearest_by_index(form)}
{_scored_rows(form)}
{_word_weights(form)}
{_best_parts(form)}
{_candidate_details(form)}
"""


def _scored_rows(form: StatementForm) -> str:
    """Each visible row, once, and each passage of the long ones."""
    return f"""seen AS MATERIALIZED (
    {_row_columns(form, _ROWS)}
    UNION ALL
    {_row_columns(form, _PASSAGES)}
),"""


def _row_columns(form: StatementForm, rows: str) -> str:
    """How close a row or passage is to the question, which words it has, and what else speaks for it."""
    return f"""SELECT kind, space_id, id, part, words, {_cosine(form, "plain")} AS plain,
        {_cosine(form, "averaged") if form.names else "NULL::float8"} AS averaged, speaker, said, linked, flat
        {_term_counts(form)}
    FROM (
        SELECT kind, space_id, id, part, words, embedding, embedding_model, visibility, said_at,
            {_IS_SPEAKER if form.names else "false"} AS speaker, {_matched_bits(form)} AS said,
            {_linked_bits(form)} AS linked, {_flat_bonus(form)} AS flat
            {_text_only(form, "tsv")}
        FROM ({rows}) given
        {"OFFSET 0" if form.near or form.text else ""}
    ) one"""


def _word_weights(form: StatementForm) -> str:
    """How much each word of the question counts: the rarer among what is visible, the more; and all that it asks, as
    in `rules.fusion`. Rows are counted, not passages."""
    bits = form.bits
    rarity = "ln(1 + (n - d{0} + 0.5::float8) / (d{0} + 0.5::float8))"
    weight = [rarity.format(n) + (f" * {fusion.RELATED_WORD_WEIGHT}" if n >= form.words else "") for n in bits]
    holding = "".join(f", coalesce(sum(k) FILTER (WHERE matched & {1 << n} <> 0), 0)::float8 d{n}" for n in bits)
    # A word that no row has is asked all the same, but not one that means nothing to the text search.
    missing = [f"{fusion.MISSING_WORD_WEIGHT} * (numnode(q{n}) > 0)::int" if n < form.words else "0" for n in bits]
    asked = [f"CASE WHEN d{n} > 0 THEN 1 ELSE {missing[n]} END * {weight[n]}" for n in bits]
    askable = " + ".join([*asked, f"{fusion.IMPLIED_WORD_WEIGHT} * {_RAREST_WEIGHT}"])
    held = " + ".join(f"CASE WHEN d{n} > 0 THEN {1 << n} ELSE 0 END" for n in range(form.words))
    weighed = "".join(f", {weight[n]} w{n}" for n in bits)
    return f"""masks AS MATERIALIZED (
    SELECT said | linked AS matched, (count(*) FILTER (WHERE part = 0))::float8 k, bool_or(speaker) spoke,
        bit_or(linked) known
        {_text_only(form, "sum(words) FILTER (WHERE part = 0) AS words")}
    FROM seen GROUP BY said | linked
),
holding AS MATERIALIZED (
    SELECT coalesce(sum(k), 0)::float8 n, coalesce(bool_or(spoke), false) named,
        coalesce(bit_or(known), 0) known{holding}
        {_text_only(form, _AVERAGE_LENGTH)} FROM masks
),
weights AS MATERIALIZED (
    SELECT named, greatest(({askable})::float8, 1e-9) AS askable{weighed}
        {_text_only(form, f"average, {held or 0} AS held")} FROM holding, asked
),"""


def _best_parts(form: StatementForm) -> str:
    """The candidates, each by its best passage where that speaks for it more than the whole."""
    cosine = "CASE WHEN named THEN averaged ELSE plain END" if form.names else "plain"
    return f"""parts AS MATERIALIZED (
    SELECT kind, space_id, id, part, words, cosine, said, linked, speaker, {_base_score(form)} AS base
        {_text_only(form, "often")}
    FROM (SELECT seen.*, said | linked AS matched, {cosine} AS cosine, weights.* FROM seen, weights) weighed
    ORDER BY base DESC, id DESC LIMIT {MAX_PARTS}
),
best AS MATERIALIZED (
    SELECT * FROM (
        SELECT DISTINCT ON (kind, space_id, id) * FROM parts ORDER BY kind, space_id, id, base DESC, part
    ) one_each
    ORDER BY base DESC, id DESC LIMIT {MAX_CANDIDATES}
)"""


def _candidate_details(form: StatementForm) -> str:
    """What fusion needs of each candidate, and of the visible set."""
    bits = form.bits
    return f"""SELECT best.kind, best.space_id, best.id, best.cosine, best.said | best.linked AS matched,
    best.linked & ~best.said AS linked, part, best.words, superseded, said_at, session, place, replaced_by, asks,
    {"said_as = %(role)s" if form.roles else "false"} AS from_wanted_role, best.speaker AS speaker_named,
    {_BARE_COSINE if form.meaning else "NULL"} AS bare_cosine,
    (SELECT n FROM holding) AS n,
    {"often" if form.text else "NULL"} AS often, {"(SELECT average FROM holding)" if form.text else 1} AS average,
    (SELECT known FROM holding) AS known,
    (SELECT ARRAY[{", ".join(f"d{n}" for n in bits)}]::float8[] FROM holding) AS holding,
    (SELECT ARRAY[{", ".join(f"numnode(q{n})" for n in bits)}]::int[] FROM asked) AS nodes,
    (SELECT named FROM holding) AS speakers_named
FROM best JOIN visible USING (kind, space_id, id)
ORDER BY base DESC, id DESC"""


_RAREST_WEIGHT = "ln(1 + (greatest(n, 1) - 0.5::float8) / 1.5)"

_ROWS = "SELECT *, 0::bigint AS part FROM visible"

_PASSAGES = f"""SELECT kind, space_id, id, passage.part, length(passage.tsv) AS words, passage.embedding, passage.tsv,
            embedding_model, visibility, said_at, said_by, said_as
        FROM visible CROSS JOIN LATERAL
            unnest(passages, passage_words) WITH ORDINALITY AS passage (embedding, tsv, part)
        WHERE {HAS_PASSAGES}"""

_BARE_COSINE = """CASE WHEN best.cosine IS NOT NULL THEN
        -(CASE WHEN part = 0 THEN embedding ELSE passages[part] END <#> %(bare)s::halfvec) END"""
"""How near the row, or the passage by which it was found, is to the question without its names."""


def _base_score(form: StatementForm) -> str:
    """The score by which candidates are chosen, of what the database can tell."""
    if form.vector_only:
        return "coalesce(cosine, -1)"
    if form.text:
        return _word_score(form)
    scaled = f"(coalesce(cosine, 0) - {fusion.COSINE_FLOOR}) / {fusion.COSINE_SPAN}"
    meaning = f"{fusion.MEANING} * least(greatest({scaled}, 0), 1)"
    brevity = f"(1 + ln(greatest(words / {fusion.LONG}.0::float8, 1)))"
    covered = " + ".join(f"CASE WHEN matched & {1 << n} <> 0 THEN w{n} ELSE 0 END" for n in form.bits) or "0"
    cover = f"(({covered})::float8 / askable)"
    return f"{meaning} + CASE WHEN matched = 0 THEN 0 ELSE {fusion.WORDS} * {cover} / {brevity} END + flat"


def _text_only(form: StatementForm, columns: str) -> str:
    """Columns that only a search by words alone works out."""
    return f", {columns}" if form.text else ""


def _word_score(form: StatementForm) -> str:
    """As `fusion.by_words`."""
    length = f"{bm25.K1}::float8 * ({1 - bm25.B} + {bm25.B}::float8 * words / greatest(average, 1))"
    often = "greatest(often[{}], 1)"
    each = [f"w{n} * {often.format(n + 1)} / ({often.format(n + 1)} + {length})" for n in form.bits]
    said = " + ".join(f"CASE WHEN matched & {1 << n} <> 0 THEN {one} ELSE 0 END" for n, one in enumerate(each)) or "0"
    has_all = f"CASE WHEN held <> 0 AND held & ~matched = 0 THEN {bm25.HAS_ALL} ELSE 0 END"
    return f"CASE WHEN matched = 0 THEN 0 ELSE {has_all} + {1 - bm25.HAS_ALL} * ({said})::float8 / askable END"


_AVERAGE_LENGTH = "coalesce(sum(words) / greatest(sum(k), 1), 1)::float8 AS average"
_IS_SPEAKER = "(said_by <> '' AND lower(split_part(said_by, ' ', 1)) = ANY(%(names)s::text[]))"
"""Whether the row was said by someone who is called as someone in the question is."""

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
    SELECT link.space_id, link.memory_id AS id, bit_or(bits) AS bits
    FROM meant JOIN entity_link link ON link.space_id = meant.space_id AND link.entity_id = meant.id
    GROUP BY link.space_id, link.memory_id
),"""
"""Which memories speak of what the question names, under whatever name: who a name is, that one at every level that is
seen, all that was merged into it, and the memories these are linked to. bits: of the words that name it."""


def _cosine(form: StatementForm, to: str) -> str:
    if not form.meaning:
        return "NULL::float8"
    compared = f"embedding_model = %(model)s{_worth_comparing(form)}"
    return f"CASE WHEN {compared} THEN -(embedding <#> (SELECT %({to})s::halfvec)) END"


def _nearest_by_index(form: StatementForm) -> str:
    """What the indexes of large spaces find, to the question as it is and without its names."""
    if not form.near:
        return ""
    vectors = ("plain", "averaged") if form.names else ("plain",)
    found = [f"({one.nearest(f'%({to})s::halfvec', MAX_CANDIDATES)})" for one in form.near for to in vectors]
    return f"near AS MATERIALIZED ({' UNION ALL '.join(found)}),"


def _worth_comparing(form: StatementForm) -> str:
    """Of a large space only what has a word, a speaker or a time of the question, or is near by its index: nothing else
    can be among the candidates, so its vector is left alone."""
    if not form.near:
        return ""
    large = " OR ".join(f"kind = '{one.table}' AND {one.level_sql}" for one in form.near)
    told = "coalesce(said_at <@ %(periods)s::tstzmultirange, false)" if form.times else "false"
    return f" AND (({large}) IS NOT TRUE OR said | linked <> 0 OR speaker OR {told} OR id IN (SELECT id FROM near))"


def _linked_bits(form: StatementForm) -> str:
    """A bit for each word that names what a row is linked to. Asked of hashed lists, row by row: of a join the planner,
    which cannot know how many there are, made a nested loop that took 120 ms of 150 where it should take 2."""
    if not form.entities:
        return "0"
    among = "(space_id, id) IN (SELECT space_id, id FROM spoken_of"
    each = " + ".join(
        f"CASE WHEN {among} WHERE bits & {1 << n} <> 0) THEN {1 << n} ELSE 0 END" for n in range(form.words)
    )
    return f"CASE WHEN {among}) THEN {each or '0'} ELSE 0 END"


def _matched_bits(form: StatementForm) -> str:
    """A bit for each word that a row has. Most rows have none: that is asked first, of all words at once."""
    if not form.bits:
        return "0"
    either = " || ".join(f"q{n}" for n in form.bits)
    each = " + ".join(f"(tsv @@ (SELECT q{n} FROM asked))::int * {1 << n}" for n in form.bits)
    return f"CASE WHEN tsv @@ (SELECT {either} FROM asked) THEN {each} ELSE 0 END"


def _term_counts(form: StatementForm) -> str:
    """How many times a row has each word, as a column; of a search by words alone, for to read positions takes long.

    `ts_rank` of one word is the sum of 1 / n² for each time it stands there, over what that comes to at last, π²/6; and
    near to t (1 + c) / (t + c) for t times, with 1 + c = π²/6. Turned around, it is 2.04, 3.09, 5.2 for 2, 3, 5."""
    each = [_TERM_COUNT.format(f"ts_rank('{{1,1,1,1}}', tsv, (SELECT q{n} FROM asked))") for n in form.bits]
    of_those_it_has = ", ".join(f"CASE WHEN said & {1 << n} <> 0 THEN {one} END" for n, one in enumerate(each))
    return _text_only(form, f"CASE WHEN said <> 0 THEN ARRAY[{of_those_it_has}]::float8[] END AS often")


_TERM_COUNT = "round(0.6449::float8 * least({0}, 0.99::float4) / (1 - least({0}, 0.99::float4)))"


def _flat_bonus(form: StatementForm) -> str:
    """What speaks for a row besides meaning and words."""
    said = {
        f"{fusion.SPEAKER} * {_IS_SPEAKER}::int": form.names,
        f"{fusion.TIME} * coalesce(said_at <@ %(periods)s::tstzmultirange, false)::int": form.times,
        f"{fusion.ROLE} * (said_as = %(role)s)::int": form.roles,
    }
    return f"({' + '.join(part for part, asked in said.items() if asked) or '0'})::float8"
