// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/code.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

#include "isa/base/bounded.h"
#include "traces/accel_sim/matrix_registers.h"
#include "traces/accel_sim/operation_names.h"
#include "traces/accel_sim/unknown_lanes.h"

namespace shflsim::traces {
namespace {

constexpr const char* kNoDestination = "__";

constexpr const char* kGroupEnd = "gsb0";  // as in SASS
constexpr TracedRegister kZero{isa::kRZ};

std::string register_text(TracedRegister traced) {
  return traced == kZero ? "RZ" : name_of(traced);
}

std::string text_of(const TracegInstruction& instruction) {
  std::vector<std::string> operands;
  if (instruction.destinations.empty() && !instruction.sources.empty())
    operands.emplace_back(kNoDestination);
  for (const TracedRegisters* registers : {&instruction.destinations, &instruction.sources}) {
    for (const TracedRegister& each : *registers) operands.push_back(register_text(each));
  }
  const auto [first, second] = instruction.immediate;
  if (first != 0 || second != 0) operands.push_back(std::to_string(first));
  if (second != 0) operands.push_back(std::to_string(second));
  if (instruction.ends_group) operands.emplace_back(kGroupEnd);
  std::string text = instruction.opcode;
  for (size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? " " : ", ") + operands[i];
  return text;
}

/// Registers of a result: by the width of a load, two for doubles and wide products.
uint8_t result_registers(const TracegInstruction& instruction, const isa::CodeLine& line) {
  const bool loads = line.pipe == isa::Pipe::kGlobal || line.accesses_shared;
  if ((loads && !line.is_store) || line.is_constant_load())
    return static_cast<uint8_t>(std::max(1u, instruction.width / 4));
  const bool wide =
      line.pipe == isa::Pipe::kDouble || instruction.opcode.find(".WIDE") != std::string::npos;
  return wide ? 2 : 1;
}

void add_read(uint8_t index, uint8_t count, isa::Footprint* footprint) {
  if (index == isa::kRZ || footprint->read_count == isa::Footprint::kMostReads) return;
  const auto position = static_cast<uint8_t>(std::min<unsigned>(footprint->read_count, 2));
  const auto there = static_cast<uint8_t>(std::min<unsigned>(count, isa::kRZ - index));
  footprint->reads[footprint->read_count++] = {index, there, position, false};
}

void add_write(uint8_t index, uint8_t count, isa::Footprint* footprint) {
  if (index == isa::kRZ) return;
  footprint->first_write = index;
  footprint->write_count = static_cast<uint8_t>(std::min<unsigned>(count, isa::kRZ - index));
}

uint8_t predicates_of(const TracedRegisters& registers) {
  constexpr unsigned kTrue = 7;  // PT
  unsigned predicates = 0;
  for (const TracedRegister& each : registers) {
    if (each.file == RegisterFile::kPredicate && each.index != kTrue)
      predicates |= 1u << each.index;
  }
  return static_cast<uint8_t>(predicates);
}

std::vector<uint8_t> general_registers(const TracedRegisters& registers) {
  std::vector<uint8_t> found;
  for (const TracedRegister& each : registers) {
    if (each.is_general()) found.push_back(each.index);
  }
  return found;
}

/// Adds the factors, the addend and the metadata of a sparse product.
void add_matrices(const std::vector<uint8_t>& written, const std::vector<uint8_t>& read,
                  const isa::CodeLine& line, isa::Footprint* footprint) {
  const MatrixRegisters count = matrix_registers(line.name, Modifiers(line.modifiers));
  const uint8_t counts[] = {count.first, count.second, count.result};
  for (size_t i = 0; i < read.size(); ++i)
    add_read(read[i], i < std::size(counts) ? counts[i] : uint8_t{1}, footprint);
  if (!written.empty()) add_write(written.front(), count.result, footprint);
}

isa::Footprint footprint_of(const TracegInstruction& instruction, const isa::CodeLine& line) {
  isa::Footprint footprint;
  footprint.predicates_read = predicates_of(instruction.sources);
  footprint.predicates_written = predicates_of(instruction.destinations);
  if (is_shuffle(instruction)) {
    const TracedShuffle shuffle = traced_shuffle(instruction);
    for (const uint8_t source : shuffle.sources) add_read(source, 1, &footprint);
    add_write(shuffle.destination, 1, &footprint);
    return footprint;
  }
  const std::vector<uint8_t> read = general_registers(instruction.sources);
  const std::vector<uint8_t> written = general_registers(instruction.destinations);
  if (line.matrices != isa::MatrixProduct::kNone) {
    add_matrices(written, read, line, &footprint);
    return footprint;
  }
  for (const uint8_t index : read) add_read(index, 1, &footprint);
  if (!written.empty()) add_write(written.front(), result_registers(instruction, line), &footprint);
  return footprint;
}

/// For calls and WARPSYNCs with an operand in a register.
void set_registers_of_branch(const TracegInstruction& instruction, isa::CodeLine* line) {
  if (instruction.destinations.empty() && instruction.sources.empty()) return;
  if (line->branch == isa::Branch::kCall) line->branch = isa::Branch::kIndirectCall;
  if (line->branch == isa::Branch::kWarpSync) line->branch = isa::Branch::kSetSync;
}

/// Version 6 has both immediates of a BAR: its number and its threads. Earlier versions have only
/// the last one; such a BAR counts as a barrier of all threads.
void set_barrier(const TracegInstruction& instruction, isa::CodeLine* line) {
  constexpr uint64_t kBarriers = 16;
  const bool is_known = instruction.immediates == 2 && instruction.sources.empty();
  if (!line->is_block_barrier() || !is_known) return;
  const auto number = static_cast<uint64_t>(instruction.immediate[0]);
  const auto threads = static_cast<uint64_t>(instruction.immediate[1]);
  if (number >= kBarriers || threads > kMostThreads) return;
  line->barrier.number = static_cast<uint8_t>(number);
  line->barrier.threads = static_cast<uint16_t>(threads);
}

/// Splits "LDG.E R4, [R2+0x10]" at blanks and commas.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; (at = text.find_first_not_of(" ,", at)) != std::string::npos;) {
    const size_t end = std::min(text.find_first_of(" ,", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

/// Number of the register at `at`; -1 if there is none.
int register_at(const std::string& word, size_t at) {
  const bool inside = at > 0 && std::isalnum(static_cast<unsigned char>(word[at - 1])) != 0;
  if (inside || word[at] != 'R' || at + 1 == word.size()) return -1;
  if (word[at + 1] == 'Z') return isa::kRZ;
  return std::isdigit(static_cast<unsigned char>(word[at + 1])) != 0
             ? std::atoi(word.c_str() + at + 1)
             : -1;
}

/// Register of an operand, inside any signs and brackets; -1 if it has none.
int register_in(const std::string& word) {
  for (size_t at = 0; at < word.size(); ++at) {
    const int index = register_at(word, at);
    if (index >= 0) return index;
  }
  return -1;
}

bool is_number(const std::string& word) {
  const size_t digits = word[0] == '-' ? 1 : 0;
  return digits < word.size() && std::isdigit(static_cast<unsigned char>(word[digits])) != 0;
}

}  // namespace

isa::CodeLine traced_line(isa::Family family, const TracegInstruction& instruction) {
  isa::CodeLine line;
  set_named_operation(family, instruction.opcode, &line);
  set_registers_of_branch(instruction, &line);
  set_barrier(instruction, &line);
  line.address = static_cast<uint32_t>(instruction.pc);
  line.text = text_of(instruction);
  line.footprint = footprint_of(instruction, line);
  line.shuffle.index_is_register = line.shuffle.clamp_is_register = true;
  // A name of SPA 5.0 does not say that it stores, but the lack of a result does.
  if (family == isa::Family::kMaxwell) {
    line.is_store =
        isa::is_mio(line.pipe) && instruction.destinations.empty() && !line.is_shuffle();
    if (line.access.kind != isa::AccessKind::kAtomic && line.is_store)
      line.access.kind = isa::AccessKind::kStore;
  }
  if (instruction.width != 0 && !is_bulk_copy(instruction))
    line.access_bytes = static_cast<uint8_t>(instruction.width);
  return line;
}

TracegInstruction traceg_instruction(const std::string& text) {
  TracegInstruction result;
  std::vector<std::string> words = words_of(text);
  if (!words.empty() && words.front()[0] == '@') words.erase(words.begin());
  if (words.empty()) return result;
  result.opcode = words.front();
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const int index = register_in(word);
    const bool is_destination = i == 1 && index >= 0 && word[0] == 'R';
    if (index >= 0)
      (is_destination ? result.destinations : result.sources)
          .push_back({static_cast<uint8_t>(index)});
    if (index < 0 && is_number(word)) result.immediate[0] = std::strtoll(word.c_str(), nullptr, 0);
  }
  return result;
}

TracegInstruction imported_instruction(const std::string& text) {
  TracegInstruction result;
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return result;
  result.opcode = words.front();
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto found = word == "RZ" ? kZero : register_named(word);
    if (found) (i == 1 ? result.destinations : result.sources).push_back(*found);
    if (word == kGroupEnd) result.ends_group = true;
    if (is_number(word) && result.immediates < result.immediate.size())
      result.immediate[result.immediates++] = std::strtoll(word.c_str(), nullptr, 10);
  }
  return result;
}

}  // namespace shflsim::traces
