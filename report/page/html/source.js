// SPDX-License-Identifier: Apache-2.0
// The source of a run's code with the cycles spent at each of its lines.
/** Warp-cycles by line of a source file: {"lines.cu:14": {cycles, states, rows}}. */
function linesOfSource() {
  const lines = new Map();
  data.instructions.forEach((row) => {
    if (!row.source) return;
    const key = `${row.source_path}:${row.source.slice(row.source.lastIndexOf(":") + 1)}`;
    const line = lines.get(key) ?? { cycles: 0, issued: 0, states: {}, rows: [] };
    line.cycles += row.warp_cycles;
    line.issued += row.issued;
    for (const { state } of data.states) line.states[state] = (line.states[state] ?? 0) + (row[`stall_${state}`] ?? 0);
    line.rows.push(row);
    lines.set(key, line);
  });
  return lines;
}

const kContext = 3;  // lines shown around those that have instructions

/** A file's lines that have instructions, and a few around them; 0 where some are left out. */
function shownLines(count, has) {
  const shown = [];
  for (let number = 1; number <= count; ++number) {
    let near = false;
    for (let other = number - kContext; other <= number + kContext; ++other) near ||= has(other);
    if (near) shown.push(number);
    else if (shown.length && shown[shown.length - 1] !== 0) shown.push(0);
  }
  return shown[shown.length - 1] === 0 ? shown.slice(0, -1) : shown;
}

function sourceFile(path, texts, lines, states) {
  const most = Math.max(1, ...[...lines.values()].map(({ cycles }) => cycles));
  const lineAt = (number) => lines.get(`${path}:${number}`);
  const below = make("div", { class: "of-line", hidden: "" });
  const choose = (element, line) => {
    for (const each of document.querySelectorAll("tr.chosen")) each.classList.remove("chosen");
    element.classList.add("chosen");
    below.hidden = false;
    below.replaceChildren(make("p", {}, bar(states.map((state) => [state, line.states[state]]), line.cycles / most, "long")),
      ...line.rows.map((row) => make("p", {}, make("code", {}, `${row.pc}  ${row.text}`),
        ` ${show(row.warp_cycles)} warp-cycles, issued ${show(row.issued)} times`)));
  };
  const numbers = shownLines(texts.length, (number) => lineAt(number) !== undefined);
  const rows = numbers.map((number) => {
    if (number === 0) return make("tr", {}, make("td", { colspan: 3, class: "quiet" }, "⋯"));
    const line = lineAt(number);
    const element = make("tr", {}, make("td", { class: "number" }, String(number)),
      make("td", { class: "number" }, line ? show(line.cycles) : ""), make("td", {}, make("code", {}, texts[number - 1])));
    if (!line) return element;
    element.style.background = `rgba(var(--heat), ${(0.4 * line.cycles / most).toFixed(3)})`;
    element.tabIndex = 0;
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, () => choose(element, line));
    return element;
  });
  return [make("h3", {}, path), make("div", { class: "scroll", tabindex: 0 }, make("table", { class: "source" },
    make("thead", {}, make("tr", {}, ...["line", "warp-cycles", "source"].map((name) =>
      make("th", { scope: "col", class: name === "source" ? null : "number" }, name)))), make("tbody", {}, ...rows))), below];
}

/** The source with its heat, of files that were found; the instructions' table names the others. */
function source(states) {
  const lines = linesOfSource();
  const files = Object.entries(data.sources);
  if (!files.length) return;
  section("Source", make("p", { class: "quiet" }, "The redder a line, the more cycles warps spent at its instructions. Point at " +
    "one, or reach it with Tab, for its instructions."), ...files.flatMap(([path, texts]) => sourceFile(path, texts, lines, states)));
}
