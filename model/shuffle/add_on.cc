// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/add_on.h"

#include <algorithm>

#include "model/shuffle/routing.h"

namespace shflsim::model {

std::string AddOn::port_name(unsigned port) const {
  const unsigned first = inner_->ports();
  return port < first ? inner_->port_name(port) : own_port_name(port - first);
}

Schedule AddOn::plan(const std::vector<Request>& requests) const {
  const LaneSet lanes = served(requests);
  std::vector<Request> rest;
  for (const Request& request : requests) {
    if (!has_lane(lanes, request.lane)) rest.push_back(request);
  }
  Schedule schedule = inner_->route(rest);
  for (const Request& request : requests) {
    if (!has_lane(lanes, request.lane)) continue;
    schedule.passes[0].deliver(request.lane, request.source,
                               inner_->ports() + port(request.lane, request.source));
  }
  return schedule;
}

Wiring AddOn::wiring() const {
  Wiring wiring = inner_->wiring();
  const std::vector<Wire> theirs = wiring.outputs();
  if (wiring.inputs().empty()) wiring = Wiring(lanes_);
  const std::vector<Wire> own = own_wires(inner_->ports(), &wiring);
  std::vector<Wire> joined = own;
  for (unsigned lane = 0; lane < theirs.size(); ++lane) {
    joined[lane] = wiring.mux(wiring.group(), {theirs[lane], own[lane]}, lane);
  }
  wiring.deliver(joined);
  return wiring;
}

LaneSet SelfBypass::served(const std::vector<Request>& requests) const {
  LaneSet lanes = 0;
  for (const Request& request : requests) {
    if (request.source == request.lane) lanes |= lane_set(request.lane);
  }
  return lanes;
}
unsigned SelfBypass::port(unsigned lane, unsigned) const { return lane; }
std::string SelfBypass::own_port_name(unsigned port) const {
  return "self-bypass " + std::to_string(port);
}
std::vector<Wire> SelfBypass::own_wires(unsigned, Wiring* wiring) const { return wiring->inputs(); }

LaneSet QuadFastPath::served(const std::vector<Request>& requests) const {
  LaneSet lanes = 0;
  for (const Request& request : requests) {
    if (request.source / 4 == request.lane / 4) lanes |= lane_set(request.lane);
  }
  return lanes;
}
unsigned QuadFastPath::port(unsigned lane, unsigned) const { return lane; }
std::string QuadFastPath::own_port_name(unsigned port) const {
  return "quad output " + std::to_string(port);
}
std::vector<Wire> QuadFastPath::own_wires(unsigned first_port, Wiring* wiring) const {
  return wiring->crossbars(wiring->inputs(), 4, first_port);
}

LaneSet UniformBroadcast::served(const std::vector<Request>& all) const {
  const bool uniform = std::all_of(all.begin(), all.end(), [&](const Request& request) {
    return request.source == all.front().source;
  });
  LaneSet lanes = 0;
  for (const Request& request : all) lanes |= uniform ? lane_set(request.lane) : 0;
  return lanes;
}
unsigned UniformBroadcast::port(unsigned, unsigned) const { return 0; }
std::string UniformBroadcast::own_port_name(unsigned) const { return "broadcast bus"; }
std::vector<Wire> UniformBroadcast::own_wires(unsigned first_port, Wiring* wiring) const {
  return std::vector<Wire>(lanes(), wiring->tree(wiring->inputs(), first_port));
}

}  // namespace shflsim::model
