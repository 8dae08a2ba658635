"""`manage.py mcp`: passes messages of MCP between standard input and output and a running server.

For assistants that start a program rather than call an address. The standard library alone, so that it starts at once.
"""
