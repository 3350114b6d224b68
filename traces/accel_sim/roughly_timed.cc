// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/roughly_timed.h"

#include <algorithm>

#include "traces/accel_sim/matrix_registers.h"

namespace shflsim::traces {
namespace {

enum class Way : uint8_t {
  kInteger,
  kUniform,
  kBulkCopy,
  kGroupProduct,
  kHalfBytes,
  kNoAddress,
  kExactly
};

constexpr const char* kTexts[] = {
    "opcodes that are not known, timed as integer arithmetic: ",
    "opcodes that are not known, timed as operations of the uniform data path: ",
    "copies that are timed without the memory traffic: ",
    "products of warpgroups, timed as one operation of the tensor pipe: ",
    "products of 4-bit numbers, timed as QMMA: ",
    "accesses without addresses in the trace, timed without their memory traffic: ",
};
constexpr size_t kMostNamed = 16;

/// True for a load, store or atomic of global or local memory, whose addresses the tracer writes.
bool has_no_address(const TracegInstruction& instruction, const isa::CodeLine& line) {
  const bool is_access = line.kind == isa::OpKind::kLoad || line.kind == isa::OpKind::kStore ||
                         line.kind == isa::OpKind::kAtomic;
  return is_access && line.pipe == isa::Pipe::kGlobal && instruction.width == 0;
}

Way way_of(const TracegInstruction& instruction, const isa::CodeLine& line) {
  if (is_bulk_copy(instruction)) return Way::kBulkCopy;
  if (is_group_product(instruction)) return Way::kGroupProduct;
  if (is_half_byte_product(instruction.opcode)) return Way::kHalfBytes;
  if (line.op != isa::Op::kCount)
    return has_no_address(instruction, line) ? Way::kNoAddress : Way::kExactly;
  return line.pipe == isa::Pipe::kFrontEnd ? Way::kUniform : Way::kInteger;
}

}  // namespace

void RoughlyTimed::add(const TracegInstruction& instruction, const isa::CodeLine& line,
                       uint64_t executions) {
  const Way way = way_of(instruction, line);
  if (way == Way::kExactly) return;
  Counts& counts = counts_[static_cast<size_t>(way)];
  auto found = std::find_if(counts.begin(), counts.end(), [&instruction](const auto& each) {
    return each.first == instruction.opcode;
  });
  if (found == counts.end()) found = counts.insert(found, {instruction.opcode, 0});
  found->second += executions;
}

std::vector<std::string> RoughlyTimed::warnings() const {
  std::vector<std::string> all;
  for (size_t way = 0; way < kWays; ++way) {
    const Counts& counts = counts_[way];
    if (counts.empty()) continue;
    const size_t named = std::min(counts.size(), kMostNamed);
    std::string text = std::string("warning: ") + kTexts[way];
    for (size_t i = 0; i < named; ++i)
      text += (i == 0 ? "" : ", ") + counts[i].first + " (" + std::to_string(counts[i].second) +
              (i == 0 ? " warp instructions)" : ")");
    if (named != counts.size())
      text += " and " + std::to_string(counts.size() - named) + " more opcodes";
    all.push_back(text);
  }
  return all;
}

}  // namespace shflsim::traces
