// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {

/// Shared functions of networks: schedules for networks that run out of ports or paths.

using RequestValue = std::function<unsigned(const Request&)>;

/// Groups of ports: the `width` ports of a group carry up to `width` distinct sources per pass,
/// each to every lane that reads it (multicast). Sources take the ports of a group in the order of
/// their first lanes. Port p of group g has the number g * width + p.
Schedule serialise_groups(const std::vector<Request>& requests, unsigned width,
                          const RequestValue& group);

/// For networks with one setting at a time: requests grouped by the setting that they need, in
/// ascending order of the settings; at least one batch, which may be empty.
std::vector<std::vector<Request>> batches_by_setting(const std::vector<Request>& requests,
                                                     const RequestValue& setting);

/// One pass per batch; each value uses one port.
Schedule pass_per_batch(const std::vector<std::vector<Request>>& batches, const RequestValue& port);

/// Port names of a network of stages: the link at `position` (0..lanes-1) after `stage` has the
/// number stage * lanes + position, "stage 2 link 17".
std::string stage_port_name(unsigned port, unsigned lanes);

/// Base-2 logarithm of a power of two.
unsigned log2_of(unsigned power);

}  // namespace shflsim::model
