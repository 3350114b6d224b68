// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/shuffle/routing.h"

namespace shflsim::model {

/// The Beneš network (Beneš, Bell System Technical Journal, 1964): 2 log2 N - 1 stages of 2x2
/// switches that exchange lanes at distance N/2, .., 2, 1, 2, .., N/2. It is a butterfly and,
/// sharing the middle stage, its mirror image.

/// Stages of a Beneš network between `lanes` lanes.
unsigned benes_stages(unsigned lanes);

/// The path of each request: its place, a lane number, behind each stage. Distinct sources and
/// distinct lanes required (a partial permutation); every such set of requests can be routed, and
/// no two share a place behind any stage. By the looping algorithm: two lanes that a switch of the
/// outer stages joins must go through different halves, which leaves chains that can be walked.
std::vector<std::vector<unsigned>> benes_paths(const std::vector<Request>& requests,
                                               unsigned lanes);

/// Requests as partial permutations: the k-th lane that reads a source is in the k-th of them. As
/// many as the most-read source has readers, which is the fewest possible; at least one, if empty.
std::vector<std::vector<Request>> partial_permutations(const std::vector<Request>& requests);

}  // namespace shflsim::model
