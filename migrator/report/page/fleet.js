"use strict";
(() => {
  const form = document.getElementById("filter");
  const query = document.getElementById("query");
  const shown = document.getElementById("shown");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const choices = [...form.querySelectorAll("select")];
  const jobs = [...document.querySelectorAll("table.jobs tbody tr")];
  const projects = [...document.querySelectorAll("table.projects tbody tr")];
  let only = "";

  function fits(job, words, off) {
    if (off.has(job.dataset.state) || (only && job.dataset.project !== only)) return false;
    const chosen = choices.every((choice) =>
      !choice.value || job.dataset[choice.dataset.filter].split("|").includes(choice.value));
    return chosen && words.every((word) => job.dataset.text.includes(word));
  }

  function apply() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    const narrow = only || off.size || choices.some((choice) => choice.value);
    const left = new Set();
    let count = 0;
    for (const job of jobs) {
      job.hidden = !fits(job, words, off);
      if (job.hidden) continue;
      left.add(job.dataset.project);
      count += 1;
    }
    for (const project of projects) {
      const name = project.dataset.name;
      const named = words.every((word) => name.toLowerCase().includes(word));
      project.hidden = !left.has(name) && (Boolean(narrow) || !named);
    }
    shown.textContent = `${count} of ${jobs.length} jobs${only ? ` in ${only}` : ""}`;
  }

  function key(row, index) {
    const cell = row.cells[index];
    return "sort" in cell.dataset ? Number(cell.dataset.sort) : cell.textContent.toLowerCase();
  }

  function sort(head) {
    const ascending = head.getAttribute("aria-sort") !== "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const body = head.closest("table").tBodies[0];
    const rows = [...body.rows].map((row) => [key(row, head.cellIndex), row]);
    rows.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0) * (ascending ? 1 : -1));
    body.append(...rows.map(([, row]) => row));
  }

  document.querySelectorAll("button.sort").forEach((button) => {
    button.addEventListener("click", () => sort(button.parentElement));
  });
  document.querySelectorAll("button.only").forEach((button) => {
    button.addEventListener("click", () => {
      only = only === button.dataset.project ? "" : button.dataset.project;
      apply();
    });
  });
  document.querySelectorAll("button.rule").forEach((button) => {
    button.addEventListener("click", () => {
      const words = button.dataset.words;
      query.value = query.value === words ? "" : words;
      apply();
      query.scrollIntoView({ block: "nearest" });
    });
  });
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    only = "";
    // the form has its first values only after this event
    setTimeout(apply);
  });
  apply();
})();
