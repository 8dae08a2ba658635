"""Where each part is mounted: the API under /api/v1/, operation at the root, the dashboard for everything else."""

from django.urls import include, path

from memory_app.api import api

urlpatterns = [
    path("api/v1/", api.urls),
    path("", include("memory_app.monitoring")),
    path("", include("dashboard.urls")),
]

handler500 = "memory_app.unavailable.server_error"
