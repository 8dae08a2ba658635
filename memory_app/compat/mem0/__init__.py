"""/compat/mem0: for clients of mem0, of the hosted API's three generations and of the server that one runs oneself."""

from memory_app.compat.client_api import client_api
from memory_app.compat.mem0 import account, documents, entities, hosted, server

api = client_api("mem0")
# Documents before entities: a name may hold a slash, so that an entity is what no other path is.
for resource in (account, hosted, documents, entities, server):
    api.add_router("", resource.router)
