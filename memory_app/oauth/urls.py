"""Addresses that assistants call to sign in. `authorize` is a page, among those of the dashboard."""

from django.urls import path

from memory_app.oauth import views

urlpatterns = [
    path(".well-known/oauth-authorization-server", views.server_metadata, name="oauth_metadata"),
    path(".well-known/oauth-protected-resource/mcp", views.resource_metadata, name="oauth_resource"),
    path(".well-known/oauth-protected-resource/mcp/<text:person>", views.resource_metadata, name="oauth_resource_of"),
    path("oauth/register", views.register, name="oauth_register"),
    path("oauth/token", views.token, name="oauth_token"),
    path("oauth/revoke", views.revoke, name="oauth_revoke"),
]
