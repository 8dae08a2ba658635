"""Django's settings. What a deployer may change is read by `env.py`; tuning numbers stand beside the code they tune."""

from datetime import timedelta

import structlog
from csp.constants import NONE, SELF

from config.env import ROOT, Env, data_folder, secret_key
from memory_app.oauth import ACCESS_TOKEN_LIFETIME, REFRESH_TOKEN_LIFETIME
from memory_app.postgres import django_database
from memory_app.serving.log_lines import remove_private_text

env = Env.read()

KEEPSAKE_DATA = data_folder(env.data)
KEEPSAKE_EMBEDDING_MODEL = env.embedding_model
KEEPSAKE_QUERY_INT8 = env.query_int8
KEEPSAKE_LLM = env.llm
KEEPSAKE_LLM_BASE_URL = env.llm_base_url
KEEPSAKE_LLM_API_KEY = env.llm_api_key.get_secret_value() if env.llm_api_key else ""
KEEPSAKE_LLM_SECONDS = env.llm_seconds
KEEPSAKE_LLM_BRIEFS = env.llm_briefs
KEEPSAKE_RERANKER = env.reranker
KEEPSAKE_RERANK_SECONDS = env.rerank_seconds
KEEPSAKE_MEMORY = env.memory
KEEPSAKE_AUTO_CONFIDENCE = env.auto_confidence
KEEPSAKE_PROPOSALS = env.proposals
KEEPSAKE_FADE_RATE = env.fade_rate
KEEPSAKE_FADE_BELOW = env.fade_below
KEEPSAKE_NOTE_DAYS = env.note_days
KEEPSAKE_ITEMS = env.items
KEEPSAKE_LOG_DAYS = env.log_days
KEEPSAKE_PROFILE_WORDS = env.profile_words
KEEPSAKE_OAUTH = env.oauth
KEEPSAKE_PUBLIC_URL = env.public_url

DEBUG = env.debug
SECRET_KEY = secret_key(env.data)
ALLOWED_HOSTS = env.allowed_hosts
CSRF_TRUSTED_ORIGINS = [env.public_url] if env.public_url else []
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.idp.oidc",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_htmx",
    "django_prometheus",
    "django_q",
    "django_structlog",
    "ninja",
    "template_partials",
    "memory_app",
    "dashboard",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "memory_app.api.request_log.RequestLogMiddleware",
    "memory_app.api.requests.HeadMiddleware",
    "memory_app.api.problems.ProblemMiddleware",
    "memory_app.api.requests.BodyLimitMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "memory_app.page_middleware.PageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
    "memory_app.unavailable.UnavailableMiddleware",
]
# What only pages need; calls with a key go past these.
PAGE_MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "dashboard.access.VisiblePagesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

DATABASES = {"default": django_database(env)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "memory_app.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "dashboard.sign_in.AccountAdapter"
# The first three count right passwords too, and so would lock out who knows theirs; `dashboard/sign_in.py` counts wrong
# ones, under the other two.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "reauthenticate": None,
    "change_password": None,
    "login_failed": "10/m/ip,5/5m/key",
    "reauthentication_failed": "5/5m/key",
}
ACCOUNT_FORMS = {"change_password": "dashboard.sign_in.PasswordForm"}
MFA_ADAPTER = "dashboard.sign_in.MFAAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Assistants that sign in (`memory_app/oauth`). Whoever comes may register, so the limit is on that.
IDP_OIDC_ADAPTER = "memory_app.oauth.clients.OAuthAdapter"
IDP_OIDC_DCR_ENABLED = True
IDP_OIDC_DCR_REQUIRES_INITIAL_ACCESS_TOKEN = False
IDP_OIDC_AUTH_METHODS = ["none"]
IDP_OIDC_ACCESS_TOKEN_EXPIRES_IN = int(ACCESS_TOKEN_LIFETIME.total_seconds())
IDP_OIDC_REFRESH_TOKEN_EXPIRES_IN = int(REFRESH_TOKEN_LIFETIME.total_seconds())
IDP_OIDC_RATE_LIMITS = {"client_registration": "10/m/ip"}
# Sessions and forms are for this site alone; assistants use keys.
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = int(timedelta(days=14).total_seconds())
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.public_url.startswith("https://")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

STATIC_URL = "static/"
STATIC_ROOT = env.data / "static"
STATICFILES_DIRS = [ROOT / "static"]
STORAGES = {
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

TIME_ZONE = "UTC"
USE_TZ = True
LANGUAGE_CODE = "en"
USE_I18N = False

# The API has its own, smaller limits (`memory_app/api/requests.py`).
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024

# A task's lock starts when it is prefetched, so `retry` covers the whole queue ahead of it, not one timeout:
# retry > timeout × (1 + ⌈(queue_limit + 1) ÷ workers⌉) + 3.
Q_CLUSTER = {
    "name": "keepsake",
    "orm": "default",
    "broker_class": "memory_app.jobs.broker.Broker",
    "workers": 1,
    "queue_limit": 1,
    "bulk": 1,
    "timeout": 600,
    "retry": 2400,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "recycle": 5000,
    "max_rss": 1_500_000,
    "poll": 1.2,
    "save_limit": 1000,
    "cache": "worker",
    "label": "Jobs",
    # What waits for a language model waits here, for a worker that runs only where one is set.
    "ALT_CLUSTERS": {"models": {"cache": "model_worker"}},
}

# The worker tells through files that it is alive: half a second apart, that would be too many writes for the database.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "worker": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": env.data / "worker"},
    "model_worker": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": env.data / "model_worker",
    },
}

# Whose address counts where guessing is limited: the one that the proxy in front, if there is one, was asked from.
NINJA_NUM_PROXIES = ALLAUTH_TRUSTED_PROXY_COUNT = 1 if env.public_url else 0

DJANGO_STRUCTLOG_CELERY_ENABLED = False
# The log of requests gives each one to the API an id, or takes the caller's: that one is meant.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
# Nobody reads from which address each request came; to find it out took a tenth of what a short one costs.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
structlog.configure(
    processors=[
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.filter_by_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "structlog.stdlib.ProcessorFormatter",
            "foreign_pre_chain": [
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                structlog.processors.TimeStamper(fmt="iso"),
            ],
            "processors": [
                remove_private_text,
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "logger", "event"]),
            ],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": "DEBUG" if DEBUG else "WARNING"},
    "loggers": {"django.server": {"level": "WARNING"}, "django-q": {"level": "WARNING"}},
}
