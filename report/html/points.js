// SPDX-License-Identifier: Apache-2.0
// The pages of a comparison and of a sweep's results.
const numericKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => rows.some((row) => typeof row[key] === "number"));
const flatKeys = (rows) => Object.keys(rows[0] ?? {}).filter((key) => !rows.some((row) => typeof row[key] === "object" && row[key]));

function chooser(label, keys, chosen, changed) {
  const select = make("select", { onchange: changed }, ...keys.map((key) => make("option", { value: key }, words(key))));
  select.value = keys.includes(chosen) ? chosen : keys[0];
  return [make("label", {}, `${label} `, select), select];
}

const kFront = "In green: no other design is better in one of the two figures and as good in the other. " +
  "More is better of ipc, speedup and the like, less of all else.";

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
