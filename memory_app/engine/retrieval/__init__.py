"""Finding: what may be seen, ranked, narrowed, put before an assistant, and receipted."""
