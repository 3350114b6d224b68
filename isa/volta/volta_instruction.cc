// SPDX-License-Identifier: Apache-2.0
#include "isa/volta/volta_instruction.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "isa/control.h"
#include "isa/input_error.h"
#include "isa/volta/timing_class.h"
#include "isa/volta/volta_listing.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kControlBit = 41;  // of the high word: bit 105 of the instruction

struct Names {
  TimingClass timing;
  const char* names;  ///< one space between two
};

constexpr Names kNames[] = {
    {TimingClass::kFloat, "FFMA FADD FMUL"},
    {TimingClass::kMultiply, "IMAD VIADD IDP"},
    {TimingClass::kHalf, "HFMA2 HADD2 HMUL2"},
    {TimingClass::kDouble, "DFMA DADD DMUL DSETP DMMA"},
    {TimingClass::kUniform, "UMOV ULDC ULEA UIADD3 UIMAD ULOP3 USHF"},
    {TimingClass::kIssueOnly, "NOP DEPBAR MEMBAR ERRBAR CGAERRBAR CCTL LDGDEPBAR YIELD NANOSLEEP"},
    {TimingClass::kBranch, "BRA BSSY BSYNC WARPSYNC EXIT BREAK BRX BRXU CALL RET JMP BMOV KILL"},
    {TimingClass::kShuffle, "SHFL"},
    {TimingClass::kSharedLoad, "LDS LDSM ATOMS"},
    {TimingClass::kSharedStore, "STS STSM"},
    {TimingClass::kSpecialFunction, "MUFU I2F F2I F2F FRND POPC FLO BREV FCHK F2IP"},
    {TimingClass::kBarrier, "BAR"},
    {TimingClass::kSpecialRegister, "S2R S2UR"},
    {TimingClass::kConstantLoad, "LDC"},
    {TimingClass::kGlobalLoad, "LDG LD LDL ATOM ATOMG"},
    {TimingClass::kGlobalStore, "STG ST STL RED REDG LDGSTS"},
    {TimingClass::kTensor, "HFMA2.MMA HMMA IMMA BMMA QMMA"},
    {TimingClass::kWideMultiply, "IMAD.WIDE IMAD.HI"},
    {TimingClass::kReduction, "REDUX MATCH"},
};

std::map<std::string, TimingClass, std::less<>> classes_by_name() {
  std::map<std::string, TimingClass, std::less<>> classes;
  for (const Names& row : kNames) {
    std::istringstream names(row.names);
    for (std::string name; names >> name;) classes[name] = row.timing;
  }
  return classes;
}

}  // namespace

/// A name with its first modifier goes before the name alone.
TimingClass timing_class(const std::string& operation) {
  static const std::map<std::string, TimingClass, std::less<>> classes = classes_by_name();
  const size_t root = std::min(operation.find('.'), operation.size());
  const size_t modifier = std::min(operation.find('.', root + 1), operation.size());
  const std::string_view text = operation;
  for (const size_t length : {modifier, root}) {
    const auto found = classes.find(text.substr(0, length));
    if (found != classes.end()) return found->second;
  }
  const bool is_uniform = text.substr(0, 1) == "U";
  return is_uniform ? TimingClass::kUniform : TimingClass::kInteger;
}

namespace {

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
int register_in(const std::string& operand) {
  for (size_t i = 0; i + 1 < operand.size(); ++i) {
    const bool starts = i == 0 || std::isalnum(static_cast<unsigned char>(operand[i - 1])) == 0;
    if (!starts || operand[i] != 'R') continue;
    if (std::isdigit(static_cast<unsigned char>(operand[i + 1])) != 0)
      return std::atoi(operand.c_str() + i + 1);
  }
  return -1;
}

/// Operands in front of the sources: destinations.
size_t first_source(const Parts& parts) {
  const std::string& root = parts.root;
  for (const char* none : {"STS", "STG", "ST", "STL", "STSM", "RED", "REDG", "BAR", "BRA"}) {
    if (root == none) return 0;
  }
  for (const char* two : {"ISETP", "FSETP", "DSETP", "HSETP2", "SHFL"}) {
    if (root == two) return 2;
  }
  const bool writes_predicate =
      !parts.operands.empty() && parts.operands.front().rfind('P', 0) == 0;
  return root == "LOP3" && writes_predicate ? 2 : 1;
}

/// A multiply-add's third operand is where an addition's second one goes.
uint8_t slot_of_source(const std::string& root, size_t position) {
  if (root == "FADD" && position == 1) return 2;
  return static_cast<uint8_t>(std::min<size_t>(position, 2));
}

Footprint footprint_of(const Parts& parts) {
  Footprint footprint;
  const size_t first = first_source(parts);
  const bool is_wide = parts.operation.rfind("IMAD.WIDE", 0) == 0;
  for (size_t i = first; i < parts.operands.size(); ++i) {
    const int index = register_in(parts.operands[i]);
    if (index < 0 || footprint.read_count == Footprint::kMostReads) continue;
    const bool reuse = parts.operands[i].find(".reuse") != std::string::npos;
    const uint8_t slot = slot_of_source(parts.root, i - first);
    footprint.reads[footprint.read_count++] = {static_cast<uint8_t>(index), slot, reuse};
    if (is_wide && slot == 2 && footprint.read_count < Footprint::kMostReads)
      footprint.reads[footprint.read_count++] = {static_cast<uint8_t>(index + 1), slot, reuse};
  }
  footprint.operand_count = footprint.read_count;
  for (size_t i = 0; i < std::min(first, parts.operands.size()); ++i) {
    const std::string& operand = parts.operands[i];
    const int index = register_in(operand);
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
VoltaInstruction::Shuffle shuffle_of(uint64_t low, uint64_t high, const Position& where) {
  VoltaInstruction::Shuffle shuffle;
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

void add_depbar(const Parts& parts, VoltaInstruction* instruction) {
  if (parts.root != "DEPBAR" || parts.operands.size() < 2) return;
  const std::string& scoreboard = parts.operands[0];
  if (scoreboard.size() < 3 || scoreboard[2] < '0' || scoreboard[2] > '5') return;
  instruction->depbar_mask = static_cast<uint8_t>(1u << (scoreboard[2] - '0'));
  instruction->depbar_most =
      static_cast<uint8_t>(std::strtoul(parts.operands[1].c_str(), nullptr, 0));
}

}  // namespace

VoltaInstruction volta_instruction(const std::string& text, uint32_t address, uint64_t low,
                                   uint64_t high, const Position& where) {
  const Parts parts = parts_of(text);
  VoltaInstruction instruction;
  instruction.address = address;
  instruction.text = text;
  instruction.timing = timing_class(parts.operation);
  instruction.control = control_from_slot(static_cast<uint32_t>(high >> kControlBit) & 0x1FFFFFu);
  instruction.footprint = footprint_of(parts);
  instruction.is_guarded = parts.guarded;
  instruction.is_clock_read = text.find("SR_CLOCKLO") != std::string::npos;
  instruction.is_exit = parts.root == "EXIT";
  instruction.access_bytes = access_bytes_of(parts.operation);
  if (parts.operation == "BRA" && !parts.operands.empty() &&
      parts.operands.back().rfind("0x", 0) == 0)
    instruction.target = std::strtoll(parts.operands.back().c_str(), nullptr, 16);
  if (instruction.timing == TimingClass::kShuffle)
    instruction.shuffle = shuffle_of(low, high, where);
  const bool is_shared = instruction.timing == TimingClass::kSharedLoad ||
                         instruction.timing == TimingClass::kSharedStore;
  const size_t memory = is_shared ? text.find("[R") : std::string::npos;
  if (memory != std::string::npos) instruction.address_register = register_in(text.substr(memory));
  add_depbar(parts, &instruction);
  return instruction;
}

}  // namespace shflsim::isa
