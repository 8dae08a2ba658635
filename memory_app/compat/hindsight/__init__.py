"""/compat/hindsight: for clients of Hindsight: retain, recall, reflect, and what these need around them."""

from memory_app.compat.client_api import client_api
from memory_app.compat.hindsight import banks, facts

api = client_api("hindsight")
for resource in (facts, banks):
    api.add_router("", resource.router)
