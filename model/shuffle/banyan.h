// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// Networks of log2 N stages of 2x2 switches with exactly one path from each lane to each lane:
/// each stage replaces one bit of a value's place by a bit of its destination.
enum class BitOrder : uint8_t {
  kHighFirst,  ///< butterfly and omega: after k stages, a value's place has the destination's high
               ///< k bits and the source's low n-k bits
  kLowFirst,   ///< inverse butterfly: the destination's low k bits, the source's high n-k bits
};

/// The place after stage `stage` (0-based) of a value that goes from `source` to `lane`, as a lane
/// number of the butterfly; `bits` is log2 N.
unsigned banyan_place(BitOrder order, unsigned source, unsigned lane, unsigned stage,
                      unsigned bits);

/// True if two requests with different values meet on a link. With switches that can broadcast
/// (both outputs take one input), requests of the same source never do.
bool banyan_conflict(BitOrder order, const Request& a, const Request& b, unsigned bits);

/// How a network finds its settings (`shuffle.NETWORK.routing`).
///   kExact: with the schedule known in advance, by an exact colouring of the conflict graph
///     (colouring.h): the fewest passes possible.
///   kDestinationBits: each switch uses the destination bit of its stage. If several values need a
///     link, the value of the lowest lane passes; the others are lost and sent again in the next
///     pass, although they may have blocked other values before.
constexpr const char* kExact = "exact";
constexpr const char* kDestinationBits = "destination_bits";
void list_banyan_routing(const char* key, std::string* routing, ParameterList* list);

/// A schedule for switches that can broadcast. The ports are the links after the stages, from
/// `first_port` on. A lane that waits is assigned the first link that the first pass denied to it,
/// or its last link if none was denied (it waited to make room for others).
Schedule banyan_passes(BitOrder order, const std::string& routing,
                       const std::vector<Request>& requests, unsigned lanes,
                       unsigned first_port = 0);

}  // namespace shflsim::model
