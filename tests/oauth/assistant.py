"""An assistant that signs in, step by step: what the official client does, with each step open to be done wrongly."""

import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpResponse
from django.test import Client

SITE = "http://testserver"
REDIRECT = "https://assistant.example/callback"
VERIFIER = "v" * 43


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


class Assistant:
    """One registered client. client_id: what it was given."""

    def __init__(self, name: str = "Claude", redirect: str = REDIRECT) -> None:
        self.http, self.redirect = Client(), redirect
        answer = register({"client_name": name, "redirect_uris": [redirect]}, self.http)
        assert answer.status_code == 201, answer.content
        self.client_id: str = json.loads(answer.content)["client_id"]

    def address(self, **changed: str | None) -> str:
        """Where it sends a person's browser. None leaves a parameter out."""
        asked: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "state": "of the assistant",
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
            "resource": f"{SITE}/mcp",
            **changed,
        }
        return "/oauth/authorize?" + urlencode({name: value for name, value in asked.items() if value is not None})

    def answered(self, browser: Client, form: dict[str, Any] | None = None, **changed: Any) -> dict[str, str]:
        """What it is told by the redirect after a person's answer, or at once where nothing is to be answered."""
        address = self.address(**changed)
        answer: Any = browser.get(address) if form is None else browser.post(address, form)
        assert answer.status_code == 303, answer.content
        told = urlsplit(answer["Location"])
        assert f"{told.scheme}://{told.netloc}{told.path}" == changed.get("redirect_uri", self.redirect)
        return {name: value for name, (value,) in parse_qs(told.query).items()}

    def allowed(self, browser: Client, form: dict[str, Any] | None = None, **changed: str | None) -> str:
        """The code that it gets where a person allows all it asks for."""
        told = self.answered(browser, {"action": "allow", "scopes": ["read", "write"], **(form or {})}, **changed)
        return told["code"]

    def redeem(self, code: str, **changed: str) -> HttpResponse:
        return self.ask_for_token(
            grant_type="authorization_code",
            **{"code": code, "redirect_uri": self.redirect, "code_verifier": VERIFIER, **changed},
        )

    def refresh(self, refresh_token: str, **changed: str) -> HttpResponse:
        return self.ask_for_token(grant_type="refresh_token", refresh_token=refresh_token, **changed)

    def ask_for_token(self, **form: str) -> HttpResponse:
        answer: Any = self.http.post("/oauth/token", {"client_id": self.client_id, **form})
        return answer  # type: ignore[no-any-return]

    def sign_in(self, browser: Client, form: dict[str, Any] | None = None, **changed: str | None) -> dict[str, Any]:
        """The whole way. Returns the answer with both tokens."""
        answer = self.redeem(self.allowed(browser, form, **changed))
        assert answer.status_code == 200, answer.content
        return body(answer)

    def revoke(self, token: str) -> HttpResponse:
        answer: Any = self.http.post("/oauth/revoke", {"client_id": self.client_id, "token": token})
        return answer  # type: ignore[no-any-return]


def register(metadata: object, http: Client | None = None) -> HttpResponse:
    content = metadata if isinstance(metadata, bytes) else json.dumps(metadata).encode()
    answer: Any = (http or Client()).generic("POST", "/oauth/register", content, "application/json")
    return answer  # type: ignore[no-any-return]


def call(token: str, path: str = "/mcp", method: str = "tools/list", **params: Any) -> HttpResponse:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer: Any = Client().post(path, message, "application/json", headers={"Authorization": f"Bearer {token}"})
    return answer  # type: ignore[no-any-return]


def opens(token: str, path: str = "/mcp") -> bool:
    return call(token, path).status_code == 200


def body(answer: HttpResponse) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(answer.content)
    return parsed


def error_of(answer: HttpResponse) -> str:
    error: str = body(answer)["error"]
    return error
