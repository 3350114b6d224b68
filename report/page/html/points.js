// SPDX-License-Identifier: Apache-2.0
// The pages of a comparison and of a sweep's results.
const numericKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => typeof row[key] === "number"));
const flatKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => !rows.some((row) => typeof row[key] === "object" && row[key]));

const kFront = "In green: no other design is better in one of the two figures and as good in the other. " +
  "More is better of ipc, speedup and the like, less of all else.";

const kHeatRow = 26;
const kLeastCell = 14;
const kNumberCell = 52;  // a cell of that width has its number in it

const pen = document.createElement("canvas").getContext("2d");

function widthOf(text) {
  pen.font = "12px system-ui, sans-serif";
  return pen.measureText(text).width;
}

/** Means of a figure by two columns, the more the redder. */
function heatMap(rows, keys, figureKeys, [first, second, figure]) {
  const specOf = (wide, rowKey, columnKey, key) => {
    const values = cellsOf(rows, rowKey, columnKey, key)
      .map(({ row, column, mean }) => ({ row: show(row), column: show(column), mean }));
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
    return {
      width, height: lines * kHeatRow, autosize: { type: "fit-x", contains: "padding" }, data: { values },
      transform: [{ calculate: "abs(datum.mean) < 100 ? format(datum.mean, '.4~r') : format(datum.mean, ',.1~f')", as: "text" }],
      encoding: { y: { field: "row", title: words(rowKey), axis, ...each },
                  x: { field: "column", title: words(columnKey), axis: across, ...each }, tooltip },
      layer: [
        { mark: "rect", encoding: { color: { field: "mean", type: "quantitative", title: titled(key),
          scale: { range: [color("trough"), color("hot")], interpolate: "rgb", zero: false },
          legend: { orient: "bottom", direction: "horizontal", gradientLength: 240 } } } },
        ...(isWide ? [numbers] : []),
      ],
    };
  };
  return chosenChart("mean of a figure by two columns", [["rows", keys, first], ["columns", keys, second], ["mean of", figureKeys, figure]], specOf);
}

const kCosts = ["cycles", "energy_nj", "mux2", "cell_area", "register_area", "wire_length", "logic_delay", "wire_delay"];

/** What each design takes and costs, a column of bars for each figure. */
function designBars(designs) {
  const heading = (key) => titled(key).replace(" (", "\n(");
  const shown = kCosts.filter((key) => designs.some((row) => row[key]));
  const specOf = (width, byKey) => {
    const gain = kMoreIsBetter.has(byKey) ? -1 : 1;
    const rows = [...designs].sort((a, b) => gain * (a[byKey] - b[byKey]));
    const names = Math.max(...rows.map(({ design }) => widthOf(design)));
    return {
      data: { values: shown.flatMap((key) => rows.map((row) => ({ design: row.design, key: heading(key), value: row[key] }))) },
      mark: { type: "bar", color: color("busy"), height: { band: 0.75 } }, spacing: 12, resolve: { scale: { x: "independent" } },
      width: Math.max(96, (width - names - 24) / shown.length - 12), height: 18 * rows.length,
      encoding: {
        column: { field: "key", sort: shown.map(heading), title: null, header: { labelExpr: "split(datum.label, '\\n')", labelFontWeight: 600 } },
        y: { field: "design", type: "nominal", sort: null, title: null, axis: { ticks: false, domain: false } },
        x: { field: "value", type: "quantitative", title: null, axis: { tickCount: 3 } },
        tooltip: [{ field: "design" }, { field: "value", title: "is" }, { field: "key", title: "of" }],
      },
    };
  };
  return chosenChart("figures of each design", [["best first by", numericKeys(designs), "cycles"]], specOf);
}

function compare() {
  const { designs, points, inputs } = data;
  head(`${designs.length} designs on ${inputs.length} workload${inputs.length === 1 ? "" : "s"}`,
    `Differences are against ${designs[0].design}.`, data.complete ? "" : "Some runs are partial.");
  verdictLines(data.verdict);
  remarks([...new Set([...designs, ...inputs].flatMap((each) => each.remarks))]);
  section("Designs", ...designBars(designs), sortable(flatKeys(designs).map((key) => ({ key })), designs));
  const pointsOf = (x, y) => designs.map((row) => ({ x: row[x], y: row[y], name: row.design }))
    .filter((point) => typeof point.x === "number" && typeof point.y === "number");
  section("Pareto front", make("p", { class: "quiet" }, kFront), ...scatter(numericKeys(designs), pointsOf, "cycles", "mux2"));
  section("By workload", ...heatMap(points, ["workload", "design"], numericKeys(points), ["workload", "design", "cycles"]));
  section("Runs", sortable(flatKeys(points).map((key) => ({ key })), points));
  config(designs[0].machine);
}

function results() {
  const { rows } = data;
  head(`${show(rows.length)} ${data.view} of a sweep`);
  if (!rows.length) return;
  const keys = flatKeys(rows);
  const values = (key) => new Set(rows.map((row) => row[key])).size;
  const axes = coordinatesOf(keys);
  const vary = axes.filter((key) => values(key) > 1);
  const figureKeys = numericKeys(rows).filter((key) => !axes.includes(key));
  if (axes.length > 1 && figureKeys.length) {
    const [first, second] = [...vary.filter((key) => key.includes(".")), ...vary, ...axes];
    section("Heat map", ...heatMap(rows, axes, figureKeys, [first, second, "cycles"]));
  }
  if (figureKeys.length > 1) {
    const ofDesign = designKeysOf(keys);
    const named = ofDesign.filter((key) => vary.includes(key));
    const pointsOf = (x, y) => designMeans(rows, ofDesign, [x, y]).designs.map(({ row, means }) => ({
      x: means[0], y: means[1], name: named.map((key) => `${key} ${show(row[key])}`).join(", ") }));
    section("Pareto front", make("p", { class: "quiet" }, `${kFront} A point is a design that is done on all launches, with ` +
      "geometric means over them; of a figure that is 0 somewhere, arithmetic ones."),
      ...scatter(figureKeys, pointsOf, "cycles", "mux2"));
  }
  section("Points", sortable(keys.map((key) => ({ key })), rows));
}
