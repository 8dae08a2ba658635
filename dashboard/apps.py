"""The Django application that shows people what is remembered."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    name = "dashboard"
