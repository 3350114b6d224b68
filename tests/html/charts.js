// SPDX-License-Identifier: Apache-2.0
// What the charts and plots show, and how they answer to pointer, keys, choices and other colours.
"use strict";
const assert = require("node:assert/strict");
const { jsonOf, opened, rowsOf } = require("./pages.js");

const total = (numbers) => numbers.reduce((all, one) => all + one, 0);
const partOf = (page, title) => page.locator(`section[aria-labelledby=${title}]`);
const dataOf = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
const drawn = (page) => page.waitForSelector("[aria-busy=true]", { state: "detached" });

/** Pages draw in frames of their own: asks until it holds. */
async function until(holds, what) {
  for (const end = Date.now() + 10000; Date.now() < end;) {
    if (await holds()) return;
    await new Promise((done) => { setTimeout(done, 20); });
  }
  assert.fail(`${what}, not within 10 s`);
}

async function statesOverTimeAndByWarpAddUpToThoseOfTheRun(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  const data = await dataOf(page);
  json.states.forEach(({ state, cycles }, i) => {
    assert.equal(total(data.over_time.states[i]), cycles, state);
    assert.equal(total(data.warp_states.map((states) => states[i])), cycles, state);
  });
  const values = await partOf(page, "over-time").locator(".legend b").allTextContents();
  const warps = json.states.filter(({ cycles }) => cycles).map(({ cycles }) => (cycles / json.totals.cycles).toFixed(2));
  assert.deepEqual(values, warps);
  const bars = partOf(page, "warps").locator(".mark-rect path");
  assert.equal(await bars.count(), total(data.warp_states.map((states) => states.filter((cycles) => cycles).length)));
  await page.close();
}

async function figuresHaveTheirUnitsAndHeadsTheirMeanings(browser, noise) {
  const page = await opened(browser, "compare", noise);
  const part = partOf(page, "designs");
  const titles = await part.locator(".role-column-header text").allTextContents();
  assert.deepEqual(titles, ["cycles", "speedup", "passes", "energy nj", "mux2(multiplexers)", "cell area(um2)", "register area(um2)",
                            "wire length(lane pitches)", "logic delay(ps)", "wire delay(ps)"]);
  const head = part.locator("th", { has: page.locator("button[data-key=logic_delay]") });
  assert.equal(await head.getAttribute("title"), "ps: Of the cells between registers.");
  await page.close();
}

async function aComparisonHasItsDesignsAndTheirFront(browser, noise) {
  const { designs, points } = jsonOf("compare");
  const page = await opened(browser, "compare", noise);
  assert.equal(await rowsOf(page, "designs").count(), designs.length);
  assert.equal(await rowsOf(page, "runs").count(), points.length);
  const beats = (a, b) => a.cell_area <= b.cell_area && a.cycles <= b.cycles && (a.cell_area < b.cell_area || a.cycles < b.cycles);
  const priced = designs.filter(({ cell_area: area }) => area !== null);  // not what borrows shared memory's wires
  const front = priced.filter((one) => !priced.some((other) => beats(other, one)));
  const good = await page.evaluate(() => color("good"));
  const dots = partOf(page, "pareto-front").locator(".points_marks path");
  assert.equal(await dots.count(), priced.length);
  assert.equal(await partOf(page, "pareto-front").locator(`.points_marks path[fill="${good}"]`).count(), front.length);
  await dots.first().hover({ force: true });
  await page.waitForSelector("#vg-tooltip-element.visible");
  await page.close();
}

async function barsOfDesignsAreSortedByTheChosenFigure(browser, noise) {
  const { designs } = jsonOf("compare");
  const page = await opened(browser, "compare", noise);
  const names = async () => (await partOf(page, "designs").locator(".role-axis-label text").allTextContents())
    .map((name) => name.replace(" (baseline)", ""));
  assert.ok((await partOf(page, "designs").locator(".role-axis-label text").allTextContents()).includes(`${designs[0].design} (baseline)`));
  const [, ring] = designs.map(({ cycles, design }) => [cycles, design]).sort((a, b) => b[0] - a[0])[0];
  assert.equal((await names()).filter((name) => designs.some(({ design }) => design === name)).pop(), ring);
  await partOf(page, "designs").locator("select").selectOption("mux2");
  await drawn(page);
  const least = Math.min(...designs.map(({ mux2 }) => mux2 ?? Infinity));
  const first = (await names()).find((name) => designs.some(({ design }) => design === name));
  assert.equal(designs.find(({ design }) => design === first).mux2, least);
  await page.close();
}

/** Bins of each unit add up to what the run's JSON says of it. */
async function unitsOverTimeAddUpAndAreReadByPointerAndKeys(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  const { units_over_time: { strips }, ports_over_time: { ports } } = await dataOf(page);
  for (const { unit, busy } of json.units) assert.equal(total(strips.find((each) => each.unit === unit).busy), busy, unit);
  const part = partOf(page, "units-over-time");
  const shares = () => part.locator(".share").allTextContents();
  const whole = await shares();
  const shuffle = (await part.locator(".name").allTextContents()).indexOf("shuffle");
  const { utilization } = json.units.find(({ unit }) => unit === "shuffle");
  assert.equal(whole[shuffle], `${(100 * utilization).toFixed(1)} %`);
  assert.equal(await partOf(page, "shuffle-ports-over-time").locator(".strip canvas").count(),
               new Set(ports.map(({ passes }) => passes.join())).size, "ports that carry the same are one strip");
  await part.locator(".strip").first().hover({ position: { x: 40, y: 10 } });
  const saysAll = (pattern) => until(async () =>
    (await page.locator(".strips, .time").locator("xpath=..").locator("[aria-live]").allTextContents()).every((text) => pattern.test(text)), `${pattern}`);
  await saysAll(/^Cycles \d+ to \d+\./);
  assert.notDeepEqual(await shares(), whole);
  await page.mouse.move(0, 0);
  await saysAll(/^All of the run/);
  assert.deepEqual(await shares(), whole);
  await part.locator(".strips").focus();
  await page.keyboard.press("ArrowRight");
  await saysAll(/^Cycles 0 to /);
  await page.keyboard.press("Escape");
  await saysAll(/^All of the run/);
  assert.deepEqual(await shares(), whole);
  await page.close();
}

/** Keys, wheel and pointer zoom into all plots over time alike; Escape shows the whole run again. */
async function allPlotsZoomTogether(browser, noise) {
  const page = await opened(browser, "run", noise);
  const { totals: { cycles } } = await dataOf(page);
  const shown = async () => {
    const ends = await page.evaluate(() => plots.map(({ plot: { scales: { x } } }) => `${x.min} ${x.max}`));
    assert.equal(new Set(ends).size, 1, "one axis");
    return ends[0].split(" ").map(Number);
  };
  assert.deepEqual(await shown(), [0, cycles]);
  await page.locator(".time").focus();
  await page.keyboard.press("+");
  assert.deepEqual(await shown(), [cycles / 4, 3 * cycles / 4]);
  await page.keyboard.press("d");
  assert.deepEqual(await shown(), [3 * cycles / 8, 7 * cycles / 8]);
  await page.keyboard.press("-");
  await page.keyboard.press("Escape");
  assert.deepEqual(await shown(), [0, cycles]);
  const over = page.locator(".time .u-over");
  await over.scrollIntoViewIfNeeded();
  const { x, y, width } = await over.boundingBox();
  await page.mouse.move(x + width / 2, y + 20);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await until(async () => (await shown())[0] > 0, "the wheel zooms");
  await page.mouse.dblclick(x + width / 2, y + 20);
  await until(async () => (await shown())[1] === cycles, "a double click shows all");
  await page.mouse.move(x + width / 4, y + 20);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + 30, { steps: 4 });
  await page.mouse.up();
  const [from, to] = await shown();
  assert.ok(Math.abs(from - cycles / 4) < cycles / 20 && Math.abs(to - cycles / 2) < cycles / 20, `${from} to ${to}`);
  await page.close();
}

async function labelsOfDesignsDoNotOverlap(browser, noise) {
  for (const width of [1280, 700, 400]) {
    const page = await opened(browser, "compare", noise, { viewport: { width, height: 900 } });
    const boxes = await page.locator(".labels text").evaluateAll((texts) => texts.filter((each) => each.textContent &&
      getComputedStyle(each).opacity !== "0").map((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return { left, right, top: top + 2, bottom: bottom - 2, text: each.textContent };
    }));
    assert.ok(boxes.length >= 8, `${boxes.length} labels, ${width}`);
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) =>
      assert.ok(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top, `${a.text} on ${b.text}, ${width}`)));
    await page.close();
  }
}

/** Geometric mean cycles by two columns, row by row, as the page writes them. */
function meansOf(rows, first, second) {
  const values = (key) => [...new Set(rows.map((row) => row[key]))];
  return values(first).flatMap((a) => values(second).map((b) => {
    const cycles = rows.filter((row) => row[first] === a && row[second] === b).map((row) => row.cycles);
    return Number(Math.exp(total(cycles.map(Math.log)) / cycles.length).toFixed(1)).toLocaleString("en");
  }));
}

async function aHeatMapHasTheMeansOfWhatIsChosen(browser, noise) {
  const { rows } = jsonOf("sweep");
  const page = await opened(browser, "sweep", noise);
  const numbers = () => partOf(page, "heat-map").locator(".mark-text.role-mark text").allTextContents();
  assert.deepEqual((await numbers()).sort(), meansOf(rows, "shuffle.network", "shuffle.lanes").sort());
  await partOf(page, "heat-map").locator("select").first().selectOption("kernel");
  await drawn(page);
  assert.deepEqual((await numbers()).sort(), meansOf(rows, "kernel", "shuffle.lanes").sort());
  await partOf(page, "heat-map").locator(".mark-rect path").first().hover({ force: true });
  await page.waitForSelector("#vg-tooltip-element.visible");
  await page.close();
}

async function aStateOfTheLegendStandsAlone(browser, noise) {
  const page = await opened(browser, "run", noise);
  const part = partOf(page, "warps");
  const faint = () => part.locator('.mark-rect.role-mark path[opacity="0.15"]').count();
  assert.equal(await faint(), 0);
  await part.locator(".role-legend-label text", { hasText: "short scoreboard" }).click();
  await page.waitForSelector('.mark-rect path[opacity="0.15"]');
  assert.equal(await faint(), await part.locator('.mark-rect.role-mark path').count() -
    await part.locator(`.mark-rect.role-mark path[fill="${await page.evaluate(() => kColors.short_scoreboard)}"]`).count());
  await page.close();
}

async function chartsAreDrawnAnewForOtherColours(browser, noise) {
  const page = await opened(browser, "run", noise, { colorScheme: "light" });
  const seen = async () => [await page.locator(".chart .role-axis-label text").first().getAttribute("fill"),
                            await page.locator(".strip canvas").first().evaluate((canvas) => canvas.toDataURL())];
  const light = await seen();
  await page.emulateMedia({ colorScheme: "dark" });
  const ink = await page.evaluate(() => color("ink"));
  await until(async () => {
    const dark = await seen();
    return dark[0] === ink && ink !== light[0] && dark[1] !== light[1];
  }, "text and strips are drawn in the colours of the dark");
  await page.close();
}

module.exports = [figuresHaveTheirUnitsAndHeadsTheirMeanings, statesOverTimeAndByWarpAddUpToThoseOfTheRun, aComparisonHasItsDesignsAndTheirFront,
                  barsOfDesignsAreSortedByTheChosenFigure, unitsOverTimeAddUpAndAreReadByPointerAndKeys,
                  allPlotsZoomTogether, labelsOfDesignsDoNotOverlap, aHeatMapHasTheMeansOfWhatIsChosen, aStateOfTheLegendStandsAlone,
                  chartsAreDrawnAnewForOtherColours];
