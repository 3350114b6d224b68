// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// Networks of log2 N stages of 2x2 switches with exactly one path from each lane to each lane: the
/// stages replace the bits of a value's place by the bits of its destination, one a stage.
enum class BitOrder : uint8_t {
  kHighFirst,  ///< butterfly and omega: behind k stages a value's place has the destination's high
               ///< k bits and the source's low n-k bits
  kLowFirst,   ///< inverse butterfly: the destination's low k bits, the source's high n-k bits
};

/// The place behind stage `stage` (0-based) of a value on its way from `source` to `lane`, as a
/// lane number of the butterfly; `bits` is log2 N.
unsigned banyan_place(BitOrder order, unsigned source, unsigned lane, unsigned stage,
                      unsigned bits);

/// Whether two requests meet on a link with different values. With switches that can broadcast
/// (both outputs take one input) requests of the same source never do.
bool banyan_conflict(BitOrder order, const Request& a, const Request& b, unsigned bits);

/// How a network finds its settings (`shuffle.NETWORK.routing`).
///   kExact: with the schedule known in advance: by an exact colouring of the graph of conflicts
///     (colouring.h), the fewest passes possible.
///   kDestinationBits: each switch looks at the destination bit of its stage. Of the values that
///     want the same link, the value of the lowest lane passes; the others are lost and come again
///     in the next pass, though they may have blocked other values before.
constexpr const char* kExact = "exact";
constexpr const char* kDestinationBits = "destination_bits";
void list_banyan_routing(const char* key, std::string* routing, ParameterList* list);

/// A schedule for switches that can broadcast. Ports are the links behind the stages, from
/// `first_port`. A lane that waits waits at the first link that the first pass denied to it, or at
/// its last link where it denied none (its turn made room for others).
Schedule banyan_passes(BitOrder order, const std::string& routing,
                       const std::vector<Request>& requests, unsigned lanes,
                       unsigned first_port = 0);

}  // namespace shflsim::model
