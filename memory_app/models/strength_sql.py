"""How memories fade, as SQL: the formulas of `rules.strength` stated once more, for sets of rows too large to be read.

A test holds that both give the same numbers.
"""

from datetime import datetime

from django.conf import settings
from django.db.models import (
    DateTimeField,
    DurationField,
    Expression,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    Q,
    Value,
)
from django.db.models.functions import Exp, Greatest, Least, Ln, NullIf

from memory_app.rules.strength import LONGEST_DAYS, SECONDS_A_DAY

MAX_EXPONENT = 700.0
"""exp(-700) is some 1e-304; PostgreSQL raises an error where a smaller number would underflow."""


class IntervalSeconds(Func):
    """An interval in seconds."""

    template = "EXTRACT(EPOCH FROM %(expressions)s)::float8"
    output_field = FloatField()


class SecondsInterval(Func):
    """A number of seconds as an interval."""

    template = "make_interval(secs => %(expressions)s)"
    output_field = DurationField()


def fading_condition() -> Q:
    """Rows that fade at all: neither protected nor reflections, nor of a rate of nothing."""
    return Q(protected=False, decay_rate__gt=0.0) & ~Q(type="reflection")


def strength_expression(now: datetime) -> Expression:
    """confidence × exp(−decay_rate × days since the last reinforcement), for rows that fade."""
    since = ExpressionWrapper(Value(now) - F("reinforced_at"), output_field=DurationField())
    days = Greatest(IntervalSeconds(since), Value(0.0)) / Value(float(SECONDS_A_DAY))
    exponent = Least(F("decay_rate") * days, Value(MAX_EXPONENT))
    return ExpressionWrapper(F("confidence") * Exp(-exponent), output_field=FloatField())


def fades_at_expression(factor: float = 1.0) -> Expression:
    """When strength crosses the threshold, were every rate `factor` times what it is; null for a rate of nothing."""
    rate = NullIf(F("decay_rate") * Value(factor), Value(0.0))
    threshold = Value(settings.KEEPSAKE_FADE_BELOW)
    days = Least(Ln(Greatest(F("confidence"), threshold) / threshold) / rate, Value(LONGEST_DAYS))
    span = SecondsInterval(days * Value(float(SECONDS_A_DAY)))
    return ExpressionWrapper(F("reinforced_at") + span, output_field=DateTimeField())
