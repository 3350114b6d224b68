// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_network.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "isa/base/input_error.h"
#include "model/shuffle/add_on.h"

namespace shflsim::model {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("shuffle network: ") + what);
}

/// Sorts the uses of ports and removes repetitions; a port with two sources is an error.
void settle_uses(std::vector<PortUse>* uses) {
  std::sort(uses->begin(), uses->end());
  uses->erase(std::unique(uses->begin(), uses->end()), uses->end());
  const auto same_port = [](const PortUse& a, const PortUse& b) { return a.port == b.port; };
  require(std::adjacent_find(uses->begin(), uses->end(), same_port) == uses->end(),
          "a port carries two sources in one pass");
}

void require_delivery(const std::vector<Request>& requests, const Schedule& schedule) {
  std::array<uint8_t, kMostLanes> source{};
  LaneSet left = 0;
  for (const Request& request : requests) {
    left |= lane_set(request.lane);
    source[request.lane] = request.source;
  }
  for (const Pass& pass : schedule.passes) {
    for (const Delivery& delivery : pass.deliveries) {
      require(has_lane(left, delivery.lane), "a lane is served twice, or without a request");
      require(delivery.source == source[delivery.lane], "a lane receives another lane's value");
      left &= ~lane_set(delivery.lane);
    }
  }
  require(left == 0, "a lane is not served");
}

}  // namespace

void Pass::deliver(uint8_t lane, uint8_t source, unsigned port) {
  deliveries.push_back({lane, source, static_cast<uint16_t>(port)});
  carry(port, source);
}

void Pass::carry(unsigned port, uint8_t source) {
  uses.push_back({static_cast<uint16_t>(port), source});
}

Pass& Schedule::pass(size_t index) {
  if (index >= passes.size()) passes.resize(index + 1);
  return passes[index];
}

uint32_t Schedule::port_conflicts() const {
  size_t waits = 0;
  size_t passes_served = 0;
  for (const Pass& pass : passes) {
    waits += passes_served * pass.deliveries.size();
    if (!pass.deliveries.empty()) ++passes_served;
  }
  return static_cast<uint32_t>(waits);
}

std::vector<Request> requests(const isa::LaneMap& map) {
  std::vector<Request> list;
  list.reserve(isa::kLanes);
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if ((map.executing >> lane) & 1u)
      list.push_back({static_cast<uint8_t>(lane), map.source[lane]});
  }
  return list;
}

std::vector<Request> requests(const isa::LaneMove& move, unsigned result, unsigned operand) {
  std::vector<Request> list;
  for (unsigned lane = 0; lane < move.lanes; ++lane) {
    if (isa::has_bit(move.served(result, operand), lane))
      list.push_back({static_cast<uint8_t>(lane), move.source[result][lane].lane});
  }
  return list;
}

Schedule ShuffleNetwork::route(const std::vector<Request>& requests) const {
  Schedule schedule = plan(requests);
  for (Pass& pass : schedule.passes) settle_uses(&pass.uses);
  require_delivery(requests, schedule);
  return schedule;
}

std::map<std::string, ShuffleNetworks::Entry>& ShuffleNetworks::table() {
  static std::map<std::string, Entry> networks;
  return networks;
}

std::vector<std::string> ShuffleNetworks::names() {
  std::vector<std::string> names;
  for (const auto& [name, entry] : table()) names.push_back(name);
  return names;
}

const Wiring& crossbar_wiring() {
  static const Wiring wiring =
      ShuffleNetworks::table().at("crossbar").design()->make(isa::kLanes)->wiring();
  return wiring;
}

NetworkChoice::NetworkChoice() {
  for (const auto& [name, entry] : ShuffleNetworks::table()) designs_[name] = entry.design();
}

void NetworkChoice::list(ParameterList& list) {
  list.choice("shuffle.network", &network_, ShuffleNetworks::names(),
              "network between the lanes of the shuffle unit");
  list.flag("shuffle.self_bypass", &self_bypass_,
            "1: a lane that reads itself, as out-of-range lanes do, does not use the network");
  list.flag("shuffle.quad_fast_path", &quad_fast_path_,
            "1: a lane that reads within its quad uses the 4x4 crossbar of the quad");
  list.flag("shuffle.uniform_broadcast", &uniform_broadcast_,
            "1: if all lanes read one lane, the value goes over a separate bus");
  list.flag("shuffle.depth", &depth_,
            "1: shuffle.latency changes by the difference between the stages of the network and "
            "those of a crossbar");
  for (const auto& [name, design] : designs_) design->list(list);
  technology_.list(list);
}

std::unique_ptr<ShuffleNetwork> NetworkChoice::make(unsigned lanes) const {
  return make(network_, lanes);
}

std::unique_ptr<ShuffleNetwork> NetworkChoice::make(const std::string& network,
                                                    unsigned lanes) const {
  const auto design = designs_.find(network);
  if (design == designs_.end()) {
    throw InputError("no shuffle network '" + network + "'" +
                     suggestion(network, ShuffleNetworks::names()));
  }
  std::unique_ptr<ShuffleNetwork> made = design->second->make(lanes);
  if (uniform_broadcast_) made = std::make_unique<UniformBroadcast>(std::move(made), lanes);
  if (quad_fast_path_) made = std::make_unique<QuadFastPath>(std::move(made), lanes);
  if (self_bypass_) made = std::make_unique<SelfBypass>(std::move(made), lanes);
  return made;
}

}  // namespace shflsim::model
