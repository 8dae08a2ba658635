"""What understanding is measured on: each set of cases (`NAME.jsonl`) has a module of its name that judges it."""
