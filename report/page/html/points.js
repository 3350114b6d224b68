// SPDX-License-Identifier: Apache-2.0
// The pages of a comparison and of a sweep's results.
const numericKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => typeof row[key] === "number"));
const flatKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => !rows.some((row) => typeof row[key] === "object" && row[key]));

const kFront = "Green points are the front: nothing beats them in both figures. The steps bound what any design reaches. " +
  "Designs that are equal share a label. More is better of IPC, issue slots used and speedup, less of all else.";

const kHeatRow = 26;
const kLeastCell = 14;
const kNumberCell = 52;  // pixels; a cell of at least this width shows its number

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text) {
  pen.font = "12px system-ui, sans-serif";
  return pen.measureText(text).width;
}

/** The first few names, and the number of the others. */
function listed(names, most) {
  return names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
}

/** The keys that the means of cells are taken over: "config (gm107, gh100), 5 of input"; `keys` identify rows. */
function meansOver(rows, keys) {
  return keys.map((key) => [words(key), [...new Set(rows.map((row) => show(row[key])))]]).filter(([, all]) => all.length > 1)
    .map(([name, all]) => all.length > 3 ? `${all.length} of ${name}` : `${name} (${all.join(", ")})`).join(", ");
}

/** Means of a figure by two columns; greater ones are redder. */
function heatMap(rows, keys, figureKeys, [first, second, figure]) {
  const specOf = (wide, rowKey, columnKey, key) => {
    const values = cellsOf(rows, rowKey, columnKey, key)
      .map(({ row, column, mean }) => ({ row: show(row), column: show(column), mean }));
    // Rows of kernels differ in size: each has its own scale, from its least value.
    const isByRow = ["workload", "kernel", "input"].includes(rowKey);
    for (const each of values) {
      const least = Math.min(...values.filter(({ row }) => row === each.row).map(({ mean }) => mean));
      each.heat = isByRow && least > 0 ? each.mean / least : each.mean;
    }
    const [lines, columns] = ["row", "column"].map((of) => new Set(values.map((each) => each[of])).size);
    const width = Math.max(wide, 200 + columns * kLeastCell);
    const isWide = width - 200 >= columns * kNumberCell;
    const longest = Math.max(0, ...values.map(({ column }) => widthOf(column)));
    const axis = { labelOverlap: "greedy", ticks: false, domain: false };
    const across = { ...axis, orient: "top", labelAngle: longest < (width - 200) / columns ? 0 : -90 };
    const each = { type: "nominal", sort: null };
    const tooltip = [{ field: "row", title: words(rowKey) }, { field: "column", title: words(columnKey) },
                     { field: "text", title: `mean of ${titled(key)}` }];
    const numbers = { mark: { type: "text", fontSize: 12, color: color("ink") }, encoding: { text: { field: "text" } } };
    const over = meansOver(rows, keys.filter((each) => ![rowKey, columnKey, "input"].includes(each)));
    const title = over && { text: `Each cell is a mean over ${over}.`, anchor: "start", limit: width, color: color("quiet"), fontWeight: "normal", fontSize: 13 };
    return {
      title, width, height: lines * kHeatRow, autosize: { type: "fit-x", contains: "padding" }, data: { values },
      transform: [{ calculate: "abs(datum.mean) < 100 ? format(datum.mean, '.4~r') : format(datum.mean, ',.1~f')", as: "text" }],
      encoding: { y: { field: "row", title: words(rowKey), axis, ...each },
                  x: { field: "column", title: words(columnKey), axis: across, ...each }, tooltip },
      layer: [
        { mark: "rect", encoding: { color: { field: "heat", type: "quantitative", title: isByRow ? `${words(key)}, times the least of its row` : titled(key),
          scale: { range: [color("trough"), color("hot")], interpolate: "rgb", zero: false },
          legend: { orient: "bottom", direction: "horizontal", gradientLength: 240 } } } },
        ...(isWide ? [numbers] : []),
      ],
    };
  };
  return chosenChart("mean of a figure by two columns", [["rows", keys, first], ["columns", keys, second], ["mean of", figureKeys, figure]], specOf);
}

const kCosts = ["cycles", "speedup", "passes", "energy_nj", "mux2", "cell_area", "register_area", "wire_length", "logic_delay", "wire_delay"];

/** The price of a design, as its verdict names it. */
function priceOf(rows) {
  return rows.some((row) => typeof row.cell_area === "number") ? "cell_area" : "mux2";
}

/** The figures of each design, with a column of bars for each figure. */
function designBars(designs) {
  const heading = (key) => titled(key).replace(" (", "\n(");
  const shown = kCosts.filter((key) => designs.some((row) => row[key]));
  const baseline = designs[0].design;
  const best = Object.fromEntries(shown.map((key) => {
    const values = designs.map((row) => row[key]).filter((value) => typeof value === "number");
    return [key, kMoreIsBetter.has(key) ? Math.max(...values) : Math.min(...values)];
  }));
  const specOf = (width, byKey) => {
    const gain = kMoreIsBetter.has(byKey) ? -1 : 1;
    const value = (row) => typeof row[byKey] === "number" ? gain * row[byKey] : Infinity;
    const rows = [...designs].sort((a, b) => value(a) === value(b) ? 0 : value(a) - value(b));
    const names = Math.max(...rows.map(({ design }) => widthOf(design === baseline ? `${design} (baseline)` : design)));
    return {
      data: { values: shown.flatMap((key) => rows.map((row) => ({ design: row.design === baseline ? `${row.design} (baseline)` : row.design,
        key: heading(key), value: row[key], kind: row[key] === best[key] ? "best" : row.design === baseline ? "baseline" : "other" }))) },
      mark: { type: "bar", height: { band: 0.75 } }, spacing: 12, resolve: { scale: { x: "independent" } },
      width: Math.max(96, (width - names - 24) / shown.length - 12), height: 18 * rows.length,
      encoding: {
        column: { field: "key", sort: shown.map(heading), title: null, header: { labelExpr: "split(datum.label, '\\n')", labelFontWeight: 600 } },
        y: { field: "design", type: "nominal", sort: null, title: null, axis: { ticks: false, domain: false } },
        x: { field: "value", type: "quantitative", title: null, axis: { tickCount: 3 } },
        color: { field: "kind", type: "nominal", legend: null,
                 scale: { domain: ["best", "baseline", "other"], range: [color("good"), color("quiet"), color("busy")] } },
        tooltip: [{ field: "design" }, { field: "value", title: "is" }, { field: "key", title: "of" }],
      },
    };
  };
  return chosenChart("figures of each design", [["best first by", numericKeys(designs), "cycles"]], specOf);
}

function compare() {
  const { designs, points, inputs } = data;
  const machines = [...new Set(designs.map(({ machine }) => machine.name))];
  const kernels = inputs.map(({ kernel, launch }) => `${kernel} (${show(launch.blocks)} x ${show(launch.threads_per_block)} threads)`);
  const files = [...new Set(inputs.map(({ input }) => input))];
  const own = designs.flatMap(({ design, machine }) => machine.overrides.length ? [`--design ${design.replaceAll(" ", "_")}=${machine.overrides.join(",")}`] : []);
  head(`${designs.length} designs on ${inputs.length === 1 ? inputs[0].kernel : `${inputs.length} workloads`}`,
    `${listed(kernels, 4)} on ${machines.join(", ")}`,
    ["shflsim compare", ...files.slice(0, 4), ...(files.length > 4 ? [`(and ${files.length - 4} more)`] : []),
      ...new Set(inputs.flatMap((each) => each.arguments)), ...machines.flatMap((name) => name.split("+")).map((name) => `--config ${name}`),
      ...(own.length <= 4 ? own : [...own.slice(0, 4), `(and ${own.length - 4} more designs)`])].join(" "),
    `Differences are against ${designs[0].design}, the baseline.`, data.complete ? "" : "Some runs are partial.");
  verdictLines(data.verdict);
  remarks([...new Set([...designs, ...inputs].flatMap((each) => each.remarks))]);
  section("Designs", ...designBars(designs), sortable(flatKeys(designs).map((key) => ({ key })), designs));
  const pointsOf = (x, y) => designs.map((row, i) => ({ x: row[x], y: row[y], name: row.design, first: i === 0 }))
    .filter((point) => typeof point.x === "number" && typeof point.y === "number");
  section("Pareto front", make("p", { class: "quiet" }, kFront), ...scatter(numericKeys(designs), pointsOf, "cycles", priceOf(designs)));
  if (inputs.length > 1)
    section("By workload", ...heatMap(points, ["workload", "design"], numericKeys(points), ["workload", "design", "cycles"]));
  section("Runs", sortable(flatKeys(points).map((key) => ({ key })), points));
  config(designs[0].machine);
}

function results() {
  const { rows } = data;
  const each = (key) => [...new Set(rows.map((row) => row[key]).filter((value) => value !== undefined && value !== null))];
  const swept = Object.keys(rows[0] ?? {}).filter((key) => key.includes("."));
  const vary = swept.map((key) => `--vary ${key}=${each(key).join(",")}`);
  head(`${show(rows.length)} ${data.view === "points" ? "points" : `rows of --${data.view}`} of a sweep`,
    rows.length ? `${listed(each("kernel"), 6)} on ${each("config").join(", ")}` : "",
    each("input").length ? ["shflsim sweep", ...each("input"), ...(data.arguments ?? []), ...each("config").map((name) => `--config ${name}`), ...vary].join(" ") : "");
  if (!rows.length) return;
  verdictLines(data.verdict);
  remarks(data.remarks ?? []);
  const keys = flatKeys(rows);
  const values = (key) => new Set(rows.map((row) => row[key])).size;
  const axes = coordinatesOf(keys);
  const varied = axes.filter((key) => values(key) > 1);
  const figureKeys = numericKeys(rows).filter((key) => !axes.includes(key));
  if (axes.length > 1 && figureKeys.length) {
    const [first, second] = [...new Set([...varied.filter((key) => key.includes(".")), ...varied, ...axes])];
    section("Heat map", ...heatMap(rows, axes, figureKeys, [first, second, "cycles"]));
  }
  if (figureKeys.length > 1) {
    const ofDesign = designKeysOf(keys);
    const named = ofDesign.filter((key) => varied.includes(key));
    const pointsOf = (x, y) => designMeans(rows, ofDesign, [x, y]).designs.map(({ row, means }) => ({
      x: means[0], y: means[1], name: named.map((key) => `${key.split(".").pop()} ${show(row[key])}`).join(", ") }));
    section("Pareto front", make("p", { class: "quiet" }, `${kFront} A point is a design that is done on all launches, with ` +
      "geometric means over them; of a figure that is 0 somewhere, arithmetic ones."),
      ...scatter(figureKeys, pointsOf, "cycles", priceOf(rows)));
  }
  section("Points", sortable(keys.map((key) => ({ key })), rows));
}
