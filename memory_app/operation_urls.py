"""Addresses for whoever operates the server."""

from django.urls import path

from memory_app import operation_views

urlpatterns = [
    path("healthz", operation_views.healthz),
    path("readyz", operation_views.readyz),
    path("metrics", operation_views.metrics),
]
