"""The parts of the time-phrase grammar; `time_phrases` is its front door."""
