// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/lanes/lane_map.h"
#include "isa/lanes/lane_move.h"
#include "model/core/parameter.h"
#include "model/shuffle/network_cost.h"
#include "model/shuffle/technology.h"
#include "model/shuffle/wiring.h"

namespace shflsim::model {

constexpr unsigned kMostLanes = 64;  ///< greatest number of lanes of a network
using LaneSet = uint64_t;            ///< bit i: lane i
constexpr LaneSet lane_set(unsigned lane) { return LaneSet{1} << lane; }
constexpr bool has_lane(LaneSet lanes, unsigned lane) { return (lanes >> lane & 1) != 0; }

/// A lane and its source: the lane whose value it receives.
struct Request {
  uint8_t lane = 0;
  uint8_t source = 0;
};
/// The executing lanes of `map` in ascending order, with their sources.
std::vector<Request> requests(const isa::LaneMap& map);
/// The requests of a network for one operand and one result of a lane move.
std::vector<Request> requests(const isa::LaneMove& move, unsigned result, unsigned operand);

/// The delivery of one lane's value in a pass: from lane `source` to lane `lane`.
struct Delivery {
  uint8_t lane = 0;
  uint8_t source = 0;
  /// The resource for which lanes compete (a port, a bank, a link after a switch): the one over
  /// which the value arrives or, after the first pass, the one for which the lane waited.
  uint16_t port = 0;
};

/// What a port carries in a pass: the value of one source lane, to any number of lanes.
struct PortUse {
  uint16_t port = 0;
  uint8_t source = 0;
  bool operator==(const PortUse& other) const {
    return port == other.port && source == other.source;
  }
  bool operator<(const PortUse& other) const {
    return port != other.port ? port < other.port : source < other.source;
  }
};

/// One cycle of the network.
struct Pass {
  std::vector<Delivery> deliveries;
  std::vector<PortUse> uses;    ///< every port that carries a value, by port, each once
  bool through_memory = false;  ///< shared memory delivers it, instead of the network's own wires

  /// Delivers the value of `source` to `lane`; `port` is the last or only port on the path.
  void deliver(uint8_t lane, uint8_t source, unsigned port);
  /// Uses `port` for the value of `source`; repeating this has no effect.
  void carry(unsigned port, uint8_t source);
};

/// How a network delivers one lane map: which lanes in which pass over which ports. A pass holds
/// the network for one cycle. A SHFL that no lane executes has one pass without deliveries.
struct Schedule {
  std::vector<Pass> passes = std::vector<Pass>(1);
  uint32_t set_up = 0;  ///< cycles before the passes in which hardware finds the settings

  /// Pass `index`, added if there are not that many yet.
  Pass& pass(size_t index);
  uint32_t pass_count() const { return static_cast<uint32_t>(passes.size()); }
  /// Lanes that waited for a later pass, summed over the passes in which other lanes were served.
  uint32_t port_conflicts() const;
};

/// The wires between the lanes of a shuffle unit. isa/lanes/lane_map.h defines what a SHFL means, a
/// network only how it is delivered. Routing is a pure function: same map, same schedule.
class ShuffleNetwork {
 public:
  virtual ~ShuffleNetwork() = default;
  /// A schedule that delivers to every executing lane the value of its source lane once, such that
  /// no port serves two sources in a pass. Both are checked in every call, and a network that
  /// violates them throws std::logic_error. Lanes that do not execute neither send a request nor
  /// receive; a source that does not execute (an undefined read) is still read, as on silicon.
  /// Executing lanes and sources must be lanes of the network.
  Schedule route(const isa::LaneMap& map) const { return route(requests(map)); }
  /// Routes requests in ascending order of their lanes, one per lane, for up to 64 lanes.
  Schedule route(const std::vector<Request>& requests) const;
  /// The network's multiplexers and wires; the ports of its nodes are the ports in its schedules.
  virtual Wiring wiring() const = 0;
  NetworkCost cost() const { return cost_of(wiring()); }
  /// The number of ports that `Delivery::port` counts, and a port's name in reports ("bank 3").
  virtual unsigned ports() const = 0;
  virtual std::string port_name(unsigned port) const = 0;

 protected:
  virtual Schedule plan(const std::vector<Request>& requests) const = 0;
};

/// A kind of network with the parameters from the config.
class NetworkDesign {
 public:
  virtual ~NetworkDesign() = default;
  virtual void list(ParameterList& list) = 0;
  virtual std::unique_ptr<ShuffleNetwork> make(unsigned lanes) const = 0;
};

/// All networks by name. A network's file registers itself:
///   const bool registered = ShuffleNetworks::add<Crossbar>("crossbar", "full crossbar...");
/// Its class has a nested `Params` with `void list(ParameterList&)` for the keys "shuffle.NAME.key"
/// and is constructed from `(const Params&, unsigned lanes)`, where lanes is a power of two.
class ShuffleNetworks {
 public:
  struct Entry {
    std::string help;
    std::function<std::unique_ptr<NetworkDesign>()> design;
  };

  template <class Network>
  static bool add(const char* name, const char* help) {
    table()[name] = {help, [] { return std::make_unique<DesignOf<Network>>(); }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();

 private:
  template <class Network>
  class DesignOf : public NetworkDesign {
   public:
    void list(ParameterList& list) override { params_.list(list); }
    std::unique_ptr<ShuffleNetwork> make(unsigned lanes) const override {
      return std::make_unique<Network>(params_, lanes);
    }

   private:
    typename Network::Params params_;
  };
};

/// The crossbar of all lanes to which costs and stages of networks are compared.
const Wiring& crossbar_wiring();

/// The network that a config chooses (`shuffle.network`), the add-ons in front of it
/// (`shuffle.self_bypass`, `shuffle.quad_fast_path`, `shuffle.uniform_broadcast`; see add_on.h),
/// the parameters of all networks, and their technology.
class NetworkChoice {
 public:
  NetworkChoice();
  NetworkChoice(const NetworkChoice&) = delete;  // a ParameterList points into it
  NetworkChoice& operator=(const NetworkChoice&) = delete;

  void list(ParameterList& list);
  const std::string& network() const { return network_; }
  const Technology& technology() const { return technology_; }
  /// True if passes take the clock cycles that their logic and wires need (shuffle.depth).
  bool has_depth() const { return depth_ != 0; }
  /// The chosen network, or any other network with these parameters and add-ons. Throws InputError
  /// if a value does not fit the lanes or the name is unknown.
  std::unique_ptr<ShuffleNetwork> make(unsigned lanes = isa::kLanes) const;
  std::unique_ptr<ShuffleNetwork> make(const std::string& network, unsigned lanes) const;

 private:
  std::string network_;
  uint32_t self_bypass_ = 0;
  uint32_t quad_fast_path_ = 0;
  uint32_t uniform_broadcast_ = 0;
  uint32_t depth_ = 0;
  Technology technology_;
  std::map<std::string, std::unique_ptr<NetworkDesign>> designs_;
};

}  // namespace shflsim::model
