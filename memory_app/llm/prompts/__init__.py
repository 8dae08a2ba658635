"""What a language model is asked: one prompt a file, each with its id and version, its rules and its answer's form.

A changed wording gets a new number, for rows keep the id of the prompt that made them.
"""
