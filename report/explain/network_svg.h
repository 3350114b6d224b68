// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/shuffle/shuffle_network.h"
#include "report/explain/svg.h"

namespace shflsim::report {

/// One pass of the schedule: input lanes at the top, result registers at the bottom, and between
/// them a row of multiplexers for each level of the network. A wire that carries a value has the
/// colour of the value's source lane. A port that lanes of later passes wait for is red, and so are
/// the result registers of these lanes. A pass through shared memory and a network without wires of
/// its own are not drawn.
Picture pass_picture(const model::ShuffleNetwork& network, const model::Schedule& schedule,
                     size_t pass);

}  // namespace shflsim::report
