// Buttons that copy a text on the page, shown only where the browser lets a page copy.
"use strict";

(() => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) {
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
