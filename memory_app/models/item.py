"""Items: what assistants store of a person under a namespace and a key, and read, filter and search there."""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from django.db.models.expressions import RawSQL
from django.utils import timezone
from pgvector.django import HalfVectorField

from memory_app.models.ids import new_id
from memory_app.models.person import Person
from memory_app.models.space import Space
from memory_app.rules.fusion import MEANING, WORDS
from memory_app.rules.item_filter import Comparison
from memory_app.rules.item_namespace import ANY_LABEL, NamespaceMatch

MAX_KEY = 500
MAX_LABEL = 200

EQUAL, NOT_EQUAL = "eq", "ne"
SQL_OPERATORS = {EQUAL: "=", NOT_EQUAL: "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

VALUE_SQL = "coalesce(item.value #> %s::text[], 'null'::jsonb)"
SIMILARITY_SQL = (
    "CASE WHEN item.embedding_model = %s THEN"
    " (SELECT max(-(part <#> %s::halfvec)) FROM unnest(item.vectors) AS parts (part)) END"
)


def item_place(namespace: Sequence[str], key: str) -> bytes:
    """What tells one item of a person from another: a digest of its namespace and key, of one length whatever they
    are."""
    return hashlib.sha256(json.dumps([list(namespace), key]).encode()).digest()


class ItemQuerySet(models.QuerySet["Item"]):
    def of_person(self, person: Person) -> Self:
        """A person's items. They are private to them, in their own space."""
        return self.filter(space_id=person.space_id, person_id=person.id)

    def unexpired(self, now: datetime) -> Self:
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now))

    def expired(self, now: datetime) -> Self:
        return self.filter(expires_at__lte=now)

    def without_index(self) -> Self:
        """Without what a row is found by, which nobody reads."""
        return self.defer("vectors", "tsv")

    def within(self, prefix: Sequence[str]) -> Self:
        """Items whose namespace begins with these labels."""
        return self.matching_namespace(NamespaceMatch("prefix", tuple(prefix))) if prefix else self

    def matching_namespace(self, match: NamespaceMatch) -> Self:
        """Items whose namespace begins, or ends, with these labels. `*` is any one label."""
        rows = self.filter(_condition("cardinality(item.namespace) >= %s", [len(match.labels)]))
        for place, label in enumerate(match.labels):
            if label == ANY_LABEL and match.wildcards:
                continue
            at = "%s" if match.end == "prefix" else "cardinality(item.namespace) - %s"
            number = place + 1 if match.end == "prefix" else len(match.labels) - place - 1
            rows = rows.filter(_condition(f"item.namespace[{at}] = %s", [number, label]))
        return rows

    def passing(self, comparisons: Sequence[Comparison]) -> Self:
        """Items whose value passes all comparisons. What is missing is null; only values of one type are ordered."""
        rows = self
        for one in comparisons:
            operand, sql = json.dumps(one.operand), SQL_OPERATORS[one.operator]
            path = list(one.path)
            rows = rows.filter(_condition(f"{VALUE_SQL} {sql} %s::jsonb", [path, operand]))
            if one.operator not in (EQUAL, NOT_EQUAL):
                same_type = f"jsonb_typeof({VALUE_SQL}) = jsonb_typeof(%s::jsonb)"
                rows = rows.filter(_condition(same_type, [path, operand]))
        return rows

    def containing(self, text: str) -> Self:
        """Items that hold a text as it stands, in the value, the namespace or the key, whatever its case."""
        columns = "concat_ws(' ', item.key, item.namespace::text, item.value::text)"
        return self.filter(_condition(f"strpos(lower({columns}), lower(%s)) > 0", [text]))

    def by_relevance(self, *, vector: str, model: str, words: Sequence[str], language: str) -> Self:
        """Those that can be searched, the most relevant first, weak matches too. `score`: by meaning (the nearest of
        the item's texts) and by words, in the shares that recall gives them; from -1 to 1."""
        similarity = RawSQL(SIMILARITY_SQL, [model, vector], output_field=models.FloatField())
        covered = _word_coverage(words, language)
        score = (
            _zero_if_null(similarity) * models.Value(MEANING) + _zero_if_null(covered) * models.Value(WORDS)
        ) / models.Value(MEANING + WORDS)
        return self.filter(tsv__isnull=False).annotate(score=score).order_by("-score", "-updated_at", "id")

    def namespaces(self, max_depth: int) -> "models.QuerySet[Item, list[str]]":
        """The distinct namespaces, cut to so many labels, in order."""
        head = RawSQL("item.namespace[1:%s]", [max_depth], output_field=ArrayField(models.TextField()))
        return self.annotate(head=head).values_list("head", flat=True).distinct().order_by("head")

    def awaiting_vectors(self, model: str) -> Self:
        """Those that are searched and have no vectors of this model: brought in, or of another model."""
        return self.filter(tsv__isnull=False).exclude(embedding_model=model)


def _condition(sql: str, params: Sequence[Any]) -> RawSQL:
    return RawSQL(f"({sql})", params, output_field=models.BooleanField())


def _zero_if_null(expression: Any) -> Any:
    return models.functions.Coalesce(expression, models.Value(0.0), output_field=models.FloatField())


def _word_coverage(words: Sequence[str], language: str) -> Any:
    """The share of the words that an item has, of those that mean something to the text search."""
    if not words:
        return models.Value(None, output_field=models.FloatField())
    query = "plainto_tsquery(%s::regconfig, %s)"
    matches = " + ".join(f"(item.tsv @@ {query})::int" for _ in words)
    known_words = " + ".join(f"(numnode({query}) > 0)::int" for _ in words)
    params = [value for word in words for value in (language, word)]
    return RawSQL(
        f"({matches})::float8 / nullif({known_words}, 0)", [*params, *params], output_field=models.FloatField()
    )


class VectorArray(ArrayField):  # type: ignore[type-arg]
    """Vectors as an array of the database, which tells it as text. To migrations it is an array like any other."""

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.contrib.postgres.fields.ArrayField", args, kwargs

    def _from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if not isinstance(value, str):
            return value
        return [[float(number) for number in one.split(",")] for one in re.findall(r"\[([^\]]*)\]", value)]


class Item(models.Model):
    """One value under a namespace and a key. ttl: how long after the last write, or read, it is still there."""

    pk = models.CompositePrimaryKey("space_id", "id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="+")
    id = models.UUIDField(default=new_id, editable=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="items")
    namespace = ArrayField(models.TextField())
    key = models.CharField(max_length=MAX_KEY)
    place = models.BinaryField(max_length=32, help_text="digest of namespace and key")
    value = models.JSONField(default=dict)
    indexed = ArrayField(models.TextField(), null=True, blank=True, help_text="paths searched; null: all, empty: none")
    ttl = models.DurationField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    author = models.CharField(max_length=250, help_text="who wrote it last, as Author.label")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=1)
    embedding_model = models.CharField(max_length=200, null=True, blank=True)  # noqa: DJ001 - null is "none yet"
    vectors = VectorArray(HalfVectorField(), null=True, blank=True, help_text="one for each text that is searched")
    tsv = SearchVectorField(null=True, help_text="null: not searched")

    objects = ItemQuerySet.as_manager()

    class Meta:
        db_table = "item"
        constraints = [
            # Serves: reading and writing an item by its namespace and key.
            models.UniqueConstraint(fields=["space", "person", "place"], name="item_place"),
        ]
        indexes = [
            # Serves: the items of a person, the latest first; and counting them.
            models.Index(fields=["space", "person", "updated_at"], name="item_of_person"),
            # Serves: dropping those whose time is over.
            models.Index(fields=["expires_at"], condition=Q(expires_at__isnull=False), name="item_expiry"),
            # Serves: the embeddings backfill.
            models.Index(fields=["space", "id"], condition=Q(vectors=None, tsv__isnull=False), name="item_awaiting"),
        ]

    def __str__(self) -> str:
        return f"{'/'.join(self.namespace)}/{self.key}"
