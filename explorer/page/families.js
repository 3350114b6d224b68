// SPDX-License-Identifier: Apache-2.0
// Draws the answer for a lane instruction of a family: its moves, the cheapest sequence of another family, its
// networks.
const kTold = { old: "keeps what its register held", zero: "receives 0", undefined: "is undefined" };
const kKinds = { lane: "arrow", old: "own", zero: "zero", undefined: "none" };

/** A lane of a result as the picture takes it. */
function wayOfMove(each, active) {
  const operand = each.operand ? "the second operand of " : "";
  const told = each.from === "lane" ? `receives ${operand}lane ${each.source}'s value` : kTold[each.from];
  const source = each.from === "lane" ? each.source : each.lane;
  const kind = isActive(active, each.lane) ? kKinds[each.from] : "idle";
  return { lane: each.lane, source, kind, told: kind === "idle" ? `lane ${each.lane} is not active` : `lane ${each.lane} ${told}` };
}

/** One picture for each step and result: {title, ways}. */
function picturesOfMoves(answer) {
  const active = BigInt(answer.active);
  return answer.steps.flatMap((results, step) => results.map((lanes, result) => {
    const names = [...answer.steps.length > 1 ? [`step ${step + 1}`] : [],
                   ...results.length > 1 ? [`result ${result + 1}`] : []];
    return { title: names.join(", "), ways: lanes.map((each) => wayOfMove(each, active)) };
  }));
}

const kSourceText = { arrow: (way) => `${way.source}`, own: () => "old", zero: () => "0", none: () => "?", idle: () => "-" };

function drawMoveTable(table, pictures) {
  const row = (name, cells) => html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((cell) => html("td", {}, cell)));
  table.replaceChildren(row("lane", pictures[0].ways.map((way) => `${way.lane}`)),
    ...pictures.map(({ title, ways }) => row(title || "source", ways.map((way) => kSourceText[way.kind](way)))));
}

/** The sequence of another family that does the same, as rows of "As it is written". */
function rowsOfSequence(answer) {
  if (!answer.as) return [];
  if (answer.sequence.length === 0) return [[answer.as, "none of at most two instructions"]];
  return answer.sequence.map((part) => [answer.as,
    `${part.text}${part.needs ? ` with ${part.needs}` : ""}${part.chained ? " (reads the result before)" : ""}: ${part.cost}`]);
}

function rowsOfMove(answer, command) {
  return [["instruction", answer.text], ...answer.word ? [["word", answer.word]] : [], ["cost", answer.cost],
          ["command", command], ...rowsOfSequence(answer)];
}

const kMoveColumns = [
  ["passes", "passes", (network) => network.passes],
  ["port conflicts", "lanes that waited, summed over passes", (network) => network.port_conflicts],
  ["pJ", "energy of this instruction", (network) => network.energy_pj?.toFixed(0) ?? ""],
  ["2:1 muxes", "of one bit", (network) => network.mux2],
];

function summaryOfMove(answer, family) {
  const lanes = answer.steps[0][0].length;
  const active = [...BigInt(answer.active).toString(2)].filter((bit) => bit === "1").length;
  return `${family.help}. ${lanes} lanes, ${active} active. ${answer.steps.length === 1 ? "One move"
    : `${answer.steps.length} moves; lanes combine their values between them`}.`;
}

function drawMoves(answer, family, command) {
  const pictures = picturesOfMoves(answer);
  at("summary").textContent = summaryOfMove(answer, family);
  drawPictures(at("arrows"), pictures, null);
  drawMoveTable(at("table"), pictures);
  drawWritten(at("written"), rowsOfMove(answer, command));
  drawNetworks(at("networks"), answer, kMoveColumns, null);
}
