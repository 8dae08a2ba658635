"""The parts of the time-phrase grammar; `rules.timephrase` is its front door."""
