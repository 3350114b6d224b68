// SPDX-License-Identifier: Apache-2.0
#include "isa/code/sm70_latency.h"

#include <algorithm>
#include <array>

#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

/// Classes of operations with equal distances for their results or operands.
enum Class : uint8_t {
  kAlu,
  kFma,   ///< single precision and integer products
  kWide,  ///< integer products of 64 bits
  kHalf,
  kHalfMatrix,  ///< HFMA2.MMA: half precision in the matrix unit
  kMatrix,
  kDouble,
  kProducers,
  kXu = kProducers,  ///< special functions, conversions, moves to the uniform data path
  kMemory,
  kElse,  ///< branches, WARPSYNC
  kReaders,
  kUniform
};

/// Index into a Row: sm_70 to 75, sm_80 to 89, sm_90, sm_100 to 120.
unsigned generation_of(Arch arch) {
  const unsigned number = number_of(arch);
  return number < 80 ? 0 : number < 90 ? 1 : number < 100 ? 2 : 3;
}

bool is_uniform_operation(Op op) {
  return facts(op).name[0] == 'U' || op == Op::kSm70_VOTEU || op == Op::kSm70_ELECT;
}

Class class_of(Op op) {
  switch (op) {
    case Op::kSm70_HFMA2_MMA: return kHalfMatrix;
    case Op::kSm70_DMMA: return kMatrix;
    case Op::kSm70_R2UR:
    case Op::kSm70_QSPC:
    case Op::kSm70_MOVM: return kXu;
    default: break;
  }
  if (is_uniform_operation(op)) return kUniform;
  switch (facts(op).pipe) {
    case Pipe::kFxu: return kAlu;
    case Pipe::kFmai:
    case Pipe::kMultiply: return kFma;
    case Pipe::kWideMultiply: return kWide;
    case Pipe::kHalf: return kHalf;
    case Pipe::kTensor: return kMatrix;
    case Pipe::kDouble: return kDouble;
    case Pipe::kXu:
    case Pipe::kSpecial: return kXu;
    case Pipe::kShared:
    case Pipe::kShuffle:
    case Pipe::kGlobal: return kMemory;
    default: return kElse;
  }
}

using Row = std::array<uint8_t, 4>;  ///< by generation
using Rows = std::array<std::array<Row, kReaders>, kProducers>;

/// Least distances through registers; row: producer, column: reader. The distances that ptxas
/// keeps, or for pairs that the kernels do not have, those of the nearest class.
constexpr Rows kRegisterDistances = {{
    // clang-format off
    //  kAlu             kFma              kWide             kHalf             kHalfMatrix
    //  kMatrix          kDouble           kXu               kMemory           kElse
    {{{4, 4, 4, 4},     {5, 5, 5, 5},     {5, 5, 3, 3},     {6, 5, 5, 5},     {6, 6, 6, 6},
      {6, 6, 6, 6},     {6, 6, 6, 6},     {6, 4, 4, 4},     {8, 5, 5, 5},     {6, 4, 4, 3}}},
    {{{5, 5, 5, 5},     {4, 4, 4, 4},     {4, 4, 2, 2},     {6, 5, 5, 5},     {6, 6, 6, 6},
      {6, 6, 6, 6},     {6, 6, 6, 6},     {6, 4, 4, 4},     {8, 5, 5, 5},     {6, 4, 4, 3}}},
    {{{5, 5, 3, 3},     {4, 4, 4, 4},     {6, 6, 4, 4},     {6, 5, 5, 5},     {6, 6, 6, 6},
      {6, 6, 6, 6},     {6, 6, 6, 6},     {6, 4, 3, 3},     {8, 5, 5, 5},     {6, 4, 4, 3}}},
    {{{8, 5, 5, 5},     {8, 5, 5, 5},     {8, 5, 5, 4},     {6, 4, 4, 4},     {8, 6, 6, 6},
      {8, 6, 6, 6},     {8, 6, 6, 6},     {8, 5, 5, 4},     {8, 5, 5, 5},     {8, 5, 4, 4}}},
    {{{10, 10, 10, 10}, {10, 10, 10, 10}, {8, 8, 8, 8},     {10, 10, 10, 10}, {6, 6, 6, 6},
      {6, 6, 6, 6},     {6, 6, 6, 6},     {7, 7, 7, 7},     {7, 7, 7, 7},     {7, 7, 7, 7}}},
    {{{10, 13, 13, 19}, {10, 13, 13, 19}, {10, 13, 13, 19}, {10, 13, 13, 19}, {10, 13, 13, 19},
      {10, 14, 14, 19}, {10, 13, 13, 19}, {10, 13, 13, 19}, {10, 13, 13, 19}, {10, 13, 13, 19}}},
    {{{10, 10, 10, 10}, {10, 10, 10, 10}, {8, 8, 8, 8},     {10, 10, 10, 10}, {8, 8, 8, 8},
      {8, 8, 8, 8},     {8, 8, 8, 8},     {6, 6, 6, 6},     {7, 7, 7, 7},     {7, 7, 7, 7}}},
    // clang-format on
}};

unsigned register_distance(const Instruction& producer, const Instruction& reader) {
  constexpr unsigned kConstantTurned = 5;  // CS2R
  if (producer.op == Op::kSm70_CS2R) return kConstantTurned;
  const Class from = class_of(producer.op);
  const bool is_barrier = reader.op == Op::kSm70_SYNCS_PHASECHK ||
                          reader.op == Op::kSm70_SYNCS_ARRIVE;  // ptxas 13.0 keeps 4 cycles
  const Class to = is_barrier ? kXu : class_of(reader.op);
  const unsigned number = number_of(producer.arch);
  if (from == kHalfMatrix && is_barrier) return 6;  // ptxas 13.0
  if (from == kMatrix && number == 120) return kLongestSm70Distance;
  if (from >= kProducers) return 1;
  return kRegisterDistances[from][std::min<unsigned>(to, kElse)][generation_of(producer.arch)];
}

/// True if the operation reads a predicate as a number, like a register.
bool takes_predicate_as_data(Op op) {
  if (op == Op::kSm70_VOTE || op == Op::kSm70_VOTEU) return false;
  const Class to = class_of(op);
  return to == kAlu || to == kFma || to == kWide;
}

unsigned predicate_distance(const Instruction& producer, const Instruction& reader, bool guards) {
  const bool is_early = generation_of(producer.arch) == 0;
  const Class from = class_of(producer.op);
  if (guards || !(takes_predicate_as_data(reader.op) || reader.op == Op::kSm70_DSETP)) {
    return from == kDouble ? 14 : is_early ? 12 : 13;
  }
  switch (from) {
    case kHalf: return is_early ? 8 : 6;
    case kDouble: return 6;
    default: return reader.op == Op::kSm70_DSETP ? (is_early ? 12 : 13) : 4;
  }
}

/// True for uniform moves and votes; their results are available earlier than those of arithmetic.
bool is_uniform_move(Op op) {
  return op == Op::kSm70_ULDC || op == Op::kSm70_UMOV || op == Op::kSm70_VOTEU ||
         op == Op::kSm70_ELECT;
}

unsigned uniform_distance(const Instruction& producer, const Instruction& reader) {
  if (producer.op == Op::kSm70_R2UR) return 13;
  if (is_uniform_move(producer.op)) return 2;
  switch (class_of(reader.op)) {
    case kUniform: return 4;
    case kXu:
    case kMemory: return 9;
    default: return 6;
  }
}

unsigned uniform_predicate_distance(const Instruction& producer, const Instruction& reader,
                                    bool guards) {
  if (producer.op == Op::kSm70_USETMAXREG) return 2;  // its warp stalls until it has the registers
  const bool computed = !is_uniform_move(producer.op);
  if (guards) return computed ? 11 : 5;
  if (!computed) return reader.op == Op::kSm70_UP2UR ? 1 : 4;
  switch (class_of(reader.op)) {
    case kUniform: return 4;
    case kElse: return 9;
    default: return 6;
  }
}

bool is_double_rationed(Arch arch) {
  const unsigned number = number_of(arch);
  return number != 70 && number != 90 && number != 100;
}

}  // namespace

unsigned sm70_distance(const Instruction& producer, Carrier carrier, const Instruction& reader,
                       bool guards) {
  switch (carrier) {
    case Carrier::kPredicate: return predicate_distance(producer, reader, guards);
    case Carrier::kUniform: return uniform_distance(producer, reader);
    case Carrier::kUniformPredicate: return uniform_predicate_distance(producer, reader, guards);
    default: return register_distance(producer, reader);
  }
}

bool sm70_needs_scoreboard(const Instruction& instruction) {
  const unsigned number = number_of(instruction.arch);
  switch (instruction.op) {
    case Op::kSm70_LDCU:
    case Op::kSm70_LDGDEPBAR:
    case Op::kSm70_LDGMC:
    case Op::kSm70_MOVM:
    case Op::kSm70_QSPC:
    case Op::kSm70_DMMA: return true;
    case Op::kSm70_BMOV: return !instruction[Role::kB].is(Operand::Kind::kNone);
    case Op::kSm70_R2UR: return number < 90;
    case Op::kSm70_HMMA:
    case Op::kSm70_IMMA: return number == 75;
    default: break;
  }
  switch (facts(instruction.op).pipe) {
    case Pipe::kDouble: return is_double_rationed(instruction.arch);
    case Pipe::kXu:
    case Pipe::kSpecial:
    case Pipe::kGlobal:
    case Pipe::kShared:
    case Pipe::kShuffle: return true;
    default: return false;
  }
}

unsigned sm70_queue(const Instruction& instruction) {
  switch (instruction.op) {
    case Op::kSm70_MATCH:
    case Op::kSm70_S2R: return 0;
    case Op::kSm70_REDUX: return 8;
    case Op::kSm70_LDC: return 5;
    case Op::kSm70_HMMA:
    case Op::kSm70_IMMA: return 6;
    case Op::kSm70_S2UR: return 7;
    case Op::kSm70_MOVM:
    case Op::kSm70_QSPC: return 1;
    default: break;
  }
  switch (facts(instruction.op).pipe) {
    case Pipe::kShuffle:
    case Pipe::kShared: return 1;
    case Pipe::kXu: return 2;
    case Pipe::kGlobal: return 3;
    case Pipe::kDouble: return 4;
    default: return 0;
  }
}

}  // namespace shflsim::isa
