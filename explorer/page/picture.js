// SPDX-License-Identifier: Apache-2.0
// Draws an answer.
const kSvg = "http://www.w3.org/2000/svg";
// Adjacent hues differ much, and none is red, the colour of undefined reads.
const hueOf = (lane) => 30 + lane * 7 % 32 * 10;

function svg(name, attributes = {}, text = "") {
  const element = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const told = (lane) => !lane.executes ? `lane ${lane.lane} is not active`
  : lane.undefined ? `lane ${lane.lane}: undefined, lane ${lane.source} is not active`
  : !lane.in_range ? `lane ${lane.lane} keeps its own value: out of range, predicate false`
  : `lane ${lane.lane} receives lane ${lane.source}'s value`;

/** Lanes of a list as "0-3, 8". */
function ranges(lanes) {
  const parts = [];
  for (const lane of [...lanes].sort((a, b) => a - b)) {
    const last = parts[parts.length - 1];
    if (last && last[1] === lane - 1) last[1] = lane;
    else parts.push([lane, lane]);
  }
  return parts.map(([a, b]) => a === b ? `${a}` : `${a}-${b}`).join(", ");
}

const kStep = 30, kLeft = 86, kTop = 22, kBottom = 172;
const xOf = (lane) => kLeft + lane * kStep;

/** A lane of a SHFL as the picture takes it. */
function wayOfShuffle(each) {
  const kind = !each.executes ? "idle" : each.undefined ? "bad" : each.in_range ? "arrow" : "own";
  return { lane: each.lane, source: each.source, kind, predicate: each.executes ? each.in_range : undefined,
           told: told(each) };
}

function line(way) {
  const [from, to] = [xOf(way.source), xOf(way.lane)];
  const middle = (kTop + kBottom) / 2;
  const curve = `M${from} ${kTop + 6} C${from} ${middle} ${to} ${middle} ${to} ${kBottom - 17}`;
  const path = svg("path", { d: curve, class: way.kind });
  const head = svg("path", { d: `M${to - 4} ${kBottom - 23} L${to} ${kBottom - 15} L${to + 4} ${kBottom - 23}`,
                             class: way.kind });
  head.style.strokeDasharray = "none";
  if (way.kind === "arrow")
    for (const each of [path, head]) each.style.stroke = `hsl(${hueOf(way.source)} 65% var(--stroke))`;
  const hit = svg("path", { d: curve, class: "hit" });
  hit.append(svg("title", {}, way.told));
  return [path, head, hit];
}

/** A lane that receives no lane's value has a mark in place of an arrow. */
const kMarks = { zero: ["0", "mark"], none: ["?", "mark bad"] };

function mark(way) {
  const [text, kind] = kMarks[way.kind];
  const element = svg("text", { x: xOf(way.lane), y: kBottom - 18, class: `side ${kind}` }, text);
  element.append(svg("title", {}, way.told));
  return [element];
}

function arrow(way) {
  const group = svg("g", { class: "way", "data-lane": way.lane });
  group.append(...way.kind in kMarks ? mark(way) : line(way));
  return group;
}

/** The arrows of all lanes; arrows of lanes that are not in `shown` are faint. */
function pictureOf(ways, shown) {
  const width = xOf(ways.length - 1) + 22;
  const picture = svg("svg", { role: "img", viewBox: `0 0 ${width} ${kBottom + 26}`,
                               "aria-label": ways.map((way) => way.told).join("; ") });
  picture.style.minWidth = `${width * 0.68}px`;
  picture.append(svg("text", { class: "side", x: 2, y: kTop }, "reads from"),
                 svg("text", { class: "side", x: 2, y: kBottom }, "lane"));
  if (ways.some((way) => way.predicate !== undefined))
    picture.append(svg("text", { class: "side", x: 2, y: kBottom + 18 }, "predicate"));
  for (const way of ways) {
    const kind = way.kind === "idle" ? "idle" : "";
    for (const y of [kTop, kBottom]) picture.append(svg("text", { x: xOf(way.lane), y, class: kind }, `${way.lane}`));
    if (way.kind === "idle") continue;
    const drawn = arrow(way);
    if (shown && !shown.has(way.lane)) drawn.classList.add("faint");
    picture.append(drawn);
    if (way.predicate !== undefined)
      picture.append(svg("circle", { cx: xOf(way.lane), cy: kBottom + 14, r: 3.6, class: way.predicate ? "on" : "off" }));
  }
  return picture;
}

/** Pictures {title, ways} one below the other. */
function drawPictures(place, pictures, shown) {
  place.replaceChildren(...pictures.flatMap(({ title, ways }) =>
    [...title ? [html("h3", {}, title)] : [], pictureOf(ways, shown)]));
}

function drawTable(table, lanes) {
  const row = (name, cell) => html("tr", {}, html("th", { scope: "row" }, name),
                                   ...lanes.map((lane) => html("td", {}, cell(lane))));
  table.replaceChildren(
    row("lane", (lane) => `${lane.lane}`),
    row("source", (lane) => lane.executes ? `${lane.source}` : "-"),
    row("predicate", (lane) => lane.executes ? (lane.in_range ? "T" : "F") : "-"),
    row("undefined", (lane) => lane.undefined ? "?" : ""));
}

function summaryOf(answer) {
  const count = (holds) => answer.lanes.filter(holds).length;
  const undefinedReads = count((lane) => lane.undefined);
  return `Segments: ${answer.segments}. ${count((lane) => lane.executes)} active, of which `
    + `${count((lane) => lane.executes && lane.in_range)} read in range and ${undefinedReads} `
    + `${undefinedReads === 1 ? "reads" : "read"} what is undefined.`;
}

function rowsOfShuffle(answer, command) {
  return [["SASS", answer.text],
          ["word, SPA 5.0 (sm_50 to sm_62)", answer.words[0].word],
          ["word, sm_70 and later", answer.words[1].word],
          ["PTX", answer.ptx], ["CUDA", answer.cuda], ["command", command]];
}

function drawWritten(list, rows) {
  list.replaceChildren(...rows.flatMap(([key, value]) => [html("dt", {}, key), html("dd", {}, value)]));
}

/** A cost, or nothing for a network that uses another unit's wires. */
const costOf = (key) => (network) => network.energy_pj == null ? "" : network.cost[key];

const kColumns = [
  ["passes", "passes", (network) => network.passes],
  ["port conflicts", "lanes that waited, summed over passes", (network) => network.port_conflicts],
  ["pJ", "energy of this shuffle", (network) => network.energy_pj?.toFixed(0) ?? ""],
  ["set-up cycles", "in which hardware finds the settings", (network) => network.set_up],
  ["2:1 muxes", "of one bit", costOf("mux2")],
  ["levels", "2:1 multiplexers in a row in a pass", costOf("mux_levels")],
  ["wire tracks", "32-bit wires across the widest place", costOf("wire_tracks")],
  ["wire length", "lane pitches of 32-bit wires driven in a pass", costOf("wire_length")],
  ["control bits", "a pass", costOf("configuration_bits")],
];

/** `chosen`: the network whose passes are shown; null: networks cannot be chosen. */
function drawNetworks(table, answer, columns, chosen) {
  const head = html("tr", {}, html("th", { scope: "col" }, "network"),
    ...columns.map(([name, help]) => html("th", { scope: "col", title: help }, name)));
  const nameOf = (network) => {
    if (chosen === null) return html("td", {}, network.network);
    const radio = html("input", { type: "radio", name: "network", value: network.network });
    radio.checked = network.network === chosen;
    return html("td", {}, html("label", {}, radio, ` ${network.network}`));
  };
  const body = answer.networks.map((network) =>
    html("tr", { class: network.network === chosen ? "chosen" : "", "data-network": network.network },
      nameOf(network), ...columns.map(([, , figure]) => html("td", {}, `${figure(network)}`))));
  table.replaceChildren(html("thead", {}, head), html("tbody", {}, ...body));
}

/** "stage 2 link 17" is column 17 of the row "stage 2 link". */
function placeOf(port) {
  const number = /^(.*?) ?(\d+)$/.exec(port);
  return number ? [number[1], Number(number[2])] : [port, 0];
}

/** The rows of ports, in the order of their numbers in the fullest pass, each with its number of
 * ports over all passes, so that every pass shows the same rows. */
function rowsOf(schedule) {
  const rows = new Map();
  for (const pass of [...schedule].sort((a, b) => b.ports.length - a.ports.length)) {
    for (const { port } of pass.ports) {
      const [row, column] = placeOf(port);
      rows.set(row, Math.max(rows.get(row) ?? 0, column));
    }
  }
  return [...rows];
}

function passTable(pass, rows) {
  const carried = new Map(pass.ports.map(({ port, source }) => [port, source]));
  const columns = Math.max(0, ...rows.map(([, most]) => most)) + 1;
  const numbers = html("tr", {}, html("th", {}, ""),
    ...Array.from({ length: columns }, (_, i) => html("th", {}, `${i}`)));
  const body = rows.map(([row, most]) => html("tr", {}, html("th", { scope: "row" }, row),
    ...Array.from({ length: most + 1 }, (_, i) => {
      const port = i === 0 && carried.has(row) ? row : `${row} ${i}`;
      const source = carried.get(port);
      if (source === undefined) return document.createElement("td");
      return html("td", { class: "lane", style: `--hue:${hueOf(source)}`,
                          title: `${port} carries lane ${source}'s value` }, `${source}`);
    })));
  return html("table", { class: "cells", style: `--columns:${columns}` }, html("thead", {}, numbers), html("tbody", {}, ...body));
}

const kMostCells = 1000;  // cells of all passes together: more would be slow to draw and hard to read

/** Indices of the passes to draw: one, or as many of all as fit. */
function passesShown(network, rows, step) {
  if (step !== null) return [step];
  const cells = rows.reduce((sum, [, most]) => sum + most + 1, 0);
  const room = Math.max(1, Math.floor(kMostCells / Math.max(1, cells)));
  return [...network.schedule.keys()].slice(0, room);
}

/** The wires of one pass; nothing for a network that uses other wires. */
function drawPass(place, picture) {
  place.innerHTML = picture;
  place.hidden = picture === "";
}

function drawPasses(place, network, step) {
  const rows = rowsOf(network.schedule);
  const parts = [];
  const indices = passesShown(network, rows, step);
  for (const index of indices) {
    const pass = network.schedule[index];
    const through = pass.through_memory ? ", through shared memory" : "";
    const serves = pass.lanes.length === 0 ? "serves no lane"
      : `serves lane${pass.lanes.length === 1 ? "" : "s"} ${ranges(pass.lanes)}`;
    parts.push(html("h3", {}, `Pass ${index + 1} `, html("span", {}, serves + through)),
               passTable(pass, rows));
  }
  const rest = network.passes - indices.length;
  if (step === null && rest > 0)
    parts.push(html("p", {}, `${rest} more pass${rest === 1 ? "" : "es"}: choose one above`));
  place.replaceChildren(...parts);
}

function drawStepper(place, network, step) {
  const button = (text, value) => html("button", { type: "button", "data-step": value,
    "aria-pressed": `${`${step ?? "all"}` === value}` }, text);
  place.replaceChildren(button("all passes", "all"),
    ...network.schedule.map((_, index) => button(`${index + 1}`, `${index}`)));
}
