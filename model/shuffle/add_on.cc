// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/add_on.h"

#include <algorithm>

#include "model/shuffle/routing.h"

namespace shflsim::model {

std::string AddOn::port_name(unsigned port) const {
  const unsigned first = inner_->ports();
  return port < first ? inner_->port_name(port) : own_port_name(port - first);
}

Schedule AddOn::plan(const isa::LaneMap& map) const {
  isa::LaneMap rest = map;
  rest.executing &= ~served(map);
  Schedule schedule = inner_->route(rest);
  for (const Request& request : requests(map)) {
    if ((rest.executing >> request.lane) & 1u) continue;
    schedule.passes[0].deliver(request.lane, request.source,
                               inner_->ports() + port(request.lane, request.source));
  }
  return schedule;
}

NetworkCost AddOn::cost() const {
  const NetworkCost own = own_cost();
  NetworkCost total = inner_->cost();
  total.mux2 += own.mux2 + lanes_ * kWordBits;
  total.switches += own.switches + lanes_;
  total.mux_levels = std::max(total.mux_levels, own.mux_levels) + 1;
  total.wire_tracks += own.wire_tracks;
  total.wire_length += own.wire_length;
  total.configuration_bits += own.configuration_bits + lanes_;
  return total;
}

isa::LaneMask SelfBypass::served(const isa::LaneMap& map) const {
  isa::LaneMask lanes = 0;
  for (const Request& request : requests(map)) {
    if (request.source == request.lane) lanes |= 1u << request.lane;
  }
  return lanes;
}
unsigned SelfBypass::port(unsigned lane, unsigned) const { return lane; }
std::string SelfBypass::own_port_name(unsigned port) const {
  return "self-bypass " + std::to_string(port);
}
NetworkCost SelfBypass::own_cost() const { return {}; }

isa::LaneMask QuadFastPath::served(const isa::LaneMap& map) const {
  isa::LaneMask lanes = 0;
  for (const Request& request : requests(map)) {
    if (request.source / 4 == request.lane / 4) lanes |= 1u << request.lane;
  }
  return lanes;
}
unsigned QuadFastPath::port(unsigned lane, unsigned) const { return lane; }
std::string QuadFastPath::own_port_name(unsigned port) const {
  return "quad output " + std::to_string(port);
}
NetworkCost QuadFastPath::own_cost() const {
  NetworkCost cost;
  cost.mux2 = lanes() * 3 * kWordBits;
  cost.switches = lanes() * 4;
  cost.mux_levels = 2;
  cost.wire_tracks = 4;
  cost.wire_length = lanes() * 3;
  cost.configuration_bits = lanes() * 2;
  return cost;
}

isa::LaneMask UniformBroadcast::served(const isa::LaneMap& map) const {
  const std::vector<Request> all = requests(map);
  const bool uniform = std::all_of(all.begin(), all.end(), [&](const Request& request) {
    return request.source == all.front().source;
  });
  return uniform ? map.executing : 0;
}
unsigned UniformBroadcast::port(unsigned, unsigned) const { return 0; }
std::string UniformBroadcast::own_port_name(unsigned) const { return "broadcast bus"; }
NetworkCost UniformBroadcast::own_cost() const {
  NetworkCost cost;
  cost.mux2 = (lanes() - 1) * kWordBits;
  cost.switches = lanes();
  cost.mux_levels = log2_of(lanes());
  cost.wire_tracks = 1;
  cost.wire_length = lanes() - 1;
  cost.configuration_bits = log2_of(lanes());
  return cost;
}

}  // namespace shflsim::model
