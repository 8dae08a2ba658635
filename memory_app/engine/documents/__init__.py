"""Documents: files that assistants keep of a person."""
