"""The JSON API under /api/v1: one router per resource; each route parses, calls one verb and answers."""

from ninja import NinjaAPI

from . import memories, problems

api = NinjaAPI(
    title="Keepsake",
    version="1",
    description="Long-term memory for AI assistants that people can see, confirm, correct and take back.",
)
problems.install(api)
api.add_router("", memories.router)
