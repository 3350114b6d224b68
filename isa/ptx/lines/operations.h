// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// What may be done with a line, by its operation.

/// Clocks count on: neither the same twice nor free to move, and nothing moves past them.
bool reads_time(const Line& line);
/// Nothing moves past it: clocks, and calls, over which few registers keep what they hold.
bool stays_in_place(const Line& line);
/// Its results depend on its operands alone, and it has no other effect.
bool is_pure(const Line& line);
/// Operands 1 and 2 may change places.
bool commutes(const Line& line);
/// The operands are integers or bits: a number is used unchanged.
bool takes_integers(Op op);
/// A copy of a register, a constant or a short number.
bool is_short_move(const Line& line);
/// "SHR.U32".
bool is_unsigned_right_shift(const Line& line);
bool reads_carry(const Line& line);
/// What LOP gives for two numbers; none if the operation is no LOP.
std::optional<uint32_t> logic_of(const Operation& operation, uint32_t a, uint32_t b);
/// S2R of a value that is equal in all threads of a block.
bool reads_block(const Line& line);

/// Math instructions: they read their registers at issue, and do not go through the MIO queue.
bool is_math(const Line& line);
/// Which place of a pair that issues in one cycle the instruction can take (isa/dialects/pairs.h).
enum class PairSide : uint8_t { kFirst, kSecond, kNone };
PairSide pair_side_of(const Line& line);

/// What an instruction does to memory, or to the threads that run.
enum class Effect : uint8_t {
  kNone,
  kLoad,   ///< reads memory that others write
  kStore,  ///< writes it
  kLanes,  ///< sees which threads run, or what other threads hold: SHFL, VOTE
  kFence,  ///< nothing with an effect crosses it: barriers, the end of threads
};
Effect effect_of(const Line& line);
/// Which memory a load or store of this operation touches: LDS never what STL writes.
enum class Space : uint8_t { kShared, kLocal, kGlobal, kAny };
constexpr size_t kSpaces = 4;
Space space_of(Op op);
/// Bytes of a load or store of one space; 0 for other operations.
unsigned bytes_accessed(const Line& line);

/// Cycles from an instruction's issue to the issue of one that reads its result, without other
/// delays (isa/code/latency.h).
unsigned latency_between(const Line& line, const Line& reader, bool through_predicate);

}  // namespace shflsim::isa::ptx
