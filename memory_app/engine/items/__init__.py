"""Items: what assistants store of a person under namespaces and keys."""
