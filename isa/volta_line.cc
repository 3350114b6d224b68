// SPDX-License-Identifier: Apache-2.0
#include "isa/volta_line.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "isa/bounded.h"
#include "isa/operation.h"
#include "isa/text_cursor.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kControlBit = 41;  // of the high word: bit 105 of the instruction

/// A text in its parts: "@P0 SHFL.BFLY PT, R1, R2, 0x1, 0x1f".
struct Parts {
  bool guarded = false;
  std::string operation;  ///< "SHFL.BFLY"
  std::string root;       ///< "SHFL"
  std::vector<std::string> operands;
};

std::vector<std::string> operands_of(const std::string& list) {
  std::vector<std::string> operands;
  for (size_t begin = 0; begin < list.size();) {
    const size_t comma = std::min(list.find(',', begin), list.size());
    const size_t first = std::min(list.find_first_not_of(' ', begin), comma);
    operands.push_back(list.substr(first, comma - first));
    begin = comma + 1;
  }
  return operands;
}

Parts parts_of(const std::string& text) {
  Parts parts;
  parts.guarded = text.rfind('@', 0) == 0;
  const size_t begin = parts.guarded ? std::min(text.find(' '), text.size() - 1) + 1 : 0;
  const size_t space = std::min(text.find(' ', begin), text.size());
  parts.operation = text.substr(begin, space - begin);
  parts.root = parts.operation.substr(0, parts.operation.find('.'));
  parts.operands = operands_of(text.substr(space));
  return parts;
}

/// Number of the register that the operand names first ("-|R12|.reuse" is 12); -1 for RZ, uniform
/// registers, predicates and immediates.
int register_in(const std::string& operand, const Position& where) {
  for (size_t i = 0; i + 1 < operand.size(); ++i) {
    const bool starts = i == 0 || std::isalnum(static_cast<unsigned char>(operand[i - 1])) == 0;
    if (!starts || operand[i] != 'R') continue;
    const std::string_view digits = leading_name(std::string_view(operand).substr(i + 1));
    if (!digits.empty() && std::isdigit(static_cast<unsigned char>(digits.front())) != 0)
      return static_cast<int>(bounded_number(digits, kMostRegisters - 1, "register R", where));
  }
  return -1;
}

/// Operands in front of the sources. LOP3 may write a predicate before its register.
size_t first_source(const Parts& parts, const Operation& operation) {
  const bool writes_predicate =
      !parts.operands.empty() && parts.operands.front().rfind('P', 0) == 0;
  return parts.root == "LOP3" && writes_predicate ? 2 : operation.destinations;
}

/// A multiply-add's third operand is where an addition's second one goes.
uint8_t position_of_source(const std::string& root, size_t source) {
  if (root == "FADD" && source == 1) return 2;
  return static_cast<uint8_t>(std::min<size_t>(source, 2));
}

Footprint footprint_of(const Parts& parts, size_t first, const Position& where) {
  Footprint footprint;
  const bool is_wide = parts.operation.rfind("IMAD.WIDE", 0) == 0;
  for (size_t i = first; i < parts.operands.size(); ++i) {
    const int index = register_in(parts.operands[i], where);
    if (index < 0 || footprint.read_count == Footprint::kMostReads) continue;
    const bool reuse = parts.operands[i].find(".reuse") != std::string::npos;
    const uint8_t position = position_of_source(parts.root, i - first);
    footprint.reads[footprint.read_count++] = {static_cast<uint8_t>(index), position, reuse};
    if (is_wide && position == 2 && index + 1 < kRZ && footprint.read_count < Footprint::kMostReads)
      footprint.reads[footprint.read_count++] = {static_cast<uint8_t>(index + 1), position, reuse};
  }
  footprint.operand_count = footprint.read_count;
  for (size_t i = 0; i < std::min(first, parts.operands.size()); ++i) {
    const std::string& operand = parts.operands[i];
    const int index = register_in(operand, where);
    if (index >= 0) {
      footprint.first_write = static_cast<uint8_t>(index);
      footprint.write_count = 1;
    }
    const bool predicate = operand.size() > 1 && operand[0] == 'P' && operand[1] >= '0';
    if (predicate && operand[1] <= '6')
      footprint.predicates_written =
          static_cast<uint8_t>(footprint.predicates_written | 1u << (operand[1] - '0'));
  }
  return footprint;
}

/// SHFL's four forms by bits 11:9 of the opcode: whether index and clamp are registers. The index
/// is in bits 39:32 or 57:53, the clamp in 71:64 or 52:40, the mode in 59:58.
ShuffleOperands shuffle_of(uint64_t low, uint64_t high, const Position& where) {
  ShuffleOperands shuffle;
  switch (low & 0xFFFu) {
    case 0x389: shuffle.index_is_register = shuffle.clamp_is_register = true; break;
    case 0x589: shuffle.index_is_register = true; break;
    case 0x989: shuffle.clamp_is_register = true; break;
    case 0xF89: break;
    default:
      throw InputError(where, "is no SHFL by its word; expected opcode 389, 589, 989 or f89");
  }
  const uint64_t index = shuffle.index_is_register ? low >> 32 & 0xFFu : low >> 53 & 0x1Fu;
  const uint64_t clamp = shuffle.clamp_is_register ? high & 0xFFu : low >> 40 & 0x1FFFu;
  shuffle.index = static_cast<uint32_t>(index);
  shuffle.clamp = static_cast<uint32_t>(clamp);
  shuffle.mode = static_cast<ShuffleMode>(low >> 58 & 3u);
  return shuffle;
}

uint8_t access_bytes_of(const std::string& operation) {
  const auto has = [&operation](const char* part) {
    return operation.find(part) != std::string::npos;
  };
  if (has(".128") || has(".M88.4")) return 16;
  if (has(".64") || has(".M88.2")) return 8;
  if (has(".U16") || has(".S16")) return 2;
  return has(".U8") || has(".S8") ? 1 : 4;
}

void add_depbar(const Parts& parts, CodeLine* line) {
  if (parts.root != "DEPBAR" || parts.operands.size() < 2) return;
  const std::string& scoreboard = parts.operands[0];
  if (scoreboard.size() < 3 || scoreboard[2] < '0' || scoreboard[2] > '5') return;
  line->depbar_mask = static_cast<uint8_t>(1u << (scoreboard[2] - '0'));
  line->depbar_most = static_cast<uint8_t>(std::strtoul(parts.operands[1].c_str(), nullptr, 0));
}

}  // namespace

CodeLine volta_line(const std::string& text, uint32_t address, uint64_t low, uint64_t high,
                    const Position& where) {
  const Parts parts = parts_of(text);
  const Operation operation = operation_named(Family::kVolta, parts.operation);
  CodeLine line;
  line.address = address;
  line.text = text;
  set_operation(operation, &line);
  line.control = control_from_field(static_cast<uint32_t>(high >> kControlBit) & 0x1FFFFFu);
  line.footprint = footprint_of(parts, first_source(parts, operation), where);
  if (line.is_shuffle()) line.shuffle = shuffle_of(low, high, where);
  line.is_guarded = parts.guarded;
  line.is_clock_read = text.find("SR_CLOCKLO") != std::string::npos;
  line.is_exit = parts.root == "EXIT";
  line.access_bytes = access_bytes_of(parts.operation);
  if (parts.operation == "BRA" && !parts.operands.empty() &&
      parts.operands.back().rfind("0x", 0) == 0)
    line.target = std::strtoll(parts.operands.back().c_str(), nullptr, 16);
  const size_t memory = line.accesses_shared ? text.find("[R") : std::string::npos;
  if (memory != std::string::npos) line.address_register = register_in(text.substr(memory), where);
  if (line.is_block_barrier) line.barrier = barrier_operands(text);
  add_depbar(parts, &line);
  return line;
}

}  // namespace shflsim::isa
