"""Addresses of the pages, and of what their forms post to. Sign-in and second factor are django-allauth's."""

from allauth.account import views as account
from django.urls import include, path

from .views import deleted, edit, jobs, memories, memory, overview, undo, you

urlpatterns = [
    path("", overview.show, name="overview"),
    path("memories/", memories.show, name="memories"),
    path("memories/forget/", memories.forget_chosen, name="forget_chosen"),
    path("memories/<uuid:memory_id>/", memory.show, name="memory"),
    path("memories/<uuid:memory_id>/edit/", edit.edit_memory, name="edit"),
    path("memories/<uuid:memory_id>/correct/", edit.correct_memory, name="correct"),
    path("memories/<uuid:memory_id>/confirm/", memory.confirm_memory, name="confirm"),
    path("memories/<uuid:memory_id>/forget/", memory.forget_memory, name="forget"),
    path("memories/<uuid:memory_id>/restore/", memory.restore_memory, name="restore"),
    path("memories/<uuid:memory_id>/reveal/", memory.reveal_memory, name="reveal"),
    path("deleted/", deleted.show, name="deleted"),
    path("deleted/restore/", deleted.restore_chosen, name="restore_chosen"),
    path("undo/<uuid:request_id>/", undo.undo_request, name="undo"),
    path("jobs/", jobs.show, name="jobs"),
    path("jobs/<slug:name>/", jobs.show_one, name="job"),
    path("jobs/<slug:name>/run/", jobs.run, name="run_job"),
    path("jobs/<slug:name>/cancel/", jobs.stop, name="stop_job"),
    path("jobs/<slug:name>/schedule/", jobs.set_schedule, name="plan_job"),
    path("account/", you.show, name="you"),
    path("account/look/", you.change_look, name="look"),
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("account/inactive/", account.account_inactive, name="account_inactive"),
    path("account/reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("account/password/", account.password_change, name="account_change_password"),
    path("account/2fa/", include("allauth.mfa.urls")),
]
