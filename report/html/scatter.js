// SPDX-License-Identifier: Apache-2.0
// Points of two figures, with their Pareto front.
const kLabelHigh = 14;
const kMostLabels = 40;
const pen = document.createElement("canvas").getContext("2d");

function widthOf(text) {
  pen.font = "12px system-ui, sans-serif";
  return pen.measureText(text).width;
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Where a label may stand, the nearest first: its box, and the end of it that is next to the point. */
function* placesAround({ x, y }, width) {
  const directions = [[1, -0.7], [1, 0.7], [-1, -0.7], [-1, 0.7], [0, -1], [0, 1], [1, -1.6], [1, 1.6], [-1, -1.6], [-1, 1.6]];
  for (let away = 8; away <= 150; away += 7) {
    for (const [dx, dy] of directions) {
      const near = x + dx * away;
      const left = dx > 0 ? near : dx < 0 ? near - width : near - width / 2;
      const middle = y + dy * away;
      yield { left, right: left + width, top: middle - kLabelHigh / 2, bottom: middle + kLabelHigh / 2, near, middle, away };
    }
  }
}

/** Labels of points that cover neither one another nor a point; one without such a place is left out. */
function labelPlaces(points, wide, high) {
  const taken = points.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  const labels = [];
  for (const point of points) {
    for (const place of placesAround(point, widthOf(point.text))) {
      const isInside = place.left >= 0 && place.right <= wide && place.top >= 24 && place.bottom <= high;
      if (!isInside || taken.some((other) => overlap(place, other))) continue;
      taken.push(place);
      labels.push({ ...place, point });
      break;
    }
  }
  return labels;
}

/** Points that lie on one another have one label. */
function labelledPoints(points) {
  const groups = new Map();
  for (const { x, y, name } of points) {
    const key = `${Math.round(x / 4)} ${Math.round(y / 4)}`;
    const group = groups.get(key) ?? { x, y, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ x, y, names }) =>
    ({ x, y, text: names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ") }));
}

function drawnLabels(points, wide, high) {
  return labelPlaces(labelledPoints(points), wide, high).flatMap(({ left, middle, near, away, point }) => [
    away > 15 ? make("svg:path", { class: "leader", d: `M${point.x} ${point.y} L${near} ${middle}` }) : null,
    make("svg:text", { class: "label", x: left, y: middle + 4 }, point.text)]).filter((each) => each);
}

/** Those that no other one beats in both figures. */
function frontOf(points, xKey, yKey) {
  const gain = (key, a, b) => kMoreIsBetter.has(key) ? a - b : b - a;
  const beats = (a, b) => {
    const gains = [gain(xKey, a.x, b.x), gain(yKey, a.y, b.y)];
    return Math.min(...gains) >= 0 && Math.max(...gains) > 0;
  };
  return points.filter((point) => !points.some((other) => beats(other, point))).sort((a, b) => a.x - b.x);
}

/** Points of two figures, and the Pareto front of those that no other one beats in both. */
function scatter(rows, nameOf, first, second) {
  const keys = numericKeys(rows);
  const place = make("div");
  const draw = () => {
    const [xKey, yKey] = [xSelect.value, ySelect.value];
    const [wide, high] = [Math.max(300, page.clientWidth - 32), 400];
    const points = rows.map((row) => ({ x: row[xKey], y: row[yKey], name: nameOf(row) }))
      .filter(({ x, y }) => typeof x === "number" && typeof y === "number");
    const range = (key) => { const all = points.map((point) => point[key]); return [Math.min(...all), Math.max(...all)]; };
    const [[x0, x1], [y0, y1]] = [range("x"), range("y")];
    const at = (point) => [30 + (wide - 60) * (point.x - x0) / (x1 - x0 || 1), high - 60 - (high - 110) * (point.y - y0) / (y1 - y0 || 1)];
    const front = frontOf(points, xKey, yKey);
    const svg = make("svg:svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${yKey} by ${xKey}` },
      make("svg:path", { class: "axis", fill: "none", d: `M8 30 V${high - 30} H${wide - 8}` }),
      make("svg:text", { x: 8, y: 16 }, `${words(yKey)}: ${show(y0)} to ${show(y1)}`),
      make("svg:text", { x: wide - 8, y: high - 10, "text-anchor": "end" }, `${words(xKey)}: ${show(x0)} to ${show(x1)}`),
      make("svg:path", { class: "path", d: front.map((point, i) => `${i ? "L" : "M"}${at(point).join(" ")}`).join("") }));
    if (points.length <= kMostLabels) {
      const placed = points.map((point) => { const [x, y] = at(point); return { x, y, name: point.name }; });
      svg.append(...drawnLabels(placed, wide, high - 32));
    }
    for (const point of points) {
      const [cx, cy] = at(point);
      const isFront = front.includes(point);
      svg.append(make("svg:circle", { cx, cy, r: isFront ? 5 : 3.5, class: isFront ? "front" : "dot" },
        make("svg:title", {}, `${point.name}\n${words(xKey)} ${show(point.x)}\n${words(yKey)} ${show(point.y)}`)));
    }
    place.replaceChildren(svg);
  };
  const [xLabel, xSelect] = chooser("across", keys, first, draw);
  const [yLabel, ySelect] = chooser("up", keys, second, draw);
  addEventListener("resize", draw);
  draw();
  return [make("div", { class: "tools" }, xLabel, yLabel), place];
}
