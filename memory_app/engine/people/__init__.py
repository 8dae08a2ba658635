"""From one to another: a person's memories to another person, a memory to another level."""
