// What JavaScript adds to pages that work without it: ticking all, counting ticks, copying, and shortcuts by single keys.
"use strict";

(() => {
  const pages = { o: "/", i: "/inbox/", m: "/memories/", s: "/search/", p: "/people/", f: "/deleted/" };
  const shortcutsAreOn = () => document.body.dataset.shortcuts !== "off";
  let waitingForPage = false;

  const ticks = 'input:is([name="memory"], [name="proposal"])';
  const boxesOf = (form) => [...document.querySelectorAll(`${ticks}[form="${form}"]`)];

  function showTicks() {
    for (const all of document.querySelectorAll("[data-tick-all]")) {
      const boxes = boxesOf(all.dataset.tickAll);
      const ticked = boxes.filter((box) => box.checked).length;
      all.closest("label").hidden = boxes.length === 0;
      all.checked = ticked > 0 && ticked === boxes.length;
      all.indeterminate = ticked > 0 && ticked < boxes.length;
      const counter = document.querySelector(`[data-ticked="${all.dataset.tickAll}"]`);
      counter.textContent = ticked ? `${ticked} ticked` : "";
    }
  }

  document.addEventListener("change", ({ target }) => {
    if (target.dataset.tickAll) for (const box of boxesOf(target.dataset.tickAll)) box.checked = target.checked;
    if (target.dataset.tickAll || target.matches(ticks)) showTicks();
  });
  document.addEventListener("DOMContentLoaded", showTicks);
  document.addEventListener("htmx:afterSettle", showTicks);

  // A page from the browser's own store would show old figures and old ticks.
  window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  function moveInList(step) {
    const links = [...document.querySelectorAll(".memories a.memory-text")];
    if (!links.length) return;
    const at = links.findIndex((link) => link.closest(".memory").contains(document.activeElement));
    links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
  }

  function tickHere() {
    const box = document.activeElement.closest(".memory")?.querySelector('input[name="memory"]');
    if (box) box.click();
  }

  const keys = {
    "/": () => document.getElementById("q")?.focus(),
    "?": () => document.getElementById("help")?.showModal(),
    j: () => moveInList(1),
    k: () => moveInList(-1),
    x: tickHere,
    g: () => { waitingForPage = true; setTimeout(() => { waitingForPage = false; }, 1500); },
  };

  const isTyping = (element) => element.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]");

  document.addEventListener("keydown", (event) => {
    if (!shortcutsAreOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (waitingForPage && pages[event.key]) {
      location.assign(pages[event.key]);
    } else if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  // Buttons that copy a text on the page, shown only where the browser lets a page copy.
  for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      document.getElementById("announce").textContent = "Copied";
      const name = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = name; }, 2000);
    });
  }
})();
