// SPDX-License-Identifier: Apache-2.0
// The pages of --html in a headless Chromium, from their files: what is on them, hover, filters, keys,
// colours, errors and times. Leaves pictures beside the pages, in light and in dark.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const kFolder = path.resolve(process.argv[2]);
const kMostMilliseconds = 2000;
const kMostBytes = 3 * 1024 * 1024;  // besides the data

const fileOf = (name) => path.join(kFolder, `${name}.html`);
const jsonOf = (name) => JSON.parse(fs.readFileSync(path.join(kFolder, `${name}.json`), "utf8"));

/** The page, once it is drawn; what its console and its network say goes to `noise`. */
async function opened(browser, name, noise, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) noise.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(fileOf(name)).href);
  await page.waitForSelector("body[data-milliseconds]");
  return page;
}

const rowsOf = (page, title) => page.locator(`section[aria-labelledby=${title}] tbody tr`);

async function aRunHasARowForEachInstructionWarpAndValue(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  assert.equal(await page.textContent("h1"), json.kernel);
  assert.equal(await rowsOf(page, "instructions").count(), json.instructions.length);
  assert.equal(await rowsOf(page, "warps").count(), json.warps.length);
  assert.equal(await rowsOf(page, "configuration").count(), json.config.length);
  assert.equal(await page.locator("span.assumed").count(), json.machine.assumed);
  await page.close();
}

async function statesOverTimeAndByWarpAddUpToThoseOfTheRun(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  json.states.forEach(({ state, cycles }, i) => {
    for (const lists of [data.over_time.states, data.warp_states])
      assert.equal(lists.reduce((all, states) => all + states[i], 0), cycles, state);
  });
  assert.equal(await page.locator("g[data-window]").count(), data.over_time.states.length);
  await page.close();
}

async function aShuffleUnderThePointerShowsWhoseValuesItMoves(browser, noise) {
  const page = await opened(browser, "run", noise);
  assert.ok(await page.locator("#lanes").isHidden());
  const shuffles = page.locator("tr", { hasText: "SHFL.DOWN PT, R3, R4, 0x8" });
  await shuffles.first().hover();
  const drawn = await page.locator("#lanes path[data-lane]").evaluateAll((paths) => paths.map((each) => {
    const [from, to] = each.getAttribute("d").match(/^M(\d+) 20 L(\d+)/).slice(1).map((x) => (x - 20) / 30);
    return [from, to];
  }));
  assert.deepEqual(drawn, Array.from({ length: 32 }, (_, lane) => [lane < 24 ? lane + 8 : lane, lane]));
  await page.close();
}

async function aFilterKeepsTheRowsThatHaveItsText(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  await page.fill("section[aria-labelledby=instructions] input", "shfl");
  assert.equal(await rowsOf(page, "instructions").count(),
               json.instructions.filter(({ text }) => text.includes("SHFL")).length);
  await page.close();
}

async function allOfItWorksByKeys(browser, noise) {
  const page = await opened(browser, "run", noise);
  await page.focus("section[aria-labelledby=instructions] button[data-key=warp_cycles]");
  await page.keyboard.press("Enter");
  const most = Math.max(...jsonOf("run").instructions.map((each) => each.warp_cycles));
  const first = rowsOf(page, "instructions").first().locator("td").nth(7);
  assert.equal(await first.textContent(), most.toLocaleString("en"));
  await page.focus("section[aria-labelledby=instructions] button[data-key=top_stall]");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator("#lanes path[data-lane]").count(), 32);
  await page.close();
}

async function aComparisonHasItsDesignsAndTheirFront(browser, noise) {
  const { designs, points } = jsonOf("compare");
  const page = await opened(browser, "compare", noise);
  assert.equal(await rowsOf(page, "designs").count(), designs.length);
  assert.equal(await rowsOf(page, "runs").count(), points.length);
  const beats = (a, b) => a.mux2 <= b.mux2 && a.cycles <= b.cycles && (a.mux2 < b.mux2 || a.cycles < b.cycles);
  const front = designs.filter((one) => !designs.some((other) => beats(other, one)));
  assert.equal(await page.locator("circle.front").count(), front.length);
  await page.close();
}

const heatOf = (page) => page.locator("table.heat td").allTextContents();

/** Mean cycles by two columns, row by row, as the page writes them. */
function meansOf(rows, first, second) {
  const values = (key) => [...new Set(rows.map((row) => row[key]))];
  return values(first).flatMap((a) => values(second).map((b) => {
    const cycles = rows.filter((row) => row[first] === a && row[second] === b).map((row) => row.cycles);
    const mean = cycles.reduce((all, one) => all + one, 0) / cycles.length;
    return Number.isInteger(mean) ? mean.toLocaleString("en") : mean.toFixed(1);
  }));
}

async function aSweepOf1000PointsOpensInTime(browser, noise) {
  const { rows } = jsonOf("sweep");
  assert.equal(rows.length, 1000);
  let most = Infinity;
  let bytes = 0;
  for (let round = 0; round < 3 && most >= kMostMilliseconds; ++round) {
    const page = await opened(browser, "sweep", noise);
    most = Math.min(most, await page.evaluate(() => Number(document.body.dataset.milliseconds)));
    assert.equal(await rowsOf(page, "points").count(), rows.length);
    assert.deepEqual(await heatOf(page), meansOf(rows, "shuffle.network", "shuffle.lanes"));
    await page.locator("section[aria-labelledby=heat-map] select").first().selectOption("kernel");
    assert.deepEqual(await heatOf(page), meansOf(rows, "kernel", "shuffle.lanes"));
    bytes = fs.statSync(fileOf("sweep")).size - Buffer.byteLength(await page.textContent("#data"));
    await page.close();
  }
  console.log(`1000 points: ${most} ms, ${bytes} bytes besides the data`);
  assert.ok(most < kMostMilliseconds && bytes < kMostBytes);
}

async function picturesAreTakenInLightAndDark(browser, noise) {
  for (const name of ["run", "compare", "sweep"]) {
    const papers = new Set();
    for (const colorScheme of ["light", "dark"]) {
      const page = await opened(browser, name, noise, { colorScheme });
      papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      await page.screenshot({ path: path.join(kFolder, `${name}.${colorScheme}.png`), fullPage: true });
      await page.close();
    }
    assert.equal(papers.size, 2);
  }
}

const kTests = [aRunHasARowForEachInstructionWarpAndValue, statesOverTimeAndByWarpAddUpToThoseOfTheRun,
                aShuffleUnderThePointerShowsWhoseValuesItMoves, aFilterKeepsTheRowsThatHaveItsText,
                allOfItWorksByKeys, aComparisonHasItsDesignsAndTheirFront, aSweepOf1000PointsOpensInTime,
                picturesAreTakenInLightAndDark];

async function main() {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
  for (const test of kTests) {
    const noise = [];
    try {
      await test(browser, noise);
      assert.deepEqual(noise, []);
      console.log(`ok ${test.name}`);
    } catch (error) {
      console.log(`FAILED ${test.name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
  await browser.close();
}

main();
