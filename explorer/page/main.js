// SPDX-License-Identifier: Apache-2.0
// Connects form, model and picture.
const at = (id) => document.getElementById(id);
const kStart = { mode: "BFLY", b: "16", c: "0x1f", mask: "0xffffffff", predicate: false,
                 machine: "gm107", network: "banked" };
let state = stateOfAddress(kStart);
let step = null;  // pass shown; null: all
let answer = null;
let help = {};    // help texts of the networks
let call = null;  // calls the model

function drawForm() {
  for (const radio of document.getElementsByName("mode")) radio.checked = radio.value === state.mode;
  for (const key of ["b", "c", "mask"]) if (at(key).value !== state[key]) at(key).value = state[key];
  at("predicate").checked = state.predicate;
  at("machine").value = state.machine;
  at("b-meaning").textContent = kModes[state.mode];
  const b = immediate(state.b, 31);
  at("b-slider").disabled = b === null;
  if (b !== null) at("b-slider").value = b;
  at("c-meaning").textContent = meaningOfC(state.c);
  const width = [32, 16, 8, 4, 2, 1].find((each) => sharedC(state.mode, each) === immediate(state.c, 0x1fff));
  at("width").value = width ?? "";
  const mask = immediate(state.mask, 0xffffffff);
  for (const button of at("lanes").children)
    button.setAttribute("aria-pressed", `${mask !== null && (mask >>> Number(button.dataset.lane) & 1) === 1}`);
}

function drawAnswer() {
  const network = answer.networks.find((each) => each.network === state.network) ?? answer.networks[0];
  if (step !== null && step >= network.passes) step = null;
  const shown = step === null ? null : new Set(network.schedule[step].lanes);
  at("summary").textContent = summaryOf(answer);
  drawArrows(at("arrows"), answer.lanes, shown);
  drawTable(at("table"), answer.lanes);
  drawWritten(at("written"), answer, commandOf(requestOf(state))
    + (state.machine === kStart.machine ? "" : ` --config ${state.machine}`));
  drawNetworks(at("networks"), answer, network.network);
  at("passes-title").textContent = `Passes on ${network.network}: ${network.passes}`;
  at("network-help").textContent = `${help[network.network]}. A wire has the colour of the lane whose value it carries; what lanes wait for is red.`;
  drawStepper(at("stepper"), network, step);
  const request = { ...requestOf(state), networks: [network.network] };
  drawPass(at("network"), call("shflsim_pass", JSON.stringify(request), `${step ?? 0}`));
  drawPasses(at("passes"), network, step);
}

let keeping = 0;  // timer
/** Called when changes pause, because this takes browsers longer than everything else. */
function keepInAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(() => history.replaceState(null, "", addressOf(state)), 200);
}

/** Lets the model answer the request, and draws the answer. */
function update() {
  const begin = performance.now();
  drawForm();
  const given = JSON.parse(call("shflsim_explain", JSON.stringify(requestOf(state))));
  at("problem").textContent = given.error ?? "";
  at("answer").inert = given.error !== undefined;
  if (given.error === undefined) {
    answer = given;
    drawAnswer();
  }
  keepInAddress();
  at("answer").getBoundingClientRect();  // laying it out is part of the answer
  const took = performance.now() - begin;
  document.body.dataset.milliseconds = took.toFixed(1);
  at("time").textContent = `answered in ${took.toFixed(0)} ms`;
}

function change(part) {
  state = { ...state, ...part };
  update();
}

function setMachine() {
  if (!(state.machine in machines)) state.machine = kStart.machine;
  const networks = JSON.parse(call("shflsim_machine", JSON.stringify(machines[state.machine].values)));
  help = Object.fromEntries(networks.map((each) => [each.name, each.help]));
}

function maskText(mask) { return `0x${(mask >>> 0).toString(16).padStart(8, "0")}`; }
const maskNow = () => immediate(state.mask, 0xffffffff) ?? 0;

function fillForm() {
  at("example").append(html("option", { value: "" }, "choose..."),
    ...kExamples.map(([name], index) => html("option", { value: index }, name)));
  at("machine").append(...Object.entries(machines).map(([name, each]) =>
    html("option", { value: name }, `${name}: ${each.chip}`)));
  for (let lane = 0; lane < 32; ++lane)
    at("lanes").append(html("button", { type: "button", "data-lane": lane, tabindex: lane === 0 ? 0 : -1,
                                        "aria-label": `lane ${lane}` }, `${lane}`));
}

/** One button of a group is in the Tab order; arrow keys move to the others. */
function moveFocus(event) {
  const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 16, ArrowUp: -16 }[event.key];
  if (move === undefined || event.target.dataset.lane === undefined) return;
  event.preventDefault();
  const next = at("lanes").children[(Number(event.target.dataset.lane) + move + 32) % 32];
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Handles clicks and keys on a pass. The pass is redrawn and keeps the focus. */
function chooseStep(value) {
  step = value === "all" ? null : Number(value);
  drawAnswer();
  at("stepper").querySelector(`[data-step="${value}"]`)?.focus();
}

function moveStep(event) {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = move === 1 ? event.target.nextElementSibling : event.target.previousElementSibling;
  if (move === undefined || !next) return;
  event.preventDefault();
  chooseStep(next.dataset.step);
}

function chooseNetwork(name) {
  state.network = name;
  step = null;
  update();
  at("networks").querySelector(`input[value="${name}"]`)?.focus();
}

function highlight(event) {
  for (const way of at("arrows").querySelectorAll(".strong")) way.classList.remove("strong");
  event.target.closest?.(".way")?.classList.add("strong");
}

function listen() {
  for (const key of ["b", "c", "mask"])
    at(key).addEventListener("input", () => change({ [key]: at(key).value }));
  for (const radio of document.getElementsByName("mode")) radio.addEventListener("change", () => {
    const width = Number(at("width").value);
    change({ mode: radio.value, ...width && { c: `0x${sharedC(radio.value, width).toString(16)}` } });
  });
  at("b-slider").addEventListener("input", () => change({ b: at("b-slider").value }));
  at("width").addEventListener("change", () => {
    const width = Number(at("width").value);
    if (width) change({ c: `0x${sharedC(state.mode, width).toString(16)}` });
  });
  at("predicate").addEventListener("change", () => change({ predicate: at("predicate").checked }));
  at("all").addEventListener("click", () => change({ mask: "0xffffffff" }));
  at("invert").addEventListener("click", () => change({ mask: maskText(~maskNow()) }));
  at("lanes").addEventListener("click", (event) => {
    const lane = event.target.dataset.lane;
    if (lane !== undefined) change({ mask: maskText(maskNow() ^ 1 << Number(lane)) });
  });
  at("lanes").addEventListener("keydown", moveFocus);
  at("example").addEventListener("change", () => {
    if (at("example").value !== "") change(kExamples[Number(at("example").value)][1]);
  });
  at("machine").addEventListener("change", () => {
    state.machine = at("machine").value;
    setMachine();
    update();
  });
  at("networks").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-network]");
    if (row && row.dataset.network !== state.network) chooseNetwork(row.dataset.network);
  });
  at("networks").addEventListener("change", (event) => chooseNetwork(event.target.value));
  at("stepper").addEventListener("click", (event) => {
    if (event.target.dataset.step !== undefined) chooseStep(event.target.dataset.step);
  });
  at("stepper").addEventListener("keydown", moveStep);
  at("arrows").addEventListener("pointerover", highlight);
  at("form").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => {
    if (location.hash === addressOf(state)) return;
    state = stateOfAddress(kStart);
    setMachine();
    update();
  });
}

ShuffleModel().then((model) => {
  call = (name, ...texts) => model.ccall(name, "string", texts.map(() => "string"), texts);
  fillForm();
  setMachine();
  listen();
  update();
});
