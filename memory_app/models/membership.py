"""Memberships: which shared spaces a person belongs to, or once did."""

from django.db import models

from memory_app.models.person import Person
from memory_app.models.space import Space


class Membership(models.Model):
    """That a person belongs to a shared space. One who left keeps what is their own there and sees no one else's.

    Not under row security: it is what tells which spaces a request may touch.
    """

    pk = models.CompositePrimaryKey("space_id", "person_id")
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, db_constraint=False, related_name="memberships")
    joined_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "membership"
        indexes = [
            # Serves: the spaces of a person, at the start of each request.
            models.Index(fields=["person"], name="membership_person"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.space_id}"
