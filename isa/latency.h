// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/instruction.h"

namespace shflsim::isa {

/// When results are there, as far as control bits have to say it: the least distances that ptxas
/// keeps on sm_50 (docs/sources.md, "Latencies"). The tool's own control is chosen by these
/// numbers, and code is checked by them.

/// How a result travels from one instruction to the next.
enum class Carrier : uint8_t { kRegister, kPredicate, kCarry };

/// Cycles from the issue of a producer of fixed latency to the issue of an instruction on the pipe
/// `reader`: math to math 6, to the shuffle unit, shared memory and double precision 4, to global
/// memory, special functions and conversions 2; a predicate to any use 13; the carry to math 6, to
/// a branch 13.
unsigned least_distance(Carrier carrier, Pipe reader);
constexpr unsigned kLongestDistance = 13;

/// Cycles from an instruction that takes a scoreboard to the first one that can wait for it.
constexpr unsigned kScoreboardVisible = 2;

/// Whether sources are read and the result comes at a time that only scoreboards tell. Double
/// precision is among these: its latency differs by chip, and ptxas waits for it by scoreboard.
bool is_timed_by_scoreboard(const Instruction& instruction);

/// Results come back in order within a queue: shuffles with shared memory, special functions with
/// conversions (docs/sources.md, "Control words"), double precision, and loads, on whose order
/// ptxas relies as well. 0: in no order.
unsigned result_queue(const Instruction& instruction);

}  // namespace shflsim::isa
