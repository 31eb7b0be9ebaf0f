"use strict";

// The theme follows the system until somebody presses the button.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function stored(theme) {
  try {
    if (theme) localStorage.setItem("pres-theme", theme);
    return localStorage.getItem("pres-theme");
  } catch {
    return null; // some browsers store nothing for local files
  }
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    root.dataset.theme = stored(isDark() ? "light" : "dark") ?? (isDark() ? "light" : "dark");
    label();
  });
  system.addEventListener("change", label);
  label();
  button.hidden = false;
}

// Tables: a column of numbers, maybe with a range, is sorted by value. Longer numbers are ids,
// whose last digits would be lost. Rows without a value come last.
const NUMBER = /^[-<]?\d{1,15}(\.\d+)?(e[+-]?\d+)?( %| [[(].*[\])])?$/;

function keysOf(rows, column) {
  const texts = rows.map((row) => row.cells[column].textContent);
  const numeric = texts.every((text) => text === "–" || NUMBER.test(text));
  const number = (text) => (text[0] === "<" ? parseFloat(text.slice(1)) / 2 : parseFloat(text));
  return new Map(rows.map((row, i) =>
    [row, texts[i] === "–" ? null : numeric ? number(texts[i]) : texts[i]]));
}

function makeSortable(table) {
  const headers = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const original = [...body.rows];
  const next = { null: "ascending", ascending: "descending", descending: null };
  headers.forEach((header, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Sort by this column";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const order = next[header.getAttribute("aria-sort")];
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      if (order) header.setAttribute("aria-sort", order);
      const keys = keysOf(original, column), sign = order === "ascending" ? 1 : -1;
      body.append(...(!order ? original : [...original].sort((one, other) => {
        const a = keys.get(one), b = keys.get(other);
        if (a === null || b === null) return (a === null) - (b === null);
        return a < b ? -sign : a > b ? sign : 0;
      })));
    });
  });
}

root.dataset.theme = stored() ?? "";
addEventListener("DOMContentLoaded", () => {
  setUpTheme();
  document.querySelectorAll("table").forEach(makeSortable);
});
