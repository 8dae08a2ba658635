// An import's file: dropped or chosen, and sent in parts, so that it may be larger than one request.
"use strict";

(() => {
  const form = document.getElementById("import-form");
  const zone = document.getElementById("drop-zone");
  const field = document.getElementById("file");
  const chosen = document.getElementById("chosen");
  const error = document.getElementById("import-error");
  const progress = document.getElementById("upload-progress");
  const button = form.querySelector("[type=submit]");
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const MIB = 1024 * 1024;

  for (const part of form.querySelectorAll(".with-script")) part.hidden = false;

  const tell = (text) => {
    error.textContent = text;
    error.hidden = !text;
  };

  const showChosen = () => {
    const [file] = field.files;
    if (file) chosen.textContent = `${file.name}, ${(file.size / MIB).toFixed(1)} MiB`;
    tell("");
  };

  const send = async (address, body) => {
    const headers = { "X-CSRFToken": token, Accept: "application/json" };
    const answer = await fetch(address, { method: "POST", body, headers, credentials: "same-origin" });
    if (answer.ok) return answer;
    const problem = await answer.json().catch(() => ({}));
    throw new Error(problem.detail || `The server answered ${answer.status}: try again.`);
  };

  const upload = async (file) => {
    const fields = new FormData(form);
    fields.delete("file");
    fields.set("name", file.name);
    fields.set("size", file.size);
    const begun = await (await send(form.dataset.begin, fields)).json();
    for (let number = 0; number * begun.part_bytes < file.size; number += 1) {
      const start = number * begun.part_bytes;
      const part = file.slice(start, start + begun.part_bytes);
      await send(`${begun.parts}?number=${number}`, part);
      progress.value = Math.min(1, (start + part.size) / file.size);
    }
    const checked = await send(begun.check, "");
    window.location.assign(checked.url.split("?")[0]);
  };

  field.addEventListener("change", showChosen);
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("is-over");
    });
  }
  zone.addEventListener("dragleave", () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("is-over");
    if (event.dataTransfer.files.length) {
      field.files = event.dataTransfer.files;
      showChosen();
    }
  });

  form.addEventListener("submit", async (event) => {
    const [file] = field.files;
    if (!file) return;
    event.preventDefault();
    if (file.size > Number(form.dataset.largest) * MIB) {
      tell(`At most ${form.dataset.largest} MiB are taken here. Import it on the server: manage.py memory import.`);
      return;
    }
    button.disabled = true;
    progress.hidden = false;
    try {
      await upload(file);
    } catch (problem) {
      tell(problem.message);
      button.disabled = false;
      progress.hidden = true;
    }
  });
})();
