"""What mem0's clients ask about their account: a fixed answer, for there is one project here, and its settings are the
dashboard's."""

from django.http import HttpRequest
from ninja import Router

from memory_app.api.auth import grant_of, key_of
from memory_app.compat.client_api import any_key
from memory_app.compat.mem0.output import Json
from memory_app.errors import NotAllowed, NotFound
from memory_app.models import ExtractionPolicy, Person, Scope

router = Router(tags=["account"])

ORGANIZATION, PROJECT = "keepsake", "default"

NO_SETTINGS = "Projects and their settings cannot be changed by a key; what there is to set, each person sets."
NO_MEMBERS = "Logins are made with `manage.py user create`, and by no key."
NO_WEBHOOKS = "Keepsake calls no webhooks."

INFER_BY_POLICY = {
    ExtractionPolicy.ASK: "what is noticed waits for the person to decide on it",
    ExtractionPolicy.AUTO: "what is sure is kept, the rest goes to the note of the day",
    ExtractionPolicy.OFF: "nothing is noticed; only what the person asks to remember is kept",
}


@router.get("/v1/ping/", auth=any_key)
def ping(request: HttpRequest) -> Json:
    """That the key is good; and what `infer` means here, which is the person's to say."""
    return {
        "status": "ok",
        "org_id": ORGANIZATION,
        "project_id": PROJECT,
        "user_email": None,
        "server": "keepsake",
        "infer": {
            "policy": _policy(request),
            "policies": {policy.value: meaning for policy, meaning in INFER_BY_POLICY.items()},
            "false": "what the user said is kept at once, as it stands",
        },
    }


@router.get("/api/v1/orgs/organizations/{name}/projects/{project}/", auth=any_key)
def read_project(request: HttpRequest, name: str, project: str) -> Json:
    """Of the settings of a project there are none here."""
    _check_project(name, project)
    unset = dict.fromkeys(("custom_instructions", "custom_categories", "retrieval_criteria", "version"))
    return {
        "id": PROJECT,
        "project_id": PROJECT,
        "org_id": ORGANIZATION,
        "name": "Keepsake",
        **unset,
        "enable_graph": False,
    }


@router.api_operation(["PATCH", "DELETE"], "/api/v1/orgs/organizations/{name}/projects/{project}/", auth=any_key)
def change_project(request: HttpRequest, name: str, project: str) -> None:
    raise NotAllowed(NO_SETTINGS)


@router.post("/api/v1/orgs/organizations/{name}/projects/", auth=any_key)
def create_project(request: HttpRequest, name: str) -> None:
    raise NotAllowed(NO_SETTINGS)


@router.get("/api/v1/orgs/organizations/{name}/projects/{project}/members/", auth=any_key)
def list_members(request: HttpRequest, name: str, project: str) -> Json:
    """Who may sign in is nothing that a key is told."""
    _check_project(name, project)
    return {"members": []}


@router.api_operation(
    ["POST", "PUT", "DELETE"], "/api/v1/orgs/organizations/{name}/projects/{project}/members/", auth=any_key
)
def change_members(request: HttpRequest, name: str, project: str) -> None:
    raise NotAllowed(NO_MEMBERS)


@router.get("/api/v1/webhooks/projects/{project}/", auth=any_key)
def list_webhooks(request: HttpRequest, project: str) -> list[Json]:
    return []


@router.post("/api/v1/webhooks/projects/{project}/", auth=any_key)
def create_webhook(request: HttpRequest, project: str) -> None:
    raise NotAllowed(NO_WEBHOOKS)


@router.api_operation(["PUT", "DELETE"], "/api/v1/webhooks/{name}/", auth=any_key)
def change_webhook(request: HttpRequest, name: str) -> None:
    raise NotFound


def _check_project(name: str, project: str) -> None:
    if (name, project) != (ORGANIZATION, PROJECT):
        raise NotFound


def _policy(request: HttpRequest) -> str:
    """That of the person a key is for; else each person's own, which `ask` is until they change it."""
    people = grant_of(request).people
    if len(people) != 1 or not key_of(request).has(Scope.READ):
        return "each person's own"
    person = Person.objects.filter(name__in=people).first()
    return person.extraction_policy if person else ExtractionPolicy.ASK.value
