// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// The Beneš network (Beneš, Bell System Technical Journal, 1964): 2 log2 N - 1 stages of 2x2
/// switches that exchange lanes at distance N/2, .., 2, 1, 2, .., N/2. It is a butterfly and,
/// sharing the middle stage, its mirror image.

/// Stages of a Beneš network between `lanes` lanes.
unsigned benes_stages(unsigned lanes);

/// The path of each request: its place, a lane number, after each stage. Requires distinct sources
/// and distinct lanes (a partial permutation); every such set can be routed, and no two requests
/// share a place after any stage. Uses the looping algorithm: two lanes that a switch of the outer
/// stages joins must go through different halves, which gives chains to follow.
std::vector<std::vector<unsigned>> benes_paths(const std::vector<Request>& requests,
                                               unsigned lanes);

/// How a Beneš network finds its settings.
///   kExact: they are known in advance.
///   kLooping: by the looping algorithm in hardware that does one step per cycle, in both halves
///     of a network at once: N/2 + N/4 + .. + 1 cycles before each pass (no source: counted).
///   kSelfRouting: each switch uses a destination bit of its upper input, the same bit in a stage
///     and in its mirror image (Nassimi & Sahni, IEEE Transactions on Computers C-30(5), 1981).
///     This routes many regular permutations. Values that it does not deliver are sent again in
///     the next pass; if it delivers none, the lowest lane's value is sent alone.
constexpr const char* kLooping = "looping";
constexpr const char* kSelfRouting = "self_routing";
/// Cycles of looping before a pass: N - 1.
unsigned looping_cycles(unsigned lanes);

/// The paths of self-routing, place by stage, of the requests that it delivers, by index.
std::map<size_t, std::vector<unsigned>> self_routed_paths(const std::vector<Request>& requests,
                                                          unsigned lanes);

/// Splits requests into partial permutations: the k-th has the k-th lane that reads each source. As
/// many as the most-read source has readers, the fewest possible; at least one, maybe empty.
std::vector<std::vector<Request>> partial_permutations(const std::vector<Request>& requests);

}  // namespace shflsim::model
