// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/codec/instruction.h"

namespace shflsim::isa {

/// Cycles until results are available, for results that control bits have to wait for: the least
/// distances that ptxas keeps (docs/sources.md, "Latencies"). This program chooses control bits by
/// the latencies of sm_50, and checks the code of each architecture by the latencies of that
/// architecture.

/// The kind of register that passes a result from one instruction to the next.
enum class Carrier : uint8_t {
  kRegister,
  kPredicate,
  kCarry,
  kUniform,           ///< uniform registers; sm_75 and later
  kUniformPredicate,  ///< uniform predicates; sm_75 and later
};

/// sm_50: cycles from the issue of a producer of fixed latency to the issue of an instruction on
/// the pipe `reader`: math to math 6, to the shuffle unit, shared memory and double precision 4, to
/// global memory, special functions and conversions 2; a predicate to any use 13; the carry to math
/// 6, to a branch 13.
unsigned least_distance(Carrier carrier, Pipe reader);
/// The least distance of two instructions of any architecture; `guards`: the result is the reader's
/// guard.
unsigned least_distance(const Instruction& producer, Carrier carrier, const Instruction& reader,
                        bool guards);
/// Cycles from an instruction's issue to the issue of an instruction that reads its result, if the
/// unit is idle: for pipes of sm_50 whose results use a scoreboard, on gm107 (configs/gm107.cfg
/// states the source of each value; the way to the unit is included). 0 for fixed-latency pipes.
unsigned usual_latency(Pipe producer);
/// The longest least distance: of SPA 5.0, and of sm_70 and later (matrix products of sm_120).
constexpr unsigned kLongestDistance = 13;
constexpr unsigned kLongestSm70Distance = 26;

/// Cycles from an instruction that takes a scoreboard to the first one that can wait for it.
constexpr unsigned kScoreboardVisible = 2;

/// True if only scoreboards tell when the sources are read and the result is available. This
/// includes double precision on chips that may have few double-precision units: sm_50, sm_72 to
/// sm_89 and sm_120.
bool is_timed_by_scoreboard(const Instruction& instruction);

/// The queue of the instruction's result; a queue returns results in order. Among them: shuffles
/// and shared memory, special functions and conversions (docs/sources.md, "Control words"), double
/// precision, and loads, on whose order ptxas relies as well. 0: no order.
unsigned result_queue(const Instruction& instruction);
/// The queue in whose order the sources are read. From sm_70 on all memory has one queue: ptxas
/// overwrites a source of a store to local memory by a later load from shared memory.
unsigned source_queue(const Instruction& instruction);

}  // namespace shflsim::isa
