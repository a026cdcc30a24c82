"use strict";
// Tables are sorted by a click on a heading, again for the other way round; what has no value stays last.
const words = new Intl.Collator("en", { numeric: true });

function keyOf(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.key !== undefined) return Number(cell.dataset.key);
  return cell.textContent.trim();
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return words.compare(String(a), String(b));
}

function sortBy(table, column, head) {
  const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
  const body = table.tBodies[0];
  const numeric = [...body.rows].some((row) => row.cells[column].dataset.key !== undefined);
  const empty = (key) => key === "" || (numeric && typeof key === "string");
  const keyed = [...body.rows].map((row) => [keyOf(row, column), row]);
  keyed.sort(([a], [b]) => (empty(a) - empty(b)) || turn * compare(a, b));
  body.append(...keyed.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = head.querySelector("button");
    if (button) button.addEventListener("click", () => sortBy(table, column, head));
  });
}

// What is behind a button is seen while it is pointed at, near it; a click keeps it open, with its commands.
function showBehind(button, behind) {
  if (!behind.matches(":popover-open")) behind.showPopover();
  const at = button.getBoundingClientRect();
  const own = behind.getBoundingClientRect();
  const below = at.bottom + own.height + 8 <= innerHeight;
  behind.style.left = `${Math.max(8, Math.min(at.left, innerWidth - own.width - 8))}px`;
  behind.style.top = `${Math.max(8, below ? at.bottom + 4 : at.top - own.height - 4)}px`;
}

for (const button of document.querySelectorAll("button.peek")) {
  const behind = document.getElementById(button.dataset.peek);
  const isKept = () => behind.classList.contains("kept");
  const isOtherKept = () => document.querySelector(".behind.kept") !== null && !isKept();
  const show = () => { if (!isOtherKept()) showBehind(button, behind); };
  const hide = () => { if (!isKept() && behind.matches(":popover-open")) behind.hidePopover(); };
  button.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") show(); });
  button.addEventListener("pointerleave", hide);
  button.addEventListener("focus", () => { if (button.matches(":focus-visible")) show(); });
  button.addEventListener("blur", hide);
  button.addEventListener("click", () => { behind.classList.add("kept"); showBehind(button, behind); });
  behind.addEventListener("toggle", (event) => {
    if (event.newState === "closed") behind.classList.remove("kept");
  });
}

// On paper nothing can be unfolded.
window.addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
