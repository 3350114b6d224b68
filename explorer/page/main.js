// SPDX-License-Identifier: Apache-2.0
// Connects form, model and picture.
const at = (id) => document.getElementById(id);
const kStart = { mode: "BFLY", b: "16", c: "0x1f", mask: "0xffffffff", predicate: false,
                 machine: "gm107", network: "banked", family: "", instruction: "", values: "", count: "", as: "" };
let state = stateOfAddress(kStart);
let step = null;  // pass shown; null: all
let answer = null;
let help = {};    // help texts of the networks
let families = {};  // by name
let call = null;  // calls the model

const lanesNow = () => state.family === "" ? 32 : Number(state.count || families[state.family].lane_counts[0]);

function drawLaneButtons() {
  const count = lanesNow();
  if (at("lanes").children.length !== count)
    at("lanes").replaceChildren(...Array.from({ length: count }, (_, lane) =>
      html("button", { type: "button", "data-lane": lane, tabindex: lane === 0 ? 0 : -1,
                       "aria-label": `lane ${lane}` }, `${lane}`)));
  const mask = maskOf(state.mask, count);
  for (const button of at("lanes").children)
    button.setAttribute("aria-pressed", `${mask !== null && isActive(mask, Number(button.dataset.lane))}`);
}

function drawShuffleForm() {
  for (const radio of document.getElementsByName("mode")) radio.checked = radio.value === state.mode;
  at("predicate").checked = state.predicate;
  at("b-meaning").textContent = kModes[state.mode];
  const b = immediate(state.b, 31);
  at("b-slider").disabled = b === null;
  if (b !== null) at("b-slider").value = b;
  at("c-meaning").textContent = meaningOfC(state.c);
  const width = [32, 16, 8, 4, 2, 1].find((each) => sharedC(state.mode, each) === immediate(state.c, 0x1fff));
  at("width").value = width ?? "";
}

function drawFamilyForm(family) {
  at("family-help").textContent = family.help;
  at("operations").replaceChildren(...family.operations.map((name) => html("option", { value: name })));
  at("count").replaceChildren(...family.lane_counts.map((each) => html("option", { value: `${each}` }, `${each}`)));
  at("count").value = `${lanesNow()}`;
}

function drawForm() {
  for (const key of ["b", "c", "mask", "instruction", "values"])
    if (at(key).value !== state[key]) at(key).value = state[key];
  for (const key of ["machine", "family", "as"]) at(key).value = state[key];
  at("shfl").hidden = state.family !== "";
  at("other").hidden = state.family === "";
  drawShuffleForm();
  if (state.family !== "") drawFamilyForm(families[state.family]);
  drawLaneButtons();
}

const machineOption = () => state.machine === kStart.machine ? "" : ` --config ${state.machine}`;

function drawShuffle() {
  const network = answer.networks.find((each) => each.network === state.network) ?? answer.networks[0];
  if (step !== null && step >= network.passes) step = null;
  const shown = step === null ? null : new Set(network.schedule[step].lanes);
  at("summary").textContent = summaryOf(answer);
  drawPictures(at("arrows"), [{ title: "", ways: answer.lanes.map(wayOfShuffle) }], shown);
  drawTable(at("table"), answer.lanes);
  drawWritten(at("written"), [...rowsOfShuffle(answer, commandOf(requestOf(state)) + machineOption()),
                              ...rowsOfSequence(answer.same ?? {})]);
  drawNetworks(at("networks"), answer, kColumns, network.network);
  at("passes-title").textContent = `Passes on ${network.network}: ${network.passes}`;
  at("network-help").textContent = `${help[network.network]}. A wire has the colour of the lane whose value it carries; what lanes wait for is red.`;
  drawStepper(at("stepper"), network, step);
  const request = { ...requestOf(state), networks: [network.network] };
  drawPass(at("network"), call("shflsim_pass", JSON.stringify(request), `${step ?? 0}`));
  drawPasses(at("passes"), network, step);
}

function drawAnswer() {
  at("passes-section").hidden = state.family !== "";
  if (state.family === "") drawShuffle();
  else drawMoves(answer, families[state.family], commandOfQuestion(questionOf(state), lanesNow()) + machineOption());
}

/** The model's answer for the form; of a SHFL with `same`, the answer of the family that is to do the same. */
function asked() {
  const ask = (name, request) => JSON.parse(call(name, JSON.stringify(request)));
  if (state.family !== "") return ask("shflsim_explain_lanes", questionOf(state));
  const given = ask("shflsim_explain", requestOf(state));
  if (given.error !== undefined || state.as === "") return given;
  const same = ask("shflsim_explain_lanes", questionOf(state));
  return same.error === undefined ? { ...given, same } : same;
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
  const given = asked();
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

const maskNow = () => maskOf(state.mask, lanesNow()) ?? 0n;
const changeMask = (mask) => change({ mask: maskText(mask, lanesNow()) });

/** Another family, with its example, all lanes and its usual number of them. */
function changeFamily(name) {
  const [instruction, values] = kInstructions[name] ?? [families[name]?.operations[0] ?? ""];
  const count = name === "" ? 32 : families[name].lane_counts[0];
  change({ family: name, instruction, values: values ?? "", count: "", mask: maskText(allLanes(count), count) });
}

function fillForm() {
  at("example").append(html("option", { value: "" }, "choose..."),
    ...kExamples.map(([name], index) => html("option", { value: index }, name)));
  at("machine").append(...Object.entries(machines).map(([name, each]) =>
    html("option", { value: name }, `${name}: ${each.chip}`)));
  const names = Object.values(families).map((each) => html("option", { value: each.name }, `${each.name}: ${each.help}`));
  at("family").append(html("option", { value: "" }, "NVIDIA: SHFL"), ...names);
  at("as").append(html("option", { value: "" }, "-"), ...names.map((each) => each.cloneNode(true)));
}

/** One button of a group is in the Tab order; arrow keys move to the others. */
function moveFocus(event) {
  const move = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 16, ArrowUp: -16 }[event.key];
  if (move === undefined || event.target.dataset.lane === undefined) return;
  event.preventDefault();
  const lanes = at("lanes").children;
  const next = lanes[(Number(event.target.dataset.lane) + move + lanes.length) % lanes.length];
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
  for (const key of ["b", "c", "mask", "instruction", "values", "as"])
    at(key).addEventListener("input", () => change({ [key]: at(key).value }));
  at("family").addEventListener("change", () => changeFamily(at("family").value));
  at("count").addEventListener("change", () => {
    const count = Number(at("count").value);
    change({ count: `${count}`, mask: maskText(allLanes(count), count) });
  });
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
  at("all").addEventListener("click", () => changeMask(allLanes(lanesNow())));
  at("invert").addEventListener("click", () => changeMask(maskNow() ^ allLanes(lanesNow())));
  at("lanes").addEventListener("click", (event) => {
    const lane = event.target.dataset.lane;
    if (lane !== undefined) changeMask(maskNow() ^ 1n << BigInt(lane));
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
    begin();
  });
}

/** Begins with the state of the address. */
function begin() {
  if (!(state.family in families)) state.family = "";
  setMachine();
  update();
}

ShuffleModel().then((model) => {
  call = (name, ...texts) => model.ccall(name, "string", texts.map(() => "string"), texts);
  families = Object.fromEntries(JSON.parse(call("shflsim_families")).map((each) => [each.name, each]));
  fillForm();
  listen();
  begin();
});
