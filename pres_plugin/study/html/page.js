"use strict";

// The theme follows the system until somebody presses the button.
const root = document.documentElement;

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
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored(root.dataset.theme);
    label();
  });
  system.addEventListener("change", label);
  label();
  button.hidden = false;
}

// Tables: a column is sorted by value if all its cells are numbers, maybe with a range. Longer
// numbers are ids, whose last digits would be lost.
const NUMBER = /^[-<]?\d{1,15}(\.\d+)?(e[+-]?\d+)?( %| [[(].*[\])])?$/;
const NONE = "–";

function sortKeys(rows, column) {
  const texts = rows.map((row) => row.cells[column].textContent);
  const numeric = texts.every((text) => text === NONE || NUMBER.test(text));
  return texts.map((text) => {
    if (text === NONE) return null;
    if (!numeric) return text;
    return text.startsWith("<") ? parseFloat(text.slice(1)) / 2 : parseFloat(text);
  });
}

function sorted(rows, column, sign) {
  const keys = sortKeys(rows, column);
  const order = rows.map((_, i) => i);
  order.sort((i, j) => {
    const a = keys[i], b = keys[j];
    // Rows without a value come last, whatever the direction.
    if (a === null || b === null) return (a === null) - (b === null);
    return a < b ? -sign : a > b ? sign : 0;
  });
  return order.map((i) => rows[i]);
}

function makeSortable(table) {
  const headers = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
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
      const rows = order ? sorted(original, column, order === "ascending" ? 1 : -1) : original;
      body.append(...rows);
    });
  });
}

// Pictures: a tip appears where somebody points, taps or goes with the arrow keys.
function setUpTips() {
  const tip = document.getElementById("tip");
  let pointed = null;

  function hide() {
    tip.hidden = true;
    pointed?.classList.remove("pointed");
    pointed = null;
  }

  function show(place) {
    hide();
    pointed = place;
    place.classList.add("pointed");
    tip.textContent = place.dataset.tip;
    tip.hidden = false;
    move();
  }

  // Put the tip above its place, or below if there is no room, within the window.
  function move() {
    if (!pointed) return;
    const at = pointed.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const middle = at.left + at.width / 2 - size.width / 2;
    tip.style.left = `${Math.max(4, Math.min(middle, innerWidth - size.width - 4))}px`;
    tip.style.top = `${at.top > size.height + 8 ? at.top - size.height - 4 : at.bottom + 4}px`;
  }

  // This script shows the tips, so the browser need not.
  document.querySelectorAll(".tip > title").forEach((title) => title.remove());
  document.addEventListener("pointerover", (event) => {
    const place = event.target.closest?.(".tip");
    if (place) show(place); else hide();
  });
  document.addEventListener("scroll", move, { capture: true, passive: true });
  document.querySelectorAll(".picture").forEach((picture) => {
    const places = [...picture.querySelectorAll(".tip")];
    picture.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Escape") hide();
      if (!step || !places.length) return;
      event.preventDefault();
      const at = places.indexOf(pointed);
      const place = places[(at + (at < 0 && step < 0 ? 0 : step) + places.length) % places.length];
      place.scrollIntoView({ block: "nearest", inline: "nearest" });
      show(place);
    });
    picture.addEventListener("blur", hide);
  });
}

root.dataset.theme = stored() ?? "";
addEventListener("DOMContentLoaded", () => {
  setUpTheme();
  document.querySelectorAll("table").forEach(makeSortable);
  setUpTips();
});
