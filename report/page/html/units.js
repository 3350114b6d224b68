// SPDX-License-Identifier: Apache-2.0
// The activity of warps, units and shuffle ports of a run over time.
const kKeys = "Point at a moment, or go from one to the next with the arrow keys; it is marked in all plots over time. Drag over a " +
  "stretch, turn the wheel with Ctrl, or press + and - (w and s) to zoom into all of them; Shift with the wheel, or a and d, moves.";

/** How many warps were in each state. */
function overTime(states) {
  if (typeof uplot === "undefined") {
    section("Over time", missingChart());
    return;
  }
  const { cycles: width, states: byState } = data.over_time;
  const rows = data.states.map(({ state }, i) => ({ state, cycles: byState[i] })).filter(({ state }) => states.includes(state));
  const bins = byState[0].map((_, bin) => bin);
  let below = bins.map(() => 0);
  const stacked = rows.map(({ state, cycles }) => {
    below = below.map((warps, bin) => warps + cycles[bin] / lengthOf(bin, width));
    return [kColors[state], below];
  });
  const values = rows.map(() => make("b"));
  const when = make("p", { class: "quiet", "aria-live": "polite" });
  const place = make("div");
  const plotted = make("div", { class: "time", tabindex: 0, role: "group", "aria-label": "warps by state over time" }, place);
  section("Over time", make("p", { class: "quiet" }, `How many warps were in which state, in bins of ${show(width)} ` +
    `cycle${width === 1 ? "" : "s"}. ${kKeys}`), make("div", { class: "legend" }, ...rows.map(({ state }, i) =>
    make("span", {}, make("i", { style: `background:${kColors[state]}` }), words(state), " ", values[i]))), when, zoomNote(), plotted);
  const plot = timePlot(place, stacked.reverse(), { width, height: 240, most: Math.max(...below, 1),
    axes: [axis({ ...kCycleAxis, label: "cycle", labelSize: 18 }), axis({ label: "warps", labelSize: 18, size: 44 })] });
  followed(plotted, plot, width, (bin) => {
    const warps = rows.map(({ cycles }) => (bin === null ? sum(cycles) : cycles[bin]) / lengthOf(bin, width));
    warps.forEach((number, i) => { values[i].textContent = number.toFixed(2); });
    when.textContent = `${timeOf(bin, width)} ${sum(warps).toFixed(2)} warps resident on average.`;
  });
}

/** A strip for each of {name, most, counts}: the fraction of `most` per cycle that it has in each bin. */
function strips(title, explained, rows, width) {
  if (typeof uplot === "undefined") {
    section(title, missingChart());
    return;
  }
  const shares = rows.map(() => make("span", { class: "share" }));
  const when = make("p", { class: "quiet", "aria-live": "polite" });
  const places = rows.map(() => make("div", { class: "strip" }));
  const group = make("div", { class: "strips", tabindex: 0, role: "group", "aria-label": `${title}` },
    ...rows.flatMap(({ name }, i) => [make("span", { class: "name" }, name), places[i], shares[i]]));
  section(title, make("p", { class: "quiet" }, `${explained} Bins are of ${show(width)} cycle${width === 1 ? "" : "s"}. ${kKeys}`), when, zoomNote(), group);
  const drawn = rows.map(({ most, counts }, i) => {
    const isLast = i + 1 === rows.length;
    return timePlot(places[i], [[() => color("busy"), counts.map((count, bin) => count / (most * lengthOf(bin, width)))]],
      { width, height: isLast ? 54 : 20, most: 1, axes: [isLast ? axis({ ...kCycleAxis, align: 1, grid: { show: false } }) : { show: false }, { show: false }] });
  });
  followed(group, drawn[0], width, (bin) => {
    when.textContent = timeOf(bin, width);
    rows.forEach(({ most, counts }, i) => {
      shares[i].textContent = percent((bin === null ? sum(counts) : counts[bin]) / (most * lengthOf(bin, width)));
    });
  });
}

function unitsOverTime() {
  const { cycles, strips: units } = data.units_over_time;
  strips("Units over time", "How busy each unit was: a full strip is every cycle of every instance. Units that were idle " +
    "throughout are left out.", units.filter(({ busy }) => sum(busy))
    .map(({ unit, instances, busy }) => ({ name: words(unit), most: instances, counts: busy })), cycles);
}

const kMostPorts = 32;

/** Merges ports that carried the same values at the same time, such as "output 0" to "output 31", into one row. */
function foldedPorts(rows) {
  const groups = new Map();
  for (const row of rows) {
    const key = row.counts.join(",");
    groups.set(key, [...groups.get(key) ?? [], row]);
  }
  return [...groups.values()].map((group) => {
    if (group.length === 1) return group[0];
    const [first, last] = [group[0].name, group[group.length - 1].name];
    const stem = first.replace(/\d+$/, "");
    const range = group.every(({ name }) => name.replace(/\d+$/, "") === stem) ? `${first} to ${last.slice(stem.length)}` : `${first}, ...`;
    return { ...group[0], name: `${range} (${group.length} alike)` };
  });
}

function portsOverTime() {
  const { cycles, instances, ports } = data.ports_over_time;
  if (!ports.length) return;
  const busiest = ports.map(({ port, passes }) => ({ name: port, most: instances, counts: passes, all: sum(passes) }))
    .sort((a, b) => b.all - a.all).slice(0, kMostPorts);
  const shown = ports.map(({ port }) => busiest.find(({ name }) => name === port)).filter((each) => each);
  const left = ports.length - shown.length;
  strips("Shuffle ports over time", "In how many passes each port of the network carried a value: a full strip is a pass every cycle" +
    `${instances > 1 ? ` in each of the ${instances} units` : ""}. ` + (left ? `The ${kMostPorts} busiest; ${left} more carried less.`
      : "Ports that carried nothing are left out.") + " Ports that carried the same at the same time are one strip.", foldedPorts(shown), cycles);
}
