"""A passkey, in a real browser with an authenticator that is none: added, used to sign in, and as the second step."""

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from tests.dashboard.browser.conftest import Visit, Visitor
from tests.dashboard.factories import PASSWORD, create_login

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def window(visit: Visit) -> Visitor:
    """The sign-in page, in a browser that has a fingerprint reader and whoever it knows always at hand."""
    cache.clear()
    create_login("alice", person="alice")
    opened = visit(None)
    browser = opened.page.context.new_cdp_session(opened.page)
    browser.send("WebAuthn.enable")
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    opened.go("/login/")
    return opened


def sign_in(window: Visitor) -> None:
    window.page.get_by_label("Username").fill("alice")
    window.page.get_by_label("Password").fill(PASSWORD)
    window.page.get_by_role("button", name="Sign in", exact=True).click()


def add(window: Visitor, *, passwordless: bool) -> None:
    """Only after the password was given again."""
    window.page.wait_for_url(f"{window.address}/")
    window.go("/account/2fa/webauthn/add/")
    window.page.get_by_label("Password").fill(PASSWORD)
    window.page.get_by_role("button", name="Confirm").click()
    window.page.get_by_label("Name").fill("My phone")
    window.page.get_by_label("Passwordless").set_checked(passwordless)
    window.page.get_by_role("button", name="Add").click()
    window.page.wait_for_url("**/recovery-codes/**")
    window.go("/account/2fa/webauthn/")
    expect(window.page.locator("main")).to_contain_text("My phone")


def sign_out(window: Visitor) -> None:
    window.go("/account/")
    window.page.get_by_role("button", name="Sign out").click()
    window.page.wait_for_url("**/login/")


def test_a_passkey_signs_in_without_a_password(window: Visitor) -> None:
    sign_in(window)
    add(window, passwordless=True)
    sign_out(window)
    window.page.get_by_role("button", name="Use a passkey").click()
    window.page.wait_for_url(f"{window.address}/")
    expect(window.page.locator(".user-name").last).to_have_text("alice")


def test_a_passkey_is_asked_for_as_second_factor(window: Visitor) -> None:
    sign_in(window)
    add(window, passwordless=False)
    sign_out(window)
    sign_in(window)
    window.page.wait_for_url("**/account/2fa/authenticate/")
    window.page.get_by_role("button", name="Use a security key").click()
    window.page.wait_for_url(f"{window.address}/")
