"""Addresses for whoever operates the server."""

from django.urls import path

from . import operation_views

urlpatterns = [
    path("healthz", operation_views.healthz),
    path("readyz", operation_views.readyz),
    path("metrics", operation_views.metrics),
]
