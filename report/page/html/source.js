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

/** The lines of a file beside the instructions of these lines; each side highlights the other. */
function sourceFile(path, texts, lines, states) {
  const most = Math.max(1, ...[...lines.values()].map(({ cycles }) => cycles));
  const all = sum(data.instructions.map((row) => row.warp_cycles)) || 1;
  const lineAt = (number) => lines.get(`${path}:${number}`);
  const heat = (cycles, of) => `rgba(var(--heat), ${(0.4 * cycles / of).toFixed(3)})`;
  const ofNumber = new Map();  // rows of both tables, by line
  const choose = (number, from) => {
    for (const each of document.querySelectorAll("tr.linked")) each.classList.remove("linked");
    const group = ofNumber.get(number);
    for (const each of [group.line, ...group.code]) each?.classList.add("linked");
    const other = from === group.line ? group.code[0] : group.line;
    const box = other?.closest(".scroll");
    if (!box) return;
    const [at, size] = [other.offsetTop, other.offsetHeight];
    if (at < box.scrollTop + 24 || at + size > box.scrollTop + box.clientHeight) box.scrollTop = at - box.clientHeight / 3;
  };
  const linked = (element, number) => {
    element.tabIndex = 0;
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, () => choose(number, element));
    return element;
  };
  const stalls = (row, cycles, of) => bar(states.map((state) => [state, row(state)]), cycles / of, "short");
  const numbers = shownLines(texts.length, (number) => lineAt(number) !== undefined);
  const left = numbers.map((number) => {
    if (number === 0) return make("tr", {}, make("td", { colspan: 4, class: "quiet" }, "⋯"));
    const line = lineAt(number);
    const element = make("tr", { "data-line": number }, make("td", { class: "number" }, String(number)),
      make("td", { class: "number" }, line ? percent(line.cycles / all) : ""),
      make("td", {}, line ? stalls((state) => line.states[state], line.cycles, most) : ""),
      make("td", {}, make("code", {}, texts[number - 1])));
    if (!line) return element;
    ofNumber.set(number, { line: element, code: [] });
    element.style.background = heat(line.cycles, most);
    if (line.cycles === most) element.dataset.hottest = "";
    return linked(element, number);
  });
  const rows = data.instructions.filter((row) => row.source_path === path && row.source);
  const hottest = Math.max(1, ...rows.map((row) => row.warp_cycles));
  const right = rows.map((row) => {
    const number = Number(row.source.slice(row.source.lastIndexOf(":") + 1));
    const element = make("tr", { "data-line": number }, make("td", { class: "number" }, String(number)),
      make("td", { class: "number" }, percent(row.warp_cycles / all)),
      make("td", {}, stalls((state) => row[`stall_${state}`] ?? 0, row.warp_cycles, hottest)),
      make("td", {}, make("code", {}, `${row.pc}  ${row.text}`)));
    element.style.background = heat(row.warp_cycles, hottest);
    ofNumber.get(number)?.code.push(element);
    return ofNumber.has(number) ? linked(element, number) : element;
  });
  const table = (name, what, body) => make("div", { class: `scroll ${name}`, tabindex: 0, role: "group", "aria-label": what },
    make("table", { class: "source" }, make("thead", {}, make("tr", {}, ...["line", "of all", "stalls", what].map((head, i) =>
      make("th", { scope: "col", class: i < 2 ? "number" : null }, head)))), make("tbody", {}, ...body)));
  return [make("h3", { title: path }, path.split("/").pop()),
    make("div", { class: "beside" }, table("lines", "source", left), table("code", "SASS", right))];
}

/** The source of the found files with its heat, beside its code; the table of instructions names the other files. */
function source(states) {
  const lines = linesOfSource();
  const files = Object.entries(data.sources);
  if (!files.length) return;
  const jump = make("button", { type: "button", onclick: () => {
    const hottest = document.querySelector("tr[data-hottest][data-line]");
    hottest.scrollIntoView({ block: "center" });
    hottest.focus({ preventScroll: true });
  } }, "Go to the hottest line");
  section("Source", make("p", { class: "quiet" }, "The redder a line, the more cycles warps spent at its instructions. Point at a " +
    "line or an instruction, or reach it with Tab: what belongs together is marked on both sides."), legend(states), make("p", {}, jump),
    ...files.flatMap(([path, texts]) => sourceFile(path, texts, lines, states)));
}
