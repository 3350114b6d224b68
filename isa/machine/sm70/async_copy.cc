// SPDX-License-Identifier: Apache-2.0
// Copies from global to shared memory that bypass the registers. They complete at once, so that
// LDGDEPBAR and DEPBAR do not wait for them.
#include "isa/machine/address_space.h"
#include "isa/machine/asynchronous_row.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

/// Bytes that a lane copies: the field `size` of loads, from sm_100 on a separate field.
unsigned copied_bytes(const Instruction& instruction) {
  constexpr uint8_t k64 = 5, k128 = 6;  // values of the field size, whose 4 is a word
  if (form_says(instruction, "{gsz9@")) return 4u << (instruction[Mod::k_gsz9] & 3);
  const uint8_t size = instruction[Mod::k_size];
  return size == k64 ? 8 : size == k128 ? 16 : 4;
}

/// Keeps both addresses of each lane for the trace, if they fit.
void note_lanes(Execution& execution, const LaneAddresses& to, const LaneAddresses& from,
                LaneMask copies) {
  constexpr uint64_t kOffset = CopiedLane::kWord * 0xFFFF;
  LaneAddresses& row = execution.block.asynchronous;
  row = {};
  bool fits = true;
  for_each_lane(execution.lanes, [&](unsigned lane) {
    fits = fits && from[lane] <= CopiedLane::kMostFrom;
    const uint64_t source = bit_of(copies, lane) ? from[lane] : 0;
    row[lane] = CopiedLane{source, static_cast<uint32_t>(to[lane] & kOffset)}.packed();
  });
  if (fits) execution.asynchronous = &row;
}

/// Lanes whose predicate after the operands is false store zeros. With .ZFILL the lowest bits of
/// the address, which alignment leaves free, say how many of the last bytes are zeros.
void ldgsts(Execution& execution) {
  const unsigned bytes = copied_bytes(execution.instruction);
  const bool fills = execution.instruction[Mod::k_zfill] != 0;
  const LaneMask copies = predicate_of(execution, Role::kS);
  const LaneAddresses to = resolve_addresses(execution, Role::kD);
  const LaneAddresses& from = resolve_addresses(execution);
  note_lanes(execution, to, from, copies);
  for_each_lane(execution.lanes, [&](unsigned lane) {
    const uint64_t low = fills ? from[lane] & (bytes - 1) : 0;
    const Access target = locate(execution, Space::kShared, to[lane], bytes, lane);
    uint8_t values[16] = {};
    uint8_t marks = 0;
    if (bit_of(copies, lane)) {
      const unsigned copied = bytes - static_cast<unsigned>(low);
      const Access source = locate(execution, Space::kGlobal, from[lane] - low, bytes, lane);
      source.storage->read(source.offset, values, copied);
      marks = source.storage->marks(source.offset, copied);
    }
    target.storage->write(target.offset, values, bytes, marks);
  });
}

std::string refuse_size(const Instruction& instruction) {
  constexpr uint8_t kWord = 4, kLongest = 6;  // values of the field size
  const uint8_t size = instruction[Mod::k_size];
  const bool is_odd = !form_says(instruction, "{gsz9@") && (size < kWord || size > kLongest);
  return is_odd ? "a copy of less than a word" : "";
}

}  // namespace

void add_sm70_copy_operations(OperationTable& table) {
  entry(table, Op::kSm70_LDGSTS) = {ldgsts, refuse_size, true};
}

}  // namespace shflsim::isa
