// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Banked: the input lanes stand in B banks of r read ports; each port drives a bus along the row
/// that every output lane can take. Lanes that read the same source lane share one read. A bank
/// with more distinct sources than ports serialises:
///   passes = max over banks of ceil(distinct sources in the bank / r)  (docs/sources.md, "Passes")
/// The bank of a lane is its low bits (lane mod B: neighbours in different banks) or its high bits
/// (lane / (N/B): neighbours in the same bank).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; multicast over shared buses as in the
/// banked register files of Rhu & Erez, ISCA 2013):
///   mux2 (N(Br-1) + r(N-B))W: an output selects one of Br buses, a port one of its bank's N/B
///   lanes; crosspoints N Br + r N; levels log2(Br) + log2(N/B); Br buses across the row, each
///   spanning N-1 pitches, and r(N-B) pitches that collect the lanes of the banks (with banks by
///   the low bits, the port's multiplexers stand along its bus and span no wire of their own beyond
///   that); select bits N log2(Br) + Br log2(N/B).
class Banked : public ShuffleNetwork {
 public:
  struct Params {
    uint32_t banks = 0;
    uint32_t ports = 0;
    std::string interleave;
    void list(ParameterList& list) {
      list.number("shuffle.banked.banks", &banks, 1, isa::kLanes, "banks", "banks of source lanes")
          .step = Step::kDoubling;
      list.number("shuffle.banked.ports", &ports, 1, isa::kLanes, "ports", "read ports of a bank")
          .step = Step::kDoubling;
      list.together(
          {"shuffle.banked.banks", "shuffle.banked.ports"},
          [this] { return banks * ports <= isa::kLanes; },
          "no more ports than a bank has lanes: 32 / shuffle.banked.banks");
      list.choice("shuffle.banked.interleave", &interleave, {"low", "high"},
                  "bits of a lane's number that choose its bank");
    }
  };

  Banked(const Params& params, unsigned lanes)
      : lanes_(lanes),
        banks_(params.banks),
        width_(params.ports),
        low_(params.interleave == "low") {}

  unsigned ports() const override { return banks_ * width_; }
  std::string port_name(unsigned port) const override {
    const std::string bank = "bank " + std::to_string(port / width_);
    return width_ == 1 ? bank : bank + " port " + std::to_string(port % width_);
  }
  NetworkCost cost() const override {
    const unsigned buses = banks_ * width_;
    const uint64_t collecting = uint64_t{width_} * (lanes_ - banks_);
    NetworkCost cost;
    cost.mux2 = (uint64_t{lanes_} * (buses - 1) + collecting) * kWordBits;
    cost.switches = uint64_t{lanes_} * buses + uint64_t{width_} * lanes_;
    cost.mux_levels = log2_of(buses) + log2_of(lanes_ / banks_);
    cost.wire_tracks = buses;
    cost.wire_length = uint64_t{buses} * (lanes_ - 1) + collecting;
    cost.configuration_bits = lanes_ * log2_of(buses) + buses * log2_of(lanes_ / banks_);
    return cost;
  }

 protected:
  Schedule plan(const isa::LaneMap& map) const override {
    return serialise_groups(requests(map), width_, [this](const Request& request) {
      return low_ ? request.source % banks_ : request.source / (lanes_ / banks_);
    });
  }

 private:
  unsigned lanes_;
  unsigned banks_;
  unsigned width_;
  bool low_;
};

const bool registered = ShuffleNetworks::add<Banked>(
    "banked", "banks of source lanes with multicast: serialises on bank conflicts");

}  // namespace
}  // namespace shflsim::model
