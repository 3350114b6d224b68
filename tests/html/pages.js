// SPDX-License-Identifier: Apache-2.0
// The pages that scripts/html_test has written, opened in a browser.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const kFolder = path.resolve(process.argv[2]);
const kPages = ["run", "source", "compare", "sweep", "exec", "list", "profile"];

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

module.exports = { kFolder, kPages, fileOf, jsonOf, opened, rowsOf };
