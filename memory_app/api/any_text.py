"""A part of an address that may be any text: with slashes, as Django's `path`, and with line breaks."""

from django.urls.converters import StringConverter


class AnyText(StringConverter):
    regex = "(?s:.+)"
