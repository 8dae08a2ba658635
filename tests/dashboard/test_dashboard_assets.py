"""What the pages are made of: vendored files as they came, styles and scripts that a strict policy allows."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from config.env import ROOT
from memory_app.models.history_import import ImportState

TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "templates").rglob("*.html"))
STYLES = sorted((ROOT / "static" / "dashboard").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "dashboard").glob("*.js"))
LONGEST_LINE = 160
CLASS = re.compile(r'class="((?:\{%.*?%\}|[^"])*)"')
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)


@pytest.mark.parametrize("folder", ["static/vendor", "tests/dashboard/vendor/axe-core"])
def test_vendored_files_match_their_hashes(folder: str) -> None:
    home = ROOT / folder
    lines = [line.split("  ") for line in (home / "SHA256SUMS").read_text().splitlines()]
    listed = {name: digest for digest, name in lines}
    assert listed
    assert {name: hashlib.sha256((home / name).read_bytes()).hexdigest() for name in listed} == listed


def test_every_vendored_folder_carries_its_licence() -> None:
    folders = [path for path in (ROOT / "static" / "vendor").iterdir() if path.is_dir()]
    assert folders
    assert [folder.name for folder in folders if not (folder / "LICENSE").exists()] == []


def test_no_template_holds_an_inline_script_or_style() -> None:
    inline = {template: INLINE.findall((ROOT / template).read_text()) for template in TEMPLATES}
    assert inline
    assert {template: found for template, found in inline.items() if found} == {}


def test_no_template_line_is_too_long() -> None:
    long = [
        f"{template}:{number}"
        for template in TEMPLATES
        for number, line in enumerate((ROOT / template).read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert long == []


def test_every_css_class_is_used_and_styled() -> None:
    styled = {
        name for path in STYLES for name in re.findall(r"\.([a-z][\w-]*)(?=[^{}]*\{)", _without_urls(path.read_text()))
    }
    named = {
        name
        for template in TEMPLATES
        for text in CLASS.findall((ROOT / template).read_text())
        for name in re.sub(r"\{%.*?%\}|\S*\{\{.*?\}\}", " ", text).split()
    }
    named |= {name for path in SCRIPTS for name in re.findall(r'classList\.add\("([\w-]+)"', path.read_text())}
    named |= {f"is-{state}" for state in ImportState.values} & styled  # of a file that is imported
    named |= {
        "content",
        "inbox",
        "narrow-page",
        "authorize-page",
        "icon",
        "htmx-request",
    }  # of a block, a tag, and htmx itself
    tabler = (ROOT / "static/vendor/tabler/tabler.min.css").read_text()
    assert styled - named == set()
    assert {name for name in named - styled - {"decision-form", "with-script"} if f".{name}" not in tabler} == set()


def _without_urls(css: str) -> str:
    return re.sub(r"/\*.*?\*/|url\([^)]*\)", "", css, flags=re.DOTALL)


def test_every_file_that_a_style_names_is_there(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
    call_command("collectstatic", interactive=False, verbosity=0)
    assert (tmp_path / "staticfiles.json").exists()


def test_every_used_icon_is_in_the_sprite() -> None:
    sprite = (ROOT / "static/vendor/tabler-icons/icons.svg").read_text()
    icon = re.compile(r'{% (?:icon|menu_link "[^"]+") "([^"]+)"')
    asked = {name for template in TEMPLATES for name in icon.findall((ROOT / template).read_text())}
    assert asked - set(re.findall(r'<symbol id="([^"]+)"', sprite)) == set()
