// SPDX-License-Identifier: Apache-2.0
// Bundles each library here with all that it imports into one script, and one style if it has any, with the
// licences of the parts. scripts/bundle runs it in a folder of the build, beside node_modules.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { buildSync } = require("esbuild");

const kLibraries = ["uplot", "vega"];

/** The packages that a bundle contains parts of, from its metafile. */
function packagesOf({ outputs }) {
  const inputs = Object.values(outputs).flatMap((each) => Object.entries(each.inputs));
  const names = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => input.match(/^node_modules\/((@[^/]+\/)?[^/]+)/)?.[1]);
  return [...new Set(names.filter((name) => name))].sort();
}

/** Each licence text once, below the packages that have it. */
function licencesOf(packages) {
  const texts = new Map();
  for (const name of packages) {
    const folder = path.join("node_modules", name);
    const file = fs.readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (!file) throw new Error(`${name}: no licence; expected a file of that name in the package`);
    const text = fs.readFileSync(path.join(folder, file), "utf8").trim();
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    texts.set(text, [...texts.get(text) ?? [], `${name} ${version} (${license})`]);
  }
  return [...texts].map(([text, names]) => `${names.join(", ")}:\n\n${text}\n`).join("\n");
}

function bundled(library) {
  const options = { entryPoints: [`${library}.js`], bundle: true, minify: true, format: "iife", globalName: library,
                    legalComments: "none", outdir: "bundled" };
  const licences = licencesOf(packagesOf(buildSync({ ...options, metafile: true, write: false }).metafile));
  buildSync({ ...options, banner: { js: `/*\n${licences.replaceAll("*/", "* /")}*/` } });
  return licences;
}

fs.writeFileSync("bundled/licences.txt", kLibraries.map(bundled).join("\n"));
