// SPDX-License-Identifier: Apache-2.0
// Shows the result in #data, by its schema. Texts come from users' files: they are set as text only.
"use strict";

const kColors = {
  selected: "#2e9e5b", wait: "#8f9aa6", short_scoreboard: "#e07b1f", long_scoreboard: "#b8432f",
  mio_throttle: "#d7b31c", lg_throttle: "#a98600", math_pipe_throttle: "#3f7fd0", barrier: "#8a55c2",
  membar: "#b27fe0", not_selected: "#7cc5a0", no_instruction: "#3fb3c4", imc_miss: "#1f7a8c",
  branch_resolving: "#c94f93", drain: "#6b5b4b", dispatch_stall: "#5562b0", misc: "#555555",
};
const kMostRows = 2000;  // of a table at a time
const kMoreIsBetter = new Set(["ipc", "speedup", "issue_active", "utilization", "l1_hits"]);

const data = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");

/** An element with attributes and children; of SVG where `name` begins with "svg:". */
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

function show(value) {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return Math.abs(value) >= 100 ? value.toFixed(1) : value.toPrecision(4).replace(/\.?0+$/, "");
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const words = (key) => key.replaceAll("_", " ");

function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  page.append(make("section", { "aria-labelledby": id }, make("h2", { id }, title), ...children));
}

function figures(pairs) {
  return make("dl", {}, ...pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, show(value)))));
}

/** The parts as one bar, `share` of whose width they take together. */
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
 * A table that is sorted by its heads. A column is {key, head, cell}; `cell` makes what stands
 * there, or is absent where it is the row's value. `eachRow` may add to a row's element.
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
  const note = make("p", { class: "quiet", "aria-live": "polite" });
  const fill = () => {
    const kept = rows.filter(keep);
    if (order.key) {
      kept.sort((a, b) => order.sign * (numeric.has(order.key)
        ? (a[order.key] ?? -Infinity) - (b[order.key] ?? -Infinity)
        : String(a[order.key] ?? "").localeCompare(String(b[order.key] ?? ""))));
    }
    body.replaceChildren(...kept.slice(0, kMostRows).map(line));
    note.textContent = `${show(kept.length)} of ${show(rows.length)} rows` +
      (kept.length > kMostRows ? `, the first ${show(kMostRows)} shown` : "");
  };
  const heads = columns.map(({ key, head }) => make("th", { scope: "col", class: numeric.has(key) ? "number" : null },
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
  return make("div", {}, make("div", { class: "tools" }, filter, note),
    make("div", { class: "scroll", tabindex: 0 }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body)));
}

/** Whose value each lane receives: from the upper row to the lower one. */
function laneArrows({ source, executing, in_range: inRange, undefined: bad }) {
  const at = (lane) => 20 + lane * 30;
  const bit = (mask, lane) => (mask >>> lane & 1) === 1;
  const svg = make("svg:svg", { viewBox: "0 0 980 130", role: "img", "aria-label": "arrows from source to destination lanes" });
  for (let lane = 0; lane < 32; ++lane) {
    for (const y of [14, 124]) {
      svg.append(make("svg:text", { x: at(lane), y, "text-anchor": "middle",
                                    class: bit(executing, lane) ? null : "off" }, String(lane)));
    }
    if (!bit(executing, lane)) continue;
    const kind = bit(bad, lane) ? "undefined" : bit(inRange, lane) ? "arrow" : "own";
    svg.append(make("svg:path", { class: kind, "data-lane": lane,
                                  d: `M${at(source[lane])} 20 L${at(lane)} 106 m-3 -6 l3 6 l3 -6` }));
  }
  return svg;
}

function lanesOf(row) {
  const { maps, shown } = data.lane_maps[row.index];
  const more = maps > 1 ? `; the first of ${maps} different lane maps` : "";
  return [make("p", {}, make("code", {}, `${row.pc}  ${row.text}`), more), laneArrows(shown[0]),
    make("p", { class: "quiet" }, "Lanes of the upper row send, of the lower one receive. Dashed: out of range, " +
      "keeps its own value. Red: reads a lane that does not execute.")];
}

function instructions(states) {
  const rows = data.instructions.map((row, index) => ({ ...row, index }));
  const most = Math.max(1, ...rows.map((row) => row.warp_cycles));
  const lanes = make("div", { id: "lanes", hidden: "" });
  const choose = (element, row) => {
    for (const each of document.querySelectorAll("tr.chosen")) each.classList.remove("chosen");
    element.classList.add("chosen");
    lanes.hidden = false;
    lanes.replaceChildren(...lanesOf(row));
  };
  const columns = [
    { key: "pc", drawn: true, cell: (row) => make("code", {}, row.pc) },
    { key: "text", head: "instruction", cell: (row) => make("code", {}, row.text) },
    { key: "issued" }, { key: "lanes" }, { key: "latency_mean", head: "latency" }, { key: "passes" },
    { key: "port_conflicts", head: "port conflicts" }, { key: "warp_cycles", head: "warp-cycles" },
    { key: "top_stall", head: "where its warps' cycles went", drawn: true, cell: (row) =>
      bar(states.map((state) => [state, row[`stall_${state}`] ?? 0]), row.warp_cycles / most) },
  ];
  const table = sortable(columns, rows, (element, row) => {
    element.style.background = `rgba(var(--heat), ${(0.4 * row.warp_cycles / most).toFixed(3)})`;
    if (!data.lane_maps[row.index]) return;
    element.tabIndex = 0;
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, () => choose(element, row));
  });
  section("Instructions", make("p", { class: "quiet" }, "The redder a line, the more cycles its warps spent " +
    "before and at it. Point at a SHFL, or reach it with Tab, for whose value each lane gets."),
    legend(states), table, lanes);
}

function overTime(states) {
  const { cycles, states: windows } = data.over_time;
  const most = Math.max(1, ...windows.map(sum));
  const [wide, high] = [1180, 200];
  const step = wide / Math.max(1, windows.length);
  const svg = make("svg:svg", { viewBox: `0 0 ${wide} ${high + 22}`, role: "img", "aria-label": "warp states over time" });
  windows.forEach((window, i) => {
    let y = high;
    const column = make("svg:g", { "data-window": i });
    window.forEach((part, state) => {
      if (!part) return;
      const height = high * part / most;
      y -= height;
      column.append(make("svg:rect", { x: i * step, y, width: step, height, fill: kColors[data.states[state].state] }));
    });
    const text = window.map((part, state) => [words(data.states[state].state), part]).filter(([, part]) => part);
    column.append(make("svg:title", {}, `cycles ${i * cycles} to ${(i + 1) * cycles - 1}\n` +
      text.map(([name, part]) => `${name} ${show(part / cycles)} warps`).join("\n")));
    svg.append(column);
  });
  svg.append(make("svg:text", { x: 0, y: high + 16 }, "cycle 0"),
    make("svg:text", { x: wide, y: high + 16, "text-anchor": "end" }, `cycle ${show(windows.length * cycles)}`));
  section("Over time", make("p", { class: "quiet" }, `What resident warps did, in windows of ${cycles} ` +
    `cycle${cycles === 1 ? "" : "s"}; as high as ${show(most / cycles)} warps.`), legend(states), svg);
}

function warps(names) {
  const most = Math.max(1, ...data.warp_states.map(sum));
  const rows = data.warp_states.map((states, i) => ({ ...data.warps[i], cycles: sum(states), states }));
  const columns = [{ key: "block" }, { key: "warp" }, { key: "first_issue" }, { key: "finish" }, { key: "cycles" },
    { key: "states", head: "where its cycles went", drawn: true, cell: (row) =>
      bar(row.states.map((cycles, i) => [data.states[i].state, cycles]), row.cycles / most) }];
  const more = data.warps.length - rows.length;
  section("Warps", more > 0 ? make("p", { class: "quiet" }, `The first ${rows.length}; ${show(more)} more.`) : null,
    legend(names), sortable(columns, rows));
}

function config(machine) {
  const isAssumed = (row) => row.source.startsWith("assumed");
  section("Configuration", make("p", {}, `${machine.name}, network ${machine.network}: ${machine.assumed} of ` +
    `${machine.values} values are assumed (red), without a source of their own: the result rests on them.`),
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

function run() {
  const { machine, totals, launch } = data;
  const used = data.states.filter((state) => state.cycles).map((state) => state.state);
  head(data.kernel, [data.input, ...data.arguments].join(" "),
    `${machine.name}, network ${machine.network}${machine.overrides.map((text) => `, ${text}`).join("")}`,
    data.complete ? "" : `Partial: ${data.stopped_by}`);
  page.append(figures([["cycles", totals.cycles], ["warp instructions", totals.warp_instructions], ["IPC", totals.ipc],
    ["issue slots used", percent(totals.issue_active)], ["shuffle passes", totals.passes],
    ["port conflicts", totals.port_conflicts],
    ["blocks", launch.blocks], ["threads a block", launch.threads_per_block], ["registers", launch.registers],
    ["assumed values", `${machine.assumed} of ${machine.values}`]]));
  section("Where the warps' cycles went", bar(data.states.map(({ state, cycles }) => [state, cycles]), 1, "long"),
    make("div", { class: "legend" }, ...data.states.filter((state) => state.cycles)
      .sort((a, b) => b.cycles - a.cycles).map(({ state, share }) => make("span", {},
        make("i", { style: `background:${kColors[state]}` }), `${words(state)} ${percent(share)}`))));
  remarks(data.remarks);
  instructions(used);
  overTime(used);
  section("Units", sortable([{ key: "unit" }, { key: "instances" }, { key: "operations" }, { key: "busy", head: "busy cycles" },
    { key: "utilization", cell: (row) => percent(row.utilization) }], data.units));
  warps(used);
  if (data.findings.length) {
    section("Findings", sortable(Object.keys(data.findings[0]).map((key) => ({ key })), data.findings));
  }
  config(machine);
}

const numericKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => typeof row[key] === "number"));
const flatKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => !rows.some((row) => typeof row[key] === "object" && row[key]));

function chooser(label, keys, chosen, changed) {
  const select = make("select", { onchange: changed }, ...keys.map((key) => make("option", { value: key }, words(key))));
  select.value = keys.includes(chosen) ? chosen : keys[0];
  return [make("label", {}, `${label} `, select), select];
}

const kFront = "In green: no other design is better in one of the two figures and as good in the other. " +
  "More is better of ipc, speedup and the like, less of all else.";

/** Points of two figures, and the Pareto front of those that no other one beats in both. */
function scatter(rows, nameOf, first, second) {
  const keys = numericKeys(rows);
  const place = make("div");
  const draw = () => {
    const points = rows.map((row) => ({ x: row[xSelect.value], y: row[ySelect.value], name: nameOf(row) }))
      .filter(({ x, y }) => typeof x === "number" && typeof y === "number");
    const range = (key) => { const all = points.map((point) => point[key]); return [Math.min(...all), Math.max(...all)]; };
    const [[x0, x1], [y0, y1]] = [range("x"), range("y")];
    const at = (point) => [90 + 860 * (point.x - x0) / (x1 - x0 || 1), 330 - 290 * (point.y - y0) / (y1 - y0 || 1)];
    const gain = (key, a, b) => kMoreIsBetter.has(key) ? a - b : b - a;
    const beats = (a, b) => {
      const gains = [gain(xSelect.value, a.x, b.x), gain(ySelect.value, a.y, b.y)];
      return Math.min(...gains) >= 0 && Math.max(...gains) > 0;
    };
    const front = points.filter((point) => !points.some((other) => beats(other, point))).sort((a, b) => a.x - b.x);
    const svg = make("svg:svg", { viewBox: "0 0 1180 380", role: "img", "aria-label": `${ySelect.value} by ${xSelect.value}` },
      make("svg:path", { class: "axis", fill: "none", d: "M80 30 V340 H960" }),
      make("svg:text", { x: 80, y: 20 }, `${words(ySelect.value)}: ${show(y0)} to ${show(y1)}`),
      make("svg:text", { x: 960, y: 362, "text-anchor": "end" }, `${words(xSelect.value)}: ${show(x0)} to ${show(x1)}`),
      make("svg:path", { class: "path", d: front.map((point, i) => `${i ? "L" : "M"}${at(point).join(" ")}`).join("") }));
    for (const point of points) {
      const [cx, cy] = at(point);
      const isFront = front.includes(point);
      svg.append(make("svg:circle", { cx, cy, r: isFront ? 5 : 3.5, class: isFront ? "front" : "dot" },
        make("svg:title", {}, `${point.name}\n${words(xSelect.value)} ${show(point.x)}\n${words(ySelect.value)} ${show(point.y)}`)));
      if (points.length <= 24) svg.append(make("svg:text", { x: cx + 7, y: cy - 6 }, point.name));
    }
    place.replaceChildren(svg);
  };
  const [xLabel, xSelect] = chooser("across", keys, first, draw);
  const [yLabel, ySelect] = chooser("up", keys, second, draw);
  draw();
  return [make("div", { class: "tools" }, xLabel, yLabel), place];
}

/** Means of a figure by two columns, the more the redder. */
function heatMap(rows, keys, figureKeys, [first, second, figure]) {
  const place = make("div", { class: "scroll", tabindex: 0 });
  const draw = () => {
    const [rowKey, columnKey, key] = [rowSelect.value, columnSelect.value, figureSelect.value];
    const cells = new Map();
    for (const row of rows) {
      if (typeof row[key] !== "number") continue;
      const at = JSON.stringify([row[rowKey], row[columnKey]]);
      cells.set(at, [...cells.get(at) ?? [], row[key]]);
    }
    const means = new Map([...cells].map(([at, all]) => [at, sum(all) / all.length]));
    const [least, most] = [Math.min(...means.values()), Math.max(...means.values())];
    const values = (of) => [...new Set(rows.map((row) => row[of]))];
    const cell = (r, c) => {
      const mean = means.get(JSON.stringify([r, c]));
      if (mean === undefined) return make("td");
      const share = (mean - least) / (most - least || 1);
      return make("td", { class: "number", style: `background:rgba(var(--heat), ${(0.6 * share).toFixed(3)})` }, show(mean));
    };
    place.replaceChildren(make("table", { class: "heat" },
      make("thead", {}, make("tr", {}, make("th", {}, `${words(rowKey)} \\ ${words(columnKey)}`),
        ...values(columnKey).map((c) => make("th", { class: "number" }, show(c))))),
      make("tbody", {}, ...values(rowKey).map((r) =>
        make("tr", {}, make("th", { scope: "row" }, show(r)), ...values(columnKey).map((c) => cell(r, c)))))));
  };
  const [rowLabel, rowSelect] = chooser("rows", keys, first, draw);
  const [columnLabel, columnSelect] = chooser("columns", keys, second, draw);
  const [figureLabel, figureSelect] = chooser("mean of", figureKeys, figure, draw);
  draw();
  return [make("div", { class: "tools" }, rowLabel, columnLabel, figureLabel), place];
}

function compare() {
  const { designs, points, inputs } = data;
  head(`${designs.length} designs on ${inputs.length} workload${inputs.length === 1 ? "" : "s"}`,
    `Differences are against ${designs[0].design}.`, data.complete ? "" : "Some runs are partial.");
  remarks([...new Set([...designs, ...inputs].flatMap((each) => each.remarks))]);
  section("Designs", sortable(flatKeys(designs).map((key) => ({ key })), designs));
  section("Pareto front", make("p", { class: "quiet" }, kFront), ...scatter(designs, (row) => row.design, "mux2", "cycles"));
  section("By workload", ...heatMap(points, ["workload", "design"], numericKeys(points), ["workload", "design", "cycles"]));
  section("Runs", sortable(flatKeys(points).map((key) => ({ key })), points));
  config(designs[0].machine);
}

/** A row for each design, with the means over its points; only of designs that have as many as the others. */
function designsOf(rows, ofDesign, figureKeys) {
  const groups = new Map();
  for (const row of rows) {
    const name = ofDesign.map((key) => `${key} ${show(row[key])}`).join(", ");
    groups.set(name, [...groups.get(name) ?? [], row]);
  }
  const most = Math.max(...[...groups.values()].map((points) => points.length));
  const isWhole = ([, points]) => points.length === most && points.every((row) => !row.state || row.state === "done");
  return [...groups].filter(isWhole).map(([name, points]) => ({ name, ...Object.fromEntries(figureKeys.map((key) => {
    const values = points.map((row) => row[key]);
    return [key, values.every((value) => typeof value === "number") ? sum(values) / values.length : null];
  })) }));
}

function results() {
  const { rows } = data;
  head(`${show(rows.length)} ${data.view} of a sweep`);
  if (!rows.length) return;
  const keys = flatKeys(rows);
  const values = (key) => new Set(rows.map((row) => row[key])).size;
  const axes = keys.filter((key) => key.includes(".") || ["input", "kernel", "config"].includes(key));
  const vary = axes.filter((key) => values(key) > 1);
  const figureKeys = numericKeys(rows).filter((key) => !axes.includes(key));
  if (axes.length > 1 && figureKeys.length) {
    const [first, second] = [...vary.filter((key) => key.includes(".")), ...vary, ...axes];
    section("Heat map", ...heatMap(rows, axes, figureKeys, [first, second, "cycles"]));
  }
  if (figureKeys.length > 1) {
    const ofDesign = vary.filter((key) => !["input", "kernel"].includes(key));
    section("Pareto front", make("p", { class: "quiet" }, `${kFront} A point is a design: means over its kernels.`),
      ...scatter(designsOf(rows, ofDesign, figureKeys), (row) => row.name, "mux2", "cycles"));
  }
  section("Points", sortable(keys.map((key) => ({ key })), rows));
}

const kPages = { "shflsim-run": run, "shflsim-compare": compare, "shflsim-results": results };
kPages[data.schema.split("/")[0]]();
page.append(make("footer", {}, `shflsim ${data.version ?? ""}`));
document.body.dataset.milliseconds = performance.now().toFixed(1);
