// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shflsim::model {

/// A graph of up to 64 vertices: bit u of element v is set where u and v are neighbours.
using Neighbours = std::vector<uint64_t>;

/// Colours 0, 1, .. of the vertices, different for neighbours, with the fewest colours possible:
/// the search is exact. It colours the most constrained vertex first (DSATUR: Brélaz, CACM 22(4),
/// 1979) and on failure goes back to the last vertex to blame for it.
std::vector<uint8_t> fewest_colours(const Neighbours& neighbours);

}  // namespace shflsim::model
