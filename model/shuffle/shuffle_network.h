// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/lane_map.h"
#include "model/core/parameter.h"

namespace shflsim::model {

/// One lane's value on its way: in a pass, from lane `source` to lane `lane`, over `port`.
struct Delivery {
  uint8_t lane = 0;
  uint8_t source = 0;
  uint16_t port = 0;    ///< the resource lanes compete for: a port, a bank, a switch
};

/// How a network moves one lane map: which lanes in which pass over which ports. A pass holds the
/// network for one cycle. A SHFL that no lane executes has one pass without deliveries.
struct Schedule {
  std::vector<std::vector<Delivery>> passes;

  uint32_t pass_count() const { return static_cast<uint32_t>(passes.size()); }
  /// Lanes that had to wait for a later pass, summed over the passes they waited.
  uint32_t port_conflicts() const;
};

/// Hardware a network needs; formulas with their source stand beside each network.
struct NetworkCost {
  uint64_t mux2 = 0;              ///< 2:1 multiplexers of one bit, for 32-bit lanes
  uint64_t switches = 0;          ///< switching elements (crosspoints, 2x2 switches...)
  uint32_t mux_levels = 0;        ///< 2:1 multiplexers in a row on the longest path
  uint32_t wire_tracks = 0;       ///< 32-bit wires that cross the middle of the lane row
  uint64_t wire_length = 0;       ///< sum over 32-bit wires of the lane pitches that they span
  uint32_t configuration_bits = 0;///< control bits per pass
};

/// The wires between the 32 lanes of a shuffle unit. What a SHFL means is in isa/lane_map.h; a
/// network only says how it is delivered. Routing is a pure function: same map, same schedule.
class ShuffleNetwork {
 public:
  virtual ~ShuffleNetwork() = default;
  /// A schedule that brings every executing lane the value of its source lane, each lane once.
  /// Lanes that do not execute neither send a request nor receive; a source that does not execute
  /// (an undefined read) is still read out, as on silicon.
  virtual Schedule route(const isa::LaneMap& map) const = 0;
  virtual NetworkCost cost() const = 0;
  /// Number of ports that `Delivery::port` counts, and the name of one for reports ("bank 3").
  virtual unsigned ports() const = 0;
  virtual std::string port_name(unsigned port) const = 0;
};

/// The networks there are, by name. A network's file registers itself:
///   const bool registered = ShuffleNetworks::add<Crossbar>("crossbar", "full 32x32 crossbar...");
/// Its class has a nested `Params` struct with `void list(ParameterList&)` and is constructed from
/// one; keys are "shuffle.NAME.key".
class ShuffleNetworks {
 public:
  struct Entry {
    std::string help;
    std::function<void(ParameterList&)> list;                   ///< declares the parameters
    std::function<std::unique_ptr<ShuffleNetwork>()> make;      ///< from the parameters' values
  };

  template <class Network>
  static bool add(const char* name, const char* help) {
    auto params = std::make_shared<typename Network::Params>();
    table()[name] = {help, [params](ParameterList& list) { params->list(list); },
                     [params] { return std::make_unique<Network>(*params); }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();
};

}  // namespace shflsim::model
