// SPDX-License-Identifier: Apache-2.0
// Points of two figures, with their Pareto front.
const kMostLabels = 40;

/** Coinciding points share a label; of many points, only those of the front and the first design have labels. */
function label(points) {
  const groups = new Map();
  const isFew = points.length <= kMostLabels;
  for (const point of points.filter(({ front, first }) => isFew || front || first)) {
    const key = `${point.x} ${point.y}`;
    groups.set(key, [...groups.get(key) ?? [], point]);
  }
  for (const [first, ...others] of groups.values()) {
    const names = [first, ...others].map(({ name, first: isFirst }) => isFirst ? `${name} (baseline)` : name);
    first.label = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
    for (const other of others) other.label = "";
  }
}

/** Adds labels that cover nothing; only vega can place them so. */
function withLabels(spec) {
  const anchors = ["right", "left", "top", "bottom", "top-right", "bottom-right", "top-left", "bottom-left"];
  const offsets = [3, 12, 24, 40];
  spec.marks.push({ type: "text", name: "labels", from: { data: "points_marks" }, interactive: false,
    encode: { enter: { text: { field: "datum.label" }, fill: { value: color("ink") }, fontSize: { value: 12 } } },
    transform: [{ type: "label", size: { signal: "[max(width, 1), max(height, 1)]" }, avoidMarks: ["points_marks", "front_marks"],
                  anchor: offsets.flatMap(() => anchors), offset: offsets.flatMap((offset) => anchors.map(() => offset)) }] });
  return spec;
}

/** A plot of two of these figures, with points {x, y, name} of `pointsOf` and their Pareto front as steps. */
function scatter(figures, pointsOf, first, second) {
  const specOf = (width, xKey, yKey) => {
    const points = pointsOf(xKey, yKey);
    for (const point of frontOf(points, xKey, yKey)) point.front = true;
    label(points);
    const along = (field, key) => ({ field, type: "quantitative", title: titled(key), scale: { zero: false, nice: false, padding: 12 },
                                     axis: { tickCount: field === "x" ? Math.ceil(width / 110) : 6 } });
    return {
      width, height: 380, autosize: { type: "fit-x", contains: "padding" }, data: { values: points },
      encoding: { x: along("x", xKey), y: along("y", yKey) },
      layer: [
        { name: "front", transform: [{ filter: "datum.front" }], mark: { type: "line", interpolate: "step-after", color: color("good"), strokeWidth: 1.5 } },
        { name: "points", mark: { type: "point", filled: true, opacity: 1 }, encoding: {
          shape: { condition: { test: "datum.first", value: "diamond" }, value: "circle" },
          color: { condition: { test: "datum.front", value: color("good") }, value: color("quiet") },
          size: { condition: [{ test: "datum.first", value: 130 }, { test: "datum.front", value: 90 }], value: 45 },
          tooltip: [{ field: "name", title: "point" }, { field: "x", title: titled(xKey) }, { field: "y", title: titled(yKey) }] } },
      ],
    };
  };
  return chosenChart("two figures of each design, and their Pareto front", [["across", figures, first], ["up", figures, second]], specOf, withLabels);
}
