// SPDX-License-Identifier: Apache-2.0
// Shows the result in #data, by its schema. Texts come from users' files: they are set as text only.
"use strict";

const kColors = {
  selected: "#2e9e5b", wait: "#8f9aa6", short_scoreboard: "#e07b1f", long_scoreboard: "#b8432f",
  mio_throttle: "#d7b31c", lg_throttle: "#a98600", math_pipe_throttle: "#3f7fd0", barrier: "#8a55c2",
  membar: "#b27fe0", not_selected: "#7cc5a0", no_instruction: "#3fb3c4", imc_miss: "#1f7a8c",
  branch_resolving: "#c94f93", drain: "#6b5b4b", dispatch_stall: "#5562b0", sleeping: "#555555",
  gmma: "#264e9a",
};
const kRowsAtOnce = 250;  // rows of a table that are added at a time, while it is scrolled

const data = JSON.parse(document.getElementById("data").textContent);
const described = JSON.parse(document.getElementById("keys").textContent);
const page = document.getElementById("page");

/** An element with attributes and children; an SVG element if `name` begins with "svg:". */
function make(name, attributes = {}, ...children) {
  const svg = name.startsWith("svg:");
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4))
                      : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") element.style.cssText = value;
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const kCommas = new Intl.NumberFormat("en");

function show(value) {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return kCommas.format(value);
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(4).replace(/\.?0+$/, "");
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const words = (key) => key.replaceAll("_", " ");

/** A key in words, with its unit unless the words contain it. */
function titled(key) {
  const unit = described[key]?.unit;
  return unit && !words(key).includes(unit.toLowerCase()) ? `${words(key)} (${unit})` : words(key);
}

function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  page.append(make("section", { "aria-labelledby": id }, make("h2", { id }, title), ...children));
}

/** The verdict on a result, a sentence per line, with the word before each colon in bold. */
function verdictLines(lines, ...more) {
  if (!lines || !lines.length) return;
  section("Verdict", make("ul", { class: "verdict" }, ...lines.map((line) => {
    const [word, ...rest] = line.split(": ");
    return rest.length ? make("li", {}, make("b", {}, `${word}: `), rest.join(": ")) : make("li", {}, line);
  })), ...more);
}

/** Links to the page's sections, after the verdict or the head. */
function contents() {
  const heads = [...document.querySelectorAll("section > h2")].filter(({ id }) => id !== "verdict");
  if (heads.length < 2) return;
  const links = heads.map(({ id, textContent }) => make("a", { href: `#${id}` }, textContent));
  const nav = make("nav", { class: "contents", "aria-label": "contents" }, ...links);
  const first = document.querySelector("section[aria-labelledby=verdict]") ?? page.querySelector("h1 ~ :not(p)");
  if (first.id === "" && first.getAttribute("aria-labelledby") === "verdict") first.after(nav);
  else first.before(nav);
}

function figures(pairs) {
  return make("dl", {}, ...pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, show(value)))));
}

/** The parts as one bar; together they take `share` of its width. */
function bar(parts, share = 1, kind = "") {
  const all = sum(parts.map(([, cycles]) => cycles)) || 1;
  const text = parts.filter(([, cycles]) => cycles).map(([name, cycles]) => `${words(name)} ${show(cycles)}`);
  return make("div", { class: `bar ${kind}`, role: "img", "aria-label": text.join(", "), title: text.join("\n") },
    ...parts.filter(([, cycles]) => cycles).map(([name, cycles]) =>
      make("i", { style: `width:${100 * share * cycles / all}%;background:${kColors[name]}` })));
}

function legend(names) {
  return make("div", { class: "legend" }, ...names.map((name) =>
    make("span", {}, make("i", { style: `background:${kColors[name]}` }), words(name))));
}

/**
* A table that can be sorted by its heads. A column is {key, head, cell}; `cell` makes the
* content, and is absent if the content is the row's value. `eachRow` may add to a row.
 */
function sortable(columns, rows, eachRow = () => {}) {
  const body = make("tbody");
  const numeric = new Set(columns.filter(({ key }) => rows.some((row) => typeof row[key] === "number"))
    .map(({ key }) => key));
  const line = (row) => {
    const cells = columns.map(({ key, cell, wide, drawn }) =>
      make("td", { class: wide ? "wide" : numeric.has(key) && !drawn ? "number" : null },
           cell ? cell(row) : show(row[key])));
    const element = make("tr", {}, ...cells);
    eachRow(element, row);
    return element;
  };
  let order = { key: "", sign: 1 };
  let keep = () => true;
  let kept = [];
  const more = () => body.append(...kept.slice(body.children.length, body.children.length + kRowsAtOnce).map(line));
  const note = make("p", { class: "quiet", "aria-live": "polite" });
  const fill = () => {
    kept = rows.filter(keep);
    if (order.key) {
      kept.sort((a, b) => order.sign * (numeric.has(order.key)
        ? (a[order.key] ?? -Infinity) - (b[order.key] ?? -Infinity)
        : String(a[order.key] ?? "").localeCompare(String(b[order.key] ?? ""))));
    }
    body.replaceChildren();
    more();
    note.textContent = `${show(kept.length)} of ${show(rows.length)} rows`;
  };
  const meaning = (key) => [described[key]?.unit, described[key]?.help].filter((text) => text).join(": ") || null;
  const heads = columns.map(({ key, head }) => make("th", { scope: "col", class: numeric.has(key) ? "number" : null, title: meaning(key) },
    make("button", { type: "button", "data-key": key, onclick: (event) => {
      order = { key, sign: order.key === key ? -order.sign : numeric.has(key) ? -1 : 1 };
      for (const each of heads) each.firstChild.removeAttribute("data-order");
      event.currentTarget.setAttribute("data-order", order.sign);
      fill();
    } }, head ?? words(key))));
  const filter = make("input", { type: "search", placeholder: "filter rows", "aria-label": "filter rows",
    oninput: () => {
      const wanted = filter.value.toLowerCase();
      keep = (row) => columns.some(({ key }) => String(row[key] ?? "").toLowerCase().includes(wanted));
      fill();
    } });
  fill();
  const scrolled = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
    if (scrollTop + 2 * clientHeight > scrollHeight) more();
  };
  return make("div", {}, make("div", { class: "tools" }, filter, note),
    make("div", { class: "scroll", tabindex: 0, onscroll: scrolled }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body)));
}

/** The command line, for the head of a page. */
function commandOf(verb, inputs, options, machine) {
  const config = machine.name.split("+").flatMap((name) => ["--config", name]);
  return ["shflsim", verb, ...inputs, ...options, ...config, ...machine.overrides.flatMap((text) => ["--set", text])].join(" ");
}

/** "4 blocks of 256 threads on gh100, network crossbar" */
function launchOf({ blocks, threads_per_block: threads }, machine) {
  return `${show(blocks)} block${blocks === 1 ? "" : "s"} of ${show(threads)} threads on ${machine.name}, network ${machine.network}`;
}

function config(machine) {
  const isAssumed = (row) => row.source.startsWith("assumed");
  section("Configuration", make("p", {}, `${machine.name}, network ${machine.network}: ${machine.assumed} of ` +
    `${machine.values} values are assumed (red), without a source of their own; ${machine.assumed_in_use} of these can act on the cycles.`),
    sortable([{ key: "key", cell: (row) => make("code", {}, row.key) }, { key: "value" }, { key: "unit" },
      { key: "origin" }, { key: "source", wide: true, cell: (row) =>
        make("span", { class: isAssumed(row) ? "assumed" : null }, row.source) }, { key: "help", wide: true }], data.config));
}

function remarks(texts) {
  if (texts.length) section("Remarks", make("ul", {}, ...texts.map((text) => make("li", {}, text))));
}

function head(title, ...lines) {
  document.title = `${title} - shflsim`;
  page.append(make("h1", {}, title), ...lines.map((line) => make("p", { class: "quiet" }, line)));
}
