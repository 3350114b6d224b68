// SPDX-License-Identifier: Apache-2.0
// What the units of a run did over time.
/** A bar for each bin, as high as the unit was busy in it. */
function strip({ unit, instances, busy }, cycles) {
  const most = cycles * instances;
  const bars = busy.map((part, bin) => part && make("svg:rect", { x: bin, width: 1, y: 1 - part / most, height: part / most }));
  return make("svg:svg", { class: "strip", viewBox: `0 0 ${busy.length} 1`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${unit} over time` }, ...bars.filter((each) => each));
}

/** How busy each unit was: in all of the run, or in the bin under the pointer or the keys' cursor. */
function unitsOverTime() {
  const { cycles, strips } = data.units_over_time;
  const used = strips.filter(({ busy }) => sum(busy));
  const bins = strips[0].busy.length;
  const lengthOf = (bin) => Math.min(cycles, data.totals.cycles - bin * cycles);
  const shares = used.map(() => make("span", { class: "share" }));
  const cursor = make("div", { class: "cursor", hidden: "" });
  const when = make("p", { class: "quiet", "aria-live": "polite" });
  let chosen = null;
  const choose = (bin) => {
    chosen = bin;
    cursor.hidden = bin === null;
    cursor.style.left = `${100 * ((bin ?? 0) + 0.5) / bins}%`;
    when.textContent = bin === null ? `All of the run: ${show(data.totals.cycles)} cycles.`
      : `Cycles ${show(bin * cycles)} to ${show(bin * cycles + lengthOf(bin) - 1)}.`;
    used.forEach(({ instances, busy }, i) => {
      const [part, whole] = bin === null ? [sum(busy), data.totals.cycles] : [busy[bin], lengthOf(bin)];
      shares[i].textContent = percent(part / (whole * instances));
    });
  };
  const lanes = make("div", { class: "strips", onmousemove: (event) => {
    const { left, width } = lanes.getBoundingClientRect();
    choose(Math.max(0, Math.min(bins - 1, Math.floor(bins * (event.clientX - left) / width))));
  }, onmouseleave: () => choose(null) }, ...used.map((each) => strip(each, cycles)), cursor);
  const steps = { ArrowLeft: () => Math.max(0, (chosen ?? bins) - 1), ArrowRight: () => Math.min(bins - 1, (chosen ?? -1) + 1),
                  Home: () => 0, End: () => bins - 1, Escape: () => null };
  const plot = make("div", { class: "units", tabindex: 0, role: "group", "aria-label": "units over time: arrow keys go from bin to bin",
    onkeydown: (event) => {
      if (!steps[event.key]) return;
      event.preventDefault();
      choose(steps[event.key]());
    } }, make("div", {}, ...used.map(({ unit }) => make("span", { class: "name" }, words(unit)))), lanes, make("div", {}, ...shares));
  choose(null);
  section("Units over time", make("p", { class: "quiet" }, `How busy each unit was, in bins of ${cycles} ` +
    `cycle${cycles === 1 ? "" : "s"}: a full bar is every cycle of every instance. Point at a bin, or go there with the arrow ` +
    "keys. Units that were idle throughout are left out."), when, plot);
}
