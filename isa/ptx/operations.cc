// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/operations.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "isa/ptx/convention.h"

namespace shflsim::isa::ptx {
namespace {

enum class Unit : uint8_t { kMath, kDouble, kShuffle, kShared, kGlobal, kConstant, kXu, kSpecial };

constexpr unsigned kPure = 1;      ///< see is_pure()
constexpr unsigned kCommutes = 2;  ///< see commutes()
constexpr unsigned kIntegers = 4;  ///< see takes_integers()

struct Facts {
  Unit unit = Unit::kMath;
  unsigned flags = 0;
  Effect effect = Effect::kNone;
  unsigned latency = 0;  ///< of a result that a scoreboard tells
};

constexpr Facts math(unsigned flags) { return {Unit::kMath, kPure | flags, Effect::kNone, 0}; }
constexpr Facts slow(Unit unit, unsigned latency) { return {unit, kPure, Effect::kNone, latency}; }
constexpr Facts memory(Unit unit, Effect effect, unsigned latency) {
  return {unit, 0, effect, latency};
}

// Latencies in cycles, from issue to a reader's issue where the unit is idle: configs/gm107.cfg,
// whose lines say where each is from, the way to the unit included.
struct Row {
  const char* stem;
  Facts facts;
};
constexpr Row kTable[] = {
    {"MOV", math(kIntegers)},
    {"MOV32I", math(kIntegers)},
    {"IADD", math(kIntegers | kCommutes)},
    {"IADD32I", math(kIntegers | kCommutes)},
    {"IADD3", math(kIntegers)},
    {"ISCADD", math(kIntegers)},
    {"ISETP", math(kIntegers)},
    {"IMNMX", math(kIntegers | kCommutes)},
    {"LOP", math(kIntegers | kCommutes)},
    {"LOP32I", math(kIntegers | kCommutes)},
    {"LOP3", math(kIntegers)},
    {"SHL", math(kIntegers)},
    {"SHR", math(kIntegers)},
    {"SHF", math(kIntegers)},
    {"BFE", math(kIntegers)},
    {"BFI", math(kIntegers)},
    {"PRMT", math(kIntegers)},
    {"SEL", math(kIntegers)},
    {"XMAD", math(0)},
    {"VADD", math(0)},
    {"VMNMX", math(0)},
    {"VABSDIFF", math(0)},
    {"VSET", math(0)},
    {"VSHL", math(0)},
    {"VSHR", math(0)},
    {"VMAD", math(0)},
    {"FADD", math(kCommutes)},
    {"FADD32I", math(kCommutes)},
    {"FMUL", math(kCommutes)},
    {"FMUL32I", math(kCommutes)},
    {"FFMA", math(kCommutes)},
    {"FMNMX", math(kCommutes)},
    {"FSETP", math(0)},
    {"FCHK", math(0)},
    {"PSETP", math(0)},
    {"HADD2", math(0)},
    {"HMUL2", math(0)},
    {"HFMA2", math(0)},
    {"HSET2", math(0)},
    {"HSETP2", math(0)},
    {"RRO", slow(Unit::kXu, 20)},
    {"MUFU", slow(Unit::kXu, 20)},
    {"F2F", slow(Unit::kXu, 20)},
    {"F2I", slow(Unit::kXu, 20)},
    {"I2F", slow(Unit::kXu, 20)},
    {"I2I", slow(Unit::kXu, 20)},
    {"POPC", slow(Unit::kXu, 20)},
    {"FLO", slow(Unit::kXu, 20)},
    {"DADD", slow(Unit::kDouble, 48)},
    {"DMUL", slow(Unit::kDouble, 48)},
    {"DFMA", slow(Unit::kDouble, 48)},
    {"DMNMX", slow(Unit::kDouble, 48)},
    {"DSETP", slow(Unit::kDouble, 48)},
    {"S2R", slow(Unit::kSpecial, 24)},
    {"LDC", slow(Unit::kConstant, 24)},
    {"SHFL", memory(Unit::kShuffle, Effect::kLanes, 28)},
    {"VOTE", memory(Unit::kMath, Effect::kLanes, 0)},
    {"LDS", memory(Unit::kShared, Effect::kLoad, 28)},
    {"STS", memory(Unit::kShared, Effect::kStore, 0)},
    {"ATOMS", memory(Unit::kShared, Effect::kStore, 28)},
    {"LDL", memory(Unit::kGlobal, Effect::kLoad, 200)},
    {"STL", memory(Unit::kGlobal, Effect::kStore, 0)},
    {"LDG", memory(Unit::kGlobal, Effect::kLoad, 200)},
    {"STG", memory(Unit::kGlobal, Effect::kStore, 0)},
    {"LD", memory(Unit::kGlobal, Effect::kLoad, 200)},
    {"ST", memory(Unit::kGlobal, Effect::kStore, 0)},
    {"ATOM", memory(Unit::kGlobal, Effect::kStore, 200)},
    {"RED", memory(Unit::kGlobal, Effect::kStore, 0)},
};

/// As stem_of(), of operations that outlive what is asked of it.
std::string_view stem_within(const std::string& operation) {
  return std::string_view(operation).substr(0, operation.find('.'));
}

const Facts& facts_of(const std::string& operation) {
  static const std::unordered_map<std::string_view, Facts> facts = [] {
    std::unordered_map<std::string_view, Facts> all;
    for (const Row& row : kTable) all.emplace(row.stem, row.facts);
    return all;
  }();
  static const Facts kUnknown = {Unit::kSpecial, 0, Effect::kFence, 20};
  const auto found = facts.find(stem_within(operation));
  return found == facts.end() ? kUnknown : found->second;
}

bool has_flag(const std::string& operation, unsigned flag) {
  return (facts_of(operation).flags & flag) != 0;
}

/// From the issue of a producer of fixed latency to that of its reader (isa/latency.h).
unsigned fixed_latency(Unit reader) {
  switch (reader) {
    case Unit::kMath: return 6;
    case Unit::kShuffle:
    case Unit::kShared:
    case Unit::kDouble: return 4;
    default: return 2;
  }
}

}  // namespace

std::string stem_of(const std::string& operation) { return std::string(stem_within(operation)); }

bool has_part(const std::string& operation, const std::string& part) {
  for (size_t dot = operation.find('.'); dot != std::string::npos;
       dot = operation.find('.', dot + 1)) {
    const size_t end = std::min(operation.find('.', dot + 1), operation.size());
    if (operation.compare(dot + 1, end - dot - 1, part) == 0) return true;
  }
  return false;
}

bool reads_time(const Line& line) {
  if (stem_of(line.operation) != "S2R") return false;
  const std::string& from = line.terms.back().text;
  return from.find("CLOCK") != std::string::npos || from.find("TIMER") != std::string::npos;
}

bool stays_in_place(const Line& line) {
  return reads_time(line) || is_call(line) || line.operation == kReceive;
}

bool is_pure(const Line& line) { return has_flag(line.operation, kPure) && !reads_time(line); }

bool commutes(const std::string& operation) {
  return has_flag(operation, kCommutes) && !has_part(operation, "PASS_B") &&
         !has_part(operation, "NZ") && !has_part(operation, "Z");
}

bool takes_integers(const std::string& operation) { return has_flag(operation, kIntegers); }

bool is_math(const Line& line) {
  const Unit unit = facts_of(line.operation).unit;
  return unit == Unit::kMath || unit == Unit::kDouble;
}

PairSide pair_side_of(const Line& line) {
  const Unit unit = facts_of(line.operation).unit;
  if (unit == Unit::kMath) return PairSide::kFirst;
  const bool stays_alone =
      unit == Unit::kDouble || is_call(line) || stem_of(line.operation) == "MEMBAR";
  return stays_alone ? PairSide::kNone : PairSide::kSecond;
}

bool writes_carry(const Line& line) {
  if (line.terms.empty()) return false;
  const std::string result = line.terms.front().text + line.terms.front().after;
  return result.size() >= 3 && result.compare(result.size() - 3, 3, ".CC") == 0;
}

bool reads_carry(const Line& line) { return has_part(line.operation, "X"); }

Effect effect_of(const Line& line) {
  return reads_time(line) ? Effect::kFence : facts_of(line.operation).effect;
}

Space space_of(const std::string& operation) {
  static const std::unordered_map<std::string_view, Space> spaces = {
      {"LDS", Space::kShared}, {"STS", Space::kShared}, {"ATOMS", Space::kShared},
      {"LDL", Space::kLocal},  {"STL", Space::kLocal},  {"LDG", Space::kGlobal},
      {"STG", Space::kGlobal}, {"RED", Space::kGlobal}};
  const auto found = spaces.find(stem_within(operation));
  return found == spaces.end() ? Space::kAny : found->second;
}

unsigned usual_latency(const Line& line, const Line& reader, bool through_predicate) {
  constexpr unsigned kPredicate = 13;
  const Facts& producer = facts_of(line.operation);
  if (producer.latency > 0) return producer.latency;
  return through_predicate ? kPredicate : fixed_latency(facts_of(reader.operation).unit);
}

}  // namespace shflsim::isa::ptx
