"""Addresses for whoever operates the server."""

from django.urls import path
from django.http import HttpResponse

urlpatterns = [path("healthz", lambda request: HttpResponse("ok"))]
