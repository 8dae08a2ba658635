"""Background work under its record: begun once, told, cancelled, planned, queued."""
