"""Answers already given to requests that carried an Idempotency-Key."""

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from memory_app.models.api_key import ApiKey

ANSWER_RETENTION = timedelta(hours=24)


class Idempotency(models.Model):
    """One answered request. Written in the transaction of its work: both are there, or neither."""

    api_key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=255)
    request_hash = models.BinaryField(max_length=32, help_text="SHA-256 of method, path and body")
    status = models.PositiveSmallIntegerField()
    response = models.JSONField()
    memory_ids = ArrayField(models.UUIDField(), default=list, help_text="what the answer shows, so that erase finds it")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "idempotency"
        constraints = [
            # Serves: answering again.
            models.UniqueConstraint(fields=["api_key", "key"], name="idempotency_once"),
        ]
        indexes = [
            # Serves: dropping what is older than a day.
            models.Index(fields=["created_at"], name="idempotency_age"),
        ]

    def __str__(self) -> str:
        return self.key
