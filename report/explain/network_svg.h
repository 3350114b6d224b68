// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/shuffle/shuffle_network.h"
#include "report/explain/svg.h"

namespace shflsim::report {

/// One pass of the schedule: input lanes on top, result registers at the bottom, a row of
/// multiplexers for each level of the network between them. Wires that carry a value have the
/// colour of its source lane. A port that lanes of later passes wait for, and these lanes' result
/// registers, are red. Nothing is drawn of a pass through shared memory and of a network without
/// wires of its own.
Picture pass_picture(const model::ShuffleNetwork& network, const model::Schedule& schedule,
                     size_t pass);

}  // namespace shflsim::report
