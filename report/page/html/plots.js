// SPDX-License-Identifier: Apache-2.0
// Plots of uPlot over the cycles of a run, with a common cursor.
const plots = [];
const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const { plot } = plots.find((each) => each.place === target);
    plot.setSize({ width: Math.max(60, contentRect.width), height: plot.height });
  }
});

/** An axis in the colours of the page, which are read whenever it is drawn. */
function axis(more) {
  const lines = { stroke: () => color("line"), width: 1 };
  return { stroke: () => color("ink"), font: "12px system-ui, sans-serif", grid: lines, ticks: lines, ...more };
}

/** The cycles that all plots over time show. */
const view = { from: 0, to: null };

/** Shows these cycles in all plots, at least `kLeastCycles` of them. */
const kLeastCycles = 8;
function zoomTo(from, to) {
  const total = data.totals.cycles;
  const length = Math.min(total, Math.max(kLeastCycles, to - from));
  view.from = Math.max(0, Math.min(total - length, from));
  view.to = view.from + length;
  for (const { plot } of plots) plot.setScale("x", { min: view.from, max: view.to });
  for (const each of zoomNotes) {
    each.textContent = length < total ? `Shown: cycles ${show(Math.round(view.from))} to ${show(Math.round(view.to))}. Escape shows all.` : "";
  }
}

const zoomNotes = [];  // elements that state the shown cycles
function zoomNote() {
  const note = make("p", { class: "quiet zoom-note" });
  zoomNotes.push(note);
  return note;
}

/** Zooms by `factor` around a cycle, which stays in its place. */
function zoomAbout(cycle, factor) {
  const to = view.to ?? data.totals.cycles;
  zoomTo(cycle - (cycle - view.from) * factor, cycle + (to - cycle) * factor);
}

function panBy(part) {
  const length = (view.to ?? data.totals.cycles) - view.from;
  zoomTo(view.from + part * length, view.from + (1 + part) * length);
}

const kCycleAxis = { size: 34, values: (_, cycles) => cycles.map(show) };

/**
* Stacked steps, the first lowest: `rows` are [colour, name or null, a number for each bin of `width` cycles]. Upper steps
* are drawn first.
 */
function timePlot(place, rows, { width, height, most, axes }) {
  const total = data.totals.cycles;
  const bins = rows[0][1].length;
  const edges = Array.from({ length: bins + 1 }, (_, bin) => Math.min(bin * width, total));
  const options = {
    width: Math.max(60, place.clientWidth), height, axes, legend: { show: false }, padding: [axes[1].show === false ? 0 : 8, 0, 0, 0],
    scales: { x: { time: false, min: 0, max: total, range: (_, min, max) => [min ?? 0, max ?? total] }, y: { range: [0, most] } },
    hooks: { setSelect: [(self) => {
      if (self.select.width < 4) return;
      const ends = [self.select.left, self.select.left + self.select.width].map((left) => self.posToVal(left, "x"));
      self.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      zoomTo(...ends);
    }] },
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false },
              bind: { dblclick: () => () => zoomTo(0, total) }, sync: { key: "cycles", scales: ["x", null] } },
    series: [{}, ...rows.map(([paint]) => ({ fill: paint, stroke: paint, width: 0, points: { show: false },
                                             paths: uplot.Plot.paths.stepped({ align: 1 }) }))],
  };
  const plot = new uplot.Plot(options, [edges, ...rows.map(([, numbers]) => [...numbers, numbers[bins - 1]])], place);
  plot.over.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;  // the page is scrolled
    event.preventDefault();
    const by = event.deltaY || event.deltaX;
    if (event.ctrlKey) zoomAbout(plot.posToVal(event.offsetX, "x"), by < 0 ? 0.8 : 1.25);
    else panBy(Math.sign(by) * 0.1);
  }, { passive: false });
  plots.push({ place, plot });
  sizes.observe(place);
  return plot;
}

isDark.addEventListener("change", () => plots.forEach(({ plot }) => plot.redraw()));

/**
* Lets `group` receive the keys that move from bin to bin of `plot`, and calls `shown` with the bin that is pointed at in
* any plot: its number, or null for none.
 */
function followed(group, plot, width, shown) {
  const bins = Math.ceil(data.totals.cycles / width);
  const bin = () => plot.cursor.left < 0 ? null : Math.min(bins - 1, Math.max(0, Math.floor(plot.posToVal(plot.cursor.left, "x") / width)));
  const point = (to) => plot.setCursor({ left: to === null ? -10 : plot.valToPos((to + 0.5) * width, "x"), top: 1 }, true, true);
  const steps = { ArrowLeft: () => Math.max(0, (bin() ?? bins) - 1), ArrowRight: () => Math.min(bins - 1, (bin() ?? -1) + 1),
                  Home: () => 0, End: () => bins - 1, Escape: () => null };
  const about = () => bin() === null ? (view.from + (view.to ?? data.totals.cycles)) / 2 : (bin() + 0.5) * width;
  const zooms = { "+": () => zoomAbout(about(), 0.5), "=": () => zoomAbout(about(), 0.5), w: () => zoomAbout(about(), 0.5),
                  "-": () => zoomAbout(about(), 2), s: () => zoomAbout(about(), 2), a: () => panBy(-0.25), d: () => panBy(0.25),
                  Escape: () => zoomTo(0, data.totals.cycles) };
  group.addEventListener("keydown", (event) => {
    if (zooms[event.key] && !event.ctrlKey && !event.metaKey) {
      zooms[event.key]();
      event.preventDefault();
    }
    if (!steps[event.key]) return;
    event.preventDefault();
    point(steps[event.key]());
  });
  plot.hooks.setCursor = [() => shown(bin())];
  shown(null);
}

/** "Cycles 8 to 15.", the cycles of a bin or of the whole run. */
function timeOf(bin, width) {
  const { cycles } = data.totals;
  return bin === null ? `All of the run: ${show(cycles)} cycles.`
                      : `Cycles ${show(bin * width)} to ${show(Math.min(cycles, (bin + 1) * width) - 1)}.`;
}

/** The cycles of a bin, or of all bins. */
const lengthOf = (bin, width) => bin === null ? data.totals.cycles : Math.min(width, data.totals.cycles - bin * width);
