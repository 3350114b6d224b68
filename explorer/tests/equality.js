// SPDX-License-Identifier: Apache-2.0
// Compares the page's model with `shflsim explain`, byte for byte, for 10,000 random shuffles, on
// the shipped networks and on networks with add-ons and other parameters, and for an instruction of each lane family.
"use strict";
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const kTop = path.resolve(__dirname, "../..");
const kProgram = path.resolve(process.env.SHFLSIM ?? path.join(kTop, "build/release/shflsim"));
const kModel = path.resolve(process.argv[2] ?? path.join(kTop, "build/explorer/shuffle.js"));
const kShuffles = 5000;  // for each machine
const kMachines = [
  ["--config", "gm107"],
  ["--config", "gh100", "--set", "shuffle.self_bypass=1", "--set", "shuffle.quad_fast_path=1",
   "--set", "shuffle.uniform_broadcast=1", "--set", "shuffle.banked.banks=4",
   "--set", "shuffle.banked.ports=2", "--set", "shuffle.hierarchical.group=16",
   "--set", "shuffle.ring.ways=1"],
];

/** Random numbers from 0 to most - 1, the same on every machine (xorshift). */
function chance(seed) {
  let state = seed;
  return (most) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % most;
  };
}

function shuffle(below, networks) {
  const pick = (list) => list[below(list.length)];
  const many = (most) => Array.from({ length: 32 }, () => below(most)).join(",");
  const patterns = [() => `lane*${below(32)}%32`, () => `lane^${below(32)}`,
                    () => `lane+${below(40)}%32`, () => `lane/${1 + below(31)}`, () => many(32)];
  const usual = [0x1f, 0x0, 0x1c1f, 0x181f, 0x1c00, 0x1003];
  const request = { arch: pick(["sm_50", "sm_70", "sm_80", "sm_90", "sm_120"]) };
  const operands = [`R${below(255)}`, pick(["RZ", `R${below(255)}`])];
  const b = below(3);
  operands.push(b === 0 ? `R${below(255)}` : b === 1 ? "RZ" : `0x${below(32).toString(16)}`);
  if (b === 0) request.sb = pick(patterns)();
  const c = below(4);
  operands.push(c === 0 ? `R${below(255)}` : `0x${(c === 1 ? below(0x2000) : pick(usual)).toString(16)}`);
  if (c === 0) request.sc = pick([() => many(0x2000), () => "lane*257", () => `${pick(usual)}`])();
  const guard = pick(["", "", "@P1 ", "@!P2 "]);
  request.text = `${guard}SHFL.${pick(["IDX", "UP", "DOWN", "BFLY"])} P${pick(["T", below(7)])}, `
    + operands.join(", ");
  if (below(2) === 0) request.lanes = `${pick([below(2 ** 32), below(2 ** 32) & below(2 ** 32)]) >>> 0}`;
  if (below(50) !== 0) request.networks = [pick(networks), pick(networks)];
  return JSON.stringify(request);
}

function printed(...words) {
  const done = spawnSync(kProgram, words.slice(0, -1), { input: words.at(-1), encoding: "utf8", maxBuffer: 2 ** 30 });
  if (done.status !== 0) throw new Error(`${words[0]}: ${done.stderr}`);
  return done.stdout;
}

/** The parameters of a machine as shflsim_machine takes them. */
function valuesOf(machine) {
  const rows = JSON.parse(printed("list", "config", ...machine, "--format", "json", "")).config;
  return JSON.stringify(Object.fromEntries(rows.map((row) => [row.key, row.value])));
}

/** Compares the answers for one machine. Throws Error at the first difference. */
function compare(model, machine, seed) {
  const call = (name, text) => model.ccall(name, "string", ["string"], [text]);
  const networks = JSON.parse(call("shflsim_machine", valuesOf(machine))).map((each) => each.name);
  const below = chance(seed);
  const shuffles = Array.from({ length: kShuffles }, () => shuffle(below, networks));
  const answers = printed("explain", "--many", "-", ...machine, `${shuffles.join("\n")}\n`).split("\n");
  if (answers.length !== kShuffles + 1) throw new Error(`${answers.length - 1} answers`);
  const passes = new Map();
  shuffles.forEach((text, i) => {
    const own = call("shflsim_explain", text);
    if (own !== answers[i]) throw new Error(`${text}\nexplain: ${answers[i]}\npage:    ${own}`);
    for (const each of JSON.parse(own).networks)
      passes.set(each.network, Math.max(passes.get(each.network) ?? 0, each.passes));
  });
  if (passes.size !== networks.length) throw new Error("a network was not among them");
  if (Math.max(...passes.values()) < 16) throw new Error("no shuffle took many passes");
}

/** Compares the error messages for invalid requests. */
function compareRefusals(model) {
  const texts = ["SHFL.IDX PT, R1, R0, R2", "FADD R1, R2, R3", "SHFL.IDX PT, R1, R0, R2, 0x1f",
                 "SHFL.IDX PT, R1, R0, 0x20, 0x1f", "SHFL.DOWNN PT, R1, R0, 0x2, 0x1f"];
  for (const text of texts) {
    const done = spawnSync(kProgram, ["explain", text], { encoding: "utf8" });
    const own = JSON.parse(model.ccall("shflsim_explain", "string", ["string"], [JSON.stringify({ text })]));
    if (done.status !== 2 || `${own.error}\n` !== done.stderr) throw new Error(`${own.error}\n${done.stderr}`);
  }
}

/** Compares the answers for the page's instruction of each family, each in the words of each other family. */
function compareFamilies(model) {
  const script = readFileSync(path.join(kTop, "explorer/page/request.js"), "utf8");
  const instructions = vm.runInNewContext(`${script}; kInstructions`);
  const families = JSON.parse(model.ccall("shflsim_families", "string", [], [])).map((each) => each.name);
  if (`${Object.keys(instructions).sort()}` !== `${families}`) throw new Error(`instructions of ${Object.keys(instructions)}`);
  for (const [family, [text, values]] of Object.entries(instructions)) {
    for (const as of families) {
      const request = { text, family, as, ...values && { values } };
      const options = ["--family", family, "--as", as, ...values ? ["--values", values] : []];
      const done = spawnSync(kProgram, ["explain", text, ...options, "--format", "json"], { encoding: "utf8" });
      const own = JSON.parse(model.ccall("shflsim_explain_lanes", "string", ["string"], [JSON.stringify(request)]));
      const same = done.status === 2 ? own.error !== undefined
        : JSON.stringify(own) === JSON.stringify(JSON.parse(done.stdout));
      if (!same) throw new Error(`${text} as ${as}: ${JSON.stringify(own)}`);
    }
  }
}

require(kModel)().then((model) => {
  kMachines.forEach((machine, i) => compare(model, machine, 12345 + i));
  compareRefusals(model);
  model.ccall("shflsim_machine", "string", ["string"], [valuesOf(["--config", "gm107"])]);
  compareFamilies(model);
  console.log(`${kMachines.length * kShuffles} random shuffles: page and explain say the same`);
}).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
