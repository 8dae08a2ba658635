"""Queue: what waits for a language model waits apart, for a worker of its own.

A model that is down or slow holds up those who wait for it, and nothing else: no vector, no proposal, nor the night.
"""

from django_q.tasks import async_task

MODEL_QUEUE = "models"
"""The queue, by its name among `Q_CLUSTER`'s; its worker runs where a model is set."""


def enqueue_model_task(job: str, *args: object) -> None:
    """Enqueues a function of `jobs` that asks the model; it joins the transaction."""
    async_task(f"memory_app.jobs.{job}", *args, cluster=MODEL_QUEUE)
