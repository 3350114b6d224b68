// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shflsim::model {

/// A graph of up to 64 vertices: bit u of element v is set if u and v are neighbours.
using Neighbours = std::vector<uint64_t>;

/// A colouring with the fewest colours possible: colours 0, 1, .. of the vertices, different for
/// neighbours. The search is exact. It colours the most constrained vertex first (DSATUR: Brélaz,
/// CACM 22(4), 1979), and after a failure it returns to the last vertex that caused it.
std::vector<uint8_t> fewest_colours(const Neighbours& neighbours);

}  // namespace shflsim::model
