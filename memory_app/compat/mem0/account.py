"""What mem0's clients ask about their account: a fixed answer, for there is one project here, and its settings are the
dashboard's."""

from django.http import HttpRequest
from ninja import Router

from memory_app.api.auth import grant_of, key_of
from memory_app.compat.auth import any_key
from memory_app.compat.mem0.output import Json
from memory_app.models import ExtractionPolicy, Person, Scope

router = Router(tags=["account"])

ORGANIZATION, PROJECT = "keepsake", "default"

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


def _policy(request: HttpRequest) -> str:
    """That of the person a key is for; else each person's own, which `ask` is until they change it."""
    people = grant_of(request).people
    if len(people) != 1 or not key_of(request).has(Scope.READ):
        return "each person's own"
    person = Person.objects.filter(name__in=people).first()
    return person.extraction_policy if person else ExtractionPolicy.ASK.value
