// What JavaScript adds to the inbox: single keys, the focus to the next proposal, and forms that open in place.
"use strict";

(() => {
  const shortcutsAreOn = () => document.body.dataset.shortcuts !== "off";
  const cards = () => [...document.querySelectorAll(".proposal")];
  const current = () => document.activeElement.closest(".proposal");
  const isTyping = (element) => element.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]");
  let following = null;

  document.body.dataset.scripts = "on";
  for (const form of document.querySelectorAll(".shortcuts-switch")) form.hidden = false;

  function focusOn(element) {
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "nearest" });
  }

  function move(step) {
    const all = cards();
    const at = all.indexOf(current());
    focusOn(at < 0 ? all[0] : all[Math.min(Math.max(at + step, 0), all.length - 1)]);
  }

  // The first key of one who has chosen nothing chooses: nothing is decided on by accident.
  function press(key) {
    const card = current();
    if (card) card.querySelector(`[data-key="${key}"]`)?.click();
    else move(0);
  }

  function closeMenus(but) {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== but) menu.open = false;
  }

  function cancel(slot) {
    slot.replaceChildren();
    focusOn(slot.closest(".proposal"));
  }

  function escape() {
    const menu = document.querySelector("details.menu[open]");
    const slot = document.activeElement.closest("#results .form-slot");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary").focus();
    } else if (slot) cancel(slot);
  }

  const keys = {
    j: () => move(1),
    k: () => move(-1),
    x: () => current()?.querySelector(".row-checkbox input")?.click(),
    u: () => document.querySelector(".messages form button")?.click(),
  };
  for (const key of "aemrz") keys[key] = () => press(key);

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.closest("dialog")) escape();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.closest("form.decision-form")?.requestSubmit();
    if (!shortcutsAreOn() || event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    if (!keys[event.key] || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    keys[event.key]();
  });

  document.addEventListener("click", (event) => {
    closeMenus(event.target.closest("details.menu"));
    event.target.closest("[data-dismiss]")?.closest(".alert").remove();
    const slot = event.target.closest("[data-cancel]")?.closest("#results .form-slot");
    if (slot) {
      event.preventDefault();
      cancel(slot);
    }
  });

  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const item = detail.elt.closest(".proposals > li");
    following = item && (item.nextElementSibling ?? item.previousElementSibling);
  });

  // A form with errors comes back in the place of its card.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.xhr.status === 422) Object.assign(detail, { shouldSwap: true, isError: false });
  });

  document.addEventListener("decided", ({ detail }) => {
    const asked = detail.focus.map((id) => document.getElementById(`proposal-${id}`)).find(Boolean);
    const next = following?.isConnected ? following.querySelector(".proposal") : null;
    const first = () => cards()[0] ?? document.getElementById("nothing");
    const left = asked ?? next ?? first();
    if (left) focusOn(left);
    else htmx.ajax("GET", location.href, { target: "#results" }).then(() => focusOn(first()));
  });
})();
