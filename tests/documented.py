"""The operations of the API as its OpenAPI document has them, and the least that each takes; and those that clients of
other servers call."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ninja import NinjaAPI
from ninja.responses import NinjaJSONEncoder

from memory_app.api import api as served
from memory_app.compat.hindsight import api as hindsight
from memory_app.compat.mem0 import api as mem0

SCHEMAS = "#/components/schemas/"


def _document(api: NinjaAPI, prefix: str = "") -> Any:
    """prefix: put before the names of its schemas, so that those of several documents differ."""
    text = json.dumps(api.get_openapi_schema(), cls=NinjaJSONEncoder).replace(SCHEMAS, f"{SCHEMAS}{prefix}")
    found = json.loads(text)
    schemas = found["components"]["schemas"]
    found["components"]["schemas"] = {f"{prefix}{name}": schema for name, schema in schemas.items()}
    return found


DOCUMENT = _document(served)
COMPAT = [_document(api, f"{name}.") for name, api in (("mem0", mem0), ("hindsight", hindsight))]
PATHS = {path: verbs for document in (DOCUMENT, *COMPAT) for path, verbs in document["paths"].items()}
COMPONENTS = {
    name: schema for document in (DOCUMENT, *COMPAT) for name, schema in document["components"]["schemas"].items()
}
SOME = {"uuid": "01990000-0000-7000-8000-00000000dead", "date-time": "2030-01-01T00:00:00Z", "date": "2026-11-20"}
PLAIN = {"string": "mine", "integer": 1, "number": 1, "boolean": True}

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One verb of a path. query: the parameters it takes there; body: the schema of its JSON, or nothing."""

    verb: str
    path: str
    query: Mapping[str, Schema]
    body: Schema


def operation(verb: str, path: str) -> Operation:
    """What the document says of it; nothing of what it does not have."""
    told = PATHS.get(path, {}).get(verb.lower(), {})
    query = {given["name"]: given["schema"] for given in told.get("parameters", []) if given["in"] == "query"}
    content: dict[str, Any] = told.get("requestBody", {}).get("content", {})
    return Operation(verb, path, query, resolved(content.get("application/json", {}).get("schema", {})))


def documented(path: str) -> set[str]:
    """The verbs that a path is said to take."""
    return {verb.upper() for verb in PATHS.get(path, {})}


def operations() -> list[Operation]:
    """Those of the API."""
    return [operation(verb.upper(), path) for path, verbs in DOCUMENT["paths"].items() for verb in verbs]


def compat_operations() -> list[Operation]:
    """Those that clients of other servers call."""
    return [
        operation(verb.upper(), path)
        for document in COMPAT
        for path, verbs in document["paths"].items()
        for verb in verbs
    ]


def resolved(schema: Schema) -> Schema:
    """The schema that is meant: a reference followed, of several the first."""
    if "$ref" in schema:
        return resolved(COMPONENTS[schema["$ref"].removeprefix(SCHEMAS)])
    either = schema.get("anyOf") or schema.get("oneOf")
    return resolved(either[0]) if either else schema


def least(schema: Schema, given: Mapping[str, Any]) -> Any:
    """The smallest thing that the schema takes. given: values for fields of these names, where it has them."""
    schema = resolved(schema)
    if "enum" in schema:
        return schema["enum"][0]
    if "properties" in schema or schema.get("type") == "object":
        fields = schema.get("properties", {})
        needed = {name: least(fields[name], {}) for name in schema.get("required", ())}
        return needed | {name: value for name, value in given.items() if name in fields}
    if schema.get("type") == "array":
        return [least(schema["items"], {})]
    return SOME.get(schema.get("format", ""), PLAIN.get(schema.get("type", ""), {}))
