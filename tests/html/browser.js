// SPDX-License-Identifier: Apache-2.0
// The pages of --html in a headless Chromium, from their files: what is on them, hover, filters, keys,
// colours, errors and times. Leaves pictures beside the pages, in light and in dark.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");
const charts = require("./charts.js");
const { kFolder, kPages, fileOf, jsonOf, opened, rowsOf } = require("./pages.js");

const kMostMilliseconds = 2000;
const kMostBytes = 3 * 1024 * 1024;  // besides the data

async function aRunHasARowForEachInstructionWarpAndValue(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  assert.equal(await page.textContent("h1"), json.kernel);
  assert.equal(await rowsOf(page, "instructions").count(), json.instructions.length);
  assert.equal(await rowsOf(page, "warps").count(), json.warps.length);
  const values = page.locator("section[aria-labelledby=configuration]");
  await values.locator("input").fill("assumed");
  assert.equal(await page.locator("span.assumed").count(), json.machine.assumed);
  assert.match(await values.locator("[aria-live]").textContent(), new RegExp(` of ${json.config.length} rows`));
  await page.close();
}

async function aProgramHasARowForEachKernelAndLaunch(browser, noise) {
  const json = jsonOf("exec");
  const page = await opened(browser, "exec", noise);
  assert.equal(await page.textContent("h1"), "streams");
  assert.match(await page.textContent("section[aria-labelledby=verdict]"), /longest: add\(int\*, int, int\): .* us, 100.0 %/);
  assert.equal(await rowsOf(page, "kernels").count(), json.kernels.length);
  assert.equal(await rowsOf(page, "launches").count(), json.launches.length);
  const shares = await rowsOf(page, "launches").locator("td:nth-child(9)").allTextContents();
  const all = shares.reduce((sum, share) => sum + parseFloat(share), 0);
  assert.ok(Math.abs(all - 100) < 0.1 * json.launches.length, `${all} %`);
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

async function aLongTableGrowsAsItIsScrolled(browser, noise) {
  const page = await opened(browser, "sweep", noise);
  const table = page.locator("section[aria-labelledby=points] .scroll");
  let count = await rowsOf(page, "points").count();
  for (const most of [500, 750, 1000]) {
    assert.ok(count < most);
    await table.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    await page.waitForSelector(`section[aria-labelledby=points] tbody tr:nth-child(${most})`, { state: "attached" });
    count = await rowsOf(page, "points").count();
    assert.equal(count, most);
  }
  await page.close();
}

async function allOfItWorksByKeys(browser, noise) {
  const page = await opened(browser, "run", noise);
  await page.focus("section[aria-labelledby=instructions] button[data-key=warp_cycles]");
  await page.keyboard.press("Enter");
  const most = Math.max(...jsonOf("run").instructions.map((each) => each.warp_cycles));
  const first = rowsOf(page, "instructions").first().locator("td").nth(8);
  assert.equal(await first.textContent(), most.toLocaleString("en"));
  await page.focus("section[aria-labelledby=instructions] button[data-key=top_stall]");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator("#lanes path[data-lane]").count(), 32);
  await page.close();
}

async function theCriticalPathIsAsLongAsTheRun(browser, noise) {
  const json = jsonOf("run");
  const page = await opened(browser, "run", noise);
  const cells = await rowsOf(page, "critical-path").locator("td:first-child").allTextContents();
  assert.equal(cells.length, json.critical_path.length);
  assert.equal(cells.reduce((all, cell) => all + Number(cell.replaceAll(",", "")), 0), json.totals.cycles);
  await page.close();
}

async function aLineOfTheSourceShowsItsInstructions(browser, noise) {
  const json = jsonOf("source");
  const page = await opened(browser, "source", noise);
  const line = page.locator("table.source tr", { hasText: "sum += in[row * columns + column];" });
  await line.hover();
  const at = json.instructions.filter(({ source }) => source === "lines.cu:9");
  const cyclesOf = (rows) => rows.reduce((all, row) => all + row.warp_cycles, 0);
  assert.equal(await line.locator("td").nth(1).textContent(),
               `${(100 * cyclesOf(at) / cyclesOf(json.instructions)).toFixed(1)} %`);
  assert.equal(await page.locator(".code tr.linked").count(), at.length);
  const code = page.locator(".code tr[data-line='9']").first();
  await code.hover();
  assert.equal(await page.locator(".lines tr.linked").getAttribute("data-line"), "9");
  await page.locator(".lines tr[tabindex]").first().focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(".lines tr.linked").count(), 1);
  await page.close();
}

async function aPageLeadsToItsHottestLineAndToEachSection(browser, noise) {
  const page = await opened(browser, "source", noise);
  const links = await page.locator("nav.contents a").evaluateAll((all) => all.map((each) => each.getAttribute("href").slice(1)));
  const heads = await page.locator("section > h2").evaluateAll((all) => all.map(({ id }) => id).filter((id) => id !== "verdict"));
  assert.deepEqual(links, heads);
  await page.getByText("Go to the hottest instruction").click();
  const json = jsonOf("source");
  const most = Math.max(...json.instructions.map(({ warp_cycles: cycles }) => cycles));
  const hottest = json.instructions.find(({ warp_cycles: cycles }) => cycles === most);
  assert.match(await page.evaluate(() => document.activeElement.textContent), new RegExp(`^${hottest.pc}`));
  await page.getByText("Go to the hottest line").click();
  assert.ok(await page.evaluate(() => document.activeElement.dataset.line) > 0);
  await page.close();
}

async function aListLeadsToThePageOfEachLaunch(browser, noise) {
  const page = await opened(browser, "list", noise);
  const links = await rowsOf(page, "launches").locator("td:first-child a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
  assert.ok(links.length > 1);
  links.forEach((link, i) => assert.equal(link, `list.${i + 1}.html`));
  assert.ok(links.every((link) => fs.existsSync(path.join(kFolder, link))));
  await page.close();
}

async function aProfileStandsBesideTheModel(browser, noise) {
  const json = jsonOf("profile");
  const page = await opened(browser, "profile", noise);
  const part = page.locator("section[aria-labelledby=profile-beside-the-model]");
  assert.equal(await part.locator("table").first().locator("tbody tr").count(), json.profile.states.length);
  assert.match(await part.textContent(), new RegExp(json.profile.by_state.toFixed(3)));
  await page.close();
}

async function theLanesOfAMapAreToldByTheirPasses(browser, noise) {
  const page = await opened(browser, "profile", noise);
  const { lane_maps: maps } = JSON.parse(await page.textContent("#data"));
  const [, { shown: [{ pass }] }] = Object.entries(maps).find(([, { shown }]) => Math.max(...shown[0].pass) > 1);
  await page.locator("section[aria-labelledby=instructions] tr[tabindex]").first().focus();
  const count = Math.max(...pass);
  assert.equal(await page.locator("#lanes .passes button").count(), count + 1);
  await page.locator("#lanes .passes button").nth(2).click();
  assert.equal(await page.locator("#lanes path[data-lane]").count(), pass.filter((each) => each === 2).length);
  await page.close();
}

/** In the page: texts whose contrast with what is behind them is below 4.5 (WCAG 2.1, level AA). */
function faintTexts() {
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((part, i) => a * part + (1 - a) * below[i]);
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(numbers(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const light = (color) => color.map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((all, part, i) => all + part * [0.2126, 0.7152, 0.0722][i], 0);
  const faint = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!text.data.trim() || !element.checkVisibility() || element.closest("script, title, option, .off")) continue;
    const style = getComputedStyle(element);
    const cell = element.closest(".mark-text") && [...element.closest(".chart").querySelectorAll(".mark-rect path")].find((each) => {
      const [a, b] = [each, element].map((one) => one.getBoundingClientRect());
      return a.left <= b.left && b.right <= a.right && a.top <= b.top && b.bottom <= a.bottom;
    });
    const below = cell ? numbers(getComputedStyle(cell).fill) : behind(element);
    if (style.opacity === "0") continue;
    const ink = over(numbers(element.namespaceURI.includes("svg") ? style.fill : style.color), below);
    const [a, b] = [light(ink), light(below)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) faint.add(`${contrast.toFixed(2)} ${text.data.trim().slice(0, 40)}`);
  }
  return [...faint];
}

async function textStandsOutInLightAndDark(browser, noise) {
  for (const name of kPages) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await opened(browser, name, noise, { colorScheme });
      if (name === "run") await page.locator("tr[tabindex]").first().focus();
      assert.deepEqual(await page.evaluate(faintTexts), [], `${name}, ${colorScheme}`);
      await page.close();
    }
  }
}

async function nothingIsWiderThanATelephone(browser, noise) {
  for (const name of kPages) {
    const page = await opened(browser, name, noise, { viewport: { width: 400, height: 800 } });
    if (name === "run") await page.locator("tr[tabindex]").first().focus();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 400, name);
    await page.screenshot({ path: path.join(kFolder, `${name}.narrow.png`), fullPage: true });
    await page.close();
  }
}

async function aSweepOf1000PointsOpensInTime(browser, noise) {
  const { rows } = jsonOf("sweep");
  assert.equal(rows.length, 1000);
  let most = Infinity;
  let bytes = 0;
  for (let round = 0; round < 3 && most >= kMostMilliseconds; ++round) {
    const page = await opened(browser, "sweep", noise);
    most = Math.min(most, await page.evaluate(() => Number(document.body.dataset.milliseconds)));
    assert.match(await page.textContent("section[aria-labelledby=points] [aria-live]"), /^1,000 of 1,000 rows/);
    bytes = fs.statSync(fileOf("sweep")).size - Buffer.byteLength(await page.textContent("#data"));
    await page.close();
  }
  console.log(`1000 points: ${most} ms, ${bytes} bytes besides the data`);
  assert.ok(most < kMostMilliseconds && bytes < kMostBytes);
}

/** How many of a picture's points are not of its most frequent colour, and how many colours it has. */
async function inkOf(browser, file) {
  const page = await browser.newPage();
  const url = `data:image/png;base64,${fs.readFileSync(file).toString("base64")}`;
  const ink = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const points = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    const counts = new Map();
    for (const point of points) counts.set(point, (counts.get(point) ?? 0) + 1);
    return { share: 1 - Math.max(...counts.values()) / points.length, colors: counts.size };
  }, url);
  await page.close();
  return ink;
}

async function picturesAreTakenInLightAndDark(browser, noise) {
  for (const name of kPages) {
    const papers = new Set();
    for (const colorScheme of ["light", "dark"]) {
      const page = await opened(browser, name, noise, { colorScheme });
      papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
      const file = path.join(kFolder, `${name}.${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
      const { share, colors } = await inkOf(browser, file);
      assert.ok(share > 0.02 && colors > 50, `${name}, ${colorScheme}: ${share} of ${colors} colours`);
      await page.close();
    }
    assert.equal(papers.size, 2);
  }
}

const kTests = [aRunHasARowForEachInstructionWarpAndValue, aProgramHasARowForEachKernelAndLaunch,
                theCriticalPathIsAsLongAsTheRun,
                aLineOfTheSourceShowsItsInstructions, aPageLeadsToItsHottestLineAndToEachSection, aListLeadsToThePageOfEachLaunch,
                aProfileStandsBesideTheModel, theLanesOfAMapAreToldByTheirPasses, ...charts, textStandsOutInLightAndDark,
                nothingIsWiderThanATelephone, aShuffleUnderThePointerShowsWhoseValuesItMoves, aFilterKeepsTheRowsThatHaveItsText,
                aLongTableGrowsAsItIsScrolled, allOfItWorksByKeys, aSweepOf1000PointsOpensInTime,
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
