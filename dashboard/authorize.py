"""`/oauth/authorize`: a person says what an assistant that signs in may do, and for whom."""

from dataclasses import dataclass
from typing import Any

from allauth.idp.oidc.internal.oauthlib.utils import get_uri
from allauth.idp.oidc.models import Client
from csp.decorators import csp_update
from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from oauthlib.common import Request, add_params_to_uri
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError, FatalClientError, OAuth2Error

from dashboard.access import SignedInRequest, form_methods, with_viewer
from dashboard.responses import clean_text
from dashboard.viewer import Viewer
from memory_app.engine.oauth_authorizations import allow_assistant
from memory_app.errors import NotAllowed
from memory_app.models import Person
from memory_app.oauth import CODE_LIFETIME
from memory_app.oauth.clients import LOOPBACK_HOSTS, redirect_host
from memory_app.oauth.resources import person_of_resource, server_address
from memory_app.oauth.server import RESOURCE, OAuthServer
from memory_app.oauth.views import where_enabled

SCOPE_LABELS = {
    "read": "Read: search what is remembered and be told of it, sensitive memories and what others share included",
    "write": "Write: save new memories, propose, change and forget; what was forgotten can be brought back",
}
REDIRECT_SOURCES = ["https:", *(f"http://{host}:*" for host in sorted(LOOPBACK_HOSTS) if ":" not in host)]
"""Where the browser may go with the answer. It holds a form's redirects to this too, the assistant's own included."""


class SeeOther(HttpResponseRedirect):
    """After a form: what follows is a GET, and carries nothing of what was sent."""

    status_code = 303


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What an assistant asks for. person: whose memory, where the address says it."""

    request: Request
    scopes: list[str]
    redirect_uri: str
    resource: str

    @property
    def client(self) -> Client:
        return self.request.client

    @property
    def person(self) -> str | None:
        return person_of_resource(self.resource)

    @property
    def host(self) -> str:
        return redirect_host(self.redirect_uri)

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK_HOSTS


class AllowForm(forms.Form):
    """What the person allows of it. person: only a super user is asked whose memory it is."""

    def __init__(self, authorization: AuthorizationRequest, viewer: Viewer, data: Any = None) -> None:
        super().__init__(data)
        self.authorization, self.viewer = authorization, viewer
        self.fields["scopes"] = forms.MultipleChoiceField(
            label="It may",
            choices=[(scope, SCOPE_LABELS[scope]) for scope in authorization.scopes],
            initial=authorization.scopes,
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": "Leave at least one ticked, or do not allow it."},
        )
        if self.is_person_asked:
            own = viewer.person.name if viewer.person else ""
            self.fields["person"] = forms.CharField(label="For this person", max_length=200, initial=own)

    @property
    def is_person_asked(self) -> bool:
        return self.viewer.is_super_user and self.authorization.person is None

    def clean_person(self) -> str:
        name = clean_text(self.cleaned_data["person"])
        if not Person.objects.filter(name=name).exists():
            raise forms.ValidationError(f"Nothing is known of a person “{name}”. Write the name as assistants do.")
        return name


@form_methods
@csp_update({"form-action": REDIRECT_SOURCES})
@where_enabled
def show(request: HttpRequest) -> HttpResponseBase:
    """Who comes from another site brings no session along, for its cookie is Strict; from a page of ours they do."""
    if not request.user.is_authenticated and request.headers.get("Sec-Fetch-Site") == "cross-site":
        return render(request, "dashboard/authorize_again.html", {"again": request.get_full_path()})
    return _authorize(request)  # type: ignore[arg-type]


@with_viewer
def _authorize(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    server = OAuthServer(request)
    try:
        authorization = _read_request(server, request)
    except FatalClientError:  # where to send the browser is what is wrong
        return render(request, "dashboard/authorize_refused.html", status=400)
    except OAuth2Error as error:
        return _back(request, error.in_uri(error.redirect_uri))
    person = _only_person(viewer, authorization)
    form = AllowForm(authorization, viewer, request.POST or None)
    if request.method != "POST" or (request.POST.get("action") == "allow" and not form.is_valid()):
        context = {"viewer": viewer, "form": form, "authorization": authorization, "person": person}
        return render(request, "dashboard/authorize.html", context, status=422 if form.is_bound else 200)
    if request.POST.get("action") != "allow":
        return _back(request, AccessDeniedError(request=authorization.request).in_uri(authorization.redirect_uri))
    name = form.cleaned_data["person"] if person is None else person.name
    return _back(request, _allow(server, request, viewer, authorization, name, form.cleaned_data["scopes"]))


def _read_request(server: OAuthServer, request: HttpRequest) -> AuthorizationRequest:
    """Raises OAuth2Error."""
    scopes, details = server.validate_authorization_request(*_parameters(request))
    return AuthorizationRequest(details["request"], scopes, details["redirect_uri"], details[RESOURCE])


def _only_person(viewer: Viewer, authorization: AuthorizationRequest) -> Person | None:
    """Whom it can be for; None where a super user chooses. Raises NotAllowed, alike for others and for who is not."""
    if not viewer.is_super_user:
        if viewer.person is None or authorization.person not in (None, viewer.person.name):
            raise NotAllowed("This address is for someone else's memory. Use /mcp, or the address with your own name.")
        return viewer.person
    if authorization.person is None:
        return None
    person = Person.objects.filter(name=authorization.person).first()
    if person is None:
        raise NotAllowed(f"Nothing is known of a person {authorization.person!r}, whom this address is for.")
    return person


def _allow(
    server: OAuthServer,
    request: SignedInRequest,
    viewer: Viewer,
    authorization: AuthorizationRequest,
    person: str,
    scopes: list[str],
) -> str:
    """Returns where the browser goes with the code."""
    now = timezone.now()
    allowed = allow_assistant(
        client=authorization.client,
        user=request.user,
        person=person,
        scopes=scopes,
        resource=authorization.resource,
        redirect_host=authorization.host,
        expires_at=now + CODE_LIFETIME,
        author=viewer.author(),
        now=now,
    )
    credentials = {"user": request.user, "allowed": allowed}
    answer = server.create_authorization_response(*_parameters(request), scopes=scopes, credentials=credentials)
    headers: dict[str, str] = answer[0]
    return headers["Location"]


def _parameters(request: HttpRequest) -> tuple[str, str, str, dict[str, str]]:
    """The request as oauthlib reads it: what is asked stands in the address, also where the form is sent."""
    return get_uri(request), "GET", "", {}


def _back(request: HttpRequest, address: str) -> HttpResponse:
    """To the assistant, which is told who answers (RFC 9207): it may use several servers."""
    return SeeOther(add_params_to_uri(address, [("iss", server_address(request))]))
