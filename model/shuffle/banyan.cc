// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/banyan.h"

#include <map>

#include "model/shuffle/colouring.h"

namespace shflsim::model {
namespace {

Neighbours conflicts(BitOrder order, const std::vector<Request>& requests, unsigned bits) {
  Neighbours neighbours(requests.size());
  for (size_t a = 0; a < requests.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      if (!banyan_conflict(order, requests[a], requests[b], bits)) continue;
      neighbours[a] |= uint64_t{1} << b;
      neighbours[b] |= uint64_t{1} << a;
    }
  }
  return neighbours;
}

/// First stage after which `request` meets one of the requests of colour 0.
unsigned blocked_stage(BitOrder order, const Request& request, const std::vector<Request>& requests,
                       const std::vector<uint8_t>& colours, unsigned bits) {
  unsigned first = bits - 1;
  for (size_t other = 0; other < requests.size(); ++other) {
    const Request& rival = requests[other];
    if (colours[other] != 0 || rival.source == request.source) continue;
    for (unsigned stage = 0; stage < first; ++stage) {
      const bool meet = banyan_place(order, request.source, request.lane, stage, bits) ==
                        banyan_place(order, rival.source, rival.lane, stage, bits);
      if (meet) first = stage;
    }
  }
  return first;
}

constexpr uint8_t kWaits = 0xff;

/// The requests of `alive` that win the links after a stage.
std::vector<size_t> winners(BitOrder order, const std::vector<Request>& requests,
                            const std::vector<size_t>& alive, unsigned stage, unsigned bits) {
  std::vector<size_t> won;
  std::map<unsigned, uint8_t> sources;  // by link
  for (const size_t index : alive) {
    const Request& request = requests[index];
    const unsigned link = banyan_place(order, request.source, request.lane, stage, bits);
    if (sources.emplace(link, request.source).first->second == request.source) won.push_back(index);
  }
  return won;
}

/// The pass in which switches that only use destination bits deliver each request.
std::vector<uint8_t> turns(BitOrder order, const std::vector<Request>& requests, unsigned bits) {
  std::vector<uint8_t> turns(requests.size(), kWaits);
  for (uint8_t pass = 0;; ++pass) {
    std::vector<size_t> alive;
    for (size_t index = 0; index < requests.size(); ++index) {
      if (turns[index] == kWaits) alive.push_back(index);
    }
    if (alive.empty()) return turns;
    for (unsigned stage = 0; stage < bits; ++stage) {
      alive = winners(order, requests, alive, stage, bits);
    }
    for (const size_t index : alive) turns[index] = pass;
  }
}

}  // namespace

void list_banyan_routing(const char* key, std::string* routing, ParameterList* list) {
  list->choice(key, routing, {kExact, kDestinationBits},
               "switch settings: found in advance, or by each switch from destination bits");
}

unsigned banyan_place(BitOrder order, unsigned source, unsigned lane, unsigned stage,
                      unsigned bits) {
  const unsigned all = (1u << bits) - 1;
  const unsigned low = order == BitOrder::kHighFirst ? all >> (stage + 1) : (2u << stage) - 1;
  return order == BitOrder::kHighFirst ? (lane & ~low) | (source & low)
                                       : (source & ~low) | (lane & low);
}

bool banyan_conflict(BitOrder order, const Request& a, const Request& b, unsigned bits) {
  if (a.source == b.source) return false;
  for (unsigned stage = 0; stage < bits; ++stage) {
    if (banyan_place(order, a.source, a.lane, stage, bits) ==
        banyan_place(order, b.source, b.lane, stage, bits)) {
      return true;
    }
  }
  return false;
}

Schedule banyan_passes(BitOrder order, const std::string& routing,
                       const std::vector<Request>& requests, unsigned lanes, unsigned first_port) {
  const unsigned bits = log2_of(lanes);
  const std::vector<uint8_t> colours = routing == kExact
                                           ? fewest_colours(conflicts(order, requests, bits))
                                           : turns(order, requests, bits);
  Schedule schedule;
  for (size_t index = 0; index < requests.size(); ++index) {
    const Request& request = requests[index];
    const auto link = [&](unsigned stage) {
      return first_port + stage * lanes +
             banyan_place(order, request.source, request.lane, stage, bits);
    };
    Pass& pass = schedule.pass(colours[index]);
    for (unsigned stage = 0; stage < bits; ++stage) pass.carry(link(stage), request.source);
    const unsigned port_stage =
        colours[index] == 0 ? bits - 1 : blocked_stage(order, request, requests, colours, bits);
    pass.deliver(request.lane, request.source, link(port_stage));
  }
  return schedule;
}

}  // namespace shflsim::model
