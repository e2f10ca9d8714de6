// SPDX-License-Identifier: BSD-3-Clause
const root = document.documentElement;
const titled = document.title;
root.classList.add("paged"); // the style sheet then shows the current page only
history.scrollRestoration = "manual";

const byId = (id) => document.getElementById(id);
const pages = () => [...document.querySelectorAll(".page")];
const current = () => document.querySelector(".page.current");

// The page that the address names, and the place in it. `top` is where its reader had left it.
function show(top) {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = byId(id) ?? byId("overview");
  const page = target.closest(".page") ?? byId("overview");
  const turned = page !== current();
  for (const each of pages()) each.classList.toggle("current", each === page);
  for (const link of document.querySelectorAll("#pages a")) {
    if (link.hash === `#${page.id}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = page.id === "overview" ? titled : `${page.dataset.title} - Raddle`;
  byId("place").textContent = `${pages().indexOf(page) + 1} / ${pages().length}`;
  byId("menu").checked = false;
  if (target !== page) target.closest("details")?.setAttribute("open", "");
  if (top !== undefined) scrollTo(0, top);
  else if (target !== page) target.scrollIntoView({ block: target.matches("tr") ? "center" : "start" });
  else if (root.classList.contains("paged")) scrollTo(0, 0);
  else page.scrollIntoView();
  if (turned || target !== page) (target === page ? byId(`${page.id}-title`) : target).focus({ preventScroll: true });
}

function turn(step) {
  const next = pages()[pages().indexOf(current()) + step];
  if (next) location.hash = next.id;
}

function theme() {
  root.dataset.theme = getComputedStyle(root).colorScheme === "dark" ? "light" : "dark";
}

// From cell to cell of a matrix; those without a comparison are passed over.
function move(cell, down, right) {
  const rows = [...cell.closest("tbody").rows];
  let [row, column] = [rows.indexOf(cell.parentElement) + down, cell.cellIndex + right];
  for (let next = cell; (next = rows[row]?.cells[column]); row += down, column += right) {
    const link = next.querySelector("a");
    if (link) return link.focus();
  }
}

const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const keys = {
  j: () => turn(1),
  k: () => turn(-1),
  ArrowRight: () => turn(1),
  ArrowLeft: () => turn(-1),
  o: () => { location.hash = "overview"; },
  m: () => {
    location.hash = byId("matrix") ? "matrix" : "overview";
    setTimeout(() => document.querySelector("#matrix .matrix td a")?.focus(), 0);
  },
  a: () => { root.classList.toggle("paged"); show(); },
  d: theme,
  "?": () => byId("keys").showModal(),
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const arrow = arrows[event.key];
  const cell = event.target.closest?.(".matrix td");
  if (event.target.matches?.("input, textarea, select")) return;
  if (arrow && cell) move(cell, ...arrow);
  else if (arrow && event.target.closest?.(".scroll, pre")) return; // it scrolls itself
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
}

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(code); // no permission to write: the reader presses Ctrl-C
    button.textContent = "selected";
  }
  setTimeout(() => { button.textContent = "copy"; }, 1500);
}

document.addEventListener("DOMContentLoaded", () => {
  byId("theme").addEventListener("click", theme);
  byId("help").addEventListener("click", keys["?"]);
  byId("previous").addEventListener("click", keys.k);
  byId("next").addEventListener("click", keys.j);
  for (const button of document.querySelectorAll("button.copy")) button.addEventListener("click", () => copy(button));
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // to the content of this page, not to the first one
    byId(`${current().id}-title`).focus();
  });
  addEventListener("keydown", pressed);
  addEventListener("popstate", (event) => show(event.state?.top));
  // Where its reader leaves a page is kept with the page's entry in the history.
  addEventListener("scrollend", () => history.replaceState({ top: scrollY }, ""));
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open]):not(.long)")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of opened) each.open = false; });
  show();
});
