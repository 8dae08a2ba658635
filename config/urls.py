"""Where each part is mounted: the API below /api/v1/, tools at /mcp, monitoring at the root, else the dashboard."""

from django.urls import include, path

from memory_app.api import api
from memory_app.compat.hindsight import api as hindsight_api
from memory_app.compat.mem0 import api as mem0_api
from memory_app.mcp.view import mcp
from memory_app.monitoring import healthz, metrics, readyz

urlpatterns = [
    path("api/v1/", api.urls),
    path("mcp", mcp, name="mcp"),
    path("mcp/<text:person>", mcp, name="mcp"),
    path("compat/hindsight/", hindsight_api.urls),
    path("compat/mem0/", mem0_api.urls),
    path("", include("memory_app.oauth.urls")),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("", include("dashboard.urls")),
]

handler500 = "memory_app.unavailable.server_error"
