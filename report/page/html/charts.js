// SPDX-License-Identifier: Apache-2.0
// Charts of vega-lite, in the colours of the page's style.
const kMostShapes = 3000;  // most shapes of an SVG chart, which screen readers can read; with more it is a picture
const drawings = [];  // promises of charts that are being drawn
const redraws = [];   // of charts, for other colours and widths

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const isDark = matchMedia("(prefers-color-scheme: dark)");

function redraw() {
  for (const each of redraws) each();
}

isDark.addEventListener("change", redraw);
let waiting = 0;
let wide = page.clientWidth;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (wide === page.clientWidth) return;
    wide = page.clientWidth;
    redraw();
  }, 100);
});

/** Replaces a chart if the build had no npm to fetch the libraries that draw charts. */
function missingChart() {
  return make("p", { class: "quiet" }, "This chart is missing: shflsim was built without npm, which fetches the libraries that " +
    "draw charts. Install npm, then configure and build shflsim again.");
}

function theme() {
  const [ink, quiet, line] = ["ink", "quiet", "line"].map(color);
  const texts = { labelColor: ink, titleColor: quiet, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" };
  return {
    background: "transparent", font: "system-ui, sans-serif", view: { stroke: null },
    axis: { ...texts, gridColor: line, domainColor: line, tickColor: line, labelLimit: 240 },
    legend: { ...texts, symbolStrokeWidth: 0 }, header: texts,
  };
}

/**
* A chart, and a function that redraws it. `specOf` makes its vega-lite for a width in pixels; `finish` may add to the vega
* that is compiled from it.
 */
function chart(label, specOf, finish = (spec) => spec) {
  if (typeof vega === "undefined") return [missingChart(), () => {}];
  const place = make("div", { class: "chart" });
  let view = null;
  const draw = async () => {
    place.setAttribute("aria-busy", "true");
    const width = Math.max(280, page.clientWidth - 32);
    const chosen = specOf(width);
    const { spec } = vega.compile({ description: label, ...chosen, config: theme() });
    view?.finalize();
    view = new vega.View(vega.parse(finish(spec), null, { ast: true }), { expr: vega.expressionInterpreter, container: place,
      renderer: chosen.data.values.length > kMostShapes ? "canvas" : "svg",
      tooltip: new vega.Handler({ theme: isDark.matches ? "dark" : "light" }).call });
    await view.runAsync();
    place.setAttribute("aria-busy", "false");
  };
  drawings.push(draw());
  redraws.push(draw);
  return [place, draw];
}

/** Selects for keys, and a chart for the selected keys. */
function chosenChart(label, choices, specOf, finish) {
  const selects = choices.map(([name, keys, chosen]) => {
    const select = make("select", {}, ...keys.map((key) => make("option", { value: key }, words(key))));
    select.value = keys.includes(chosen) ? chosen : keys[0];
    return [name, select];
  });
  const chosen = () => selects.map(([, select]) => select.value);
  const [place, draw] = chart(label, (width) => specOf(width, ...chosen()), finish);
  for (const [, select] of selects) select.addEventListener("change", draw);
  return [make("div", { class: "tools" }, ...selects.map(([name, select]) => make("label", {}, `${name} `, select))), place];
}
