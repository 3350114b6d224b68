// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// Log rotator (barrel shifter over lanes): log2 N stages of 2:1 multiplexers, stage k moves every
/// lane by 2^k or none of them. A pass has one distance.
///   passes = number of distinct (lane - source) mod N              (docs/sources.md, "Passes")
///
/// Cost for N lanes of W bits (docs/sources.md, "Cost"):
///   mux2 N log2(N) W, switches N log2 N (one 2:1 multiplexer of a word each), levels log2 N;
///   tracks 2(N-1), length the sum over d = 1, 2, .. N/2 of 2d(N-d) pitches; log2 N distance bits.
class Rotator : public ShuffleNetwork {
 public:
  struct Params {
    void list(ParameterList&) {}
  };

  Rotator(const Params&, unsigned lanes) : lanes_(lanes) {}

  unsigned ports() const override { return log2_of(lanes_) * lanes_; }
  std::string port_name(unsigned port) const override { return stage_port_name(port, lanes_); }
  NetworkCost cost() const override {
    const unsigned stages = log2_of(lanes_);
    NetworkCost cost;
    cost.mux2 = uint64_t{lanes_} * stages * kWordBits;
    cost.switches = uint64_t{lanes_} * stages;
    cost.mux_levels = stages;
    cost.wire_tracks = rotating_tracks(lanes_);
    cost.wire_length = rotating_length(lanes_);
    cost.configuration_bits = stages;
    return cost;
  }

 protected:
  Schedule plan(const isa::LaneMap& map) const override {
    return uniform_passes(UniformMove::kRotate, requests(map), lanes_);
  }

 private:
  unsigned lanes_;
};

const bool registered =
    ShuffleNetworks::add<Rotator>("rotator", "log2 stages that rotate all lanes by one distance");

}  // namespace
}  // namespace shflsim::model
