// SPDX-License-Identifier: Apache-2.0
// Means, ties and fronts of designs, as in report/compare/design_means.cc and scripts/plotting/compute.py.
const kMoreIsBetter = new Set(["ipc", "issue_active", "speedup"]);

/** Rounded to 12 digits: equal means of equal values are equal however they were computed. */
const rounded = (value) => Number(value.toPrecision(12));

const isGeometric = (values) => values.every((value) => value > 0);

/** The mean of values; `geometric` is equal for all values that are compared. */
function meanOf(values, geometric) {
  const of = (each) => each.reduce((all, one) => all + one, 0) / values.length;
  if (values.length === 1) return rounded(values[0]);
  return rounded(geometric ? Math.exp(of(values.map(Math.log))) : of(values));
}

/** The keys of a table that distinguish points, and those that distinguish designs. */
const coordinatesOf = (keys) => keys.filter((key) => key.includes(".") || ["input", "kernel", "config"].includes(key));
const designKeysOf = (keys) => coordinatesOf(keys).filter((key) => !["input", "kernel"].includes(key));

/**
* Designs with the means of some figures over the launches for which any design has all of them. A design that lacks one
* is left out. `designs`: {row: its first point, means}, in the order of the rows.
 */
function designMeans(rows, designKeys, figureKeys) {
  const launchOf = (row) => JSON.stringify([row.input, row.kernel]);
  const points = rows.filter((row) => (row.state ?? "done") === "done" && figureKeys.every((key) => typeof row[key] === "number"));
  const launches = new Set(points.map(launchOf)).size;
  const groups = new Map();
  for (const row of points) {
    const name = JSON.stringify(designKeys.map((key) => row[key]));
    groups.set(name, [...groups.get(name) ?? [], row]);
  }
  const whole = [...groups.values()].filter((group) => group.length === launches);
  const geometric = figureKeys.map((key) => isGeometric(whole.flat().map((row) => row[key])));
  const designs = whole.map((group) => ({
    row: group[0], means: figureKeys.map((key, i) => meanOf(group.map((row) => row[key]), geometric[i])) }));
  return { designs, launches, geometric };
}

/** The designs that no other dominates (as good in both figures, better in one), best x first; equal ones in order. */
function frontOf(points, xKey, yKey) {
  const [x, y] = [xKey, yKey].map((key) => kMoreIsBetter.has(key) ? -1 : 1);  // less of x * its value is better
  const front = [];
  for (const point of [...points].sort((a, b) => x * (a.x - b.x) || y * (a.y - b.y))) {
    const last = front[front.length - 1];
    if (!last || y * (point.y - last.y) < 0 || (point.x === last.x && point.y === last.y)) front.push(point);
  }
  return front;
}

/** Means of a figure by two columns. */
function cellsOf(rows, rowKey, columnKey, key) {
  const points = rows.filter((row) => (row.state ?? "done") === "done" && typeof row[key] === "number");
  const geometric = isGeometric(points.map((row) => row[key]));
  const cells = new Map();
  for (const row of points) {
    const name = JSON.stringify([row[rowKey], row[columnKey]]);
    const cell = cells.get(name) ?? { row: row[rowKey], column: row[columnKey], values: [] };
    cell.values.push(row[key]);
    cells.set(name, cell);
  }
  return [...cells.values()].map((cell) => ({ ...cell, mean: meanOf(cell.values, geometric) }));
}
