#!/usr/bin/env python
"""Django's command line, but for `mcp`: an assistant waits for that to start, and it needs nothing of Django."""

import sys

if sys.argv[1:2] == ["mcp"]:
    from memory_app.mcp_proxy.command import main
else:
    from memory_app.management.command_line import main

if __name__ == "__main__":
    main(sys.argv)
