// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// What networks share: schedules for networks that run out of ports or of paths.

using RequestValue = std::function<unsigned(const Request&)>;

/// Ports in groups: a group's `width` ports carry as many distinct sources a pass, each to every
/// lane that wants it (multicast). Sources take a group's ports in the order of their first lanes.
/// Port p of group g is number g * width + p.
Schedule serialise_groups(const std::vector<Request>& requests, unsigned width,
                          const RequestValue& group);

/// One setting for the whole network: requests by the setting they need, settings ascending, at
/// least one (empty) batch.
std::vector<std::vector<Request>> batches_by_setting(const std::vector<Request>& requests,
                                                     const RequestValue& setting);

/// One pass a batch, each value over one port.
Schedule pass_per_batch(const std::vector<std::vector<Request>>& batches, const RequestValue& port);

/// Ports of a network of stages: the link at `position` (0..lanes-1) behind `stage` is number
/// stage * lanes + position, "stage 2 link 17".
std::string stage_port_name(unsigned port, unsigned lanes);

/// Base-2 logarithm of a power of two.
unsigned log2_of(unsigned power);

}  // namespace shflsim::model
