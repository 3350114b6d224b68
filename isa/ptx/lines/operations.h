// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/ptx/lines/lines.h"

namespace shflsim::isa::ptx {

/// What a pass may do with a line, by its operation.

/// True for reads of clocks: two reads differ, they must not move, and no line moves past them.
bool reads_time(const Line& line);
/// True if no line moves past this one: clocks, and calls, which preserve few registers.
bool stays_in_place(const Line& line);
/// True if the line's results depend only on its operands, and it has no other effect.
bool is_pure(const Line& line);
/// True if operands 1 and 2 may be exchanged.
bool commutes(const Line& line);
/// True if the operands are integers or bits: a number is used unchanged.
bool takes_integers(Op op);
/// True for a copy of a register, a constant or a short number.
bool is_short_move(const Line& line);
/// True for "SHR.U32".
bool is_unsigned_right_shift(const Line& line);
bool reads_carry(const Line& line);
/// The result of LOP for two numbers; none if the operation is not a LOP.
std::optional<uint32_t> logic_of(const Operation& operation, uint32_t a, uint32_t b);
/// True for S2R of a value that is equal in all threads of a block.
bool reads_block(const Line& line);

/// True for math: it reads its registers at issue, and does not go through the MIO queue.
bool is_math(const Line& line);
/// The instruction's possible place in a pair that issues in one cycle (isa/dialects/pairs.h).
enum class PairSide : uint8_t { kFirst, kSecond, kNone };
PairSide pair_side_of(const Line& line);

/// The effect of an instruction on memory or on the running threads.
enum class Effect : uint8_t {
  kNone,
  kLoad,   ///< reads memory that others write
  kStore,  ///< writes it
  kLanes,  ///< depends on the running threads or their values: SHFL, VOTE
  kFence,  ///< no line with an effect crosses it: barriers, the end of threads
};
Effect effect_of(const Line& line);
/// The memory that a load or store of this operation accesses: LDS never reads what STL writes.
enum class Space : uint8_t { kShared, kLocal, kGlobal, kAny };
constexpr size_t kSpaces = 4;
Space space_of(Op op);
/// Bytes of a load or store of one space; 0 for other operations.
unsigned bytes_accessed(const Line& line);

/// Cycles from an instruction's issue to the issue of an instruction that reads its result,
/// without other delays (isa/code/latency.h).
unsigned latency_between(const Line& line, const Line& reader, bool through_predicate);

}  // namespace shflsim::isa::ptx
