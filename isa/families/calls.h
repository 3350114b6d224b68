// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/families/lane_family.h"

namespace shflsim::isa {

/// What an operation of a language does with a group of lanes; `cluster` is the size of the parts
/// in which it works, all lanes by default.
struct CallMeaning {
  enum class Kind : uint8_t {
    kShuffle,        ///< lane f(own index); a lane outside the group is undefined
    kXor,            ///< own lane ^ operand
    kUp,             ///< own lane - operand, undefined below the group
    kDown,           ///< own lane + operand, undefined above
    kRotate,         ///< (own lane + operand) mod cluster
    kRotateBack,     ///< (own lane - operand) mod cluster
    kBroadcast,      ///< the lane with this number
    kFirst,          ///< the lowest lane that executes
    kQuadBroadcast,  ///< the lane with this number in each quad
    kQuadXor,        ///< own lane ^ `by`
    kUpFill,         ///< own lane - delta of the second operand, else from the end of the first
    kDownFill,       ///< own lane + delta of the first operand, else from the begin of the second
    kReduce,         ///< butterflies within a cluster, one per step
    kScan,           ///< the steps of an inclusive scan: from 1, 2, 4 .. lanes below
  };
  Kind kind = Kind::kShuffle;
  unsigned by = 0;
  bool wraps = false;  ///< the lane number is taken modulo the number of lanes
};

using CallMeanings = std::map<std::string, CallMeaning>;

std::vector<std::string> call_names(const CallMeanings& meanings);
/// Reads NAME(value, operand[, cluster]), or NAME value operand. A read from a lane that does not
/// execute is undefined.
LaneInstruction read_call(const CallMeanings& meanings, const LaneText& text,
                          const LaneContext& context, const LaneCost& cost = {});

}  // namespace shflsim::isa
