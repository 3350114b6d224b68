// SPDX-License-Identifier: Apache-2.0
#include "isa/base/input_error.h"
#include "model/shuffle/routing.h"

namespace shflsim::model {
namespace {

/// Banked: the input lanes are in B banks of r read ports; each port drives a bus along the row
/// that every output lane can read. Lanes that read the same source lane share one read. A bank
/// with more distinct sources than ports serialises:
///   passes = max over banks of ceil(distinct sources in the bank / r)  (docs/sources.md, "Passes")
/// The bank of a lane is its low bits (lane mod B: neighbours in different banks) or its high bits
/// (lane / (N/B): neighbours in the same bank).
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"; multicast over shared buses as in the
/// banked register files of Rhu & Erez, ISCA 2013):
///   mux2 (N(Br-1) + r(N-B))W: an output selects one of Br buses, a port one of its bank's D = N/B
///   lanes; crosspoints N Br + r N; levels log2(Br) + log2(D); Br buses across the row, each
///   spanning N-1 pitches. A bank's ports are at its middle lane, to which its other lanes' wires
///   run: with banks by the low bits, B floor(D/2) more tracks and B^2 floor(D^2/4) pitches; by the
///   high bits, floor(D/2) and B floor(D^2/4); select bits N log2(Br) + Br log2(D).
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
                  "whether the low or the high bits of the lane number select its bank");
    }
  };

  Banked(const Params& params, unsigned lanes)
      : lanes_(lanes),
        banks_(params.banks),
        width_(params.ports),
        low_(params.interleave == "low") {
    if (ports() > lanes) {
      throw InputError("shuffle.banked: " + std::to_string(ports()) + " ports of banks of " +
                       std::to_string(lanes) + " lanes; expected no more ports than lanes");
    }
  }

  unsigned ports() const override { return banks_ * width_; }
  std::string port_name(unsigned port) const override {
    const std::string bank = "bank " + std::to_string(port / width_);
    return width_ == 1 ? bank : bank + " port " + std::to_string(port % width_);
  }
  Wiring wiring() const override {
    Wiring wiring(lanes_);
    const unsigned depth = lanes_ / banks_;
    std::vector<Wire> buses;
    for (unsigned port = 0; port < ports(); ++port) {
      const unsigned bank = port / width_;
      const auto members = low_ ? every(wiring.inputs(), bank, banks_, depth)
                                : every(wiring.inputs(), bank * depth, 1, depth);
      buses.push_back(wiring.mux(wiring.group(), members, members[(depth - 1) / 2], port));
    }
    wiring.deliver(wiring.selectors(buses, lanes_));
    return wiring;
  }

 protected:
  Schedule plan(const std::vector<Request>& requests) const override {
    return serialise_groups(requests, width_, [this](const Request& request) {
      return low_ ? request.source % banks_ : request.source / (lanes_ / banks_);
    });
  }

 private:
  unsigned lanes_;
  unsigned banks_;
  unsigned width_;
  bool low_;
};

const bool banked_registered = ShuffleNetworks::add<Banked>(
    "banked", "banks of source lanes with multicast: serialises on bank conflicts");

}  // namespace
}  // namespace shflsim::model
