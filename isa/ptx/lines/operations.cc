// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/operations.h"

#include <algorithm>
#include <iterator>

#include "isa/code/latency.h"
#include "isa/codec/codec.h"

namespace shflsim::isa::ptx {
namespace {

/// The pipe of calls and of lines that are not instructions yet.
constexpr Pipe kUnknownPipe = Pipe::kSpecial;

Pipe pipe_of(const Line& line) {
  const bool is_unknown = line.op() == Op::kCount || facts(line.op()).pipe == Pipe::kBranch;
  return is_unknown ? kUnknownPipe : facts(line.op()).pipe;
}

template <size_t kCount>
bool is_one_of(Op op, const Op (&ops)[kCount]) {
  return std::find(std::begin(ops), std::end(ops), op) != std::end(ops);
}

/// True if the line reads a special register with a number from `first` to `last`.
bool reads_special(const Line& line, int first, int last) {
  if (line.op() != Op::kS2R) return false;
  const int64_t number = line.terms.back().value;
  return number >= first && number <= last;
}

}  // namespace

bool reads_time(const Line& line) {
  static const int kFirst = special_register_number("SR_CLOCKLO");
  static const int kLast = special_register_number("SR_GLOBALTIMERHI");
  return reads_special(line, kFirst, kLast);
}

bool reads_block(const Line& line) {
  static const int kFirst = special_register_number("SR_CTAID.X");
  static const int kLast = special_register_number("SR_NTID");
  return reads_special(line, kFirst, kLast);
}

bool stays_in_place(const Line& line) {
  return reads_time(line) || is_call(line) || line.operation == Pseudo::kReceive;
}

bool is_pure(const Line& line) {
  const Op op = line.op();
  if (op == Op::kS2R) return !reads_time(line);
  if (op == Op::kLDC) return true;
  return op != Op::kVOTE && (is_math(line) || pipe_of(line) == Pipe::kXu);
}

bool commutes(const Line& line) {
  static constexpr Op kCommute[] = {Op::kIADD, Op::kIMNMX, Op::kFADD,
                                    Op::kFMUL, Op::kFFMA,  Op::kFMNMX};
  if (line.op() != Op::kLOP) return is_one_of(line.op(), kCommute);
  return !line.is(Mod::k_logic, value::kPassB) && !line.has(Mod::k_ptest);
}

bool takes_integers(Op op) {
  static constexpr Op kIntegers[] = {
      Op::kMOV, Op::kIADD, Op::kIADD3, Op::kISCADD, Op::kISETP, Op::kIMNMX, Op::kLOP,  Op::kLOP3,
      Op::kSHL, Op::kSHR,  Op::kSHF_L, Op::kSHF_R,  Op::kBFE,   Op::kBFI,   Op::kPRMT, Op::kSEL};
  return is_one_of(op, kIntegers);
}

bool is_short_move(const Line& line) { return line.op() == Op::kMOV && !line.operation.is_long(); }

bool is_unsigned_right_shift(const Line& line) {
  return line.operation.is_exactly(Op::kSHR, {{Mod::k_unsigned_, value::kUnsigned}});
}

bool reads_carry(const Line& line) { return line.has(Mod::k_x); }

std::optional<uint32_t> logic_of(const Operation& operation, uint32_t a, uint32_t b) {
  const std::optional<uint8_t> logic = operation.value(Mod::k_logic);
  if (!logic) return std::nullopt;
  switch (*logic) {
    case value::kAnd: return a & b;
    case value::kOr: return a | b;
    case value::kXor: return a ^ b;
    default: return b;
  }
}

bool is_math(const Line& line) { return isa::is_math(pipe_of(line)); }

PairSide pair_side_of(const Line& line) {
  const bool stays_alone =
      pipe_of(line) == Pipe::kDouble || is_call(line) || line.op() == Op::kMEMBAR;
  if (stays_alone) return PairSide::kNone;
  return is_math(line) ? PairSide::kFirst : PairSide::kSecond;
}

Effect effect_of(const Line& line) {
  static constexpr Op kLoads[] = {Op::kLDS, Op::kLDL, Op::kLDG, Op::kLD};
  static constexpr Op kStores[] = {Op::kSTS,  Op::kSTL,   Op::kSTG, Op::kST,
                                   Op::kATOM, Op::kATOMS, Op::kRED};
  if (is_one_of(line.op(), kLoads)) return Effect::kLoad;
  if (is_one_of(line.op(), kStores)) return Effect::kStore;
  if (line.op() == Op::kSHFL || line.op() == Op::kVOTE) return Effect::kLanes;
  return is_pure(line) ? Effect::kNone : Effect::kFence;
}

Space space_of(Op op) {
  static constexpr Op kShared[] = {Op::kLDS, Op::kSTS, Op::kATOMS};
  static constexpr Op kGlobal[] = {Op::kLDG, Op::kSTG, Op::kRED};
  if (is_one_of(op, kShared)) return Space::kShared;
  if (is_one_of(op, kGlobal)) return Space::kGlobal;
  return op == Op::kLDL || op == Op::kSTL ? Space::kLocal : Space::kAny;
}

unsigned bytes_accessed(const Line& line) {
  static constexpr uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 16, 16};  // by Mod::k_size
  const Op op = line.op();
  const bool is_plain = space_of(op) != Space::kAny && op != Op::kATOMS && op != Op::kRED;
  return is_plain ? kBytes[line.operation.value(Mod::k_size).value_or(value::k32)] : 0;
}

unsigned latency_between(const Line& line, const Line& reader, bool through_predicate) {
  const Pipe producer = pipe_of(line);
  if (const unsigned usual = usual_latency(producer)) return usual;
  return least_distance(through_predicate ? Carrier::kPredicate : Carrier::kRegister,
                        pipe_of(reader));
}

}  // namespace shflsim::isa::ptx
