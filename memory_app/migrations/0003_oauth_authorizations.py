"""What assistants that sign in were allowed."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("allauth_idp_oidc", "0003_client_allow_uri_wildcards"),
        ("memory_app", "0002_items_under_namespaces"),
    ]

    operations = [
        migrations.CreateModel(
            name="OAuthAuthorization",
            fields=[
                (
                    "key",
                    models.OneToOneField(
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="oauth_authorization",
                        serialize=False,
                        to="memory_app.apikey",
                    ),
                ),
                ("resource", models.TextField(help_text="the address its tokens are for, and no other")),
                ("redirect_host", models.TextField(help_text="where the browser went with the code")),
                (
                    "signed_in_at",
                    models.DateTimeField(blank=True, help_text="when it came for its first token", null=True),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "client",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="authorizations",
                        to="allauth_idp_oidc.client",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="oauth_authorizations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "db_table": "oauth_authorization",
            },
        ),
    ]
