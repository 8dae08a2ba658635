"""Read what other products export: files in, plain conversations and memories out. One module a format; no Django."""
