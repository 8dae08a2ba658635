"""JSON schemas in the form that structured outputs accept: every property required, no other allowed."""

from memory_app.llm.protocol import Schema

_NOT_TOLD = ("default", "title")


def strict(schema: Schema) -> Schema:
    """The same schema without defaults and titles, closed, in all its parts."""
    told = {key: value for key, value in schema.items() if key not in _NOT_TOLD}
    for parts in ("properties", "$defs"):
        if parts in told:
            told[parts] = {name: strict(part) for name, part in told[parts].items()}
    if "items" in told:
        told["items"] = strict(told["items"])
    if "anyOf" in told:
        told["anyOf"] = [strict(part) for part in told["anyOf"]]
    if "properties" in told:
        told |= {"required": list(told["properties"]), "additionalProperties": False}
    return told
