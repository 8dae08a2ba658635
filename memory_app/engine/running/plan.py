"""Plan when a job runs by itself: its schedule, as a super user sets it."""

from croniter import CroniterBadDateError, croniter
from django_q.models import Schedule

from memory_app.errors import Invalid, NotFound


def plan(*, job: str, cron: str) -> Schedule:
    """Sets the cron expression (five fields, UTC) of a job that has a schedule. Raises Invalid, NotFound."""
    expression = " ".join(cron.split())
    if len(expression.split()) != 5 or not croniter.is_valid(expression):
        raise Invalid("cron", "Write five fields: minute, hour, day, month, weekday, such as “0 4 * * *”.")
    schedule = Schedule.objects.filter(name=job).first()
    if schedule is None:
        raise NotFound(f"The job {job!r} has no schedule.")
    schedule.cron = expression
    try:
        schedule.next_run = schedule.calculate_next_run()
    except CroniterBadDateError:
        raise Invalid("cron", "There is no such day, such as 30 February: the job would never run.") from None
    schedule.save(update_fields=["cron", "next_run"])
    return schedule
