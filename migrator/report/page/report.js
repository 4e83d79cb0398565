"use strict";
(() => {
  const query = document.getElementById("query");
  if (!query) return;
  const boxes = [...document.querySelectorAll("#filter input[type=checkbox]")];
  const files = [...document.querySelectorAll("details.file")];
  const findings = [...document.querySelectorAll("li.finding")];
  const shown = document.getElementById("shown");

  function apply() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter((box) => !box.checked).map((box) => box.value));
    let count = 0;
    for (const finding of findings) {
      const text = finding.dataset.text;
      const fits = !off.has(finding.dataset.level) && words.every((word) => text.includes(word));
      finding.hidden = !fits;
      count += fits;
    }
    for (const file of files) {
      const own = [...file.querySelectorAll("li.finding")];
      const named = words.every((word) => file.dataset.path.includes(word));
      const some = own.some((finding) => !finding.hidden);
      file.hidden = !some && !(named && (own.length === 0 || off.size === 0));
    }
    shown.textContent = `${count} of ${findings.length} findings`;
  }

  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (let place = target; place; place = place.parentElement) {
      if (place.tagName === "DETAILS") place.open = true;
    }
    if (target) target.scrollIntoView();
  }

  query.addEventListener("input", apply);
  boxes.forEach((box) => box.addEventListener("change", apply));
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  document.querySelectorAll("button.rule").forEach((button) => {
    button.addEventListener("click", () => {
      query.value = query.value === button.dataset.code ? "" : button.dataset.code;
      apply();
      query.scrollIntoView({ block: "nearest" });
    });
  });
  for (const [id, open] of [["open-all", true], ["close-all", false]]) {
    document.getElementById(id).addEventListener("click", () => {
      files.forEach((file) => { file.open = open; });
    });
  }
  const accepts = [...document.querySelectorAll("input.accept")];
  const accepted = document.getElementById("accepted");

  function count() {
    const chosen = accepts.filter((box) => box.checked).length;
    accepted.textContent = `${chosen} of ${accepts.length} changes accepted`;
  }

  function save() {
    const changes = accepts.filter((box) => box.checked)
      .map((box) => ({ key: box.dataset.key, path: box.dataset.path }));
    const text = `${JSON.stringify({ migrate_accepted: 1, changes }, null, 2)}\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "accepted.json";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  if (accepted) {
    for (const [id, chosen] of [["accept-all", true], ["accept-none", false]]) {
      document.getElementById(id).addEventListener("click", () => {
        accepts.forEach((box) => { box.checked = chosen; });
        count();
      });
    }
    accepts.forEach((box) => box.addEventListener("change", count));
    document.getElementById("save").addEventListener("click", save);
    document.getElementById("accept").addEventListener("submit", (e) => e.preventDefault());
    count();
  }
  window.addEventListener("hashchange", reveal);
  apply();
  reveal();
})();
