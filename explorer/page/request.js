// SPDX-License-Identifier: Apache-2.0
// The request: the form's values as a line of `shflsim explain --many`, and as the end of the address.
const kModes = {
  IDX: "the lane that is read", UP: "how many lanes further down it reads",
  DOWN: "how many lanes further up it reads", BFLY: "XORed with the lane's number",
};

const kExamples = [
  ["one step of a butterfly sum", { mode: "BFLY", b: "16", c: "0x1f", mask: "0xffffffff" }],
  ["sum downwards in groups of 8", { mode: "DOWN", b: "4", c: "0x181f", mask: "0xffffffff" }],
  ["prefix sum, second step", { mode: "UP", b: "2", c: "0x0", mask: "0xffffffff" }],
  ["broadcast lane 5", { mode: "IDX", b: "5", c: "0x1f", mask: "0xffffffff" }],
  ["broadcast in groups of 4", { mode: "IDX", b: "0", c: "0x1c1f", mask: "0xffffffff" }],
  ["reverse the warp", { mode: "BFLY", b: "31", c: "0x1f", mask: "0xffffffff" }],
  ["rotate by 1", { mode: "IDX", b: "lane+1%32", c: "0x1f", mask: "0xffffffff" }],
  ["every fifth lane", { mode: "IDX", b: "lane*5%32", c: "0x1f", mask: "0xffffffff" }],
  ["transpose 4 x 8", { mode: "IDX", c: "0x1f", mask: "0xffffffff",
    b: Array.from({ length: 32 }, (_, lane) => lane % 4 * 8 + (lane >> 2)).join(",") }],
  ["reads of lanes that are not active", { mode: "DOWN", b: "1", c: "0x1f", mask: "0x0000ffff" }],
].map(([name, shuffle]) => [name, { ...shuffle, family: "" }]);

/** An instruction of each family, and the values of its registers. */
const kInstructions = {
  cdna: ["v_mov_b32_dpp v0, v1 row_shr:1 row_mask:0xf bank_mask:0xf"],
  gcn: ["ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,1)"],
  metal: ["simd_shuffle_xor(x, 1)"],
  nvidia: ["MOVM.16.MT88 R0, R1"],
  opencl: ["sub_group_shuffle(x, 3)"],
  rdna: ["v_permlanex16_b32 v0, v1, s2, s3", "s2=0x76543210; s3=0xfedcba98"],
  rdna2: ["ds_bpermute_b32 v0, v2, v1", "v2=lane^1*4"],
  rvv: ["vslideup.vi v1, v2, 3"],
  spirv: ["subgroupShuffleXor(x, 1)"],
  sve: ["zip1 z0.s, z1.s, z2.s"],
  vortex: ["vx_shfl_up(x, 1, 0, 6)"],
  x86: ["vpermd ymm1, ymm2, ymm3", "ymm2=lane^1"],
};

const isNumber = (text) => /^(0x[0-9a-f]+|\d+)$/i.test(text.trim());

/** The immediate if the text is one number that fits the field, else none. */
function immediate(text, most) {
  return isNumber(text) && Number(text) <= most ? Number(text) : null;
}

/** The mask if the text is one of `count` lanes, else none. */
function maskOf(text, count) {
  const mask = isNumber(text) ? BigInt(text.trim()) : -1n;
  return mask >= 0n && mask < 1n << BigInt(count) ? mask : null;
}
const maskText = (mask, count) => `0x${mask.toString(16).padStart(Math.ceil(count / 4), "0")}`;
const allLanes = (count) => (1n << BigInt(count)) - 1n;
const isActive = (mask, lane) => (mask >> BigInt(lane) & 1n) === 1n;

/** The form's values as {text, sb?, sc?, lanes}. */
function requestOf(state) {
  const request = { lanes: state.mask.trim() };
  const b = immediate(state.b, 31);
  const c = immediate(state.c, 0x1fff);
  const operands = [b === null ? "R2" : `0x${b.toString(16)}`, c === null ? "R3" : `0x${c.toString(16)}`];
  request.text = `SHFL.${state.mode} ${state.predicate ? "P0" : "PT"}, R1, R0, ${operands.join(", ")}`;
  if (b === null) request.sb = state.b.trim();
  if (c === null) request.sc = state.c.trim();
  return request;
}

/** The request as a shell command. */
function commandOf(request) {
  const quoted = (text) => `'${text}'`;
  let command = `shflsim explain ${quoted(request.text)}`;
  if (request.sb !== undefined) command += ` --sb ${quoted(request.sb)}`;
  if (request.sc !== undefined) command += ` --sc ${quoted(request.sc)}`;
  if (request.lanes.toLowerCase() !== "0xffffffff") command += ` --lanes ${request.lanes}`;
  return command;
}

/** The lane instruction of the form as a question to the families; that of a SHFL has no registers but R2 and R3. */
function questionOf(state) {
  const question = { text: state.instruction, family: state.family, lanes: state.mask.trim(), as: state.as,
                     values: state.values.trim() };
  if (state.count) question.lane_count = Number(state.count);
  if (state.family) return question;
  const { text, lanes, sb, sc } = requestOf(state);
  const values = [...sb ? [`R2=${sb}`] : [], ...sc ? [`R3=${sc}`] : []].join("; ");
  return { text, family: "nvidia", lanes, values, as: state.as };
}

/** The question as a shell command. */
function commandOfQuestion(question, count) {
  let command = `shflsim explain '${question.text}' --family ${question.family}`;
  if (question.lane_count) command += ` --lane-count ${question.lane_count}`;
  if (maskOf(question.lanes, count) !== allLanes(count)) command += ` --lanes ${question.lanes}`;
  if (question.values) command += ` --values '${question.values}'`;
  return question.as ? `${command} --as ${question.as}` : command;
}

/** The operand c for segments of `width` lanes, as CUDA's intrinsics choose it. */
const sharedC = (mode, width) => (32 - width) << 8 | (mode === "UP" ? 0 : 31);

/** "4 segments of 8 lanes", for an operand c. */
function meaningOfC(text) {
  const c = immediate(text, 0x1fff);
  if (c === null) return "for each lane";
  return `segment mask 0x${(c >> 8 & 31).toString(16)}, clamp ${c & 31}`;
}

function stateOfAddress(fallback) {
  const state = { ...fallback };
  for (const [key, value] of new URLSearchParams(location.hash.slice(1)))
    if (key in state) state[key] = typeof fallback[key] === "boolean" ? value === "true" : value;
  return state;
}
const addressOf = (state) => `#${new URLSearchParams(state)}`;
