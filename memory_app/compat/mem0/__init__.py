"""/compat/mem0: for clients of mem0, of the hosted API's three generations and of the server that one runs oneself."""

from memory_app.compat.client_api import client_api
from memory_app.compat.mem0 import account, hosted

api = client_api("mem0")
for resource in (account, hosted):
    api.add_router("", resource.router)
