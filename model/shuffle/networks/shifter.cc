// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// Log shifter: log2 N stages of 3:1 multiplexers, stage k rotates every lane by 2^k, exchanges
/// neighbours at distance 2^k, or does neither. The mode, rotate or xor, holds for all passes of a
/// SHFL; the one that needs fewer is taken, rotate on a tie.
///   passes = min(passes of the rotator, passes of the xor network)   (docs/sources.md, "Cost")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 2N log2(N) W (a 3:1 multiplexer is two), switches N log2 N, levels 2 log2 N; wires as the
///   rotator's, whose links the exchanges share; log2 N distance bits and the mode.
class Shifter : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Shifter(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return log2_of(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  NetworkCost cost() const override {
    const unsigned stages = log2_of(lanes_);
    NetworkCost cost;
    cost.mux2 = uint64_t{lanes_} * stages * 2 * kWordBits;
    cost.switches = uint64_t{lanes_} * stages;
    cost.mux_levels = 2 * stages;
    cost.wire_tracks = rotating_tracks(lanes_);
    cost.wire_length = rotating_length(lanes_);
    cost.configuration_bits = stages + 1;
    return cost;
  }

 protected:
  Schedule plan(const isa::LaneMap& map) const override {
    const std::vector<Request> all = requests(map);
    Schedule rotated = uniform_passes(UniformMove::kRotate, all, lanes_);
    Schedule exchanged = uniform_passes(UniformMove::kXor, all, lanes_);
    return rotated.pass_count() <= exchanged.pass_count() ? rotated : exchanged;
  }

 private:
  unsigned lanes_;
};

const bool registered = ShuffleNetworks::add<Shifter>(
    "shifter", "log2 stages that rotate or exchange all lanes, whichever takes fewer passes");

}  // namespace
}  // namespace shflsim::model
