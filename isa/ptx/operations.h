// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "isa/ptx/lines.h"

namespace shflsim::isa::ptx {

/// What may be done with an instruction of SPA 5.0, by its operation ("XMAD.PSL.CBCC").

/// The operation up to its first dot: "XMAD".
std::string stem_of(const std::string& operation);
/// Whether the operation has that part behind a dot: "PSL" of XMAD.PSL.CBCC.
bool has_part(const std::string& operation, const std::string& part);

/// Clocks count on: neither the same twice nor free to move, and nothing moves past them.
bool reads_time(const Line& line);
/// Nothing moves past it: clocks, and calls, over which few registers keep what they hold.
bool stays_in_place(const Line& line);
/// Its results hang on its operands alone, and nothing else comes of it.
bool is_pure(const Line& line);
/// Operands 1 and 2 may change places.
bool commutes(const std::string& operation);
/// Its operands are integers or bits: a number stands as it is.
bool takes_integers(const std::string& operation);

/// It reads its registers at once, each from its bank: what does not go through the MIO queue.
bool is_math(const Line& line);
/// Which of two instructions that issue in one cycle it can be (isa/assembler/pairs.h).
enum class PairSide : uint8_t { kFirst, kSecond, kNone };
PairSide pair_side_of(const Line& line);
bool writes_carry(const Line& line);
bool reads_carry(const Line& line);

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
Space space_of(const std::string& operation);

/// Cycles from an instruction's issue to that of one which reads its result, where nothing is in
/// the way: the fixed latencies of isa/latency.h, and of the others what an idle unit takes on
/// gm107 (configs/gm107.cfg).
unsigned usual_latency(const Line& line, const Line& reader, bool through_predicate);

}  // namespace shflsim::isa::ptx
