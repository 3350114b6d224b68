// SPDX-License-Identifier: Apache-2.0
// The page of a run.
const kPassHues = [210, 145, 275, 45, 185, 315, 95, 240];  // none is red, which marks undefined reads

/** The colour of a pass, from 1 on; the first ones differ most. */
const passColor = (pass) => `hsl(${kPassHues[(pass - 1) % kPassHues.length]} 65% 50%)`;

/** Lines from each lane's source in the upper row to the lane in the lower row, in the colour of the pass, if several. */
function laneArrows({ source, executing, in_range: inRange, undefined: bad, pass }, only) {
  const several = Math.max(...pass) > 1;
  const at = (lane) => 20 + lane * 30;
  const bit = (mask, lane) => (mask >>> lane & 1) === 1;
  const svg = make("svg:svg", { viewBox: "0 0 980 130", role: "img", "aria-label": "arrows from source to destination lanes" });
  for (let lane = 0; lane < 32; ++lane) {
    for (const y of [14, 124]) {
      svg.append(make("svg:text", { x: at(lane), y, "text-anchor": "middle",
                                    class: bit(executing, lane) ? null : "off" }, String(lane)));
    }
    if (!bit(executing, lane)) continue;
    const kind = bit(bad, lane) ? "undefined" : bit(inRange, lane) ? "arrow" : "own";
    if (only && pass[lane] !== only) continue;
    const paint = several && kind === "arrow" ? `stroke:${passColor(pass[lane])}` : null;
    svg.append(make("svg:path", { class: kind, "data-lane": lane, "data-pass": pass[lane], ...(paint ? { style: paint } : {}),
                                  d: `M${at(source[lane])} 20 L${at(lane)} 106 m-3 -6 l3 6 l3 -6` }));
  }
  return svg;
}

function lanesOf(row) {
  const { maps, shown } = data.lane_maps[row.index];
  let map = 0;
  let only = 0;
  const place = make("div", { class: "sideways" });
  const where = make("span");
  const passes = make("span", { class: "passes" });
  const draw = () => {
    const count = Math.max(...shown[map].pass);
    where.textContent = maps > 1 ? `lane map ${map + 1} of ${maps}${maps > shown.length ? ` (the first ${shown.length} are here)` : ""} ` : "";
    const button = (pass, text) => make("button", { type: "button", "aria-pressed": String(only === pass),
      style: pass ? `border-color:${passColor(pass)}` : "", onclick: () => { only = pass; draw(); } }, text);
    passes.replaceChildren(...(count > 1 ? [button(0, `all ${count} passes`),
      ...Array.from({ length: count }, (_, i) => button(i + 1, `pass ${i + 1}`))] : [count === 1 ? "one pass" : ""]));
    place.replaceChildren(laneArrows(shown[map], only));
  };
  const turn = (by) => make("button", { type: "button", "aria-label": by < 0 ? "map before" : "next map", onclick: () => {
    map = (map + by + shown.length) % shown.length;
    only = 0;
    draw();
  } }, by < 0 ? "◂" : "▸");
  draw();
  return [make("p", {}, make("code", {}, `${row.pc}  ${row.text}`), " ", ...(shown.length > 1 ? [turn(-1), where, turn(1), " "] : [where]), passes),
    place, make("p", { class: "quiet" }, "Lanes of the upper row send, of the lower one receive. Dashed: out of range, " +
      "keeps its own value. Red: reads a lane that does not execute.")];
}

/** For each instruction that the critical path waits for, by address: its share of the path's cycles. */
function awaitedOnPath() {
  if (!data.critical_path?.length) return null;
  const all = sum(data.critical_path.map(({ cycles }) => cycles));
  const shares = new Map();
  for (const { cycles, of_pc: pc } of data.critical_path) {
    if (pc !== null) shares.set(pc, (shares.get(pc) ?? 0) + cycles / all);
  }
  return shares;
}

function instructions(states) {
  const awaited = awaitedOnPath();
  const rows = data.instructions.map((row, index) => ({ ...row, index, awaited: awaited?.get(row.pc) }));
  const most = Math.max(1, ...rows.map((row) => row.warp_cycles));
  const lanes = make("div", { id: "lanes", hidden: "" });
  const choose = (element, row) => {
    for (const each of document.querySelectorAll("tr.chosen")) each.classList.remove("chosen");
    element.classList.add("chosen");
    lanes.hidden = false;
    lanes.replaceChildren(...lanesOf(row));
  };
  const columns = [
    { key: "pc", drawn: true, cell: (row) => make("code", {}, row.pc) },
    { key: "text", head: "instruction", cell: (row) => make("code", {}, row.text) },
    ...(rows.some((row) => row.source) ? [{ key: "source" }] : []),
    { key: "issued" }, { key: "lanes" }, { key: "latency_mean", head: "latency" }, { key: "passes" },
    { key: "port_conflicts", head: "port conflicts" },
    ...(awaited ? [{ key: "awaited", head: "path waits", cell: ({ awaited: share }) => share ? percent(share) : "" }] : []),
    { key: "warp_cycles", head: "warp-cycles" },
    { key: "top_stall", head: "its warps' cycles", drawn: true, cell: (row) =>
      bar(states.map((state) => [state, row[`stall_${state}`] ?? 0]), row.warp_cycles / most) },
  ];
  const table = sortable(columns, rows, (element, row) => {
    element.style.background = `rgba(var(--heat), ${(0.4 * row.warp_cycles / most).toFixed(3)})`;
    if (row.warp_cycles === most) element.dataset.hottest = "";
    if (!data.lane_maps[row.index]) return;
    element.tabIndex = 0;
    for (const event of ["mouseenter", "focus"]) element.addEventListener(event, () => choose(element, row));
  });
  const jump = make("button", { type: "button", onclick: () => {
    const hottest = table.querySelector("tr[data-hottest]");
    if (!hottest) return;
    hottest.scrollIntoView({ block: "center" });
    hottest.tabIndex = 0;
    hottest.focus({ preventScroll: true });
  } }, "Go to the hottest instruction");
  section("Instructions", make("p", { class: "quiet" }, "The redder a line, the more cycles its warps spent " +
    "before and at it; what the warps on the critical path waited for stands beside. Point at a SHFL, or reach it with Tab, for whose value each lane gets."),
    legend(states), make("p", {}, jump), table, lanes);
}

/** The critical path, which makes up the run's length. */
function criticalPath() {
  if (!data.critical_path || !data.critical_path.length) return;
  const rows = data.critical_path;
  const most = Math.max(...rows.map(({ cycles }) => cycles));
  const color = (state) => kColors[state] ?? kColors.selected;
  section("Critical path", make("p", { class: "quiet" }, "The chain of waits that the run's length is made of, from its last " +
    `warp's end back to the start: ${show(data.totals.cycles)} cycles by instruction and what it waited for last.`),
    sortable([{ key: "cycles" }, { key: "share", drawn: true, cell: ({ cycles, waits_for: state }) =>
        make("div", { class: "bar" }, make("i", { style: `width:${100 * cycles / most}%;background:${color(state)}` })) },
      { key: "times" }, { key: "pc", drawn: true, cell: (row) => make("code", {}, row.pc) },
      { key: "text", head: "instruction", cell: (row) => make("code", {}, row.text) },
      { key: "waits_for", cell: (row) => words(row.waits_for) },
      { key: "of_text", head: "of", cell: (row) => row.of_text === null ? "" :
        make("span", {}, row.of_warp === "other" ? "another warp's " : "", make("code", {}, `${row.of_pc} ${row.of_text}`)) }],
    rows));
}

/** The cycles of each warp by state, one bar per warp. */
function warpStacks(names) {
  const rows = data.warp_states.flatMap((states, i) => states.map((cycles, state) => ({
    warp: `${data.warps[i].block}:${data.warps[i].warp}`, state: words(data.states[state].state), rank: state, cycles })))
    .filter(({ cycles }) => cycles);
  const shown = names.map((name) => [words(name), kColors[name]]);
  const step = Math.max(4, Math.min(18, 720 / data.warp_states.length));
  const [place] = chart("cycles of each warp by state", (width) => ({
    width, height: step * data.warp_states.length, autosize: { type: "fit-x", contains: "padding" }, data: { values: rows },
    params: [{ name: "state", select: { type: "point", fields: ["state"] }, bind: "legend" }],
    mark: { type: "bar", height: { band: step > 8 ? 0.85 : 1 } },
    encoding: {
      y: { field: "warp", type: "nominal", sort: null, title: "block:warp",
           axis: { labelOverlap: "greedy", ticks: false, domain: false } },
      x: { field: "cycles", type: "quantitative", stack: "zero", title: "cycles", axis: { tickCount: Math.ceil(width / 110) } },
      color: { field: "state", type: "nominal", sort: null, title: null,
               scale: { domain: shown.map(([name]) => name), range: shown.map(([, paint]) => paint) },
               legend: { orient: "top", columns: Math.max(2, Math.floor(width / 150)) } },
      opacity: { condition: { param: "state", value: 1 }, value: 0.15 },
      order: { field: "rank" },
      tooltip: [{ field: "warp", title: "block:warp" }, { field: "state" }, { field: "cycles", format: "," }],
    },
  }));
  return place;
}

function warps(names) {
  const rows = data.warp_states.map((states, i) => ({ ...data.warps[i], cycles: sum(states) }));
  const more = data.warps.length - rows.length;
  section("Warps", make("p", { class: "quiet" }, "Where each warp's cycles went. Click a state in the legend to see it alone." +
    (more > 0 ? ` The first ${rows.length}; ${show(more)} more.` : "")), warpStacks(names),
    sortable([{ key: "block" }, { key: "warp" }, { key: "first_issue" }, { key: "finish" }, { key: "cycles" }], rows));
}

/** What bounds the run, in sentences, and the data that they are derived from. */
function verdict() {
  if (!data.verdict) return;
  const { lines, bounds, busiest, what_ifs: whatIfs } = data.verdict;
  verdictLines(lines, make("details", {}, make("summary", {}, "The figures behind it"),
    sortable([{ key: "bound", head: "critical path" }, { key: "of", cell: (row) => row.of.join(", ") }, { key: "cycles" },
      { key: "share", cell: (row) => percent(row.share) }], bounds),
    sortable([{ key: "unit" }, { key: "share", head: "in its busiest tenth", cell: (row) => percent(row.share) },
      { key: "from" }, { key: "to" }, { key: "utilization", head: "in the whole run", cell: (row) => percent(row.utilization) }], busiest),
    sortable([{ key: "name", head: "what if" }, { key: "settings", cell: (row) => make("code", {}, row.settings.join(" ")) },
      { key: "cycles" }, { key: "change", cell: (row) => row.change === null ? row.error : percent(row.change) }], whatIfs)));
}

/** The run beside a profile of Nsight Compute. */
function profile() {
  if (!data.profile) return;
  const { file, kernel, samples, states, instructions: rows, counters, by_state: byState, by_instruction: byInstruction } = data.profile;
  const pair = ({ model, profile: measured, state }) => make("div", { class: "pair" },
    ...[model, measured].map((share) => make("div", { class: "bar short" },
      make("i", { style: `width:${100 * share}%;background:${kColors[state] ?? kColors.misc}` }))));
  const columns = (more) => [...more, { key: "state", cell: (row) => words(row.state) }, { key: "shares", head: "model over profile", drawn: true, cell: pair },
    { key: "model", cell: (row) => percent(row.model) }, { key: "profile", cell: (row) => percent(row.profile) },
    { key: "difference", cell: (row) => percent(row.difference) }];
  const distance = [[byState, "by state"], [byInstruction, "by instruction"]].filter(([value]) => value !== null)
    .map(([value, what]) => `${value.toFixed(3)} ${what}`).join(", ");
  section("Profile beside the model", make("p", { class: "quiet" }, `${file}${kernel ? `: ${kernel}` : ""}${samples ? `, ${show(samples)} samples` : ""}. ` +
    (distance ? `Distance of the shares of warp-cycles: ${distance} (0: equal, 1: nothing in common). ` : "") + "What differs most is first."),
    ...(states.length ? [sortable(columns([]), states)] : []),
    ...(rows.length ? [make("h3", {}, "By instruction"), sortable(columns([{ key: "pc", drawn: true, cell: (row) => make("code", {}, row.pc) },
      { key: "text", head: "instruction", cell: (row) => make("code", {}, row.text) }]), rows)] : []),
    ...(counters.length ? [make("h3", {}, "Counters"), sortable([{ key: "figure", cell: (row) => words(row.figure) }, { key: "model" },
      { key: "profile" }, { key: "metric", cell: (row) => make("code", {}, row.metric) }], counters)] : []));
}

function run() {
  const { machine, totals, launch, occupancy } = data;
  const used = data.states.filter((state) => state.cycles).map((state) => state.state);
  head(data.kernel, commandOf("run", [data.input], data.arguments, machine), launchOf(launch, machine),
    data.complete ? "" : `Partial: ${data.stopped_by}`);
  verdict();
  profile();
  page.append(figures([["cycles", totals.cycles], ["warp instructions", totals.warp_instructions], ["IPC", totals.ipc],
    ["issue slots used", percent(totals.issue_active)], ["shuffle passes", totals.passes],
    ["port conflicts", totals.port_conflicts],
    ["warps resident an SM", `${occupancy.theoretical_active_warps} of ${occupancy.max_warps}`],
    ["limited by", occupancy.limited_by.map(words).join(", ")],
    ["achieved occupancy", percent(occupancy.achieved_occupancy)],
    ["blocks", launch.blocks], ["threads a block", launch.threads_per_block], ["registers", launch.registers],
    ["assumed values in use", `${machine.assumed_in_use} of ${machine.values}`]]));
  const bySize = data.states.filter((state) => state.cycles).sort((a, b) => b.cycles - a.cycles);
  section("Where the warps' cycles went", bar(bySize.map(({ state, cycles }) => [state, cycles]), 1, "long"),
    make("div", { class: "legend" }, ...bySize.map(({ state, share }) => make("span", {},
        make("i", { style: `background:${kColors[state]}` }), `${words(state)} ${percent(share)}`))));
  remarks(data.remarks);
  source(used);
  instructions(used);
  criticalPath();
  overTime(used);
  unitsOverTime();
  portsOverTime();
  section("Units", sortable([{ key: "unit" }, { key: "instances" }, { key: "operations" }, { key: "busy", head: "busy cycles" },
    { key: "utilization", cell: (row) => percent(row.utilization) }], data.units));
  warps(used);
  if (data.findings.length) {
    section("Findings", sortable(Object.keys(data.findings[0]).map((key) => ({ key })), data.findings));
  }
  config(machine);
}
