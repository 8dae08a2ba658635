"""The Model Context Protocol at /mcp: the same use cases as the API, as tools, resources and a prompt for assistants.

One POST, one JSON answer, no session: an ordinary view, in both eras of the protocol.
"""
