"""`/connect/`: what to paste into each assistant, with this server's address, and a key that is made here.

Anyone may read it; keys are made by super users. A new key is shown on the next page, once: it lies sealed in the
session until then, and nowhere after.
"""

import json
import shlex
import sys
from dataclasses import dataclass
from urllib.parse import urlsplit

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from config.env import LOOPBACK, ROOT
from dashboard.access import SignedInRequest, get_view, post_view, require_super_user
from dashboard.sign_in import ConfirmedForm
from dashboard.viewer import Viewer
from memory_app.encryption import decrypt, encrypt
from memory_app.engine.api_keys import LONGEST_KEY_NAME, create_key
from memory_app.errors import Invalid
from memory_app.models import Scope
from memory_app.oauth.resources import server_address

NO_KEY = "YOUR-KEY"
"""Stands where a key goes."""

PERSON_IN_ADDRESS = "YOUR-PERSON"
NEW_KEY, PURPOSE = "connect_key", "a new key until it is shown"


class ConnectForm(ConfirmedForm):
    """For whom an assistant speaks, and what it may do."""

    name = forms.CharField(label="Which assistant", max_length=LONGEST_KEY_NAME, initial="Claude")
    person = forms.CharField(label="Whose memory", max_length=200)
    read_only = forms.BooleanField(label="It may read, and change nothing", required=False)


@dataclass(frozen=True, slots=True)
class Snippet:
    """What one assistant is given. where: into what it is pasted. needs_public: it is called from the internet."""

    id: str
    title: str
    where: str
    text: str
    needs_public: bool = False


@get_view
def show(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    """The first time after a key was made, with that key."""
    sealed = request.session.pop(NEW_KEY, None)
    opened = decrypt(sealed.encode(), PURPOSE) if sealed else None
    person = viewer.person.name if viewer.person else ""
    return _page(
        request,
        viewer,
        ConnectForm(initial={"person": person}, user=request.user),
        key=opened.decode() if opened else "",
    )


@post_view
def make_key(request: SignedInRequest, viewer: Viewer) -> HttpResponse:
    require_super_user(viewer)
    form = ConnectForm(request.POST, user=request.user)
    if not form.is_valid():
        return _page(request, viewer, form)
    scopes = [Scope.READ.value] if form.cleaned_data["read_only"] else [Scope.READ.value, Scope.WRITE.value]
    try:
        issued = create_key(
            name=form.cleaned_data["name"],
            scopes=scopes,
            people=[form.cleaned_data["person"]],
            author=viewer.author(),
            now=timezone.now(),
        )
    except Invalid as error:
        form.add_error(None, str(error))
        return _page(request, viewer, form)
    request.session[NEW_KEY] = encrypt(issued.token.encode(), PURPOSE).decode()
    return redirect("connect")


def _page(request: SignedInRequest, viewer: Viewer, form: ConnectForm, key: str = "") -> HttpResponse:
    address = server_address(request)
    context = {
        "viewer": viewer,
        "form": form,
        "key": key,
        "address": address,
        "is_local": is_local(address),
        "snippets": snippets(address, key or NO_KEY, folder=str(ROOT) if viewer.is_super_user else ""),
    }
    return render(request, "dashboard/connect.html", context, status=422 if form.is_bound else 200)


def is_local(address: str) -> bool:
    """Whether only programs on this machine, or in this network, reach it: what is on the web asks for https."""
    parts = urlsplit(address)
    return parts.scheme != "https" or (parts.hostname or "") in [host.strip("[]") for host in LOOPBACK]


ASSISTANTS = {
    "claude-code": ("Claude Code", "In a terminal."),
    "claude-desktop": (
        "Claude Desktop",
        "Into claude_desktop_config.json: Settings, Developer, Edit Config. Then start it again. It starts a program of"
        " Keepsake's, which must lie on the same machine.",
    ),
    "cursor": ("Cursor", "Into ~/.cursor/mcp.json."),
    "web": (
        "Claude and ChatGPT on the web",
        "As the address of a new connector: Settings, Connectors. They ask you to sign in here, and need no key.",
    ),
    "openai": ("OpenAI SDK", "In Python."),
    "langgraph": ("LangGraph", "In Python, with langchain-mcp-adapters."),
    "other": (
        "Any other",
        "Whatever takes an address and headers. A person's name after the address pins it to them, where a key is for"
        " several: {url}/" + PERSON_IN_ADDRESS,
    ),
    "try": ("To try it", "In a terminal. It answers with the tools that the key may use."),
}
"""By their ids, in the order of the page: title, and into what the text is pasted."""

CALLED_FROM_THE_INTERNET = frozenset({"web", "openai"})


def snippets(address: str, key: str, *, folder: str = "") -> list[Snippet]:
    """folder: where Keepsake lies, for assistants that start a program; whoever may not know it fills it in."""
    url, bearer = f"{address}/mcp", f"Bearer {key}"
    remote: dict[str, object] = {"url": url, "headers": {"Authorization": bearer}}
    command = shlex.join(["claude", "mcp", "add", "--transport", "http", "keepsake", url])
    texts = {
        "claude-code": f"{command} --header {shlex.quote(f'Authorization: {bearer}')}",
        "claude-desktop": _servers_json(_program(address, key, folder)),
        "cursor": _servers_json(remote),
        "web": url,
        "openai": OPENAI.format(url=url, bearer=bearer),
        "langgraph": LANGGRAPH.format(url=url, bearer=bearer),
        "other": _servers_json({"type": "http", **remote}),
        "try": TRY.format(url=url, bearer=bearer),
    }
    return [
        Snippet(id, title, where.format(url=url), texts[id], id in CALLED_FROM_THE_INTERNET)
        for id, (title, where) in ASSISTANTS.items()
    ]


def _program(address: str, key: str, folder: str) -> dict[str, object]:
    return {
        "command": sys.executable if folder else "/path/to/keepsake/.venv/bin/python",
        "args": [f"{folder or '/path/to/keepsake'}/manage.py", "mcp"],
        "env": {"KEEPSAKE_URL": address, "KEEPSAKE_KEY": key},
    }


def _servers_json(server: dict[str, object]) -> str:
    return json.dumps({"mcpServers": {"keepsake": server}}, indent=2, ensure_ascii=False)


OPENAI = """\
from openai import OpenAI

tool = {{
    "type": "mcp",
    "server_label": "keepsake",
    "server_url": "{url}",
    "headers": {{"Authorization": "{bearer}"}},
    "require_approval": "never",
}}
answer = OpenAI().responses.create(model="gpt-5-mini", tools=[tool], input="What do I like to drink?")
print(answer.output_text)"""

LANGGRAPH = """\
from langchain_mcp_adapters.client import MultiServerMCPClient

keepsake = {{
    "transport": "streamable_http",
    "url": "{url}",
    "headers": {{"Authorization": "{bearer}"}},
}}
tools = await MultiServerMCPClient({{"keepsake": keepsake}}).get_tools()"""

TRY = """\
curl {url} -H "Authorization: {bearer}" -H "Content-Type: application/json" \\
  -d '{{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}}'"""
