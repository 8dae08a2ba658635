"""Where each part is mounted: the API below /api/v1/, tools at /mcp, operation at the root, else the dashboard."""

from django.urls import include, path

from memory_app.api import api
from memory_app.mcp.view import mcp

urlpatterns = [
    path("api/v1/", api.urls),
    path("mcp", mcp),
    path("mcp/<text:person>", mcp),
    path("", include("memory_app.monitoring")),
    path("", include("dashboard.urls")),
]

handler500 = "memory_app.unavailable.server_error"
