// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traceg_fields.h"

#include <algorithm>
#include <tuple>

#include "traces/accel_sim/unknown_lanes.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostOperands = 8;
constexpr uint64_t kMostWidth = 32;  // LDG.E.ENL2.256
constexpr uint64_t kMostValues = isa::kLanes;
constexpr uint64_t kMostCopied = 1u << 20;  // bytes of one bulk copy
constexpr uint64_t kAny = ~uint64_t{0};

bool stands_for_values(std::string_view word) { return word == "Val" || word == "NoVal"; }

/// Number of words before Val, NoVal or the end of the line; at most `most`.
unsigned numbers_ahead(Words words, unsigned most) {
  unsigned count = 0;
  while (count < most && !words.at_end() && !stands_for_values(words.word(""))) ++count;
  return count;
}

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// Reads an immediate, which the tracer writes with or without a sign.
int64_t read_immediate(Words* words) {
  Words ahead = *words;
  if (ahead.word("an immediate")[0] == '-') return words->number<int64_t>("an immediate");
  return static_cast<int64_t>(words->number<uint64_t>("an immediate"));
}

/// Reads what follows Val: for each register the number of its values, and the values.
void read_values(Words* words) {
  while (!words->at_end()) {
    const uint64_t values = words->number_upto(kMostValues, "the number of a register's values");
    for (uint64_t i = 0; i < values; ++i) words->number<uint64_t>("a register's value", 16);
  }
}

}  // namespace

bool TracegInstruction::operator<(const TracegInstruction& other) const {
  const auto key = [](const TracegInstruction& i) {
    return std::tie(i.pc, i.opcode, i.destinations, i.sources, i.width, i.immediates, i.immediate,
                    i.line, i.has_commit, i.ends_group, i.has_values);
  };
  return key(*this) < key(other);
}

bool is_group_product(const TracegInstruction& instruction) {
  return instruction.opcode.find("GMMA") != std::string::npos;
}

bool is_bulk_copy(const TracegInstruction& instruction) {
  static constexpr std::string_view kNames[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                                "UBLKCP",  "UBLKPF",  "UBLKRED"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return begins_with(instruction.opcode, name); });
}

TracedRegisters read_registers(Words* words, const char* count_is, const char* each_is) {
  TracedRegisters registers(words->number_upto(kMostOperands, count_is));
  for (TracedRegister& each : registers) each = words->traced_register(each_is);
  return registers;
}

void read_opcode(Words* words, TracegInstruction* instruction) {
  instruction->opcode = words->word("an opcode");
  if (is_shuffle(*instruction) && !mode_in(instruction->opcode)) {
    words->fail("'" + instruction->opcode +
                "' has no mode; expected SHFL.IDX, .UP, .DOWN or .BFLY");
  }
}

/// The flag is followed by the width and at least one immediate.
void read_commit(Words* words, TracegInstruction* instruction) {
  constexpr unsigned kLeast = 3;
  instruction->has_commit =
      is_group_product(*instruction) && numbers_ahead(*words, kLeast) == kLeast;
  if (instruction->has_commit)
    instruction->ends_group = words->number_upto(1, "0 or 1: the end of a commit group") != 0;
}

void read_width(Words* words, TracegInstruction* instruction) {
  const bool is_bulk = is_bulk_copy(*instruction);
  instruction->width = static_cast<unsigned>(
      words->number_upto(is_bulk ? 0xFFFFFFFFu : kMostWidth, "an access of 0 to 32 bytes"));
  const bool is_power = (instruction->width & (instruction->width - 1)) == 0;
  if (!is_bulk && !is_power)
    words->fail("no access has " + std::to_string(instruction->width) +
                " bytes; expected 0, 1, 2, 4, 8, 16 or 32");
}

/// A tracer that cannot read the descriptor of a copy writes an ordinary line.
bool has_bulk_copy(const TracegInstruction& instruction, Words words) {
  constexpr unsigned kImmediates = 2;
  if (!is_bulk_copy(instruction) || numbers_ahead(words, kImmediates + 1) <= kImmediates)
    return false;
  const std::string_view mode = words.word("");
  const bool is_of_lanes = mode == "0" || mode == "1" || mode == "2";
  return !is_of_lanes || !begins_with(words.word(""), "0x");
}

void read_bulk_copy(Words* words) {
  words->number<uint32_t>("the address of a barrier", 16);
  if (words->number_upto(1, "0 or 1: a multicast") != 0)
    words->number<uint32_t>("the blocks that a multicast goes to", 16);
  words->number_upto(kAny, "the bytes of a copy");
  words->number_upto(kAny, "the bytes of a copy that are out of bounds");
  const uint64_t mode = words->number_upto(4, "an address mode, 3 or 4");
  if (mode < 3)
    words->fail(std::to_string(mode) + " is out of range; expected an address mode, 3 or 4");
  const bool has_base = mode == 4;
  if (has_base) words->number<uint64_t>("a base address", 16);
  const uint64_t addresses = words->number_upto(kMostCopied, "the number of addresses");
  for (uint64_t i = has_base ? 1 : 0; i < addresses; ++i) {
    if (has_base) words->number<int64_t>("a difference for each address");
    if (!has_base) words->number<uint64_t>("an address", 16);
  }
}

/// Mode 2 has a difference for each active lane except the first. Accel-Sim's own reader before
/// version 2.0 read one word more, and with it the immediate that follows.
void read_addresses(uint64_t mode, Words* words, TracegStep* step) {
  uint64_t address = 0;
  uint64_t rise = 0;
  if (mode != 0) address = words->number<uint64_t>("a base address", 16);
  if (mode == 1) rise = static_cast<uint64_t>(words->number<int64_t>("a stride"));
  bool first = true;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (((step->mask >> lane) & 1u) == 0) continue;
    if (mode == 0) address = words->number<uint64_t>("an address for each active lane", 16);
    if (mode == 1 && !first) address += rise;
    if (mode == 2 && !first)
      address += static_cast<uint64_t>(words->number<int64_t>("a difference for each lane"));
    step->addresses[lane] = address;
    first = false;
  }
}

void read_line_end(bool has_values, Words* words, TracegInstruction* instruction) {
  const unsigned most = has_values ? 2 : 1;
  instruction->immediates = numbers_ahead(*words, most);
  for (unsigned i = 0; i < instruction->immediates; ++i)
    instruction->immediate[i] = read_immediate(words);
  if (has_values) {
    const std::string_view word = words->word("Val or NoVal");
    if (!stands_for_values(word))
      words->fail("'" + std::string(word) + "' is none; expected Val or NoVal");
    instruction->has_values = word == "Val";
    if (instruction->has_values) read_values(words);
  }
  if (words->at_end()) return;
  words->word("");
  words->fail("more on the line than the format has; expected its end");
}

}  // namespace shflsim::traces
