// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "isa/base/input_error.h"
#include "isa/codec/codec.h"
#include "isa/families/lane_family.h"
#include "isa/lanes/lane_bits.h"
#include "isa/lanes/lane_map.h"

namespace shflsim::isa {
namespace {

const LaneCost kShflCost = {
    27, "27 cycles on an H100 (measured: tests/data/timed, 64 dependent SHFLs in 1,712)"};

/// The value of an operand in each lane: an immediate, 0 for RZ, or from the context.
LaneValues shfl_operand(const LaneText& text, const LaneContext& context, const Operand& operand) {
  LaneValues values{};
  if (operand.is_live_register()) {
    const std::string name = fmt::format("R{}", operand.index);
    const std::vector<uint32_t> known = text.values({name, 1}, context);
    std::copy_n(known.begin(), kLanes, values.begin());
  } else {
    values.fill(operand.is(Operand::Kind::kImmediate) ? static_cast<uint32_t>(operand.value) : 0);
  }
  return values;
}

/// Encodes the text for sm_90; returns the instruction and its words.
Instruction nvidia_instruction(const LaneText& text, std::vector<uint32_t>* words) {
  try {
    const Word word = encode(Arch::kSm90, text.whole(), 0).word;
    Instruction instruction;
    const std::string problem = decode(Arch::kSm90, word, 0, &instruction);
    if (!problem.empty()) text.reject(problem);
    for (const uint64_t half : {word.low, word.high}) {
      words->push_back(static_cast<uint32_t>(half));
      words->push_back(static_cast<uint32_t>(half >> 32));
    }
    return instruction;
  } catch (const SyntaxError& error) {
    throw InputError({"'" + text.whole() + "'", 1, error.column}, error.what);
  }
}

/// A lane whose source is out of range keeps its own value; a read from a lane that does not
/// execute is undefined.
LaneMove shfl_move(const LaneText& text, const LaneContext& context, const Instruction& shfl) {
  const auto active = static_cast<LaneMask>(context.active);
  const LaneMap map = lane_map(shuffle_mode(shfl), shfl_operand(text, context, shfl[Role::kB]),
                               shfl_operand(text, context, shfl[Role::kC]), active);
  LaneMove move(kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!bit_of(active, lane)) continue;
    move.source[0][lane] =
        bit_of(map.undefined, lane) ? LaneSource::undefined() : LaneSource::of(map.source[lane]);
  }
  return move;
}

/// MOVM.16.MT88 transposes a matrix of 8 x 8 halves; row r is in lanes 4 r to 4 r + 3, two columns
/// per lane. Operands and results are the halves of a register.
LaneMove movm_move(const LaneText& text, const LaneContext& context) {
  if (context.active != all_lanes_of(kLanes))
    text.reject("MOVM of some lanes; expected all 32, as the instruction needs");
  LaneMove move(kLanes);
  move.results = move.operands = 2;
  move.bits = 16;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned row = lane / 4;
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned column = lane % 4 * 2 + half;
      move.source[half][lane] = LaneSource::of(column * 4 + row / 2, row % 2);
    }
  }
  return move;
}

/// REDUX as a tree of five butterfly exchanges, each followed by the operation. Lanes that do not
/// execute send and receive nothing.
std::vector<LaneMove> redux_moves(const LaneContext& context) {
  std::vector<LaneMove> steps;
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    LaneMove step(kLanes);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (has_bit(context.active, lane) && has_bit(context.active, lane ^ distance))
        step.source[0][lane] = LaneSource::of(lane ^ distance);
    }
    steps.push_back(step);
  }
  return steps;
}

const std::vector<std::string>& nvidia_operations() {
  static const std::vector<std::string> names = {
      "SHFL.IDX",  "SHFL.UP",       "SHFL.DOWN", "SHFL.BFLY",     "MOVM.16.MT88",
      "REDUX.SUM", "REDUX.SUM.S32", "REDUX.MIN", "REDUX.MIN.S32", "REDUX.MAX",
      "REDUX.OR",  "REDUX.MAX.S32", "REDUX.XOR", "REDUX.AND",     "REDUX"};
  return names;
}

LaneInstruction read_nvidia(const LaneText& text, const LaneContext& context) {
  LaneInstruction read;
  const Instruction instruction = nvidia_instruction(text, &read.words);
  read.text = text_of(instruction);
  if (instruction.op == Op::kSm70_SHFL) {
    read.steps = {shfl_move(text, context, instruction)};
    read.cost = kShflCost;
  } else if (instruction.op == Op::kSm70_MOVM) {
    read.steps = {movm_move(text, context)};
  } else {
    read.steps = redux_moves(context);
  }
  return read;
}

/// SHFL with immediates (butterflies, neighbours, broadcasts) and, for any move, an index register.
std::vector<LaneCandidate> nvidia_candidates(const LaneMove& wanted) {
  std::vector<LaneCandidate> list;
  for (unsigned by = 0; by < kLanes; ++by) {
    list.push_back({fmt::format("SHFL.BFLY PT, R1, R0, 0x{:x}, 0x1f", by)});
    list.push_back({fmt::format("SHFL.UP PT, R1, R0, 0x{:x}, RZ", by)});
    list.push_back({fmt::format("SHFL.DOWN PT, R1, R0, 0x{:x}, 0x1f", by)});
    list.push_back({fmt::format("SHFL.IDX PT, R1, R0, 0x{:x}, 0x1f", by)});
  }
  LaneCandidate any{"SHFL.IDX PT, R1, R0, R2, 0x1f"};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const LaneSource& from = wanted.source[0][lane];
    any.registers["R2"].push_back(from.is_lane() ? from.lane : lane);
  }
  list.push_back(any);
  if (wanted.bits == 16) list.push_back({"MOVM.16.MT88 R1, R0"});
  return list;
}

const bool nvidia_registered =
    LaneFamilies::add({"nvidia",
                       "NVIDIA sm_70 and later: SHFL, MOVM, the tree of REDUX",
                       {32},
                       nvidia_operations(),
                       read_nvidia,
                       nvidia_candidates});

}  // namespace
}  // namespace shflsim::isa
